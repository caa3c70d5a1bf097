// SPDX-License-Identifier: GPL-3.0-or-later
/* timing_predictor.h - the time of candidates by the predictor, for apps without runs, which have a
 * structural model or a scaling model.
 *
 * An answer takes about 10 ms for eight hosts with eight hours of samples each: enough for tens of
 * candidates, not for hundreds.  Its samples are sorted, so sample i of two candidates is the same
 * quantile, and not the same scenario. */
#ifndef RC_ADVISE_PLACE_TIMING_PREDICTOR_H
#define RC_ADVISE_PLACE_TIMING_PREDICTOR_H

#include "advise/place/search.h"
#include "predict/predictor.h"

/* The predictor that is asked about candidates.  All that it points to must outlive the calls. */
struct rc_place_asking {
    struct rc_predictor *predictor;
    const struct rc_question *question; /* but for processes and hosts */
    const char *const *names;           /* of the hosts of the search */
};

/* The question about one candidate; hosts are `names`, which has room for all of the candidate. */
struct rc_question rc_place_question(const struct rc_place_asking *asking,
                                     const struct rc_candidate *candidate, const char **names);

/* All that it points to must outlive the timing. */
struct rc_timing_predictor_setup {
    const struct rc_place_asking *asking;
    const struct rc_search_question *question; /* its hosts with their scores, and its clusters */
    const struct rc_timing *ranking;           /* forecasts shares of hosts */
};

/* NULL where memory runs out.  Destroy with rc_place_timing_predictor_destroy(). */
struct rc_timing *rc_place_timing_predictor_create(const struct rc_timing_predictor_setup *setup,
                                                   struct rc_error *error);
void rc_place_timing_predictor_destroy(struct rc_timing *timing);

/* The answer for one candidate, good until the next question; -1 also where no method answers. */
int rc_place_timing_predictor_ask(struct rc_timing *timing, const struct rc_candidate *candidate,
                                  struct rc_predict_answer *answer, struct rc_error *error);

/* Why the latest candidate without an answer has none; NULL: all had one. */
const struct rc_error *rc_place_timing_predictor_why(const struct rc_timing *timing);

#endif
