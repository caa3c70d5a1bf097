// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_fields.c - the fields of a prediction. */
#include "answer/predict_fields.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"

json_t *rc_answer_params_json(const struct rc_param *params, size_t n)
{
    json_t *object = json_object();

    for (size_t i = 0; i < n; i++)
        rc_json_set(object, params[i].name, rc_json_number(params[i].value));
    return object;
}

/* ---- methods ---- */

#define SUMMARY struct rc_predict_summary
static const struct rc_field interval_fields[] = {{RC_FIELD(SUMMARY, NUMBER, predicted),
                                                   .key = "predicted"},
                                                  {RC_FIELD(SUMMARY, NUMBER, lo90), .key = "lo90"},
                                                  {RC_FIELD(SUMMARY, NUMBER, hi90), .key = "hi90"},
                                                  RC_FIELDS_END};

#define RECORD struct rc_track_summary
static const struct rc_field record_fields[] = {{RC_FIELD(RECORD, SIZE, n), .key = "runs"},
                                                {RC_FIELD(RECORD, NUMBER, error), .key = "error"},
                                                {RC_FIELD(RECORD, NUMBER, held), .key = "coverage"},
                                                RC_FIELDS_END};

#define METHOD struct rc_method_report
static bool has_answered(const void *record)
{
    return ((const METHOD *)record)->answered;
}

static bool is_silent(const void *record)
{
    return !has_answered(record);
}

static json_t *hint_json(const void *record)
{
    const char *hint = ((const METHOD *)record)->why.hint;

    return *hint ? rc_json_text(hint) : json_null();
}

#define ANSWERED(kind, member) RC_FIELD(METHOD, kind, member), .when = has_answered
const struct rc_field rc_answer_method[] = {
    {RC_FIELD(METHOD, TEXT, name), .key = "family"},
    {RC_FIELD(METHOD, BOOL, answered), .key = "answered"},
    {ANSWERED(NUMBER, answer.summary.predicted), .key = "predicted"},
    {ANSWERED(NUMBER, answer.summary.mean), .key = "mean"},
    {ANSWERED(NUMBER, answer.summary.lo90), .key = "lo90"},
    {ANSWERED(NUMBER, answer.summary.hi90), .key = "hi90"},
    {ANSWERED(NUMBER, factor), .key = "factor"},
    {ANSWERED(NUMBER, error), .key = "expected_error"},
    {ANSWERED(INT64, id), .key = "id", .zero_is_null = true},
    {RC_FIELD(METHOD, CHARS, why.text), .key = "why", .when = is_silent},
    {.kind = RC_AS_COMPUTED, .key = "hint", .json = hint_json, .when = is_silent},
    {RC_FIELD(METHOD, NUMBER, weight), .key = "weight"},
    {RC_FIELD(METHOD, OBJECT, record), .key = "record", .fields = record_fields},
    RC_FIELDS_END};

const struct rc_field rc_answer_method_brief[] = {
    {RC_FIELD(METHOD, TEXT, name), .key = "family"},
    {RC_FIELD(METHOD, INLINE, answer.summary), .fields = interval_fields},
    {RC_FIELD(METHOD, NUMBER, weight), .key = "weight"},
    RC_FIELDS_END};

/* ---- corrections ---- */

struct learnt {
    struct rc_recalibration by;
    SUMMARY own;
};

static const struct rc_field learnt_fields[] = {
    {RC_FIELD(struct learnt, SIZE, by.n), .key = "predictions"},
    {RC_FIELD(struct learnt, NUMBER, by.factor), .key = "factor"},
    {RC_FIELD(struct learnt, NUMBER, by.low), .key = "low"},
    {RC_FIELD(struct learnt, NUMBER, by.high), .key = "high"},
    {RC_FIELD(struct learnt, OBJECT, own), .key = "own", .fields = interval_fields},
    RC_FIELDS_END};

json_t *rc_answer_learnt_json(const struct rc_recalibration *learnt,
                              const struct rc_predict_summary *own)
{
    const struct learnt both = {*learnt, *own};

    return learnt->n ? rc_field_json(learnt_fields, &both) : json_null();
}

/* ---- models of runs ---- */

#define MODEL struct rc_regression_model
static json_t *criterion_json(const void *record)
{
    bool paper = ((const MODEL *)record)->criterion == RC_REGRESSION_PAPER;

    return json_string(paper ? "paper" : "default");
}

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

static const struct rc_field model_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "criterion", .json = criterion_json},
    {.kind = RC_AS_COMPUTED, .key = "formula", .json = formula_json},
    {.kind = RC_AS_COMPUTED, .key = "stat", .json = stat_json},
    {RC_FIELD(MODEL, SIZE, n_members), .key = "members"},
    {RC_FIELD(MODEL, UINT64, n_runs), .key = "runs"},
    RC_FIELDS_END};

