// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_eval.c - carrying out the code of an expression on a stack of values.
 *
 * 1. A leaf (a distribution, or a value from the scope) is made once and kept under a key, so that
 *    it is the same variable, with the same draws, wherever it is used.
 * 2. Next to each value that is a point, a normal or an interval stands the step of the computation
 *    in intervals that gives it.  Whatever is not made from intervals is a leaf of those steps. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "value/expression.h"
#include "value/internal.h"

/* Memory that runs out must not end the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct slot {
    struct rc_value *value;
    int step; /* -1: of a kind that is not computed in intervals */
};

struct leaf {
    UT_hash_handle hh;
    struct slot slot;
    char key[];
};

/* The longest key: a name or an index for each fold, with its length. */
enum { KEY_SIZE = (RC_EXPRESSION_FOLDS_MAX + 2) * (RC_EXPRESSION_NAME_MAX + 8) + 32 };

struct machine {
    const struct rc_expression *expression;
    int as;
    const struct rc_value_rules *rules;
    const struct rc_expression_scope *scope;
    struct rc_error *error;
    struct slot *stack; /* as long as the code: no instruction pushes more than one */
    size_t top;
    struct slot *names;
    struct leaf *leaves;
    const char *members[RC_EXPRESSION_FOLDS_MAX]; /* at hand, by level */
    struct rc_steps steps;
    size_t done; /* instructions */
};

static int run(struct machine *machine, size_t first, size_t end);

/* ---- the stack ---- */

/* Takes the value over, also on failure; NULL is a failure that has set the error. */
static int push(struct machine *machine, struct rc_value *value, int step)
{
    if (!value)
        return -1;
    machine->stack[machine->top++] = (struct slot){value, step};
    return 0;
}

static void pop(struct machine *machine, size_t count)
{
    while (count-- > 0)
        rc_value_drop(machine->stack[--machine->top].value);
}

/* A leaf of the computation in intervals; in `step` -1 where the value is of another kind. */
static int add_leaf(struct machine *machine, const struct rc_value *value, int *step)
{
    struct rc_step leaf = {.operation = RC_STEP_LEAF, .ends = {value->low, value->high}};

    *step = -1;
    if (value->kind > RC_INTERVAL)
        return 0;
    if (value->kind == RC_NORMAL) {
        leaf.ends[0] = value->mean - machine->rules->normal_width * value->sd;
        leaf.ends[1] = value->mean + machine->rules->normal_width * value->sd;
    }
    *step = rc_steps_add(&machine->steps, leaf, machine->error);
    return *step < 0 ? -1 : 0;
}

/* Pushes a value that is a leaf; takes it over. */
static int push_leaf(struct machine *machine, struct rc_value *value)
{
    int step;

    if (!value)
        return -1;
    if (add_leaf(machine, value, &step)) {
        rc_value_drop(value);
        return -1;
    }
    return push(machine, value, step);
}

static int push_point(struct machine *machine, double x)
{
    return push_leaf(machine, rc_value_point(x, machine->error));
}

/* Puts the result of an operation in the place of its operands; takes it over. */
static int replace(struct machine *machine, size_t count, struct rc_value *result, int operation)
{
    const struct slot *operands = machine->stack + machine->top - count;
    struct rc_step step = {.operation = operation};
    int added;

    if (!result)
        return -1;
    if (result->kind != RC_INTERVAL || operands[0].step < 0 || operands[count - 1].step < 0) {
        pop(machine, count);
        return push_leaf(machine, result);
    }
    step.a = (uint32_t)operands[0].step;
    step.b = (uint32_t)operands[count - 1].step;
    step.ends[0] = result->low;
    step.ends[1] = result->high;
    added = rc_steps_add(&machine->steps, step, machine->error);
    pop(machine, count);
    if (added >= 0)
        return push(machine, result, added);
    rc_value_drop(result);
    return -1;
}

/* ---- operations ---- */

static int do_binary(struct machine *machine, enum rc_binary operation)
{
    const struct slot *at = machine->stack + machine->top - 2;

    return replace(machine, 2, rc_value_binary(operation, at[0].value, at[1].value, machine->rules,
                                               machine->error), (int)operation);
}

static int do_unary(struct machine *machine, enum rc_unary operation)
{
    const struct slot *at = machine->stack + machine->top - 1;

    return replace(machine, 1, rc_value_unary(operation, at->value, machine->rules, machine->error),
                   RC_STEP_UNARY + (int)operation);
}

