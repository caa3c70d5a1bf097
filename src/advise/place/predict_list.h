// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_list.h - what the predictor answers for a short list, in place of the quick times by which
 * it was found.
 *
 * A search looks at many candidates, for which only regression is fast enough (timing_regress.h).
 * The few that are left go to the predictor, and what is reported is its answer.  Common random
 * numbers stay what they were: the sample that was the k-th of a candidate is the k-th of the
 * predictor's. */
#ifndef RC_ADVISE_PLACE_PREDICT_LIST_H
#define RC_ADVISE_PLACE_PREDICT_LIST_H

#include "advise/place/search.h"
#include "predict/predictor.h"

/* Who is asked about candidates.  All that it points to must outlive the calls. */
struct rc_place_asking {
    struct rc_predictor *predictor;
    const struct rc_question *question; /* but for processes and hosts */
    const char *const *names;           /* of the hosts of the search */
};

/* The question about one candidate; hosts are `names`, which has room for all of the candidate. */
struct rc_question rc_place_question(const struct rc_place_asking *asking,
                                     const struct rc_candidate *candidate, const char **names);

/* Puts the predictor's answers in place of what the list has, sorts it anew, and says why anew.  A
 * candidate that may not end, or that no method can answer for, stays as it is.  `choice` becomes the
 * answer for the first of the list then, good until the next question; answered 0: there is none. */
int rc_place_predict_list(const struct rc_place_asking *asking,
                          const struct rc_search_question *question, struct rc_search *search,
                          struct rc_predict_answer *choice, struct rc_error *error);

#endif
