// SPDX-License-Identifier: GPL-3.0-or-later
/* choose_alternative.c - which alternative is taken for each task of a model.
 *
 * A task is decided once all tasks are that its alternatives rest on.  Where tasks rest on one
 * another in a circle, one is decided by those of its alternatives that are not part of it.
 *
 * Whether an input has a value for the very hosts that are asked for only shows when the total is
 * evaluated, which is therefore tried, with all inputs at their means.  An input that then lacks a
 * value counts as missing, and all is decided anew. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "model/structural/binding_internal.h"

/* ---- conditions ---- */

static bool holds(enum rc_relation relation, double left, double right)
{
    switch (relation) {
    case RC_LESS:
        return left < right;
    case RC_AT_MOST:
        return left <= right;
    case RC_GREATER:
        return left > right;
    case RC_AT_LEAST:
        return left >= right;
    default:
        return left == right;
    }
}

/* Whether a condition holds for one host, or as such; says in `reason` why not. */
static bool condition_holds(struct rc_evaluation *evaluation, const struct rc_condition *condition,
                            const char *host, char reason[RC_REASON_SIZE])
{
    struct rc_error error = {.text = ""};
    const char *const members[] = {host};
    struct rc_value *left, *right = NULL;
    char numbers[2][RC_NUMBER_SIZE];
    bool good = false;

    left = rc_value_evaluation_value(evaluation, condition->left, members, host ? 1 : 0, &error);
    if (left)
        right =
            rc_value_evaluation_value(evaluation, condition->right, members, host ? 1 : 0, &error);
    if (!right) {
        snprintf(reason, RC_REASON_SIZE, "its condition cannot be evaluated: %.100s", error.text);
    } else {
        good = holds(condition->relation, rc_value_mean(left), rc_value_mean(right));
        rc_number_format_short(rc_value_mean(left), 4, numbers[0]);
        rc_number_format_short(rc_value_mean(right), 4, numbers[1]);
        if (!good)
            snprintf(reason, RC_REASON_SIZE, "only for %.30s %s %.30s (here %s against %s%s%.20s)",
                     rc_value_expression_text(condition->left),
                     rc_structural_relation_names[condition->relation],
                     rc_value_expression_text(condition->right), numbers[0], numbers[1],
                     host ? " on " : "", host ? host : "");
    }
    rc_value_drop(left);
    rc_value_drop(right);
    return good;
}

/* All conditions, for every host where the alternative has a parameter. */
static int check_conditions(struct rc_binding *binding, struct rc_alternative *alternative,
                            struct rc_error *error)
{
    const struct rc_item *item = alternative->item;
    struct rc_value_rules rules;
    struct rc_bound_context *context;
    struct rc_evaluation *evaluation;
    size_t n = item->n_parameters ? binding->n_hosts : 1;
    bool good = true;

    if (item->n_parameters > 1) {
        snprintf(alternative->reason, sizeof alternative->reason,
                 "a condition has at most one parameter");
        return 0;
    }
    rc_value_rules_init(&rules);
    context = rc_structural_bound_context(binding, &rules, NULL, error);
    evaluation =
        context ? rc_value_evaluation_create(RC_POINT, &rules, &context->scope, error) : NULL;
    for (size_t c = 0; evaluation && good && c < item->n_conditions; c++)
        for (size_t i = 0; good && i < n; i++)
            good =
                condition_holds(evaluation, &item->conditions[c],
                                item->n_parameters ? binding->names[i] : NULL, alternative->reason);
    rc_value_evaluation_destroy(evaluation);
    return evaluation ? 0 : -1;
}

/* ---- one alternative ---- */

/* Tells the error and age of an alternative, or why it cannot be used; `*waits` is the task that
 * must be decided before that.  An alternative that can be used is left in the state
 * RC_ALTERNATIVE_LATER. */
