// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast.c - 'runcast forecast': what a series in the store will do next. */
#include "cmd/forecast/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"
#include "cmd/core/commands.h"
#include "report/plot.h"
#include "db/series.h"

enum { HOSTS_MOST = 1024 };

static const char *const stats[] = {"avgmin", "minavg", NULL};
static const char *const targets[] = {"mean", "next", NULL};

static const struct rc_cmd_forecast_options defaults = {.metric = "cpu", .at = NAN, .seed = -1};

static const struct rc_option forecast_options[] = {
    {RC_OPTION_OF(struct rc_cmd_forecast_options, TEXT, host), .name = "host", .argument = "HOST",
     .help = "the host of the series"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, TEXT, link), .name = "link",
     .argument = "FROM:TO", .help = "the link of the series, in place of a host"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, TEXT, set), .name = "set", .argument = "HOSTS",
     .help = "hosts that are forecast together, such as a1,a2 or a[1-8]"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, CHOICE, stat), .name = "stat", .argument = "STAT",
     .choices = stats,
     .help = "with --set: avgmin (the default), the average of the least over the hosts at each "
             "instant, or minavg, the least of the hosts' averages"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, TEXT, metric), .name = "metric",
     .argument = "METRIC",
     .help = "what is measured: cpu, memory, bandwidth, or any other name (default: cpu)"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, TEXT, horizon), .name = "horizon",
     .argument = "TIME",
     .help = "how far ahead, such as 10min; with --score, in samples (default: 30)"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, SINCE, at), .name = "at", .argument = "TIME",
     .help = "from when on (2026-11-15T09:30, or 2h for two hours ago; UTC); later samples are "
             "not looked at (default: from the newest sample on)"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, INTEGER, draws), .name = "draws", .argument = "N",
     .least = 1, .help = "with --set: futures that are drawn (default: 4000)"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, INTEGER, seed), .name = "seed", .argument = "S",
     .least = 0,
     .help = "with --set: where the draws start (default: 1); the same seed gives the same draws"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, FLAG, score), .name = "score",
     .help = "replay the series in files (t,value), and tell how good the forecasts would have "
             "been"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, CHOICE, target), .name = "target",
     .argument = "TARGET", .choices = targets,
     .help = "with --score: the mean over the horizon (the default), or the next value"},
    {RC_OPTION_OF(struct rc_cmd_forecast_options, INTEGER, warmup), .name = "warmup",
     .argument = "N", .least = 1,
     .help = "with --score: samples that are seen before the first forecast (default: 60)"},
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

/* The last of a series.  Of many hosts, less of each, so that memory is bounded. */
static int read_track(const struct rc_cmd_forecast *asked, struct rc_db *store, const char *host,
                      struct rc_series_track *track, struct rc_error *error)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_series_key key = {host, asked->peer ? asked->peer : "", options->metric};
    double from, until = isnan(options->at) ? (double)INFINITY : options->at;
    size_t share = RC_SERIES_LOAD_MAX / asked->hosts.count;
    struct rc_sample *samples = NULL;
    int status = rc_db_series_last_begin(store, &key, until,
                                         share < RC_FORECAST_SAMPLES ? share : RC_FORECAST_SAMPLES,
                                         &from, error);

    if (status == 0)
        status = rc_db_series_load(store, &key, from, until, &samples, &track->n, error);
    track->samples = samples;
    return status;
}

static int read_series(struct rc_cmd_forecast *asked, struct rc_error *error)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_db *store = rc_cmd_open_db(options->db, RC_DB_READ, &asked->work);
    int status = 0;

    if (!store)
        return -1;
    asked->tracks = calloc(asked->hosts.count, sizeof *asked->tracks);
    if (!asked->tracks)
        status = rc_error_no_memory(error);
    for (size_t i = 0; i < asked->hosts.count && status == 0; i++)
        status = read_track(asked, store, asked->hosts.names[i], &asked->tracks[i], error);
    rc_db_close(store);
    if (status)
        rc_cmd_fail(error, "reading the series");
    return status;
}

