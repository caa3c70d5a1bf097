// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_fields.c - the fields of a prediction. */
#include "answer/predict_fields.h"

#include <stdlib.h>
#include <string.h>

#include "answer/model_fields.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "model/regression/formula.h"
#include "platform/hostlist.h"

const struct rc_field rc_answer_interval[] = {
    {RC_FIELD(struct rc_answer_interval, NUMBER, level), .key = "level"},
    {RC_FIELD(struct rc_answer_interval, NUMBER, low), .key = "low"},
    {RC_FIELD(struct rc_answer_interval, NUMBER, high), .key = "high"},
    RC_FIELDS_END};

json_t *rc_answer_interval_json(double level, double low, double high)
{
    const struct rc_answer_interval interval = {level, low, high};

    return rc_field_json(rc_answer_interval, &interval);
}

void rc_answer_interval_text(double low, double high, char *text, size_t size)
{
    char low_text[RC_UNIT_SIZE], high_text[RC_UNIT_SIZE];

    rc_unit_format(low, RC_SECONDS, low_text);
    rc_unit_format(high, RC_SECONDS, high_text);
    snprintf(text, size, "%s to %s", low_text, high_text);
}

json_t *rc_answer_hosts_json(const char *hosts)
{
    struct rc_hostlist list = {0};
    json_t *array = json_array();

    if (!hosts)
        return array;
    if (rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOST_FORECAST_HOSTS_MAX, &list, NULL))
        json_array_append_new(array, rc_json_text(hosts));
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(array, rc_json_text(list.names[i]));
    rc_platform_hostlist_free(&list);
    return array;
}

json_t *rc_answer_params_json(const struct rc_param *params, size_t n)
{
    json_t *object = json_object();

    for (size_t i = 0; i < n; i++)
        rc_json_set(object, params[i].name, rc_json_number(params[i].value));
    return object;
}

/* ---- methods ---- */

#define SUMMARY struct rc_predict_summary
static json_t *interval_json(const void *record)
{
    const SUMMARY *summary = record;

    return rc_answer_interval_json(0.9, summary->lo90, summary->hi90);
}

static const struct rc_field summary_fields[] = {{RC_FIELD(SUMMARY, NUMBER, predicted),
                                                  .key = "predicted_s"},
                                                 {RC_FIELD(SUMMARY, NUMBER, mean), .key = "mean_s"},
                                                 {RC_ANSWER_INTERVAL(interval_json)},
                                                 RC_FIELDS_END};

/* Before a recalibration, which moves the interval alone, and in brief. */
static const struct rc_field brief_fields[] = {{RC_FIELD(SUMMARY, NUMBER, predicted),
                                                .key = "predicted_s"},
                                               {RC_ANSWER_INTERVAL(interval_json)},
                                               RC_FIELDS_END};

#define RECORD struct rc_track_summary
static const struct rc_field record_fields[] = {
    {RC_FIELD(RECORD, SIZE, n), .key = "run_count"},
    {RC_FIELD(RECORD, NUMBER, error), .key = "mape_fraction"},
    {RC_FIELD(RECORD, NUMBER, held), .key = "coverage_fraction"},
    RC_FIELDS_END};

#define METHOD struct rc_method_report
static json_t *hint_json(const void *record)
{
    const char *hint = ((const METHOD *)record)->why.hint;

    return *hint ? rc_json_text(hint) : json_null();
}

static const struct rc_field method_fields[] = {
    {RC_FIELD(METHOD, TEXT, name), .key = "method"},
    {RC_FIELD(METHOD, NUMBER, weight), .key = "weight"},
    {RC_FIELD(METHOD, INLINE, answer.summary), .fields = summary_fields},
    {RC_FIELD(METHOD, NUMBER, factor), .key = "factor"},
    {RC_FIELD(METHOD, NUMBER, error), .key = "expected_error_fraction"},
    {RC_FIELD(METHOD, OBJECT, record), .key = "past_accuracy", .fields = record_fields},
    {RC_FIELD(METHOD, INT64, id), .key = "id", .zero_is_null = true},
    RC_FIELDS_END};

