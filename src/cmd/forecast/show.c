// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast_show.c - what 'runcast forecast' says of one series, and of several hosts together. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/forecast/forecast.h"
#include "cmd/core/value_report.h"
#include "forecast/joint.h"

enum { SHOWN = 5, TITLE_SIZE = 512, DRAWS = 4000, SEED = 1 };
#define OLD 3.0 /* steps after which a sample is old */

/* The metrics that runcast itself measures and that have a unit. */
static const struct metric {
    const char *name, *unit;
    enum rc_dimension dimension;
} metrics[] = {
    {"memory", "bytes", RC_BYTES}, {"bandwidth", "bytes/s", RC_RATE},  {"in", "bytes/s", RC_RATE},
    {"out", "bytes/s", RC_RATE},   {"latency", "seconds", RC_SECONDS},
};

static const struct metric *find_metric(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    return NULL;
}

/* ---- what is shown of either ---- */

static void format(const struct rc_cmd_forecast *asked, double value, char text[RC_UNIT_SIZE])
{
    const struct metric *metric = find_metric(asked->options->metric);
    char number[RC_NUMBER_SIZE];

    if (metric) {
        rc_unit_format(value, metric->dimension, text);
        return;
    }
    rc_number_format_short(value, 4, number);
    snprintf(text, RC_UNIT_SIZE, "%s", number);
}

/* A length of time that was measured: three digits, so that 0.9998 s is shown as 1 s. */
static void format_measured(double seconds, char text[RC_UNIT_SIZE])
{
    char rounded[32];

    snprintf(rounded, sizeof rounded, "%.3g", seconds);
    rc_unit_format(strtod(rounded, NULL), RC_SECONDS, text);
}

/* "0.62 (0.55 to 0.68)" and the like would hide the level: one line for each. */
static void print_interval(const struct rc_cmd_forecast *asked, double level, double low,
                           double high)
{
    char from[RC_UNIT_SIZE], to[RC_UNIT_SIZE];

    format(asked, low, from);
    format(asked, high, to);
    printf("  %3.0f %%  %s to %s\n", level * 100, from, to);
}

static void set_interval(json_t *intervals, double level, double low, double high)
{
    char name[16];
    json_t *ends = json_array();

    snprintf(name, sizeof name, "%.0f", level * 100);
    json_array_append_new(ends, rc_json_number(low));
    json_array_append_new(ends, rc_json_number(high));
    rc_json_set(intervals, name, ends);
}

static void print_head(const struct rc_cmd_forecast *asked, const char *what, double mean)
{
    char length[RC_UNIT_SIZE], when[RC_TIME_SIZE], number[RC_UNIT_SIZE];

    rc_unit_format(asked->seconds, RC_SECONDS, length);
    rc_timestamp_format(round(asked->set.at), when);
    format(asked, mean, number);
    printf("%s over the %s from %s: %s\n", what, length, when, number);
}

static void print_source(const struct rc_cmd_forecast *asked, uint64_t judged)
{
    char step[RC_UNIT_SIZE], since[RC_TIME_SIZE];

    format_measured(asked->set.step, step);
    rc_timestamp_format(round(asked->set.start), since);
    printf("from %zu values, %s apart, since %s\n", asked->set.n, step, since);
    if (judged > 0)
        printf("intervals from the errors of %" PRIu64 " earlier forecasts so far ahead\n", judged);
    else
        puts("intervals guessed from shorter forecasts: too little was measured to have tried "
             "one so far ahead");
}

/* What the user may not know of how old it all is. */
static void note_age(const struct rc_cmd_forecast *asked)
{
    const struct rc_forecast_set *set = &asked->set;
    double now = rc_clock_system()->wall(rc_clock_system());
    char age[RC_UNIT_SIZE];

    if (isnan(asked->options->at) && now - set->at > OLD * set->step) {
        format_measured(now - set->at, age);
        rc_cmd_note("the newest sample is %s old, and the forecast begins there; --at 0s asks "
                    "for one from now on",
                    age);
    }
    if (set->at - set->seen > OLD * set->step) {
        format_measured(set->at - set->seen, age);
        rc_cmd_note("%s was not measured in the last %s before that, which makes it less sure",
                    set->n_series > 1 ? "one of the hosts" : "it", age);
    }
}

static json_t *head_json(const struct rc_cmd_forecast *asked, uint64_t judged)
{
    json_t *object = json_object();

    rc_json_set(object, "metric", rc_json_text(asked->options->metric));
    rc_json_set(object, "from", rc_json_number(asked->set.at));
    rc_json_set(object, "horizon", rc_json_number(asked->seconds));
    rc_json_set(object, "step", rc_json_number(asked->set.step));
    rc_json_set(object, "samples", json_integer((json_int_t)asked->set.n));
    rc_json_set(object, "judged", json_integer((json_int_t)judged));
    return object;
}

/* ---- one series ---- */

static void print_weights(const struct rc_cmd_forecast *asked, const double *answers,
                          const double *weights)
{
    bool shown[RC_FORECAST_PARTS] = {false};

    puts("what counts most:");
    for (size_t line = 0; line < SHOWN; line++) {
        size_t best = RC_FORECAST_PARTS;
        char answer[RC_UNIT_SIZE];

        for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
            if (!shown[i] && (best == RC_FORECAST_PARTS || weights[i] > weights[best]))
                best = i;
        if (best == RC_FORECAST_PARTS || weights[best] < 0.005)
            return;
        shown[best] = true;
        format(asked, answers[best], answer);
        printf("  %3.0f %%  %-16s %s\n", weights[best] * 100, rc_forecast_part_name(best), answer);
    }
}

