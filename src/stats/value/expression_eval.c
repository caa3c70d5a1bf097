// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_eval.c - carrying out the code of expressions: names, folds, definitions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "stats/value/expression_machine.h"
#include "stats/value/internal.h"

static int run(struct rc_evaluation *machine, size_t first, size_t end);

/* ---- indices ---- */

/* What the indices of an instruction stand for. */
struct indices {
    const char *list[RC_EXPRESSION_INDICES_MAX];
    size_t n;
    char texts[RC_EXPRESSION_INDICES_MAX][RC_EXPRESSION_NAME_MAX + 1];
};

static void copy_name(const struct rc_evaluation *machine, struct rc_stretch name,
                      char out[RC_EXPRESSION_NAME_MAX + 1])
{
    memcpy(out, machine->frame->expression->text + name.start, name.length);
    out[name.length] = '\0';
}

/* Pops a number and writes it as an index. */
static int number_index(struct rc_evaluation *machine, char text[RC_EXPRESSION_NAME_MAX + 1])
{
    double x;

    if (rc_value_machine_pop_number(machine, "an index", &x))
        return -1;
    rc_number_format(x, text);
    return 0;
}

/* Pushes the value of a name without indices, which is then popped as an index. */
static int do_name(struct rc_evaluation *machine, const char *name, const struct indices *indices);

static int word_index(struct rc_evaluation *machine, const char **index,
                      char text[RC_EXPRESSION_NAME_MAX + 1])
{
    const struct rc_expression_scope *scope = machine->scope;
    const struct indices none = {.n = 0};
    char word[RC_EXPRESSION_NAME_MAX + 1];

    if (!scope || !scope->member)
        return 0;
    *index = scope->member(scope->data, text);
    if (*index && strlen(*index) > RC_EXPRESSION_NAME_MAX)
        return rc_error_set(machine->error, "the value of '%s' is too long for an index", text);
    if (*index)
        return 0;
    *index = text;
    memcpy(word, text, sizeof word);
    return do_name(machine, word, &none) || number_index(machine, text) ? -1 : 0;
}

/* Numbers were pushed in the order of the indices: they are popped from the last to the first. */
static int find_indices(struct rc_evaluation *machine, const struct rc_instruction *instruction,
                        struct indices *indices)
{
    const struct rc_frame *frame = machine->frame;

    indices->n = instruction->n_indices;
    for (size_t i = indices->n; i-- > 0;) {
        const struct rc_index *index = &frame->expression->indices[instruction->first_index + i];

        indices->list[i] = indices->texts[i];
        if (index->kind == RC_INDEX_NUMBER && number_index(machine, indices->texts[i]))
            return -1;
        if (index->kind == RC_INDEX_MEMBER)
            indices->list[i] = frame->members[index->level];
        if (index->kind == RC_INDEX_WORD) {
            copy_name(machine, index->word, indices->texts[i]);
            if (word_index(machine, &indices->list[i], indices->texts[i]))
                return -1;
        }
    }
    return 0;
}

/* ---- names ---- */

/* Carries out a definition with these members for its parameters. */
static int call(struct rc_evaluation *machine, const struct rc_expression *definition,
                const char *name, const struct indices *indices)
{
    struct rc_frame frame = {.expression = definition}, *outer = machine->frame;
    int status;

    if (machine->calls == RC_EXPRESSION_CALLS_MAX)
        return rc_error_set(machine->error,
                            "more than %d nested definitions: does '%s' refer to itself?",
                            RC_EXPRESSION_CALLS_MAX, name);
    frame.names = calloc(definition->n_names + 1, sizeof *frame.names);
    if (!frame.names)
        return rc_error_no_memory(machine->error);
    for (size_t i = 0; i < indices->n; i++)
        frame.members[i] = indices->list[i];
    machine->frame = &frame;
    machine->calls++;
    status = run(machine, 0, definition->n_code);
    machine->calls--;
    machine->frame = outer;
    for (size_t i = 0; i < definition->n_names; i++)
        rc_value_drop(frame.names[i].value);
    free(frame.names);
    return status;
}

static int not_known(struct rc_evaluation *machine, const char *name)
{
    rc_error_set(machine->error, "unknown name '%s'", name);
    if (strcmp(name, "s") == 0)
        rc_error_hint(machine->error, "write rates without '/s': 100Mbit, 12MB");
    return -1;
}

