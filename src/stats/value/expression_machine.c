// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_machine.c - the stack of values, and the operations on it. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/value/expression_machine.h"
#include "stats/value/farm.h"
#include "stats/value/internal.h"

/* Of one farm, in all draws: some seconds of work. */
static const double FARM_JOBS_MAX = 1e9;

/* ---- the stack ---- */

int rc_value_machine_push(struct rc_evaluation *machine, struct rc_value *value, int step)
{
    size_t capacity = machine->capacity ? 2 * machine->capacity : 64;
    struct rc_slot *more;

    if (!value)
        return -1;
    if (machine->top == machine->capacity) {
        more = realloc(machine->stack, capacity * sizeof *more);
        if (!more) {
            rc_value_drop(value);
            return rc_error_no_memory(machine->error);
        }
        machine->stack = more;
        machine->capacity = capacity;
    }
    machine->stack[machine->top++] = (struct rc_slot){value, step};
    return 0;
}

void rc_value_machine_pop(struct rc_evaluation *machine, size_t count)
{
    while (count-- > 0)
        rc_value_drop(machine->stack[--machine->top].value);
}

int rc_value_machine_pop_number(struct rc_evaluation *machine, const char *what, double *x)
{
    const struct rc_value *value = machine->stack[machine->top - 1].value;
    enum rc_value_kind kind = value->kind;

    *x = value->mean;
    rc_value_machine_pop(machine, 1);
    if (kind == RC_POINT)
        return 0;
    return rc_error_set(machine->error, "%s is of kind %s, not a number", what,
                        rc_value_kind_name(kind));
}

/* A leaf of the computation in intervals; in `step` -1 where the value is of another kind. */
static int add_leaf(struct rc_evaluation *machine, const struct rc_value *value, int *step)
{
    struct rc_step leaf = {.operation = RC_STEP_LEAF, .ends = {value->low, value->high}};

    *step = -1;
    if (value->kind > RC_INTERVAL)
        return 0;
    if (value->kind == RC_NORMAL) {
        leaf.ends[0] = value->mean - machine->rules.normal_width * value->sd;
        leaf.ends[1] = value->mean + machine->rules.normal_width * value->sd;
    }
    *step = rc_value_steps_add(&machine->steps, leaf, machine->error);
    return *step < 0 ? -1 : 0;
}

int rc_value_machine_push_leaf(struct rc_evaluation *machine, struct rc_value *value)
{
    int step;

    if (!value)
        return -1;
    if (add_leaf(machine, value, &step)) {
        rc_value_drop(value);
        return -1;
    }
    return rc_value_machine_push(machine, value, step);
}

int rc_value_machine_push_point(struct rc_evaluation *machine, double x)
{
    return rc_value_machine_push_leaf(machine, rc_value_point(x, machine->error));
}

/* Puts the result of an operation in the place of its operands; takes it over. */
static int replace(struct rc_evaluation *machine, size_t count, struct rc_value *result,
                   int operation)
{
    const struct rc_slot *operands = machine->stack + machine->top - count;
    struct rc_step step = {.operation = operation};
    int added;

    if (!result)
        return -1;
    if (result->kind != RC_INTERVAL || operands[0].step < 0 || operands[count - 1].step < 0) {
        rc_value_machine_pop(machine, count);
        return rc_value_machine_push_leaf(machine, result);
    }
    step.a = (uint32_t)operands[0].step;
    step.b = (uint32_t)operands[count - 1].step;
    step.ends[0] = result->low;
    step.ends[1] = result->high;
    added = rc_value_steps_add(&machine->steps, step, machine->error);
    rc_value_machine_pop(machine, count);
    if (added >= 0)
        return rc_value_machine_push(machine, result, added);
    rc_value_drop(result);
    return -1;
}

/* ---- operations ---- */

int rc_value_machine_binary(struct rc_evaluation *machine, enum rc_binary operation)
{
    const struct rc_slot *at = machine->stack + machine->top - 2;

    return replace(machine, 2,
                   rc_value_binary(operation, at[0].value, at[1].value, &machine->rules,
                                   machine->error),
                   (int)operation);
}

int rc_value_machine_unary(struct rc_evaluation *machine, enum rc_unary operation)
{
    const struct rc_slot *at = machine->stack + machine->top - 1;

    return replace(machine, 1,
                   rc_value_unary(operation, at->value, &machine->rules, machine->error),
                   RC_STEP_UNARY + (int)operation);
}

