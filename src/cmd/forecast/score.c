// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast_score.c - 'runcast forecast --score': how good forecasts would have been. */
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "cmd/forecast/forecast.h"
#include "forecast/replay.h"

enum { HORIZON = 30, WARMUP = 60 }; /* samples */

static json_t *replay_json(const char *file, const struct rc_predict_replay *replay)
{
    json_t *object = json_object(), *coverage = json_object(), *width = json_object();
    json_t *parts = json_array();
    char level[16];

    if (file)
        rc_json_set(object, "file", rc_json_text(file));
    rc_json_set(object, "points", json_integer((json_int_t)replay->points));
    rc_json_set(object, "mae", rc_json_number(replay->mae));
    rc_json_set(object, "rmse", rc_json_number(replay->rmse));
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        snprintf(level, sizeof level, "%.0f", rc_forecast_levels[k] * 100);
        rc_json_set(coverage, level, rc_json_number(replay->coverage[k]));
        rc_json_set(width, level, rc_json_number(replay->width[k]));
    }
    rc_json_set(object, "coverage", coverage);
    rc_json_set(object, "width", width);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        json_t *part = json_object();

        rc_json_set(part, "name", rc_json_text(rc_forecast_part_name(i)));
        rc_json_set(part, "mae", rc_json_number(replay->part_mae[i]));
        rc_json_set(part, "rmse", rc_json_number(replay->part_rmse[i]));
        json_array_append_new(parts, part);
    }
    rc_json_set(object, "forecasters", parts);
    return object;
}

static void print_json(char **files, const struct rc_predict_replay *replays, size_t n,
                       const struct rc_predict_replay *all)
{
    json_t *object = json_object(), *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, replay_json(files[i], &replays[i]));
    rc_json_set(object, "files", list);
    rc_json_set(object, "all", replay_json(NULL, all));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static const struct rc_column file_columns[] = {
    {.title = "file"},
    {.title = "points", .right = true},
    {.title = "MAE", .right = true},
    {.title = "RMSE", .right = true},
    {.title = "50 %", .right = true},
    {.title = "80 %", .right = true},
    {.title = "90 %", .right = true},
    {.title = "95 %", .right = true},
    {.title = "width of 90 %", .right = true},
    {.title = "best alone"},
};

static void print_row(struct rc_table *table, const char *name,
                      const struct rc_predict_replay *replay)
{
    char text[64], number[RC_NUMBER_SIZE];
    size_t best = 0;

    rc_table_text(table, name);
    rc_table_integer(table, (long long)replay->points);
    rc_table_number(table, replay->mae);
    rc_table_number(table, replay->rmse);
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        snprintf(text, sizeof text, "%.1f", replay->coverage[k] * 100);
        rc_table_text(table, isnan(replay->coverage[k]) ? "-" : text);
    }
    rc_table_number(table, replay->width[2]);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        if (replay->part_mae[i] < replay->part_mae[best])
            best = i;
    rc_number_format_short(replay->part_mae[best], 6, number);
    snprintf(text, sizeof text, "%s (%s)", rc_forecast_part_name(best), number);
    rc_table_text(table, isnan(replay->part_mae[best]) ? "-" : text);
}

static const struct rc_column part_columns[] = {{.title = "over all"},
                                                {.title = "MAE", .right = true},
                                                {.title = "RMSE", .right = true}};

static int print_tables(char **files, const struct rc_predict_replay *replays, size_t n,
                        const struct rc_predict_replay *all)
{
    struct rc_table *table =
        rc_table_create(stdout, file_columns, sizeof file_columns / sizeof *file_columns,
                        rc_cmd_width());

    if (!table)
        return -1;
    for (size_t i = 0; i < n; i++)
        print_row(table, files[i], &replays[i]);
    if (n > 1)
        print_row(table, "all", all);
    if (rc_table_finish(table))
        return -1;
    putchar('\n');
    table = rc_table_create(stdout, part_columns, 3, rc_cmd_width());
    if (!table)
        return -1;
    rc_table_text(table, "the answer");
    rc_table_number(table, all->mae);
    rc_table_number(table, all->rmse);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        rc_table_text(table, rc_forecast_part_name(i));
        rc_table_number(table, all->part_mae[i]);
        rc_table_number(table, all->part_rmse[i]);
    }
    return rc_table_finish(table);
}

static size_t cores(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static int score(struct rc_invocation *invocation, const struct rc_replay_options *how,
                 struct rc_predict_replay *replays)
{
    const struct rc_cmd_forecast_options *options = invocation->options;
    size_t n = (size_t)invocation->n_arguments;
    struct rc_cmd_work work;
    struct rc_predict_replay all;
    struct rc_error error;
    int status;

    rc_cmd_work_begin(&work, "replaying");
    status = rc_forecast_replay_files((const char *const *)invocation->arguments, n, how, cores(),
                                      replays, &work.monitor, &error);
    rc_cmd_work_end(&work);
    if (status)
        return rc_cmd_fail(&error, "scoring forecasts");
    rc_forecast_replay_join(replays, n, &all);
    for (size_t i = 0; i < n; i++)
        if (replays[i].points == 0)
            rc_cmd_note("%s: nothing to compare: with a warm-up of %zu and a horizon of %zu, a "
                        "series takes %zu samples or more",
                        invocation->arguments[i], how->warmup, how->horizon,
                        how->warmup + how->horizon);
    if (options->json)
        print_json(invocation->arguments, replays, n, &all);
    else if (print_tables(invocation->arguments, replays, n, &all)) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "scoring forecasts");
    }
    return RC_EXIT_OK;
}

int rc_cmd_forecast_score(struct rc_invocation *invocation)
{
    const struct rc_cmd_forecast_options *options = invocation->options;
    bool next = options->target && strcmp(options->target, "next") == 0;
    int64_t horizon = HORIZON;
    struct rc_predict_replay *replays;
    struct rc_error error;
    int status;

    if (invocation->n_arguments == 0)
        return rc_cmd_usage_text(invocation, "FILE.csv is missing");
    if (options->host || options->link || options->set || !isnan(options->at))
        return rc_cmd_usage_text(invocation, "--score takes files, not a series in the store");
    if (options->plot || options->stat || options->draws || options->seed >= 0)
        return rc_cmd_usage_text(invocation, "%s is not for --score",
                                 options->plot    ? "--plot"
                                 : options->stat  ? "--stat"
                                 : options->draws ? "--draws"
                                                  : "--seed");
    if (options->horizon &&
        rc_number_parse_integer(options->horizon, strlen(options->horizon), &horizon))
        return rc_cmd_usage_text(invocation, "--horizon: with --score, a whole number of samples");
    if (horizon < 1 || horizon > 512)
        return rc_cmd_usage_text(invocation, "--horizon: with --score, 1 to 512 samples");
    replays = calloc((size_t)invocation->n_arguments, sizeof *replays);
    if (!replays) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "scoring forecasts");
    }
    status = score(invocation,
                   &(struct rc_replay_options){next ? 1 : (size_t)horizon,
                                               options->warmup ? (size_t)options->warmup : WARMUP},
                   replays);
    free(replays);
    return status;
}
