// SPDX-License-Identifier: GPL-3.0-or-later
/* params.h - parameters of a run that options --param say.
 *
 * One rule for all that is asked about a run: a name that has an option of its own is refused; a
 * structural model that has no input of that name is not asked, which is told; a regression model
 * that does not know it says the same without it, which is told too (prediction_notes.h). */
#ifndef RC_CMD_CORE_PARAMS_H
#define RC_CMD_CORE_PARAMS_H

#include <stddef.h>

#include "base/option.h"
#include "runcast.h"

enum { RC_CMD_PARAM_SIZE = 64 };

/* Reads "NAME=NUMBER" of each into `params`, `*n` of them, with names in `names`; there is room for
 * RC_OPTION_LIST_MAX of both. */
int rc_cmd_params_read(const struct rc_option_list *list, char names[][RC_CMD_PARAM_SIZE],
                       struct rc_param *params, size_t *n, struct rc_error *error);

#endif
