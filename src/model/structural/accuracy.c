// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.c - a model against runs: a prediction for each, and what follows from all of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/number.h"
#include "platform/hostlist.h"
#include "model/structural/accuracy.h"
#include "model/structural/scenario_evaluation.h"

enum { RUNS_MAX = 1000000 };

static void free_run(struct rc_accuracy_run *run)
{
    free(run->hosts);
    free(run->platform);
    free(run->parts);
}

void rc_structural_accuracy_free(struct rc_accuracy *accuracy)
{
    for (size_t i = 0; i < accuracy->n_runs; i++)
        free_run(&accuracy->runs[i]);
    free(accuracy->runs);
    free(accuracy->sizes);
    free(accuracy->tasks);
    *accuracy = (struct rc_accuracy){.look_first = -1};
}

/* ---- the setting of one run ---- */

/* What a run brings with it, beside the setting. */
struct brought {
    struct rc_hostlist hosts;
    char **assignments;
    size_t n_assignments;
};

static void free_brought(struct brought *brought)
{
    for (size_t i = 0; i < brought->n_assignments; i++)
        free(brought->assignments[i]);
    free(brought->assignments);
    rc_platform_hostlist_free(&brought->hosts);
}

static bool has_input(const struct rc_model *model, int section, const char *name)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].kind == RC_ITEM_INPUT && strcmp(model->items[i].name, name) == 0 &&
            rc_structural_model_holds(model->items[i].section, section))
            return true;
    return false;
}

/* Parameters of the run first, so that what the user sets wins. */
static int bring_assignments(const struct rc_model *model, const struct rc_run *run,
                             struct rc_model_setting *setting, struct brought *brought,
                             struct rc_error *error)
{
    size_t n = run->n_params + setting->n_assignments;

    brought->assignments = calloc(n + 1, sizeof *brought->assignments);
    if (!brought->assignments)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        const struct rc_param *param = i < run->n_params ? &run->params[i] : NULL;
        struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
        char number[RC_NUMBER_SIZE];

        if (param && !has_input(model, setting->section, param->name))
            continue;
        if (param)
            rc_number_format(param->value, number);
        if (param ? rc_buffer_printf(&text, "%s=%s", param->name, number)
                  : rc_buffer_add_text(&text, setting->assignments[i - run->n_params])) {
            rc_buffer_free(&text);
            return rc_error_no_memory(error);
        }
        brought->assignments[brought->n_assignments++] = text.data;
    }
    setting->assignments = (const char *const *)brought->assignments;
    setting->n_assignments = brought->n_assignments;
    return 0;
}

static int bring(const struct rc_model *model, const struct rc_run *run, bool hindsight,
                 struct rc_model_setting *setting, struct brought *brought, struct rc_error *error)
{
    int section = rc_structural_model_find_section(model, run->platform);

    if (setting->section < 0)
        setting->section = section;
    setting->any_host = true; /* what is set is for all runs */
    setting->size = run->n;
    setting->processes = (double)run->p;
    setting->now = run->start; /* where that is not known, no series is, either */
    setting->until = hindsight ? run->start + run->seconds : NAN;
    if (!setting->n_hosts && run->hosts[0]) {
        if (rc_platform_hostlist_expand(run->hosts, strlen(run->hosts), RC_HOSTS_MAX,
                                        &brought->hosts, error))
            return -1;
        setting->hosts = (const char *const *)brought->hosts.names;
        setting->n_hosts = brought->hosts.count;
    }
    return bring_assignments(model, run, setting, brought, error);
}

/* ---- one run ---- */

/* Adds the tasks that no run before had. */
static int add_tasks(struct rc_accuracy *accuracy, const struct rc_binding *binding,
                     struct rc_error *error)
{
    const struct rc_task *tasks;
    struct rc_accuracy_task *more;
    size_t n;

    tasks = rc_structural_binding_tasks(binding, &n);
    for (size_t i = 1; i < n; i++) {
        size_t k = 0;

        while (k < accuracy->n_tasks && strcmp(accuracy->tasks[k].name, tasks[i].name) != 0)
            k++;
        if (k < accuracy->n_tasks || tasks[i].omitted || tasks[i].chosen < 0)
            continue;
        more = realloc(accuracy->tasks, (accuracy->n_tasks + 1) * sizeof *more);
        if (!more)
            return rc_error_no_memory(error);
        accuracy->tasks = more;
        accuracy->tasks[accuracy->n_tasks++] =
            (struct rc_accuracy_task){.name = tasks[i].name, .measured = NAN};
    }
    return 0;
}

