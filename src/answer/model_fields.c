// SPDX-License-Identifier: GPL-3.0-or-later
/* model_fields.c - fields of answers about structural models. */
#include "answer/model_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/timestamp.h"
#include "platform/hostlist.h"

/* ---- findings ---- */

#define FINDING struct rc_answer_model_finding
const struct rc_field rc_answer_model_finding[] = {
    {RC_FIELD(FINDING, TEXT, severity), .key = "severity"},
    {RC_FIELD(FINDING, TEXT, file), .key = "file"},
    {RC_FIELD(FINDING, UINT32, line), .key = "line", .zero_is_null = true},
    {RC_FIELD(FINDING, UINT32, column), .key = "column", .zero_is_null = true},
    {RC_FIELD(FINDING, TEXT, text), .key = "text"},
    RC_FIELDS_END};

#define CHECK struct rc_answer_model_check
static json_t *platforms_json(const void *record)
{
    const CHECK *check = record;
    json_t *list = json_array();

    for (size_t i = 0; i < check->n_sections; i++)
        json_array_append_new(list, rc_json_text(check->sections[i].name));
    return list;
}

const struct rc_field rc_answer_model_check[] = {
    {RC_FIELD(CHECK, TEXT, model), .key = "model"},
    {RC_FIELD(CHECK, TEXT, app), .key = "app"},
    {.kind = RC_AS_COMPUTED, .key = "platforms", .json = platforms_json, .type = "strings"},
    {RC_FIELD(CHECK, SIZE, inputs), .key = "input_count"},
    {RC_FIELD(CHECK, SIZE, tasks), .key = "task_count"},
    {RC_FIELD(CHECK, SIZE, totals), .key = "total_count"},
    {RC_FIELD(CHECK, SIZE, counts[RC_FINDING_ERROR]), .key = "error_count"},
    {RC_FIELD(CHECK, SIZE, counts[RC_FINDING_WARNING]), .key = "warning_count"},
    {RC_FIELD(CHECK, JSON, findings), .key = "findings", .type = "list",
     .fields = rc_answer_model_finding},
    RC_FIELDS_END};

/* ---- a model against runs ---- */

#define SIZE struct rc_accuracy_size
#define PERCENT_OF(member) RC_FIELD(SIZE, FIXED, member), .scale = 100, .digits = 1, .unit = " %"

static void coverage_text(const void *record, char *text, size_t size)
{
    const SIZE *one = record;

    snprintf(text, size, one->has_spread ? "%zu of %zu" : "-", one->covered, one->runs);
}

const struct rc_field rc_answer_accuracy_size[] = {
    {RC_FIELD(SIZE, NUMBER, size), .key = "size", .title = "size"},
    {RC_FIELD(SIZE, SIZE, runs), .key = "run_count", .title = "runs"},
    {RC_FIELD(SIZE, NUMBER, actual), .digits = 4, .key = "actual_s", .title = "actual (s)"},
    {RC_FIELD(SIZE, NUMBER, predicted), .digits = 4, .key = "predicted_s",
     .title = "predicted (s)"},
    {PERCENT_OF(error), .key = "mape_fraction", .title = "MAPE"},
    {PERCENT_OF(bias), .key = "bias_fraction", .title = "bias"},
    {RC_FIELD(SIZE, SIZE, covered), .key = "covered", .title = "coverage", .text = coverage_text},
    {RC_FIELD(SIZE, BOOL, valid), .key = "valid", .title = "valid"},
    RC_FIELDS_END};

#define TASK struct rc_accuracy_task
static const struct rc_field task_fields[] = {
    {RC_FIELD(TASK, TEXT, name), .key = "name"},
    {RC_FIELD(TASK, NUMBER, share), .key = "share"},
    {RC_FIELD(TASK, NUMBER, factor), .key = "task_factor"},
    {RC_FIELD(TASK, NUMBER, remaining), .key = "remaining_error_fraction"},
    {RC_FIELD(TASK, NUMBER, measured), .key = "measured_factor"},
    RC_FIELDS_END};

