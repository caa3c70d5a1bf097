// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_parse.c - reading an expression into code for a stack machine.
 *
 *     program   = statement { ";" statement } [ ";" ]
 *     statement = [ name "=" ] sum
 *     sum       = product { ( "+" | "-" ) product }
 *     product   = signed { ( "*" | "/" ) signed }
 *     signed    = ( "-" | "+" ) signed | power
 *     power     = atom [ "^" signed ]
 *     atom      = number | "(" sum ")" | variable | call
 *
 * One function for each.  Only `signed`, `power` and `atom` can come back to themselves, so the
 * depth is counted in `signed` alone. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "stats/value/expression_parser.h"

/* ---- operators ---- */

static int parse_sum(struct rc_parser *parser);

static int parse_number(struct rc_parser *parser)
{
    size_t start = parser->at, length;
    struct rc_error unit = {.text = ""};
    struct rc_instruction *instruction;
    double value;

    length = rc_number_scan(parser->text + start, parser->length - start, &value);
    parser->at += length ? length : 1;
    while (parser->at < parser->length &&
           (rc_value_parse_in_name(parser->text[parser->at]) || parser->text[parser->at] == '%' ||
            (unsigned char)parser->text[parser->at] >= 0x80))
        parser->at++;
    length = parser->at - start;
    if (rc_value_parse_is_number(parser->text + start, length, &value)) {
        instruction = rc_value_parse_emit(parser, RC_CODE_NUMBER, start);
        if (instruction)
            instruction->number = value;
        return instruction ? 0 : -1;
    }
    rc_unit_parse(parser->text + start, length, RC_BYTES, &value, &unit);
    RC_PARSE_FAIL(
        parser, start,
        "'%.*s' is not a number with or without a unit (64KiB, 100Mbit, 2.2Gf, 50us, 40%%)",
        (int)rc_text_prefix(parser->text + start, length, 40), parser->text + start);
    if (unit.hint[0])
        rc_error_hint(parser->error, "%s", unit.hint);
    return -1;
}

static int parse_atom(struct rc_parser *parser)
{
    const struct rc_parse_function *function;
    struct rc_stretch name;
    char c = rc_value_parse_peek(parser);

    if (rc_value_parse_is_digit(c) || c == '.')
        return parse_number(parser);
    if (rc_value_parse_accept(parser, '('))
        return parse_sum(parser) ? -1 : rc_value_parse_expect(parser, ')', "an operator or ')'");
    if (!rc_value_parse_starts_name(c))
        return rc_value_parse_unexpected(parser, "a value");
    if (rc_value_parse_name(parser, &name))
        return -1;
    function = rc_value_parse_find_function(parser, name);
    if (rc_value_parse_accept(parser, '(')) {
        if (function)
            return rc_value_parse_call(parser, function, name.start);
        return RC_PARSE_FAIL(parser, name.start, "unknown function '%.*s'", (int)name.length,
                             parser->text + name.start);
    }
    if (function)
        return rc_value_parse_unexpected(parser, "'(' with the arguments of a function");
    return rc_value_parse_variable(parser, name);
}

static int parse_signed(struct rc_parser *parser)
{
    size_t place;
    int status;
    char c = rc_value_parse_peek(parser);

    place = parser->at;
    if (parser->depth == RC_EXPRESSION_DEPTH_MAX)
        return RC_PARSE_FAIL(parser, place, "more than %d nested brackets, signs or powers",
                             RC_EXPRESSION_DEPTH_MAX);
    parser->depth++;
    if (c == '-' || c == '+') {
        parser->at++;
        status = parse_signed(parser);
        if (status == 0 && c == '-')
            status = rc_value_parse_emit_operation(parser, RC_CODE_UNARY, RC_NEGATE, place);
    } else {
        status = parse_atom(parser);
        if (status == 0 && rc_value_parse_peek(parser) == '^') {
            place = parser->at++;
            status = parse_signed(parser);
            if (status == 0)
                status = rc_value_parse_emit_operation(parser, RC_CODE_BINARY, RC_POWER, place);
        }
    }
    parser->depth--;
    return status;
}

/* Operands with operators of one rank between them, from left to right. */
static int parse_chain(struct rc_parser *parser, int (*operand)(struct rc_parser *parser),
                       const char *signs, enum rc_binary first, enum rc_binary second)
{
    size_t place;
    char c;

    if (operand(parser))
        return -1;
    while ((c = rc_value_parse_peek(parser)) == signs[0] || c == signs[1]) {
        place = parser->at++;
        if (operand(parser) || rc_value_parse_emit_operation(parser, RC_CODE_BINARY,
                                                             c == signs[0] ? first : second, place))
            return -1;
    }
    return 0;
}

