// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - the output of 'runcast forecast': for one series, and for several hosts. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/forecast_fields.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/core/metric_units.h"
#include "cmd/core/value_report.h"
#include "cmd/forecast/forecast.h"
#include "report/plot.h"

enum { SHOWN = 5, AHEAD = 64, TITLE_SIZE = 512, SAMPLES = 4000, SEED = 1 };
#define OLD 3.0 /* steps after which a sample is old */

/* ---- shared ---- */

static void format(const struct rc_cmd_forecast *asked, double value, char text[RC_UNIT_SIZE])
{
    rc_cmd_metric_format(asked->options->metric, value, text);
}

/* A measured duration, with three digits, so that 0.9998 s is shown as 1 s. */
static void format_measured(double seconds, char text[RC_UNIT_SIZE])
{
    char rounded[32];

    snprintf(rounded, sizeof rounded, "%.3g", seconds);
    rc_unit_format(strtod(rounded, NULL), RC_SECONDS, text);
}

static void print_text(const struct rc_cmd_forecast *asked, const char *title,
                       const struct rc_answer_forecast *answer)
{
    char length[RC_UNIT_SIZE], when[RC_TIME_SIZE], text[RC_UNIT_SIZE], to[RC_UNIT_SIZE];

    rc_unit_format(asked->seconds, RC_SECONDS, length);
    rc_timestamp_format(round(asked->set.at), when);
    format(asked, answer->mean, text);
    printf("%s, %s from %s: %s\n", title, length, when, text);
    for (size_t k = 0; k < answer->n_intervals; k++) {
        format(asked, answer->intervals[k].low, text);
        format(asked, answer->intervals[k].high, to);
        printf("%3.0f %% interval: %s to %s\n", answer->intervals[k].level * 100, text, to);
    }
    format_measured(asked->set.step, text);
    rc_timestamp_format(round(asked->set.start), when);
    printf("samples: %zu, %s apart, since %s\n", asked->set.n, text, when);
    printf("past forecasts with this horizon: %" PRIu64 "%s\n", answer->past_forecasts,
           answer->past_forecasts ? "" : " (the intervals are extrapolated from shorter ones)");
}

static void print_json(struct rc_answer_forecast *answer)
{
    answer->notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(rc_answer_forecast, answer));
    json_decref(answer->notes);
}

/* Notes that the newest samples are old. */
static void note_age(const struct rc_cmd_forecast *asked)
{
    const struct rc_forecast_set *set = &asked->set;
    double now = rc_clock_system()->wall(rc_clock_system());
    char age[RC_UNIT_SIZE];

    if (isnan(asked->options->at) && now - set->at > OLD * set->step) {
        format_measured(now - set->at, age);
        rc_cmd_note("the newest sample is %s old, and the forecast starts there; --at 0s starts "
                    "it now",
                    age);
    }
    if (set->at - set->seen > OLD * set->step) {
        format_measured(set->at - set->seen, age);
        rc_cmd_note("no samples%s in the last %s before the forecast, so its intervals are wider",
                    set->n_series > 1 ? " of one of the hosts" : "", age);
    }
}

/* ---- one series ---- */

/* Sorts them. */
static void print_weights(const struct rc_cmd_forecast *asked,
                          struct rc_answer_forecaster *forecasters)
{
    puts("largest weights:");
    for (size_t line = 0; line < SHOWN; line++) {
        size_t best = line;
        struct rc_answer_forecaster one;
        char answer[RC_UNIT_SIZE];

        for (size_t i = line; i < RC_FORECAST_PARTS; i++)
            if (forecasters[i].weight > forecasters[best].weight)
                best = i;
        one = forecasters[best];
        if (one.weight < 0.005)
            return;
        memmove(forecasters + line + 1, forecasters + line, (best - line) * sizeof one);
        forecasters[line] = one;
        format(asked, one.mean, answer);
        printf("  %3.0f %%  %-16s %s\n", one.weight * 100, one.name, answer);
    }
}

