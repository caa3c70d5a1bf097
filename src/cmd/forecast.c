// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.c - 'runcast forecast': what a series in the store will do next. */
#include "cmd/forecast.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/commands.h"
#include "cmd/plot.h"
#include "cmd/value_report.h"
#include "forecast/joint.h"
#include "platform/hostlist.h"
#include "store/series.h"

enum { SHOWN = 5, HOSTS_MOST = 1024 };

static const char *const stats[] = {"avgmin", "minavg", NULL};
static const char *const targets[] = {"mean", "next", NULL};

static const struct rc_cmd_forecast_options defaults = {
    .metric = "cpu", .stat = "avgmin", .target = "mean", .at = NAN, .warmup = 60,
    .draws = 4000, .seed = 1};

static const struct rc_option forecast_options[] = {
    {.name = "host", .kind = RC_OPTION_TEXT, .argument = "HOST", .help = "the host of the series",
     .offset = offsetof(struct rc_cmd_forecast_options, host)},
    {.name = "peer", .kind = RC_OPTION_TEXT, .argument = "PEER",
     .help = "of a link, the far end",
     .offset = offsetof(struct rc_cmd_forecast_options, peer)},
    {.name = "set", .kind = RC_OPTION_TEXT, .argument = "HOSTS",
     .help = "hosts that are forecast together, such as a1,a2 or a[1-8]",
     .offset = offsetof(struct rc_cmd_forecast_options, set)},
    {.name = "stat", .kind = RC_OPTION_CHOICE, .argument = "STAT", .choices = stats,
     .help = "with --set: avgmin (the default), the average of the least over the hosts at each "
             "instant, or minavg, the least of the hosts' averages",
     .offset = offsetof(struct rc_cmd_forecast_options, stat)},
    {.name = "metric", .kind = RC_OPTION_TEXT, .argument = "METRIC",
     .help = "what is measured (default: cpu)",
     .offset = offsetof(struct rc_cmd_forecast_options, metric)},
    {.name = "horizon", .kind = RC_OPTION_TEXT, .argument = "TIME",
     .help = "how far ahead, such as 10min; with --score, in samples (default: 30)",
     .offset = offsetof(struct rc_cmd_forecast_options, horizon)},
    {.name = "at", .kind = RC_OPTION_SINCE, .argument = "TIME",
     .help = "from when on; later samples are not looked at (default: the newest sample)",
     .offset = offsetof(struct rc_cmd_forecast_options, at)},
    {.name = "draws", .kind = RC_OPTION_INTEGER, .argument = "N", .least = 1,
     .help = "with --set: futures that are drawn (default: 4000)",
     .offset = offsetof(struct rc_cmd_forecast_options, draws)},
    {.name = "seed", .kind = RC_OPTION_INTEGER, .argument = "S", .least = 0,
     .help = "where the draws start (default: 1)",
     .offset = offsetof(struct rc_cmd_forecast_options, seed)},
    {.name = "score", .kind = RC_OPTION_FLAG,
     .help = "replay the series in files (t,value), and tell how good the forecasts would have "
             "been",
     .offset = offsetof(struct rc_cmd_forecast_options, score)},
    {.name = "target", .kind = RC_OPTION_CHOICE, .argument = "TARGET", .choices = targets,
     .help = "with --score: the mean over the horizon (the default), or the next value",
     .offset = offsetof(struct rc_cmd_forecast_options, target)},
    {.name = "warmup", .kind = RC_OPTION_INTEGER, .argument = "N", .least = 1,
     .help = "with --score: samples that are seen before the first forecast (default: 60)",
     .offset = offsetof(struct rc_cmd_forecast_options, warmup)},
    RC_OPTION_PLOT(struct rc_cmd_forecast_options),
    RC_OPTION_JSON(struct rc_cmd_forecast_options),
    RC_OPTION_DB(struct rc_cmd_forecast_options),
    RC_OPTIONS_END,
};

/* What was asked, and what was read for it. */
struct asked {
    const struct rc_cmd_forecast_options *options;
    struct rc_hostlist hosts; /* one, or those of --set */
    double seconds;
    struct rc_ts_track *tracks;
    struct rc_forecast_set set;
    struct rc_cmd_work work;
};

