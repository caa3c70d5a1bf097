// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_name.c - names in an expression: variables with their indices, functions, and folds
 * over sets.
 *
 *     variable = name [ "[" index { "," index } "]" ]
 *     index    = word | sum
 *     call     = function "(" sum { "," sum } ")"
 *              | ( "histogram" | "modal" ) "(" sum ":" sum ":" sum { "," … } ")"
 *              | ( "sum" | "max" | "min" ) "(" name "in" members ":" sum ")"
 *              | "farm" "(" sum "," name "in" set ":" sum ")"
 *              | "count" "(" set ")"
 *     members  = set | sum "to" sum       a name and then '[' or ':' is a set
 *     set      = name [ "[" index { "," index } "]" ]
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
            return RC_PARSE_FAIL(parser, start, "an index has more than %d characters",
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

/* Reads "[i, j]" if it stands next. */
static int read_indices(struct rc_parser *parser, uint32_t *first, uint32_t *count)
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

    if (read_indices(parser, &first, &count))
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

/* ---- functions ---- */

struct rc_parse_function {
    const char *name;
    enum rc_code code;
    unsigned operation;
    unsigned least, most; /* arguments */
};

static const struct rc_parse_function functions[] = {
    {"log", RC_CODE_UNARY, RC_LOG, 1, 1},
    {"log2", RC_CODE_LOG_BASE, 2, 1, 1},
    {"log10", RC_CODE_LOG_BASE, 10, 1, 1},
    {"sqrt", RC_CODE_UNARY, RC_SQRT, 1, 1},
    {"exp", RC_CODE_UNARY, RC_EXP, 1, 1},
    {"abs", RC_CODE_UNARY, RC_ABS, 1, 1},
    {"sum", RC_CODE_MANY, RC_SUM, 1, RC_EXPRESSION_NODES_MAX},
    {"max", RC_CODE_MANY, RC_MAX, 1, RC_EXPRESSION_NODES_MAX},
    {"min", RC_CODE_MANY, RC_MIN, 1, RC_EXPRESSION_NODES_MAX},
    {"count", RC_CODE_COUNT, 0, 1, 1},
    {"farm", RC_CODE_FARM, 0, 2, 2},
    {"normal", RC_CODE_NORMAL, 0, 2, 2},
    {"interval", RC_CODE_INTERVAL, 0, 2, 2},
    {"modal", RC_CODE_MODAL, 0, 1, RC_VALUE_MODES_MAX},
    {"histogram", RC_CODE_HISTOGRAM, 0, 1, RC_VALUE_BINS_MAX},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

const struct rc_parse_function *rc_value_parse_find_function(const struct rc_parser *parser,
                                                             struct rc_stretch name)
{
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        if (rc_value_parse_is_word(parser, name, functions[i].name))
            return &functions[i];
    return NULL;
}

int rc_value_parse_check_free(struct rc_parser *parser, struct rc_stretch name)
{
    if (!rc_value_parse_find_function(parser, name) &&
        !rc_value_parse_is_word(parser, name, "in") && !rc_value_parse_is_word(parser, name, "to"))
        return 0;
    return RC_PARSE_FAIL(parser, name.start, "'%.*s' is a reserved word", (int)name.length,
                         parser->text + name.start);
}

/* Which members the code from `first` on mentions; parameters always count. */
static uint32_t mentioned(const struct rc_expression *e, size_t first)
{
    uint32_t levels = (UINT32_C(1) << e->n_parameters) - 1;

    for (size_t i = first; i < e->n_code; i++) {
        const struct rc_instruction *at = &e->code[i];

        if (at->code == RC_CODE_MEMBER)
            levels |= UINT32_C(1) << at->level;
        for (uint32_t k = 0; k < at->n_indices; k++)
            if (e->indices[at->first_index + k].kind == RC_INDEX_MEMBER)
                levels |= UINT32_C(1) << e->indices[at->first_index + k].level;
        levels |= at->mentions;
    }
    return levels;
}

/* ---- folds ---- */

/* Whether a set stands next: a name and then '[' or ':'. */
static bool is_set_next(struct rc_parser *parser)
{
    size_t start = parser->at;
    char c;

    if (!rc_value_parse_starts_name(rc_value_parse_peek(parser)))
        return false;
    while (parser->at < parser->length && rc_value_parse_in_name(parser->text[parser->at]))
        parser->at++;
    c = rc_value_parse_peek(parser);
    parser->at = start;
    return c == '[' || c == ':';
}

/* A set with its indices, or the two ends of a range, which makes a RANGE of the code. */
static int parse_members(struct rc_parser *parser, enum rc_code *code, struct rc_stretch *set,
                         uint32_t *first, uint32_t *count)
{
    if (*code == RC_CODE_FARM || is_set_next(parser))
        return rc_value_parse_name(parser, set) || read_indices(parser, first, count) ? -1 : 0;
    *code = RC_CODE_RANGE;
    if (parser->sum(parser))
        return -1;
    if (!rc_value_parse_accept_word(parser, "to"))
        return rc_value_parse_unexpected(parser, "':' after a set, or 'to' between two numbers");
    return parser->sum(parser);
}

/* The rest of "sum(h in hosts: …)", from after "in". */
static int parse_fold(struct rc_parser *parser, enum rc_code code, unsigned operation,
                      struct rc_stretch member, size_t place)
{
    struct rc_instruction *fold;
    struct rc_stretch set = {0, 0};
    uint32_t first_index = 0, n_indices = 0;
    size_t at;

    if (rc_value_parse_check_free(parser, member) ||
        parse_members(parser, &code, &set, &first_index, &n_indices) ||
        rc_value_parse_expect(parser, ':', "':'"))
        return -1;
    if (parser->n_members == RC_EXPRESSION_FOLDS_MAX)
        return RC_PARSE_FAIL(parser, place, "more than %d nested sums, maxima and minima",
                             RC_EXPRESSION_FOLDS_MAX);
    at = parser->expression->n_code;
    fold = rc_value_parse_emit(parser, code, place);
    if (!fold)
        return -1;
    fold->operation = operation;
    fold->name = set;
    fold->first_index = first_index;
    fold->n_indices = code == RC_CODE_RANGE ? 0 : n_indices;
    fold->level = parser->n_members;
    parser->members[parser->n_members++] = member;
    if (parser->sum(parser))
        return -1;
    parser->n_members--;
    parser->expression->code[at].count = (uint32_t)(parser->expression->n_code - at - 1);
    return rc_value_parse_expect(parser, ')', "an operator or ')'");
}

static int parse_farm(struct rc_parser *parser, size_t place)
{
    struct rc_stretch member;

    if (parser->sum(parser) || rc_value_parse_expect(parser, ',', "an operator or ','"))
        return -1;
    if (!rc_value_parse_accept_name(parser, &member, "in"))
        return rc_value_parse_unexpected(parser, "'NAME in SET: time of one job'");
    return parse_fold(parser, RC_CODE_FARM, 0, member, place);
}

static int parse_count(struct rc_parser *parser, size_t place)
{
    struct rc_instruction *count;
    struct rc_stretch set;
    uint32_t first, n;

    if (rc_value_parse_name(parser, &set) || read_indices(parser, &first, &n))
        return -1;
    count = rc_value_parse_emit(parser, RC_CODE_COUNT, place);
    if (!count)
        return -1;
    count->name = set;
    count->first_index = first;
    count->n_indices = n;
    return rc_value_parse_expect(parser, ')', "')'");
}

/* ---- other calls ---- */

static int parse_arguments(struct rc_parser *parser, const struct rc_parse_function *function,
                           size_t place, uint32_t *count)
{
    *count = 0;
    do {
        for (int part = 0; part < (function->code >= RC_CODE_MODAL ? 3 : 1); part++)
            if ((part > 0 && rc_value_parse_expect(parser, ':', "':'")) || parser->sum(parser))
                return -1;
        ++*count;
    } while (rc_value_parse_accept(parser, ','));
    if (*count < function->least || *count > function->most)
        return RC_PARSE_FAIL(parser, place, "%s takes %u argument%s, not %u", function->name,
                             *count < function->least ? function->least : function->most,
                             function->most == 1 ? "" : "s", *count);
    return rc_value_parse_expect(parser, ')', "an operator, ',' or ')'");
}

int rc_value_parse_call(struct rc_parser *parser, const struct rc_parse_function *function,
                        size_t place)
{
    size_t first = parser->expression->n_code;
    struct rc_instruction *call;
    struct rc_stretch member;
    uint32_t count;

    if (function->code == RC_CODE_FARM)
        return parse_farm(parser, place);
    if (function->code == RC_CODE_COUNT)
        return parse_count(parser, place);
    if (function->code == RC_CODE_MANY && rc_value_parse_accept_name(parser, &member, "in"))
        return parse_fold(parser, RC_CODE_FOLD, function->operation, member, place);
    if (parse_arguments(parser, function, place, &count))
        return -1;
    call = rc_value_parse_emit(parser, function->code, place);
    if (!call)
        return -1;
    call->operation = function->operation;
    call->count = function->code >= RC_CODE_MODAL ? 3 * count : count;
    if (function->code >= RC_CODE_NORMAL)
        call->mentions = mentioned(parser->expression, first);
    return 0;
}
