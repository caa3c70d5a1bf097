// SPDX-License-Identifier: GPL-3.0-or-later
/* aggregate_slowdown.h - aggregate slowdown: what the slowdowns of all hosts come to for one parallel
 * program.
 *
 * Section 6 of Figueira and Berman.  Where work is split by what hosts can do at the time, all end
 * together, and the sums of what they can do count (Eq. 5).  Where it is split by anything else,
 * the slowest host counts (Eqs. 6 to 12). */
#ifndef RC_MODEL_SLOWDOWN_AGGREGATE_SLOWDOWN_H
#define RC_MODEL_SLOWDOWN_AGGREGATE_SLOWDOWN_H

#include <stddef.h>

#include "runcast.h"

enum rc_split { RC_SPLIT_LOAD, RC_SPLIT_CONSTRAINT };

struct rc_aggregate_node {
    double weight;    /* speed of the idle host, that of the slowest being 1; > 0 */
    double slowdown;  /* local, >= 1 */
    double work;      /* its part of the work in the run in question (constraint) */
    double dedicated; /* its part in the run whose time is known; NAN: as `work` (Eq. 8), and equal
                         parts in all make it Eq. 12 */
};

/* The terms, for people. */
struct rc_aggregate {
    double above, below; /* of the fraction: Eq. 5, or the two maxima of Eq. 9 */
    size_t slowest;      /* the node that the first maximum is of (constraint) */
    double slowdown;
};

/* Parts of the work must sum to 1 within 1e-6 and weights be above 0: -1 otherwise, with the number
 * of the node from 1. */
int rc_slowdown_aggregate_compute(const struct rc_aggregate_node *nodes, size_t n,
                                  enum rc_split split, struct rc_aggregate *aggregate,
                                  struct rc_error *error);

/* The extra work of Eq. 7 (10): how much more than an equal part it is. */
double rc_slowdown_aggregate_extra(double work, size_t n);

/* Weights from the seconds that one task takes on each idle host: t_slowest / t. */
void rc_slowdown_aggregate_weights(const double *seconds, size_t n, double *weights);

/* What slower computing and slower messages come to for a program that communicates for a part of
 * its dedicated time: the network inside the aggregate factor, which section 7 leaves open. */
double rc_slowdown_aggregate_network(double computing, double communicating, double part);

#endif
