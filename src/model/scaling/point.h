// SPDX-License-Identifier: GPL-3.0-or-later
/* point.h - many points of one model; for this folder only. */
#ifndef RC_MODEL_SCALING_POINT_H
#define RC_MODEL_SCALING_POINT_H

#include "model/scaling/estimate.h"
#include "model/scaling/fit_system.h"

/* rc_scaling_estimate() of one cluster's part of a run; `joined`: others have parts of it, too. */
int rc_scaling_estimate_of(const struct rc_scaling_model *model, const struct rc_scaling_mc *mc,
                           const struct rc_mesh *mesh, int64_t procs, bool joined,
                           struct rc_scaling_estimate *estimate, struct rc_error *error);

/* rc_scaling_point() with a system that was made or prepared for the model before. */
int rc_scaling_point_by(const struct rc_scaling_model *model, const struct rc_fit_system *system,
                        const struct rc_mesh *mesh, int64_t procs, bool joined,
                        struct rc_scaling_parts *parts, struct rc_error *error);

#endif
