// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_curve.c - predictions along one axis, and the measured runs. */
#include "predict/scaling_curve.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/random.h"
#include "db/run_param.h"
#include "predict/curve_question.h"
#include "predict/regression_prediction.h"
#include "stats/series/statistics.h"

/* The curve extends beyond runs and question by this factor. */
static const double MARGIN = 1.15;
/* Without runs, it covers so many times more and fewer processes than the question has. */
static const double AROUND = 4;
/* How much the other coordinate of a near run may differ. */
static const double NEAR = 0.1;
/* Fewer processes than of the whole curve take longer by this, or there is no parallel efficiency. */
static const double LEAST_GAIN = 0.95;

/* What the app's runs cover, and the question. */
struct extent {
    double size_low, size_high, procs_low, procs_high;
};

static void extend(double value, double *low, double *high)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* The successful runs of the app on a platform (NULL: on any). */
static struct rc_run_cursor *find_runs(struct rc_db *db, const struct rc_question *question,
                                       const char *platform, struct rc_run_filter *filter,
                                       struct rc_error *error)
{
    rc_db_run_filter_init(filter);
    filter->app = question->app;
    filter->platform = platform;
    filter->status = RC_RUN_OK;
    return rc_db_run_find(db, filter, RC_FIELD_N | RC_FIELD_P | RC_FIELD_SECONDS | RC_FIELD_PARAMS,
                          error);
}

/* Of the runs on the platform or, without any, on all platforms: methods learn from these then. */
static int measure_extent(struct rc_db *db, const struct rc_question *question,
                          const char *platform, struct extent *extent, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor = find_runs(db, question, platform, &filter, error);
    struct rc_run run;
    bool any = false;
    int got = -1;

    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        any = true;
        extend(run.n, &extent->size_low, &extent->size_high);
        extend((double)run.p, &extent->procs_low, &extent->procs_high);
    }
    rc_db_run_cursor_close(cursor);
    return got == 0 && !any && platform ? measure_extent(db, question, NULL, extent, error) : got;
}

/* If neither coordinate varies, the curve is over numbers of processes around that of the question. */
static void widen(struct extent *extent)
{
    if (extent->size_low < extent->size_high || extent->procs_low < extent->procs_high)
        return;
    extent->procs_low = fmax(1, floor(extent->procs_low / AROUND));
    extent->procs_high *= AROUND;
}

static bool has_params(const struct rc_run *run, const struct rc_question *question)
{
    for (size_t i = 0; i < question->n_params; i++)
        if (rc_db_run_param(run, question->params[i].name) != question->params[i].value)
            return false;
    return true;
}

/* The runs that the curve should meet, and those near it. */
static int take_measured(struct rc_db *db, const struct rc_question *question,
                         struct rc_predict_curve *curve, struct rc_error *error)
{
    double asked = curve->over_procs ? question->size : (double)question->procs;
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor = find_runs(db, question, question->platform, &filter, error);
    struct rc_run run;
    int got = -1;

    curve->near_low = (1 - NEAR) * asked;
    curve->near_high = (1 + NEAR) * asked;
    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        double other = curve->over_procs ? run.n : (double)run.p;
        struct rc_predict_measured_runs *runs = other == asked ? &curve->measured : &curve->near;

        if (other < curve->near_low || other > curve->near_high || !has_params(&run, question))
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

/* ---- points ---- */

/* Where answers come from: the predictor or, if it is NULL, one model. */
struct asker {
    struct rc_predictor *predictor;
    struct rc_run_model *model;
    double *samples;   /* of the model */
    size_t base_hosts; /* of the latest answer for the base */
};

/* Samples by rising time. 1: there are some, 0: there are none. */
static int ask(struct asker *asker, const struct rc_question *question, const double **samples,
               size_t *n, struct rc_error *error)
{
    struct rc_predict_answer answer;
    struct rc_predict_summary summary;
    struct rc_random *random;
    int status;

    if (asker->predictor) {
        if (rc_predict_ask(asker->predictor, question, &answer, error))
            return -1;
        *samples = answer.samples;
        *n = answer.n_samples;
        return answer.answered > 0;
    }
    random = rc_random_create(question->seed, 0);
    if (!random)
        return rc_error_no_memory(error);
    *samples = asker->samples;
    *n = RC_PREDICT_DRAWS;
    status = rc_predict_run_model_ask(asker->model, question, random, asker->samples,
                                      RC_PREDICT_DRAWS, &summary, error);
    rc_random_destroy(random);
    return status ? -1 : 1;
}

/* The time of ideal scaling from the base, on the hosts of the point; NAN: there is no answer.  More
 * hosts are those of the base and others. */
static int find_ideal(struct asker *asker, struct rc_question *there, double x,
                      struct rc_predict_curve *curve, struct rc_error *error)
{
    size_t i = curve->n;
    const double *samples;
    size_t n;
    int got;