/* A run, with the level of its interval. */
#define PREDICTED struct predicted_run
PREDICTED
{
    struct rc_accuracy_run is;
    double level;
};

static json_t *hosts_json(const void *record)
{
    const char *hosts = ((const PREDICTED *)record)->is.hosts;
    json_t *list = json_array();
    struct rc_hostlist names;

    if (hosts &&
        rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &names, NULL) == 0) {
        for (size_t i = 0; i < names.count; i++)
            json_array_append_new(list, rc_json_text(names.names[i]));
        rc_platform_hostlist_free(&names);
    }
    return list;
}

static const struct rc_field interval_fields[] = {
    {RC_FIELD(PREDICTED, NUMBER, level), .key = "level"},
    {RC_FIELD(PREDICTED, NUMBER, is.low), .key = "low"},
    {RC_FIELD(PREDICTED, NUMBER, is.high), .key = "high"},
    RC_FIELDS_END};

static json_t *interval_json(const void *record)
{
    return rc_field_json(interval_fields, record);
}

static const struct rc_field run_fields[] = {
    {RC_FIELD(PREDICTED, INT64, is.id), .key = "id"},
    {RC_FIELD(PREDICTED, TIME, is.start), .key = "start"},
    {RC_FIELD(PREDICTED, NUMBER, is.size), .key = "size"},
    {RC_FIELD(PREDICTED, NUMBER, is.processes), .key = "procs"},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = hosts_json, .type = "strings"},
    {RC_FIELD(PREDICTED, NUMBER, is.actual), .key = "actual_s"},
    {RC_FIELD(PREDICTED, NUMBER, is.predicted), .key = "predicted_s"},
    {.kind = RC_AS_COMPUTED, .key = "interval_s", .json = interval_json, .fields = interval_fields},
    RC_FIELDS_END};

static const struct rc_field note_fields[] = {
    {RC_FIELD(struct rc_accuracy_note, SIZE, runs), .key = "run_count"},
    {RC_FIELD(struct rc_accuracy_note, CHARS, text), .key = "text"},
    RC_FIELDS_END};

static const struct rc_field corrections_fields[] = {
    {RC_FIELD(struct rc_predict_corrections, SIZE, n), .key = "corrected"},
    {RC_FIELD(struct rc_predict_corrections, NUMBER, factor), .key = "factor"},
    RC_FIELDS_END};

#define ACCURACY struct rc_answer_model_accuracy
static json_t *predictions_json(const void *record)
{
    const ACCURACY *answer = record;
    json_t *list = json_array();

    for (size_t i = 0; i < answer->accuracy.n_runs; i++) {
        const PREDICTED run = {answer->accuracy.runs[i], answer->level};

        json_array_append_new(list, rc_field_json(run_fields, &run));
    }
    return list;
}

static json_t *covered_json(const void *record)
{
    const struct rc_accuracy *accuracy = &((const ACCURACY *)record)->accuracy;

    return accuracy->has_spread ? json_integer((json_int_t)accuracy->covered) : json_null();
}

static json_t *ranked_over_json(const void *record)
{
    return rc_json_text(((const ACCURACY *)record)->accuracy.over_sizes ? "sizes" : "choices");
}

static json_t *check_first_json(const void *record)
{
    const struct rc_accuracy *accuracy = &((const ACCURACY *)record)->accuracy;

    return accuracy->look_first >= 0 ? rc_json_text(accuracy->tasks[accuracy->look_first].name)
                                     : json_null();
}

static json_t *run_notes_json(const void *record)
{
    const struct rc_accuracy *accuracy = &((const ACCURACY *)record)->accuracy;

    return rc_field_json_list(note_fields, accuracy->notes, accuracy->n_notes,
                              sizeof *accuracy->notes);
}