static int do_name(struct rc_evaluation *machine, const char *name, const struct indices *indices)
{
    const struct rc_expression_scope *scope = machine->scope;
    const struct rc_expression *definition = NULL;
    char key[RC_KEY_SIZE];
    int length = snprintf(key, sizeof key, "%s", name), known;

    for (size_t i = 0; i < indices->n; i++)
        length += snprintf(key + length, sizeof key - (size_t)length, "%c%s", RC_KEY_BREAK,
                           indices->list[i]);
    known = rc_value_machine_push_known(machine, key);
    if (known)
        return known < 0 ? -1 : 0;
    if (scope && scope->definition)
        definition = scope->definition(scope->data, name, indices->list, indices->n);
    if (definition && definition->n_parameters && definition->n_parameters != indices->n)
        return rc_error_set(machine->error, "'%s' has %zu indices, not %zu", name,
                            definition->n_parameters, indices->n);
    if (definition)
        return call(machine, definition, name, indices) || rc_value_machine_keep(machine, key) ? -1
                                                                                               : 0;
    if (!scope || !scope->value)
        return not_known(machine, name);
    return rc_value_machine_push_new(
        machine, key, scope->value(scope->data, name, indices->list, indices->n, machine->error));
}

static int do_lookup(struct rc_evaluation *machine, const struct rc_instruction *instruction)
{
    char name[RC_EXPRESSION_NAME_MAX + 1];
    struct indices indices;

    copy_name(machine, instruction->name, name);
    return find_indices(machine, instruction, &indices) || do_name(machine, name, &indices) ? -1
                                                                                            : 0;
}

static int do_member(struct rc_evaluation *machine, const struct rc_instruction *instruction)
{
    const char *member = machine->frame->members[instruction->level];
    char name[RC_EXPRESSION_NAME_MAX + 1];
    double x;

    if (rc_number_parse(member, strlen(member), &x) == 0)
        return rc_value_machine_push_point(machine, x);
    copy_name(machine, instruction->name, name);
    rc_error_set(machine->error, "'%s' is '%s' here, which is not a number", name, member);
    rc_error_hint(machine->error, "use it as an index: value[%s]", name);
    return -1;
}

/* ---- sets ---- */

static int find_set(struct rc_evaluation *machine, const struct rc_instruction *instruction,
                    const char *const **members, size_t *n_members)
{
    const struct rc_expression_scope *scope = machine->scope;
    char name[RC_EXPRESSION_NAME_MAX + 1];
    struct indices indices;

    copy_name(machine, instruction->name, name);
    if (find_indices(machine, instruction, &indices))
        return -1;
    if (!scope || !scope->members)
        return rc_error_set(machine->error, "unknown set '%s'", name);
    if (scope->members(scope->data, name, indices.list, indices.n, members, n_members,
                       machine->error))
        return -1;
    if (*n_members == 0 && instruction->code != RC_CODE_COUNT &&
        (instruction->code == RC_CODE_FARM || instruction->operation != RC_SUM))
        return rc_error_set(machine->error, "the set '%s' is empty", name);
    for (size_t i = 0; i < *n_members; i++)
        if (strlen((*members)[i]) > RC_EXPRESSION_NAME_MAX)
            return rc_error_set(machine->error, "a member of the set '%s' has too long a name",
                                name);
    return 0;
}

static int do_count(struct rc_evaluation *machine, const struct rc_instruction *instruction)
{
    const char *const *members = NULL;
    size_t n = 0;

    if (find_set(machine, instruction, &members, &n))
        return -1;
    return rc_value_machine_push_point(machine, (double)n);
}

/* The body of the fold at instruction `at`, for one member; the first is not joined. */
static int do_body(struct rc_evaluation *machine, size_t at, const char *member, bool first)
{
    const struct rc_instruction *fold = &machine->frame->expression->code[at];

    machine->frame->members[fold->level] = member;
    if (run(machine, at + 1, at + 1 + fold->count))
        return -1;
    machine->frame->members[fold->level] = NULL;
    if (first || fold->code == RC_CODE_FARM)
        return 0;
    return rc_value_machine_join(machine, (enum rc_many)fold->operation);
}