    curve->ideal[i] = x < curve->base ? (double)NAN : curve->median[i];
    if (x == curve->base)
        asker->base_hosts = there->n_hosts;
    if (!(x > curve->base) || i == 0)
        return 0;
    curve->ideal[i] = curve->ideal[i - 1] * curve->x[i - 1] / x;
    if (there->n_hosts == asker->base_hosts)
        return 0;
    there->procs = (int64_t)curve->base;
    got = ask(asker, there, &samples, &n, error);
    if (got > 0) {
        curve->ideal[i] = rc_series_quantile(samples, n, 0.5) * curve->base / x;
        asker->base_hosts = there->n_hosts;
    }
    return got < 0 ? -1 : 0;
}

/* One point of the curve, unless there is no answer. */
static int add_point(struct asker *asker, const struct rc_question *question,
                     const struct rc_predict_curve_setup *setup, double x,
                     struct rc_predict_curve *curve, struct rc_error *error)
{
    struct rc_question there = *question;
    const double *samples;
    size_t n;
    int got;

    if (curve->over_procs)
        there.procs = (int64_t)x;
    else
        there.size = x;
    got = curve->over_procs && setup->place ? setup->place(setup->data, &there, error) : 0;
    if (got)
        return got < 0 ? -1 : 0;
    there.probe = NULL; /* a skeleton stands for one size and number of processes */
    got = ask(asker, &there, &samples, &n, error);
    if (got <= 0)
        return got;
    curve->x[curve->n] = x;
    curve->median[curve->n] = rc_series_quantile(samples, n, 0.5);
    curve->low[curve->n] = rc_series_quantile(samples, n, 0.05);
    curve->high[curve->n] = rc_series_quantile(samples, n, 0.95);
    if (curve->over_procs && find_ideal(asker, &there, x, curve, error))
        return -1;
    curve->n++;
    return 0;
}

static int add_points(struct asker *asker, const struct rc_question *question,
                      const struct rc_predict_curve_setup *setup, double low, double high,
                      struct rc_predict_curve *curve, struct rc_error *error)
{
    double x[RC_PREDICT_CURVE_POINTS], nearest = 0, last = NAN;