static int examine(struct rc_binding *binding, struct rc_alternative *alternative,
                   const struct rc_task **waits, struct rc_error *error)
{
    const struct rc_item *item = alternative->item;
    struct rc_walk walk;
    int status = rc_structural_walk_begin(&walk, binding, error);

    *alternative =
        (struct rc_alternative){.item = item, .state = RC_ALTERNATIVE_MISSING, .error = NAN};
    if (status == 0) {
        rc_structural_walk_expression(&walk, item->expression);
        alternative->error = isnan(item->meta.accuracy) ? sqrt(walk.squares) : item->meta.accuracy;
        alternative->stale = walk.stale;
        for (size_t c = 0; c < item->n_conditions; c++) {
            rc_structural_walk_expression(&walk, item->conditions[c].left);
            rc_structural_walk_expression(&walk, item->conditions[c].right);
        }
        memcpy(alternative->reason, walk.missing, sizeof alternative->reason);
        if (!alternative->reason[0] && walk.waits) {
            snprintf(alternative->reason, sizeof alternative->reason, "'%.100s' refers to itself",
                     item->name);
            *waits = walk.waits;
        } else if (!alternative->reason[0]) {
            alternative->state = RC_ALTERNATIVE_LATER;
            status = item->n_conditions ? check_conditions(binding, alternative, error) : 0;
            if (alternative->reason[0])
                alternative->state = RC_ALTERNATIVE_UNFIT;
            else if (alternative->stale)
                memcpy(alternative->reason, walk.old, sizeof alternative->reason);
        }
    }
    if (alternative->state != RC_ALTERNATIVE_LATER)
        alternative->error = NAN;
    rc_structural_walk_end(&walk);
    return status;
}

/* ---- one task ---- */

static bool usable(const struct rc_alternative *alternative)
{
    return alternative->state == RC_ALTERNATIVE_LATER;
}

/* Whether `a`, which stands later, is the better one. */
static bool better(const struct rc_alternative *a, const struct rc_alternative *b)
{
    if (a->stale != b->stale)
        return b->stale;
    return a->error < b->error * (1 - 1e-9);
}

/* Gives the reason why a usable alternative is not used. */
static void give_reason(struct rc_alternative *alternative, const struct rc_alternative *chosen,
                        const char *asked, bool by_user)
{
    if (asked) {
        alternative->state = RC_ALTERNATIVE_NOT_ASKED;
        snprintf(alternative->reason, sizeof alternative->reason,
                 by_user ? "'%.80s' was requested" : "'use' in the model selects '%.80s'", asked);
    } else if (alternative->stale && !chosen->stale) {
        alternative->state = RC_ALTERNATIVE_STALE;
    } else if (better(chosen, alternative)) {
        alternative->state = RC_ALTERNATIVE_WORSE;
        snprintf(alternative->reason, sizeof alternative->reason,
                 "expected error %.3g %%; that of '%.60s' is %.3g %%", 100 * alternative->error,
                 chosen->item->alternative, 100 * chosen->error);
    } else {
        snprintf(alternative->reason, sizeof alternative->reason,
                 "no better than '%.80s', which is first", chosen->item->alternative);
    }
}

/* Takes the best of the alternatives that can be used. */
static void settle(const struct rc_binding *binding, struct rc_task *task)
{
    const char *asked = rc_structural_bound_asked(binding, task->name);
    struct rc_alternative *chosen = NULL;

    task->decided = true;
    for (size_t i = 0; i < task->n_alternatives; i++) {
        struct rc_alternative *alternative = &task->alternatives[i];

        if (usable(alternative) && (!asked || strcmp(alternative->item->alternative, asked) == 0) &&
            (!chosen || better(alternative, chosen)))
            chosen = alternative;
    }
    for (size_t i = 0; i < task->n_alternatives; i++)
        if (&task->alternatives[i] != chosen && usable(&task->alternatives[i]))
            give_reason(&task->alternatives[i], chosen, asked,
                        rc_structural_bound_asked_by_user(binding, task->name));
    if (!chosen)
        return;
    chosen->state = RC_ALTERNATIVE_CHOSEN;
    chosen->reason[0] = '\0';
    task->chosen = (int)(chosen - task->alternatives);
}

/* ---- all tasks ---- */

/* Examines the alternatives of a task, and settles it if none has to wait. */
static int consider(struct rc_binding *binding, struct rc_task *task, struct rc_error *error)
{
    task->waits = NULL;
    for (size_t i = 0; i < task->n_alternatives; i++)
        if (examine(binding, &task->alternatives[i], &task->waits, error))
            return -1;
    if (!task->waits)
        settle(binding, task);
    return 0;
}

/* Settles one task of a circle, where all that are left wait for one another: one that has an
 * alternative out, if there is such a one. */