static int do_fold(struct rc_evaluation *machine, size_t at)
{
    const struct rc_instruction *fold = &machine->frame->expression->code[at];
    const char *const *members = NULL;
    size_t n = 0;

    if (find_set(machine, fold, &members, &n))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (do_body(machine, at, members[i], i == 0))
            return -1;
    if (fold->code == RC_CODE_FARM)
        return rc_value_machine_farm(machine, n);
    return n == 0 ? rc_value_machine_push_point(machine, 0) : 0;
}

static int do_range(struct rc_evaluation *machine, size_t at)
{
    const struct rc_instruction *fold = &machine->frame->expression->code[at];
    char member[RC_NUMBER_SIZE];
    double from, to, n;

    if (rc_value_machine_pop_number(machine, "the end of a range", &to) ||
        rc_value_machine_pop_number(machine, "the start of a range", &from))
        return -1;
    n = floor(to - from + 1e-9) + 1;
    if (!(n <= RC_EXPRESSION_STEPS_MAX) || !(fabs(from) + fabs(to) < 1e15))
        return rc_error_set(machine->error, "a range from %g to %g is too long", from, to);
    if (n < 1)
        return fold->operation == RC_SUM
                   ? rc_value_machine_push_point(machine, 0)
                   : rc_error_set(machine->error, "the range from %g to %g is empty", from, to);
    for (double i = 0; i < n; i++) {
        rc_number_format(from + i, member);
        if (do_body(machine, at, member, i == 0))
            return -1;
    }
    return 0;
}

/* ---- running ---- */

static int do_one(struct rc_evaluation *machine, size_t at)
{
    const struct rc_instruction *instruction = &machine->frame->expression->code[at];
    struct rc_slot *name = &machine->frame->names[instruction->slot];

    switch (instruction->code) {
    case RC_CODE_NUMBER:
        return rc_value_machine_push_point(machine, instruction->number);
    case RC_CODE_MEMBER:
        return do_member(machine, instruction);
    case RC_CODE_LOAD:
        return rc_value_machine_push(machine, rc_value_keep(name->value), name->step);
    case RC_CODE_STORE:
        *name = machine->stack[--machine->top];
        return 0;
    case RC_CODE_LOOKUP:
        return do_lookup(machine, instruction);
    case RC_CODE_COUNT:
        return do_count(machine, instruction);
    case RC_CODE_BINARY:
        return rc_value_machine_binary(machine, (enum rc_binary)instruction->operation);
    case RC_CODE_UNARY:
        return rc_value_machine_unary(machine, (enum rc_unary)instruction->operation);
    case RC_CODE_LOG_BASE:
        return rc_value_machine_log_base(machine, instruction->operation);
    case RC_CODE_MANY:
        return rc_value_machine_many(machine, (enum rc_many)instruction->operation,
                                     instruction->count);
    case RC_CODE_FOLD:
    case RC_CODE_FARM:
        return do_fold(machine, at);
    case RC_CODE_RANGE:
        return do_range(machine, at);
    default:
        return rc_value_machine_distribution(machine, instruction);
    }
}

static int run(struct rc_evaluation *machine, size_t first, size_t end)
{
    const struct rc_expression *expression = machine->frame->expression;
    const struct rc_instruction *code = expression->code;

    for (size_t at = first; at < end; at++) {
        if (machine->done++ == RC_EXPRESSION_STEPS_MAX) {
            rc_error_set(machine->error, "more than %d steps", RC_EXPRESSION_STEPS_MAX);
            rc_error_hint(machine->error, "use fewer members, or write equal terms as a product");
            return rc_value_expression_place(expression, code[at].place, machine->error);
        }
        if (do_one(machine, at))
            return rc_value_expression_place(expression, code[at].place, machine->error);
        if (code[at].code == RC_CODE_FOLD || code[at].code == RC_CODE_RANGE ||
            code[at].code == RC_CODE_FARM)
            at += code[at].count;
    }
    return 0;
}

/* A value, of intervals as narrow as can be told. */
static struct rc_value *sharpest(const struct rc_steps *steps, const struct rc_slot *slot,
                                 struct rc_error *error)
{
    double ends[2];

    if (slot->value->kind != RC_INTERVAL || slot->step < 0)
        return rc_value_keep(slot->value);
    if (rc_value_steps_sharpen(steps, (size_t)slot->step, ends, error))
        return NULL;
    return rc_value_interval(ends[0], ends[1], error);
}