    for (int i = 0; i < RC_PREDICT_CURVE_POINTS; i++) {
        x[i] = round(low * pow(high / low, i / (RC_PREDICT_CURVE_POINTS - 1.0)));
        if (fabs(x[i] - curve->base) < fabs(nearest - curve->base))
            nearest = x[i];
    }
    for (int i = 0; i < RC_PREDICT_CURVE_POINTS; i++) {
        double at = curve->over_procs && x[i] == nearest ? curve->base : x[i];

        if (at >= 1 && at != last && add_point(asker, question, setup, at, curve, error))
            return -1;
        last = at;
    }
    return curve->n > 0 ? 0 : rc_error_set(error, "no method can predict any point of the curve");
}

/* ---- ideal scaling ---- */

/* Ideal scaling between the points is a line on logarithmic axes. */
double rc_predict_curve_efficiency(const struct rc_predict_curve *curve, double procs,
                                   double seconds)
{
    size_t i = 1;
    double part;

    while (i + 1 < curve->n && curve->x[i] < procs)
        i++;
    if (curve->n < 2 || procs <= curve->x[i - 1])
        return curve->n > 0 ? curve->ideal[i - 1] * curve->x[i - 1] / procs / seconds : (double)NAN;
    part = log(procs / curve->x[i - 1]) / log(curve->x[i] / curve->x[i - 1]);
    return pow(curve->ideal[i - 1], 1 - part) * pow(curve->ideal[i], part) / seconds;
}

/* A base without an answer is replaced by the first point that follows. */
static void find_base(struct rc_predict_curve *curve)
{
    size_t at = 0;

    while (at + 1 < curve->n && curve->x[at] < curve->base)
        at++;
    if (curve->x[at] == curve->base)
        return;
    curve->base = curve->x[at];
    for (size_t i = 0; i < curve->n; i++)
        curve->ideal[i] = i < at ? (double)NAN : curve->median[at] * curve->base / curve->x[i];
}

static void scale(struct rc_predict_curve *curve)
{
    double least = INFINITY;

    find_base(curve);
    for (size_t i = 0; i < curve->n; i++) {
        curve->efficiency[i] = curve->ideal[i] / curve->median[i];
        least = fmin(least, curve->median[i]);
    }
    curve->scales = curve->over_procs && least < LEAST_GAIN * curve->median[0];
}

/* ---- the whole ---- */

static bool is_over_procs(const struct rc_predict_curve_setup *setup, const struct extent *extent)
{
    if (setup->axis != RC_CURVE_AXIS_OF_RUNS)
        return setup->axis == RC_CURVE_OVER_PROCS;
    return setup->procs ||
           extent->procs_high / extent->procs_low > extent->size_high / extent->size_low;
}

static int make(struct asker *asker, struct rc_db *db, const struct rc_question *question,
                const struct rc_predict_curve_setup *setup, struct rc_predict_curve *curve,
                struct rc_error *error)
{
    const struct rc_range *procs = setup->procs;
    struct extent extent = {question->size, question->size,
                            procs ? procs->low : (double)question->procs,
                            procs ? procs->high : (double)question->procs};
    double low, high;

    assert(question->size > 0 && question->procs > 0);
    memset(curve, 0, sizeof *curve);
    if (measure_extent(db, question, question->platform, &extent, error))
        return -1;
    widen(&extent);
    curve->over_procs = is_over_procs(setup, &extent);
    curve->base = procs ? procs->low : extent.procs_low;
    low = curve->over_procs ? extent.procs_low : extent.size_low / MARGIN;
    high = (curve->over_procs ? extent.procs_high : extent.size_high) * MARGIN;
    if (add_points(asker, question, setup, low, high, curve, error))
        return -1;
    scale(curve);
    return take_measured(db, question, curve, error);
}

int rc_predict_curve_make(struct rc_predictor *predictor, struct rc_db *db,
                          const struct rc_question *question,
                          const struct rc_predict_curve_setup *setup,
                          struct rc_predict_curve *curve, struct rc_error *error)
{
    struct asker asker = {.predictor = predictor};

    return make(&asker, db, question, setup, curve, error);
}

int rc_predict_curve_of_model(struct rc_db *db, struct rc_predict_source *source,
                              struct rc_question *question, struct rc_param *params,
                              struct rc_predict_curve *curve, struct rc_error *error)
{
    struct rc_predict_curve_setup setup = {.place = NULL};
    bool over_procs = true;
    struct rc_run_model model;
    struct asker asker = {.model = &model,
                          .samples = calloc(RC_PREDICT_DRAWS, sizeof *asker.samples)};
    int status = asker.samples ? 0 : rc_error_no_memory(error);

    memset(curve, 0, sizeof *curve);
    rc_predict_run_model_init(&model, db, source);
    if (status == 0)
        status = rc_predict_curve_question(db, source->model, question, params, &over_procs, error);
    setup.axis = over_procs ? RC_CURVE_OVER_PROCS : RC_CURVE_OVER_SIZE;
    if (status == 0)
        status = make(&asker, db, question, &setup, curve, error);
    rc_predict_run_model_free(&model);
    free(asker.samples);
    return status;
}

void rc_predict_curve_free(struct rc_predict_curve *curve)
{
    free(curve->measured.runs);
    free(curve->near.runs);
    curve->measured = curve->near = (struct rc_predict_measured_runs){0};
}
