// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_leaf.c - what an evaluation makes once and keeps: distributions, values from the
 * scope, and what definitions came to. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/value/expression_machine.h"
#include "stats/value/internal.h"

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
        result = rc_value_normal(value->mean, value->sd, fresh_variable(), machine->error);
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
    return rc_value_machine_push_leaf(machine, as_asked(machine, value)) ||
                   rc_value_machine_keep(machine, key)
               ? -1
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
            return rc_error_set(machine->error,
                                "argument %u of a distribution is of kind %s, not a number",
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
