// SPDX-License-Identifier: GPL-3.0-or-later
/* scenario_evaluation.h - what a model comes to under the forecast load.
 *
 * Inputs from forecasts (`input cpu[h] from forecast cpu`) change while the run goes on, and how
 * long it goes on is what is asked.  So the run is followed along many load scenarios of all hosts
 * and links together (forecast/series_scenarios.h): in each short time dt, it gets dt / T further,
 * where T is what the model comes to with the inputs as they are then.  That is right where hosts
 * wait for one another often, and at each instant the slowest one counts.  Where they wait only at
 * the end of each of n parts of the run (`waits n`; 1 is `waits once`), each goes at its own speed
 * in between: a part ends when T / n has passed, with each input at its mean since it began. */
#ifndef RC_MODEL_STRUCTURAL_SCENARIO_EVALUATION_H
#define RC_MODEL_STRUCTURAL_SCENARIO_EVALUATION_H

#include "model/structural/binding.h"

struct rc_scenario_facts {
    size_t n_series; /* that were forecast; 0: nothing was, and the rest means nothing */
    double newest;   /* the oldest of their newest samples */
    double seconds;  /* how far the scenarios go; beyond, inputs are what their second half is */
    double run;      /* how long the run is, in the middle of the draws */
    size_t n_steady; /* of which the past is too short to know how they change: they stay as they
                        are */
    bool steady;     /* all of them are such */
};

/* What the model comes to: followed along scenarios where the alternatives that are taken rest on
 * forecasts (then a sample, turned into `as` where that is not -1), otherwise
 * rc_structural_binding_total().
 *
 * `*evaluation`, to be destroyed by the caller in any case, has what was found on the way; inputs
 * from forecasts are the means over each draw's own run.  A result that no run takes, of 0 or less,
 * is an error.  `rules->draws` is made less where so many scenarios would take too much memory. */
struct rc_value *rc_structural_binding_answer(struct rc_binding *binding, int as,
                                              struct rc_value_rules *rules,
                                              struct rc_evaluation **evaluation,
                                              struct rc_scenario_facts *facts,
                                              struct rc_error *error);

#endif
