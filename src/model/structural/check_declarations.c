// SPDX-License-Identifier: GPL-3.0-or-later
/* check_declarations.c - what is wrong with a model's inputs, sets, tasks and traces. */
#include "model/structural/check_declarations.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest_word.h"
#include "model/structural/task_profile.h"

/* ---- for both files ---- */

/* Whether a fault at this place was reported before: on another platform it is the same one. */
static bool was_told(const struct rc_check *check, const struct rc_finding *finding)
{
    for (size_t i = 0; i < check->n_reported; i++) {
        const struct rc_finding *reported = &check->reported[i];

        if (finding->line > 0 && reported->line == finding->line &&
            reported->file == finding->file && reported->column == finding->column &&
            reported->severity == finding->severity &&
            (finding->column > 0 || strcmp(reported->text, finding->text) == 0))
            return true;
    }
    return false;
}

void rc_structural_check_find(struct rc_check *check, enum rc_severity severity, unsigned file,
                              unsigned line, unsigned column, const char *format, ...)
{
    struct rc_finding finding = {
        .severity = severity, .file = file, .line = line, .column = column};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(finding.text, sizeof finding.text, format, arguments);
    va_end(arguments);
    if (check->n_reported == RC_CHECK_FINDINGS_MAX || was_told(check, &finding))
        return;
    check->reported[check->n_reported++] = finding;
    check->each(check->data, &finding);
}

/* " on pcl" */
const char *rc_structural_check_where(const struct rc_check *check,
                                      char text[RC_EXPRESSION_NAME_MAX + 8])
{
    if (check->view < 0)
        return "";
    snprintf(text, RC_EXPRESSION_NAME_MAX + 8, " on %s", check->model->sections[check->view].name);
    return text;
}

const struct rc_model_set *rc_structural_check_find_set(const struct rc_model *model, int view,
                                                        const char *name)
{
    for (size_t i = 0; i < model->n_sets; i++)
        if (rc_structural_model_holds(model->sets[i].section, view) &&
            strcmp(model->sets[i].name, name) == 0)
            return &model->sets[i];
    return NULL;
}

/* ---- inputs ---- */

static bool has_cell(const struct rc_item *item, const char *row, const char *column)
{
    for (size_t i = 0; i < item->n_cells; i++)
        if (strcmp(item->cells[i].row, row) == 0 &&
            (!column || strcmp(item->cells[i].column, column) == 0))
            return true;
    return false;
}

/* Of the hosts that the model names on this platform, the first that a table lacks.  A table of no
 * host at all is one of something else. */
static void check_table(struct rc_check *check, const struct rc_item *item)
{
    const struct rc_model *model = check->model;
    const struct rc_model_hosts *hosts = NULL;
    const char *row = NULL, *column = NULL;
    char text[RC_EXPRESSION_NAME_MAX + 8];
    bool any = false;

    for (size_t i = 0; i < model->n_hosts; i++)
        if (rc_structural_model_holds(model->hosts[i].section, check->view) &&
            (!hosts || model->hosts[i].section > hosts->section))
            hosts = &model->hosts[i];
    for (size_t i = 0; hosts && i < model->n_hosts; i++)
        for (size_t k = 0; k < model->hosts[i].n_names; k++)
            any = any || has_cell(item, model->hosts[i].names[k], NULL);
    for (size_t i = 0; any && !row && i < hosts->n_names; i++) {
        if (!has_cell(item, hosts->names[i], NULL))
            row = hosts->names[i];
        for (size_t k = 0; item->n_parameters == 2 && !row && k < hosts->n_names; k++)
            if (k != i && !has_cell(item, hosts->names[i], hosts->names[k])) {
                row = hosts->names[i];
                column = hosts->names[k];
            }
    }
    if (row)
        rc_structural_check_find(check, RC_FINDING_WARNING, item->file, item->line, 0,
                                 "the table of '%.60s' has no value for '%.40s'%s%.40s%s%s",
                                 item->name, row, column ? " and '" : "", column ? column : "",
                                 column ? "'" : "", rc_structural_check_where(check, text));
}

/* A slip in the name of a series, and a share of a core that is none. */
static void check_metric(struct rc_check *check, const struct rc_item *item)
{
    static const char *const sensed[] = {"cpu", "memory", "bandwidth", "latency"};
    const char *nearest = rc_nearest_word(item->metric, sensed, 4, sizeof *sensed);

    if (nearest && strcmp(nearest, item->metric) != 0)
        rc_structural_check_find(check, RC_FINDING_WARNING, item->file, item->line, 0,
                                 "unknown series '%.60s' of '%.60s'; did you mean '%s'?",
                                 item->metric, item->name, nearest);
    if (item->otherwise && strcmp(item->metric, "cpu") == 0 &&
        rc_structural_model_constant(item->otherwise) > 1.01)
        rc_structural_check_find(check, RC_FINDING_ERROR, item->file, item->line, 0,
                                 "'else' of '%.60s' is %g; a fraction of a core is at most 1",
                                 item->name, rc_structural_model_constant(item->otherwise));
}

