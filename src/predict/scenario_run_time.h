// SPDX-License-Identifier: GPL-3.0-or-later
/* scenario_run_time.h - a future run, followed along one load scenario of its hosts and links until
 * its work is done.
 *
 * A model predicts the run time under a constant load (rc_regression_work_seconds()).  Under one
 * that changes, in each short time dt the run gets dt / that time further.  So the load that counts
 * is that of the run's own duration, whatever it turns out to be. */
#ifndef RC_PREDICT_SCENARIO_RUN_TIME_H
#define RC_PREDICT_SCENARIO_RUN_TIME_H

#include <stddef.h>

#include "model/regression/model.h"

/* What hosts, or links, will have to offer: value j of series s, values[s * n + j], holds from j *
 * step to (j + 1) * step seconds after the start.  Beyond the last one, every series has the
 * average of its second half: what was reached by then, without the way there.  A lane without
 * series has `constant` all the time. */
struct rc_predict_lane {
    const double *values;
    size_t n_series, n;
    double step;
    double constant;
    double *scratch; /* 2 * n_series places */
};

struct rc_predict_future {
    struct rc_predict_lane cpu, bw;
    double begin; /* when the work begins, in seconds after the start; 0 for all of a run */
};

/* What a process gets of a core, at least: the kernel starves no process. */
#define RC_PREDICT_CPU_LEAST 0.001

struct rc_predict_end {
    double
        seconds; /* since it began; INFINITY: it never ends, or the model means nothing under this load */
    double cpu, bw; /* the load over that time, by the work's statistic; NAN: it never ends */
};

/* Follows a run of `factor` times the work.
 *
 * Work of kind avgmin goes at the pace of the least CPU and the least bandwidth of each instant.
 * Of kind minavg, every host goes at its own pace, and the one that is slowest over the whole run
 * counts: the run has ended when its time is the one that follows from the least of the averages
 * until then. */
void rc_predict_follow(const struct rc_regression_work *work, double factor,
                       const struct rc_predict_future *scenario, struct rc_predict_end *end);

#endif
