// SPDX-License-Identifier: GPL-3.0-or-later
/* model_notes.c - what commands of 'runcast model' say of a model besides their answers: failures with hints, the
 * forecast load, notes on inputs. */
#include <string.h>

#include "answer/model_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/core/hints.h"
#include "cmd/model/model.h"
#include "model/structural/measured_inputs.h"

/* ---- failing ---- */

/* If an error asks to measure an input that was measured on another platform, or differently, the
 * hint names that. */
static void mend_hint(const struct rc_model *model, struct rc_error *error)
{
    static const char measures[] = "measure it with 'runcast model measure', or ";
    const struct rc_model_measured *measured = model ? model->measured : NULL;
    char hint[RC_HINT_SIZE], rest[sizeof error->hint];

    rc_cmd_hint(error, hint);
    if (!measured || strncmp(hint, measures, strlen(measures)) != 0)
        return;
    snprintf(rest, sizeof rest, "%.80s", hint + strlen(measures));
    if (measured->elsewhere)
        rc_error_hint(error,
                      "name the platform with --platform-file, as inputs of %.60s were measured "
                      "on %.60s; or %s",
                      model->app, measured->elsewhere, rest);
    else if (measured->n_left)
        rc_error_hint(error,
                      "measure it with 'runcast model measure', as the model has changed how %zu "
                      "input%s measured; or %s",
                      measured->n_left, measured->n_left == 1 ? " is" : "s are", rest);
}

int rc_cmd_model_fail(const struct rc_cmd_model_work *work, const struct rc_error *error)
{
    const size_t length = strlen(RC_SETTING_FILE);
    const bool set = strncmp(error->file, RC_SETTING_FILE, length) == 0;
    struct rc_error mended = *error;
    int status;

    mend_hint(work->model, &mended);
    if (set) /* the option that has the assignment */
        snprintf(mended.file, sizeof mended.file, "--set %.*s", (int)sizeof mended.file - 8,
                 error->file + length);
    status = rc_cmd_fail(&mended, "%s", work->doing);
    if (set)
        rc_cmd_show_caret(error->file + length, error);
    for (size_t i = 0; work->model && i < work->model->n_files; i++)
        if (strcmp(work->model->files[i].name, error->file) == 0) {
            rc_cmd_show_caret(work->model->files[i].text, error);
            break;
        }
    return status;
}

/* ---- forecast load ---- */

json_t *rc_cmd_model_facts_json(const struct rc_scenario_facts *facts)
{
    return facts->n_series ? rc_field_json(rc_answer_scenario_facts, facts) : json_null();
}

void rc_cmd_model_show_facts(const struct rc_scenario_facts *facts)
{
    char newest[RC_TIME_SIZE], span[RC_UNIT_SIZE], run[RC_UNIT_SIZE];

    if (facts->n_series == 0)
        return;
    rc_timestamp_format(facts->newest, newest);
    rc_unit_format(facts->seconds, RC_SECONDS, span);
    rc_unit_format(facts->run, RC_SECONDS, run);
    printf("\nforecast: %zu series, until %s; ", facts->n_series, newest);
    if (facts->steady)
        printf("their history is too short, so constant values are assumed\n");
    else if (rc_cmd_model_covers(facts))
        printf("horizon %s\n", span);
    else
        printf("horizon %s of a run of %s; constant values are assumed after that\n", span, run);
}

bool rc_cmd_model_covers(const struct rc_scenario_facts *facts)
{
    return facts->steady || facts->seconds >= facts->run;
}

/* ---- inputs ---- */

json_t *rc_cmd_model_unknown_json(const struct rc_binding *binding)
{
    json_t *list = json_array();
    const char *const *names;
    size_t n;

    names = rc_structural_binding_unknown(binding, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, rc_json_text(names[i]));
    return list;
}

void rc_cmd_model_note_advice(enum rc_note_kind kind, char text[RC_NOTE_SIZE])
{
    if (kind == RC_NOTE_FEW_PROCESSES)
        rc_text_append(text, RC_NOTE_SIZE, "; choose hosts with --hosts");
}

/* Note `index` of the binding, with advice; false if there are no more. */
static bool find_note(const struct rc_binding *binding, size_t index, char text[RC_NOTE_SIZE])
{
    enum rc_note_kind kind = rc_structural_binding_note(binding, index, text);

    rc_cmd_model_note_advice(kind, text);
    return kind != RC_NOTE_NONE;
}

json_t *rc_cmd_model_notes_json(const struct rc_binding *binding)
{
    json_t *list = json_array();
    char text[RC_NOTE_SIZE];

    for (size_t i = 0; find_note(binding, i, text); i++)
        json_array_append_new(list, rc_json_text(text));
    return list;
}

static void note_unknown(const struct rc_binding *binding)
{
    const struct rc_item *item;
    const char *const *names;
    char name[RC_MODEL_NAME_MAX + 1], more[40] = "";
    size_t n;

    names = rc_structural_binding_unknown(binding, &n);
    if (n == 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(names[0], "["), names[0]);
    item = rc_structural_binding_find_item(binding, name);
    if (n > 1)
        snprintf(more, sizeof more, " and %zu more", n - 1);
    rc_cmd_note(
        "the database has no recent series '%s' for %s%s; the model's 'else' values are used",
        item && item->metric ? item->metric : "", names[0], more);
}

void rc_cmd_model_notes(const struct rc_binding *binding)
{
    char text[RC_NOTE_SIZE];

    note_unknown(binding);
    for (size_t i = 0; find_note(binding, i, text); i++)
        rc_cmd_note("%s", text);
}

void rc_cmd_model_note_left(size_t n)
{
    if (n)
        rc_cmd_note("%zu measured input%s ignored: the model has changed how %s measured", n,
                    n == 1 ? "" : "s", n == 1 ? "it is" : "they are");
}

static void note_outdated(void *data, const char *text)
{
    (void)data;
    rc_cmd_note("%s; measure again with 'runcast model measure'", text);
}

void rc_cmd_model_note_measured(struct rc_binding *binding)
{
    struct rc_model_measured *measured = rc_structural_binding_model(binding)->measured;

    if (measured && !measured->noted) {
        rc_cmd_model_note_left(measured->n_left);
        measured->noted = true;
    }
    rc_structural_benchmarks_outdated(binding, note_outdated, NULL);
}

/* ---- parts of answers ---- */

const char *rc_cmd_model_title(const struct rc_binding *binding, char text[160])
{
    const struct rc_model *model = rc_structural_binding_model(binding);
    int section = rc_structural_binding_section(binding);

    snprintf(text, 160, "%.70s%s%.70s", model->name, section >= 0 ? " on " : "",
             section >= 0 ? model->sections[section].name : "");
    return text;
}

json_t *rc_cmd_model_alternatives_json(const struct rc_binding *binding, json_t *omitted)
{
    const struct rc_task *tasks;
    json_t *alternatives = json_object();
    size_t n;

    tasks = rc_structural_binding_tasks(binding, &n);
    for (size_t i = 0; i < n; i++)
        if (tasks[i].omitted)
            json_array_append_new(omitted, rc_json_text(tasks[i].name));
        else if (tasks[i].chosen >= 0)
            rc_json_set(alternatives, tasks[i].name,
                        rc_json_text(tasks[i].alternatives[tasks[i].chosen].item->alternative));
    return alternatives;
}

void rc_cmd_model_print_removed(uint64_t removed)
{
    const struct rc_answer_model_removed answer = {removed, rc_cmd_notes_json()};

    rc_cmd_print_json(rc_field_json(rc_answer_model_removed, &answer));
    json_decref(answer.notes);
}
