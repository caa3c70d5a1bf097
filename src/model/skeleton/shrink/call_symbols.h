// SPDX-License-Identifier: GPL-3.0-or-later
/* call_symbols.h - calls as symbols: which calls are alike enough to count as one. */
#ifndef RC_MODEL_SKELETON_SHRINK_CALL_SYMBOLS_H
#define RC_MODEL_SKELETON_SHRINK_CALL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "model/skeleton/loops/loops.h"

/* What makes calls differ.  Those with another kind, group or peers are never alike; those with
 * other sizes may be.  A tag is no part of it: tags do not distinguish symbols. */
struct rc_cluster_call {
    uint32_t kind;     /* which call; a blocking one and its non-blocking twin are two */
    uint32_t group;    /* the communicator */
    int32_t peers[2];  /* whom it sends to (or the root), whom it receives from; -1 for none */
    uint64_t bytes[2]; /* how much, to and from them */
};

struct rc_clusters {
    uint32_t *symbols;             /* of each call, numbered by first occurrence */
    size_t n;                      /* of calls */
    struct rc_cluster_call *means; /* by symbol: its calls, with the mean of their sizes */
    uint32_t n_symbols;
};

/* How far the sizes of two calls differ, in 0 to 1: the larger of |a - b| / max(a, b) of both
 * sizes; infinite for calls that are never alike. */
double rc_skeleton_cluster_dissimilarity(const struct rc_cluster_call *a,
                                         const struct rc_cluster_call *b);

/* Gives each call the symbol of the most similar call before it that has one of its own (of several
 * the first), where the two differ by no more than the threshold, from 0 (equal calls alone) to
 * below 1; else one of its own.  Equal calls have the same symbol, that of the first of them.
 * Time grows as n.  Free with rc_skeleton_clusters_free(); on failure there is nothing to free. */
int rc_skeleton_clusters_find(const struct rc_cluster_call *calls, size_t n, double threshold,
                              struct rc_clusters *clusters, struct rc_error *error);
void rc_skeleton_clusters_free(struct rc_clusters *clusters);

/* The highest threshold that is tried. */
#define RC_CLUSTERS_THRESHOLD_MAX 0.2

#endif
