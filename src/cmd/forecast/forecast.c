// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.c - 'runcast forecast': forecasts of series in the database. */
#include "cmd/forecast/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/forecast_fields.h"
#include "base/error.h"
#include "base/unit.h"
#include "cmd/core/commands.h"
#include "report/plot.h"
#include "db/series.h"

enum { HOSTS_MOST = 1024 };

static const char *const stats[] = {"avgmin", "minavg", NULL};
static const char *const targets[] = {"mean", "next", NULL};

static const struct rc_cmd_forecast_options defaults = {.metric = "cpu", .at = NAN, .seed = -1};

#define OPTION(name_, kind_, member)                                                               \
    RC_OPTION_OF(struct rc_cmd_forecast_options, kind_, member), .name = name_

static const struct rc_option forecast_options[] = {
    {OPTION("host", TEXT, host), .argument = "HOST", .help = "host"},
    {OPTION("link", TEXT, link), .argument = "FROM:TO", .help = "link between two hosts"},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4], whose load statistic is forecast"},
    {OPTION("stat", CHOICE, stat), .argument = "STAT", .choices = stats,
     .help = "load statistic: avgmin or minavg; with --hosts (default: avgmin)"},
    {OPTION("metric", TEXT, metric), .argument = "METRIC",
     .help = "measured quantity: cpu, memory, bandwidth, or another name (default: cpu)"},
    {OPTION("horizon", TEXT, horizon), .argument = "TIME",
     .help = "how far ahead to forecast, such as 10min; with --score, in samples (default: 30)"},
    {OPTION("at", SINCE, at), .argument = "TIME",
     .help = "predict for this time; ignore later samples (a UTC date, or 2h for two "
             "hours ago; default: the newest sample)"},
    {OPTION("samples", INTEGER, samples), .argument = "N", .least = 1,
     .help = "number of Monte Carlo samples; with --hosts (default: 4000)"},
    {OPTION("seed", INTEGER, seed), .argument = "N", .least = 0,
     .help = "seed of the random numbers; with --hosts (default: 1)"},
    {OPTION("score", FLAG, score),
     .help = "replay series and report the accuracy of the forecasts; the series are files with "
             "the columns t and value"},
    {OPTION("target", CHOICE, target), .argument = "WHAT", .choices = targets,
     .help = "what to score: the mean over the horizon, or the next value (default: mean)"},
    {OPTION("warmup", INTEGER, warmup), .argument = "N", .least = 1,
     .help = "number of samples before the first scored forecast (default: 60)"},
    RC_OPTION_PLOT(struct rc_cmd_forecast_options),
    RC_OPTION_JSON(struct rc_cmd_forecast_options),
    RC_OPTION_DB(struct rc_cmd_forecast_options),
    RC_OPTIONS_END,
};

static void free_asked(struct rc_cmd_forecast *asked)
{
    for (size_t i = 0; asked->tracks && i < asked->hosts.count; i++) {
        void *samples = (void *)(uintptr_t)asked->tracks[i].samples;

        free(samples);
    }
    free(asked->tracks);
    rc_forecast_set_free(&asked->set);
    rc_platform_hostlist_free(&asked->hosts);
    free(asked->peer);
}

/* The newest samples of a series: with many hosts, fewer of each, so that memory is bounded. */
static int read_track(const struct rc_cmd_forecast *asked, struct rc_db *db, const char *host,
                      struct rc_series_track *track, struct rc_error *error)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_series_key key = {host, asked->peer ? asked->peer : "", options->metric};
    double from, until = isnan(options->at) ? (double)INFINITY : options->at;
    size_t share = RC_SERIES_LOAD_MAX / asked->hosts.count;
    struct rc_sample *samples = NULL;
    int status = rc_db_series_last_begin(db, &key, until,
                                         share < RC_FORECAST_SAMPLES ? share : RC_FORECAST_SAMPLES,
                                         &from, error);

    if (status == 0)
        status = rc_db_series_load(db, &key, from, until, &samples, &track->n, error);
    track->samples = samples;
    return status;
}

static int read_series(struct rc_cmd_forecast *asked, struct rc_error *error)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_db *db = rc_cmd_open_db(options->db, RC_DB_READ, &asked->work);
    int status = 0;

    if (!db)
        return -1;
    asked->tracks = calloc(asked->hosts.count, sizeof *asked->tracks);
    if (!asked->tracks)
        status = rc_error_no_memory(error);
    for (size_t i = 0; i < asked->hosts.count && status == 0; i++)
        status = read_track(asked, db, asked->hosts.names[i], &asked->tracks[i], error);
    rc_db_close(db);
    if (status)
        rc_cmd_fail(error, "reading the series");
    return status;
}

