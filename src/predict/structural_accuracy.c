// SPDX-License-Identifier: GPL-3.0-or-later
/* structural_accuracy.c - predictions of a structural model, corrected by earlier ones. */
#include "predict/structural_accuracy.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "predict/recalibrate.h"

int rc_predict_correct_in_turn(void *data, struct rc_accuracy_run *runs, size_t n,
                               struct rc_error *error)
{
    struct rc_predict_corrections *made = data;
    struct rc_past_run *past = calloc(n + 1, sizeof *past);
    double sum = 0;
    int status;

    if (!past)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        past[i] =
            (struct rc_past_run){runs[i].start,
                                 {runs[i].predicted, runs[i].low, runs[i].high, runs[i].actual}};
    status = rc_predict_recalibrate_in_turn(past, n, made->level, error);
    made->n = 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        double factor = past[i].prediction.predicted / runs[i].predicted;

        if (factor != 1 || past[i].prediction.low != runs[i].low ||
            past[i].prediction.high != runs[i].high) {
            sum += log(factor);
            made->n++;
        }
        runs[i].predicted = past[i].prediction.predicted;
        runs[i].low = past[i].prediction.low;
        runs[i].high = past[i].prediction.high;
    }
    made->factor = made->n ? exp(sum / (double)made->n) : (double)NAN;
    free(past);
    return status;
}
