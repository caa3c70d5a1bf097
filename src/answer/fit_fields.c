// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_fields.c - the fields of answers about regression models. */
#include "answer/fit_fields.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"

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

static json_t *range_json(struct rc_range range)
{
    return json_pack("{s:o, s:o}", "low", rc_json_number(range.low), "high",
                     rc_json_number(range.high));
}

static json_t *runs_json(const void *record)
{
    return json_integer((json_int_t)model_of(record)->n_runs);
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

static json_t *members_json(const void *record)
{
    const struct rc_regression_model *model = model_of(record);
    json_t *array = json_array();

    for (size_t i = 0; i < model->n_members; i++) {
        const struct rc_regression_member *member = &model->members[i];
        char *formula = rc_regression_formula(model, member);

        json_array_append_new(array,
                              json_pack("{s:o, s:o, s:o, s:s}", "formula",
                                        rc_json_text(formula ? formula : ""), "weight",
                                        rc_json_number(member->weight),
                                        model->criterion == RC_REGRESSION_PAPER ? "standard_error_s"
                                                                                : "error_fraction",
                                        rc_json_number(member->error), "load",
                                        rc_regression_stat_name(member->stat)));
        free(formula);
    }
    return array;
}

#define GAPS struct rc_regression_gaps
static const struct rc_field gap_fields[] = {{RC_FIELD(GAPS, BOOL, size), .key = "size"},
                                             {RC_FIELD(GAPS, BOOL, procs), .key = "procs"},
                                             {RC_FIELD(GAPS, BOOL, cpu), .key = "cpu"},
                                             {RC_FIELD(GAPS, BOOL, bw), .key = "bandwidth"},
                                             {RC_FIELD(GAPS, BOOL, alone), .key = "one_process"},
                                             RC_FIELDS_END};

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

static bool has_ignored(const void *record)
{
    return ((const FIT *)record)->fitted.partly;
}

static json_t *stored_json(const void *record)
{
    return json_boolean(((const FIT *)record)->fitted.id != 0);
}

const struct rc_field rc_answer_fit[] = {
    {RC_FIELD(FIT, TEXT, app), .key = "app"},
    {RC_FIELD(FIT, TEXT, platform), .key = "platform", .when = has_platform},
    {RC_FIELD(FIT, TEXT, criterion), .key = "criterion"},
    {.kind = RC_AS_COMPUTED, .key = "runs", .json = runs_json},
    {.kind = RC_AS_COMPUTED, .key = "size", .json = sizes_json},
    {.kind = RC_AS_COMPUTED, .key = "procs", .json = procs_json},
    {.kind = RC_AS_COMPUTED, .key = "params", .json = params_json},
    {RC_FIELD(FIT, TEXT, fitted.partly), .key = "ignored_param", .when = has_ignored},
    {RC_FIELD(FIT, SIZE, fitted.n_silent), .key = "runs_without_cpu"},
    {.kind = RC_AS_COMPUTED, .key = "members", .json = members_json},
    {RC_FIELD(FIT, OBJECT, fitted.errors), .key = "held_out", .fields = summary_fields},
    {RC_FIELD(FIT, OBJECT, fitted.gaps), .key = "gaps", .fields = gap_fields},
    {.kind = RC_AS_COMPUTED, .key = "suggestions", .json = next_json},
    {.kind = RC_AS_COMPUTED, .key = "stored", .json = stored_json},
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
    {RC_FIELD(PART, INT, process), .key = "process", .title = "process", .json = process_json,
     .text = process_text},
    {RC_FIELD(PART, UINT64, runs), .key = "runs", .title = "runs"},
    {RC_FIELD(PART, SIZE, members), .key = "members"},
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
    {RC_FIELD(PARTS, SIZE, left_out), .key = "left_out"},
    {RC_FIELD(PARTS, BOOL, stored), .key = "stored"},
    RC_FIELDS_END};
