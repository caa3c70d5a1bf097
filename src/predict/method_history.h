// SPDX-License-Identifier: GPL-3.0-or-later
/* method_history.h - what a prediction from a few runs rests on, to be shown. */
#ifndef RC_PREDICT_METHOD_HISTORY_H
#define RC_PREDICT_METHOD_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

struct rc_predict_history {
    size_t n_runs;               /* completed runs; 0: none was read */
    size_t n_same;               /* those with this size, processes and parameters */
    double last;                 /* the run time of the last of these; NAN: there is none */
    size_t n_killed;             /* killed runs that count, whose times are lower bounds */
    bool elsewhere;              /* all runs are on other platforms */
    struct rc_range size, procs; /* of the completed runs */
};

#endif
