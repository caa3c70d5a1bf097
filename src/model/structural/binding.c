// SPDX-License-Identifier: GPL-3.0-or-later
/* binding.c - putting a model and what is asked of it together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/input_forecasts.h"

void rc_structural_model_setting_init(struct rc_model_setting *setting)
{
    *setting = (struct rc_model_setting){
        .section = -1, .size = NAN, .processes = NAN, .until = NAN, .omit = NAN};
}

/* The item of the same name and alternative that is of a platform, or not; NULL where there is
 * none. */
static const struct rc_item *counterpart(const struct rc_binding *binding,
                                         const struct rc_item *item, bool of_platform)
{
    const struct rc_model *model = binding->model;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *other = &model->items[i];
        bool same_alternative = item->alternative && other->alternative
                                    ? strcmp(item->alternative, other->alternative) == 0
                                    : !item->alternative && !other->alternative;

        if ((other->section >= 0) == of_platform &&
            rc_structural_bound_holds(binding, other->section) && same_alternative &&
            strcmp(item->name, other->name) == 0)
            return other;
    }
    return NULL;
}

/* Adds an alternative to its task, which is made if it is new. */
static int add_alternative(struct rc_binding *binding, const struct rc_item *item,
                           struct rc_error *error)
{
    struct rc_task *task = rc_structural_bound_task(binding, item->name);
    struct rc_alternative *more;

    if (!task) {
        task = &binding->tasks[binding->n_tasks++];
        *task = (struct rc_task){
            .name = item->name, .n_parameters = item->n_parameters, .chosen = -1, .share = NAN};
    }
    more = realloc(task->alternatives, (task->n_alternatives + 1) * sizeof *more);
    if (!more)
        return rc_error_no_memory(error);
    task->alternatives = more;
    task->alternatives[task->n_alternatives++] =
        (struct rc_alternative){.item = item, .error = NAN};
    return 0;
}

static int collect_items(struct rc_binding *binding, struct rc_error *error)
{
    const struct rc_model *model = binding->model;

    binding->items = calloc(model->n_items + 1, sizeof *binding->items);
    binding->tasks = calloc(model->n_items + 2, sizeof *binding->tasks);
    if (!binding->items || !binding->tasks)
        return rc_error_no_memory(error);
    binding->tasks[binding->n_tasks++] =
        (struct rc_task){.name = "total", .chosen = -1, .share = NAN};
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        /* What a platform has of its own stands in the place of what holds everywhere. */
        if (!rc_structural_bound_holds(binding, item->section) ||
            (item->section >= 0 && counterpart(binding, item, false)))
            continue;
        if (item->section < 0 && counterpart(binding, item, true))
            item = counterpart(binding, item, true);
        if (item->kind == RC_ITEM_INPUT || item->kind == RC_ITEM_DEFINE)
            binding->items[binding->n_items++].item = item;
        else if (add_alternative(binding, item, error))
            return -1;
    }
    return 0;
}

/* ---- making ---- */

/* No run has such a size, or so few processes. */
static int check_numbers(const struct rc_binding *binding, struct rc_error *error)
{
    if (binding->setting.size <= 0)
        return rc_error_set(error, "problem size %g; it must be above 0", binding->setting.size);
    if (binding->setting.processes < 1)
        return rc_error_set(error, "%g processes; a run has at least one",
                            binding->setting.processes);
    return 0;
}

static int fill(struct rc_binding *binding, struct rc_error *error)
{
    static const struct rc_expression_origin origin = {.file = "model", .line = 1, .column = 1};

    binding->omit = isnan(binding->setting.omit)
                        ? rc_structural_model_omit(binding->model, binding->setting.section)
                        : binding->setting.omit;
    binding->nothing = rc_value_expression_parse("0", 1, &origin, error);
    return !binding->nothing || collect_items(binding, error) ||
                   rc_structural_bound_hosts(binding, error) ||
                   rc_structural_bound_settings(binding, error) || check_numbers(binding, error)
               ? -1
               : 0;
}

struct rc_binding *rc_structural_binding_create(const struct rc_model *model,
                                                const struct rc_model_setting *setting,
                                                struct rc_error *error)
{
    struct rc_binding *binding = calloc(1, sizeof *binding);

    if (!binding)
        return rc_error_null(rc_error_no_memory(error));
    binding->model = model;
    binding->setting = *setting;
    if (fill(binding, error) == 0 && rc_structural_bound_place(binding, error) == 0 &&
        rc_structural_bound_choose(binding, error) == 0)
        return binding;
    rc_structural_binding_destroy(binding);
    return NULL;
}

void rc_structural_binding_destroy(struct rc_binding *binding)
{
    if (!binding)
        return;
    rc_structural_bound_settings_free(binding);
    rc_structural_bound_inputs_free(binding);
    rc_structural_lanes_free(binding);
    rc_structural_bound_hosts_free(binding);
    for (size_t i = 0; i < binding->n_tasks; i++)
        free(binding->tasks[i].alternatives);
    for (struct rc_bound_context *at = binding->contexts, *next; at; at = next) {
        next = at->next;
        free(at->instants);
        free(at);
    }
    free(binding->tasks);
    free(binding->items);
    rc_value_expression_destroy(binding->nothing);
    free(binding);
}

/* ---- asking ---- */

const struct rc_model *rc_structural_binding_model(const struct rc_binding *binding)
{
    return binding->model;
}

int rc_structural_binding_section(const struct rc_binding *binding)
{
    return binding->setting.section;
}

const char *const *rc_structural_binding_hosts(const struct rc_binding *binding, size_t *n_hosts)
{
    *n_hosts = binding->n_hosts;
    return binding->names;
}

double rc_structural_binding_omit(const struct rc_binding *binding)
{
    return binding->omit;
}

const struct rc_task *rc_structural_binding_tasks(const struct rc_binding *binding, size_t *n_tasks)
{
    *n_tasks = binding->n_tasks;
    return binding->tasks;
}

const struct rc_item *rc_structural_binding_find_item(const struct rc_binding *binding,
                                                      const char *name)
{
    const struct rc_bound_item *bound = rc_structural_bound_find(binding, name);

    return bound ? bound->item : NULL;
}

const char *const *rc_structural_binding_unknown(const struct rc_binding *binding, size_t *n)
{
    *n = binding->n_unknown;
    return (const char *const *)binding->unknown;
}