static const struct rc_field parts_fields[] = {
    {RC_FIELD(struct rc_regression_parts, SIZE, left_out), .key = "left_out"}, RC_FIELDS_END};

#define SOURCE struct rc_predict_source
static const struct rc_field source_fields[] = {{RC_FIELD(SOURCE, BOOL, fitted), .key = "fitted"},
                                                {RC_FIELD(SOURCE, UINT64, learnt), .key = "learnt"},
                                                {RC_FIELD(SOURCE, INT64, id), .key = "id",
                                                 .zero_is_null = true},
                                                RC_FIELDS_END};

static json_t *source_json(const SOURCE *source)
{
    json_t *object;

    if (source->model) {
        object = rc_field_json(model_fields, source->model);
    } else {
        object = json_object();
        rc_json_set(object, "criterion", criterion_json(source->parts->parts[0].model));
        rc_field_add(object, parts_fields, source->parts);
    }
    rc_field_add(object, source_fields, source);
    return object;
}

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
     .title = "part",
     .json = phase_json,
     .text = part_text},
    {.kind = RC_AS_COMPUTED, .key = "process", .json = process_json},
    {RC_FIELD(PART, SECONDS, seconds), .key = "seconds", .title = "time"},
    {RC_FIELD(PART, FIXED, share), .key = "share", .title = "share", .scale = 100, .unit = " %"},
    {.kind = RC_AS_COMPUTED,
     .key = "formula",
     .title = "best of its models",
     .json = part_formula_json,
     .text = part_formula_text},
    {.kind = RC_AS_COMPUTED, .key = "runs", .json = part_runs_json},
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

static json_t *quantiles_json(const void *record)
{
    const PREDICT *answer = record;
    json_t *object = json_object();

    for (size_t i = 0; i < answer->n_percents; i++) {
        double percent = answer->percents[i];
        char name[RC_NUMBER_SIZE];

        rc_number_format(percent, name);
        rc_json_set(object, name, rc_json_number(rc_value_quantile(answer->value, percent / 100)));
    }
    return object;
}

static json_t *load_source_json(const void *record)
{
    static const char *const names[] = {"given", "forecast", "dedicated"};

    return json_string(names[((const PREDICT *)record)->run_model->load]);
}

static bool has_forecast(const void *record)
{
    return ((const PREDICT *)record)->run_model->forecast != NULL;
}

static json_t *pace_json(const void *record)
{
    double pace = ((const PREDICT *)record)->pace;

    return rc_json_number(pace > 0 ? pace : 1);
}

#define FORECAST(kind, member) RC_FIELD(PREDICT, kind, facts.member), .when = has_forecast
static const struct rc_field load_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "source", .json = load_source_json},
    {RC_FIELD(PREDICT, NUMBER, summary.cpu), .key = "cpu"},
    {RC_FIELD(PREDICT, NUMBER, summary.bw), .key = "bw"},
    {FORECAST(SIZE, cpu_series), .key = "cpu_series"},
    {FORECAST(SIZE, bw_series), .key = "bw_series"},
    {FORECAST(TEXT, missing), .key = "missing"},
    {FORECAST(SIZE, n_missing), .key = "n_missing"},
    {.kind = RC_AS_COMPUTED, .key = "pace", .json = pace_json, .when = has_forecast},
    {FORECAST(NUMBER, newest), .key = "newest"},
    {FORECAST(NUMBER, seconds), .key = "horizon"},
    {FORECAST(BOOL, steady), .key = "steady"},
    RC_FIELDS_END};

static json_t *load_json(const void *record)
{
    const PREDICT *answer = record;

    if (answer->run_model)
        return rc_field_json(load_fields, answer);
    return answer->structural_load ? json_incref(answer->structural_load) : json_null();
}

static json_t *model_json(const void *record)
{
    const PREDICT *answer = record;

    if (answer->run_model)
        return source_json(answer->run_model->source);
    return answer->structural_model ? json_incref(answer->structural_model) : json_null();
}

static bool is_regression(const void *record)
{
    return ((const PREDICT *)record)->run_model != NULL;
}

static bool has_parts(const void *record)
{
    return is_regression(record) && ((const PREDICT *)record)->run_model->source->parts;
}

static json_t *parts_json(const void *record)
{
    const struct rc_predict_parts *asked = &((const PREDICT *)record)->run_model->asked;

    return rc_field_json_list(rc_answer_predict_part, asked->parts, asked->n, sizeof *asked->parts);
}