static void show_one(const struct rc_cmd_forecast *asked, const char *title,
                     const struct rc_forecast *forecast)
{
    double answers[RC_FORECAST_PARTS], weights[RC_FORECAST_PARTS], horizon = asked->set.horizon;
    struct rc_answer_forecaster forecasters[RC_FORECAST_PARTS];
    struct rc_answer_forecast answer;

    rc_answer_forecast_of(&asked->set, asked->options->metric, asked->seconds, &answer);
    answer.past_forecasts = rc_forecast_judged(forecast, horizon);
    answer.unit = rc_cmd_metric_unit(asked->options->metric);
    answer.host = asked->hosts.names[0];
    answer.peer = asked->peer;
    answer.mean = rc_forecast_mean(forecast, horizon);
    answer.next = rc_forecast_mean(forecast, 1);
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++)
        rc_forecast_interval(forecast, horizon, answer.intervals[k].level, &answer.intervals[k].low,
                             &answer.intervals[k].high);
    rc_forecast_ask_parts(forecast, horizon, answers, weights);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        forecasters[i] =
            (struct rc_answer_forecaster){rc_forecast_part_name(i), answers[i], weights[i]};
    answer.forecasters = forecasters;
    answer.n_forecasters = RC_FORECAST_PARTS;
    if (asked->options->json) {
        print_json(&answer);
        return;
    }
    print_text(asked, title, &answer);
    print_weights(asked, forecasters);
}

/* What stands beside an axis: `stat` (or "") of a metric, with its unit (or ""). */
static void name_axis(const char *stat, const char *metric, const char *unit, char text[TITLE_SIZE])
{
    bool cpu = strcmp(metric, "cpu") == 0;

    snprintf(text, TITLE_SIZE, "%s%s%.60s%s%s%s", stat, stat[0] ? " of " : "",
             cpu ? "CPU availability" : metric, cpu || unit[0] ? " (" : "",
             cpu ? "fraction of a core" : unit, cpu || unit[0] ? ")" : "");
}

/* The mean from now until then, for times up to the horizon. */
struct course {
    double x[AHEAD], mean[AHEAD], low[AHEAD], high[AHEAD];
};

static double largest_of(const double *values, size_t n)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static int draw(const char *path, const char *title, const char *metric,
                const struct rc_forecast_set *set, const struct rc_forecast *forecast,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    /* A sample is drawn at its time, the mean of a cell in its middle. */
    double last = set->start + (double)(set->n - 1) * set->step, shift = 0.5 * (set->at - last);
    size_t shown = (size_t)fmin(fmax(4 * set->horizon, 120), (double)set->n);
    const double *values = set->values + set->n - shown;
    struct course *ahead = calloc(1, sizeof *ahead);
    double *x = calloc(2 * shown, sizeof *x), factor;
    struct rc_plot_mark now = {"start of the forecast", set->at, set->at};
    char unit[RC_CMD_SCALE_UNIT], label[TITLE_SIZE];
    int status = -1;

    factor = rc_cmd_metric_scale(metric, largest_of(values, shown), unit);
    name_axis("", metric, unit, label);
    if (!ahead || !x)
        rc_error_no_memory(error);
    else {
        struct rc_plot_series series[] = {
            {.name = "measured", .style = RC_PLOT_LINE, .x = x, .y = x + shown, .n = shown},
            {.name = "forecast mean up to this time, 90 % interval",
             .style = RC_PLOT_LINE,
             .x = ahead->x,
             .y = ahead->mean,
             .low = ahead->low,
             .high = ahead->high,
             .n = AHEAD},
        };
        struct rc_plot plot = {.title = title,
                               .x = {.label = "time (UTC)", .scale = RC_PLOT_TIME},
                               .y = {.label = label},
                               .series = series,
                               .n_series = 2,
                               .marks = &now,
                               .n_marks = 1};

        for (size_t i = 0; i < shown; i++) {
            x[shown + i] = factor * values[i];
            x[i] = set->start + (double)(set->n - shown + i) * set->step + shift;
        }
        for (size_t i = 0; i < AHEAD; i++) {
            double horizon = fmax(set->horizon * (double)(i + 1) / AHEAD, 1);

            ahead->x[i] = set->at + horizon * set->step;
            ahead->mean[i] = factor * rc_forecast_mean(forecast, horizon);
            rc_forecast_interval(forecast, horizon, 0.9, &ahead->low[i], &ahead->high[i]);
            ahead->low[i] *= factor;
            ahead->high[i] *= factor;
        }
        status = rc_plot_write(path, &plot, 1, monitor, error);
    }
    free(ahead);
    free(x);
    return status;
}