/* ---- the command ---- */

/* Options that do not go with the others. */
static int check_combination(struct rc_invocation *invocation)
{
    const struct rc_cmd_forecast_options *options = invocation->options;

    if (invocation->n_arguments > 0)
        return rc_cmd_usage_text(invocation, "unexpected argument '%s'; files need --score",
                                 invocation->arguments[0]);
    if (options->target || options->warmup)
        return rc_cmd_usage_text(invocation, "%s needs --score",
                                 options->target ? "--target" : "--warmup");
    if (!options->hosts && (options->stat || options->samples || options->seed >= 0))
        return rc_cmd_usage_text(invocation, "%s needs --hosts",
                                 options->stat      ? "--stat"
                                 : options->samples ? "--samples"
                                                    : "--seed");
    if (!options->host + !options->link + !options->hosts != 2)
        return rc_cmd_usage_text(invocation,
                                 "use one of --host HOST, --link FROM:TO, --hosts HOSTS "
                                 "and --score");
    if (!options->horizon)
        return rc_cmd_usage_text(invocation, "missing --horizon TIME");
    if (options->samples > RC_VALUE_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--samples: at most %d", RC_VALUE_DRAWS_MAX);
    return RC_EXIT_OK;
}

/* The host, the two ends of the link, or the hosts. */
static int read_hosts(struct rc_invocation *invocation, struct rc_cmd_forecast *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    const char *hosts = options->hosts  ? options->hosts
                        : options->host ? options->host
                                        : options->link;
    size_t length = options->link ? strcspn(hosts, ":>") : strlen(hosts);
    struct rc_error error;

    if (options->link) {
        if (length == 0 || !hosts[length] || !hosts[length + 1])
            return rc_cmd_usage_text(invocation, "--link: '%s' is not FROM:TO", options->link);
        asked->peer = strdup(hosts + length + 1);
        if (!asked->peer) {
            rc_error_no_memory(&error);
            return rc_cmd_fail(&error, "forecasting");
        }
    }
    if (!options->hosts && strcspn(hosts, "[,") < length)
        return rc_cmd_usage_text(invocation, "'%s' is more than one host; use --hosts", hosts);
    if (rc_platform_hostlist_expand(hosts, length, options->hosts ? HOSTS_MOST : 1, &asked->hosts,
                                    &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

static int check(struct rc_invocation *invocation, struct rc_cmd_forecast *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_error error;
    int status = check_combination(invocation);

    if (status)
        return status;
    if (rc_unit_parse(options->horizon, strlen(options->horizon), RC_SECONDS, &asked->seconds,
                      &error))
        return rc_cmd_usage_text(invocation, "--horizon: %s", error.text);
    if (!(asked->seconds > 0))
        return rc_cmd_usage_text(invocation, "--horizon must be above 0");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return read_hosts(invocation, asked);
}

static int run_forecast(struct rc_invocation *invocation)
{
    struct rc_cmd_forecast asked = {.options = invocation->options};
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
            status =
                asked.options->hosts ? rc_cmd_forecast_hosts(&asked) : rc_cmd_forecast_one(&asked);
        }
        rc_cmd_work_end(&asked.work);
    }
    free_asked(&asked);
    return status;
}

const struct rc_command rc_command_forecast = {
    .name = "forecast",
    .summary = "Forecast load and bandwidth from measured series",
    .arguments = "[FILE.csv...]",
    .details =
        "Forecasts the mean of a series over the horizon, with intervals of 50, 80, 90 and 95 %. "
        "It combines 34 forecasters, weighted by their past accuracy. The intervals come from the "
        "errors of earlier forecasts with the same horizon.\n\n"
        "Needs series in the database: 'monitor' and 'record' store CPU availability, memory and "
        "bandwidth, and 'series import' any other. Use it to see what 'predict --hosts' expects "
        "of the load.\n\n"
        "With --hosts, forecasts the load statistic of several hosts, including the correlation "
        "between them. With --score, replays series in files: compares forecasts of the mean over "
        "the next 30 samples with the measured mean, for the combination and each forecaster.",
    .examples = "  runcast forecast --host a1 --horizon 10min\n"
                "  runcast forecast --link a1:a2 --metric bandwidth --horizon 10min\n"
                "  runcast forecast --hosts 'a[1-8]' --stat avgmin --horizon 1h --json\n"
                "  runcast forecast --score load.csv --horizon 30 --target next\n",
    .least_arguments = 0,
    .most_arguments = -1,
    .options = forecast_options,
    .options_size = sizeof(struct rc_cmd_forecast_options),
    .defaults = &defaults,
    .answers = {rc_answer_forecast, rc_answer_replays},
    .run = run_forecast,
};