static json_t *beyond_json(const void *record)
{
    const struct rc_run_model *run_model = ((const PREDICT *)record)->run_model;
    const struct rc_regression_beyond *beyond = &run_model->beyond;
    json_t *object = json_object();

    rc_json_set(object, "n", rc_json_number(beyond->n));
    rc_json_set(object, "p", rc_json_number(beyond->p));
    for (size_t i = 0; i < run_model->model->n_params; i++)
        rc_json_set(object, run_model->model->params[i], rc_json_number(beyond->params[i]));
    return object;
}

#define PROBE struct rc_answer_probe
static const struct rc_field probe_fields[] = {{RC_FIELD(PROBE, CHARS, skeleton),
                                                .key = "skeleton"},
                                               {RC_FIELD(PROBE, NUMBER, seconds), .key = "seconds"},
                                               {RC_FIELD(PROBE, BOOL, is_short), .key = "short"},
                                               RC_FIELDS_END};

static json_t *probe_json(const void *record)
{
    const PROBE *probe = &((const PREDICT *)record)->probe;

    return probe->skeleton[0] ? rc_field_json(probe_fields, probe) : json_null();
}

static json_t *methods_json(const void *record)
{
    const struct rc_method_report *methods = ((const PREDICT *)record)->found.methods;
    json_t *list = json_array();

    for (int m = 0; m < RC_METHODS; m++)
        if (methods[m].asked)
            json_array_append_new(list, rc_field_json(rc_answer_method, &methods[m]));
    return list;
}

static json_t *learnt_json(const void *record)
{
    const PREDICT *answer = record;

    return rc_answer_learnt_json(&answer->learnt, &answer->found.combined);
}

static const struct rc_field history_fields[] = {{RC_FIELD(PREDICT, UINT64, predictions),
                                                  .key = "predictions"},
                                                 {RC_FIELD(PREDICT, UINT64, held), .key = "held"},
                                                 RC_FIELDS_END};

static json_t *history_json(const void *record)
{
    return rc_field_json(history_fields, record);
}

static const struct rc_field asked_fields[] = {
    {RC_FIELD(PREDICT, TEXT, question.app), .key = "app"},
    {RC_FIELD(PREDICT, TEXT, method), .key = "family"},
    {RC_FIELD(PREDICT, TEXT, question.platform), .key = "platform"},
    {RC_FIELD(PREDICT, NUMBER, question.size), .key = "n"},
    {RC_FIELD(PREDICT, INT64, question.procs), .key = "p"},
    {.kind = RC_AS_COMPUTED, .key = "params", .json = params_json},
    {RC_FIELD(PREDICT, TEXT, found.hosts), .key = "hosts"},
    {RC_FIELD(PREDICT, NUMBER, question.start), .key = "start"},
    {RC_FIELD(PREDICT, NUMBER, summary.predicted), .key = "predicted"},
    {RC_FIELD(PREDICT, NUMBER, summary.mean), .key = "mean"},
    {.kind = RC_AS_COMPUTED, .key = "sd", .json = sd_json},
    {RC_FIELD(PREDICT, NUMBER, summary.lo90), .key = "lo90"},
    {RC_FIELD(PREDICT, NUMBER, summary.hi90), .key = "hi90"},
    {.kind = RC_AS_COMPUTED, .key = "quantiles", .json = quantiles_json},
    {.kind = RC_AS_COMPUTED, .key = "load", .json = load_json},
    {.kind = RC_AS_COMPUTED, .key = "model", .json = model_json},
    RC_FIELDS_END};

static const struct rc_field rest_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "parts", .json = parts_json, .when = has_parts},
    {.kind = RC_AS_COMPUTED, .key = "beyond", .json = beyond_json, .when = is_regression},
    {.kind = RC_AS_COMPUTED, .key = "probe", .json = probe_json},
    {.kind = RC_AS_COMPUTED, .key = "families", .json = methods_json},
    {.kind = RC_AS_COMPUTED, .key = "learnt", .json = learnt_json},
    {.kind = RC_AS_COMPUTED, .key = "history", .json = history_json},
    {RC_FIELD(PREDICT, INT64, id), .key = "id", .zero_is_null = true},
    {RC_FIELD(PREDICT, JSON, notes), .key = "notes"},
    RC_FIELDS_END};

json_t *rc_answer_predict_json(const struct rc_answer_predict *answer)
{
    json_t *object = rc_field_json(asked_fields, answer);

    if (answer->explained)
        json_object_update(object, answer->explained);
    rc_field_add(object, rest_fields, answer);
    return object;
}
