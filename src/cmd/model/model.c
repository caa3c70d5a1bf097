// SPDX-License-Identifier: GPL-3.0-or-later
/* model.c - 'runcast model': structural models.  Each command has its file; this one has shared code. */
#include "cmd/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/model_fields.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/core/commands.h"
#include "cmd/core/hints.h"
#include "model/structural/measured_inputs.h"
#include "platform/platform.h"

/* ---- reading ---- */

int rc_cmd_model_begin(struct rc_cmd_model_work *work, const char *verb, const char *path,
                       const struct rc_option_list *with)
{
    const char *paths[RC_MODEL_FILES_MAX];
    struct rc_error error = {.text = ""};
    char *text = NULL;
    int status;

    *work = (struct rc_cmd_model_work){.model = NULL};
    snprintf(work->doing_text, sizeof work->doing_text, "%s %s", verb, path);
    rc_text_mend_cut(work->doing_text, sizeof work->doing_text);
    work->doing = work->doing_text;
    rc_structural_model_setting_init(&work->setting);
    if (with->n >= RC_MODEL_FILES_MAX) {
        rc_error_set(&error, "more than %d files", RC_MODEL_FILES_MAX);
        return rc_cmd_fail(&error, "%s", work->doing);
    }
    paths[0] = path;
    for (size_t i = 0; i < with->n; i++)
        paths[i + 1] = with->items[i];
    work->model = rc_structural_model_load(paths, with->n + 1, &text, &error);
    if (work->model)
        return RC_EXIT_OK;
    status = rc_cmd_fail(&error, "%s", verb);
    if (text)
        rc_cmd_show_caret(text, &error);
    free(text);
    return status;
}

/* ---- the setting ---- */

static bool wants_measured(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].measure.kind != RC_MEASURE_NOTHING)
            return true;
    return false;
}

static bool wants_series(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].source == RC_FROM_SERIES || model->items[i].source == RC_FROM_FORECAST)
            return true;
    return false;
}

int rc_cmd_model_section(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                         const char *on, bool the_only_one)
{
    const struct rc_model *model = work->model;
    const char *names[64];
    struct rc_error error = {.text = ""};
    const char *nearest;
    size_t n = 0;

    work->setting.section = on ? rc_structural_model_find_section(model, on)
                            : work->platform
                                ? rc_structural_model_find_section(model, work->platform->name)
                                : -1;
    if (!on && work->setting.section < 0 && model->n_sections == 1 && the_only_one)
        work->setting.section = 0;
    if (!on || work->setting.section >= 0)
        return RC_EXIT_OK;
    for (; n < model->n_sections && n < 64; n++)
        names[n] = model->sections[n].name;
    nearest = rc_nearest_word(on, names, n, sizeof *names);
    rc_error_set(&error, "the model has no section 'on %s'", on);
    if (n)
        rc_error_hint(&error, "it has 'on %s'%s", nearest ? nearest : names[0],
                      n > 1 ? "; 'runcast model check' lists all" : "");
    return rc_cmd_usage(invocation, &error);
}

/* A missing database is an error only if it was named and is needed. */
static int open_db(struct rc_cmd_model_work *work, const struct rc_cmd_model_choice *choice)
{
    char path[4096];
    struct rc_error error = {.text = ""};

    if (!wants_series(work->model) && (choice->no_measured || !wants_measured(work->model)))
        return RC_EXIT_OK;
    if ((!choice->db || choice->makes_db) &&
        rc_cmd_db_path(choice->db, path, sizeof path, &error) == 0 && access(path, F_OK) != 0)
        return RC_EXIT_OK;
    work->db = rc_cmd_open_db(choice->db, RC_DB_READ, NULL);
    return work->db ? RC_EXIT_OK : RC_EXIT_FAILED;
}

const char *rc_cmd_model_platform(const struct rc_cmd_model_work *work)
{
    return work->platform               ? work->platform->name
           : work->setting.section >= 0 ? work->model->sections[work->setting.section].name
                                        : NULL;
}

