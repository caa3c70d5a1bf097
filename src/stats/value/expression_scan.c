// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_scan.c - characters and words of an expression, and the writing of its code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "stats/value/expression_parser.h"

/* ---- characters ---- */

bool rc_value_parse_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool rc_value_parse_starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool rc_value_parse_in_name(char c)
{
    return rc_value_parse_starts_name(c) || rc_value_parse_is_digit(c) || c == '.';
}

char rc_value_parse_peek(struct rc_parser *parser)
{
    while (parser->at < parser->length && strchr(" \t\r\n", parser->text[parser->at]))
        parser->at++;
    return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

bool rc_value_parse_accept(struct rc_parser *parser, char c)
{
    if (rc_value_parse_peek(parser) != c || c == '\0')
        return false;
    parser->at++;
    return true;
}

int rc_value_parse_unexpected(struct rc_parser *parser, const char *wanted)
{
    char c = rc_value_parse_peek(parser);
    size_t end = parser->at + 1;

    if (c == '\0')
        return RC_PARSE_FAIL(parser, parser->at, "the expression ends; expected %s", wanted);
    while (end < parser->length && ((unsigned char)parser->text[end] & 0xc0) == 0x80)
        end++;
    return RC_PARSE_FAIL(parser, parser->at, "unexpected '%.*s'; expected %s",
                         (int)(end - parser->at), parser->text + parser->at, wanted);
}

int rc_value_parse_expect(struct rc_parser *parser, char c, const char *wanted)
{
    return rc_value_parse_accept(parser, c) ? 0 : rc_value_parse_unexpected(parser, wanted);
}

/* ---- words ---- */

bool rc_value_parse_same(const struct rc_parser *parser, struct rc_stretch a, struct rc_stretch b)
{
    return a.length == b.length &&
           memcmp(parser->text + a.start, parser->text + b.start, a.length) == 0;
}

bool rc_value_parse_is_word(const struct rc_parser *parser, struct rc_stretch name,
                            const char *word)
{
    return name.length == strlen(word) && memcmp(parser->text + name.start, word, name.length) == 0;
}

int rc_value_parse_name(struct rc_parser *parser, struct rc_stretch *name)
{
    size_t start;

    if (!rc_value_parse_starts_name(rc_value_parse_peek(parser)))
        return rc_value_parse_unexpected(parser, "a name");
    start = parser->at;
    while (parser->at < parser->length && rc_value_parse_in_name(parser->text[parser->at]))
        parser->at++;
    *name = (struct rc_stretch){(uint32_t)start, (uint32_t)(parser->at - start)};
    if (name->length > RC_EXPRESSION_NAME_MAX)
        return RC_PARSE_FAIL(parser, start, "the name has more than %d characters",
                             RC_EXPRESSION_NAME_MAX);
    return 0;
}

bool rc_value_parse_accept_word(struct rc_parser *parser, const char *word)
{
    size_t length = strlen(word), after;

    rc_value_parse_peek(parser);
    after = parser->at + length;
    if (parser->length < after || memcmp(parser->text + parser->at, word, length) != 0)
        return false;
    if (rc_value_parse_starts_name(word[0]) && after < parser->length &&
        rc_value_parse_in_name(parser->text[after]))
        return false; /* a longer word that only starts so */
    parser->at = after;
    return true;
}

bool rc_value_parse_accept_name(struct rc_parser *parser, struct rc_stretch *name,
                                const char *after)
{
    size_t start = parser->at;
    struct rc_error *error = parser->error;
    bool found;

    parser->error = NULL; /* it is no error if there is none */
    found = rc_value_parse_starts_name(rc_value_parse_peek(parser)) &&
            rc_value_parse_name(parser, name) == 0 && rc_value_parse_accept_word(parser, after);
    parser->error = error;
    if (!found)
        parser->at = start;
    return found;
}

/* ---- code ---- */

struct rc_instruction *rc_value_parse_emit(struct rc_parser *parser, enum rc_code code,
                                           size_t place)
{
    struct rc_expression *e = parser->expression;
    struct rc_instruction *more;
    size_t capacity;

    if (e->n_code >= RC_EXPRESSION_NODES_MAX) {
        RC_PARSE_FAIL(parser, place, "the expression has more than %d operations",
                      RC_EXPRESSION_NODES_MAX);
        return NULL;
    }
    if (e->n_code == e->code_capacity) { /* there may be many expressions: not rc_array_room() */
        capacity = e->code_capacity ? 2 * e->code_capacity : 8;
        more = realloc(e->code, capacity * sizeof *more);
        if (!more)
            return rc_error_null(rc_error_no_memory(parser->error));
        e->code = more;
        e->code_capacity = capacity;
    }
    e->code[e->n_code] =
        (struct rc_instruction){.code = code, .place = (uint32_t)place, .level = -1};
    return &e->code[e->n_code++];
}

int rc_value_parse_emit_operation(struct rc_parser *parser, enum rc_code code, unsigned operation,
                                  size_t place)
{
    struct rc_instruction *instruction = rc_value_parse_emit(parser, code, place);

    if (!instruction)
        return -1;
    instruction->operation = operation;
    return 0;
}

bool rc_value_parse_is_number(const char *text, size_t length, double *value)
{
    for (int d = 0; d < RC_DIMENSIONS; d++)
        if (rc_unit_parse(text, length, (enum rc_dimension)d, value, NULL) == 0 && isfinite(*value))
            return true;
    return false;
}
