// SPDX-License-Identifier: GPL-3.0-or-later
/* aggregate_slowdown.h - aggregate slowdown: slowdown of a parallel program from those of its
 * hosts.
 *
 * Section 6 of Figueira and Berman.  If the work is divided by the speed of hosts under load,
 * all finish together, and the sums of speeds count (Eq. 5).  With any other division, the
 * slowest host counts (Eqs. 6 to 12). */
#ifndef RC_MODEL_SLOWDOWN_AGGREGATE_SLOWDOWN_H
#define RC_MODEL_SLOWDOWN_AGGREGATE_SLOWDOWN_H

#include <stddef.h>

#include "runcast.h"

enum rc_split { RC_SPLIT_LOAD, RC_SPLIT_CONSTRAINT };

struct rc_aggregate_node {
    double weight;    /* speed of the idle host; the slowest has 1; > 0 */
    double slowdown;  /* local, >= 1 */
    double work;      /* its part of the work (constraint) */
    double dedicated; /* its part in the dedicated run; NAN: as `work` (Eq. 8); equal parts in
                         all hosts: Eq. 12 */
};

/* The terms, for people. */
struct rc_aggregate {
    double above, below; /* of the fraction: Eq. 5, or the two maxima of Eq. 9 */
    size_t slowest;      /* host of the first maximum (constraint) */
    double slowdown;
};

/* Parts of the work must sum to 1 within 1e-6, and weights must be above 0: otherwise -1, with
 * the number of the host from 1. */
int rc_slowdown_aggregate_compute(const struct rc_aggregate_node *nodes, size_t n,
                                  enum rc_split split, struct rc_aggregate *aggregate,
                                  struct rc_error *error);

/* The extra work of Eq. 7 (10): work beyond an equal part. */
double rc_slowdown_aggregate_extra(double work, size_t n);

/* Weights from the seconds that one task takes on each idle host: t_slowest / t. */
void rc_slowdown_aggregate_weights(const double *seconds, size_t n, double *weights);

/* Slower computing and slower messages together, for a program that communicates for a share of its
 * dedicated run time: the network, which section 7 leaves open. */
double rc_slowdown_aggregate_network(double computing, double communicating, double part);

#endif
