// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_fields.c - the fields of answers about regression models. */
#include "answer/fit_fields.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "model/regression/formula.h"
#include "model/regression/predictors.h"

#define SUMMARY struct rc_regression_error_summary
static const struct rc_field summary_fields[] = {
    {RC_FIELD(SUMMARY, NUMBER, median), .key = "ape_p50_fraction"},
    {RC_FIELD(SUMMARY, NUMBER, most), .key = "ape_p90_fraction"},
    RC_FIELDS_END};

/* ---- a model ---- */

#define FIT struct rc_answer_fit
static const struct rc_regression_model *model_of(const void *record)
{
    return ((const FIT *)record)->fitted.model;
}

static bool has_platform(const void *record)
{
    return ((const FIT *)record)->platform;
}

static const struct rc_field range_fields[] = {
    {RC_FIELD(struct rc_range, NUMBER, low), .key = "low"},
    {RC_FIELD(struct rc_range, NUMBER, high), .key = "high"},
    RC_FIELDS_END};

static json_t *range_json(struct rc_range range)
{
    return rc_field_json(range_fields, &range);
}

static json_t *runs_json(const void *record)
{
    return json_integer((json_int_t)model_of(record)->n_runs);
}

static json_t *killed_json(const void *record)
{
    return json_integer((json_int_t)model_of(record)->n_killed);
}

static json_t *sizes_json(const void *record)
{
    return range_json(model_of(record)->n);
}

static json_t *procs_json(const void *record)
{
    return range_json(model_of(record)->p);
}

static json_t *params_json(const void *record)
{
    const struct rc_regression_model *model = model_of(record);
    json_t *params = json_object();

    for (size_t i = 0; i < model->n_params; i++)
        rc_json_set(params, model->params[i], range_json(model->given[i]));
    return params;
}

#define MEMBER struct member
MEMBER
{
    const struct rc_regression_model *model;
    const struct rc_regression_member *member;
    double weight;
};

static json_t *formula_json(const void *record)
{
    const MEMBER *of = record;
    char *formula = rc_regression_formula(of->model, of->member);
    json_t *text = rc_json_text(formula ? formula : "");

    free(formula);
    return text;
}

static json_t *weight_json(const void *record)
{
    return rc_json_number(((const MEMBER *)record)->weight);
}

static json_t *error_json(const void *record)
{
    return rc_json_number(((const MEMBER *)record)->member->error);
}

static json_t *stat_json(const void *record)
{
    return rc_json_text(rc_regression_stat_name(((const MEMBER *)record)->member->stat));
}

static bool is_paper(const void *record)
{
    return ((const MEMBER *)record)->model->criterion == RC_REGRESSION_PAPER;
}

static bool is_default(const void *record)
{
    return !is_paper(record);
}

#define MEMBER_FIELD(key_, json_, type_)                                                           \
    .kind = RC_AS_COMPUTED, .key = key_, .json = json_, .type = type_
static const struct rc_field member_fields[] = {
    {MEMBER_FIELD("formula", formula_json, "string")},
    {MEMBER_FIELD("weight", weight_json, "number")},
    {MEMBER_FIELD("standard_error_s", error_json, "number"), .when = is_paper},
    {MEMBER_FIELD("error_fraction", error_json, "number"), .when = is_default},
    {MEMBER_FIELD("stat", stat_json, "string")},
    RC_FIELDS_END};

static json_t *members_json(const void *record)
{
    const struct rc_regression_model *model = model_of(record);
    struct rc_regression_formula *formulas = calloc(model->n_members, sizeof *formulas);
    size_t n = formulas ? rc_regression_formulas(model, formulas) : 0;
    json_t *array = json_array();

    for (size_t i = 0; i < n; i++) {
        const MEMBER of = {model, formulas[i].member, formulas[i].weight};

        json_array_append_new(array, rc_field_json(member_fields, &of));
    }
    free(formulas);
    return array;
}