static void note_left(size_t n)
{
    if (n)
        rc_cmd_note("%zu measured input%s ignored: the model has changed how %s measured", n,
                    n == 1 ? "" : "s", n == 1 ? "it is" : "they are");
}

static int add_measured(struct rc_cmd_model_work *work, bool one_platform)
{
    const char *platform = rc_cmd_model_platform(work);
    struct rc_error error = {.text = ""};
    int section = work->setting.section, taken = 0;
    size_t n_left = 0;

    if (!work->db || !wants_measured(work->model))
        return RC_EXIT_OK;
    if (platform || one_platform)
        taken = rc_structural_benchmarks_add(work->db, platform, &work->model, &section, &error);
    else
        taken = rc_structural_benchmarks_add_all(work->db, &work->model, &n_left, &error);
    if (one_platform || work->setting.section >= 0) /* else each run finds its own */
        work->setting.section = section;
    if (work->model->measured)
        n_left = work->model->measured->n_left;
    note_left(n_left);
    if (work->model->measured)
        work->model->measured->noted = true;
    if (taken >= 0)
        return RC_EXIT_OK;
    if ((!error.hint[0] && !error.code) ||
        (error.code && strcmp(error.code, "structural.benchmarks-damaged") == 0))
        rc_error_hint(&error, "use --no-measured, or remove them with 'runcast model measure "
                              "FILE.rcm --forget all'");
    return rc_cmd_fail(&error, "reading measured inputs");
}

/* Reads --hosts and checks the names against the platform. */
static int read_hosts(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                      const char *hosts)
{
    struct rc_error error = {.text = ""};

    if (rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &work->hosts, &error))
        return rc_cmd_usage_text(invocation, "--hosts: %s", error.text);
    for (size_t i = 0; i < work->hosts.count && work->platform; i++)
        if (!rc_platform_find_host(work->platform, work->hosts.names[i], NULL))
            return rc_cmd_usage_text(invocation, "--hosts: the platform has no host '%s'",
                                     work->hosts.names[i]);
    return RC_EXIT_OK;
}

/* A model for several platforms, of which none was chosen. */
static int choose_section(const struct rc_invocation *invocation, const struct rc_model *model)
{
    char sections[120] = "";

    for (size_t i = 0; i < model->n_sections; i++)
        rc_text_append(sections, sizeof sections, "%s%s", i ? ", " : "", model->sections[i].name);
    rc_text_mend_cut(sections, sizeof sections);
    return rc_cmd_usage_text(invocation,
                             "the model is for several platforms; use --on with one of: %s",
                             sections);
}

static int ask(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
               const struct rc_cmd_model_choice *choice, bool needs_platform)
{
    struct rc_clock *clock = rc_clock_system();
    struct rc_model_setting *setting = &work->setting;
    struct rc_error error = {.text = ""};
    int status;

    if (choice->omit > 1 || choice->omit < 0)
        return rc_cmd_usage_text(invocation, "--omit: must be from 0 to 100%%");
    if (choice->platform_file) {
        work->platform = rc_platform_load(choice->platform_file, &error);
        if (!work->platform)
            return rc_cmd_fail(&error, "reading the platform file");
    }
    status = rc_cmd_model_section(work, invocation, choice->on, needs_platform);
    if (status != RC_EXIT_OK)
        return status;
    if (needs_platform && work->model->n_sections && setting->section < 0 && !choice->hosts &&
        !choice->platform_file)
        return choose_section(invocation, work->model);
    status = choice->hosts ? read_hosts(work, invocation, choice->hosts) : RC_EXIT_OK;
    if (status != RC_EXIT_OK)
        return status;
    setting->hosts = (const char *const *)work->hosts.names;
    setting->n_hosts = work->hosts.count;
    setting->platform = work->platform;
    setting->now = isnan(choice->at) ? clock->wall(clock) : choice->at;
    setting->assignments = choice->set.items;
    setting->n_assignments = choice->set.n;
    setting->uses = choice->alternatives.items;
    setting->n_uses = choice->alternatives.n;
    setting->omit = choice->omit;
    status = open_db(work, choice);
    setting->db = work->db;
    return status == RC_EXIT_OK && !choice->no_measured ? add_measured(work, needs_platform)
                                                        : status;
}

