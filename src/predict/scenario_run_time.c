// SPDX-License-Identifier: GPL-3.0-or-later
/* scenario_run_time.c - a run followed along one load scenario of its hosts and links. */
#include "predict/scenario_run_time.h"

#include <math.h>

/* A run that takes so many times longer than the future is known counts as one that never ends. */
static const double patience = 1e6;

/* How much of the run is done in a second, at a load; 0 where the model has no answer. */
static double pace(const struct rc_regression_work *work, double factor, double cpu, double bw)
{
    double seconds = factor * rc_regression_work_seconds(work, fmax(cpu, RC_PREDICT_CPU_LEAST), bw);

    return seconds > 0 && isfinite(seconds) ? 1 / seconds : 0;
}

static size_t second_half(const struct rc_predict_lane *lane)
{
    return lane->n / 2;
}

/* ---- the least of each instant ---- */

struct cursor {
    const struct rc_predict_lane *lane;
    size_t j;
    double value, until, sum; /* now; until when; integral so far */
};

static double least_at(const struct rc_predict_lane *lane, size_t j)
{
    double least = lane->values[j];

    for (size_t s = 1; s < lane->n_series; s++)
        least = fmin(least, lane->values[s * lane->n + j]);
    return least;
}

static void set_cursor(struct cursor *cursor)
{
    const struct rc_predict_lane *lane = cursor->lane;

    cursor->until = INFINITY;
    if (lane->n_series == 0) {
        cursor->value = lane->constant;
    } else if (cursor->j < lane->n) {
        cursor->value = least_at(lane, cursor->j);
        cursor->until = (double)(cursor->j + 1) * lane->step;
    } else {
        double sum = 0;

        for (size_t j = second_half(lane); j < lane->n; j++)
            sum += least_at(lane, j);
        cursor->value = sum / (double)(lane->n - second_half(lane));
    }
}

static void pass(struct cursor *cursor, double from, double to)
{
    cursor->sum += cursor->value * (to - from);
    if (cursor->until <= to) {
        cursor->j++;
        set_cursor(cursor);
    }
}

/* The value that holds at `t`. */
static size_t index_at(const struct rc_predict_lane *lane, double t)
{
    double j = lane->n_series > 0 ? floor(t / lane->step) : 0;
    size_t at = j < (double)lane->n ? (size_t)j : lane->n;

    /* Rounding must not leave one that has ended: time would stand still. */
    return at < lane->n && (double)(at + 1) * lane->step <= t ? at + 1 : at;
}

static void follow_least(const struct rc_regression_work *work, double factor,
                         const struct rc_predict_future *scenario, struct rc_predict_end *end)
{
    struct cursor cpu = {.lane = &scenario->cpu, .j = index_at(&scenario->cpu, scenario->begin)},
                  bw = {.lane = &scenario->bw, .j = index_at(&scenario->bw, scenario->begin)};
    double t = scenario->begin, done = 0;

    set_cursor(&cpu);
    set_cursor(&bw);
    for (;;) {
        double rate = pace(work, factor, cpu.value, bw.value), until = fmin(cpu.until, bw.until);

        if (isinf(until) && rate * patience * t < 1 - done)
            return;
        if (rate > 0 && done + rate * (until - t) >= 1) {
            double rest = (1 - done) / rate;

            end->seconds = t - scenario->begin + rest;
            end->cpu = (cpu.sum + cpu.value * rest) / end->seconds;
            end->bw = (bw.sum + bw.value * rest) / end->seconds;
            return;
        }
        done += rate * (until - t);
        pass(&cpu, t, until);
        pass(&bw, t, until);
        t = until;
    }
}

/* ---- every host at its own pace ---- */

/* The integrals of the series of a lane stand in the first half of its scratch, their values
 * beyond the last in the second. */
static void begin_sums(const struct rc_predict_lane *lane)
{
    for (size_t s = 0; s < lane->n_series; s++) {
        double sum = 0;

        for (size_t j = second_half(lane); j < lane->n; j++)
            sum += lane->values[s * lane->n + j];
        lane->scratch[s] = 0;
        lane->scratch[lane->n_series + s] = sum / (double)(lane->n - second_half(lane));
    }
}