static void break_circle(struct rc_binding *binding)
{
    struct rc_task *inside = NULL, *open = NULL;

    for (size_t i = 0; i < binding->n_tasks; i++) {
        struct rc_task *task = &binding->tasks[i];

        for (size_t k = 0; !task->decided && k < task->n_alternatives; k++)
            if (usable(&task->alternatives[k]))
                open = task;
        if (!task->decided && !inside)
            inside = task;
    }
    assert(inside);                               /* somebody waits, or there would be no circle */
    for (size_t i = 0; i < binding->n_tasks; i++) /* whoever waits so long waits for himself */
        inside = &binding->tasks[inside->waits - binding->tasks];
    settle(binding, open ? open : inside);
}

/* In turns from the last to the first and back, so that long chains take few of them. */
static int decide_all(struct rc_binding *binding, struct rc_error *error)
{
    size_t n = binding->n_tasks, left = n, before = n + 1;
    bool backward = true;

    for (size_t i = 0; i < n; i++) {
        binding->tasks[i].decided = false;
        binding->tasks[i].chosen = -1;
    }
    while (left > 0) {
        if (left == before)
            break_circle(binding);
        before = left;
        left = 0;
        for (size_t i = 0; i < n; i++) {
            struct rc_task *task = &binding->tasks[backward ? n - 1 - i : i];

            if (!task->decided && consider(binding, task, error))
                return -1;
            left += !task->decided;
        }
        backward = !backward;
    }
    return 0;
}

/* "Task=alternative" must name an alternative that there is. */
static int check_use(const struct rc_binding *binding, const char *use, struct rc_error *error)
{
    const char *equals = strchr(use, '=');
    char name[RC_EXPRESSION_NAME_MAX + 1], alternatives[200] = "";
    const struct rc_task *task;

    if (!equals || (size_t)(equals - use) > RC_EXPRESSION_NAME_MAX) {
        rc_error_set(error, "missing alternative in '%s'", use);
        return rc_error_hint(error, "write TASK=NAME, such as Slave=benchmark, or total=NAME");
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - use), use);
    task = rc_structural_bound_task(binding, name);
    if (!task)
        return rc_error_set(error, "the model has no task '%s'", name);
    for (size_t i = 0; i < task->n_alternatives; i++)
        if (strcmp(task->alternatives[i].item->alternative, equals + 1) == 0)
            return 0;
    rc_error_set(error, "'%s' has no alternative '%s'", name, equals + 1);
    for (size_t i = 0; i < task->n_alternatives; i++)
        snprintf(alternatives + strlen(alternatives), sizeof alternatives - strlen(alternatives),
                 "%s%s", i ? ", " : "", task->alternatives[i].item->alternative);
    rc_text_mend_cut(alternatives, sizeof alternatives);
    return rc_error_hint(error, "use one of: %s", alternatives);
}

static void omit_small(struct rc_binding *binding)
{
    for (size_t i = 1; i < binding->n_tasks; i++) {
        struct rc_task *task = &binding->tasks[i];

        task->share =
            rc_structural_model_share(binding->model, binding->setting.section, task->name);
        task->omitted =
            task->share < binding->omit && !rc_structural_bound_asked_by_user(binding, task->name);
    }
}

/* Evaluates the total at the means; 1 where an input turns out to lack a value. */
static int try_total(struct rc_binding *binding)
{
    struct rc_error error = {.text = ""};
    struct rc_bound_item *bound;
    double seconds;

    binding->missing = NULL;
    if (rc_structural_binding_without(binding, NULL, &seconds, &error) == 0 || !binding->missing)
        return 0; /* what else is wrong will be said when it is evaluated */
    bound = rc_structural_bound_find(binding, binding->missing->name);
    if (bound->missing[0])
        return 0;
    memcpy(bound->missing, binding->why, sizeof bound->missing);
    rc_error_hint_of(&bound->advice, &binding->advice);
    return 1;
}

int rc_structural_bound_choose(struct rc_binding *binding, struct rc_error *error)
{
    for (size_t i = 0; i < binding->setting.n_uses; i++)
        if (check_use(binding, binding->setting.uses[i], error))
            return -1;
    omit_small(binding);
    do
        if (decide_all(binding, error))
            return -1;
    while (binding->tasks[0].chosen >= 0 && try_total(binding));
    return 0;
}
