// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_name.c - variables in an expression, and their indices.
 *
 *     variable = name [ "[" index { "," index } "]" ]
 *     index    = word | sum
 *
 * A word may be the name of a host, in which '-' and ':' are usual: a-1 is a word unless `a` is a
 * member or was assigned. */
#include <stdlib.h>
#include <string.h>

#include "stats/value/expression_parser.h"

int rc_value_parse_find_member(const struct rc_parser *parser, struct rc_stretch name)
{
    int n_parameters = (int)parser->expression->n_parameters;

    for (int i = parser->n_members - 1; i >= n_parameters; i--)
        if (rc_value_parse_same(parser, parser->members[i], name))
            return i;
    for (int i = 0; i < n_parameters; i++)
        if (rc_value_parse_is_word(parser, name, parser->parameters[i]))
            return i;
    return -1;
}

/* The slot of an assigned name, or -1. */
static int find_assigned(const struct rc_parser *parser, struct rc_stretch name)
{
    for (size_t i = parser->expression->n_names; i-- > 0;)
        if (rc_value_parse_same(parser, parser->expression->names[i], name))
            return (int)i;
    return -1;
}

/* ---- indices ---- */

static int add_index(struct rc_parser *parser, struct rc_index index)
{
    struct rc_expression *e = parser->expression;
    size_t capacity = e->index_capacity ? 2 * e->index_capacity : 4;
    struct rc_index *more;

    if (e->n_indices == e->index_capacity) {
        more = realloc(e->indices, capacity * sizeof *more);
        if (!more)
            return rc_error_no_memory(parser->error);
        e->indices = more;
        e->index_capacity = capacity;
    }
    e->indices[e->n_indices++] = index;
    return 0;
}

static bool ends_index(struct rc_parser *parser)
{
    char c = rc_value_parse_peek(parser);

    return c == ',' || c == ']';
}

/* A word up to the ',' or ']' after it; if what stands there is no single word, goes nowhere. */
static bool accept_index_word(struct rc_parser *parser, struct rc_stretch *word)
{
    size_t start;

    rc_value_parse_peek(parser);
    start = parser->at;
    while (parser->at < parser->length && rc_value_parse_in_name(parser->text[parser->at]))
        parser->at++;
    *word = (struct rc_stretch){(uint32_t)start, (uint32_t)(parser->at - start)};
    if (word->length && !ends_index(parser) &&
        (rc_value_parse_find_member(parser, *word) >= 0 || find_assigned(parser, *word) >= 0)) {
        parser->at = start;
        return false;
    }
    parser->at = start + word->length;
    while (parser->at < parser->length && (rc_value_parse_in_name(parser->text[parser->at]) ||
                                           strchr("-:", parser->text[parser->at])))
        parser->at++;
    word->length = (uint32_t)(parser->at - start);
    if (word->length && ends_index(parser))
        return true;
    parser->at = start;
    return false;
}

static int parse_index(struct rc_parser *parser, struct rc_index *index)
{
    size_t start;
    struct rc_stretch word;
    double number;

    if (ends_index(parser) || rc_value_parse_peek(parser) == '\0')
        return rc_value_parse_unexpected(parser, "an index");
    start = parser->at;
    if (accept_index_word(parser, &word) && find_assigned(parser, word) < 0 &&
        !rc_value_parse_is_number(parser->text + word.start, word.length, &number)) {
        if (word.length > RC_EXPRESSION_NAME_MAX)
            return RC_PARSE_FAIL(parser, start, "an index of more than %d characters",
                                 RC_EXPRESSION_NAME_MAX);
        index->word = word;
        index->level = rc_value_parse_find_member(parser, word);
        index->kind = index->level >= 0 ? RC_INDEX_MEMBER : RC_INDEX_WORD;
        return 0;
    }
    parser->at = start;
    index->kind = RC_INDEX_NUMBER;
    return parser->sum(parser);
}

int rc_value_parse_indices(struct rc_parser *parser, uint32_t *first, uint32_t *count)
{
    struct rc_index indices[RC_EXPRESSION_INDICES_MAX] = {0};
    size_t place;

    *first = *count = 0;
    rc_value_parse_peek(parser);
    place = parser->at;
    if (!rc_value_parse_accept(parser, '['))
        return 0;
    do {
        if (*count == RC_EXPRESSION_INDICES_MAX)
            return RC_PARSE_FAIL(parser, place, "more than %d indices", RC_EXPRESSION_INDICES_MAX);
        if (parse_index(parser, &indices[(*count)++]))
            return -1;
    } while (rc_value_parse_accept(parser, ','));
    /* All at once: an index that is an expression may have indices of its own. */
    *first = (uint32_t)parser->expression->n_indices;
    for (uint32_t i = 0; i < *count; i++)
        if (add_index(parser, indices[i]))
            return -1;
    return rc_value_parse_expect(parser, ']', "',' or ']'");
}

/* ---- variables ---- */

int rc_value_parse_variable(struct rc_parser *parser, struct rc_stretch name)
{
    struct rc_instruction *instruction;
    int level = rc_value_parse_find_member(parser, name), slot = find_assigned(parser, name);
    uint32_t first, count;
    bool indexed;

    if (rc_value_parse_indices(parser, &first, &count))
        return -1;
    indexed = count > 0;
    instruction = rc_value_parse_emit(parser,
                                      !indexed && level >= 0  ? RC_CODE_MEMBER
                                      : !indexed && slot >= 0 ? RC_CODE_LOAD
                                                              : RC_CODE_LOOKUP,
                                      name.start);
    if (!instruction)
        return -1;
    instruction->name = name;
    instruction->first_index = first;
    instruction->n_indices = count;
    if (!indexed) {
        instruction->level = level;
        instruction->slot = slot >= 0 ? (uint32_t)slot : 0;
    }
    return 0;
}