/* Of a point to the last digit, which log(x) / log(10) is not. */
static int do_log_base(struct machine *machine, unsigned base)
{
    const struct rc_value *value = machine->stack[machine->top - 1].value;
    double x = value->mean;

    if (value->kind == RC_POINT && x > 0) {
        pop(machine, 1);
        return push_point(machine, base == 2 ? log2(x) : log10(x));
    }
    return do_unary(machine, RC_LOG) || push_point(machine, log(base)) ||
                   do_binary(machine, RC_DIVIDE)
               ? -1
               : 0;
}

/* Joins the two topmost values. */
static int do_two(struct machine *machine, enum rc_many operation)
{
    const struct slot *at = machine->stack + machine->top - 2;
    const struct rc_value *const two[] = {at[0].value, at[1].value};

    if (operation == RC_SUM)
        return do_binary(machine, RC_ADD);
    if (operation == RC_MAX)
        return replace(machine, 2, rc_value_max(two, 2, machine->rules, machine->error),
                       RC_STEP_MAX);
    return replace(machine, 2, rc_value_min(two, 2, machine->rules, machine->error), RC_STEP_MIN);
}

/* One of the two topmost values stays as it is: the first, unless the second goes further. */
static int pick_one(struct machine *machine, enum rc_many operation)
{
    struct slot *at = machine->stack + machine->top - 2, taken;
    const struct rc_value *const two[] = {at[0].value, at[1].value};
    struct rc_value *picked = operation == RC_MAX
                                  ? rc_value_max(two, 2, machine->rules, machine->error)
                                  : rc_value_min(two, 2, machine->rules, machine->error);

    if (!picked)
        return -1;
    if (picked != at[0].value) {
        taken = at[0];
        at[0] = at[1];
        at[1] = taken;
    }
    rc_value_drop(picked);
    pop(machine, 1);
    return 0;
}

static int join(struct machine *machine, enum rc_many operation)
{
    return operation == RC_SUM || machine->rules->extreme == RC_EXTREME_TRUE
               ? do_two(machine, operation)
               : pick_one(machine, operation);
}