/* ---- the command ---- */

/* Options that say nothing of a series in the store, or of a single one. */
static int check_odd_ones(struct rc_invocation *invocation)
{
    const struct rc_cmd_forecast_options *options = invocation->options;

    if (invocation->n_arguments > 0)
        return rc_cmd_usage_text(invocation, "files are for --score");
    if (options->target || options->warmup)
        return rc_cmd_usage_text(invocation, "%s is for --score",
                                 options->target ? "--target" : "--warmup");
    if (!options->set && (options->stat || options->draws || options->seed >= 0))
        return rc_cmd_usage_text(invocation, "%s is for --set",
                                 options->stat    ? "--stat"
                                 : options->draws ? "--draws"
                                                  : "--seed");
    if (!options->host + !options->link + !options->set != 2)
        return rc_cmd_usage_text(invocation, "say one of --host HOST, --link FROM:TO and --set "
                                             "HOSTS (or --score)");
    if (!options->horizon)
        return rc_cmd_usage_text(invocation, "say how far ahead: --horizon TIME");
    if (options->draws > RC_VALUE_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_VALUE_DRAWS_MAX);
    return RC_EXIT_OK;
}

/* The host, the two ends of the link, or the hosts of the set. */
static int read_hosts(struct rc_invocation *invocation, struct rc_cmd_forecast *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    const char *hosts = options->set ? options->set : options->host ? options->host : options->link;
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
    if (!options->set && strcspn(hosts, "[,") < length)
        return rc_cmd_usage_text(invocation, "'%s' is more than one host, which --set takes",
                                 hosts);
    if (rc_platform_hostlist_expand(hosts, length, options->set ? HOSTS_MOST : 1, &asked->hosts,
                                    &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

static int check(struct rc_invocation *invocation, struct rc_cmd_forecast *asked)
{
    const struct rc_cmd_forecast_options *options = asked->options;
    struct rc_error error;
    int status = check_odd_ones(invocation);

    if (status)
        return status;
    if (rc_unit_parse(options->horizon, strlen(options->horizon), RC_SECONDS, &asked->seconds,
                      &error))
        return rc_cmd_usage_text(invocation, "--horizon: %s", error.text);
    if (!(asked->seconds > 0))
        return rc_cmd_usage_text(invocation, "--horizon must be more than 0");
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
            status = asked.options->set ? rc_cmd_forecast_set(&asked) : rc_cmd_forecast_one(&asked);
        }
        rc_cmd_work_end(&asked.work);
    }
    free_asked(&asked);
    return status;
}

const struct rc_command rc_command_forecast = {
    .name = "forecast",
    .summary = "Say what a measured series will do next, and how sure that is",
    .arguments = "[FILE.csv...]",
    .details =
        "Forecasts the mean over the time ahead of a series in the store, with intervals that hold "
        "it with 50, 80, 90 and 95 % probability, by the errors of earlier forecasts so far ahead. "
        "With --set, the load statistic of several hosts together, which keeps what they have in "
        "common.\n\n"
        "With --score, series in files are replayed: at every sample from the 60th on, the "
        "forecast of the mean over the next 30 samples is compared with what came, and so is that "
        "of each forecaster alone. Every row is a sample; 'runcast series export' writes such "
        "files.",
    .examples = "  runcast forecast --host a1 --metric cpu --horizon 10min\n"
                "  runcast forecast --link a1:a2 --metric bandwidth --horizon 10min\n"
                "  runcast forecast --set 'a[1-8]' --stat avgmin --horizon 1h --json\n"
                "  runcast forecast --score load.csv --horizon 30 --target next\n",
    .least_arguments = 0,
    .most_arguments = -1,
    .options = forecast_options,
    .options_size = sizeof(struct rc_cmd_forecast_options),
    .defaults = &defaults,
    .run = run_forecast,
};
