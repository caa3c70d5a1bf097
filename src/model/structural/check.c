// SPDX-License-Identifier: GPL-3.0-or-later
/* check.c - what is wrong with a model that can be read.
 *
 * A model is looked at as it is on each of its platforms (a view: what holds everywhere, and what
 * holds there), or as it is everywhere where it names none.  A formula that holds everywhere may
 * use a name that only some platforms know; it is an error where none does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "model/structural/check_declarations.h"

/* ---- finding ---- */

/* The item of that name and alternative (NULL: any) in a view, that of the platform first. */
static const struct rc_item *find_item(const struct rc_model *model, int view, const char *name,
                                       const char *alternative)
{
    const struct rc_item *found = NULL;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (rc_structural_model_holds(item->section, view) && strcmp(item->name, name) == 0 &&
            (!alternative || (item->alternative && strcmp(item->alternative, alternative) == 0)) &&
            (!found || item->section > found->section))
            found = item;
    }
    return found;
}

/* The same for "Task.alternative", too. */
static const struct rc_item *find_named(const struct rc_model *model, int view, const char *name)
{
    char task[RC_EXPRESSION_NAME_MAX + 1];
    const char *dot = strchr(name, '.');

    if (!dot)
        return find_item(model, view, name, NULL);
    snprintf(task, sizeof task, "%.*s", (int)(dot - name), name);
    return find_item(model, view, task, dot + 1);
}

static const struct rc_item *find_anywhere(const struct rc_model *model, const char *name)
{
    const struct rc_item *found = find_named(model, -1, name);

    for (size_t s = 0; !found && s < model->n_sections; s++)
        found = find_named(model, (int)s, name);
    return found;
}

static bool is_host_of_list(const char *name, char *const *hosts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(hosts[i], name) == 0)
            return true;
    return false;
}

/* Whether the model mentions a host of that name anywhere. */
static bool is_host(const struct rc_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_hosts; i++)
        if (is_host_of_list(name, model->hosts[i].names, model->hosts[i].n_names))
            return true;
    for (size_t i = 0; i < model->n_sets; i++)
        if (is_host_of_list(name, model->sets[i].hosts, model->sets[i].n_hosts))
            return true;
    for (size_t i = 0; i < model->n_items; i++)
        for (size_t k = 0; k < model->items[i].n_cells; k++)
            if (strcmp(model->items[i].cells[k].row, name) == 0)
                return true;
    return false;
}

/* ---- references ---- */

static const char *nearest_name(const struct rc_check *check, const char *name)
{
    const struct rc_model *model = check->model;
    const char **names = calloc(model->n_items + model->n_sets + 1, sizeof *names), *nearest;
    size_t n = 0;

    if (!names)
        return NULL;
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].kind != RC_ITEM_TOTAL)
            names[n++] = model->items[i].name;
    for (size_t i = 0; i < model->n_sets; i++)
        names[n++] = model->sets[i].name;
    nearest = rc_nearest_word(name, names, n, sizeof *names);
    free(names);
    return nearest;
}