static struct rc_value *evaluate(struct rc_evaluation *machine,
                                 const struct rc_expression *expression, const char *const *members,
                                 size_t n_members)
{
    struct indices indices = {.n = n_members};
    struct rc_value *result = NULL;

    if (expression->n_parameters != n_members)
        return rc_error_null(rc_error_set(machine->error, "%zu parameters, not %zu",
                                          expression->n_parameters, n_members));
    for (size_t i = 0; i < n_members; i++)
        indices.list[i] = members[i];
    machine->frame = NULL;
    machine->done = 0;
    if (call(machine, expression, "the expression", &indices) == 0)
        result = sharpest(&machine->steps, &machine->stack[0], machine->error);
    rc_value_machine_pop(machine, machine->top);
    machine->calls = 0;
    return result;
}

/* ---- evaluations ---- */

struct rc_evaluation *rc_value_evaluation_create(int as, const struct rc_value_rules *rules,
                                                 const struct rc_expression_scope *scope,
                                                 struct rc_error *error)
{
    struct rc_evaluation *evaluation = calloc(1, sizeof *evaluation);

    if (!evaluation)
        return rc_error_null(rc_error_no_memory(error));
    evaluation->as = as;
    evaluation->rules = *rules;
    evaluation->scope = scope;
    return evaluation;
}

void rc_value_evaluation_destroy(struct rc_evaluation *evaluation)
{
    if (!evaluation)
        return;
    rc_value_machine_forget(evaluation);
    free(evaluation->stack);
    free(evaluation->steps.list);
    free(evaluation);
}

struct rc_value *rc_value_evaluation_value(struct rc_evaluation *evaluation,
                                           const struct rc_expression *expression,
                                           const char *const *members, size_t n_members,
                                           struct rc_error *error)
{
    struct rc_value *result;

    if (error) /* a scope may fail without a word */
        memset(error, 0, sizeof *error);
    evaluation->error = error;
    result = evaluate(evaluation, expression, members, n_members);
    /* A normal that met a sample was drawn at each meeting, as if it were another each time: once
     * more, with every leaf drawn once. */
    if (result && evaluation->as < 0 && result->kind == RC_SAMPLE && evaluation->rules.random) {
        evaluation->as = RC_SAMPLE;
        evaluation->rules.draws = result->n_draws;
        rc_value_machine_forget(evaluation);
        rc_value_drop(result);
        result = evaluate(evaluation, expression, members, n_members);
    }
    evaluation->error = NULL;
    return result;
}

struct rc_value *rc_value_expression_evaluate(const struct rc_expression *expression, int as,
                                              const struct rc_value_rules *rules,
                                              const struct rc_expression_scope *scope,
                                              struct rc_error *error)
{
    struct rc_evaluation *evaluation = rc_value_evaluation_create(as, rules, scope, error);
    struct rc_value *result;

    if (!evaluation)
        return NULL;
    result = rc_value_evaluation_value(evaluation, expression, NULL, 0, error);
    rc_value_evaluation_destroy(evaluation);
    return result;
}

void rc_value_evaluation_names(const struct rc_evaluation *evaluation,
                               void (*each)(void *data, const char *name,
                                            const char *const *indices, size_t n_indices,
                                            const struct rc_value *value),
                               void *data)
{
    const struct rc_leaf *leaf;
    char key[RC_KEY_SIZE];

    for (leaf = evaluation->leaves; leaf; leaf = leaf->hh.next) {
        const char *indices[RC_EXPRESSION_INDICES_MAX];
        struct rc_value *value;
        size_t n = 0;

        if (leaf->key[0] == RC_KEY_BREAK) /* a distribution, which has no name */
            continue;
        snprintf(key, sizeof key, "%s", leaf->key);
        for (char *at = strchr(key, RC_KEY_BREAK); at && n < RC_EXPRESSION_INDICES_MAX;
             at = strchr(at, RC_KEY_BREAK)) {
            *at++ = '\0';
            indices[n++] = at;
        }
        value = sharpest(&evaluation->steps, &leaf->slot, NULL);
        if (value)
            each(data, key, indices, n, value);
        rc_value_drop(value);
    }
}
