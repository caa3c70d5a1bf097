// SPDX-License-Identifier: GPL-3.0-or-later
/* runs_fields.c - the fields of runs and imports. */
#include "answer/runs_fields.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "platform/hostlist.h"

#define RUN struct rc_run
static json_t *status_json(const void *record)
{
    return rc_json_text(rc_db_run_status_name(((const RUN *)record)->status));
}

static void status_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s", rc_db_run_status_name(((const RUN *)record)->status));
}

static json_t *params_json(const void *record)
{
    const RUN *run = record;
    json_t *object = json_object();

    for (size_t i = 0; i < run->n_params; i++)
        rc_json_set(object, run->params[i].name, rc_json_number(run->params[i].value));
    return object;
}

static json_t *meta_json(const void *record)
{
    const RUN *run = record;
    json_t *object = json_object();

    for (size_t i = 0; i < run->n_meta; i++)
        rc_json_set(object, run->meta[i].name, rc_json_text(run->meta[i].text));
    return object;
}

#define PART struct rc_run_time
static json_t *process_json(const void *record)
{
    int process = ((const PART *)record)->process;

    return process < 0 ? json_null() : json_integer(process);
}

static const struct rc_field time_fields[] = {
    {RC_FIELD(PART, TEXT, phase), .key = "phase", .zero_is_null = true},
    {RC_FIELD(PART, INT, process), .key = "rank", .json = process_json},
    {RC_FIELD(PART, SECONDS, seconds), .key = "time_s"},
    RC_FIELDS_END};

static json_t *times_json(const void *record)
{
    const RUN *run = record;

    return rc_field_json_list(time_fields, run->times, run->n_times, sizeof *run->times);
}

/* A table may have any text as hosts: if it is no list of hosts, it is one name. */
static json_t *hosts_json(const void *record)
{
    const RUN *run = record;
    struct rc_hostlist hosts = {0};
    json_t *list;

    if (!*run->hosts)
        return json_null();
    list = json_array();
    if (rc_platform_hostlist_expand(run->hosts, strlen(run->hosts), RC_HOSTS_MAX, &hosts, NULL))
        json_array_append_new(list, rc_json_text(run->hosts));
    for (size_t i = 0; i < hosts.count; i++)
        json_array_append_new(list, rc_json_text(hosts.names[i]));
    rc_platform_hostlist_free(&hosts);
    return list;
}

/* What is not in all lists of runs, is optional. */
const struct rc_field rc_answer_run[] = {
    {RC_FIELD(RUN, INT64, id), .key = "id", .title = "run"},
    {RC_FIELD(RUN, TEXT, app), .key = "app", .title = "app", .zero_is_null = true,
     .optional = true},
    {RC_FIELD(RUN, TEXT, platform), .key = "platform", .title = "platform", .zero_is_null = true,
     .optional = true},
    {RC_FIELD(RUN, NUMBER, n), .key = "size", .title = "size", .optional = true},
    {RC_FIELD(RUN, INT64, p), .key = "procs", .title = "processes", .optional = true},
    {RC_FIELD(RUN, SECONDS, seconds), .key = "time_s", .title = "run time", .optional = true},
    {RC_FIELD(RUN, TIME, start), .key = "start", .title = "start", .optional = true},
    {RC_FIELD(RUN, BYTES, memory), .key = "memory_bytes", .title = "memory per process",
     .optional = true},
    {RC_FIELD(RUN, NUMBER, cpu_minavg), .key = "cpu_minavg", .title = "CPU availability (minavg)",
     .optional = true},
    {RC_FIELD(RUN, NUMBER, cpu_avgmin), .key = "cpu_avgmin", .title = "CPU availability (avgmin)",
     .optional = true},
    {RC_FIELD(RUN, NUMBER, bw_minavg), .key = "bw_minavg", .title = "available bandwidth (minavg)",
     .optional = true},
    {RC_FIELD(RUN, NUMBER, bw_avgmin), .key = "bw_avgmin", .title = "available bandwidth (avgmin)",
     .optional = true},
    {RC_FIELD(RUN, BYTES, bytes_read), .key = "bytes_read", .title = "read from files",
     .optional = true},
    {RC_FIELD(RUN, BYTES, bytes_written), .key = "bytes_written", .title = "written to files",
     .optional = true},
    {RC_FIELD(RUN, TEXT, hosts), .key = "hosts", .title = "hosts", .json = hosts_json,
     .type = "strings", .zero_is_null = true, .optional = true},
    {.kind = RC_AS_COMPUTED,
     .key = "status",
     .title = "status",
     .json = status_json,
     .text = status_text,
     .type = "string",
     .optional = true},
    {RC_FIELD(RUN, INT64, import_id), .key = "import", .title = "import", .zero_is_null = true,
     .optional = true},
    {.kind = RC_AS_COMPUTED,
     .key = "params",
     .json = params_json,
     .type = "object",
     .optional = true},
    {.kind = RC_AS_COMPUTED, .key = "meta", .json = meta_json, .type = "object", .optional = true},
    {.kind = RC_AS_COMPUTED,
     .key = "times",
     .json = times_json,
     .type = "list",
     .fields = time_fields,
     .optional = true},
    RC_FIELDS_END};