int rc_cmd_model_open(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                      const char *verb, const struct rc_cmd_model_choice *choice,
                      bool needs_platform)
{
    int status = rc_cmd_model_begin(work, verb, invocation->arguments[0], &choice->with);

    return status == RC_EXIT_OK ? ask(work, invocation, choice, needs_platform) : status;
}

void rc_cmd_model_end(struct rc_cmd_model_work *work)
{
    rc_db_close(work->db);
    rc_platform_destroy(work->platform);
    rc_platform_hostlist_free(&work->hosts);
    rc_structural_model_destroy(work->model);
}

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

const char *rc_cmd_model_title(const struct rc_binding *binding, char text[160])
{
    const struct rc_model *model = rc_structural_binding_model(binding);
    int section = rc_structural_binding_section(binding);

    snprintf(text, 160, "%.70s%s%.70s", model->name, section >= 0 ? " on " : "",
             section >= 0 ? model->sections[section].name : "");
    return text;
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

static void note_outdated(void *data, const char *text)
{
    (void)data;
    rc_cmd_note("%s; measure again with 'runcast model measure'", text);
}

void rc_cmd_model_note_measured(struct rc_binding *binding)
{
    struct rc_model_measured *measured = rc_structural_binding_model(binding)->measured;

    if (measured && !measured->noted) {
        note_left(measured->n_left);
        measured->noted = true;
    }
    rc_structural_benchmarks_outdated(binding, note_outdated, NULL);
}

/* ---- output ---- */

void rc_cmd_model_print_removed(uint64_t removed)
{
    const struct rc_answer_model_removed answer = {removed, rc_cmd_notes_json()};

    rc_cmd_print_json(rc_field_json(rc_answer_model_removed, &answer));
    json_decref(answer.notes);
}

int rc_cmd_model_check_output(const struct rc_invocation *invocation, const char *output,
                              const struct rc_cmd_model_choice *choice)
{
    const char *what = NULL;
    char path[4096];

    if (!output)
        return RC_EXIT_OK;
    if (rc_file_is_same(output, invocation->arguments[0]))
        what = "the model";
    for (size_t i = 0; i < choice->with.n; i++)
        if (rc_file_is_same(output, choice->with.items[i]))
            what = "a file of --with";
    if (rc_file_is_same(output, choice->platform_file))
        what = "the platform file";
    if (rc_cmd_db_path(choice->db, path, sizeof path, NULL) == 0 && rc_file_is_same(output, path))
        what = "the database";
    return what ? rc_cmd_usage_text(invocation, "--output: %s is %s; name another file", output,
                                    what)
                : RC_EXIT_OK;
}

/* ---- the verb ---- */

static const struct rc_command *const verbs[] = {&rc_command_model_check,
                                                 &rc_command_model_eval,
                                                 &rc_command_model_explain,
                                                 &rc_command_model_measure,
                                                 &rc_command_model_accuracy,
                                                 &rc_command_model_profile,
                                                 &rc_command_model_add,
                                                 &rc_command_model_list,
                                                 &rc_command_model_show,
                                                 &rc_command_model_remove,
                                                 NULL};

const struct rc_command rc_command_model = {
    .name = "model",
    .summary = "Structural models: the run time of a program from the times of its tasks",
    .details =
        "A structural model is a text file. It declares inputs and their sources, formulas for the "
        "time of each task (one or more alternatives), and a total that combines the tasks. "
        "docs/reference/model-language.md describes the language; models/ has examples.",
    .children = verbs,
};
