// SPDX-License-Identifier: GPL-3.0-or-later
/* curve_plot.h - the plot of a scaling curve, for 'runcast predict' and 'runcast fit'. */
#ifndef RC_CMD_CORE_CURVE_PLOT_H
#define RC_CMD_CORE_CURVE_PLOT_H

#include "answer/scaling_fields.h"
#include "predict/scaling_curve.h"

/* All that it points to belongs to the caller. */
struct rc_cmd_curve_plot {
    const char *path;
    const struct rc_question *question; /* what the curve holds constant */
    const struct rc_predict_curve *curve;
    const char *hosts; /* for the title; NULL: unknown, or not those of all points */
    const struct rc_answer_scaled *runs; /* predicted runs, with their efficiency */
    size_t n_runs;
    bool has_load;      /* the curve is not for idle hosts */
    bool other_load;    /* the measured runs had another load than the curve */
    double limit, risk; /* time limit of the first of them; NAN: none */
};

/* Draws the curve with its interval, the measured runs, the predicted runs and the time limit; over
 * the number of processes, also ideal scaling and the parallel efficiency.  Notes report what the
 * plot lacks, and the parameters of the curve. */
int rc_cmd_curve_plot(const struct rc_cmd_curve_plot *plot, const struct rc_monitor *monitor,
                      struct rc_error *error);

#endif
