// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown_observe_fields.c - the fields of observed competing processes. */
#include <math.h>
#include <stdio.h>

#include "answer/slowdown_fields.h"
#include "base/json.h"
#include "base/unit.h"

#define OBSERVED struct rc_observed
static json_t *user_json(const void *record)
{
    const OBSERVED *observed = record;

    return observed->user[0] ? rc_json_text(observed->user) : json_null();
}

static void user_text(const void *record, char *text, size_t size)
{
    const OBSERVED *observed = record;

    snprintf(text, size, "%s", observed->user[0] ? observed->user : "-");
}

static json_t *communicate_json(const void *record)
{
    const OBSERVED *observed = record;

    return observed->hidden ? json_null() : rc_json_number(observed->competitor.communicate.low);
}

static void communicate_text(const void *record, char *text, size_t size)
{
    const OBSERVED *observed = record;

    if (observed->hidden)
        snprintf(text, size, "?");
    else
        snprintf(text, size, "%.2f", observed->competitor.communicate.low);
}

static json_t *cycle_json(const void *record)
{
    double cycle = ((const OBSERVED *)record)->competitor.cycle;

    return rc_json_number(cycle > 0 ? cycle : NAN);
}

/* "-" for none. */
static void quantity_text(double value, enum rc_dimension dimension, char *text, size_t size)
{
    char quantity[RC_UNIT_SIZE];

    rc_unit_format(value > 0 ? value : NAN, dimension, quantity);
    snprintf(text, size, "%s", quantity);
}

static void cycle_text(const void *record, char *text, size_t size)
{
    quantity_text(((const OBSERVED *)record)->competitor.cycle, RC_SECONDS, text, size);
}

static void rate_text(const void *record, char *text, size_t size)
{
    quantity_text(((const OBSERVED *)record)->rate, RC_RATE, text, size);
}

static json_t *competitor_json(const void *record)
{
    char text[256];

    rc_observe_observed_format(record, text, sizeof text);
    return rc_json_text(text);
}

const struct rc_field rc_answer_observed[] = {
    {RC_FIELD(OBSERVED, INT, pid), .key = "pid", .title = "pid", .zero_is_null = true},
    {RC_FIELD(OBSERVED, CHARS, competitor.name), .key = "command", .title = "command"},
    {.kind = RC_AS_COMPUTED,
     .key = "user",
     .title = "user",
     .json = user_json,
     .type = "string",
     .text = user_text},
    {RC_FIELD(OBSERVED, SIZE, count), .title = "count"},
    {RC_FIELD(OBSERVED, FIXED, competitor.compute.low), .key = "compute_fraction",
     .title = "compute", .digits = 2},
    {RC_FIELD(OBSERVED, FIXED, competitor.communicate.low), .key = "communicate_fraction",
     .title = "communicate", .json = communicate_json, .type = "number", .text = communicate_text},
    {RC_FIELD(OBSERVED, FIXED, competitor.weight), .key = "cpu_weight", .title = "weight",
     .digits = 2},
    {RC_FIELD(OBSERVED, SECONDS, competitor.cycle), .key = "cycle_s", .title = "cycle",
     .json = cycle_json, .type = "number", .text = cycle_text},
    {RC_FIELD(OBSERVED, SIZE, count), .key = "count"},
    {RC_FIELD(OBSERVED, NUMBER, waited), .key = "waited_fraction"},
    {RC_FIELD(OBSERVED, RATE, rate), .key = "rate_bytes_per_s", .title = "rate", .text = rate_text},
    {.kind = RC_AS_COMPUTED, .key = "competitor", .json = competitor_json, .type = "string"},
    RC_FIELDS_END};

#define OBSERVATION struct rc_answer_observation
static json_t *short_json(const void *record)
{
    return json_boolean(rc_observe_observation_short(&((const OBSERVATION *)record)->is));
}

static json_t *scope_json(const void *record)
{
    return json_string(((const OBSERVATION *)record)->is.group ? "group" : "machine");
}

static json_t *messages_json(const void *record)
{
    return json_boolean(!((const OBSERVATION *)record)->is.deaf);
}

const struct rc_field rc_answer_observation[] = {
    {RC_FIELD(OBSERVATION, NUMBER, is.seconds), .key = "duration_s"},
    {RC_FIELD(OBSERVATION, SIZE, is.samples), .key = "sample_count"},
    {.kind = RC_AS_COMPUTED, .key = "too_few_samples", .json = short_json, .type = "boolean"},
    {RC_FIELD(OBSERVATION, NUMBER, is.interval), .key = "sample_interval_s"},
    {RC_FIELD(OBSERVATION, NUMBER, is.cost), .key = "cost_cores"},
    {.kind = RC_AS_COMPUTED, .key = "scope", .json = scope_json, .type = "string"},
    {RC_FIELD(OBSERVATION, INT, is.cores), .key = "cores"},
    {RC_FIELD(OBSERVATION, NUMBER, is.core_share), .key = "core_share"},
    {.kind = RC_AS_COMPUTED, .key = "messages_visible", .json = messages_json, .type = "boolean"},
    {RC_FIELD(OBSERVATION, BOOL, is.interrupted), .key = "interrupted"},
    {RC_FIELD(OBSERVATION, SIZE, is.small), .key = "ignored_small"},
    {RC_FIELD(OBSERVATION, SIZE, is.yielding), .key = "ignored_idle_policy"},
    {RC_FIELD(OBSERVATION, SIZE, is.ended), .key = "ended"},
    {RC_FIELD(OBSERVATION, SIZE, is.excluded), .key = "excluded"},
    {RC_FIELD_LIST_OF(OBSERVATION, is.items, is.n), .key = "competitors",
     .fields = rc_answer_observed},
    {RC_FIELD(OBSERVATION, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
