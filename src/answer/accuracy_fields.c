// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy_fields.c - the fields of the accuracy of predictions. */
#include "answer/accuracy_fields.h"

#include "answer/predict_fields.h"

/* ---- scores ---- */

#define SCORE struct rc_predict_score_report
#define PERCENT_OF(member, decimals)                                                               \
    RC_FIELD(SCORE, FIXED, member), .scale = 100, .digits = decimals, .unit = " %"

static const struct rc_field error_fields[] = {
    {PERCENT_OF(mean, 1), .key = "mape_fraction", .title = "MAPE"},
    {PERCENT_OF(sd, 1), .key = "ape_sd_fraction", .title = "SD of APE"},
    {PERCENT_OF(p90, 1), .key = "ape_p90_fraction", .title = "P90 of APE"},
    {PERCENT_OF(under_30, 0), .key = "ape_below_30_percent_fraction", .title = "APE < 30 %"},
    {PERCENT_OF(held, 0), .key = "coverage_fraction", .title = "coverage"},
    {RC_FIELD(SCORE, NUMBER, width), .key = "width_fraction"},
    RC_FIELDS_END};

const struct rc_field rc_answer_score[] = {
    {RC_FIELD(SCORE, UINT64, n), .key = "run_count", .title = "runs"},
    {RC_FIELD(SCORE, UINT64, n_killed), .key = "killed_run_count"},
    {.kind = RC_AS_INLINE, .fields = error_fields},
    RC_FIELDS_END};

#define TABLE struct rc_answer_table
const struct rc_field rc_answer_table[] = {{RC_FIELD(TABLE, UINT64, rows), .key = "rows"},
                                           {RC_FIELD(TABLE, UINT64, score.n), .key = "scored"},
                                           {RC_FIELD(TABLE, INLINE, score), .fields = error_fields},
                                           {RC_FIELD(TABLE, JSON, notes), .key = "notes",
                                            .type = "strings"},
                                           RC_FIELDS_END};

/* ---- predictions ---- */

#define ENTRY struct rc_history_entry
static json_t *entry_interval_json(const void *record)
{
    const ENTRY *entry = record;

    return rc_answer_interval_json(0.9, entry->lo90, entry->hi90);
}

static const struct rc_field entry_fields[] = {{RC_FIELD(ENTRY, INT64, run), .key = "run"},
                                               {RC_FIELD(ENTRY, TIME, start), .key = "start"},
                                               {RC_FIELD(ENTRY, NUMBER, n), .key = "size"},
                                               {RC_FIELD(ENTRY, INT64, p), .key = "procs"},
                                               {RC_FIELD(ENTRY, NUMBER, predicted),
                                                .key = "predicted_s"},
                                               {RC_ANSWER_INTERVAL(entry_interval_json)},
                                               {RC_FIELD(ENTRY, NUMBER, came), .key = "time_s"},
                                               {RC_FIELD(ENTRY, BOOL, killed), .key = "killed"},
                                               RC_FIELDS_END};

#define HISTORY struct rc_history
static const struct rc_field history_fields[] = {
    {RC_FIELD(HISTORY, INLINE, all), .fields = rc_answer_score},
    {RC_FIELD(HISTORY, UINT64, waiting), .key = "waiting"},
    {RC_FIELD_LIST_OF(HISTORY, entries, n), .key = "each", .fields = entry_fields},
    RC_FIELDS_END};

#define METHOD struct rc_method_accuracy
static void combined_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%.1f %%", 100 * ((const METHOD *)record)->combined.mean);
}

const struct rc_field rc_answer_method_accuracy[] = {
    {RC_FIELD(METHOD, TEXT, name), .title = "method"},
    {RC_FIELD(METHOD, INLINE, report), .fields = rc_answer_score},
    {RC_FIELD(METHOD, TEXT, name), .key = "method"},
    {RC_FIELD(METHOD, UINT64, waiting), .key = "waiting"},
    {RC_FIELD(METHOD, SIZE, alone), .key = "further_runs"},
    {RC_FIELD(METHOD, OBJECT, combined), .key = "combined_same_runs",
     .title = "combined MAPE, same runs", .fields = rc_answer_score, .text = combined_text},
    RC_FIELDS_END};

