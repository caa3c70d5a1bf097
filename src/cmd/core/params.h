// SPDX-License-Identifier: GPL-3.0-or-later
/* params.h - parameters of a run, from options --param.
 *
 * The same rules in all commands: a name that has another option is an error; a structural model
 * without an input of that name is not used, with a note; a regression model that does not use it
 * predicts without it, with a note (prediction_notes.h). */
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