static const struct rc_field unavailable_fields[] = {
    {RC_FIELD(METHOD, TEXT, name), .key = "method"},
    {RC_FIELD(METHOD, CHARS, why.text), .key = "reason"},
    {.kind = RC_AS_COMPUTED, .key = "hint", .json = hint_json, .type = "string"},
    {RC_FIELD(METHOD, OBJECT, record), .key = "past_accuracy", .fields = record_fields},
    RC_FIELDS_END};

#define FOUND struct rc_predict_answer
static json_t *answered_json(const void *record)
{
    const FOUND *found = record;
    json_t *list = json_array();

    for (int m = 0; m < RC_METHODS; m++)
        if (found->methods[m].answered)
            json_array_append_new(list, rc_field_json(method_fields, &found->methods[m]));
    return list;
}

static json_t *unavailable_json(const void *record)
{
    const FOUND *found = record;
    json_t *list = json_array();

    for (int m = 0; m < RC_METHODS; m++)
        if (found->methods[m].asked && !found->methods[m].answered)
            json_array_append_new(list, rc_field_json(unavailable_fields, &found->methods[m]));
    return list;
}

const struct rc_field rc_answer_methods[] = {{.kind = RC_AS_COMPUTED,
                                              .key = "methods",
                                              .json = answered_json,
                                              .type = "list",
                                              .fields = method_fields},
                                             {.kind = RC_AS_COMPUTED,
                                              .key = "unavailable",
                                              .json = unavailable_json,
                                              .type = "list",
                                              .fields = unavailable_fields},
                                             RC_FIELDS_END};

/* ---- recalibration ---- */

struct recalibrated {
    struct rc_recalibration by;
    SUMMARY before;
};

const struct rc_field rc_answer_recalibration[] = {
    {RC_FIELD(struct recalibrated, SIZE, by.n), .key = "run_count"},
    {RC_FIELD(struct recalibrated, NUMBER, by.factor), .key = "factor"},
    {RC_FIELD(struct recalibrated, NUMBER, by.scale), .key = "interval_scale"},
    {RC_FIELD(struct recalibrated, NUMBER, by.low), .key = "low_shift_fraction"},
    {RC_FIELD(struct recalibrated, NUMBER, by.high), .key = "high_shift_fraction"},
    {RC_FIELD(struct recalibrated, OBJECT, before), .key = "before", .fields = brief_fields},
    RC_FIELDS_END};

json_t *rc_answer_recalibration_json(const struct rc_recalibration *learnt,
                                     const struct rc_predict_summary *own)
{
    const struct recalibrated both = {*learnt, *own};

    return learnt->n ? rc_field_json(rc_answer_recalibration, &both) : json_null();
}

/* ---- models ---- */

#define MODEL struct rc_regression_model
static json_t *formula_json(const void *record)
{
    const MODEL *model = record;
    char *formula = rc_regression_formula(model, &model->members[0]);
    json_t *text = rc_json_text(formula ? formula : "");

    free(formula);
    return text;
}

static json_t *stat_json(const void *record)
{
    return rc_json_text(rc_regression_stat_name(((const MODEL *)record)->members[0].stat));
}

static const struct rc_field regression_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "formula", .json = formula_json, .type = "string"},
    {.kind = RC_AS_COMPUTED, .key = "stat", .json = stat_json, .type = "string"},
    {RC_FIELD(MODEL, SIZE, n_members), .key = "member_count"},
    {RC_FIELD(MODEL, UINT64, n_runs), .key = "run_count"},
    {RC_FIELD(MODEL, UINT64, n_killed), .key = "killed_run_count"},
    RC_FIELDS_END};

static const struct rc_field parts_fields[] = {
    {RC_FIELD(struct rc_regression_parts, SIZE, left_out), .key = "phases_left_out"},
    RC_FIELDS_END};

#define SOURCE struct rc_predict_source
static const struct rc_field source_fields[] = {
    {RC_FIELD(SOURCE, BOOL, fitted), .key = "fitted"},
    {RC_FIELD(SOURCE, UINT64, learnt), .key = "new_runs"},
    {RC_FIELD(SOURCE, INT64, id), .key = "id", .zero_is_null = true},
    RC_FIELDS_END};

#define STRUCTURAL struct rc_answer_structural
static json_t *structural_recalibration_json(const void *record)
{
    const STRUCTURAL *structural = record;

    return rc_answer_recalibration_json(&structural->learnt, &structural->own);
}

