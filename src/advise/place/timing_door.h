// SPDX-License-Identifier: GPL-3.0-or-later
/* timing_door.h - the time of candidates by whoever answers at the one door, for programs without
 * runs: a structural model, or one of small runs.
 *
 * Every answer is a question to the door, which takes about 10 ms for eight hosts with eight hours
 * of samples each: it is for tens of candidates, not for hundreds.  The door's draws are by
 * rising time, so that the i-th of two candidates are no draws under the same luck, but the same
 * quantile. */
#ifndef RC_ADVISE_PLACE_TIMING_DOOR_H
#define RC_ADVISE_PLACE_TIMING_DOOR_H

#include "advise/place/consult.h"

/* All that it points to must outlive the timing. */
struct rc_timing_door_setup {
    const struct rc_consulting *consulting;
    const struct rc_search_question *question; /* its hosts with their scores, and its clusters */
    const struct rc_timing *ranking;           /* tells what hosts will have to offer */
};

/* NULL where memory runs out.  Destroy with rc_place_timing_door_destroy(). */
struct rc_timing *rc_place_timing_door_create(const struct rc_timing_door_setup *setup,
                                              struct rc_error *error);
void rc_place_timing_door_destroy(struct rc_timing *timing);

/* What is said of one candidate, good until the next question; -1 also where nobody answers. */
int rc_place_timing_door_ask(struct rc_timing *timing, const struct rc_candidate *candidate,
                             struct rc_door_answer *answer, struct rc_error *error);

/* Why the latest candidate without an answer has none; NULL: all had one. */
const struct rc_error *rc_place_timing_door_why(const struct rc_timing *timing);

#endif
