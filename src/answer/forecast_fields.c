// SPDX-License-Identifier: GPL-3.0-or-later
/* forecast_fields.c - the fields of forecasts, and of their accuracy in a replay. */
#include "answer/forecast_fields.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"

/* ---- forecasts ---- */

#define FORECASTER struct rc_answer_forecaster
static const struct rc_field forecaster_fields[] = {
    {RC_FIELD(FORECASTER, TEXT, name), .key = "name"},
    {RC_FIELD(FORECASTER, NUMBER, mean), .key = "mean"},
    {RC_FIELD(FORECASTER, NUMBER, weight), .key = "weight"},
    RC_FIELDS_END};

#define HOST struct rc_answer_forecast_host
static const struct rc_field host_fields[] = {{RC_FIELD(HOST, TEXT, host), .key = "host"},
                                              {RC_FIELD(HOST, NUMBER, mean), .key = "mean"},
                                              RC_FIELDS_END};

#define INTERVAL struct rc_answer_forecast_interval
static const struct rc_field interval_fields[] = {{RC_FIELD(INTERVAL, NUMBER, level),
                                                   .key = "level"},
                                                  {RC_FIELD(INTERVAL, NUMBER, low), .key = "low"},
                                                  {RC_FIELD(INTERVAL, NUMBER, high), .key = "high"},
                                                  RC_FIELDS_END};

#define FORECAST struct rc_answer_forecast
static bool is_single(const void *record)
{
    return !((const FORECAST *)record)->stat;
}

static bool is_joint(const void *record)
{
    return ((const FORECAST *)record)->stat;
}

const struct rc_field rc_answer_forecast[] = {
    {RC_FIELD(FORECAST, TEXT, metric), .key = "metric"},
    {RC_FIELD(FORECAST, TEXT, unit), .key = "unit"},
    {RC_FIELD(FORECAST, TIME, start), .key = "start"},
    {RC_FIELD(FORECAST, NUMBER, horizon), .key = "horizon_s"},
    {RC_FIELD(FORECAST, NUMBER, step), .key = "step_s"},
    {RC_FIELD(FORECAST, SIZE, samples), .key = "sample_count"},
    {RC_FIELD(FORECAST, UINT64, past_forecasts), .key = "past_forecasts"},
    {RC_FIELD(FORECAST, TEXT, stat), .key = "stat", .when = is_joint},
    {RC_FIELD(FORECAST, TEXT, host), .key = "host", .when = is_single},
    {RC_FIELD(FORECAST, TEXT, peer), .key = "peer", .when = is_single},
    {RC_FIELD(FORECAST, NUMBER, mean), .key = "mean"},
    {RC_FIELD(FORECAST, NUMBER, next), .key = "next", .when = is_single},
    {RC_FIELD_ARRAY_OF(FORECAST, intervals, n_intervals), .key = "intervals",
     .fields = interval_fields},
    {RC_FIELD_LIST_OF(FORECAST, forecasters, n_forecasters), .key = "forecasters",
     .fields = forecaster_fields, .when = is_single},
    {RC_FIELD_LIST_OF(FORECAST, hosts, n_hosts), .key = "hosts", .fields = host_fields,
     .when = is_joint},
    {RC_FIELD(FORECAST, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

void rc_answer_forecast_of(const struct rc_forecast_set *set, const char *metric, double seconds,
                           struct rc_answer_forecast *answer)
{
    *answer = (struct rc_answer_forecast){.metric = metric,
                                          .start = set->at,
                                          .horizon = seconds,
                                          .step = set->step,
                                          .samples = set->n,
                                          .n_intervals = RC_FORECAST_LEVELS};
    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++)
        answer->intervals[k].level = rc_forecast_levels[k];
}

/* ---- replays ---- */

#define PART struct rc_answer_replay_part
const struct rc_field rc_answer_replay_part[] = {
    {RC_FIELD(PART, TEXT, name), .key = "name", .title = "forecaster"},
    {RC_FIELD(PART, NUMBER, mae), .key = "mae", .title = "MAE"},
    {RC_FIELD(PART, NUMBER, rmse), .key = "rmse", .title = "RMSE"},
    RC_FIELDS_END};

#define LEVEL struct level
LEVEL
{
    double level, coverage, width;
};
static const struct rc_field level_fields[] = {{RC_FIELD(LEVEL, NUMBER, level), .key = "level"},
                                               {RC_FIELD(LEVEL, NUMBER, coverage),
                                                .key = "coverage"},
                                               {RC_FIELD(LEVEL, NUMBER, width), .key = "width"},
                                               RC_FIELDS_END};

#define REPLAY struct rc_answer_replay
static bool is_file(const void *record)
{
    return ((const REPLAY *)record)->file;
}

static void file_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s", is_file(record) ? ((const REPLAY *)record)->file : "all");
}

static json_t *levels_json(const void *record)
{
    const struct rc_predict_replay *replay = &((const REPLAY *)record)->is;
    json_t *list = json_array();

    for (size_t k = 0; k < RC_FORECAST_LEVELS; k++) {
        LEVEL level = {rc_forecast_levels[k], replay->coverage[k], replay->width[k]};

        json_array_append_new(list, rc_field_json(level_fields, &level));
    }
    return list;
}

static json_t *parts_json(const void *record)
{
    const struct rc_predict_replay *replay = &((const REPLAY *)record)->is;
    json_t *list = json_array();

    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        PART part = {rc_forecast_part_name(i), replay->part_mae[i], replay->part_rmse[i]};

        json_array_append_new(list, rc_field_json(rc_answer_replay_part, &part));
    }
    return list;
}

