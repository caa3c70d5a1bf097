// SPDX-License-Identifier: GPL-3.0-or-later
/* series_fields.c - the fields of answers about measured series. */
#include "answer/series_fields.h"

#include "base/json.h"
#include "base/timestamp.h"

enum { LINK_SIZE = 1024 };

#define IMPORT struct rc_answer_series_import
const struct rc_field rc_answer_series_import[] = {
    {RC_FIELD(IMPORT, TEXT, file), .key = "file"},
    {RC_FIELD(IMPORT, UINT64, import.added), .key = "added"},
    {RC_FIELD(IMPORT, UINT64, import.there_already), .key = "already_stored"},
    {RC_FIELD(IMPORT, UINT64, import.skipped), .key = "skipped_rows"},
    {RC_FIELD(IMPORT, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

#define SERIES struct rc_series_info
static void name_text(const void *record, char *text, size_t size)
{
    const struct rc_series_key *key = &((const SERIES *)record)->key;

    snprintf(text, size, "%s%s%s", key->host, *key->peer ? ":" : "", key->peer);
}

static void time_text(double time, char *text, size_t size)
{
    char when[RC_TIME_SIZE];

    rc_timestamp_format(time, when);
    snprintf(text, size, "%s", when);
}

static void first_text(const void *record, char *text, size_t size)
{
    time_text(((const SERIES *)record)->first, text, size);
}

static void last_text(const void *record, char *text, size_t size)
{
    time_text(((const SERIES *)record)->last, text, size);
}

static json_t *first_json(const void *record)
{
    return rc_json_time(((const SERIES *)record)->first);
}

static json_t *last_json(const void *record)
{
    return rc_json_time(((const SERIES *)record)->last);
}

static json_t *link_json(const void *record)
{
    char name[LINK_SIZE];

    if (!*((const SERIES *)record)->key.peer)
        return json_null();
    name_text(record, name, sizeof name);
    return rc_json_text(name);
}

static json_t *host_json(const void *record)
{
    const struct rc_series_key *key = &((const SERIES *)record)->key;

    return *key->peer ? json_null() : rc_json_text(key->host);
}

const struct rc_field rc_answer_series[] = {
    {RC_FIELD(SERIES, TEXT, key.host), .key = "host", .title = "host or link", .json = host_json,
     .text = name_text, .type = "string"},
    {RC_FIELD(SERIES, TEXT, key.peer), .key = "link", .json = link_json, .type = "string"},
    {RC_FIELD(SERIES, TEXT, key.metric), .key = "metric", .title = "metric"},
    {RC_FIELD(SERIES, UINT64, samples), .key = "sample_count", .title = "samples"},
    {.kind = RC_AS_COMPUTED,
     .key = "first_sample",
     .type = "time",
     .title = "first sample",
     .json = first_json,
     .text = first_text},
    {.kind = RC_AS_COMPUTED,
     .key = "last_sample",
     .type = "time",
     .title = "last sample",
     .json = last_json,
     .text = last_text},
    RC_FIELDS_END};

#define SAMPLE struct rc_sample
static json_t *sample_time_json(const void *record)
{
    return rc_json_time(((const SAMPLE *)record)->t);
}

const struct rc_field rc_answer_sample[] = {
    {.kind = RC_AS_COMPUTED, .key = "timestamp", .json = sample_time_json, .type = "time"},
    {RC_FIELD(SAMPLE, NUMBER, value), .key = "value"},
    RC_FIELDS_END};

#define DELETION struct rc_answer_series_deletion
const struct rc_field rc_answer_series_deletion[] = {
    {RC_FIELD(DELETION, UINT64, deleted), .key = "deleted"}, RC_FIELDS_END};
