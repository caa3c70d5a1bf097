// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_fields.c - the fields of an advice. */
#include "answer/advise_fields.h"

#include <math.h>

#include "answer/predict_fields.h"
#include "base/json.h"

/* ---- candidates ---- */

#define ADVISED struct rc_answer_advised
static bool has_skeleton(const void *record)
{
    return ((const ADVISED *)record)->advised.skeleton > 0;
}

static void price_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const ADVISED *)record)->price);
}

const struct rc_field rc_answer_advised[] = {
    {RC_FIELD(ADVISED, TEXT, cluster), .key = "cluster"},
    {RC_FIELD(ADVISED, TEXT, hosts), .key = "hosts", .title = "hosts", .wrap = true},
    {RC_FIELD(ADVISED, INT64, advised.candidate.procs), .key = "procs", .title = "processes"},
    {RC_FIELD(ADVISED, SECONDS, advised.skeleton), .title = "skeleton"},
    {RC_FIELD(ADVISED, SECONDS, advised.mean), .key = "mean", .title = "expected"},
    {RC_FIELD(ADVISED, NUMBER, advised.predicted), .key = "predicted"},
    {RC_FIELD(ADVISED, SECONDS, advised.lo90), .key = "lo90", .title = "90 % from"},
    {RC_FIELD(ADVISED, SECONDS, advised.hi90), .key = "hi90", .title = "to"},
    {RC_FIELD(ADVISED, PERCENT, advised.miss), .key = "late", .title = "late"},
    {RC_FIELD(ADVISED, NUMBER, advised.core_hours), .key = "core_hours", .title = "core-hours",
     .digits = 3},
    {RC_FIELD(ADVISED, NUMBER, advised.price), .key = "price", .title = "price",
     .text = price_text},
    {RC_FIELD(ADVISED, BOOL, advised.in_time), .key = "in_time"},
    {RC_FIELD(ADVISED, BOOL, advised.in_budget), .key = "in_budget"},
    {RC_FIELD(ADVISED, NUMBER, advised.skeleton), .key = "skeleton_seconds", .when = has_skeleton},
    RC_FIELDS_END};

/* ---- methods ---- */

const char *const rc_answer_not_asked[RC_METHODS] = {[RC_METHOD_SKELETON] = "a skeleton"};

#define ADVISE struct rc_answer_advise
static json_t *methods_json(const void *record)
{
    const struct rc_method_report *methods = ((const ADVISE *)record)->advice.answer.methods;
    json_t *list = json_array();

    for (int m = 0; m < RC_METHODS; m++)
        if (methods[m].answered)
            json_array_append_new(list, rc_field_json(rc_answer_method_brief, &methods[m]));
    return list;
}

static json_t *not_asked_json(const void *record)
{
    json_t *list = json_array();

    for (int m = 0; m < RC_METHODS; m++)
        if (rc_answer_not_asked[m] && isnan(((const ADVISE *)record)->advice.original))
            json_array_append_new(list, rc_json_text(rc_predict_method_name((enum rc_method)m)));
    return list;
}

/* ---- the advice ---- */

static json_t *rounded_json(const void *record)
{
    double seconds = ((const ADVISE *)record)->advice.time_limit.seconds;

    return rc_json_number(rc_place_time_limit_round(seconds));
}

static const struct rc_field time_limit_fields[] = {
    {RC_FIELD(ADVISE, NUMBER, risk), .key = "risk"},
    {RC_FIELD(ADVISE, NUMBER, advice.time_limit.seconds), .key = "seconds"},
    {.kind = RC_AS_COMPUTED, .key = "rounded", .json = rounded_json},
    {RC_FIELD(ADVISE, NUMBER, advice.time_limit.own), .key = "by_draws"},
    {RC_FIELD(ADVISE, SIZE, advice.time_limit.n_past), .key = "record"},
    {RC_FIELD(ADVISE, BOOL, advice.time_limit.continued), .key = "continued"},
    RC_FIELDS_END};

static json_t *time_limit_json(const void *record)
{
    return rc_field_json(time_limit_fields, record);
}

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

const struct rc_field rc_answer_advise[] = {
    {RC_FIELD(ADVISE, TEXT, advice.question.app), .key = "app"},
    {RC_FIELD(ADVISE, NUMBER, advice.question.size), .key = "n"},
    {RC_FIELD(ADVISE, TEXT, advice.question.platform), .key = "platform"},
    {RC_FIELD(ADVISE, TEXT, advice.aim.currency), .key = "currency"},
    {RC_FIELD(ADVISE, NUMBER, advice.question.start), .key = "start"},
    {RC_FIELD(ADVISE, TEXT, objective), .key = "objective"},
    {RC_FIELD(ADVISE, NUMBER, advice.aim.deadline), .key = "deadline"},
    {RC_FIELD(ADVISE, NUMBER, advice.aim.confidence), .key = "confidence"},
    {RC_FIELD(ADVISE, NUMBER, advice.aim.budget), .key = "budget"},
    {RC_FIELD(ADVISE, SIZE, advice.search.n_all), .key = "candidates"},
    {.kind = RC_AS_COMPUTED, .key = "cpu_series", .json = cpu_series_json},
    {.kind = RC_AS_COMPUTED, .key = "bw_series", .json = bw_series_json},
    {.kind = RC_AS_COMPUTED, .key = "left_out", .json = left_out_json},
    {RC_FIELD(ADVISE, CHARS, advice.search.why), .key = "why"},
    {.kind = RC_AS_COMPUTED, .key = "families", .json = methods_json},
    {.kind = RC_AS_COMPUTED, .key = "not_asked", .json = not_asked_json},
    {.kind = RC_AS_COMPUTED, .key = "walltime", .json = time_limit_json},
    {RC_FIELD(ADVISE, INT64, advice.answer.id), .key = "id", .zero_is_null = true},
    {RC_FIELD_LIST_OF(ADVISE, list, advice.search.n_list), .key = "shortlist",
     .fields = rc_answer_advised},
    {RC_FIELD_LIST_OF(ADVISE, all, advice.search.n_all), .key = "looked_at",
     .fields = rc_answer_advised},
    {RC_FIELD(ADVISE, JSON, notes), .key = "notes"},
    RC_FIELDS_END};
