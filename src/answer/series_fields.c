// SPDX-License-Identifier: GPL-3.0-or-later
/* series_fields.c - the fields of answers about measured series. */
#include "answer/series_fields.h"

#include "base/timestamp.h"

#define IMPORT struct rc_answer_series_import
const struct rc_field rc_answer_series_import[] = {
    {RC_FIELD(IMPORT, TEXT, file), .key = "file"},
    {RC_FIELD(IMPORT, UINT64, import.added), .key = "added"},
    {RC_FIELD(IMPORT, UINT64, import.there_already), .key = "there_already"},
    {RC_FIELD(IMPORT, UINT64, import.skipped), .key = "skipped"},
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

const struct rc_field rc_answer_series[] = {
    {RC_FIELD(SERIES, TEXT, key.host), .key = "host", .title = "host or link", .text = name_text},
    {RC_FIELD(SERIES, TEXT, key.peer), .key = "peer", .zero_is_null = true},
    {RC_FIELD(SERIES, TEXT, key.metric), .key = "metric", .title = "metric"},
    {RC_FIELD(SERIES, UINT64, samples), .key = "samples", .title = "samples"},
    {RC_FIELD(SERIES, NUMBER, first), .key = "first", .title = "first", .left = true,
     .text = first_text},
    {RC_FIELD(SERIES, NUMBER, last), .key = "last", .title = "last", .left = true,
     .text = last_text},
    RC_FIELDS_END};