/* Where else the value of an input can come from than from the user. */
static const char *otherwise_from(const struct rc_item *item)
{
    return item->measure.kind != RC_MEASURE_NOTHING ? " (or measured)"
           : item->source == RC_FROM_SIZE           ? " (or the size of a run)"
                                                    : "";
}

/* Inputs without a source, in one sentence: what needs them is not taken until they are set. */
static void tell_open(struct rc_check *check, const char *names, size_t n)
{
    char text[RC_EXPRESSION_NAME_MAX + 8];

    if (n)
        rc_structural_check_find(check, RC_FINDING_NOTE, 0, 0, 0, "inputs to set%s: %s",
                                 rc_structural_check_where(check, text), names);
}

void rc_structural_check_inputs(struct rc_check *check)
{
    const struct rc_model *model = check->model;
    char open[150] = "";
    size_t n_open = 0;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];
        size_t length = strlen(open);

        if (item->kind != RC_ITEM_INPUT || check->states[i] != RC_CHECK_DONE)
            continue;
        if (item->source == RC_FROM_TABLE)
            check_table(check, item);
        if (item->metric)
            check_metric(check, item);
        if (item->source != RC_FROM_USER && item->source != RC_FROM_SIZE)
            continue;
        if (length + strlen(item->name) + 40 < sizeof open)
            snprintf(open + length, sizeof open - length, "%s%s%s", n_open ? ", " : "", item->name,
                     otherwise_from(item));
        else if (length + 20 < sizeof open)
            memcpy(open + length, ", ...", sizeof ", ...");
        n_open++;
    }
    tell_open(check, open, n_open);
}

/* Items that no total leads to, on any platform; one that a platform's own one replaces everywhere
 * counts as used. */
void rc_structural_check_used(struct rc_check *check)
{
    const struct rc_model *model = check->model;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];
        bool used = check->used[i];

        for (size_t k = 0; !used && item->section < 0 && k < model->n_items; k++)
            used = check->used[k] && strcmp(model->items[k].name, item->name) == 0;
        if (!used)
            rc_structural_check_find(check, RC_FINDING_WARNING, item->file, item->line, 0,
                                     "'%.60s'%s%.60s is not used", item->name,
                                     item->alternative ? " by " : "",
                                     item->alternative ? item->alternative : "");
    }
}

/* ---- sets ---- */

/* A set must be made of one that there is, and not of itself. */
void rc_structural_check_sets(struct rc_check *check)
{
    const struct rc_model *model = check->model;

    for (size_t i = 0; i < model->n_sets; i++) {
        const struct rc_model_set *set = &model->sets[i], *base = set;
        size_t steps = 0;

        if (set->section != check->view && (set->section >= 0 || check->again))
            continue;
        while (base && base->of && strcmp(base->of, "hosts") != 0 && steps++ <= model->n_sets)
            base = rc_structural_check_find_set(model, check->view, base->of);
        if (!base)
            rc_structural_check_find(check, RC_FINDING_ERROR, set->file, set->line, set->column,
                                     "'%.60s' is made from the unknown set '%.60s'", set->name,
                                     set->of);
        else if (steps > model->n_sets)
            rc_structural_check_find(check, RC_FINDING_ERROR, set->file, set->line, set->column,
                                     "'%.60s' is made from itself", set->name);
    }
}

/* ---- profile and uses ---- */

static bool knows_task(const struct rc_model *model, int section, const char *task,
                       const char *alternative)
{
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if ((item->kind == RC_ITEM_COMPONENT || item->kind == RC_ITEM_TOTAL) &&
            (section < 0 || rc_structural_model_holds(item->section, section)) &&
            strcmp(item->name, task) == 0 &&
            (!alternative || strcmp(item->alternative, alternative) == 0))
            return true;
    }
    return false;
}

void rc_structural_check_tasks(struct rc_check *check)
{
    const struct rc_model *model = check->model;

    for (size_t i = 0; i < model->n_profile; i++) {
        const struct rc_profile_entry *entry = &model->profile[i];

        if (!knows_task(model, entry->section, entry->task, NULL))
            rc_structural_check_find(
                check, RC_FINDING_ERROR, entry->file, entry->line, entry->column,
                "the profile has the task '%.60s', but there is no such component", entry->task);
    }
    for (size_t i = 0; i < model->n_uses; i++) {
        const struct rc_use *use = &model->uses[i];

        if (!knows_task(model, use->section, use->task, use->alternative))
            rc_structural_check_find(check, RC_FINDING_ERROR, use->file, use->line, use->column,
                                     "'%.60s' has no alternative '%.60s'", use->task,
                                     use->alternative);
    }
}

/* ---- traces ---- */

void rc_structural_check_traced(struct rc_check *check)
{
    const struct rc_model *model = check->model;
    struct rc_error error;

    for (size_t i = 0; i < model->n_items; i++)
        for (size_t k = 0; k < model->items[i].traced.n_calls; k++)
            if (rc_structural_traced_kind(model->items[i].traced.calls[k], &error) < 0)
                rc_structural_check_find(check, RC_FINDING_ERROR, model->items[i].file,
                                         model->items[i].line, model->items[i].column,
                                         "unknown MPI call '%.60s' in 'traced' of '%.60s'",
                                         model->items[i].traced.calls[k], model->items[i].name);
}
