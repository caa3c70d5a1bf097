// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.h - what the parts of 'runcast scale fit' share. */
#ifndef RC_CMD_SCALE_FIT_H
#define RC_CMD_SCALE_FIT_H

#include "answer/scale.h"
#include "cmd/scale/scale.h"

struct rc_cmd_scale_fit_options {
    struct rc_cmd_scale_options scale;
    const char *gamma;
    double noise, model_error;
    bool force, dry_run, only;
};

/* Shows what was fitted. */
void rc_cmd_scale_fit_show(const struct rc_answer_scale_fit *answer, bool json);

#endif