static const struct rc_field structural_fields[] = {
    {RC_FIELD(STRUCTURAL, TEXT, name), .key = "name"},
    {RC_FIELD(STRUCTURAL, TEXT, section), .key = "section"},
    {RC_FIELD(STRUCTURAL, JSON, alternatives), .key = "alternatives", .type = "object"},
    {RC_FIELD(STRUCTURAL, JSON, omitted), .key = "omitted", .type = "strings"},
    {RC_FIELD(STRUCTURAL, NUMBER, error), .key = "expected_error_fraction"},
    {RC_FIELD(STRUCTURAL, JSON, set), .key = "set_inputs", .type = "object"},
    {RC_FIELD(STRUCTURAL, JSON, stated), .key = "stated_inputs", .type = "object"},
    {.kind = RC_AS_COMPUTED,
     .key = "recalibration",
     .json = structural_recalibration_json,
     .fields = rc_answer_recalibration},
    {RC_FIELD(STRUCTURAL, JSON, notes), .key = "notes", .type = "strings"},
    {RC_FIELD(STRUCTURAL, TIME, created), .key = "created"},
    {RC_FIELD(STRUCTURAL, INT64, id), .key = "id", .zero_is_null = true},
    RC_FIELDS_END};

/* A regression model, those of phases and processes, or a structural model. */
#define ANY struct any_model
ANY
{
    bool is_structural, is_parts;
    MODEL model;
    struct rc_regression_parts parts;
    SOURCE source;
    STRUCTURAL structural;
};

static bool is_structural(const void *record)
{
    return ((const ANY *)record)->is_structural;
}

static bool is_regression(const void *record)
{
    return !is_structural(record);
}

static bool is_one_model(const void *record)
{
    return is_regression(record) && !((const ANY *)record)->is_parts;
}

static bool is_parts(const void *record)
{
    return is_regression(record) && ((const ANY *)record)->is_parts;
}

static json_t *criterion_json(const void *record)
{
    const ANY *any = record;
    const MODEL *model = any->is_parts ? any->parts.parts[0].model : &any->model;

    return json_string(model->criterion == RC_REGRESSION_PAPER ? "paper" : "default");
}

static const struct rc_field model_fields[] = {
    {.kind = RC_AS_COMPUTED,
     .key = "criterion",
     .json = criterion_json,
     .type = "string",
     .when = is_regression},
    {RC_FIELD(ANY, INLINE, model), .fields = regression_fields, .when = is_one_model},
    {RC_FIELD(ANY, INLINE, parts), .fields = parts_fields, .when = is_parts},
    {RC_FIELD(ANY, INLINE, source), .fields = source_fields, .when = is_regression},
    {RC_FIELD(ANY, INLINE, structural), .fields = structural_fields, .when = is_structural},
    RC_FIELDS_END};

/* ---- phases and processes ---- */

#define PART struct rc_predict_part
static json_t *phase_json(const void *record)
{
    const char *phase = ((const PART *)record)->part->phase;

    return *phase ? rc_json_text(phase) : json_null();
}

static json_t *process_json(const void *record)
{
    int process = ((const PART *)record)->part->process;

    return process < 0 ? json_null() : json_integer(process);
}

/* "solve, process 3" */
static void part_text(const void *record, char *text, size_t size)
{
    const struct rc_regression_part *part = ((const PART *)record)->part;

    if (part->process < 0)
        snprintf(text, size, "%s", part->phase);
    else
        snprintf(text, size, "%.200s%sprocess %d", part->phase, *part->phase ? ", " : "",
                 part->process);
}

static json_t *part_formula_json(const void *record)
{
    return formula_json(((const PART *)record)->part->model);
}

static void part_formula_text(const void *record, char *text, size_t size)
{
    const MODEL *model = ((const PART *)record)->part->model;
    char *formula = rc_regression_formula(model, &model->members[0]);

    snprintf(text, size, "%s", formula ? formula : "");
    free(formula);
}

static json_t *part_runs_json(const void *record)
{
    return json_integer((json_int_t)((const PART *)record)->part->model->n_runs);
}

