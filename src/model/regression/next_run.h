// SPDX-License-Identifier: GPL-3.0-or-later
/* next_run.h - what to measure next to learn most. */
#ifndef RC_MODEL_REGRESSION_NEXT_RUN_H
#define RC_MODEL_REGRESSION_NEXT_RUN_H

#include "model/regression/model.h"

struct rc_regression_suggestion {
    double n, p;
    double seconds; /* that it will take on idle hosts, or so */
    double unsure;  /* the spread of the predictions of the members, as a fraction of the time */
};

enum { RC_REGRESSION_SUGGESTIONS_MAX = 3 };

/* Fills in runs from which most would be learned for their time, the best first; returns how many.
 * Sizes go to twice the range of the runs, processes from half of it to four times, but to no more
 * than `most_procs` (at least 1).  0 if nothing is left to learn: if predictions of members differ
 * by less than runs do by chance.  `limited` is set if most would be learned from a run on more
 * than `most_procs`. */
size_t rc_regression_suggest(const struct rc_regression_model *model, double most_procs,
                             struct rc_regression_suggestion *suggestions, bool *limited);

/* What the runs cannot show, since it was the same in all of them. */
struct rc_regression_gaps {
    bool size, procs;   /* of one size; of one number of processes */
    bool cpu, bw;       /* load never differed, or is unknown: how it acts is assumed */
    bool no_cpu, no_bw; /* ... is unknown */
    bool alone;         /* none on one process */
};
struct rc_regression_gaps rc_regression_gaps(const struct rc_regression_model *model);

#endif