/* Of a point to the last digit, which log(x) / log(10) is not. */
int rc_value_machine_log_base(struct rc_evaluation *machine, unsigned base)
{
    const struct rc_value *value = machine->stack[machine->top - 1].value;
    double x = value->mean;

    if (value->kind == RC_POINT && x > 0) {
        rc_value_machine_pop(machine, 1);
        return rc_value_machine_push_point(machine, base == 2 ? log2(x) : log10(x));
    }
    return rc_value_machine_unary(machine, RC_LOG) ||
                   rc_value_machine_push_point(machine, log(base)) ||
                   rc_value_machine_binary(machine, RC_DIVIDE)
               ? -1
               : 0;
}

/* ---- joining ---- */

static int join_two(struct rc_evaluation *machine, enum rc_many operation)
{
    const struct rc_slot *at = machine->stack + machine->top - 2;
    const struct rc_value *const two[] = {at[0].value, at[1].value};

    if (operation == RC_SUM)
        return rc_value_machine_binary(machine, RC_ADD);
    if (operation == RC_MAX)
        return replace(machine, 2, rc_value_max(two, 2, &machine->rules, machine->error),
                       RC_STEP_MAX);
    return replace(machine, 2, rc_value_min(two, 2, &machine->rules, machine->error), RC_STEP_MIN);
}

/* One of the two topmost values stays as it is: the first, unless the second goes further. */
static int pick_one(struct rc_evaluation *machine, enum rc_many operation)
{
    struct rc_slot *at = machine->stack + machine->top - 2, taken;
    const struct rc_value *const two[] = {at[0].value, at[1].value};
    struct rc_value *picked = operation == RC_MAX
                                  ? rc_value_max(two, 2, &machine->rules, machine->error)
                                  : rc_value_min(two, 2, &machine->rules, machine->error);

    if (!picked)
        return -1;
    if (picked != at[0].value) {
        taken = at[0];
        at[0] = at[1];
        at[1] = taken;
    }
    rc_value_drop(picked);
    rc_value_machine_pop(machine, 1);
    return 0;
}

int rc_value_machine_join(struct rc_evaluation *machine, enum rc_many operation)
{
    return operation == RC_SUM || machine->rules.extreme == RC_EXTREME_TRUE
               ? join_two(machine, operation)
               : pick_one(machine, operation);
}

/* The stack gives the last first: values are turned round. */
int rc_value_machine_many(struct rc_evaluation *machine, enum rc_many operation, size_t count)
{
    struct rc_slot *low = machine->stack + machine->top - count, taken;
    struct rc_slot *high = machine->stack + machine->top - 1;

    for (; low < high; low++, high--) {
        taken = *low;
        *low = *high;
        *high = taken;
    }
    for (size_t i = 1; i < count; i++) {
        low = machine->stack + machine->top - 2;
        taken = low[0];
        low[0] = low[1];
        low[1] = taken;
        if (rc_value_machine_join(machine, operation))
            return -1;
    }
    return 0;
}

/* ---- farms ---- */

static struct rc_value *run_farm(struct rc_evaluation *machine, size_t count)
{
    const struct rc_slot *at = machine->stack + machine->top - count;
    const struct rc_value **times;
    struct rc_value *result;
    double jobs = at[-1].value->mean, draws = 1;

    if (at[-1].value->kind != RC_POINT || !(jobs >= 1) || jobs != floor(jobs))
        return rc_error_null(rc_error_set(
            machine->error, "the number of jobs of a farm is a whole number from 1 on"));
    times = malloc(count * sizeof *times);
    if (!times)
        return rc_error_null(rc_error_no_memory(machine->error));
    for (size_t i = 0; i < count; i++) {
        times[i] = at[i].value;
        if (times[i]->kind > RC_POINT && times[i]->kind != RC_INTERVAL)
            draws = times[i]->n_draws ? (double)times[i]->n_draws : (double)machine->rules.draws;
    }
    if (jobs > RC_FARM_JOBS_MAX || jobs * draws > FARM_JOBS_MAX) {
        rc_error_set(machine->error, "a farm of %g jobs in %g draws is too large", jobs, draws);
        result = NULL;
    } else {
        result = rc_value_farm(times, count, (uint64_t)jobs, &machine->rules, NULL, machine->error);
    }
    free(times);
    return result;
}

int rc_value_machine_farm(struct rc_evaluation *machine, size_t count)
{
    struct rc_value *result = run_farm(machine, count);

    rc_value_machine_pop(machine, count + 1);
    return rc_value_machine_push_leaf(machine, result);
}
