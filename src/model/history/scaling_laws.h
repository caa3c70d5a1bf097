// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_laws.h - scaling laws of parallel programs, with their prior probability.
 *
 * A law is a function of the size n and the processes p, up to a factor: computation, alone or with
 * an overhead.  Computation grows with a power of n, with or without its logarithm.  It is divided
 * among all processes, less well (p^-0.5), or by none (weak scaling, where n is the size of one
 * process).  The overhead is serial work (Amdahl) or communication.  It grows no faster with n than
 * computation does.  The exponents and the forms in p are those that performance models of MPI
 * programs have (Calotoiu and others, "Using automated performance modeling to find scalability
 * bugs in complex codes", SC 2013, Section 3). */
#ifndef RC_MODEL_HISTORY_SCALING_LAWS_H
#define RC_MODEL_HISTORY_SCALING_LAWS_H

#include <stddef.h>

#include "runcast.h"

struct rc_history_point {
    double size, procs; /* above 0; at least 1 */
};

struct rc_history_laws {
    size_t n_laws, n_points;
    double *prior;    /* logarithm of the probability of each law */
    double *log_time; /* of law k at point i: log_time[k * n_points + i] */
};

/* The laws at n points.  `reference` is where overheads have their assumed shares of the time: in
 * the middle of the runs.  Free with rc_history_laws_free(), also after -1: out of memory. */
int rc_history_laws_make(const struct rc_history_point *points, size_t n,
                         struct rc_history_point reference, struct rc_history_laws *laws,
                         struct rc_error *error);
void rc_history_laws_free(struct rc_history_laws *laws);

#endif
