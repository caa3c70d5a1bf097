// SPDX-License-Identifier: GPL-3.0-or-later
/* hints.h - what a user of the command line can do about an error of the library. */
#ifndef RC_CMD_CORE_HINTS_H
#define RC_CMD_CORE_HINTS_H

#include <stdbool.h>

#include "runcast.h"

enum { RC_HINT_SIZE = 512 };

/* The hint of an error: its own, or the one for its code, with its facts filled in. False, with ""
 * in `hint`, if there is none. */
bool rc_cmd_hint(const struct rc_error *error, char hint[RC_HINT_SIZE]);

/* The text of the error: its own, or the one for its code, with the names of options. */
const char *rc_cmd_error_text(const struct rc_error *error, char text[RC_HINT_SIZE]);

#endif