/* From the left to the right, though the stack gives the last first: values are turned round. */
static int do_many(struct machine *machine, const struct rc_instruction *instruction)
{
    struct slot *low = machine->stack + machine->top - instruction->count, taken;
    struct slot *high = machine->stack + machine->top - 1;

    for (; low < high; low++, high--) {
        taken = *low;
        *low = *high;
        *high = taken;
    }
    for (uint32_t i = 1; i < instruction->count; i++) {
        low = machine->stack + machine->top - 2;
        taken = low[0];
        low[0] = low[1];
        low[1] = taken;
        if (join(machine, (enum rc_many)instruction->operation))
            return -1;
    }
    return 0;
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
static struct rc_value *as_asked(struct machine *machine, struct rc_value *value)
{
    enum rc_value_kind kind;
    struct rc_value *result;

    if (!value || value->kind == RC_POINT)
        return value;
    kind = machine->as < 0 ? value->kind : (enum rc_value_kind)machine->as;
    if (kind == RC_NORMAL && value->n_terms == 0)
        result = rc_value_normal(value->mean, value->sd, fresh_variable(), machine->error);
    else
        result = rc_value_convert(value, kind, machine->rules, machine->error);
    rc_value_drop(value);
    return result;
}

/* Pushes the leaf of that key, if there is one: 1, else 0. */
static int push_known(struct machine *machine, const char *key)
{
    struct leaf *leaf;

    HASH_FIND_STR(machine->leaves, key, leaf);
    if (!leaf)
        return 0;
    push(machine, rc_value_keep(leaf->slot.value), leaf->slot.step);
    return 1;
}

/* Pushes a new leaf and keeps it under `key`; takes it over. */
static int push_new(struct machine *machine, const char *key, struct rc_value *value)
{
    size_t length = strlen(key);
    struct leaf *leaf, *added;

    if (push_leaf(machine, as_asked(machine, value)))
        return -1;
    leaf = calloc(1, sizeof *leaf + length + 1);
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

static void copy_name(const struct machine *machine, struct rc_stretch name,
                      char out[RC_EXPRESSION_NAME_MAX + 1])
{
    memcpy(out, machine->expression->text + name.start, name.length);
    out[name.length] = '\0';
}

static int do_lookup(struct machine *machine, const struct rc_instruction *instruction)
{
    const struct rc_expression_scope *scope = machine->scope;
    char name[RC_EXPRESSION_NAME_MAX + 1], written[RC_EXPRESSION_NAME_MAX + 1];
    const char *index = NULL;
    char key[KEY_SIZE];

    copy_name(machine, instruction->name, name);
    copy_name(machine, instruction->index, written);
    if (instruction->index.length)
        index = instruction->level >= 0 ? machine->members[instruction->level] : written;
    snprintf(key, sizeof key, "%s%s%s", name, index ? "[" : "", index ? index : "");
    if (push_known(machine, key))
        return 0;
    if (scope && scope->value)
        return push_new(machine, key, scope->value(scope->data, name, index, machine->error));
    rc_error_set(machine->error, "nothing is known of '%s'", name);
    if (strcmp(name, "s") == 0)
        rc_error_hint(machine->error, "rates are written without '/s': 100Mbit, 12MB");
    return -1;
}

static struct rc_value *make_distribution(struct machine *machine,
                                          const struct rc_instruction *instruction,
                                          const struct slot *at)
{
    struct rc_value *result;
    struct rc_bin *bins;
    size_t n = instruction->count / 3;

    if (instruction->code == RC_CODE_NORMAL)
        return rc_value_normal(at[0].value->mean, at[1].value->mean, fresh_variable(),
                               machine->error);
    if (instruction->code == RC_CODE_INTERVAL)
        return rc_value_interval(at[0].value->mean, at[1].value->mean, machine->error);
    bins = malloc(n * sizeof *bins);
    if (!bins) {
        rc_error_no_memory(machine->error);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        bins[i] = (struct rc_bin){at[3 * i].value->mean, at[3 * i + 1].value->mean,
                                  at[3 * i + 2].value->mean};
    result = rc_value_histogram(bins, n, machine->error);
    free(bins);
    return result;
}

static int do_distribution(struct machine *machine, const struct rc_instruction *instruction)
{
    const struct slot *at = machine->stack + machine->top - instruction->count;
    struct rc_value *value;
    char key[KEY_SIZE];
    int length = snprintf(key, sizeof key, "%u", (unsigned)instruction->place);

    for (uint32_t i = 0; i < instruction->count; i++)
        if (at[i].value->kind != RC_POINT)
            return rc_error_set(machine->error,
                                "argument %u of a distribution is of kind %s, not a number",
                                (unsigned)i + 1, rc_value_kind_name(at[i].value->kind));
    for (int i = 0; i < RC_EXPRESSION_FOLDS_MAX; i++)
        if (instruction->mentions >> i & 1 && machine->members[i])
            length += snprintf(key + length, sizeof key - (size_t)length, "/%zu:%s",
                               strlen(machine->members[i]), machine->members[i]);
    if (push_known(machine, key)) {
        struct slot known = machine->stack[--machine->top];

        pop(machine, instruction->count);
        return push(machine, known.value, known.step);
    }
    value = make_distribution(machine, instruction, at);
    pop(machine, instruction->count);
    return push_new(machine, key, value);
}

/* ---- folds ---- */

static int find_set(struct machine *machine, const struct rc_instruction *fold,
                    const char *const **members, size_t *n_members)
{
    const struct rc_expression_scope *scope = machine->scope;
    char name[RC_EXPRESSION_NAME_MAX + 1];

    copy_name(machine, fold->name, name);
    if (!scope || !scope->members)
        return rc_error_set(machine->error, "no set '%s' is known", name);
    if (scope->members(scope->data, name, members, n_members, machine->error))
        return -1;
    if (*n_members == 0 && fold->operation != RC_SUM)
        return rc_error_set(machine->error, "the set '%s' is empty", name);
    for (size_t i = 0; i < *n_members; i++)
        if (strlen((*members)[i]) > RC_EXPRESSION_NAME_MAX)
            return rc_error_set(machine->error, "a member of '%s' has a name that is too long",
                                name);
    return 0;
}

/* `at` is the instruction's own index. */
static int do_fold(struct machine *machine, size_t at)
{
    const struct rc_instruction *fold = &machine->expression->code[at];
    const char *const *members = NULL;
    size_t n = 0;

    if (find_set(machine, fold, &members, &n))
        return -1;
    if (n == 0)
        return push_point(machine, 0);
    for (size_t i = 0; i < n; i++) {
        machine->members[fold->slot] = members[i];
        if (run(machine, at + 1, at + 1 + fold->count) ||
            (i > 0 && join(machine, (enum rc_many)fold->operation)))
            return -1;
    }
    machine->members[fold->slot] = NULL;
    return 0;
}

/* ---- the machine ---- */

static int do_one(struct machine *machine, size_t at)
{
    const struct rc_instruction *instruction = &machine->expression->code[at];
    struct slot *name = &machine->names[instruction->slot];

    switch (instruction->code) {
    case RC_CODE_NUMBER:
        return push_point(machine, instruction->number);
    case RC_CODE_LOAD:
        return push(machine, rc_value_keep(name->value), name->step);
    case RC_CODE_STORE:
        *name = machine->stack[--machine->top];
        return 0;
    case RC_CODE_LOOKUP:
        return do_lookup(machine, instruction);
    case RC_CODE_BINARY:
        return do_binary(machine, (enum rc_binary)instruction->operation);
    case RC_CODE_UNARY:
        return do_unary(machine, (enum rc_unary)instruction->operation);
    case RC_CODE_LOG_BASE:
        return do_log_base(machine, instruction->operation);
    case RC_CODE_MANY:
        return do_many(machine, instruction);
    case RC_CODE_FOLD:
        return do_fold(machine, at);
    default:
        return do_distribution(machine, instruction);
    }
}

static int run(struct machine *machine, size_t first, size_t end)
{
    const struct rc_instruction *code = machine->expression->code;

    for (size_t at = first; at < end; at++) {
        if (machine->done++ == RC_EXPRESSION_STEPS_MAX) {
            rc_error_set(machine->error, "more than %d steps", RC_EXPRESSION_STEPS_MAX);
            return rc_expression_place(machine->expression, code[at].place, machine->error);
        }
        if (do_one(machine, at))
            return rc_expression_place(machine->expression, code[at].place, machine->error);
        if (code[at].code == RC_CODE_FOLD)
            at += code[at].count;
    }
    return 0;
}

/* The one value that is left, of intervals as narrow as can be told. */
static struct rc_value *take_result(struct machine *machine)
{
    struct slot *result = &machine->stack[0];
    double ends[2];

    if (result->value->kind != RC_INTERVAL)
        return rc_value_keep(result->value);
    if (rc_steps_sharpen(&machine->steps, (size_t)result->step, ends, machine->error))
        return NULL;
    return rc_value_interval(ends[0], ends[1], machine->error);
}

static void clear(struct machine *machine)
{
    struct leaf *leaf, *next;

    pop(machine, machine->top);
    for (size_t i = 0; machine->names && i < machine->expression->n_names; i++)
        rc_value_drop(machine->names[i].value);
    HASH_ITER(hh, machine->leaves, leaf, next) {
        HASH_DEL(machine->leaves, leaf);
        rc_value_drop(leaf->slot.value);
        free(leaf);
    }
    free(machine->stack);
    free(machine->names);
    free(machine->steps.list);
}

static struct rc_value *evaluate(const struct rc_expression *e, int as,
                                 const struct rc_value_rules *rules,
                                 const struct rc_expression_scope *scope, struct rc_error *error)
{
    struct machine machine = {.expression = e, .as = as, .rules = rules, .scope = scope,
                              .error = error};
    struct rc_value *result = NULL;

    /* One more for the base of a logarithm, which no instruction of its own pushes. */
    machine.stack = calloc(e->n_code + 1, sizeof *machine.stack);
    machine.names = calloc(e->n_names + 1, sizeof *machine.names);
    if (!machine.stack || !machine.names)
        rc_error_no_memory(error);
    else if (run(&machine, 0, e->n_code) == 0)
        result = take_result(&machine);
    clear(&machine);
    return result;
}

struct rc_value *rc_expression_evaluate(const struct rc_expression *expression, int as,
                                        const struct rc_value_rules *rules,
                                        const struct rc_expression_scope *scope,
                                        struct rc_error *error)
{
    struct rc_value_rules same = *rules;
    struct rc_value *result;

    if (error) /* a scope may fail without a word */
        memset(error, 0, sizeof *error);
    result = evaluate(expression, as, rules, scope, error);
    /* A normal that met a sample was drawn at each meeting, as if it were another each time: once
     * more, with every leaf drawn once. */
    if (result && as < 0 && result->kind == RC_SAMPLE && rules->random) {
        same.draws = result->n_draws;
        rc_value_drop(result);
        result = evaluate(expression, RC_SAMPLE, &same, scope, error);
    }
    return result;
}