static void asked_free(struct asked *asked)
{
    for (size_t i = 0; asked->tracks && i < asked->hosts.count; i++) {
        void *samples = (void *)(uintptr_t)asked->tracks[i].samples;

        free(samples);
    }
    free(asked->tracks);
    rc_forecast_set_free(&asked->set);
    rc_hostlist_free(&asked->hosts);
}

/* The last of a series.  Of many hosts, less of each, so that memory is bounded. */
static int read_track(const struct asked *asked, struct rc_store *store, const char *host,
                      struct rc_ts_track *track, struct rc_error *error)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_series_key key = {host, options->peer ? options->peer : "", options->metric};
    double from, until = isnan(options->at) ? (double)INFINITY : options->at;
    size_t share = RC_SERIES_LOAD_MAX / asked->hosts.count;
    struct rc_sample *samples = NULL;
    int status = rc_series_last_begin(store, &key, until,
                                      share < RC_FORECAST_SAMPLES ? share : RC_FORECAST_SAMPLES,
                                      &from, error);

    if (status == 0)
        status = rc_series_load(store, &key, from, until, &samples, &track->n, error);
    track->samples = samples;
    return status;
}

static int read_series(struct asked *asked, struct rc_error *error)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_store *store = rc_cmd_open_store(options->db, RC_STORE_READ, &asked->work);
    int status = 0;

    if (!store)
        return -1;
    asked->tracks = calloc(asked->hosts.count, sizeof *asked->tracks);
    if (!asked->tracks)
        status = rc_error_no_memory(error);
    for (size_t i = 0; i < asked->hosts.count && status == 0; i++)
        status = read_track(asked, store, asked->hosts.names[i], &asked->tracks[i], error);
    rc_store_close(store);
    if (status)
        rc_cmd_fail(error, "reading the series");
    return status;
}

/* ---- what is shown of either ---- */

