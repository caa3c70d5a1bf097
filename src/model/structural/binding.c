// SPDX-License-Identifier: GPL-3.0-or-later
/* binding.c - a model on given hosts: what holds there, and what its names mean to expressions. */
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

/* ---- finding ---- */

bool rc_structural_bound_holds(const struct rc_binding *binding, int section)
{
    return section < 0 || section == binding->setting.section;
}

struct rc_bound_item *rc_structural_bound_find(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_items; i++)
        if (strcmp(binding->items[i].item->name, name) == 0)
            return &binding->items[i];
    return NULL;
}

struct rc_task *rc_structural_bound_task(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_tasks; i++)
        if (strcmp(binding->tasks[i].name, name) == 0)
            return &binding->tasks[i];
    return NULL;
}

struct rc_alternative *rc_structural_bound_alternative(const struct rc_binding *binding,
                                                       const char *name)
{
    char start[RC_EXPRESSION_NAME_MAX + 1];
    const char *dot = strchr(name, '.');
    struct rc_task *task;

    if (!dot || dot - name > RC_EXPRESSION_NAME_MAX)
        return NULL;
    memcpy(start, name, (size_t)(dot - name));
    start[dot - name] = '\0';
    task = rc_structural_bound_task(binding, start);
    for (size_t i = 0; task && i < task->n_alternatives; i++)
        if (strcmp(task->alternatives[i].item->alternative, dot + 1) == 0)
            return &task->alternatives[i];
    return NULL;
}

/* ---- what holds here ---- */

/* The item of the same name and alternative that is of a platform, or not; NULL where there is none. */
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

static double model_omit(const struct rc_binding *binding)
{
    const struct rc_model *model = binding->model;
    double below = 0;
    int section = -2;

    for (size_t i = 0; i < model->n_omits; i++)
        if (rc_structural_bound_holds(binding, model->omits[i].section) &&
            model->omits[i].section >= section) {
            below = model->omits[i].below;
            section = model->omits[i].section;
        }
    return below;
}

/* ---- what names mean ---- */

static const struct rc_expression *definition(void *data, const char *name,
                                              const char *const *indices, size_t n_indices)
{
    const struct rc_structural_bound_context *context = data;
    const struct rc_binding *binding = context->binding;
    const struct rc_bound_item *bound = rc_structural_bound_find(binding, name);
    const struct rc_task *task = bound ? NULL : rc_structural_bound_task(binding, name);
    const struct rc_alternative *alternative =
        bound || task ? NULL : rc_structural_bound_alternative(binding, name);
    const struct rc_setting *setting;
    const struct rc_cell *cell;

    if ((task && task->n_parameters != n_indices) ||
        (bound && bound->item->n_parameters != n_indices))
        return NULL; /* the error is said where the value is asked for */
    if (task && (task->omitted || (context->zero && strcmp(context->zero, name) == 0)))
        return binding->nothing;
    if (task && task->chosen >= 0)
        alternative = &task->alternatives[task->chosen];
    if (alternative)
        return alternative->item->expression;
    if (!bound)
        return NULL;
    setting = rc_structural_bound_setting(binding, name, indices, n_indices);
    if (setting)
        return setting->expression;
    cell = rc_structural_bound_cell(bound->item, indices, n_indices);
    return cell ? cell->expression
           : bound->item->otherwise
               ? rc_structural_bound_otherwise(context->binding, bound->item, indices, n_indices)
               : bound->item->expression;
}

static int wrong_indices(const char *name, size_t wanted, size_t given, struct rc_error *error)
{
    return rc_error_set(error, "'%s' has %zu ind%s, not %zu", name, wanted,
                        wanted == 1 ? "ex" : "ices", given);
}

static struct rc_value *value(void *data, const char *name, const char *const *indices,
                              size_t n_indices, struct rc_error *error)
{
    struct rc_structural_bound_context *context = data;
    const struct rc_binding *binding = context->binding;
    const struct rc_bound_item *bound = rc_structural_bound_find(binding, name);
    const struct rc_task *task = rc_structural_bound_task(binding, name);

    if (bound && bound->item->n_parameters == n_indices)
        return rc_structural_bound_input(context, bound->item, indices, n_indices, error);
    if (bound)
        wrong_indices(name, bound->item->n_parameters, n_indices, error);
    else if (task && task->n_parameters != n_indices)
        wrong_indices(name, task->n_parameters, n_indices, error);
    else if (task)
        rc_error_set(error, "no way to tell '%s' can be used here%s%s", name,
                     task->n_alternatives ? ": " : "",
                     task->n_alternatives ? task->alternatives[0].reason : "");
    else
        rc_error_set(error, "nothing here is called '%s'", name);
    return NULL;
}

