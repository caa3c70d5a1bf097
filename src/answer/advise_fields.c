// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_fields.c - the fields of an advice. */
#include "answer/advise_fields.h"

#include <stdio.h>

#include "answer/predict_fields.h"
#include "base/json.h"

/* ---- candidates ---- */

#define ADVISED struct rc_answer_advised
static bool has_skeleton(const void *record)
{
    return ((const ADVISED *)record)->advised.skeleton > 0;
}

static void cost_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const ADVISED *)record)->cost);
}

static json_t *hosts_json(const void *record)
{
    const ADVISED *one = record;
    json_t *hosts = json_array();

    for (size_t i = 0; i < one->advised.candidate.n_hosts; i++)
        json_array_append_new(hosts, rc_json_text(one->host_names[i]));
    return hosts;
}

static json_t *interval_json(const void *record)
{
    const struct rc_advised *advised = &((const ADVISED *)record)->advised;

    return rc_answer_interval_json(0.9, advised->lo90, advised->hi90);
}

static void interval_text(const void *record, char *text, size_t size)
{
    const struct rc_advised *advised = &((const ADVISED *)record)->advised;

    rc_answer_interval_text(advised->lo90, advised->hi90, text, size);
}

const struct rc_field rc_answer_advised[] = {
    {RC_FIELD(ADVISED, TEXT, cluster), .key = "cluster"},
    {RC_FIELD(ADVISED, TEXT, hosts), .key = "hosts", .title = "hosts", .wrap = true,
     .json = hosts_json, .type = "strings"},
    {RC_FIELD(ADVISED, INT64, advised.candidate.procs), .key = "procs", .title = "processes"},
    {RC_FIELD(ADVISED, SECONDS, advised.skeleton), .title = "skeleton"},
    {RC_FIELD(ADVISED, SECONDS, advised.predicted), .key = "predicted_s", .title = "median"},
    {RC_FIELD(ADVISED, NUMBER, advised.predicted), .key = "p50_s"},
    {RC_ANSWER_INTERVAL(interval_json), .title = "90 % interval", .text = interval_text},
    {RC_FIELD(ADVISED, SECONDS, advised.mean), .key = "mean_s", .title = "mean"},
    {RC_FIELD(ADVISED, PERCENT, advised.miss), .key = "late_probability", .title = "P(late)"},
    {RC_FIELD(ADVISED, NUMBER, advised.core_hours), .key = "core_hours", .title = "core-hours",
     .digits = 3},
    {RC_FIELD(ADVISED, NUMBER, advised.cost), .key = "cost", .title = "cost", .text = cost_text},
    {RC_FIELD(ADVISED, BOOL, advised.in_time), .key = "meets_deadline"},
    {RC_FIELD(ADVISED, BOOL, advised.in_budget), .key = "within_budget"},
    {RC_FIELD(ADVISED, NUMBER, advised.skeleton), .key = "skeleton_time_s", .when = has_skeleton},
    RC_FIELDS_END};

/* ---- methods ---- */

const char *const rc_answer_not_asked[RC_METHODS] = {[RC_METHOD_SKELETON] = "performance skeleton"};

/* ---- the advice ---- */

#define ADVISE struct rc_answer_advise
static json_t *cpu_series_json(const void *record)
{
    const struct rc_host_forecast_many *forecast = ((const ADVISE *)record)->advice.forecast;

    return json_integer((json_int_t)rc_predict_host_forecast_many_cpus(forecast));
}

static json_t *bw_series_json(const void *record)
{
    const struct rc_host_forecast_many *forecast = ((const ADVISE *)record)->advice.forecast;

    return json_integer((json_int_t)rc_predict_host_forecast_many_links(forecast));
}

/* Where nothing is known of any host, none is left out. */
static json_t *left_out_json(const void *record)
{
    const struct rc_place_advice *advice = &((const ADVISE *)record)->advice;

    return json_integer(advice->n_unknown < advice->n_hosts ? (json_int_t)advice->n_unknown : 0);
}

static json_t *params_json(const void *record)
{
    const struct rc_question *question = &((const ADVISE *)record)->advice.question;

    return rc_answer_params_json(question->params, question->n_params);
}

const struct rc_field rc_answer_advise[] = {
    {RC_FIELD(ADVISE, TEXT, advice.question.app), .key = "app"},
    {RC_FIELD(ADVISE, NUMBER, advice.question.size), .key = "size"},
    {.kind = RC_AS_COMPUTED, .key = "params", .json = params_json, .type = "object"},
    {RC_FIELD(ADVISE, TEXT, advice.question.platform), .key = "platform"},
    {RC_FIELD(ADVISE, TEXT, advice.aim.currency), .key = "currency", .zero_is_null = true},
    {RC_FIELD(ADVISE, TIME, advice.question.start), .key = "start"},
    {RC_FIELD(ADVISE, TEXT, objective), .key = "objective"},
    {RC_FIELD(ADVISE, NUMBER, advice.aim.deadline), .key = "deadline_s"},
    {RC_FIELD(ADVISE, NUMBER, advice.aim.confidence), .key = "confidence"},
    {RC_FIELD(ADVISE, NUMBER, advice.aim.budget), .key = "budget"},
    {.kind = RC_AS_COMPUTED,
     .key = "hosts_with_cpu_samples",
     .json = cpu_series_json,
     .type = "integer"},
    {.kind = RC_AS_COMPUTED,
     .key = "links_with_bandwidth_samples",
     .json = bw_series_json,
     .type = "integer"},
    {.kind = RC_AS_COMPUTED, .key = "hosts_left_out", .json = left_out_json, .type = "integer"},
    {RC_FIELD(ADVISE, CHARS, advice.search.why), .key = "reason"},
    {RC_FIELD(ADVISE, INLINE, advice.answer), .fields = rc_answer_methods},
    {RC_FIELD(ADVISE, INLINE, time_limit), .fields = rc_answer_time_limit},
    {RC_FIELD(ADVISE, INT64, advice.answer.id), .key = "id", .zero_is_null = true},
    {RC_FIELD_LIST_OF(ADVISE, list, advice.search.n_list), .key = "shortlist",
     .fields = rc_answer_advised},
    {RC_FIELD_LIST_OF(ADVISE, all, advice.search.n_all), .key = "candidates",
     .fields = rc_answer_advised},
    {RC_FIELD(ADVISE, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