/* "0.62 (0.55 to 0.68)" and the like would hide the level: one line for each. */
static void print_interval(double level, double low, double high)
{
    char from[RC_NUMBER_SIZE], to[RC_NUMBER_SIZE];

    rc_number_format_short(low, 4, from);
    rc_number_format_short(high, 4, to);
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

static void print_head(const struct asked *asked, const char *what, double mean)
{
    char length[RC_UNIT_SIZE], when[RC_TIME_SIZE], number[RC_NUMBER_SIZE];

    rc_unit_format(asked->seconds, RC_SECONDS, length);
    rc_time_format(asked->set.at, when);
    rc_number_format_short(mean, 4, number);
    printf("%s over the %s from %s: %s\n", what, length, when, number);
}

static void print_source(const struct asked *asked)
{
    char step[RC_UNIT_SIZE], since[RC_TIME_SIZE];

    rc_unit_format(asked->set.step, RC_SECONDS, step);
    rc_time_format(asked->set.start, since);
    printf("from %zu values, %s apart, since %s\n", asked->set.n, step, since);
}

static json_t *head_json(const struct asked *asked)
{
    json_t *object = json_object();

    rc_json_set(object, "metric", rc_json_text(asked->options->metric));
    rc_json_set(object, "from", rc_json_number(asked->set.at));
    rc_json_set(object, "horizon", rc_json_number(asked->seconds));
    rc_json_set(object, "step", rc_json_number(asked->set.step));
    rc_json_set(object, "samples", json_integer((json_int_t)asked->set.n));
    return object;
}

/* ---- one series ---- */

static void print_weights(const double *answers, const double *weights)
{
    bool shown[RC_FORECAST_PARTS] = {false};

    puts("what counts most:");
    for (size_t line = 0; line < SHOWN; line++) {
        size_t best = RC_FORECAST_PARTS;
        char answer[RC_NUMBER_SIZE];

        for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
            if (!shown[i] && (best == RC_FORECAST_PARTS || weights[i] > weights[best]))
                best = i;
        if (best == RC_FORECAST_PARTS || weights[best] < 0.005)
            return;
        shown[best] = true;
        rc_number_format_short(answers[best], 4, answer);
        printf("  %3.0f %%  %-16s %s\n", weights[best] * 100, rc_forecast_part_name(best), answer);
    }
}

static json_t *one_json(const struct asked *asked, const struct rc_forecast *forecast,
                        const double *answers, const double *weights)
{
    json_t *object = head_json(asked), *intervals = json_object(), *parts = json_array();
    double horizon = asked->set.horizon, low, high;

    rc_json_set(object, "host", rc_json_text(asked->hosts.names[0]));
    rc_json_set(object, "peer",
                asked->options->peer ? rc_json_text(asked->options->peer) : json_null());
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

static void print_one(const struct asked *asked, const struct rc_forecast *forecast)
{
    double answers[RC_FORECAST_PARTS], weights[RC_FORECAST_PARTS], low, high;
    char what[512];

    rc_forecast_ask_parts(forecast, asked->set.horizon, answers, weights);
    if (asked->options->json) {
        json_t *object = one_json(asked, forecast, answers, weights);

        rc_json_write(stdout, object, true);
        json_decref(object);
        return;
    }
    snprintf(what, sizeof what, "%s of %s%s%s", asked->options->metric, asked->hosts.names[0],
             asked->options->peer ? ":" : "", asked->options->peer ? asked->options->peer : "");
    print_head(asked, what, rc_forecast_mean(forecast, asked->set.horizon));
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        rc_forecast_interval(forecast, asked->set.horizon, rc_forecast_levels[k], &low, &high);
        print_interval(rc_forecast_levels[k], low, high);
    }
    print_source(asked);
    print_weights(answers, weights);
}

static int forecast_one(struct asked *asked)
{
    struct rc_error error;
    struct rc_forecast *forecast = rc_forecast_follow(&asked->set, 0, &error);
    char title[512];
    int status = RC_EXIT_OK;

    if (!forecast)
        return rc_cmd_fail(&error, "forecasting");
    print_one(asked, forecast);
    snprintf(title, sizeof title, "%s of %s", asked->options->metric, asked->hosts.names[0]);
    if (asked->options->plot &&
        rc_cmd_forecast_plot(asked->options->plot, title, &asked->set, forecast,
                             &asked->work.monitor, &error))
        status = rc_cmd_fail(&error, "drawing %s", asked->options->plot);
    rc_forecast_destroy(forecast);
    return status;
}

/* ---- several hosts together ---- */

static json_t *set_json(const struct asked *asked, const struct rc_joint *joint,
                        const struct rc_value *value)
{
    json_t *object = head_json(asked), *intervals = json_object(), *hosts = json_array();
    double low, high;

    rc_json_set(object, "stat", rc_json_text(asked->options->stat));
    rc_json_set(object, "mean", rc_json_number(rc_value_mean(value)));
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        rc_value_span(value, rc_forecast_levels[k], &low, &high);
        set_interval(intervals, rc_forecast_levels[k], low, high);
    }
    rc_json_set(object, "intervals", intervals);
    for (size_t i = 0; i < asked->hosts.count; i++) {
        json_t *host = json_object();

        rc_json_set(host, "host", rc_json_text(asked->hosts.names[i]));
        rc_json_set(host, "mean", rc_json_number(rc_joint_mean(joint, i)));
        json_array_append_new(hosts, host);
    }
    rc_json_set(object, "hosts", hosts);
    return object;
}

static void print_set(const struct asked *asked, const struct rc_joint *joint,
                      const struct rc_value *value)
{
    double low, high;
    char what[512];

    if (asked->options->json) {
        json_t *object = set_json(asked, joint, value);

        rc_json_write(stdout, object, true);
        json_decref(object);
        return;
    }
    snprintf(what, sizeof what, "%s of %s of %zu hosts", asked->options->stat,
             asked->options->metric, asked->hosts.count);
    print_head(asked, what, rc_value_mean(value));
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        rc_value_span(value, rc_forecast_levels[k], &low, &high);
        print_interval(rc_forecast_levels[k], low, high);
    }
    print_source(asked);
}

