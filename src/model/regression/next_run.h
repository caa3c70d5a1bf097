// SPDX-License-Identifier: GPL-3.0-or-later
/* next_run.h - what to measure next to learn most. */
#ifndef RC_MODEL_REGRESSION_NEXT_RUN_H
#define RC_MODEL_REGRESSION_NEXT_RUN_H

#include "model/regression/model.h"

struct rc_regression_suggestion {
    double n, p;
    double seconds; /* that it will take on a dedicated machine, or so */
    double unsure;  /* the spread of what the members say of it, as a fraction of the time */
};

enum { RC_REGRESSION_SUGGESTIONS_MAX = 3 };

/* Fills in runs from which most would be learnt for their time, the best first; returns how many.
 * Sizes go to twice what was seen, processes from half of it to four times.  0 where nothing is
 * left to learn: where what members say differs by less than runs do by themselves. */
size_t rc_regression_suggest(const struct rc_regression_model *model,
                             struct rc_regression_suggestion *suggestions);

/* What the runs cannot tell at all, since it was the same in all of them. */
struct rc_regression_gaps {
    bool size, procs; /* of one size; of one number of processes */
    bool cpu, bw;     /* load never differed, or is not known: how it acts is assumed */
    bool alone;       /* none on one process */
};
struct rc_regression_gaps rc_regression_gaps(const struct rc_regression_model *model);

#endif
