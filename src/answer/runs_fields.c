// SPDX-License-Identifier: GPL-3.0-or-later
/* runs_fields.c - the fields of runs and imports. */
#include "answer/runs_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/timestamp.h"
#include "platform/hostlist.h"

#define RUN struct rc_run
static void start_text(const void *record, char *text, size_t size)
{
    char when[RC_TIME_SIZE];

    rc_timestamp_format(((const RUN *)record)->start, when);
    snprintf(text, size, "%s", when);
}

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

static json_t *start_json(const void *record)
{
    return rc_json_time(((const RUN *)record)->start);
}

const struct rc_answer_run rc_answer_run[RC_ANSWER_RUN_FIELDS] = {
    {0, {RC_FIELD(RUN, INT64, id), .key = "id", .title = "run"}},
    {RC_FIELD_APP, {RC_FIELD(RUN, TEXT, app), .key = "app", .title = "app", .zero_is_null = true}},
    {RC_FIELD_PLATFORM,
     {RC_FIELD(RUN, TEXT, platform), .key = "platform", .title = "platform", .zero_is_null = true}},
    {RC_FIELD_N, {RC_FIELD(RUN, NUMBER, n), .key = "size", .title = "size"}},
    {RC_FIELD_P, {RC_FIELD(RUN, INT64, p), .key = "procs", .title = "processes"}},
    {RC_FIELD_SECONDS, {RC_FIELD(RUN, SECONDS, seconds), .key = "time_s", .title = "run time"}},
    {RC_FIELD_START,
     {RC_FIELD(RUN, NUMBER, start), .key = "start", .title = "start", .left = true,
      .json = start_json, .text = start_text}},
    {RC_FIELD_MEMORY,
     {RC_FIELD(RUN, BYTES, memory), .key = "memory_bytes", .title = "memory per process"}},
    {RC_FIELD_CPU_MINAVG,
     {RC_FIELD(RUN, NUMBER, cpu_minavg), .key = "cpu_minavg",
      .title = "CPU availability (minavg)"}},
    {RC_FIELD_CPU_AVGMIN,
     {RC_FIELD(RUN, NUMBER, cpu_avgmin), .key = "cpu_avgmin",
      .title = "CPU availability (avgmin)"}},
    {RC_FIELD_BW_MINAVG,
     {RC_FIELD(RUN, NUMBER, bw_minavg), .key = "bw_minavg",
      .title = "available bandwidth (minavg)"}},
    {RC_FIELD_BW_AVGMIN,
     {RC_FIELD(RUN, NUMBER, bw_avgmin), .key = "bw_avgmin",
      .title = "available bandwidth (avgmin)"}},
    {RC_FIELD_BYTES_READ,
     {RC_FIELD(RUN, BYTES, bytes_read), .key = "bytes_read", .title = "read from files"}},
    {RC_FIELD_BYTES_WRITTEN,
     {RC_FIELD(RUN, BYTES, bytes_written), .key = "bytes_written", .title = "written to files"}},
    {RC_FIELD_HOSTS,
     {RC_FIELD(RUN, TEXT, hosts), .key = "hosts", .title = "hosts", .json = hosts_json,
      .zero_is_null = true}},
    {RC_FIELD_STATUS,
     {.kind = RC_AS_COMPUTED,
      .key = "status",
      .title = "status",
      .json = status_json,
      .text = status_text}},
    {RC_FIELD_IMPORT,
     {RC_FIELD(RUN, INT64, import_id), .key = "import", .title = "import", .zero_is_null = true}},
    {RC_FIELD_PARAMS, {.kind = RC_AS_COMPUTED, .key = "params", .json = params_json}},
    {RC_FIELD_TIMES, {.kind = RC_AS_COMPUTED, .key = "times", .json = times_json}},
};

json_t *rc_answer_run_json(const struct rc_run *run, unsigned parts)
{
    json_t *object = json_object();
    int bad = 0;

    for (size_t i = 0; i < RC_ANSWER_RUN_FIELDS; i++) {
        const struct rc_answer_run *field = &rc_answer_run[i];

        if (!field->part || parts & field->part)
            bad |= rc_json_set(object, field->is.key, rc_field_value(&field->is, run));
    }
    if (!bad)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- imports ---- */

#define ERROR struct rc_error
const struct rc_field rc_answer_import_note[] = {{RC_FIELD(ERROR, UINT32, line), .key = "line"},
                                                 {RC_FIELD(ERROR, UINT32, column), .key = "column"},
                                                 {RC_FIELD(ERROR, CHARS, text), .key = "text"},
                                                 RC_FIELDS_END};

#define IMPORT struct rc_answer_import
const struct rc_field rc_answer_import[] = {{RC_FIELD(IMPORT, TEXT, file), .key = "file"},
                                            {RC_FIELD(IMPORT, INT64, import), .key = "import",
                                             .zero_is_null = true},
                                            {RC_FIELD(IMPORT, UINT64, added), .key = "added"},
                                            {RC_FIELD(IMPORT, UINT64, skipped), .key = "skipped"},
                                            {RC_FIELD(IMPORT, BOOL, known), .key = "known"},
                                            {RC_FIELD(IMPORT, JSON, notes), .key = "notes"},
                                            RC_FIELDS_END};

#define FAILURE struct rc_answer_import_failure
const struct rc_field rc_answer_import_failure[] = {
    {RC_FIELD(FAILURE, TEXT, file), .key = "file"},
    {RC_FIELD(FAILURE, CHARS, error.text), .key = "error"},
    {RC_FIELD(FAILURE, UINT32, error.line), .key = "line", .zero_is_null = true},
    {RC_FIELD(FAILURE, UINT32, error.column), .key = "column", .zero_is_null = true},
    RC_FIELDS_END};
