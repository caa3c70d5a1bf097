// SPDX-License-Identifier: GPL-3.0-or-later
/* traced_internal.h - what the files of task_profile.h share: traced_claim.c finds which task has
 * what, rank_times.c what each rank spent its time on, and task_profile.c how long that took. */
#ifndef RC_MODEL_STRUCTURAL_TRACED_INTERNAL_H
#define RC_MODEL_STRUCTURAL_TRACED_INTERNAL_H

#include "model/structural/task_profile.h"

/* ---- rank_times.c ---- */

/* What a rank of a traced program spent its time on: MPI calls by their kind, and
 * computing by the calls right before and right after it.
 *
 * Made by one walk over its file, without unfolding loops.  The first call of a loop's body comes
 * after the call before the loop in the first round, and after the last call of the body in all
 * others.  Where the times of all rounds are known (8 at most), each goes where it belongs; of more
 * rounds only statistics are known, and all count as equally long.
 *
 * The run is what lies between the calls that begin and end MPI: they are no part of it, nor is
 * what was before or comes after. */
enum {
    RC_TIMES_KINDS = RC_TRACE_KIND_COUNT + 1, /* the last is for those that are not known */
    RC_TIMES_NOTHING = RC_TIMES_KINDS,        /* in place of the call before the first one */
    RC_TIMES_PLACES = RC_TIMES_KINDS + 1
};

struct rc_rank_times {
    double seconds;                               /* of the run, on this rank */
    double inside[RC_TIMES_KINDS];                /* seconds in calls of that kind */
    double gaps[RC_TIMES_PLACES][RC_TIMES_KINDS]; /* of computing, between a call and the next */
};

/* Whether calls of a kind begin or end MPI. */
bool rc_structural_times_outside(unsigned kind);

/* Reads the file of a rank's first thread.  -1 where it cannot be read, or is not whole. */
int rc_structural_rank_times_read(struct rc_rank_times *times, const struct rc_trace_set_file *file,
                                  struct rc_error *error);

/* ---- traced_claim.c ---- */

/* What one or several tasks have of a trace. */
struct rc_claim {
    bool computing;             /* otherwise calls */
    enum rc_traced_place place; /* of computing: anywhere, or by these calls */
    enum rc_traced_ranks ranks;
    bool kinds[RC_TIMES_KINDS];
    const struct rc_item *item; /* the first component that says so; NULL: none does */
    const char *task;           /* the first one */
    size_t n_tasks;
    /* Over all ranks: */
    bool there;
    uint32_t rank;
    double seconds;
};

struct rc_claims {
    struct rc_claim *items;
    size_t n;
    size_t *of; /* of each task that has one, in the order of the model: the index of its claim */
    const char **tasks;
    size_t n_tasks;
};

/* To be freed in either case. */
int rc_structural_claims_make(struct rc_claims *claims, const struct rc_model *model, int section,
                              struct rc_error *error);
void rc_structural_claims_free(struct rc_claims *claims);

/* Whether a claim is about a rank, and then about calls of a kind, or computing between two. */
bool rc_structural_claim_has_rank(const struct rc_claim *claim, uint32_t rank);
bool rc_structural_claim_has_call(const struct rc_claim *claim, unsigned kind);
bool rc_structural_claim_has_gap(const struct rc_claim *claim, unsigned before, unsigned after);

#endif