/* What the runs do not vary, or lack. */
static json_t *gaps_json(const void *record)
{
    const struct rc_regression_gaps *gaps = &((const FIT *)record)->fitted.gaps;
    const struct {
        bool there;
        const char *name;
    } all[] = {{gaps->size, "size"},
               {gaps->procs, "procs"},
               {gaps->cpu, "cpu_availability"},
               {gaps->bw, "bandwidth"},
               {gaps->alone, "one_process"}};
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].there)
            json_array_append_new(list, json_string(all[i].name));
    return list;
}

#define NEXT struct rc_regression_suggestion
static const struct rc_field next_fields[] = {{RC_FIELD(NEXT, NUMBER, n), .key = "size"},
                                              {RC_FIELD(NEXT, NUMBER, p), .key = "procs"},
                                              {RC_FIELD(NEXT, NUMBER, seconds), .key = "time_s"},
                                              {RC_FIELD(NEXT, NUMBER, unsure),
                                               .key = "disagreement_fraction"},
                                              RC_FIELDS_END};

static json_t *next_json(const void *record)
{
    const struct rc_predict_fitted *fitted = &((const FIT *)record)->fitted;

    return rc_field_json_list(next_fields, fitted->suggestions, fitted->n_suggestions,
                              sizeof *fitted->suggestions);
}

static const char *const reach_names[] = {[RC_PREDICT_REACH_PLATFORM] = "platform",
                                          [RC_PREDICT_REACH_HOST] = "host",
                                          [RC_PREDICT_REACH_RUNS] = "runs"};

static json_t *reach_from_json(const void *record)
{
    return rc_json_text(reach_names[((const FIT *)record)->fitted.reach.from]);
}

static const struct rc_field predictor_fields[] = {
    {RC_FIELD(struct rc_regression_predictor, TEXT, name), .key = "name"},
    {RC_FIELD(struct rc_regression_predictor, NUMBER, weight), .key = "weight"},
    RC_FIELDS_END};

static json_t *predictors_json(const void *record)
{
    struct rc_regression_predictor predictors[RC_REGRESSION_PREDICTORS_MAX];
    size_t n = rc_regression_predictors(model_of(record), predictors);

    return rc_field_json_list(predictor_fields, predictors, n, sizeof *predictors);
}

#define LEFT_OUT struct rc_regression_left_out
static json_t *reason_json(const void *record)
{
    static const char *const reasons[] = {[RC_REGRESSION_SIMULATED] = "simulation",
                                          [RC_REGRESSION_CONSTANT] = "constant",
                                          [RC_REGRESSION_PARTLY] = "not_in_all_runs"};

    return rc_json_text(reasons[((const LEFT_OUT *)record)->reason]);
}

static const struct rc_field left_out_fields[] = {
    {RC_FIELD(LEFT_OUT, TEXT, name), .key = "name"},
    {.kind = RC_AS_COMPUTED, .key = "reason", .json = reason_json, .type = "string"},
    {RC_FIELD(LEFT_OUT, SIZE, n_runs), .key = "run_count"},
    RC_FIELDS_END};

static json_t *left_out_json(const void *record)
{
    const struct rc_predict_fitted *fitted = &((const FIT *)record)->fitted;

    return rc_field_json_list(left_out_fields, fitted->left_out, fitted->n_left_out,
                              sizeof *fitted->left_out);
}

static json_t *stored_json(const void *record)
{
    return json_boolean(((const FIT *)record)->fitted.id != 0);
}

