// SPDX-License-Identifier: GPL-3.0-or-later
/* formula_dependencies.c - what a formula of a model rests on.
 *
 * The walk goes through all that a formula refers to, down to the inputs, each once.  An input that
 * is not there ends it; the accuracies of the others add up to what the formula is expected to err
 * by, as the root of the sum of squares.  A task stands for the alternative that is taken for it;
 * where that is not decided yet, the walk must wait. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"
#include "model/structural/binding_internal.h"

int rc_structural_walk_begin(struct rc_walk *walk, struct rc_binding *binding,
                             struct rc_error *error)
{
    *walk = (struct rc_walk){.binding = binding};
    walk->items = calloc(binding->n_items + 1, sizeof *walk->items);
    walk->tasks = calloc(binding->n_tasks + 1, sizeof *walk->tasks);
    return walk->items && walk->tasks ? 0 : rc_error_no_memory(error);
}

void rc_structural_walk_end(struct rc_walk *walk)
{
    free(walk->items);
    free(walk->tasks);
}

static double error_of(const struct rc_item *item)
{
    if (!isnan(item->meta.accuracy))
        return item->meta.accuracy;
    return item->source == RC_FROM_TABLE || item->source == RC_FROM_SERIES ||
                   item->source == RC_FROM_FORECAST || item->source == RC_FROM_PLATFORM
               ? RC_MODEL_UNKNOWN_ACCURACY
               : 0;
}

static void check_age(struct rc_walk *walk, const struct rc_item *item)
{
    char old[RC_UNIT_SIZE], good[RC_UNIT_SIZE];
    double age = walk->binding->setting.now - item->meta.measured;

    if (!(age > item->meta.lifetime)) /* also where one is not known */
        return;
    rc_unit_format(age, RC_SECONDS, old);
    rc_unit_format(item->meta.lifetime, RC_SECONDS, good);
    if (!walk->stale)
        snprintf(walk->old, sizeof walk->old, "%s was measured %s ago; its lifetime is %s",
                 item->name, old, good);
    walk->stale = true;
}

static void walk_item(struct rc_walk *walk, struct rc_bound_item *bound)
{
    struct rc_binding *binding = walk->binding;
    const struct rc_item *item = bound->item;
    const struct rc_setting *setting = rc_structural_bound_setting(binding, item->name, NULL, 0);
    bool *been = &walk->items[bound - binding->items];

    if (*been)
        return;
    *been = true;
    if (setting) {
        rc_structural_walk_expression(walk, setting->expression);
        return;
    }
    if (item->kind == RC_ITEM_INPUT && !bound->missing[0])
        rc_structural_bound_check(binding, item, bound->missing);
    if (bound->missing[0])
        snprintf(walk->missing, sizeof walk->missing, "%s", bound->missing);
    if (item->kind == RC_ITEM_INPUT) {
        walk->squares += error_of(item) * error_of(item);
        check_age(walk, item);
    }
    if (item->expression)
        rc_structural_walk_expression(walk, item->expression);
    if (item->otherwise)
        rc_structural_walk_expression(walk, item->otherwise);
    for (size_t i = 0; i < item->n_cells; i++)
        rc_structural_walk_expression(walk, item->cells[i].expression);
}

/* An alternative that states its accuracy errs by that, whatever it is made of; what it is made of
 * may still count elsewhere, so that is a walk of its own. */
static void walk_apart(struct rc_walk *walk, const struct rc_alternative *alternative)
{
    struct rc_walk inner;

    if (rc_structural_walk_begin(&inner, walk->binding, NULL) == 0) {
        inner.depth = walk->depth;
        inner.steps = walk->steps;
        memcpy(inner.alternatives, walk->alternatives, sizeof inner.alternatives);
        inner.n_alternatives = walk->n_alternatives;
        rc_structural_walk_expression(&inner, alternative->item->expression);
        walk->steps = inner.steps;
        memcpy(walk->missing, inner.missing, sizeof walk->missing);
        walk->waits = walk->waits ? walk->waits : inner.waits;
        if (inner.stale && !walk->stale)
            memcpy(walk->old, inner.old, sizeof walk->old);
        walk->stale = walk->stale || inner.stale;
    } else {
        snprintf(walk->missing, sizeof walk->missing, "out of memory");
    }
    rc_structural_walk_end(&inner);
    walk->squares += alternative->item->meta.accuracy * alternative->item->meta.accuracy;
}

