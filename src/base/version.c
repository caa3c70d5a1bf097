// SPDX-License-Identifier: BSD-2-Clause
/* version.c - the version of the library. */
#include "runcast.h"

const char *rc_version(void)
{
    return RC_VERSION; /* from meson.build */
}
