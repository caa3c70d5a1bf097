// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_parse.c - reading an expression into code for a stack machine.
 *
 *     program   = statement { ";" statement } [ ";" ]
 *     statement = [ name "=" ] sum
 *     sum       = product { ( "+" | "-" ) product }
 *     product   = signed { ( "*" | "/" ) signed }
 *     signed    = ( "-" | "+" ) signed | power
 *     power     = atom [ "^" signed ]
 *     atom      = number | "(" sum ")" | name [ "[" index "]" ] | name "(" arguments ")"
 *
 * One function for each.  Only `signed`, `power` and `atom` can come back to themselves, so the
 * depth is counted in `signed` alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "value/expression.h"

struct parser {
    struct rc_expression *expression;
    const char *text;
    size_t length, at;
    unsigned depth;
    struct rc_stretch members[RC_EXPRESSION_FOLDS_MAX]; /* names for members, outermost first */
    int n_members;
    struct rc_error *error;
};

static const struct function {
    const char *name;
    enum rc_code code;
    unsigned operation;
    unsigned least, most; /* arguments */
} functions[] = {
    {"log", RC_CODE_UNARY, RC_LOG, 1, 1},
    {"log2", RC_CODE_LOG_BASE, 2, 1, 1},
    {"log10", RC_CODE_LOG_BASE, 10, 1, 1},
    {"sqrt", RC_CODE_UNARY, RC_SQRT, 1, 1},
    {"exp", RC_CODE_UNARY, RC_EXP, 1, 1},
    {"abs", RC_CODE_UNARY, RC_ABS, 1, 1},
    {"sum", RC_CODE_MANY, RC_SUM, 1, RC_EXPRESSION_NODES_MAX},
    {"max", RC_CODE_MANY, RC_MAX, 1, RC_EXPRESSION_NODES_MAX},
    {"min", RC_CODE_MANY, RC_MIN, 1, RC_EXPRESSION_NODES_MAX},
    {"normal", RC_CODE_NORMAL, 0, 2, 2},
    {"interval", RC_CODE_INTERVAL, 0, 2, 2},
    {"histogram", RC_CODE_HISTOGRAM, 0, 1, RC_VALUE_BINS_MAX},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static int parse_sum(struct parser *parser);

/* ---- characters ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_name(char c)
{
    return starts_name(c) || is_digit(c) || c == '.';
}

static void skip_space(struct parser *parser)
{
    while (parser->at < parser->length && strchr(" \t\r\n", parser->text[parser->at]))
        parser->at++;
}

/* The next character after spaces, or NUL at the end. */
static char peek(struct parser *parser)
{
    skip_space(parser);
    return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

static bool accept(struct parser *parser, char c)
{
    if (peek(parser) != c || c == '\0')
        return false;
    parser->at++;
    return true;
}

/* Sets an error at byte `at`; returns -1. */
#define FAIL_AT(parser, byte, ...)                                                                 \
    (rc_error_set((parser)->error, __VA_ARGS__),                                                   \
     rc_expression_place((parser)->expression, (byte), (parser)->error))

/* Says what stands where something else should. */
static int unexpected(struct parser *parser, const char *wanted)
{
    char c = peek(parser);
    size_t end = parser->at + 1;

    if (c == '\0')
        return FAIL_AT(parser, parser->at, "the expression ends where %s should stand", wanted);
    while (end < parser->length && ((unsigned char)parser->text[end] & 0xc0) == 0x80)
        end++;
    return FAIL_AT(parser, parser->at, "'%.*s' where %s should stand", (int)(end - parser->at),
                   parser->text + parser->at, wanted);
}

static int expect(struct parser *parser, char c, const char *wanted)
{
    return accept(parser, c) ? 0 : unexpected(parser, wanted);
}

static bool same(const struct parser *parser, struct rc_stretch a, struct rc_stretch b)
{
    return a.length == b.length &&
           memcmp(parser->text + a.start, parser->text + b.start, a.length) == 0;
}

static bool is_word(const struct parser *parser, struct rc_stretch name, const char *word)
{
    return name.length == strlen(word) && memcmp(parser->text + name.start, word, name.length) == 0;
}

/* ---- code ---- */

/* A new instruction, or NULL with the error set; it moves with the next one. */
static struct rc_instruction *emit(struct parser *parser, enum rc_code code, size_t place)
{
    struct rc_expression *e = parser->expression;
    struct rc_instruction *more;
    size_t capacity;

    if (e->n_code >= RC_EXPRESSION_NODES_MAX) {
        FAIL_AT(parser, place, "the expression has more than %d parts", RC_EXPRESSION_NODES_MAX);
        return NULL;
    }
    if (e->n_code == e->code_capacity) {
        capacity = e->code_capacity ? 2 * e->code_capacity : 32;
        more = realloc(e->code, capacity * sizeof *more);
        if (!more) {
            rc_error_no_memory(parser->error);
            return NULL;
        }
        e->code = more;
        e->code_capacity = capacity;
    }
    e->code[e->n_code] = (struct rc_instruction){.code = code, .place = (uint32_t)place,
                                                 .level = -1};
    return &e->code[e->n_code++];
}

static int emit_operation(struct parser *parser, enum rc_code code, unsigned operation,
                          size_t place)
{
    struct rc_instruction *instruction = emit(parser, code, place);

    if (!instruction)
        return -1;
    instruction->operation = operation;
    return 0;
}

/* ---- names ---- */

static int parse_name(struct parser *parser, struct rc_stretch *name)
{
    size_t start;

    if (!starts_name(peek(parser)))
        return unexpected(parser, "a name");
    start = parser->at;
    while (parser->at < parser->length && in_name(parser->text[parser->at]))
        parser->at++;
    *name = (struct rc_stretch){(uint32_t)start, (uint32_t)(parser->at - start)};
    if (name->length > RC_EXPRESSION_NAME_MAX)
        return FAIL_AT(parser, start, "a name of more than %d characters", RC_EXPRESSION_NAME_MAX);
    return 0;
}

/* Whether a name stands next and then `after` ("=" or "in"); if so, goes past both. */
static bool accept_name(struct parser *parser, struct rc_stretch *name, const char *after)
{
    size_t start = parser->at, length = strlen(after);
    struct rc_error *error = parser->error;
    bool found;

    parser->error = NULL;
    found = starts_name(peek(parser)) && parse_name(parser, name) == 0 &&
            peek(parser) == after[0] && parser->length - parser->at >= length &&
            memcmp(parser->text + parser->at, after, length) == 0;
    parser->error = error;
    parser->at += length;
    if (found && starts_name(after[0]) && parser->at < parser->length &&
        in_name(parser->text[parser->at]))
        found = false; /* a longer word that only starts so */
    if (!found)
        parser->at = start;
    return found;
}

static const struct function *find_function(const struct parser *parser, struct rc_stretch name)
{
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        if (is_word(parser, name, functions[i].name))
            return &functions[i];
    return NULL;
}

/* Refuses to give a name that the language has taken. */
static int check_free(struct parser *parser, struct rc_stretch name)
{
    if (!find_function(parser, name) && !is_word(parser, name, "in"))
        return 0;
    return FAIL_AT(parser, name.start, "'%.*s' has a meaning of its own", (int)name.length,
                   parser->text + name.start);
}

/* The level of the fold for whose members `name` stands, or -1. */
static int find_member(const struct parser *parser, struct rc_stretch name)
{
    for (int i = parser->n_members - 1; i >= 0; i--)
        if (same(parser, parser->members[i], name))
            return i;
    return -1;
}

/* Indices may be names of hosts and links, in which more characters are usual. */
static int parse_index(struct parser *parser, struct rc_stretch *index)
{
    size_t start;

    peek(parser);
    start = parser->at;
    while (parser->at < parser->length &&
           (in_name(parser->text[parser->at]) || parser->text[parser->at] == '-' ||
            parser->text[parser->at] == ':'))
        parser->at++;
    *index = (struct rc_stretch){(uint32_t)start, (uint32_t)(parser->at - start)};
    if (index->length == 0)
        return unexpected(parser, "an index");
    if (index->length > RC_EXPRESSION_NAME_MAX)
        return FAIL_AT(parser, start, "an index of more than %d characters",
                       RC_EXPRESSION_NAME_MAX);
    return expect(parser, ']', "']'");
}

/* A name that is no function: assigned before, or one for the scope. */
static int parse_variable(struct parser *parser, struct rc_stretch name)
{
    struct rc_expression *e = parser->expression;
    struct rc_stretch index = {0, 0};
    struct rc_instruction *instruction;
    bool indexed = accept(parser, '[');

    if (indexed && parse_index(parser, &index))
        return -1;
    if (!indexed && find_member(parser, name) >= 0)
        return FAIL_AT(parser, name.start,
                       "'%.*s' is a member of a set and has no value; name[%.*s] has",
                       (int)name.length, parser->text + name.start, (int)name.length,
                       parser->text + name.start);
    for (size_t i = e->n_names; !indexed && i-- > 0;)
        if (same(parser, e->names[i], name)) {
            instruction = emit(parser, RC_CODE_LOAD, name.start);
            if (instruction)
                instruction->slot = (uint32_t)i;
            return instruction ? 0 : -1;
        }
    instruction = emit(parser, RC_CODE_LOOKUP, name.start);
    if (!instruction)
        return -1;
    instruction->name = name;
    instruction->index = index;
    instruction->level = indexed ? find_member(parser, index) : -1;
    return 0;
}

/* ---- calls ---- */

/* Which folds' members the code from `first` on mentions. */
static uint32_t mentioned(const struct rc_expression *e, size_t first)
{
    uint32_t levels = 0;

    for (size_t i = first; i < e->n_code; i++) {
        if (e->code[i].level >= 0)
            levels |= UINT32_C(1) << e->code[i].level;
        levels |= e->code[i].mentions;
    }
    return levels;
}

/* The rest of "sum(h in hosts: …)", from after "in". */
static int parse_fold(struct parser *parser, unsigned operation, struct rc_stretch member,
                      size_t place)
{
    size_t first = parser->expression->n_code;
    struct rc_instruction *fold = emit(parser, RC_CODE_FOLD, place);
    struct rc_stretch set;

    if (!fold || check_free(parser, member) || parse_name(parser, &set) ||
        expect(parser, ':', "':'"))
        return -1;
    if (parser->n_members == RC_EXPRESSION_FOLDS_MAX)
        return FAIL_AT(parser, place, "more than %d folds within one another",
                       RC_EXPRESSION_FOLDS_MAX);
    fold->operation = operation;
    fold->name = set;
    fold->slot = (uint32_t)parser->n_members;
    parser->members[parser->n_members++] = member;
    if (parse_sum(parser))
        return -1;
    parser->n_members--;
    fold = &parser->expression->code[first];
    fold->count = (uint32_t)(parser->expression->n_code - first - 1);
    return expect(parser, ')', "an operator or ')'");
}

static int parse_arguments(struct parser *parser, const struct function *function, size_t place,
                           uint32_t *count)
{
    *count = 0;
    do {
        for (int part = 0; part < (function->code == RC_CODE_HISTOGRAM ? 3 : 1); part++)
            if ((part > 0 && expect(parser, ':', "':'")) || parse_sum(parser))
                return -1;
        ++*count;
    } while (accept(parser, ','));
    if (*count < function->least || *count > function->most)
        return FAIL_AT(parser, place, "%s takes %u argument%s, not %u", function->name,
                       *count < function->least ? function->least : function->most,
                       function->most == 1 ? "" : "s", *count);
    return expect(parser, ')', "an operator, ',' or ')'");
}

static int parse_call(struct parser *parser, const struct function *function, size_t place)
{
    size_t first = parser->expression->n_code;
    struct rc_instruction *call;
    struct rc_stretch member;
    uint32_t count;

    if (function->code == RC_CODE_MANY && accept_name(parser, &member, "in"))
        return parse_fold(parser, function->operation, member, place);
    if (parse_arguments(parser, function, place, &count))
        return -1;
    call = emit(parser, function->code, place);
    if (!call)
        return -1;
    call->operation = function->operation;
    call->count = function->code == RC_CODE_HISTOGRAM ? 3 * count : count;
    if (function->code >= RC_CODE_NORMAL)
        call->mentions = mentioned(parser->expression, first);
    return 0;
}

/* ---- operators ---- */

static int parse_number(struct parser *parser)
{
    size_t start = parser->at, length;
    struct rc_error unit = {.text = ""};
    struct rc_instruction *instruction;
    double value;

    length = rc_number_scan(parser->text + start, parser->length - start, &value);
    parser->at += length ? length : 1;
    while (parser->at < parser->length &&
           (in_name(parser->text[parser->at]) || parser->text[parser->at] == '%' ||
            (unsigned char)parser->text[parser->at] >= 0x80))
        parser->at++;
    length = parser->at - start;
    for (int d = 0; d < RC_DIMENSIONS; d++)
        if (rc_unit_parse(parser->text + start, length, (enum rc_dimension)d, &value, NULL) == 0 &&
            isfinite(value)) {
            instruction = emit(parser, RC_CODE_NUMBER, start);
            if (instruction)
                instruction->number = value;
            return instruction ? 0 : -1;
        }
    rc_unit_parse(parser->text + start, length, RC_BYTES, &value, &unit);
    FAIL_AT(parser, start, "'%.*s' is not a number, nor one with a unit (64KiB, 100Mbit, 2.2Gf, "
            "50us, 40%%)", length > 40 ? 40 : (int)length, parser->text + start);
    if (unit.hint[0])
        rc_error_hint(parser->error, "%s", unit.hint);
    return -1;
}

static int parse_atom(struct parser *parser)
{
    const struct function *function;
    struct rc_stretch name;
    char c = peek(parser);

    if (is_digit(c) || c == '.')
        return parse_number(parser);
    if (accept(parser, '('))
        return parse_sum(parser) ? -1 : expect(parser, ')', "an operator or ')'");
    if (!starts_name(c))
        return unexpected(parser, "a value");
    if (parse_name(parser, &name))
        return -1;
    function = find_function(parser, name);
    if (accept(parser, '(')) {
        if (function)
            return parse_call(parser, function, name.start);
        return FAIL_AT(parser, name.start, "there is no function '%.*s'", (int)name.length,
                       parser->text + name.start);
    }
    if (function)
        return unexpected(parser, "'(' with the arguments of a function");
    return parse_variable(parser, name);
}

static int parse_signed(struct parser *parser)
{
    size_t place;
    int status;
    char c = peek(parser);

    place = parser->at;
    if (parser->depth == RC_EXPRESSION_DEPTH_MAX)
        return FAIL_AT(parser, place, "more than %d brackets, signs or powers within one another",
                       RC_EXPRESSION_DEPTH_MAX);
    parser->depth++;
    if (c == '-' || c == '+') {
        parser->at++;
        status = parse_signed(parser);
        if (status == 0 && c == '-')
            status = emit_operation(parser, RC_CODE_UNARY, RC_NEGATE, place);
    } else {
        status = parse_atom(parser);
        if (status == 0 && peek(parser) == '^') {
            place = parser->at++;
            status = parse_signed(parser);
            if (status == 0)
                status = emit_operation(parser, RC_CODE_BINARY, RC_POWER, place);
        }
    }
    parser->depth--;
    return status;
}

/* Operands with operators of one rank between them, from left to right. */
static int parse_chain(struct parser *parser, int (*operand)(struct parser *parser),
                       const char *signs, enum rc_binary first, enum rc_binary second)
{
    size_t place;
    char c;

    if (operand(parser))
        return -1;
    while ((c = peek(parser)) == signs[0] || c == signs[1]) {
        place = parser->at++;
        if (operand(parser) ||
            emit_operation(parser, RC_CODE_BINARY, c == signs[0] ? first : second, place))
            return -1;
    }
    return 0;
}

static int parse_product(struct parser *parser)
{
    return parse_chain(parser, parse_signed, "*/", RC_MULTIPLY, RC_DIVIDE);
}

static int parse_sum(struct parser *parser)
{
    return parse_chain(parser, parse_product, "+-", RC_ADD, RC_SUBTRACT);
}

/* ---- statements ---- */

/* After the expression that is assigned, so that x = x + 1 takes the x from before. */
static int emit_store(struct parser *parser, struct rc_stretch name)
{
    struct rc_expression *e = parser->expression;
    struct rc_instruction *store = emit(parser, RC_CODE_STORE, name.start);

    if (!store)
        return -1;
    if (e->n_names == RC_EXPRESSION_NAMES_MAX)
        return FAIL_AT(parser, name.start, "more than %d assignments", RC_EXPRESSION_NAMES_MAX);
    store->slot = (uint32_t)e->n_names;
    e->names[e->n_names++] = name;
    return 0;
}

static int parse_statement(struct parser *parser)
{
    struct rc_stretch name;
    struct rc_instruction *result;
    size_t start;
    bool assigns = accept_name(parser, &name, "="), more;

    if (assigns && check_free(parser, name))
        return -1;
    peek(parser);
    start = parser->at;
    if (parse_sum(parser) || (assigns && emit_store(parser, name)))
        return -1;
    if (peek(parser) != '\0' && !accept(parser, ';'))
        return unexpected(parser, "an operator or ';'");
    more = peek(parser) != '\0';
    if (more && !assigns)
        return FAIL_AT(parser, start, "the value of this statement is not used");
    if (!more && assigns) { /* the last name is then the result */
        result = emit(parser, RC_CODE_LOAD, name.start);
        if (!result)
            return -1;
        result->slot = (uint32_t)(parser->expression->n_names - 1);
    }
    return 0;
}

static int parse_program(struct rc_expression *e, struct rc_error *error)
{
    struct parser parser = {.expression = e, .text = e->text, .length = e->length, .error = error};
    const char *nul = memchr(e->text, '\0', e->length);

    if (nul)
        return FAIL_AT(&parser, (size_t)(nul - e->text), "a NUL byte");
    do
        if (parse_statement(&parser))
            return -1;
    while (peek(&parser) != '\0');
    return 0;
}

void rc_expression_destroy(struct rc_expression *expression)
{
    if (!expression)
        return;
    free(expression->name);
    free(expression->text);
    free(expression->code);
    free(expression->names);
    free(expression);
}

int rc_expression_place(const struct rc_expression *expression, size_t at, struct rc_error *error)
{
    if (!error || error->file[0])
        return -1;
    snprintf(error->file, sizeof error->file, "%s", expression->name);
    error->line = error->column = 1;
    for (size_t i = 0; i < at && i < expression->length; i++)
        if (expression->text[i] == '\n') {
            error->line++;
            error->column = 1;
        } else if (((unsigned char)expression->text[i] & 0xc0) != 0x80) {
            error->column++;
        }
    return -1;
}

struct rc_expression *rc_expression_parse(const char *text, size_t length, const char *name,
                                          struct rc_error *error)
{
    struct rc_expression *e;

    if (length > RC_EXPRESSION_LENGTH_MAX) {
        rc_error_at(error, name, 0, 0, "an expression of %zu bytes is longer than %d", length,
                    RC_EXPRESSION_LENGTH_MAX);
        return NULL;
    }
    e = calloc(1, sizeof *e);
    if (e) {
        e->name = strdup(name);
        e->text = malloc(length + 1);
        e->names = malloc(RC_EXPRESSION_NAMES_MAX * sizeof *e->names);
    }
    if (!e || !e->name || !e->text || !e->names) {
        rc_expression_destroy(e);
        rc_error_no_memory(error);
        return NULL;
    }
    if (length)
        memcpy(e->text, text, length);
    e->text[length] = '\0';
    e->length = length;
    if (parse_program(e, error)) {
        rc_expression_destroy(e);
        return NULL;
    }
    return e;
}