static int parse_product(struct rc_parser *parser)
{
    return parse_chain(parser, parse_signed, "*/", RC_MULTIPLY, RC_DIVIDE);
}

static int parse_sum(struct rc_parser *parser)
{
    return parse_chain(parser, parse_product, "+-", RC_ADD, RC_SUBTRACT);
}

/* ---- statements ---- */

/* After the expression that is assigned, so that x = x + 1 takes the x from before. */
static int emit_store(struct rc_parser *parser, struct rc_stretch name)
{
    struct rc_expression *e = parser->expression;
    struct rc_instruction *store = rc_value_parse_emit(parser, RC_CODE_STORE, name.start);

    if (!store)
        return -1;
    if (e->n_names == RC_EXPRESSION_NAMES_MAX)
        return RC_PARSE_FAIL(parser, name.start, "more than %d assignments",
                             RC_EXPRESSION_NAMES_MAX);
    store->slot = (uint32_t)e->n_names;
    e->names[e->n_names++] = name;
    return 0;
}

static int parse_statement(struct rc_parser *parser)
{
    struct rc_stretch name;
    struct rc_instruction *result;
    size_t start;
    bool assigns = rc_value_parse_accept_name(parser, &name, "="), more;

    if (assigns && rc_value_parse_check_free(parser, name))
        return -1;
    if (assigns && rc_value_parse_find_member(parser, name) >= 0)
        return RC_PARSE_FAIL(parser, name.start, "'%.*s' is a parameter and cannot be assigned",
                             (int)name.length, parser->text + name.start);
    rc_value_parse_peek(parser);
    start = parser->at;
    if (parse_sum(parser) || (assigns && emit_store(parser, name)))
        return -1;
    if (rc_value_parse_peek(parser) != '\0' && !rc_value_parse_accept(parser, ';'))
        return rc_value_parse_unexpected(parser, "an operator or ';'");
    more = rc_value_parse_peek(parser) != '\0';
    if (more && !assigns)
        return RC_PARSE_FAIL(parser, start, "this statement has no effect");
    if (!more && assigns) { /* the last name is then the result */
        result = rc_value_parse_emit(parser, RC_CODE_LOAD, name.start);
        if (!result)
            return -1;
        result->slot = (uint32_t)(parser->expression->n_names - 1);
    }
    return 0;
}

/* Reads the text of the expression into its code. */
static int compile(struct rc_expression *expression, const char *const *parameters,
                   struct rc_error *error)
{
    struct rc_parser parser = {.sum = parse_sum,
                               .expression = expression,
                               .text = expression->text,
                               .length = expression->length,
                               .parameters = parameters,
                               .n_members = (int)expression->n_parameters,
                               .error = error};
    const char *nul = memchr(expression->text, '\0', expression->length);

    if (nul)
        return RC_PARSE_FAIL(&parser, (size_t)(nul - expression->text), "a NUL byte");
    do
        if (parse_statement(&parser))
            return -1;
    while (rc_value_parse_peek(&parser) != '\0');
    return 0;
}

/* ---- the whole ---- */

static struct rc_expression *copy_text(const char *text, size_t length,
                                       const struct rc_expression_origin *origin)
{
    struct rc_expression *e = calloc(1, sizeof *e);

    if (!e)
        return NULL;
    e->file = strdup(origin->file);
    e->text = malloc(length + 1);
    e->names = malloc(RC_EXPRESSION_NAMES_MAX * sizeof *e->names);
    if (!e->file || !e->text || !e->names) {
        rc_value_expression_destroy(e);
        return NULL;
    }
    if (length)
        memcpy(e->text, text, length);
    e->text[length] = '\0';
    e->length = length;
    e->line = origin->line;
    e->column = origin->column;
    e->n_parameters = origin->n_parameters;
    return e;
}

struct rc_expression *rc_value_expression_parse(const char *text, size_t length,
                                                const struct rc_expression_origin *origin,
                                                struct rc_error *error)
{
    struct rc_expression *e;
    struct rc_stretch *names;

    if (length > RC_EXPRESSION_LENGTH_MAX)
        return rc_error_null(rc_error_at(error, origin->file, origin->line, origin->column,
                                         "an expression of %zu bytes is longer than %d", length,
                                         RC_EXPRESSION_LENGTH_MAX));
    e = copy_text(text, length, origin);
    if (!e)
        return rc_error_null(rc_error_no_memory(error));
    if (compile(e, origin->parameters, error)) {
        rc_value_expression_destroy(e);
        return NULL;
    }
    names = realloc(e->names, (e->n_names + 1) * sizeof *names);
    if (names) /* most have none, and there may be many expressions */
        e->names = names;
    return e;
}
