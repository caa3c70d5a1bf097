// SPDX-License-Identifier: GPL-3.0-or-later
/* traced_internal.h - what the files of traced.h share: traced_claim.c finds which task has what,
 * and traced.c how long that took. */
#ifndef RC_MODEL_STRUCTURAL_TRACED_INTERNAL_H
#define RC_MODEL_STRUCTURAL_TRACED_INTERNAL_H

#include "model/structural/rank_times.h"
#include "model/structural/traced.h"

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