/* A set of one host is that host; the name of an input or a definition is a number; all else is a
 * host. */
static const char *member(void *data, const char *word)
{
    const struct rc_binding *binding = ((struct rc_structural_bound_context *)data)->binding;
    int set = rc_structural_bound_set(binding, word);

    if (rc_structural_bound_host(binding, word))
        return word;
    if (strcmp(word, "hosts") == 0 && binding->n_hosts == 1)
        return binding->names[0];
    if (set >= 0 && binding->n_members[set] == 1)
        return binding->sets[set][0];
    return rc_structural_bound_find(binding, word) ? NULL : word;
}

struct rc_structural_bound_context *rc_structural_bound_context(struct rc_binding *binding,
                                                                const struct rc_value_rules *rules,
                                                                const char *zero,
                                                                struct rc_error *error)
{
    struct rc_structural_bound_context *context = calloc(1, sizeof *context);

    if (!context) {
        rc_error_no_memory(error);
        return NULL;
    }
    *context =
        (struct rc_structural_bound_context){.next = binding->contexts,
                                             .binding = binding,
                                             .rules = rules,
                                             .zero = zero,
                                             .scope = {.data = context,
                                                       .definition = definition,
                                                       .value = value,
                                                       .members = rc_structural_bound_members,
                                                       .member = member}};
    binding->contexts = context;
    return context;
}

/* ---- making ---- */

/* No run has such a size, or so few processes. */
static int check_numbers(const struct rc_binding *binding, struct rc_error *error)
{
    if (binding->setting.size <= 0)
        return rc_error_set(error, "%g is no problem size, which is above 0",
                            binding->setting.size);
    if (binding->setting.processes < 1)
        return rc_error_set(error, "%g processes: a run has one at least",
                            binding->setting.processes);
    return 0;
}

static int fill(struct rc_binding *binding, struct rc_error *error)
{
    static const struct rc_expression_origin origin = {.file = "model", .line = 1, .column = 1};

    binding->omit = isnan(binding->setting.omit) ? model_omit(binding) : binding->setting.omit;
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

    if (!binding) {
        rc_error_no_memory(error);
        return NULL;
    }
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
    rc_structural_bound_inputs_free(binding);
    rc_structural_lanes_free(binding);
    rc_structural_bound_hosts_free(binding);
    for (size_t i = 0; i < binding->n_tasks; i++)
        free(binding->tasks[i].alternatives);
    for (struct rc_structural_bound_context *at = binding->contexts, *next; at; at = next) {
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

const struct rc_task *rc_structural_binding_find_task(const struct rc_binding *binding,
                                                      const char *name)
{
    return rc_structural_bound_task(binding, name);
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

bool rc_structural_binding_is_set(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_settings; i++)
        if (strcmp(binding->settings[i].name, name) == 0)
            return true;
    return false;
}

/* ---- evaluating ---- */

struct rc_evaluation *rc_structural_binding_evaluation(struct rc_binding *binding, int as,
                                                       const struct rc_value_rules *rules,
                                                       struct rc_error *error)
{
    struct rc_structural_bound_context *context =
        rc_structural_bound_context(binding, rules, NULL, error);

    return context ? rc_value_evaluation_create(as, rules, &context->scope, error) : NULL;
}

/* Whether an item of that name belongs to a platform. */
static bool is_of_a_platform(const struct rc_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].section >= 0 && strcmp(model->items[i].name, name) == 0)
            return true;
    return false;
}

/* Why the model cannot be evaluated, and what would help. */
static struct rc_value *no_total(const struct rc_binding *binding, struct rc_error *error)
{
    const struct rc_task *total = &binding->tasks[0];
    const struct rc_bound_item *bound = NULL;
    const char *asked = rc_structural_bound_asked(binding, "total"), *reason = "";

    for (size_t i = total->n_alternatives; i-- > 0;)
        if (!asked || strcmp(total->alternatives[i].item->alternative, asked) == 0)
            reason = total->alternatives[i].reason;