const struct rc_field rc_answer_predict_part[] = {
    {.kind = RC_AS_COMPUTED,
     .key = "phase",
     .title = "phase",
     .json = phase_json,
     .type = "string",
     .text = part_text},
    {.kind = RC_AS_COMPUTED, .key = "rank", .json = process_json, .type = "integer"},
    {RC_FIELD(PART, SECONDS, seconds), .key = "time_s", .title = "time"},
    {RC_FIELD(PART, FIXED, share), .key = "share", .title = "share", .scale = 100, .unit = " %"},
    {.kind = RC_AS_COMPUTED,
     .key = "formula",
     .title = "best model",
     .json = part_formula_json,
     .type = "string",
     .text = part_formula_text},
    {.kind = RC_AS_COMPUTED, .key = "run_count", .json = part_runs_json, .type = "integer"},
    RC_FIELDS_END};

/* ---- the prediction ---- */

#define PREDICT struct rc_answer_predict
static json_t *params_json(const void *record)
{
    const struct rc_question *question = &((const PREDICT *)record)->question;

    return rc_answer_params_json(question->params, question->n_params);
}

static json_t *sd_json(const void *record)
{
    return rc_json_number(rc_value_sd(((const PREDICT *)record)->value));
}

/* "p05_s" of 0.05, "p999_s" of 0.999: the decimals, at least two. */
static void name_quantile(double quantile, char name[RC_NUMBER_SIZE])
{
    size_t length;

    snprintf(name, RC_NUMBER_SIZE, "p%.9f", quantile);
    memmove(name + 1, name + 3, strlen(name + 3) + 1); /* without "0." */
    length = strlen(name);
    while (length > 3 && name[length - 1] == '0')
        name[--length] = '\0';
    strcat(name, "_s");
}

static json_t *quantiles_json(const void *record)
{
    const PREDICT *answer = record;
    json_t *object = json_object();

    for (size_t i = 0; i < answer->n_quantiles; i++) {
        char name[RC_NUMBER_SIZE];

        name_quantile(answer->quantiles[i], name);
        rc_json_set(object, name,
                    rc_json_number(rc_value_quantile(answer->value, answer->quantiles[i])));
    }
    return object;
}

static json_t *load_source_json(const void *record)
{
    static const char *const names[] = {"given", "forecast", "dedicated"};
    const PREDICT *answer = record;

    return json_string(answer->run_model ? names[answer->run_model->load]
                                         : answer->structural->load);
}

static bool has_forecast(const void *record)
{
    const struct rc_run_model *run_model = ((const PREDICT *)record)->run_model;

    return run_model && run_model->forecast;
}

static json_t *pace_json(const void *record)
{
    double pace = ((const PREDICT *)record)->pace;

    return rc_json_number(pace > 0 ? pace : 1);
}

#define FORECAST(kind, member) RC_FIELD(PREDICT, kind, facts.member), .when = has_forecast
static bool has_structural(const void *record)
{
    return ((const PREDICT *)record)->structural != NULL;
}

static json_t *structural_forecast_json(const void *record)
{
    const struct rc_scenario_facts *facts = &((const PREDICT *)record)->structural->facts;

    return facts->n_series ? rc_field_json(rc_answer_scenario_facts, facts) : json_null();
}

static json_t *assumed_json(const void *record)
{
    return json_incref(((const PREDICT *)record)->structural->assumed);
}

static const struct rc_field load_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "source", .json = load_source_json, .type = "string"},
    {RC_FIELD(PREDICT, NUMBER, summary.cpu), .key = "cpu_availability"},
    {RC_FIELD(PREDICT, NUMBER, summary.bw), .key = "bandwidth_bytes_per_s"},
    {FORECAST(SIZE, cpu_series), .key = "hosts_with_cpu_samples"},
    {FORECAST(SIZE, bw_series), .key = "links_with_bandwidth_samples"},
    {FORECAST(SIZE, n_missing), .key = "hosts_without_cpu_samples"},
    {FORECAST(TEXT, missing), .key = "host_without_cpu_samples"},
    {.kind = RC_AS_COMPUTED,
     .key = "host_speed_ratio",
     .json = pace_json,
     .type = "number",
     .when = has_forecast},
    {FORECAST(TIME, newest), .key = "newest_sample"},
    {FORECAST(NUMBER, seconds), .key = "horizon_s"},
    {FORECAST(BOOL, steady), .key = "constant_load_assumed"},
    {.kind = RC_AS_COMPUTED,
     .key = "forecast",
     .json = structural_forecast_json,
     .fields = rc_answer_scenario_facts,
     .when = has_structural},
    {.kind = RC_AS_COMPUTED,
     .key = "assumed",
     .json = assumed_json,
     .type = "strings",
     .when = has_structural},
    RC_FIELDS_END};

