// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_curve.c - predictions along one axis, and the measured runs. */
#include "predict/scaling_curve.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "stats/series/statistics.h"

/* The curve extends beyond runs and question by this factor. */
static const double MARGIN = 1.15;
/* How much the other coordinate of a near run may differ. */
static const double NEAR = 0.1;

/* What the app's runs cover, and the question. */
struct extent {
    double size_low, size_high, procs_low, procs_high;
};

static void extend(double value, double *low, double *high)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* The successful runs of the app. */
static struct rc_run_cursor *find_runs(struct rc_db *db, const struct rc_question *question,
                                       struct rc_run_filter *filter, struct rc_error *error)
{
    rc_db_run_filter_init(filter);
    filter->app = question->app;
    filter->platform = question->platform;
    filter->status = RC_RUN_OK;
    return rc_db_run_find(db, filter, RC_FIELD_N | RC_FIELD_P | RC_FIELD_SECONDS, error);
}

static int measure_extent(struct rc_db *db, const struct rc_question *question,
                          struct extent *extent, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor = find_runs(db, question, &filter, error);
    struct rc_run run;
    int got = -1;

    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        extend(run.n, &extent->size_low, &extent->size_high);
        extend((double)run.p, &extent->procs_low, &extent->procs_high);
    }
    rc_db_run_cursor_close(cursor);
    return got;
}

/* The runs that the curve should meet, and those near it. */
static int take_measured(struct rc_db *db, const struct rc_question *question,
                         struct rc_predict_curve *curve, struct rc_error *error)
{
    double asked = curve->over_procs ? question->size : (double)question->procs;
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor = find_runs(db, question, &filter, error);
    struct rc_run run;
    int got = -1;

    curve->near_low = (1 - NEAR) * asked;
    curve->near_high = (1 + NEAR) * asked;
    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        double other = curve->over_procs ? run.n : (double)run.p;
        struct rc_predict_measured_runs *runs = other == asked ? &curve->measured : &curve->near;

        if (other < curve->near_low || other > curve->near_high)
            continue;
        if (rc_array_room(&runs->runs, runs->n + 1, &runs->room, sizeof *runs->runs, error)) {
            got = -1;
            break;
        }
        runs->runs[runs->n++] =
            (struct rc_predict_measured){curve->over_procs ? (double)run.p : run.n, run.seconds};
    }
    rc_db_run_cursor_close(cursor);
    return got;
}

/* One point of the curve.  1: there is an answer, 0: there is none. */
static int ask_at(struct rc_predictor *predictor, const struct rc_question *question,
                  const struct rc_predict_curve_setup *setup, double x,
                  struct rc_predict_curve *curve, struct rc_error *error)
{
    struct rc_question there = *question;
    struct rc_predict_answer answer;
    int full;

    if (curve->over_procs)
        there.procs = (int64_t)x;
    else
        there.size = x;
    full = curve->over_procs && setup->place ? setup->place(setup->data, &there, error) : 0;
    if (full)
        return full < 0 ? -1 : 0;
    there.probe = NULL; /* a skeleton stands for one size and number of processes */
    if (rc_predict_ask(predictor, &there, &answer, error))
        return -1;
    if (answer.answered == 0)
        return 0;
    curve->x[curve->n] = x;
    curve->median[curve->n] = rc_series_quantile(answer.samples, answer.n_samples, 0.5);
    curve->low[curve->n] = rc_series_quantile(answer.samples, answer.n_samples, 0.05);
    curve->high[curve->n] = rc_series_quantile(answer.samples, answer.n_samples, 0.95);
    curve->n++;
    return 1;
}

int rc_predict_curve_make(struct rc_predictor *predictor, struct rc_db *db,
                          const struct rc_question *question,
                          const struct rc_predict_curve_setup *setup,
                          struct rc_predict_curve *curve, struct rc_error *error)
{
    const struct rc_range *procs = setup->procs;
    struct extent extent = {question->size, question->size,
                            procs ? procs->low : (double)question->procs,
                            procs ? procs->high : (double)question->procs};
    double low, high, last = NAN;

    assert(question->size > 0 && question->procs > 0);
    memset(curve, 0, sizeof *curve);
    if (measure_extent(db, question, &extent, error))
        return -1;
    curve->over_procs =
        procs || extent.procs_high / extent.procs_low > extent.size_high / extent.size_low;
    low = (curve->over_procs ? extent.procs_low : extent.size_low) / MARGIN;
    high = (curve->over_procs ? extent.procs_high : extent.size_high) * MARGIN;
    for (int i = 0; i < RC_PREDICT_CURVE_POINTS; i++) {
        double x = round(low * pow(high / low, i / (RC_PREDICT_CURVE_POINTS - 1.0)));

        if (x >= 1 && x != last && ask_at(predictor, question, setup, x, curve, error) < 0)
            return -1;
        last = x;
    }
    if (curve->n == 0)
        return rc_error_set(error, "no method can predict any point of the curve");
    return take_measured(db, question, curve, error);
}

void rc_predict_curve_free(struct rc_predict_curve *curve)
{
    free(curve->measured.runs);
    free(curve->near.runs);
    curve->measured = curve->near = (struct rc_predict_measured_runs){0};
}
