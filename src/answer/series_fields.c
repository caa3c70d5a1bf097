// SPDX-License-Identifier: GPL-3.0-or-later
/* series_fields.c - the fields of answers about measured series. */
#include "answer/series_fields.h"

#include "base/json.h"

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
    {RC_FIELD(SERIES, TIME, first), .key = "first_sample", .title = "first sample"},
    {RC_FIELD(SERIES, TIME, last), .key = "last_sample", .title = "last sample"},
    RC_FIELDS_END};

#define SAMPLE struct rc_sample
const struct rc_field rc_answer_sample[] = {{RC_FIELD(SAMPLE, TIME, t), .key = "timestamp"},
                                            {RC_FIELD(SAMPLE, NUMBER, value), .key = "value"},
                                            RC_FIELDS_END};

#define DELETION struct rc_answer_series_deletion
const struct rc_field rc_answer_series_deletion[] = {
    {RC_FIELD(DELETION, UINT64, deleted), .key = "deleted"}, RC_FIELDS_END};
