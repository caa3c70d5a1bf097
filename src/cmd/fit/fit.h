// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.h - the parts of 'runcast fit'. */
#ifndef RC_CMD_FIT_FIT_H
#define RC_CMD_FIT_FIT_H

#include "answer/fit_fields.h"

/* In show.c: prints a model, and models of phases and processes.  -1 if memory runs out. */
int rc_cmd_fit_show(const struct rc_answer_fit *answer);
int rc_cmd_fit_show_phases(const struct rc_answer_parts *answer, struct rc_error *error);

#endif