static double value_at(const struct rc_predict_lane *lane, size_t s, size_t j)
{
    return j < lane->n ? lane->values[s * lane->n + j] : lane->scratch[lane->n_series + s];
}

struct averages {
    const struct rc_regression_work *work;
    const struct rc_predict_future *scenario;
    double factor, known; /* the integrals go from where the work begins to here */
    size_t i, j;          /* values of CPU and bandwidth that hold then */
};

/* The least average over the series from where the work begins to `t`; value j holds since the
 * integrals end. */
static double least_average(const struct averages *averages, const struct rc_predict_lane *lane,
                            size_t j, double t)
{
    double least = INFINITY;

    if (lane->n_series == 0)
        return lane->constant;
    for (size_t s = 0; s < lane->n_series; s++)
        least = fmin(least, lane->scratch[s] + value_at(lane, s, j) * (t - averages->known));
    return least / (t - averages->scenario->begin);
}

static void add_to_sums(const struct rc_predict_lane *lane, size_t j, double seconds)
{
    for (size_t s = 0; s < lane->n_series; s++)
        lane->scratch[s] += value_at(lane, s, j) * seconds;
}

/* How much of a run that has lasted until `t` would be done: 1 where it ends.  Never falls. */
static double done_at(const struct averages *averages, double t)
{
    const struct rc_predict_future *scenario = averages->scenario;

    return (t - scenario->begin) * pace(averages->work, averages->factor,
                                        least_average(averages, &scenario->cpu, averages->i, t),
                                        least_average(averages, &scenario->bw, averages->j, t));
}

/* The end lies between the two. */
static void find_end(const struct averages *averages, double low, double high,
                     struct rc_predict_end *end)
{
    for (int i = 0; i < 60 && high - low > 1e-12 * high; i++) {
        double middle = 0.5 * (low + high);

        if (done_at(averages, middle) < 1)
            low = middle;
        else
            high = middle;
    }
    end->seconds = high - averages->scenario->begin;
    end->cpu = least_average(averages, &averages->scenario->cpu, averages->i, high);
    end->bw = least_average(averages, &averages->scenario->bw, averages->j, high);
}

static double until_of(const struct rc_predict_lane *lane, size_t j)
{
    return lane->n_series > 0 && j < lane->n ? (double)(j + 1) * lane->step : (double)INFINITY;
}

static void follow_averages(const struct rc_regression_work *work, double factor,
                            const struct rc_predict_future *scenario, struct rc_predict_end *end)
{
    const struct rc_predict_lane *cpu = &scenario->cpu, *bw = &scenario->bw;
    struct averages averages = {work,
                                scenario,
                                factor,
                                scenario->begin,
                                index_at(cpu, scenario->begin),
                                index_at(bw, scenario->begin)};
    double until, furthest;

    begin_sums(cpu);
    begin_sums(bw);
    while (isfinite(until = fmin(until_of(cpu, averages.i), until_of(bw, averages.j)))) {
        if (done_at(&averages, until) >= 1) {
            find_end(&averages, averages.known, until, end);
            return;
        }
        add_to_sums(cpu, averages.i, until - averages.known);
        add_to_sums(bw, averages.j, until - averages.known);
        averages.i += until_of(cpu, averages.i) <= until;
        averages.j += until_of(bw, averages.j) <= until;
        averages.known = until;
    }
    furthest = patience * averages.known;
    for (until = 2 * averages.known; until < furthest; until *= 2)
        if (done_at(&averages, until) >= 1) {
            find_end(&averages, averages.known, until, end);
            return;
        }
}

void rc_predict_follow(const struct rc_regression_work *work, double factor,
                       const struct rc_predict_future *scenario, struct rc_predict_end *end)
{
    *end = (struct rc_predict_end){INFINITY, NAN, NAN};
    if (scenario->cpu.n_series == 0 && scenario->bw.n_series == 0) {
        double rate = pace(work, factor, scenario->cpu.constant, scenario->bw.constant);

        if (rate > 0)
            *end = (struct rc_predict_end){1 / rate, scenario->cpu.constant, scenario->bw.constant};
    } else if (work->stat == RC_REGRESSION_MINAVG)
        follow_averages(work, factor, scenario, end);
    else
        follow_least(work, factor, scenario, end);
}