/* Null if several methods answered without regression, or a method that has no such load. */
static json_t *load_json(const void *record)
{
    const PREDICT *answer = record;

    return answer->run_model || answer->structural ? rc_field_json(load_fields, answer)
                                                   : json_null();
}

static json_t *model_json(const void *record)
{
    const PREDICT *answer = record;
    ANY any = {.is_structural = answer->structural != NULL};

    if (answer->structural) {
        any.structural = *answer->structural;
    } else if (answer->run_model) {
        any.source = *answer->run_model->source;
        any.is_parts = any.source.parts != NULL;
        if (any.is_parts)
            any.parts = *any.source.parts;
        else
            any.model = *any.source.model;
    } else {
        return json_null();
    }
    return rc_field_json(model_fields, &any);
}

static bool has_phases(const void *record)
{
    const PREDICT *answer = record;

    return answer->run_model && answer->run_model->source->parts;
}

static json_t *phases_json(const void *record)
{
    const struct rc_predict_parts *asked = &((const PREDICT *)record)->run_model->asked;

    return rc_field_json_list(rc_answer_predict_part, asked->parts, asked->n, sizeof *asked->parts);
}

/* Factors beyond the runs of the regression model, 1 within them. */
static json_t *param_factors_json(const void *record)
{
    const struct rc_run_model *run_model = record;
    json_t *params = json_object();

    for (size_t i = 0; i < run_model->model->n_params; i++)
        rc_json_set(params, run_model->model->params[i],
                    rc_json_number(run_model->beyond.params[i]));
    return params;
}

static const struct rc_field extrapolation_fields[] = {
    {RC_FIELD(struct rc_run_model, NUMBER, beyond.n), .key = "size_factor"},
    {RC_FIELD(struct rc_run_model, NUMBER, beyond.p), .key = "procs_factor"},
    {.kind = RC_AS_COMPUTED, .key = "param_factors", .json = param_factors_json, .type = "object"},
    RC_FIELDS_END};

static json_t *extrapolation_json(const void *record)
{
    const struct rc_run_model *run_model = ((const PREDICT *)record)->run_model;

    return run_model ? rc_field_json(extrapolation_fields, run_model) : json_null();
}

#define PROBE struct rc_answer_probe
static const struct rc_field probe_fields[] = {
    {RC_FIELD(PROBE, CHARS, skeleton), .key = "skeleton"},
    {RC_FIELD(PROBE, NUMBER, seconds), .key = "time_s"},
    {RC_FIELD(PROBE, NUMBER, startup), .key = "startup_time_s"},
    {RC_FIELD(PROBE, BOOL, is_short), .key = "too_short"},
    RC_FIELDS_END};

static json_t *probe_json(const void *record)
{
    const PROBE *probe = &((const PREDICT *)record)->probe;

    return probe->skeleton[0] ? rc_field_json(probe_fields, probe) : json_null();
}

#define HISTORY struct rc_predict_history
static const struct rc_field history_fields[] = {
    {RC_FIELD(HISTORY, SIZE, n_runs), .key = "run_count"},
    {RC_FIELD(HISTORY, SIZE, n_same), .key = "same_configuration_count"},
    {RC_FIELD(HISTORY, NUMBER, last), .key = "last_s"},
    {RC_FIELD(HISTORY, SIZE, n_killed), .key = "killed_run_count"},
    {RC_FIELD(HISTORY, BOOL, elsewhere), .key = "elsewhere"},
    RC_FIELDS_END};

static json_t *history_json(const void *record)
{
    const HISTORY *history = ((const PREDICT *)record)->history;

    return history ? rc_field_json(history_fields, history) : json_null();
}

static json_t *recalibration_json(const void *record)
{
    const PREDICT *answer = record;

    return rc_answer_recalibration_json(&answer->learnt, &answer->found.combined);
}

