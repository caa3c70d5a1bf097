// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_fields.c - the fields of predictions for several numbers of processes. */
#include "answer/scaling_fields.h"

#include "answer/predict_fields.h"

#define SCALED struct rc_answer_scaled
static json_t *hosts_json(const void *record)
{
    return rc_answer_hosts_json(((const SCALED *)record)->hosts);
}

static json_t *interval_json(const void *record)
{
    const struct rc_predict_summary *summary = &((const SCALED *)record)->summary;

    return rc_answer_interval_json(0.9, summary->lo90, summary->hi90);
}

static void interval_text(const void *record, char *text, size_t size)
{
    const struct rc_predict_summary *summary = &((const SCALED *)record)->summary;

    rc_answer_interval_text(summary->lo90, summary->hi90, text, size);
}

const struct rc_field rc_answer_scaled[] = {
    {RC_FIELD(SCALED, INT64, procs), .key = "procs", .title = "processes"},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = hosts_json, .type = "strings"},
    {RC_FIELD(SCALED, TEXT, method), .key = "method"},
    {RC_FIELD(SCALED, SECONDS, summary.predicted), .key = "predicted_s", .title = "median"},
    {RC_ANSWER_INTERVAL(interval_json), .title = "90 % interval", .text = interval_text},
    {RC_FIELD(SCALED, NUMBER, summary.mean), .key = "mean_s"},
    {RC_FIELD(SCALED, FIXED, speedup), .key = "speedup", .title = "speedup", .digits = 2},
    {RC_FIELD(SCALED, PERCENT, efficiency), .key = "efficiency_fraction", .title = "efficiency"},
    {RC_FIELD(SCALED, NUMBER, core_hours), .key = "core_hours", .title = "core-hours", .digits = 3},
    {RC_FIELD(SCALED, NUMBER, cost), .key = "cost", .title = "cost", .digits = 3},
    RC_FIELDS_END};

#define SCALING struct rc_answer_scaling
static json_t *params_json(const void *record)
{
    const struct rc_question *question = &((const SCALING *)record)->question;

    return rc_answer_params_json(question->params, question->n_params);
}

static json_t *base_json(const void *record)
{
    return json_integer((json_int_t)((const SCALING *)record)->list[0].procs);
}

const struct rc_field rc_answer_scaling[] = {
    {RC_FIELD(SCALING, TEXT, question.app), .key = "app"},
    {RC_FIELD(SCALING, NUMBER, question.size), .key = "size"},
    {.kind = RC_AS_COMPUTED, .key = "params", .json = params_json, .type = "object"},
    {RC_FIELD(SCALING, TEXT, question.platform), .key = "platform"},
    {RC_FIELD(SCALING, TEXT, currency), .key = "currency", .zero_is_null = true},
    {RC_FIELD(SCALING, TIME, question.start), .key = "start"},
    {RC_FIELD(SCALING, TIME, created), .key = "created"},
    {.kind = RC_AS_COMPUTED, .key = "relative_to_procs", .json = base_json, .type = "integer"},
    {RC_FIELD_LIST_OF(SCALING, list, n), .key = "scaling", .fields = rc_answer_scaled},
    {RC_FIELD(SCALING, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
