// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_fit.h - what the parts of 'runcast scale fit' share. */
#ifndef RC_CMD_SCALE_FIT_H
#define RC_CMD_SCALE_FIT_H

#include "cmd/scale/scale.h"
#include "model/scaling/straight.h"

struct rc_cmd_scale_fit_options {
    struct rc_cmd_scale_options scale;
    const char *gamma;
    double noise, model_error;
    bool force, dry_run, only;
};

/* A model, and whether its lines are straight. */
struct rc_cmd_scale_fitted {
    struct rc_scaling_model model;
    struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX];
    size_t n_findings, runs;
};

/* What the link between two clusters adds, and what is doubtful about that. */
struct rc_cmd_scale_linked {
    struct rc_scaling_link link;
    struct rc_scaling_notes notes;
};

/* Where the models are kept, and how many there are by now. */
struct rc_cmd_scale_kept {
    int64_t id; /* 0: they are not */
    size_t models;
};

/* Shows what was fitted; `fitted` has one for each part. */
void rc_cmd_scale_fit_show(const struct rc_cmd_scale_fit_options *options,
                           const struct rc_cmd_scale *scale,
                           const struct rc_cmd_scale_fitted *fitted,
                           const struct rc_cmd_scale_linked *linked,
                           const struct rc_cmd_scale_kept *kept);

#endif
