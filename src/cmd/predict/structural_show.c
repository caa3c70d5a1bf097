// SPDX-License-Identifier: GPL-3.0-or-later
/* structural_show.c - what 'runcast predict' shows of a structural model that answers. */
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

/* ---- for people ---- */

static void print_forecast(const struct rc_scenario_facts *facts)
{
    char when[RC_TIME_SIZE], span[RC_UNIT_SIZE], run[RC_UNIT_SIZE];

    rc_timestamp_format(facts->newest, when);
    rc_unit_format(facts->seconds, RC_SECONDS, span);
    rc_unit_format(facts->run, RC_SECONDS, run);
    if (rc_cmd_model_covers(facts))
        printf("load    foreseen for the time of the run, from %zu series, samples up to %s\n",
               facts->n_series, when);
    else
        printf("load    foreseen for %s of a run of %s, from %zu series, samples up to %s\n"
               "        from then on it is taken to stay\n",
               span, run, facts->n_series, when);
    if (facts->steady)
        printf("        taken to stay as it is: the past is too short to know how it changes\n");
}

static void print_load(const struct rc_predict_structural *structural)
{
    size_t n;

    switch (structural->load) {
    case RC_PREDICT_STRUCTURAL_GIVEN:
        printf("load    as given\n");
        break;
    case RC_PREDICT_STRUCTURAL_FORECAST:
        print_forecast(&structural->facts);
        break;
    case RC_PREDICT_STRUCTURAL_SERIES:
        printf("load    as it was lately, by the series that the model names\n");
        break;
    case RC_PREDICT_STRUCTURAL_STATED:
        printf("load    what the model itself states\n");
        break;
    }
    if (rc_structural_binding_unknown(structural->binding, &n) && n > 0)
        printf("        nothing is known of the load of %zu input%s: what the model says instead "
               "may be far off\n",
               n, n == 1 ? "" : "s");
}

/* "Slave by benchmark, Scatter by sequential" */
static void print_alternatives(const struct rc_predict_structural *structural)
{
    const struct rc_task *tasks;
    size_t n, shown = 0;

    tasks = rc_structural_binding_tasks(structural->binding, &n);
    for (size_t i = 0; i < n; i++)
        if (!tasks[i].omitted && tasks[i].chosen >= 0)
            printf("%s%s by %s", shown++ ? ", " : "        ", tasks[i].name,
                   tasks[i].alternatives[tasks[i].chosen].item->alternative);
    if (shown)
        printf("\n");
    for (size_t i = shown = 0; i < n; i++)
        if (tasks[i].omitted)
            printf("%s%s",
                   shown++ ? ", " : "        left out, as small by the profile: ", tasks[i].name);
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
    printf("learnt  times %s, by how %zu earlier predictions fared; the model itself says %s "
           "(90 %%: %s to %s)\n",
           factor, structural->learnt.n, times[0], times[1], times[2]);
}

void rc_cmd_predict_structure_notes(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_structural *structural = answer->structural;

    rc_cmd_model_notes(structural->binding);
    rc_cmd_model_note_measured(structural->binding);
    if (structural->negative)
        rc_cmd_note("the model comes to times below 0, which no run takes: an input may be "
                    "negative");
}

int rc_cmd_predict_structure_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_structural *structural = answer->structural;
    char title[160], percent[RC_NUMBER_SIZE];

    print_load(structural);
    printf("model   %s", rc_cmd_model_title(structural->binding, title));
    if (structural->error > 0) {
        rc_number_format_short(100 * structural->error, 2, percent);
        printf(", expected to err by %s %%", percent);
    } else {
        printf(", taken to be exact, as it states");
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

/* ---- for programs ---- */

json_t *rc_cmd_predict_structure_load_json(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_structural *structural = answer->structural;
    json_t *object = json_object();

    rc_json_set(object, "source", rc_json_text(load_names[structural->load]));
    rc_json_set(object, "cpu", json_null());
    rc_json_set(object, "bw", json_null());
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
    rc_json_set(object, "on",
                source->section < 0 ? json_null()
                                    : rc_json_text(source->model->sections[source->section].name));
    rc_json_set(object, "ways", rc_cmd_model_alternatives_json(structural->binding, omitted));
    rc_json_set(object, "omitted", omitted);
    rc_json_set(object, "expected_error", rc_json_number(structural->error));
    rc_json_set(object, "set", rc_answer_params_json(structural->given, structural->n_given));
    rc_json_set(object, "inputs",
                rc_answer_params_json(structural->assumed, structural->n_assumed));
    rc_json_set(object, "learnt", rc_answer_learnt_json(&structural->learnt, &structural->own));
    rc_json_set(object, "notes", rc_cmd_model_notes_json(structural->binding));
    rc_json_set(object, "made", rc_json_number(source->made));
    rc_json_set(object, "id", json_integer(source->id));
    return object;
}
