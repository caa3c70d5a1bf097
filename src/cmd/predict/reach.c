// SPDX-License-Identifier: GPL-3.0-or-later
/* reach.c - predictions far beyond the runs, which regression alone cannot make.
 *
 * A regression model knows only how the run time grows within its runs.  The intervals of history
 * widen with the distance; only too wide ones are refused.  Scaling and structural models are made
 * for larger runs, and are not refused. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/predict/predict.h"
#include "model/regression/next_run.h"

/* Times the largest size or number of processes of the runs, or below the smallest; and the ends of
 * the 90 % interval, one over the other. */
static const double furthest = 16, widest = 100;

/* Both are tried: nearer to the runs than the question by at most a factor of 2. */
static double toward(double asked, struct rc_range seen)
{
    return fmin(fmax(asked, seen.low / 2), 2 * seen.high);
}

static int suggest_run(double size, double procs, struct rc_error *error)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format_short(size, 4, text);
    return rc_error_hint(error,
                         "record a run with --size %s --procs %.0f first; --extrapolate predicts "
                         "all the same",
                         text, fmax(procs, 1));
}

/* The run to record before: the one that shows most, within twice the range of the runs. */
static int suggest(const struct rc_run_model *run_model, double procs, struct rc_error *error)
{
    const struct rc_regression_model *model = run_model->model;
    struct rc_regression_suggestion found[RC_REGRESSION_SUGGESTIONS_MAX];
    double most = fmax(fmin(procs, 2 * model->p.high), 1);
    bool limited;

    if (model->criterion == RC_REGRESSION_PAPER ||
        rc_regression_suggest(model, most, found, &limited) == 0)
        found[0] = (struct rc_regression_suggestion){.n = toward(run_model->question.n, model->n),
                                                     .p = most};
    return suggest_run(found[0].n, found[0].p, error);
}

static int too_wide(const struct rc_predict_summary *summary, struct rc_error *error)
{
    char factor[RC_NUMBER_SIZE];

    rc_number_format_short(summary->hi90 / summary->lo90, 3, factor);
    return rc_error_set(error,
                        "the runs do not show the run time: the ends of the 90 %% interval differ "
                        "by a factor of %s",
                        factor);
}

/* Where history has answered. */
static int check_history(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_history *history = answer->report.history;
    const struct rc_predict_summary *summary = &answer->report.summary;

    if (!(summary->hi90 > widest * summary->lo90))
        return 0;
    too_wide(summary, error);
    return suggest_run(toward(answer->size, history->size),
                       toward((double)answer->procs, history->procs), error);
}

/* Slowdown starts from the same model of the runs. */
static bool is_from_runs_alone(const struct rc_predict_answer *found)
{
    for (size_t i = 0; i < RC_METHODS; i++)
        if (found->methods[i].answered && i != RC_METHOD_REGRESSION && i != RC_METHOD_SLOWDOWN &&
            i != RC_METHOD_HISTORY)
            return false;
    return true;
}

int rc_cmd_predict_check_reach(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_answer *found = &answer->report.found;
    const struct rc_predict_summary *summary = &answer->report.summary;
    const struct rc_run_model *run_model = answer->run_model;
    char factor[RC_NUMBER_SIZE];

    if (answer->options->extrapolate || !is_from_runs_alone(found))
        return 0;
    if (answer->report.history)
        return check_history(answer, error);
    if (!found->methods[RC_METHOD_REGRESSION].answered || !run_model || !run_model->model)
        return 0;
    if (run_model->beyond.n > furthest) {
        rc_number_format_short(run_model->beyond.n, 3, factor);
        rc_error_set(error, "the size is beyond the runs by a factor of %s", factor);
    } else if (run_model->beyond.p > furthest) {
        rc_number_format_short(run_model->beyond.p, 3, factor);
        rc_error_set(error, "the number of processes is beyond the runs by a factor of %s", factor);
    } else if (run_model->model->criterion != RC_REGRESSION_PAPER &&
               summary->hi90 > widest * summary->lo90) {
        too_wide(summary, error);
    } else {
        return 0;
    }
    return suggest(run_model, (double)answer->procs, error);
}