static int forecast_set(struct asked *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    enum rc_joint_stat stat =
        strcmp(options->stat, "minavg") == 0 ? RC_JOINT_MINAVG : RC_JOINT_AVGMIN;
    struct rc_error error;
    struct rc_random *random = rc_random_create((uint64_t)options->seed, 0);
    struct rc_joint *joint = rc_joint_create(&asked->set, &asked->work.monitor, &error);
    struct rc_value *value = NULL;
    int status = RC_EXIT_OK;

    if (!random)
        rc_error_no_memory(&error);
    if (joint && random)
        value = rc_joint_value(joint, stat, (size_t)options->draws, random, &error);
    if (!value)
        status = rc_cmd_fail(&error, "forecasting");
    else
        print_set(asked, joint, value);
    if (value && options->plot &&
        rc_report_plot(options->plot, "Forecast for the hosts together", options->stat, value, 0.9,
                       &asked->work.monitor, &error))
        status = rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_value_drop(value);
    rc_joint_destroy(joint);
    rc_random_destroy(random);
    return status;
}

/* ---- the command ---- */

static int check(struct rc_invocation *invocation, struct asked *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    const char *hosts = options->set ? options->set : options->host;
    struct rc_error error;

    if (invocation->n_arguments > 0)
        return rc_cmd_usage_text(invocation, "files are for --score");
    if (!options->host == !options->set)
        return rc_cmd_usage_text(invocation, "say either --host HOST or --set HOSTS (or --score)");
    if (!options->horizon)
        return rc_cmd_usage_text(invocation, "say how far ahead: --horizon TIME");
    if (rc_unit_parse(options->horizon, strlen(options->horizon), RC_SECONDS, &asked->seconds,
                      &error))
        return rc_cmd_usage(invocation, &error);
    if (!(asked->seconds > 0))
        return rc_cmd_usage_text(invocation, "--horizon: a time that is not 0");
    if (options->draws > RC_VALUE_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_VALUE_DRAWS_MAX);
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (rc_hostlist_expand(hosts, strlen(hosts), options->set ? HOSTS_MOST : 1, &asked->hosts,
                           &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

static int run_forecast(struct rc_invocation *invocation)
{
    struct asked asked = {.options = invocation->options};
    struct rc_error error;
    int status;

    if (asked.options->score)
        return rc_cmd_forecast_score(invocation);
    status = check(invocation, &asked);
    if (status == RC_EXIT_OK) {
        rc_cmd_work_begin(&asked.work, "forecasting");
        if (read_series(&asked, &error))
            status = RC_EXIT_FAILED;
        else if (rc_forecast_set_lay(asked.tracks, asked.hosts.count, asked.options->at,
                                     asked.seconds, &asked.set, &error))
            status = rc_cmd_fail(&error, "forecasting");
        else {
            /* Of the metrics that runcast knows, this is a fraction. */
            asked.set.limit = strcmp(asked.options->metric, "cpu") == 0 ? 1 : 0;
            status = asked.options->set ? forecast_set(&asked) : forecast_one(&asked);
        }
        rc_cmd_work_end(&asked.work);
    }
    asked_free(&asked);
    return status;
}

const struct rc_command rc_command_forecast = {
    .name = "forecast",
    .summary = "Say what a measured series will do next, and how sure that is",
    .arguments = "[FILE.csv…]",
    .details =
        "Forecasts the mean over the time ahead of a series in the store, with intervals that hold "
        "it with 50, 80, 90 and 95 % probability, by the errors of earlier forecasts so far ahead. "
        "With --set, the load statistic of several hosts together, which keeps what they have in "
        "common.\n\n"
        "With --score, series in files are replayed: at every sample from the 60th on, the "
        "forecast of the mean over the next 30 samples is compared with what came, and so is that of each "
        "forecaster alone. Every row is a sample.",
    .examples = "  runcast forecast --host a1 --metric cpu --horizon 10min\n"
                "  runcast forecast --set a[1-8] --stat avgmin --horizon 1h --json\n"
                "  runcast forecast --score load.csv --horizon 30 --target next\n",
    .least_arguments = 0,
    .most_arguments = -1,
    .options = forecast_options,
    .options_size = sizeof(struct rc_cmd_forecast_options),
    .defaults = &defaults,
    .run = run_forecast,
};