unsigned rc_answer_run_part(const struct rc_field *field)
{
    static const struct {
        const char *key;
        enum rc_run_field part;
    } parts[] = {
        {"app", RC_FIELD_APP},
        {"platform", RC_FIELD_PLATFORM},
        {"size", RC_FIELD_N},
        {"procs", RC_FIELD_P},
        {"time_s", RC_FIELD_SECONDS},
        {"start", RC_FIELD_START},
        {"memory_bytes", RC_FIELD_MEMORY},
        {"cpu_minavg", RC_FIELD_CPU_MINAVG},
        {"cpu_avgmin", RC_FIELD_CPU_AVGMIN},
        {"bw_minavg", RC_FIELD_BW_MINAVG},
        {"bw_avgmin", RC_FIELD_BW_AVGMIN},
        {"bytes_read", RC_FIELD_BYTES_READ},
        {"bytes_written", RC_FIELD_BYTES_WRITTEN},
        {"hosts", RC_FIELD_HOSTS},
        {"status", RC_FIELD_STATUS},
        {"import", RC_FIELD_IMPORT},
        {"params", RC_FIELD_PARAMS},
        {"meta", RC_FIELD_META},
        {"times", RC_FIELD_TIMES},
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].key, field->key) == 0)
            return (unsigned)parts[i].part;
    return 0;
}

json_t *rc_answer_run_json(const struct rc_run *run, unsigned parts)
{
    json_t *object = json_object();
    int bad = 0;

    for (const struct rc_field *field = rc_answer_run; field->kind != RC_AS_END; field++)
        if ((rc_answer_run_part(field) & ~parts) == 0)
            bad |= rc_json_set(object, field->key, rc_field_value(field, run));
    if (!bad)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- imports ---- */

#define ERROR struct rc_error
static json_t *hint_json(const void *record)
{
    const ERROR *error = record;

    return error->hint[0] ? rc_json_text(error->hint) : json_null();
}

const struct rc_field rc_answer_error[] = {
    {RC_FIELD(ERROR, CHARS, text), .key = "message"},
    {.kind = RC_AS_COMPUTED, .key = "hint", .json = hint_json, .type = "string"},
    {RC_FIELD(ERROR, UINT32, line), .key = "line", .zero_is_null = true},
    {RC_FIELD(ERROR, UINT32, column), .key = "column", .zero_is_null = true},
    RC_FIELDS_END};

const struct rc_field rc_answer_import_warning[] = {
    {RC_FIELD(ERROR, CHARS, text), .key = "message"},
    {RC_FIELD(ERROR, UINT32, line), .key = "line", .zero_is_null = true},
    {RC_FIELD(ERROR, UINT32, column), .key = "column", .zero_is_null = true},
    RC_FIELDS_END};

#define IMPORT struct rc_answer_import
static bool is_imported(const void *record)
{
    return !((const IMPORT *)record)->error;
}

static bool is_faulty(const void *record)
{
    return !is_imported(record);
}

static json_t *is_imported_json(const void *record)
{
    return json_boolean(is_imported(record));
}

const struct rc_field rc_answer_import[] = {
    {RC_FIELD(IMPORT, TEXT, file), .key = "file"},
    {.kind = RC_AS_COMPUTED, .key = "ok", .json = is_imported_json, .type = "boolean"},
    {RC_FIELD(IMPORT, POINTER, error), .key = "error", .fields = rc_answer_error,
     .when = is_faulty},
    {RC_FIELD(IMPORT, INT64, import), .key = "import", .zero_is_null = true, .when = is_imported},
    {RC_FIELD(IMPORT, UINT64, added), .key = "added", .when = is_imported},
    {RC_FIELD(IMPORT, UINT64, skipped), .key = "skipped_rows", .when = is_imported},
    {RC_FIELD(IMPORT, UINT64, repeated), .key = "repeated_runs", .when = is_imported},
    {RC_FIELD(IMPORT, UINT64, known_rows), .key = "known_rows", .when = is_imported},
    {RC_FIELD(IMPORT, UINT64, differing_rows), .key = "differing_rows", .when = is_imported},
    {RC_FIELD(IMPORT, BOOL, known), .key = "already_imported", .when = is_imported},
    {RC_FIELD(IMPORT, JSON, warnings), .key = "warnings", .type = "list",
     .fields = rc_answer_import_warning, .when = is_imported},
    RC_FIELDS_END};

/* ---- deletions ---- */

#define DELETION struct rc_answer_run_deletion
static bool is_done(const void *record)
{
    return !((const DELETION *)record)->dry_run;
}

static bool is_dry(const void *record)
{
    return ((const DELETION *)record)->dry_run;
}

const struct rc_field rc_answer_run_deletion[] = {
    {RC_FIELD(DELETION, UINT64, count), .key = "deleted", .when = is_done},
    {RC_FIELD(DELETION, UINT64, count), .key = "would_delete", .when = is_dry},
    RC_FIELDS_END};