const struct rc_field rc_answer_model_accuracy[] = {
    {RC_FIELD(ACCURACY, TEXT, model), .key = "model"},
    {RC_FIELD(ACCURACY, TEXT, app), .key = "app"},
    {RC_FIELD(ACCURACY, SIZE, accuracy.n_runs), .key = "run_count"},
    {RC_FIELD(ACCURACY, SIZE, accuracy.n_skipped), .key = "skipped"},
    {RC_FIELD(ACCURACY, SIZE, accuracy.n_killed), .key = "killed_run_count"},
    {RC_FIELD(ACCURACY, SIZE, accuracy.n_killed_longer), .key = "killed_beyond_interval_count"},
    {RC_FIELD(ACCURACY, NUMBER, accuracy.error), .key = "mape_fraction"},
    {RC_FIELD(ACCURACY, NUMBER, accuracy.worst), .key = "max_ape_fraction"},
    {RC_FIELD(ACCURACY, NUMBER, level), .key = "level"},
    {.kind = RC_AS_COMPUTED, .key = "covered", .json = covered_json, .type = "integer"},
    {RC_FIELD(ACCURACY, NUMBER, tolerance), .key = "tolerance_fraction"},
    {RC_FIELD(ACCURACY, SIZE, accuracy.pairs), .key = "pairs"},
    {RC_FIELD(ACCURACY, SIZE, accuracy.ranked), .key = "ranked"},
    {.kind = RC_AS_COMPUTED, .key = "ranked_over", .json = ranked_over_json, .type = "string"},
    {.kind = RC_AS_COMPUTED, .key = "check_first", .json = check_first_json, .type = "string"},
    {RC_FIELD(ACCURACY, POINTER, made), .key = "learned", .fields = corrections_fields},
    {RC_FIELD(ACCURACY, SIZE, accuracy.n_assumed), .key = "assumed_runs"},
    {RC_FIELD(ACCURACY, SIZE, accuracy.n_blind), .key = "load_unknown_runs"},
    {.kind = RC_AS_COMPUTED,
     .key = "run_notes",
     .json = run_notes_json,
     .type = "list",
     .fields = note_fields},
    {RC_FIELD_LIST_OF(ACCURACY, accuracy.sizes, accuracy.n_sizes), .key = "sizes",
     .fields = rc_answer_accuracy_size},
    {RC_FIELD_LIST_OF(ACCURACY, accuracy.tasks, accuracy.n_tasks), .key = "tasks",
     .fields = task_fields},
    {.kind = RC_AS_COMPUTED,
     .key = "predictions",
     .json = predictions_json,
     .type = "list",
     .fields = run_fields},
    {RC_FIELD(ACCURACY, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- stored models ---- */

#define ENTRY struct rc_structural_entry
static void platform_text(const void *record, char *text, size_t size)
{
    const char *platform = ((const ENTRY *)record)->platform;

    snprintf(text, size, "%s", *platform ? platform : "any");
}

static void model_text(const void *record, char *text, size_t size)
{
    const char *model = ((const ENTRY *)record)->model;

    snprintf(text, size, "%s", model ? model : "(damaged)");
}

static void file_text(const void *record, char *text, size_t size)
{
    const ENTRY *entry = record;

    snprintf(text, size, "%.50s%s", entry->file ? entry->file : "-",
             entry->n_files > 1 ? ", ..." : "");
}

static json_t *made_json(const void *record)
{
    return rc_json_time(floor(((const ENTRY *)record)->made));
}

static void made_text(const void *record, char *text, size_t size)
{
    char made[RC_TIME_SIZE];

    rc_timestamp_format(floor(((const ENTRY *)record)->made), made);
    snprintf(text, size, "%s", made);
}

const struct rc_field rc_answer_stored_model[] = {
    {RC_FIELD(ENTRY, TEXT, app), .key = "app", .title = "app"},
    {RC_FIELD(ENTRY, TEXT, platform), .key = "platform", .title = "platform", .zero_is_null = true,
     .text = platform_text},
    {RC_FIELD(ENTRY, TEXT, model), .key = "model", .title = "model", .text = model_text},
    {RC_FIELD(ENTRY, TEXT, file), .key = "file", .title = "file", .text = file_text},
    {RC_FIELD(ENTRY, SIZE, n_files), .key = "file_count"},
    {RC_FIELD(ENTRY, TIME, made), .key = "created", .title = "added", .json = made_json,
     .type = "time", .text = made_text},
    {RC_FIELD(ENTRY, INT64, id), .key = "id"},
    RC_FIELDS_END};

#define ADDED struct rc_answer_model_added
const struct rc_field rc_answer_model_added[] = {
    {RC_FIELD(ADDED, TEXT, app), .key = "app"},
    {RC_FIELD(ADDED, TEXT, platform), .key = "platform"},
    {RC_FIELD(ADDED, TEXT, model), .key = "model"},
    {RC_FIELD(ADDED, SIZE, n_files), .key = "file_count"},
    {RC_FIELD(ADDED, TEXT, replaced), .key = "replaced"},
    {RC_FIELD(ADDED, INT64, id), .key = "id"},
    RC_FIELDS_END};

static const struct rc_field file_fields[] = {
    {RC_FIELD(struct rc_model_file, TEXT, name), .key = "name"},
    {RC_FIELD(struct rc_model_file, TEXT, text), .key = "text"},
    RC_FIELDS_END};

#define TEXTS struct rc_answer_model_texts
static json_t *texts_made_json(const void *record)
{
    return rc_json_time(floor(((const TEXTS *)record)->made));
}

const struct rc_field rc_answer_model_texts[] = {
    {RC_FIELD(TEXTS, TEXT, app), .key = "app"},
    {RC_FIELD(TEXTS, TEXT, platform), .key = "platform"},
    {RC_FIELD(TEXTS, TEXT, model), .key = "model"},
    {.kind = RC_AS_COMPUTED, .key = "created", .json = texts_made_json, .type = "time"},
    {RC_FIELD(TEXTS, INT64, id), .key = "id"},
    {RC_FIELD_LIST_OF(TEXTS, files, n_files), .key = "files", .fields = file_fields},
    RC_FIELDS_END};

#define REMOVED struct rc_answer_model_removed
const struct rc_field rc_answer_model_removed[] = {
    {RC_FIELD(REMOVED, UINT64, removed), .key = "removed"},
    {RC_FIELD(REMOVED, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- shares ---- */

#define SHARE struct rc_share
static void spent_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const SHARE *)record)->calls ? "calls" : "computing");
}

static json_t *rank_json(const void *record)
{
    const SHARE *share = record;

    return share->there ? json_integer(share->rank) : json_null();
}

static void rank_text(const void *record, char *text, size_t size)
{
    const SHARE *share = record;

    snprintf(text, size, share->there ? "%u" : "-", (unsigned)share->rank);
}

const struct rc_field rc_answer_share[] = {
    {RC_FIELD(SHARE, TEXT, task), .key = "task", .title = "task"},
    {RC_FIELD(SHARE, PERCENT, share), .digits = 3, .key = "share", .title = "share"},
    {RC_FIELD(SHARE, SECONDS, seconds), .key = "time_s", .title = "time"},
    {.kind = RC_AS_COMPUTED,
     .key = "spent_in",
     .title = "spent in",
     .type = "string",
     .text = spent_text},
    {RC_FIELD(SHARE, UINT32, rank), .key = "rank", .title = "rank", .json = rank_json,
     .type = "integer", .text = rank_text},
    {RC_FIELD(SHARE, SIZE, alike), .key = "same_clause"},
    {RC_FIELD(SHARE, PERCENT, stated), .digits = 3, .key = "model_share", .title = "model"},
    {RC_FIELD(SHARE, BOOL, omitted), .key = "is_omitted"},
    RC_FIELDS_END};

static const struct rc_field left_fields[] = {
    {RC_FIELD(struct rc_share_left, CHARS, what), .key = "what"},
    {RC_FIELD(struct rc_share_left, NUMBER, share), .key = "share"},
    RC_FIELDS_END};

#define PROFILE struct rc_answer_model_profile
static json_t *left_json(const void *record)
{
    const struct rc_shares *shares = &((const PROFILE *)record)->shares;

    return rc_field_json_list(left_fields, shares->parts, shares->n_parts, sizeof *shares->parts);
}

const struct rc_field rc_answer_model_profile[] = {
    {RC_FIELD(PROFILE, TEXT, model), .key = "model"},
    {RC_FIELD(PROFILE, TEXT, section), .key = "section"},
    {RC_FIELD(PROFILE, TEXT, of), .key = "trace"},
    {RC_FIELD(PROFILE, UINT32, shares.ranks), .key = "procs"},
    {RC_FIELD(PROFILE, NUMBER, shares.seconds), .key = "time_s"},
    {RC_FIELD(PROFILE, NUMBER, shares.omit), .key = "omit_share"},
    {RC_FIELD_LIST_OF(PROFILE, shares.items, shares.n), .key = "tasks", .fields = rc_answer_share},
    {RC_FIELD(PROFILE, NUMBER, shares.left), .key = "unassigned_share"},
    {.kind = RC_AS_COMPUTED,
     .key = "unassigned",
     .json = left_json,
     .type = "list",
     .fields = left_fields},
    {RC_FIELD(PROFILE, BOOL, shares.overlap), .key = "overlap"},
    {RC_FIELD(PROFILE, TEXT, statement), .key = "statement"},
    {RC_FIELD(PROFILE, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- evaluations ---- */

#define FACTS struct rc_scenario_facts
const struct rc_field rc_answer_scenario_facts[] = {
    {RC_FIELD(FACTS, SIZE, n_series), .key = "series_count"},
    {RC_FIELD(FACTS, TIME, newest), .key = "newest"},
    {RC_FIELD(FACTS, NUMBER, seconds), .key = "horizon_s"},
    {RC_FIELD(FACTS, NUMBER, run), .key = "run_time_s"},
    {RC_FIELD(FACTS, BOOL, steady), .key = "constant_load_assumed"},
    {RC_FIELD(FACTS, SIZE, n_steady), .key = "constant_load_series"},
    RC_FIELDS_END};

#define EVALUATION struct rc_answer_model_evaluation
static bool has_deadline(const void *record)
{
    return !isnan(((const EVALUATION *)record)->deadline);
}

/* At the end of both. */
static const struct rc_field used_fields[] = {
    {RC_FIELD(EVALUATION, POINTER, forecast), .key = "forecast",
     .fields = rc_answer_scenario_facts},
    {RC_FIELD(EVALUATION, JSON, assumed), .key = "assumed", .type = "strings"},
    {RC_FIELD(EVALUATION, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

const struct rc_field rc_answer_model_evaluation[] = {
    {RC_FIELD(EVALUATION, INLINE, time), .fields = rc_answer_value_time},
    {RC_FIELD(EVALUATION, TEXT, model), .key = "model"},
    {RC_FIELD(EVALUATION, TEXT, section), .key = "section"},
    {RC_FIELD(EVALUATION, JSON, hosts), .key = "hosts", .type = "strings"},
    {RC_FIELD(EVALUATION, JSON, alternatives), .key = "alternatives", .type = "object"},
    {RC_FIELD(EVALUATION, JSON, omitted), .key = "omitted", .type = "strings"},
    {RC_FIELD(EVALUATION, NUMBER, error), .key = "expected_error_fraction"},
    {RC_FIELD(EVALUATION, NUMBER, deadline), .key = "deadline_s", .when = has_deadline},
    {RC_FIELD(EVALUATION, NUMBER, late), .key = "late_probability", .when = has_deadline},
    {.kind = RC_AS_INLINE, .fields = used_fields},
    RC_FIELDS_END};

const struct rc_field rc_answer_model_explained[] = {
    {RC_FIELD(EVALUATION, INLINE, time), .fields = rc_answer_value_time},
    {RC_FIELD(EVALUATION, TEXT, model), .key = "model"},
    {RC_FIELD(EVALUATION, INLINE, explanation), .fields = rc_answer_explanation},
    {.kind = RC_AS_INLINE, .fields = used_fields},
    RC_FIELDS_END};
