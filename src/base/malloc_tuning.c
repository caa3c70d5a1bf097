// SPDX-License-Identifier: BSD-2-Clause
/* malloc_tuning.c - settings of malloc() for runcast programs. */
#include "base/malloc_tuning.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void rc_malloc_keep(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
#endif
}