const struct rc_field rc_answer_fit[] = {
    {RC_FIELD(FIT, TEXT, app), .key = "app"},
    {RC_FIELD(FIT, TEXT, platform), .key = "platform", .when = has_platform},
    {RC_FIELD(FIT, TEXT, criterion), .key = "criterion"},
    {.kind = RC_AS_COMPUTED, .key = "run_count", .json = runs_json, .type = "integer"},
    {.kind = RC_AS_COMPUTED, .key = "killed_run_count", .json = killed_json, .type = "integer"},
    {.kind = RC_AS_COMPUTED, .key = "size_range", .json = sizes_json, .fields = range_fields},
    {.kind = RC_AS_COMPUTED, .key = "procs_range", .json = procs_json, .fields = range_fields},
    {.kind = RC_AS_COMPUTED, .key = "param_ranges", .json = params_json, .type = "object"},
    {.kind = RC_AS_COMPUTED,
     .key = "predictors",
     .json = predictors_json,
     .type = "list",
     .fields = predictor_fields},
    {.kind = RC_AS_COMPUTED,
     .key = "left_out_params",
     .json = left_out_json,
     .type = "list",
     .fields = left_out_fields},
    {RC_FIELD(FIT, SIZE, fitted.n_silent), .key = "runs_without_cpu"},
    {.kind = RC_AS_COMPUTED,
     .key = "members",
     .json = members_json,
     .type = "list",
     .fields = member_fields},
    {RC_FIELD(FIT, OBJECT, fitted.errors), .key = "held_out", .fields = summary_fields},
    {.kind = RC_AS_COMPUTED, .key = "gaps", .json = gaps_json, .type = "strings"},
    {.kind = RC_AS_COMPUTED,
     .key = "suggestions",
     .json = next_json,
     .type = "list",
     .fields = next_fields},
    {RC_FIELD(FIT, INT64, fitted.reach.procs), .key = "suggested_procs_max"},
    {.kind = RC_AS_COMPUTED,
     .key = "suggested_procs_max_from",
     .json = reach_from_json,
     .type = "string"},
    {.kind = RC_AS_COMPUTED, .key = "stored", .json = stored_json, .type = "boolean"},
    {RC_FIELD(FIT, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- models of phases and processes ---- */

#define PART struct rc_answer_fit_part
static bool parts_have_platform(const void *record)
{
    return ((const struct rc_answer_parts *)record)->platform;
}

static void phase_text(const void *record, char *text, size_t size)
{
    const PART *part = record;

    snprintf(text, size, "%s", *part->phase ? part->phase : "all");
}

static json_t *process_json(const void *record)
{
    const PART *part = record;

    return part->process < 0 ? json_null() : json_integer(part->process);
}

static void process_text(const void *record, char *text, size_t size)
{
    const PART *part = record;

    snprintf(text, size, part->process < 0 ? "all" : "%d", part->process);
}

const struct rc_field rc_answer_fit_part[] = {
    {RC_FIELD(PART, TEXT, phase), .key = "phase", .title = "phase", .zero_is_null = true,
     .text = phase_text},
    {RC_FIELD(PART, INT, process), .key = "rank", .title = "process", .json = process_json,
     .type = "integer", .text = process_text},
    {RC_FIELD(PART, UINT64, runs), .key = "run_count", .title = "runs"},
    {RC_FIELD(PART, SIZE, members), .key = "member_count"},
    {RC_FIELD(PART, FIXED, errors.median), .title = "median APE", .scale = 100, .digits = 1,
     .unit = " %"},
    {RC_FIELD(PART, TEXT, formula), .key = "formula", .title = "run time (s)"},
    {RC_FIELD(PART, OBJECT, errors), .key = "held_out", .fields = summary_fields},
    RC_FIELDS_END};

#define PARTS struct rc_answer_parts
const struct rc_field rc_answer_parts[] = {
    {RC_FIELD(PARTS, TEXT, app), .key = "app"},
    {RC_FIELD(PARTS, TEXT, platform), .key = "platform", .when = parts_have_platform},
    {RC_FIELD(PARTS, TEXT, criterion), .key = "criterion"},
    {RC_FIELD_LIST_OF(PARTS, parts, n_parts), .key = "phases", .fields = rc_answer_fit_part},
    {RC_FIELD(PARTS, SIZE, left_out), .key = "phases_left_out"},
    {RC_FIELD(PARTS, BOOL, stored), .key = "stored"},
    {RC_FIELD(PARTS, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
