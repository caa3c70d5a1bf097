// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_machine.c - the stack of values, the operations on it, and what an evaluation makes
 * once and keeps: distributions, values from the scope, and what definitions came to. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "stats/value/expression_machine.h"
#include "stats/value/job_farm.h"
#include "stats/value/internal.h"

/* Of one farm, in all draws: some seconds of work. */
static const double FARM_JOBS_MAX = 1e9;

/* ---- the stack ---- */

int rc_value_machine_push(struct rc_evaluation *machine, struct rc_value *value, int step)
{
    if (!value)
        return -1;
    if (rc_array_room(&machine->stack, machine->top + 1, &machine->capacity, sizeof *machine->stack,
                      machine->error)) {
        rc_value_drop(value);
        return -1;
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
    return rc_error_set(machine->error, "%s must be a number, not a value of kind %s", what,
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

/* Pushes a value that is a leaf of the computation in intervals; takes it over. */
static int push_leaf(struct rc_evaluation *machine, struct rc_value *value)
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
    return push_leaf(machine, rc_value_point(x, machine->error));
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
        return push_leaf(machine, result);
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

static void swap(struct rc_slot *a, struct rc_slot *b)
{
    struct rc_slot taken = *a;

    *a = *b;
    *b = taken;
}

/* Max or Min of the two topmost values. */
static struct rc_value *extreme(struct rc_evaluation *machine, enum rc_many operation)
{
    const struct rc_slot *at = machine->stack + machine->top - 2;
    const struct rc_value *const two[] = {at[0].value, at[1].value};

    return operation == RC_MAX ? rc_value_max(two, 2, &machine->rules, machine->error)
                               : rc_value_min(two, 2, &machine->rules, machine->error);
}

/* One of the two topmost values stays as it is: the first, unless the second goes further. */
static int pick_one(struct rc_evaluation *machine, enum rc_many operation)
{
    struct rc_slot *at = machine->stack + machine->top - 2;
    struct rc_value *picked = extreme(machine, operation);

    if (!picked)
        return -1;
    if (picked != at[0].value)
        swap(&at[0], &at[1]);
    rc_value_drop(picked);
    rc_value_machine_pop(machine, 1);
    return 0;
}

int rc_value_machine_join(struct rc_evaluation *machine, enum rc_many operation)
{
    if (operation == RC_SUM)
        return rc_value_machine_binary(machine, RC_ADD);
    if (machine->rules.extreme != RC_EXTREME_TRUE)
        return pick_one(machine, operation);
    return replace(machine, 2, extreme(machine, operation),
                   operation == RC_MAX ? RC_STEP_MAX : RC_STEP_MIN);
}

/* The stack gives the last first: values are turned round. */
int rc_value_machine_many(struct rc_evaluation *machine, enum rc_many operation, size_t count)
{
    struct rc_slot *low = machine->stack + machine->top - count;
    struct rc_slot *high = machine->stack + machine->top - 1;

    for (; low < high; low++, high--)
        swap(low, high);
    for (size_t i = 1; i < count; i++) {
        swap(machine->stack + machine->top - 2, machine->stack + machine->top - 1);
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
            machine->error, "the number of jobs of a farm must be a whole number of at least 1"));
    times = malloc(count * sizeof *times);
    if (!times)
        return rc_error_null(rc_error_no_memory(machine->error));
    for (size_t i = 0; i < count; i++) {
        times[i] = at[i].value;
        if (times[i]->kind > RC_POINT && times[i]->kind != RC_INTERVAL)
            draws = times[i]->n_draws ? (double)times[i]->n_draws : (double)machine->rules.draws;
    }
    if (jobs > RC_FARM_JOBS_MAX || jobs * draws > FARM_JOBS_MAX) {
        rc_error_set(machine->error, "a farm of %g jobs with %g samples is too large", jobs, draws);
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
    return push_leaf(machine, result);
}

/* ---- leaves ---- */

/* A number that no other variable has, of this or any other evaluation; callers' are smaller. */
static uint64_t fresh_variable(void)
{
    static _Atomic uint64_t last = UINT64_C(1) << 63;

    return atomic_fetch_add(&last, 1) + 1;
}

/* Brings a leaf to the kind that is asked for; takes it over.  What becomes a normal becomes a
 * variable of its own. */
static struct rc_value *as_asked(struct rc_evaluation *machine, struct rc_value *value)
{
    enum rc_value_kind kind;
    struct rc_value *result;

    if (!value || value->kind == RC_POINT)
        return value;
    kind = machine->as < 0 ? value->kind : (enum rc_value_kind)machine->as;
    if (kind == RC_NORMAL && value->n_terms == 0)
        result = rc_value_normal(value->mean,
                                 value->kind == RC_MODAL
                                     ? rc_value_modal_normal_sd(value, &machine->rules)
                                     : value->sd,
                                 fresh_variable(), machine->error);
    else
        result = rc_value_convert(value, kind, &machine->rules, machine->error);
    rc_value_drop(value);
    return result;
}

int rc_value_machine_push_known(struct rc_evaluation *machine, const char *key)
{
    struct rc_leaf *leaf;

    HASH_FIND_STR(machine->leaves, key, leaf);
    if (!leaf)
        return 0;
    return rc_value_machine_push(machine, rc_value_keep(leaf->slot.value), leaf->slot.step) ? -1
                                                                                            : 1;
}

int rc_value_machine_keep(struct rc_evaluation *machine, const char *key)
{
    size_t length = strlen(key);
    struct rc_leaf *leaf = calloc(1, sizeof *leaf + length + 1), *added;

    if (!leaf)
        return rc_error_no_memory(machine->error);
    memcpy(leaf->key, key, length);
    leaf->slot = machine->stack[machine->top - 1];
    HASH_ADD_STR(machine->leaves, key, leaf);
    HASH_FIND_STR(machine->leaves, key, added);
    if (added != leaf) { /* there was no memory for the table */
        free(leaf);
        return rc_error_no_memory(machine->error);
    }
    rc_value_keep(leaf->slot.value);
    return 0;
}

int rc_value_machine_push_new(struct rc_evaluation *machine, const char *key,
                              struct rc_value *value)
{
    return push_leaf(machine, as_asked(machine, value)) || rc_value_machine_keep(machine, key) ? -1
                                                                                               : 0;
}

void rc_value_machine_forget(struct rc_evaluation *machine)
{
    struct rc_leaf *leaf, *next;

    HASH_ITER(hh, machine->leaves, leaf, next)
    {
        HASH_DEL(machine->leaves, leaf);
        rc_value_drop(leaf->slot.value);
        free(leaf);
    }
    machine->steps.n = 0;
}

/* ---- distributions ---- */

static struct rc_value *make_distribution(struct rc_evaluation *machine,
                                          const struct rc_instruction *instruction,
                                          const struct rc_slot *at)
{
    struct rc_value *result;
    struct rc_bin *bins;
    size_t n = instruction->count / 3;

    if (instruction->code == RC_CODE_NORMAL)
        return rc_value_normal(at[0].value->mean, at[1].value->mean, fresh_variable(),
                               machine->error);
    if (instruction->code == RC_CODE_INTERVAL)
        return rc_value_interval(at[0].value->mean, at[1].value->mean, machine->error);
    if (instruction->code == RC_CODE_MODAL) {
        struct rc_mode modes[RC_VALUE_MODES_MAX];

        for (size_t i = 0; i < n; i++)
            modes[i] = (struct rc_mode){at[3 * i].value->mean, at[3 * i + 1].value->mean,
                                        at[3 * i + 2].value->mean};
        return rc_value_modal(modes, n, machine->error);
    }
    bins = malloc(n * sizeof *bins);
    if (!bins)
        return rc_error_null(rc_error_no_memory(machine->error));
    for (size_t i = 0; i < n; i++)
        bins[i] = (struct rc_bin){at[3 * i].value->mean, at[3 * i + 1].value->mean,
                                  at[3 * i + 2].value->mean};
    result = rc_value_histogram(bins, n, machine->error);
    free(bins);
    return result;
}

/* One for each expression, place in it, and members that are mentioned. */
static void distribution_key(const struct rc_frame *frame, const struct rc_instruction *instruction,
                             char key[RC_KEY_SIZE])
{
    int length = snprintf(key, RC_KEY_SIZE, "%c%p:%u", RC_KEY_BREAK,
                          (const void *)frame->expression, (unsigned)instruction->place);

    for (int i = 0; i < RC_EXPRESSION_FOLDS_MAX; i++)
        if (instruction->mentions >> i & 1 && frame->members[i])
            length += snprintf(key + length, RC_KEY_SIZE - (size_t)length, "%c%s", RC_KEY_BREAK,
                               frame->members[i]);
}

int rc_value_machine_distribution(struct rc_evaluation *machine,
                                  const struct rc_instruction *instruction)
{
    const struct rc_slot *at = machine->stack + machine->top - instruction->count;
    struct rc_value *value;
    char key[RC_KEY_SIZE];
    int known;

    for (uint32_t i = 0; i < instruction->count; i++)
        if (at[i].value->kind != RC_POINT)
            return rc_error_set(
                machine->error,
                "argument %u of a distribution must be a number, not a value of kind %s",
                (unsigned)i + 1, rc_value_kind_name(at[i].value->kind));
    distribution_key(machine->frame, instruction, key);
    known = rc_value_machine_push_known(machine, key);
    if (known < 0)
        return -1;
    if (known) {
        struct rc_slot kept = machine->stack[--machine->top];

        rc_value_machine_pop(machine, instruction->count);
        return rc_value_machine_push(machine, kept.value, kept.step);
    }
    value = make_distribution(machine, instruction, at);
    rc_value_machine_pop(machine, instruction->count);
    return rc_value_machine_push_new(machine, key, value);
}