static json_t *answer_interval_json(const void *record)
{
    return interval_json(&((const PREDICT *)record)->summary);
}

static json_t *hosts_json(const void *record)
{
    return rc_answer_hosts_json(((const PREDICT *)record)->found.hosts);
}

static const struct rc_field past_fields[] = {
    {RC_FIELD(PREDICT, UINT64, predictions), .key = "interval_count"},
    {RC_FIELD(PREDICT, UINT64, held), .key = "covered_count"},
    RC_FIELDS_END};

static json_t *past_json(const void *record)
{
    return rc_field_json(past_fields, record);
}

/* The explanation of a structural model has these lists. */
static bool is_explained(const void *record)
{
    return ((const PREDICT *)record)->explained != NULL;
}

static json_t *explained_list(const void *record, const char *key)
{
    return json_incref(json_object_get(((const PREDICT *)record)->explained, key));
}

static json_t *explained_parts_json(const void *record)
{
    return explained_list(record, "components");
}

static json_t *explained_inputs_json(const void *record)
{
    return explained_list(record, "inputs");
}

const struct rc_field rc_answer_predict[] = {
    {RC_FIELD(PREDICT, TEXT, question.app), .key = "app"},
    {RC_FIELD(PREDICT, NUMBER, question.size), .key = "size"},
    {RC_FIELD(PREDICT, INT64, question.procs), .key = "procs"},
    {.kind = RC_AS_COMPUTED, .key = "params", .json = params_json, .type = "object"},
    {RC_FIELD(PREDICT, TEXT, question.platform), .key = "platform"},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = hosts_json, .type = "strings"},
    {RC_FIELD(PREDICT, JSON, defaults), .key = "defaults", .type = "strings"},
    {RC_FIELD(PREDICT, TIME, question.start), .key = "start"},
    {RC_FIELD(PREDICT, TIME, created), .key = "created"},
    {RC_FIELD(PREDICT, TEXT, method), .key = "method"},
    {RC_FIELD(PREDICT, NUMBER, summary.predicted), .key = "predicted_s"},
    {RC_FIELD(PREDICT, NUMBER, summary.mean), .key = "mean_s"},
    {.kind = RC_AS_COMPUTED, .key = "sd_s", .json = sd_json, .type = "number"},
    {.kind = RC_AS_COMPUTED,
     .key = "pNN_s",
     .pattern = "^p[0-9][0-9]+_s$",
     .json = quantiles_json,
     .type = "number"},
    {RC_ANSWER_INTERVAL(answer_interval_json)},
    {RC_FIELD(PREDICT, INLINE, time_limit), .fields = rc_answer_time_limit},
    {RC_FIELD(PREDICT, INLINE, found), .fields = rc_answer_methods},
    {.kind = RC_AS_COMPUTED, .key = "load", .json = load_json, .fields = load_fields},
    {.kind = RC_AS_COMPUTED, .key = "model", .json = model_json, .fields = model_fields},
    {.kind = RC_AS_COMPUTED,
     .key = "components",
     .json = explained_parts_json,
     .type = "objects",
     .when = is_explained},
    {.kind = RC_AS_COMPUTED,
     .key = "inputs",
     .json = explained_inputs_json,
     .type = "objects",
     .when = is_explained},
    {.kind = RC_AS_COMPUTED,
     .key = "phases",
     .json = phases_json,
     .type = "list",
     .fields = rc_answer_predict_part,
     .when = has_phases},
    {.kind = RC_AS_COMPUTED,
     .key = "extrapolation",
     .json = extrapolation_json,
     .fields = extrapolation_fields},
    {.kind = RC_AS_COMPUTED, .key = "history", .json = history_json, .fields = history_fields},
    {.kind = RC_AS_COMPUTED, .key = "probe", .json = probe_json, .fields = probe_fields},
    {.kind = RC_AS_COMPUTED,
     .key = "recalibration",
     .json = recalibration_json,
     .fields = rc_answer_recalibration},
    {.kind = RC_AS_COMPUTED, .key = "past_coverage", .json = past_json, .fields = past_fields},
    {RC_FIELD(PREDICT, INT64, id), .key = "id", .zero_is_null = true},
    {RC_FIELD(PREDICT, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
