// SPDX-License-Identifier: GPL-3.0-or-later
/* structural_show.c - the answer of a structural model in 'runcast predict'. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/model/model.h"
#include "cmd/predict/predict.h"
#include "predict/structural_prediction.h"

static const char *const load_names[] = {
    [RC_PREDICT_STRUCTURAL_GIVEN] = "given",
    [RC_PREDICT_STRUCTURAL_FORECAST] = "forecast",
    [RC_PREDICT_STRUCTURAL_SERIES] = "series",
    [RC_PREDICT_STRUCTURAL_STATED] = "stated",
};

int rc_cmd_predict_structure_fail(const struct rc_cmd_answer *answer, const struct rc_error *error)
{
    struct rc_cmd_model_work work = {.model = answer->structural->source.model};

    snprintf(work.doing_text, sizeof work.doing_text, "predicting %.100s", answer->options->app);
    work.doing = work.doing_text;
    return rc_cmd_model_fail(&work, error);
}

/* ---- text ---- */

static void print_forecast(const struct rc_scenario_facts *facts)
{
    char when[RC_TIME_SIZE], span[RC_UNIT_SIZE], run[RC_UNIT_SIZE];

    rc_timestamp_format(facts->newest, when);
    rc_unit_format(facts->seconds, RC_SECONDS, span);
    rc_unit_format(facts->run, RC_SECONDS, run);
    printf("load: forecast from %zu series, samples up to %s\n", facts->n_series, when);
    if (!rc_cmd_model_covers(facts))
        printf("constant load assumed: after %s of a run of %s\n", span, run);
    if (facts->steady)
        printf("constant load assumed: too few samples to forecast changes\n");
}

static void print_load(const struct rc_predict_structural *structural)
{
    size_t n;

    switch (structural->load) {
    case RC_PREDICT_STRUCTURAL_GIVEN:
        printf("load: given\n");
        break;
    case RC_PREDICT_STRUCTURAL_FORECAST:
        print_forecast(&structural->facts);
        break;
    case RC_PREDICT_STRUCTURAL_SERIES:
        printf("load: recent samples of the series in the model\n");
        break;
    case RC_PREDICT_STRUCTURAL_STATED:
        printf("load: values in the model\n");
        break;
    }
    if (rc_structural_binding_unknown(structural->binding, &n) && n > 0)
        printf("unknown load: %zu input%s with a default of the model, which may be far off\n", n,
               n == 1 ? "" : "s");
}

/* "alternatives: Slave = benchmark, Scatter = sequential" */
static void print_alternatives(const struct rc_predict_structural *structural)
{
    const struct rc_task *tasks;
    size_t n, shown = 0;

    tasks = rc_structural_binding_tasks(structural->binding, &n);
    for (size_t i = 0; i < n; i++)
        if (!tasks[i].omitted && tasks[i].chosen >= 0)
            printf("%s%s = %s", shown++ ? ", " : "alternatives: ", tasks[i].name,
                   tasks[i].alternatives[tasks[i].chosen].item->alternative);
    if (shown)
        printf("\n");
    for (size_t i = shown = 0; i < n; i++)
        if (tasks[i].omitted)
            printf("%s%s", shown++ ? ", " : "tasks left out: ", tasks[i].name);
    if (shown)
        printf("\n");
}

static void print_correction(const struct rc_predict_structural *structural)
{
    const struct rc_predict_summary *own = &structural->own;
    char times[3][RC_UNIT_SIZE], factor[RC_NUMBER_SIZE];

    if (structural->learnt.n == 0)
        return;
    rc_number_format_short(structural->learnt.factor, 3, factor);
    rc_unit_format(own->predicted, RC_SECONDS, times[0]);
    rc_unit_format(own->lo90, RC_SECONDS, times[1]);
    rc_unit_format(own->hi90, RC_SECONDS, times[2]);
    printf("recalibration: factor %s, by %zu earlier run%s; before: %s (90 %%: %s to %s)\n", factor,
           structural->learnt.n, structural->learnt.n == 1 ? "" : "s", times[0], times[1],
           times[2]);
}

void rc_cmd_predict_structure_notes(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_structural *structural = answer->structural;

    rc_cmd_model_notes(structural->binding);
    rc_cmd_model_note_measured(structural->binding);
    if (structural->negative)
        rc_cmd_note("the model computes times below 0; check its inputs for negative values");
}

int rc_cmd_predict_structure_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_structural *structural = answer->structural;
    char title[160], percent[RC_NUMBER_SIZE];

    print_load(structural);
    printf("model: %s", rc_cmd_model_title(structural->binding, title));
    if (structural->error > 0) {
        rc_number_format_short(100 * structural->error, 2, percent);
        printf(" (expected APE %s %%)", percent);
    } else {
        printf(" (exact, as the model states)");
    }
    printf("\n");
    print_alternatives(structural);
    print_correction(structural);
    if (answer->asked != RC_METHOD_STRUCTURAL || !answer->options->explain)
        return 0;
    printf("\n");
    return rc_cmd_model_explain_show(structural->binding, answer->start, &structural->explanation)
               ? rc_error_no_memory(error)
               : 0;
}

/* ---- JSON ---- */

json_t *rc_cmd_predict_structure_load_json(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_structural *structural = answer->structural;
    json_t *object = json_object();

    rc_json_set(object, "source", rc_json_text(load_names[structural->load]));
    rc_json_set(object, "cpu_availability", json_null());
    rc_json_set(object, "bandwidth_bytes_per_s", json_null());
    rc_json_set(object, "forecast", rc_cmd_model_facts_json(&structural->facts));
    rc_json_set(object, "assumed", rc_cmd_model_unknown_json(structural->binding));
    return object;
}

json_t *rc_cmd_predict_structure_explain(const struct rc_cmd_answer *answer)
{
    json_t *object = json_object();

    if (answer->asked == RC_METHOD_STRUCTURAL && answer->options->explain)
        rc_cmd_model_explain_json(object, answer->structural->binding,
                                  &answer->structural->explanation);
    return object;
}

json_t *rc_cmd_predict_structure_json(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_structural *structural = answer->structural;
    const struct rc_structural *source = &structural->source;
    json_t *object = json_object(), *omitted = json_array();

    rc_json_set(object, "name", rc_json_text(source->model->name));
    rc_json_set(object, "platform_section",
                source->section < 0 ? json_null()
                                    : rc_json_text(source->model->sections[source->section].name));
    rc_json_set(object, "alternatives",
                rc_cmd_model_alternatives_json(structural->binding, omitted));
    rc_json_set(object, "omitted", omitted);
    rc_json_set(object, "expected_error_fraction", rc_json_number(structural->error));
    rc_json_set(object, "set", rc_answer_params_json(structural->given, structural->n_given));
    rc_json_set(object, "inputs",
                rc_answer_params_json(structural->assumed, structural->n_assumed));
    rc_json_set(object, "recalibration",
                rc_answer_recalibration_json(&structural->learnt, &structural->own));
    rc_json_set(object, "notes", rc_cmd_model_notes_json(structural->binding));
    rc_json_set(object, "created", rc_answer_time_json(source->made));
    rc_json_set(object, "id", json_integer(source->id));
    return object;
}
