// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_porting.h - a model for another platform than it was fitted on (Sanjay and Vadhiyar,
 * section 3.5).
 *
 * Eq. (3): computation takes Rcpu times as long there, communication Rbw times.
 *
 * Rcpu is the ratio of the times of one-process runs of the same size on both, dedicated ones
 * (with at least 95 % of a core, or of which no load is known) where both have any.  Of the sizes
 * that both have, it is the middle one: the paper says "a moderate problem size".  Without a
 * common size, the two nearest ones are used, and the model relates their times.
 *
 * For Rbw the best member is fitted to the reference's runs on two processes (on the smallest
 * number above one that both have; dedicated ones, where there are enough).  Then, with its
 * computation times Rcpu, its communication is scaled until it fits the target's runs as well.
 * The fit is measured by the standard error over the mean time: seconds themselves mean little on
 * a machine of another speed.  The error is a parabola of the scale, so there are two scales at
 * which it is as on the reference and between which it is less, or none.  From 1 the paper goes on
 * "until" they match: so Rbw is the scale nearest to 1 at which the error is no larger than on the
 * reference (1, where it is so already) or, if there is none, the one at which it is least.
 * Where that is not above 0, communication does not show in the target's runs, and Rbw is 1. */
#ifndef RC_MODEL_REGRESSION_PLATFORM_PORTING_H
#define RC_MODEL_REGRESSION_PLATFORM_PORTING_H

#include "model/regression/model.h"

enum { RC_REGRESSION_REFERENCE, RC_REGRESSION_TARGET, RC_REGRESSION_SIDES };

struct rc_regression_port {
    double r_cpu, r_bw;
    /* one-process runs */
    double n[RC_REGRESSION_SIDES];        /* their size */
    size_t one_runs[RC_REGRESSION_SIDES]; /* their number */
    bool dedicated; /* otherwise they had less than 95 % of a core, and their times are corrected */
    /* two-process runs */
    double p;
    size_t two_runs[RC_REGRESSION_SIDES];
    bool two_dedicated[RC_REGRESSION_SIDES];
    double error[RC_REGRESSION_SIDES]; /* standard error over mean time; the target's at r_bw */
    double low, high; /* scales at which the errors are equal; NAN: there are none */
    bool shows;       /* false: communication does not show, and r_bw is 1 */
};

/* Finds the two numbers.  The tables have the runs on each platform, with the model's parameters.
 * -1 where runs are missing; the hint says which. */
int rc_regression_port_find(const struct rc_regression_model *model,
                            const struct rc_regression_table *reference,
                            const struct rc_regression_table *target,
                            struct rc_regression_port *port, struct rc_error *error);

/* By the paper's criterion: the model by Eq. (3), all members of it.  By default: an ensemble from
 * the runs of both platforms, where these can be compared, with computation by Eq. (3); otherwise
 * as by the paper.  Bandwidths and errors of the model are those of the target's runs.  NULL if
 * memory runs out. */
struct rc_regression_model *rc_regression_port_model(const struct rc_regression_model *model,
                                                     const struct rc_regression_table *reference,
                                                     const struct rc_regression_table *target,
                                                     const struct rc_regression_port *port,
                                                     struct rc_error *error);

/* An ensemble from the runs of both, for cores of the reference platform; in pooled_platform_fit.c.
 * NULL if only the runs of one have bandwidths, or there are too few. */
struct rc_regression_model *rc_regression_port_pool(const struct rc_regression_table *reference,
                                                    const struct rc_regression_table *target,
                                                    double r_cpu);

#endif