int rc_cmd_forecast_one(struct rc_cmd_forecast *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_error error;
    struct rc_forecast *forecast = rc_forecast_follow(&asked->set, 0, &error);
    char title[TITLE_SIZE];
    int status = RC_EXIT_OK;

    if (!forecast)
        return rc_cmd_fail(&error, "forecasting");
    snprintf(title, sizeof title, "mean %s of %s%s%s", options->metric, asked->hosts.names[0],
             asked->peer ? ":" : "", asked->peer ? asked->peer : "");
    note_age(asked);
    show_one(asked, title, forecast);
    if (options->plot && draw(options->plot, title, options->metric, &asked->set, forecast,
                              &asked->work.monitor, &error))
        status = rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_forecast_destroy(forecast);
    return status;
}

/* ---- several hosts ---- */

static int show_hosts(struct rc_cmd_forecast *asked, const char *stat, const struct rc_joint *joint,
                      const struct rc_value *value, struct rc_error *error)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_answer_forecast answer;
    char title[TITLE_SIZE], label[TITLE_SIZE], length[RC_UNIT_SIZE];

    rc_answer_forecast_of(&asked->set, options->metric, asked->seconds, &answer);
    answer.past_forecasts = rc_forecast_joint_judged(joint);
    answer.unit = rc_cmd_metric_unit(options->metric);
    answer.stat = stat;
    answer.mean = rc_value_mean(value);
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++)
        rc_value_span(value, answer.intervals[k].level, &answer.intervals[k].low,
                      &answer.intervals[k].high);
    answer.hosts = calloc(asked->hosts.count, sizeof *answer.hosts);
    if (!answer.hosts && rc_error_no_memory(error))
        return rc_cmd_fail(error, "forecasting");
    for (; answer.n_hosts < asked->hosts.count; answer.n_hosts++)
        answer.hosts[answer.n_hosts] =
            (struct rc_answer_forecast_host){asked->hosts.names[answer.n_hosts],
                                             rc_forecast_joint_mean(joint, answer.n_hosts)};
    note_age(asked);
    snprintf(title, sizeof title, "%s of %s of %zu host%s", stat, options->metric,
             asked->hosts.count, asked->hosts.count == 1 ? "" : "s");
    if (options->json)
        print_json(&answer);
    else
        print_text(asked, title, &answer);
    free(answer.hosts);
    rc_unit_format(asked->seconds, RC_SECONDS, length);
    snprintf(title, sizeof title, "%s of %.200s over the next %s", options->metric, options->hosts,
             length);
    name_axis(stat, options->metric, answer.unit ? answer.unit : "", label);
    if (options->plot &&
        rc_cmd_report_plot(options->plot, title, label, value, 0.9, &asked->work.monitor, error))
        return rc_cmd_fail(error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

int rc_cmd_forecast_hosts(struct rc_cmd_forecast *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    const char *stat = options->stat ? options->stat : "avgmin";
    enum rc_joint_stat which = strcmp(stat, "minavg") == 0 ? RC_JOINT_MINAVG : RC_JOINT_AVGMIN;
    uint64_t seed = options->seed < 0 ? SEED : (uint64_t)options->seed;
    struct rc_error error;
    struct rc_random *random = rc_random_create(seed, 0);
    struct rc_joint *joint = NULL;
    struct rc_value *value = NULL;
    int status;

    if (!random)
        rc_error_no_memory(&error);
    else
        joint = rc_forecast_joint_create(&asked->set, &asked->work.monitor, &error);
    if (joint)
        value = rc_forecast_joint_value(joint, which,
                                        options->samples ? (size_t)options->samples : SAMPLES,
                                        random, &error);
    status =
        value ? show_hosts(asked, stat, joint, value, &error) : rc_cmd_fail(&error, "forecasting");
    rc_value_drop(value);
    rc_forecast_joint_destroy(joint);
    rc_random_destroy(random);
    return status;
}
