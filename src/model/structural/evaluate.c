// SPDX-License-Identifier: GPL-3.0-or-later
/* evaluate.c - evaluating a bound model: what its names mean, and what it comes to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/binding_internal.h"

/* ---- what names mean ---- */

static const struct rc_expression *definition(void *data, const char *name,
                                              const char *const *indices, size_t n_indices)
{
    const struct rc_bound_context *context = data;
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
    return rc_error_set(error, "'%s' needs %zu ind%s, not %zu", name, wanted,
                        wanted == 1 ? "ex" : "ices", given);
}

static struct rc_value *value(void *data, const char *name, const char *const *indices,
                              size_t n_indices, struct rc_error *error)
{
    struct rc_bound_context *context = data;
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
        rc_error_set(error, "no alternative of '%s' can be used%s%s", name,
                     task->n_alternatives ? ": " : "",
                     task->n_alternatives ? task->alternatives[0].reason : "");
    else
        rc_error_set(error, "unknown name '%s'", name);
    return NULL;
}

/* A set of one host is that host; the name of an input or a definition is a number; all else is a
 * host. */
static const char *member(void *data, const char *word)
{
    const struct rc_binding *binding = ((struct rc_bound_context *)data)->binding;
    int set = rc_structural_bound_set(binding, word);

    if (rc_structural_bound_host(binding, word))
        return word;
    if (strcmp(word, "hosts") == 0 && binding->n_hosts == 1)
        return binding->names[0];
    if (set >= 0 && binding->n_members[set] == 1)
        return binding->sets[set][0];
    return rc_structural_bound_find(binding, word) ? NULL : word;
}

struct rc_bound_context *rc_structural_bound_context(struct rc_binding *binding,
                                                     const struct rc_value_rules *rules,
                                                     const char *zero, struct rc_error *error)
{
    struct rc_bound_context *context = calloc(1, sizeof *context);

    if (!context)
        return rc_error_null(rc_error_no_memory(error));
    *context = (struct rc_bound_context){.next = binding->contexts,
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

/* ---- evaluating ---- */

struct rc_evaluation *rc_structural_binding_evaluation(struct rc_binding *binding, int as,
                                                       const struct rc_value_rules *rules,
                                                       struct rc_error *error)
{
    struct rc_bound_context *context = rc_structural_bound_context(binding, rules, NULL, error);

    if (!context)
        return NULL;
    context->modal = as == RC_MODAL;
    return rc_value_evaluation_create(as, rules, &context->scope, error);
}

int rc_structural_binding_number(struct rc_binding *binding, const struct rc_expression *formula,
                                 const char *const *members, size_t n_members, double *number,
                                 struct rc_error *error)
{
    struct rc_value_rules rules;
    struct rc_evaluation *evaluation;
    struct rc_value *value = NULL;

    rc_value_rules_init(&rules);
    evaluation = rc_structural_binding_evaluation(binding, RC_POINT, &rules, error);
    if (evaluation)
        value = rc_value_evaluation_value(evaluation, formula, members, n_members, error);
    if (value)
        *number = rc_value_mean(value);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    return value ? 0 : -1;
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
        rc_error_set(error, "the model has no total");
        if (binding->setting.section < 0 && binding->model->n_sections)
            rc_error_code(error, "structural.choose-section", "%s",
                          binding->model->sections[0].name);
        return NULL;
    }
    rc_error_set(error, "%s", reason);
    for (size_t i = 0; i < binding->n_items; i++)
        if (binding->items[i].missing[0] && strcmp(binding->items[i].missing, reason) == 0)
            bound = &binding->items[i];
    if (bound && (bound->advice.hint[0] || bound->advice.code))
        rc_error_hint_of(error, &bound->advice);
    else if (binding->setting.section < 0 && binding->model->n_sections &&
             (!bound || is_of_a_platform(binding->model, bound->item->name)))
        rc_error_code(error, "structural.choose-section", "%s", binding->model->sections[0].name);
    else if (bound && bound->item->source == RC_FROM_PLATFORM && !binding->setting.platform)
        rc_error_code(error, "structural.name-platform", "%s", bound->item->name);
    else if (bound)
        rc_error_code(error,
                      bound->item->measure.kind != RC_MEASURE_NOTHING ? "structural.measure-or-set"
                                                                      : "structural.set",
                      "%s=VALUE", bound->item->name);
    else
        rc_error_code(error, "structural.no-alternative", NULL);
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
    struct rc_bound_context *context;
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