    if (total->n_alternatives == 0) {
        rc_error_set(error, "the model has no total here");
        if (binding->setting.section < 0 && binding->model->n_sections)
            rc_error_hint(error, "choose a platform with --on, such as --on %s",
                          binding->model->sections[0].name);
        return NULL;
    }
    rc_error_set(error, "%s", reason);
    for (size_t i = 0; i < binding->n_items; i++)
        if (binding->items[i].missing[0] && strcmp(binding->items[i].missing, reason) == 0)
            bound = &binding->items[i];
    if (bound && bound->hint[0])
        rc_error_hint(error, "%s", bound->hint);
    else if (binding->setting.section < 0 && binding->model->n_sections &&
             (!bound || is_of_a_platform(binding->model, bound->item->name)))
        rc_error_hint(error, "choose a platform with --on, such as --on %s",
                      binding->model->sections[0].name);
    else if (bound && bound->item->source == RC_FROM_PLATFORM && !binding->setting.platform)
        rc_error_hint(error, "name the file with --platform, or set it with --set '%s=VALUE'",
                      bound->item->name);
    else if (bound && bound->item->measure.kind != RC_MEASURE_NOTHING)
        rc_error_hint(error, "'runcast model measure' measures it; or set it with --set %s=VALUE",
                      bound->item->name);
    else if (bound)
        rc_error_hint(error, "set it with --set %s=VALUE", bound->item->name);
    else
        rc_error_hint(error, "'runcast model explain' shows for each way what is missing");
    return NULL;
}

struct rc_value *rc_structural_binding_total(struct rc_binding *binding,
                                             struct rc_evaluation *evaluation,
                                             struct rc_error *error)
{
    const struct rc_task *total = &binding->tasks[0];

    if (total->chosen < 0)
        return no_total(binding, error);
    return rc_value_evaluation_value(evaluation,
                                     total->alternatives[total->chosen].item->expression, NULL, 0,
                                     error);
}

double rc_structural_binding_error(const struct rc_binding *binding)
{
    const struct rc_task *total = &binding->tasks[0];
    const struct rc_alternative *alternative =
        total->chosen >= 0 ? &total->alternatives[total->chosen] : NULL;
    bool unknown = binding->n_unknown > 0;
    double error;

    if (!alternative)
        return NAN;
    error = isnan(alternative->item->meta.accuracy) ? fmax(alternative->error, RC_MODEL_LEAST_ERROR)
                                                    : alternative->error;
    for (const struct rc_note *note = binding->notes; note; note = note->next)
        unknown |= note->kind == RC_NOTE_SHORT_PAST;
    return unknown ? hypot(error, RC_MODEL_UNKNOWN_LOAD) : error;
}

struct rc_value *rc_structural_binding_spread(const struct rc_binding *binding,
                                              struct rc_value *value,
                                              const struct rc_value_rules *rules,
                                              struct rc_error *error)
{
    enum rc_value_kind kind = rc_value_kind(value);
    double half = rc_structural_binding_error(binding) / 2;
    struct rc_value *factor, *as_kind = NULL, *wide = NULL;

    if (!(half > 0))
        return value;
    factor = rc_value_normal(1, half, 0, error);
    if (factor)
        as_kind = rc_value_convert(factor, kind == RC_POINT ? RC_NORMAL : kind, rules, error);
    if (as_kind)
        wide = rc_value_binary(RC_MULTIPLY, value, as_kind, rules, error);
    rc_value_drop(factor);
    rc_value_drop(as_kind);
    rc_value_drop(value);
    return wide;
}

int rc_structural_binding_without(struct rc_binding *binding, const char *task, double *seconds,
                                  struct rc_error *error)
{
    struct rc_value_rules rules;
    struct rc_structural_bound_context *context;
    struct rc_evaluation *evaluation = NULL;
    struct rc_value *total = NULL;

    rc_value_rules_init(&rules);
    context = rc_structural_bound_context(binding, &rules, task, error);
    if (context)
        evaluation = rc_value_evaluation_create(RC_POINT, &rules, &context->scope, error);
    if (evaluation)
        total = rc_structural_binding_total(binding, evaluation, error);
    if (total)
        *seconds = rc_value_mean(total);
    rc_value_evaluation_destroy(evaluation);
    rc_value_drop(total);
    if (context) {
        binding->contexts = context->next; /* it is the last that was made */
        free(context->instants);
        free(context);
    }
    return total ? 0 : -1;
}