/* What each task adds to the time. */
static int find_parts(struct rc_accuracy *accuracy, struct rc_binding *binding,
                      struct rc_accuracy_run *found, struct rc_error *error)
{
    double total, without;

    found->parts = calloc(accuracy->n_tasks + 1, sizeof *found->parts);
    if (!found->parts)
        return rc_error_no_memory(error);
    found->n_parts = accuracy->n_tasks;
    if (rc_structural_binding_without(binding, NULL, &total, error))
        return -1;
    for (size_t i = 0; i < accuracy->n_tasks; i++) {
        /* Without it a total may be 0 / 0; then nothing is known of the task's part. */
        if (rc_structural_binding_without(binding, accuracy->tasks[i].name, &without, NULL))
            without = total;
        found->parts[i] = total - without;
    }
    return 0;
}

static int predict(const struct rc_accuracy_options *options, struct rc_binding *binding,
                   struct rc_accuracy *accuracy, struct rc_accuracy_run *found,
                   struct rc_error *error)
{
    struct rc_value_rules rules = *options->rules;
    struct rc_scenario_facts facts;
    struct rc_evaluation *evaluation;
    struct rc_value *value =
        rc_structural_binding_answer(binding, options->as, &rules, &evaluation, &facts, error);
    int status = -1;

    if (value) {
        found->predicted = rc_value_mean(value);
        rc_value_span(value, options->level, &found->low, &found->high);
        accuracy->has_spread = accuracy->has_spread || rc_value_kind(value) != RC_POINT;
        status = add_tasks(accuracy, binding, error) || find_parts(accuracy, binding, found, error)
                     ? -1
                     : 0;
    }
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    return status;
}

/* ---- what to know of it ---- */

static void count_note(struct rc_accuracy *accuracy, enum rc_note_kind kind, const char *text)
{
    size_t i = 0;

    while (i < accuracy->n_notes && accuracy->notes[i].kind != kind)
        i++;
    if (i == accuracy->n_notes) {
        accuracy->n_notes++;
        accuracy->notes[i] = (struct rc_accuracy_note){.kind = kind};
        snprintf(accuracy->notes[i].text, sizeof accuracy->notes[i].text, "%s", text);
    }
    accuracy->notes[i].runs++;
}

static void take_notes(struct rc_accuracy *accuracy, const struct rc_binding *binding,
                       struct rc_accuracy_run *found)
{
    char text[RC_NOTE_SIZE];
    enum rc_note_kind kind;
    const char *const *unknown;
    size_t n;

    unknown = rc_structural_binding_unknown(binding, &n);
    if (n > 0 && accuracy->n_assumed++ == 0)
        snprintf(accuracy->assumed, sizeof accuracy->assumed, "%s", unknown[0]);
    found->blind = n > 0;
    for (size_t i = 0; (kind = rc_structural_binding_note(binding, i, text)) != RC_NOTE_NONE; i++) {
        count_note(accuracy, kind, text);
        found->blind |= kind == RC_NOTE_UNSEEN;
    }
    accuracy->n_blind += found->blind;
}

static void take_param(struct rc_accuracy *accuracy, const char *name, double value)
{
    struct rc_accuracy_param *param = accuracy->params;
    size_t i = 0;

    while (i < accuracy->n_params && strcmp(param[i].name, name) != 0)
        i++;
    if (i == RC_ACCURACY_PARAMS_MAX)
        return;
    if (i == accuracy->n_params) {
        accuracy->n_params++;
        param[i] = (struct rc_accuracy_param){.least = value, .most = value};
        snprintf(param[i].name, sizeof param[i].name, "%s", name);
    }
    param[i].least = fmin(param[i].least, value);
    param[i].most = fmax(param[i].most, value);
}

static void take_params(struct rc_accuracy *accuracy, const struct rc_run *run)
{
    take_param(accuracy, "processes", (double)run->p);
    for (size_t i = 0; i < run->n_params; i++)
        take_param(accuracy, run->params[i].name, run->params[i].value);
}

static void drop_last(struct rc_accuracy *accuracy)
{
    free_run(&accuracy->runs[--accuracy->n_runs]);
}

