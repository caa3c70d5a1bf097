// SPDX-License-Identifier: BSD-2-Clause
/* fold_node.h - nodes of a folded string: where they are kept, and two made one. */
#ifndef RC_MPI_TRACE_FOLD_NODE_H
#define RC_MPI_TRACE_FOLD_NODE_H

#include "mpi/trace/fold.h"

/* A free node; there must be one. */
uint32_t rc_trace_fold_node_take(struct rc_trace_fold *fold);

/* Frees a node, with all that is in it. */
void rc_trace_fold_node_free(struct rc_trace_fold *fold, uint32_t node);

/* Whether two nodes are the same in all but their times: looks at all of both. */
bool rc_trace_fold_node_same(const struct rc_trace_fold *fold, uint32_t a, uint32_t b);

/* How many samples may be needed when the node is merged with another: not less. */
static inline uint32_t rc_trace_fold_node_needs_samples(const struct rc_fold_node *node)
{
    return node->depth == 0 && node->call.n == 1;
}

/* The same of times. */
static inline uint32_t rc_trace_fold_node_needs_times(const struct rc_fold_node *node)
{
    return node->depth > 0 && node->count < RC_FOLD_MANY ? node->loop.positions : 0;
}

/* Adds the times of one call to those of a call, for which there must be room. */
void rc_trace_fold_node_add(struct rc_trace_fold *fold, struct rc_fold_node *call,
                            const struct rc_trace_sample *sample);

/* Puts the times of `more` into `node`, which is the same, and frees `more`.  There must be room
 * for what rc_trace_fold_node_needs_...() say. */
void rc_trace_fold_node_merge(struct rc_trace_fold *fold, uint32_t node, uint32_t more);

#endif
