// SPDX-License-Identifier: GPL-3.0-or-later
/* structural_show.c - the answer of a structural model in 'runcast predict'. */
#include <math.h>
#include <string.h>

#include "base/error.h"
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
    printf(
        "recalibration: factor %s, by %zu earlier run%s; before: %s (90 %% interval: %s to %s)\n",
        factor, structural->learnt.n, structural->learnt.n == 1 ? "" : "s", times[0], times[1],
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

json_t *rc_cmd_predict_structure_explain(const struct rc_cmd_answer *answer)
{
    json_t *object = NULL;

    if (answer->asked == RC_METHOD_STRUCTURAL && answer->options->explain) {
        object = json_object();
        rc_cmd_model_explain_json(object, answer->structural->binding,
                                  &answer->structural->explanation);
    }
    return object;
}

struct rc_answer_structural rc_cmd_predict_structure_make(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_structural *structural = answer->structural;
    const struct rc_structural *source = &structural->source;
    struct rc_answer_structural made = {
        .load = load_names[structural->load],
        .facts = structural->facts,
        .assumed = rc_cmd_model_unknown_json(structural->binding),
        .name = source->model->name,
        .section = source->section < 0 ? NULL : source->model->sections[source->section].name,
        .omitted = json_array(),
        .set = rc_answer_params_json(structural->given, structural->n_given),
        .stated = rc_answer_params_json(structural->assumed, structural->n_assumed),
        .notes = rc_cmd_model_notes_json(structural->binding),
        .error = structural->error,
        .learnt = structural->learnt,
        .own = structural->own,
        .created = source->made,
        .id = source->id};

    made.alternatives = rc_cmd_model_alternatives_json(structural->binding, made.omitted);
    return made;
}

void rc_cmd_predict_structure_free(struct rc_answer_structural *made)
{
    json_decref(made->assumed);
    json_decref(made->alternatives);
    json_decref(made->omitted);
    json_decref(made->set);
    json_decref(made->stated);
    json_decref(made->notes);
}