static json_t *one_json(const struct rc_cmd_forecast *asked, const struct rc_forecast *forecast,
                        const double *answers, const double *weights)
{
    double horizon = asked->set.horizon, low, high;
    json_t *object = head_json(asked, rc_forecast_judged(forecast, horizon));
    json_t *intervals = json_object(), *parts = json_array();

    rc_json_set(object, "host", rc_json_text(asked->hosts.names[0]));
    rc_json_set(object, "peer", asked->peer ? rc_json_text(asked->peer) : json_null());
    rc_json_set(object, "mean", rc_json_number(rc_forecast_mean(forecast, horizon)));
    rc_json_set(object, "next", rc_json_number(rc_forecast_mean(forecast, 1)));
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        rc_forecast_interval(forecast, horizon, rc_forecast_levels[k], &low, &high);
        set_interval(intervals, rc_forecast_levels[k], low, high);
    }
    rc_json_set(object, "intervals", intervals);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        json_t *part = json_object();

        rc_json_set(part, "name", rc_json_text(rc_forecast_part_name(i)));
        rc_json_set(part, "answer", rc_json_number(answers[i]));
        rc_json_set(part, "weight", rc_json_number(weights[i]));
        json_array_append_new(parts, part);
    }
    rc_json_set(object, "forecasters", parts);
    return object;
}

static void print_one(const struct rc_cmd_forecast *asked, const char *title,
                      const struct rc_forecast *forecast)
{
    double answers[RC_FORECAST_PARTS], weights[RC_FORECAST_PARTS], low, high;

    rc_forecast_ask_parts(forecast, asked->set.horizon, answers, weights);
    if (asked->options->json) {
        json_t *object = one_json(asked, forecast, answers, weights);

        rc_json_write(stdout, object, true);
        json_decref(object);
        return;
    }
    print_head(asked, title, rc_forecast_mean(forecast, asked->set.horizon));
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        rc_forecast_interval(forecast, asked->set.horizon, rc_forecast_levels[k], &low, &high);
        print_interval(asked, rc_forecast_levels[k], low, high);
    }
    print_source(asked, rc_forecast_judged(forecast, asked->set.horizon));
    print_weights(asked, answers, weights);
}

int rc_cmd_forecast_one(struct rc_cmd_forecast *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    const struct metric *metric = find_metric(options->metric);
    struct rc_error error;
    struct rc_forecast *forecast = rc_forecast_follow(&asked->set, 0, &error);
    char title[TITLE_SIZE];
    int status = RC_EXIT_OK;

    if (!forecast)
        return rc_cmd_fail(&error, "forecasting");
    snprintf(title, sizeof title, "%s of %s%s%s", options->metric, asked->hosts.names[0],
             asked->peer ? ":" : "", asked->peer ? asked->peer : "");
    note_age(asked);
    print_one(asked, title, forecast);
    if (metric)
        snprintf(title + strlen(title), sizeof title - strlen(title), " (%s)", metric->unit);
    if (options->plot && rc_cmd_forecast_plot(options->plot, title, &asked->set, forecast,
                                              &asked->work.monitor, &error))
        status = rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_forecast_destroy(forecast);
    return status;
}

/* ---- several hosts together ---- */

static json_t *set_json(const struct rc_cmd_forecast *asked, const char *stat,
                        const struct rc_joint *joint, const struct rc_value *value)
{
    json_t *object = head_json(asked, rc_forecast_joint_judged(joint));
    json_t *intervals = json_object(), *hosts = json_array();
    double low, high;

    rc_json_set(object, "stat", rc_json_text(stat));
    rc_json_set(object, "mean", rc_json_number(rc_value_mean(value)));
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        rc_value_span(value, rc_forecast_levels[k], &low, &high);
        set_interval(intervals, rc_forecast_levels[k], low, high);
    }
    rc_json_set(object, "intervals", intervals);
    for (size_t i = 0; i < asked->hosts.count; i++) {
        json_t *host = json_object();

        rc_json_set(host, "host", rc_json_text(asked->hosts.names[i]));
        rc_json_set(host, "mean", rc_json_number(rc_forecast_joint_mean(joint, i)));
        json_array_append_new(hosts, host);
    }
    rc_json_set(object, "hosts", hosts);
    return object;
}

static int show_set(struct rc_cmd_forecast *asked, const char *stat, const struct rc_joint *joint,
                    const struct rc_value *value)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_error error;
    double low, high;
    char title[TITLE_SIZE], length[RC_UNIT_SIZE];

    note_age(asked);
    snprintf(title, sizeof title, "%s of %s of %zu host%s", stat, options->metric,
             asked->hosts.count, asked->hosts.count == 1 ? "" : "s");
    if (options->json) {
        json_t *object = set_json(asked, stat, joint, value);

        rc_json_write(stdout, object, true);
        json_decref(object);
    } else {
        print_head(asked, title, rc_value_mean(value));
        for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
            rc_value_span(value, rc_forecast_levels[k], &low, &high);
            print_interval(asked, rc_forecast_levels[k], low, high);
        }
        print_source(asked, rc_forecast_joint_judged(joint));
    }
    rc_unit_format(asked->seconds, RC_SECONDS, length);
    snprintf(title, sizeof title, "%s of %.200s over the next %s", options->metric, options->set,
             length);
    if (options->plot &&
        rc_cmd_report_plot(options->plot, title, stat, value, 0.9, &asked->work.monitor, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

int rc_cmd_forecast_set(struct rc_cmd_forecast *asked)
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
        value =
            rc_forecast_joint_value(joint, which, options->draws ? (size_t)options->draws : DRAWS,
                                    random, &error);
    status = value ? show_set(asked, stat, joint, value) : rc_cmd_fail(&error, "forecasting");
    rc_value_drop(value);
    rc_forecast_joint_destroy(joint);
    rc_random_destroy(random);
    return status;
}