/* ---- the replay ---- */

const char *const rc_answer_replay_titles[RC_REPLAY_MODELS] = {"single model", "adapting list",
                                                               "default"};

#define RUN struct rc_replay_run
static json_t *run_interval_json(const void *record)
{
    const RUN *run = record;

    return rc_answer_interval_json(0.9, run->lo90, run->hi90);
}

static const struct rc_field run_fields[] = {
    {RC_FIELD(RUN, INT64, id), .key = "run"},
    {RC_FIELD(RUN, NUMBER, n), .key = "size"},
    {RC_FIELD(RUN, NUMBER, p), .key = "procs"},
    {RC_FIELD(RUN, NUMBER, came), .key = "time_s"},
    {RC_FIELD(RUN, NUMBER, predicted[RC_REPLAY_SINGLE]), .key = "single_s"},
    {RC_FIELD(RUN, NUMBER, predicted[RC_REPLAY_LIST]), .key = "list_s"},
    {RC_FIELD(RUN, NUMBER, predicted[RC_REPLAY_DEFAULT]), .key = "default_s"},
    {RC_ANSWER_INTERVAL(run_interval_json)},
    RC_FIELDS_END};

#define REPLAY struct rc_predict_replay
static const struct rc_field replay_fields[] = {
    {RC_FIELD(REPLAY, SIZE, n_training), .key = "training_runs"},
    {RC_FIELD(REPLAY, SIZE, n_earlier), .key = "earlier_runs"},
    {RC_FIELD(REPLAY, OBJECT, all[RC_REPLAY_SINGLE]), .key = "single", .fields = rc_answer_score},
    {RC_FIELD(REPLAY, OBJECT, all[RC_REPLAY_LIST]), .key = "list", .fields = rc_answer_score},
    {RC_FIELD(REPLAY, OBJECT, all[RC_REPLAY_DEFAULT]), .key = "default", .fields = rc_answer_score},
    {RC_FIELD_LIST_OF(REPLAY, runs, n), .key = "runs", .fields = run_fields},
    RC_FIELDS_END};

/* ---- all of it ---- */

#define ACCURACY struct rc_predict_accuracy
#define ANSWER struct rc_answer_accuracy
static bool has_methods(const void *record)
{
    return ((const ACCURACY *)record)->n_methods > 0;
}

static json_t *methods_json(const void *record)
{
    const ACCURACY *accuracy = record;

    return rc_field_json_list(rc_answer_method_accuracy, accuracy->methods, accuracy->n_methods,
                              sizeof *accuracy->methods);
}

static bool has_replay(const void *record)
{
    return ((const ACCURACY *)record)->replay.n > 0;
}

static bool has_no_replay(const void *record)
{
    return !has_replay(record);
}

static const struct rc_field accuracy_fields[] = {
    {RC_FIELD(ACCURACY, TEXT, app), .key = "app"},
    {RC_FIELD(ACCURACY, TEXT, platform), .key = "platform"},
    {RC_FIELD(ACCURACY, TEXT, method), .key = "method"},
    {RC_FIELD(ACCURACY, OBJECT, history), .key = "predictions", .fields = history_fields},
    {.kind = RC_AS_COMPUTED,
     .key = "methods",
     .json = methods_json,
     .type = "list",
     .fields = rc_answer_method_accuracy,
     .when = has_methods},
    {RC_FIELD(ACCURACY, OBJECT, replay), .key = "replay", .fields = replay_fields,
     .when = has_replay},
    {RC_FIELD(ACCURACY, CHARS, no_replay.text), .key = "no_replay", .when = has_no_replay},
    RC_FIELDS_END};

const struct rc_field rc_answer_accuracy[] = {
    {RC_FIELD(ANSWER, INLINE, accuracy), .fields = accuracy_fields},
    {RC_FIELD(ANSWER, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