/* 0 also where the model cannot tell the run, which is then counted as skipped. */
static int compare(const struct rc_model *model, const struct rc_run *run,
                   const struct rc_accuracy_options *options, struct rc_accuracy *accuracy,
                   struct rc_error *error)
{
    struct rc_accuracy_run *found = &accuracy->runs[accuracy->n_runs];
    struct rc_model_setting setting = options->setting;
    struct brought brought = {.assignments = NULL};
    struct rc_binding *binding = NULL;
    struct rc_error why = {.text = ""};

    *found = (struct rc_accuracy_run){.id = run->id,
                                      .start = run->start,
                                      .size = run->n,
                                      .processes = (double)run->p,
                                      .actual = run->seconds};
    found->hosts = strdup(run->hosts);
    found->platform = strdup(run->platform);
    if (!found->hosts || !found->platform) {
        free_run(found);
        return rc_error_no_memory(error);
    }
    accuracy->n_runs++;
    if (bring(model, run, options->hindsight, &setting, &brought, &why) == 0)
        binding = rc_structural_binding_create(model, &setting, &why);
    if (!binding || predict(options, binding, accuracy, found, &why)) {
        if (accuracy->n_skipped++ == 0)
            accuracy->skipped = why;
        drop_last(accuracy);
    } else if (run->status != RC_RUN_OK) {
        accuracy->n_killed++;
        accuracy->n_killed_longer += run->seconds > found->high;
        drop_last(accuracy);
    } else {
        rc_structural_accuracy_phases(accuracy, run, found);
        take_notes(accuracy, binding, found);
        take_params(accuracy, run);
    }
    rc_structural_binding_destroy(binding);
    free_brought(&brought);
    return 0;
}

/* ---- all runs ---- */

static int walk_runs(const struct rc_model *model, struct rc_db *db,
                     const struct rc_run_filter *filter, const struct rc_accuracy_options *options,
                     const struct rc_monitor *monitor, struct rc_accuracy *accuracy, uint64_t count,
                     struct rc_error *error)
{
    struct rc_run_cursor *cursor =
        rc_db_run_find(db, filter,
                       RC_FIELD_PLATFORM | RC_FIELD_HOSTS | RC_FIELD_N | RC_FIELD_P |
                           RC_FIELD_SECONDS | RC_FIELD_START | RC_FIELD_STATUS | RC_FIELD_PARAMS |
                           RC_FIELD_TIMES,
                       error);
    struct rc_run run;
    uint64_t done = 0;
    int more = cursor ? 1 : -1;

    while (more == 1 && done < count) {
        more = rc_db_run_next(cursor, &run, error);
        if (more == 1 && run.status != RC_RUN_FAILED &&
            compare(model, &run, options, accuracy, error))
            more = -1;
        if (more == 1 && rc_progress_monitor_cancelled(monitor))
            more = rc_error_set(error, "interrupted");
        rc_progress_monitor_advance(monitor, ++done, count);
    }
    rc_db_run_cursor_close(cursor);
    return more < 0 ? -1 : 0;
}

int rc_structural_accuracy_find(const struct rc_model *model, struct rc_db *db,
                                const struct rc_run_filter *filter,
                                const struct rc_accuracy_options *options,
                                const struct rc_monitor *monitor, struct rc_accuracy *accuracy,
                                struct rc_error *error)
{
    struct rc_run_filter good = *filter;
    uint64_t count;
    int status;

    good.status = -1;
    filter = &good;
    *accuracy = (struct rc_accuracy){.look_first = -1};
    if (rc_db_hold(db, error))
        return -1;
    status = rc_db_run_count(db, filter, &count, error);
    if (status == 0 && count > RUNS_MAX)
        status = rc_error_set(error, "%llu runs; at most %d can be compared at once",
                              (unsigned long long)count, RUNS_MAX);
    if (status == 0) {
        accuracy->runs = calloc(count + 1, sizeof *accuracy->runs);
        status = accuracy->runs
                     ? walk_runs(model, db, filter, options, monitor, accuracy, count, error)
                     : rc_error_no_memory(error);
    }
    rc_db_release(db);
    if (status == 0 && options->revise)
        status = options->revise(options->revise_data, accuracy->runs, accuracy->n_runs, error);
    return status || rc_structural_accuracy_judge(accuracy, options, error) ? -1 : 0;
}
