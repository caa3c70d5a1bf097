// SPDX-License-Identifier: GPL-3.0-or-later
/* search_internal.h - what the files of search.h share. */
#ifndef RC_ADVISE_PLACE_SEARCH_INTERNAL_H
#define RC_ADVISE_PLACE_SEARCH_INTERNAL_H

#include "advise/place/search.h"

/* A search that is under way.  `members` and `in`, here and there, are scratch for all hosts. */
struct rc_searching {
    const struct rc_search_question *question;
    const struct rc_timing *timing;
    struct rc_search *search;
    struct rc_candidate_host *hosts;         /* with scores of their own */
    struct rc_candidates first;              /* from the present load */
    double *quick;                           /* samples of search->all */
    size_t n_quick;                          /* of each */
    const struct rc_candidate_host **sorted; /* scratch for the hosts of two candidates */
    struct rc_error *error;
};

/* Rates n samples of a candidate.  `summary` is the predictor's, or NULL: it is made of the
 * samples. */
void rc_place_search_judge(const struct rc_search_question *question, struct rc_advised *advised,
                           const double *samples, size_t n,
                           const struct rc_predict_summary *summary, double *scratch);

/* The hosts of a cluster (that are `in`, unless that is NULL), in its order; returns how many. */
size_t rc_place_search_members(const struct rc_searching *work, size_t cluster, const bool *in,
                               size_t *members);

/* Marks the hosts that sets of one cluster, as large as the largest of these, may be made of. */
int rc_place_search_mark(const struct rc_searching *work, size_t cluster,
                         struct rc_candidate *const *some, size_t n_some, size_t *members,
                         bool *in);

/* Sets the scores of hosts that are `in` to what they will have to offer over so many seconds. */
int rc_place_search_foresee(struct rc_searching *work, const bool *in, size_t *members,
                            double seconds);

/* ---- in shortlist.c ---- */

/* Makes the shortlist of the candidates that were tried on a few scenarios. */
int rc_place_search_make_list(struct rc_searching *work);
/* Exchanges single hosts of small sets of it, as long as that helps. */
int rc_place_search_swap(struct rc_searching *work, size_t *members, bool *in);

#endif
