// SPDX-License-Identifier: GPL-3.0-or-later
/* reach.c - predictions far beyond the runs, which regression alone cannot make.
 *
 * A regression model knows only how the run time grows within its runs.  Scaling and structural
 * models are made for larger runs, and are not refused. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/predict/predict.h"
#include "model/regression/next_run.h"

/* Times the largest size or number of processes of the runs, or below the smallest; and the ends of
 * the 90 % interval, one over the other. */
static const double furthest = 16, widest = 100;

/* The run to record before: the one that shows most, within twice the range of the runs. */
static int suggest(const struct rc_run_model *run_model, double procs, struct rc_error *error)
{
    const struct rc_regression_model *model = run_model->model;
    struct rc_regression_suggestion found[RC_REGRESSION_SUGGESTIONS_MAX];
    double most = fmax(fmin(procs, 2 * model->p.high), 1);
    char size[RC_NUMBER_SIZE];
    bool limited;

    if (model->criterion == RC_REGRESSION_PAPER ||
        rc_regression_suggest(model, most, found, &limited) == 0)
        found[0] = (struct rc_regression_suggestion){
            .n = fmin(fmax(run_model->question.n, model->n.low / 2), 2 * model->n.high), .p = most};
    rc_number_format_short(found[0].n, 4, size);
    return rc_error_hint(error,
                         "record a run with --size %s --procs %.0f first; --extrapolate predicts "
                         "all the same",
                         size, found[0].p);
}

int rc_cmd_predict_check_reach(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_answer *found = &answer->report.found;
    const struct rc_predict_summary *summary = &answer->report.summary;
    const struct rc_run_model *run_model = answer->run_model;
    char factor[RC_NUMBER_SIZE];

    if (answer->options->extrapolate || found->answered != 1 ||
        !found->methods[RC_METHOD_REGRESSION].answered || !run_model || !run_model->model)
        return 0;
    if (run_model->beyond.n > furthest) {
        rc_number_format_short(run_model->beyond.n, 3, factor);
        rc_error_set(error, "the size is beyond the runs by a factor of %s", factor);
    } else if (run_model->beyond.p > furthest) {
        rc_number_format_short(run_model->beyond.p, 3, factor);
        rc_error_set(error, "the number of processes is beyond the runs by a factor of %s", factor);
    } else if (run_model->model->criterion != RC_REGRESSION_PAPER &&
               summary->hi90 > widest * summary->lo90) {
        rc_number_format_short(summary->hi90 / summary->lo90, 3, factor);
        rc_error_set(
            error,
            "the runs do not show the run time: the ends of the 90 %% interval differ by a "
            "factor of %s",
            factor);
    } else {
        return 0;
    }
    return suggest(run_model, (double)answer->procs, error);
}
