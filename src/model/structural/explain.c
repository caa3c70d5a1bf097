// SPDX-License-Identifier: GPL-3.0-or-later
/* explain.c - where the answer of a model comes from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/explain.h"
#include "model/structural/binding_internal.h"

enum { PARTS_MAX = 2000 };

struct explaining {
    struct rc_binding *binding;
    struct rc_explanation *explanation;
    struct rc_error *error;
    double total; /* at the means */
    size_t depth;
    bool failed;
};

static void free_parts(struct rc_part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < parts[i].n_used; k++)
            free(parts[i].used[k].indices);
        free(parts[i].used);
        free(parts[i].name);
    }
    free(parts);
}

void rc_structural_explanation_free(struct rc_explanation *explanation)
{
    free_parts(explanation->parts, explanation->n_parts);
    free_parts(explanation->inputs, explanation->n_inputs);
    *explanation = (struct rc_explanation){.parts = NULL};
}

/* ---- the tree ---- */

static struct rc_part *find_part(struct rc_part *parts, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    return NULL;
}

/* Adds a part below the one at hand; false where it is there already, or memory runs out. */
static bool add_part(struct explaining *explaining, const char *name, struct rc_part part)
{
    struct rc_explanation *e = explaining->explanation;
    struct rc_part *more;

    if (e->n_parts == PARTS_MAX || find_part(e->parts, e->n_parts, name))
        return false;
    part.name = strdup(name);
    more = part.name ? realloc(e->parts, (e->n_parts + 1) * sizeof *more) : NULL;
    if (!more) {
        free(part.name);
        rc_error_no_memory(explaining->error);
        explaining->failed = true;
        return false;
    }
    e->parts = more;
    e->parts[e->n_parts++] = part;
    return true;
}

/* What the answer would be less, were the task to take no time. */
static double share_of(struct explaining *explaining, const char *task)
{
    double without;

    if (rc_structural_binding_without(explaining->binding, task, &without, NULL) ||
        explaining->total == 0)
        return NAN;
    return (explaining->total - without) / explaining->total;
}

static void add_below(void *data, const struct rc_reference *reference)
{
    struct explaining *explaining = data;
    const struct rc_binding *binding = explaining->binding;
    const struct rc_bound_item *bound = rc_structural_bound_find(binding, reference->name);
    const struct rc_task *task = rc_structural_bound_task(binding, reference->name);
    const struct rc_alternative *alternative =
        rc_structural_bound_alternative(binding, reference->name);
    struct rc_part part = {.depth = explaining->depth, .share = NAN};

    if (reference->is_set || explaining->failed || (bound && bound->item->kind == RC_ITEM_INPUT))
        return;
    if (task) {
        part.task = task;
        part.item =
            task->chosen >= 0 && !task->omitted ? task->alternatives[task->chosen].item : NULL;
        if (part.item)
            part.share = share_of(explaining, task->name);
    } else if (bound || alternative) {
        part.item = bound ? bound->item : alternative->item;
    } else {
        return;
    }
    if (!add_part(explaining, reference->name, part) || !part.item)
        return;
    explaining->depth++;
    rc_value_expression_references(part.item->expression, add_below, explaining);
    explaining->depth--;
}

/* ---- values ---- */

static char *join(const char *const *indices, size_t n)
{
    size_t length = 1;
    char *text;

    for (size_t i = 0; i < n; i++)
        length += strlen(indices[i]) + 2;
    text = calloc(length, 1);
    for (size_t i = 0; text && i < n; i++) {
        if (i)
            strcat(text, ", ");
        strcat(text, indices[i]);
    }
    return text;
}

static void take_value(void *data, const char *name, const char *const *indices, size_t n_indices,
                       const struct rc_value *value)
{
    struct explaining *explaining = data;
    struct rc_explanation *e = explaining->explanation;
    struct rc_part *part = find_part(e->inputs, e->n_inputs, name);
    struct rc_used *more;
    char *text;

    if (!part)
        part = find_part(e->parts, e->n_parts, name);
    if (!part || explaining->failed)
        return;
    text = join(indices, n_indices);
    more = text ? realloc(part->used, (part->n_used + 1) * sizeof *more) : NULL;
    if (!more) {
        free(text);
        rc_error_no_memory(explaining->error);
        explaining->failed = true;
        return;
    }
    part->used = more;
    part->used[part->n_used] =
        (struct rc_used){.indices = text, .mean = rc_value_mean(value), .sd = rc_value_sd(value)};
    if (part->used[part->n_used].mean < part->used[part->least].mean)
        part->least = part->n_used;
    if (part->used[part->n_used].mean > part->used[part->most].mean)
        part->most = part->n_used;
    part->n_used++;
}

/* Inputs that were not asked for are left out. */
static void drop_unused(struct rc_explanation *explanation)
{
    size_t kept = 0;

    for (size_t i = 0; i < explanation->n_inputs; i++)
        if (explanation->inputs[i].n_used)
            explanation->inputs[kept++] = explanation->inputs[i];
        else
            free(explanation->inputs[i].name);
    explanation->n_inputs = kept;
}

static int add_inputs(struct explaining *explaining)
{
    const struct rc_binding *binding = explaining->binding;
    struct rc_explanation *e = explaining->explanation;

    e->inputs = calloc(binding->n_items + 1, sizeof *e->inputs);
    if (!e->inputs)
        return rc_error_no_memory(explaining->error);
    for (size_t i = 0; i < binding->n_items; i++) {
        const struct rc_item *item = binding->items[i].item;
        char *name = item->kind == RC_ITEM_INPUT ? strdup(item->name) : NULL;

        if (name)
            e->inputs[e->n_inputs++] = (struct rc_part){.name = name, .item = item, .share = NAN};
        else if (item->kind == RC_ITEM_INPUT)
            return rc_error_no_memory(explaining->error);
    }
    return 0;
}

int rc_structural_explain(struct rc_binding *binding, struct rc_evaluation *evaluation,
                          const struct rc_value *value, struct rc_explanation *explanation,
                          struct rc_error *error)
{
    struct explaining explaining = {
        .binding = binding, .explanation = explanation, .error = error, .depth = 1};
    const struct rc_task *total = &binding->tasks[0];
    struct rc_part top = {.task = total, .share = NAN};

    *explanation = (struct rc_explanation){.parts = NULL};
    if (total->chosen < 0)
        return rc_error_set(error, "no total");
    if (rc_structural_binding_without(binding, NULL, &explaining.total, error) ||
        add_inputs(&explaining))
        return -1;
    top.item = total->alternatives[total->chosen].item;
    add_part(&explaining, total->name, top);
    if (!explaining.failed)
        rc_value_expression_references(top.item->expression, add_below, &explaining);
    take_value(&explaining, total->name, NULL, 0, value);
    rc_value_evaluation_names(evaluation, take_value, &explaining);
    drop_unused(explanation);
    return explaining.failed ? -1 : 0;
}