static void walk_alternative(struct rc_walk *walk, const struct rc_alternative *alternative)
{
    for (size_t i = 0; i < walk->n_alternatives; i++)
        if (walk->alternatives[i] == alternative)
            return;
    if (walk->n_alternatives < RC_WALK_ALTERNATIVES)
        walk->alternatives[walk->n_alternatives++] = alternative;
    if (isnan(alternative->item->meta.accuracy))
        rc_structural_walk_expression(walk, alternative->item->expression);
    else
        walk_apart(walk, alternative);
}

/* Why no alternative of a task can be used: what the one that is asked for lacks, or the first. */
static void tell_missing(struct rc_walk *walk, const struct rc_task *task)
{
    const char *asked = rc_structural_bound_asked(walk->binding, task->name);

    snprintf(walk->missing, sizeof walk->missing, "'%.100s' has no alternative", task->name);
    for (size_t i = task->n_alternatives; i-- > 0;) {
        const struct rc_alternative *alternative = &task->alternatives[i];

        if ((asked && strcmp(alternative->item->alternative, asked) != 0) ||
            !alternative->reason[0])
            continue;
        if (alternative->state == RC_ALTERNATIVE_UNFIT)
            snprintf(walk->missing, sizeof walk->missing, "'%.30s' by '%.30s' is %.80s", task->name,
                     alternative->item->alternative, alternative->reason);
        else
            snprintf(walk->missing, sizeof walk->missing, "%s", alternative->reason);
    }
}

/* The error of a task matters as much as the task does. */
static void walk_task(struct rc_walk *walk, struct rc_task *task)
{
    bool *been = &walk->tasks[task - walk->binding->tasks];
    const struct rc_alternative *alternative;

    if (*been || task->omitted)
        return;
    *been = true;
    if (!task->decided) {
        walk->waits = task;
        return;
    }
    if (task->chosen < 0) {
        tell_missing(walk, task);
        return;
    }
    alternative = &task->alternatives[task->chosen];
    if (alternative->stale && !walk->stale)
        snprintf(walk->old, sizeof walk->old, "%.100s uses expired inputs", task->name);
    walk->stale = walk->stale || alternative->stale;
    if (isnan(alternative->item->meta.accuracy) && isnan(task->share))
        rc_structural_walk_expression(walk, alternative->item->expression);
    else
        walk->squares += pow(alternative->error * (isnan(task->share) ? 1 : task->share), 2);
}

static bool is_known_set(const struct rc_binding *binding, const char *name)
{
    static const char *const built_in[] = {"hosts", "others", "left", "right", "neighbours"};

    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (strcmp(name, built_in[i]) == 0)
            return true;
    return rc_structural_bound_set(binding, name) >= 0;
}

static void walk_reference(void *data, const struct rc_reference *reference)
{
    struct rc_walk *walk = data;
    struct rc_binding *binding = walk->binding;
    struct rc_bound_item *bound = rc_structural_bound_find(binding, reference->name);
    struct rc_task *task = rc_structural_bound_task(binding, reference->name);
    const struct rc_alternative *alternative =
        rc_structural_bound_alternative(binding, reference->name);

    if (walk->missing[0])
        return;
    if (walk->steps++ > RC_WALK_STEPS_MAX) {
        snprintf(walk->missing, sizeof walk->missing, "too many references between formulas");
        return;
    }
    if (reference->is_set) {
        if (!is_known_set(binding, reference->name))
            snprintf(walk->missing, sizeof walk->missing, "unknown set '%.80s'", reference->name);
    } else if (bound) {
        walk_item(walk, bound);
    } else if (reference->is_index) {
        return; /* a host */
    } else if (task) {
        walk_task(walk, task);
    } else if (alternative) {
        walk_alternative(walk, alternative);
    } else {
        snprintf(walk->missing, sizeof walk->missing, "unknown name '%.80s'", reference->name);
    }
}

/* Formulas that refer to one another in a circle end the walk by their depth. */
void rc_structural_walk_expression(struct rc_walk *walk, const struct rc_expression *expression)
{
    if (walk->depth > RC_EXPRESSION_CALLS_MAX) {
        snprintf(walk->missing, sizeof walk->missing,
                 "formulas are nested more than %d deep; one may refer to itself",
                 RC_EXPRESSION_CALLS_MAX);
        return;
    }
    walk->depth++;
    rc_value_expression_references(expression, walk_reference, walk);
    walk->depth--;
}