static void best_text(const void *record, char *text, size_t size)
{
    const struct rc_predict_replay *replay = &((const REPLAY *)record)->is;
    char number[RC_NUMBER_SIZE];
    size_t best = 0;

    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        if (replay->part_mae[i] < replay->part_mae[best])
            best = i;
    rc_number_format_short(replay->part_mae[best], 6, number);
    if (isnan(replay->part_mae[best]))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s (%s)", rc_forecast_part_name(best), number);
}

#define COVERAGE(level) RC_FIELD(REPLAY, FIXED, is.coverage[level]), .scale = 100, .digits = 1
const struct rc_field rc_answer_replay[] = {
    {RC_FIELD(REPLAY, TEXT, file), .key = "file", .title = "file", .when = is_file,
     .text = file_text},
    {RC_FIELD(REPLAY, UINT64, is.points), .key = "points", .title = "points"},
    {RC_FIELD(REPLAY, NUMBER, is.mae), .key = "mae", .title = "MAE"},
    {RC_FIELD(REPLAY, NUMBER, is.rmse), .key = "rmse", .title = "RMSE"},
    {COVERAGE(0), .title = "coverage 50 %"},
    {COVERAGE(1), .title = "80 %"},
    {COVERAGE(2), .title = "90 %"},
    {COVERAGE(3), .title = "95 %"},
    {.kind = RC_AS_COMPUTED,
     .key = "levels",
     .json = levels_json,
     .type = "list",
     .fields = level_fields},
    {RC_FIELD(REPLAY, NUMBER, is.width[2]), .title = "width of 90 %"},
    {.kind = RC_AS_COMPUTED, .title = "best forecaster", .text = best_text},
    {.kind = RC_AS_COMPUTED,
     .key = "forecasters",
     .json = parts_json,
     .type = "list",
     .fields = rc_answer_replay_part},
    RC_FIELDS_END};

#define REPLAYS struct rc_answer_replays
const struct rc_field rc_answer_replays[] = {
    {RC_FIELD_LIST_OF(REPLAYS, files, n_files), .key = "files", .fields = rc_answer_replay},
    {RC_FIELD(REPLAYS, OBJECT, all), .key = "all", .fields = rc_answer_replay},
    {RC_FIELD(REPLAYS, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