/* `what`: "name" or "set". */
static void unknown(struct rc_check *check, const struct rc_reference *reference, const char *what)
{
    const char *nearest = nearest_name(check, reference->name);
    char text[RC_EXPRESSION_NAME_MAX + 8];

    if (strcmp(reference->name, "s") == 0) {
        rc_structural_check_find(check, RC_FINDING_ERROR, check->item->file, reference->line,
                                 reference->column,
                                 "unknown name 's'; write rates without '/s': 12MB, 100Mbit");
        return;
    }
    rc_structural_check_find(
        check, RC_FINDING_ERROR, check->item->file, reference->line, reference->column,
        "unknown %s '%.60s'%s%s%s%s", what, reference->name,
        find_anywhere(check->model, reference->name) ? rc_structural_check_where(check, text) : "",
        nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static void check_set(struct rc_check *check, const struct rc_reference *reference)
{
    static const char *const of_host[] = {"others", "left", "right", "neighbours"};
    const struct rc_model *model = check->model;
    bool known = strcmp(reference->name, "hosts") == 0 ||
                 rc_structural_check_find_set(model, check->view, reference->name);
    size_t indices = 0;

    for (size_t i = 0; i < sizeof of_host / sizeof *of_host; i++)
        if (strcmp(reference->name, of_host[i]) == 0) {
            known = true;
            indices = 1;
        }
    for (size_t s = 0; !known && check->item->section < 0 && s < model->n_sections; s++)
        known = rc_structural_check_find_set(model, (int)s, reference->name);
    if (!known)
        unknown(check, reference, "set");
    else if (reference->n_indices != indices)
        rc_structural_check_find(check, RC_FINDING_ERROR, check->item->file, reference->line,
                                 reference->column,
                                 indices ? "'%.60s' needs a host: %.60s[h]"
                                         : "the set '%.60s' takes no index%.0s",
                                 reference->name, reference->name);
}

/* A word that is written as an index: a number, a set of one host, or a host. */
static void check_index(struct rc_check *check, const struct rc_reference *reference)
{
    const struct rc_model *model = check->model;
    const struct rc_item *item = find_named(model, check->view, reference->name);

    if (item && item->n_parameters)
        rc_structural_check_find(check, RC_FINDING_ERROR, check->item->file, reference->line,
                                 reference->column, "'%.60s' needs indices: %.60s[...]",
                                 reference->name, reference->name);
    if (item || rc_structural_check_find_set(model, check->view, reference->name) ||
        is_host(model, reference->name))
        return;
    rc_structural_check_find(
        check, RC_FINDING_WARNING, check->item->file, reference->line, reference->column,
        "assuming that '%.60s' is a host, as no parameter, set or input has that name",
        reference->name);
}

static void check_reference(void *data, const struct rc_reference *reference)
{
    struct rc_check *check = data;
    const struct rc_item *item;

    if (reference->is_set) {
        check_set(check, reference);
        return;
    }
    if (reference->is_index) {
        check_index(check, reference);
        return;
    }
    item = find_named(check->model, check->view, reference->name);
    if (!item && check->item->section < 0)
        item = find_anywhere(check->model, reference->name);
    if (!item)
        unknown(check, reference, "name");
    else if (item->n_parameters != reference->n_indices)
        rc_structural_check_find(check, RC_FINDING_ERROR, check->item->file, reference->line,
                                 reference->column, "'%.60s' needs %zu ind%s, not %zu",
                                 reference->name, item->n_parameters,
                                 item->n_parameters == 1 ? "ex" : "ices", reference->n_indices);
}

/* Every formula of an item. */
static void each_formula(const struct rc_item *item,
                         void (*each)(void *data, const struct rc_reference *reference), void *data)
{
    if (item->expression)
        rc_value_expression_references(item->expression, each, data);
    if (item->otherwise)
        rc_value_expression_references(item->otherwise, each, data);
    if (item->times)
        rc_value_expression_references(item->times, each, data);
    for (size_t i = 0; i < item->n_cells; i++)
        rc_value_expression_references(item->cells[i].expression, each, data);
    for (size_t i = 0; i < item->n_conditions; i++) {
        rc_value_expression_references(item->conditions[i].left, each, data);
        rc_value_expression_references(item->conditions[i].right, each, data);
    }
}

/* Those by which it is measured: they may go round, since measuring comes first. */
static void each_measuring_formula(const struct rc_item *item,
                                   void (*each)(void *data, const struct rc_reference *reference),
                                   void *data)
{
    const struct rc_measure *measure = &item->measure;
    const struct rc_expression *formulas[] = {measure->bytes, measure->size, measure->per,
                                              measure->less};

    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (formulas[i])
            rc_value_expression_references(formulas[i], each, data);
}

/* Each formula once: in the view of its own platform, or in the first. */
static void check_formulas(struct rc_check *check)
{
    const struct rc_model *model = check->model;

    for (size_t i = 0; i < model->n_items; i++) {
        check->item = &model->items[i];
        if (check->item->section != check->view && (check->item->section >= 0 || check->again))
            continue;
        each_formula(check->item, check_reference, check);
        each_measuring_formula(check->item, check_reference, check);
        if (check->item->times && rc_structural_model_constant(check->item->times) < 1)
            rc_structural_check_find(check, RC_FINDING_ERROR, check->item->file, check->item->line,
                                     0, "'waits' is %g; it must be at least 1",
                                     rc_structural_model_constant(check->item->times));
        if (check->item->n_conditions && check->item->n_parameters > 1)
            rc_structural_check_find(
                check, RC_FINDING_ERROR, check->item->file, check->item->line, 0,
                "'when' of '%.60s' is not possible with more than one parameter",
                check->item->name);
    }
}

/* ---- the path from a total ---- */

static void visit(struct rc_check *check, const struct rc_item *item);

/* Visits what a name stands for: of a task, every alternative. */
static void visit_reference(void *data, const struct rc_reference *reference)
{
    struct rc_check *check = data;
    const struct rc_model *model = check->model;
    const struct rc_item *from = check->item;
    const struct rc_item *item = find_named(model, check->view, reference->name);

    if (reference->is_set || !item)
        return;
    if (item->kind != RC_ITEM_COMPONENT || strchr(reference->name, '.')) {
        visit(check, item);
    } else if (!check->walked[item - model->items]) {
        for (size_t i = 0; i < model->n_items; i++)
            if (model->items[i].kind == RC_ITEM_COMPONENT &&
                strcmp(model->items[i].name, item->name) == 0 &&
                find_item(model, check->view, item->name, model->items[i].alternative) ==
                    &model->items[i])
                visit(check, &model->items[i]);
        check->walked[item - model->items] = true;
    }
    check->item = from;
}

static void visit(struct rc_check *check, const struct rc_item *item)
{
    size_t index = (size_t)(item - check->model->items);

    if (check->states[index] == RC_CHECK_ON_THE_PATH)
        rc_structural_check_find(check, RC_FINDING_ERROR, item->file, item->line, 0,
                                 "'%.60s'%s%.60s refers to itself", item->name,
                                 item->alternative ? " by " : "",
                                 item->alternative ? item->alternative : "");
    if (check->states[index] != RC_CHECK_NEW)
        return;
    check->states[index] = RC_CHECK_ON_THE_PATH;
    check->used[index] = true;
    check->item = item;
    each_formula(item, visit_reference, check);
    check->states[index] = RC_CHECK_DONE;
    each_measuring_formula(item, visit_reference, check);
}

static void visit_totals(struct rc_check *check)
{
    const struct rc_model *model = check->model;
    char text[RC_EXPRESSION_NAME_MAX + 8];
    bool any = false;

    memset(check->states, RC_CHECK_NEW, model->n_items);
    memset(check->walked, 0, model->n_items * sizeof *check->walked);
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].kind == RC_ITEM_TOTAL &&
            rc_structural_model_holds(model->items[i].section, check->view)) {
            any = true;
            visit(check, &model->items[i]);
        }
    if (!any)
        rc_structural_check_find(check, RC_FINDING_ERROR, 0, 1, 0, "no total%s",
                                 rc_structural_check_where(check, text));
}

int rc_structural_model_check(const struct rc_model *model,
                              void (*each)(void *data, const struct rc_finding *finding),
                              void *data, struct rc_error *error)
{
    struct rc_check check = {.model = model, .each = each, .data = data, .view = -1};
    int status = 0;

    check.used = calloc(model->n_items + 1, sizeof *check.used);
    check.states = calloc(model->n_items + 1, sizeof *check.states);
    check.walked = calloc(model->n_items + 1, sizeof *check.walked);
    check.reported = calloc(RC_CHECK_FINDINGS_MAX, sizeof *check.reported);
    if (!check.used || !check.states || !check.walked || !check.reported) {
        status = rc_error_no_memory(error);
    } else {
        check.view = model->n_sections ? 0 : -1;
        do {
            check_formulas(&check);
            rc_structural_check_sets(&check);
            visit_totals(&check);
            rc_structural_check_inputs(&check);
            check.again = true;
        } while (++check.view < (int)model->n_sections && check.view > 0);
        rc_structural_check_used(&check);
        rc_structural_check_tasks(&check);
        rc_structural_check_traced(&check);
    }
    free(check.used);
    free(check.states);
    free(check.walked);
    free(check.reported);
    return status;
}
