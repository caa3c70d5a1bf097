// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_item.c - inputs, definitions, components and totals: their heads, and that they are whole.
 *
 *     input NAME[PARAMETERS] ["text"]
 *     define NAME[PARAMETERS] ["text"]
 *     component TASK[PARAMETERS] by NAME ["text"]
 *     total NAME ["text"]
 *
 * Clauses follow, the first one perhaps in the same line. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/parse.h"

static int read_parameter(struct rc_cursor *cursor, struct rc_item *item)
{
    char **parameter = &item->parameters[item->n_parameters];
    size_t at;

    rc_structural_cursor_peek(cursor);
    at = cursor->at;
    if (item->n_parameters == RC_MODEL_PARAMETERS_MAX)
        return rc_structural_fail(cursor->parser, at, "more than %d parameters",
                                  RC_MODEL_PARAMETERS_MAX);
    if (rc_structural_cursor_name(cursor, RC_NAME_FREE, "a parameter", parameter))
        return -1;
    item->n_parameters++;
    for (size_t i = 0; i + 1 < item->n_parameters; i++)
        if (strcmp(item->parameters[i], *parameter) == 0)
            return rc_structural_fail(cursor->parser, at, "the parameter '%s' comes twice",
                                      *parameter);
    return 0;
}

static int read_parameters(struct rc_cursor *cursor, struct rc_item *item)
{
    size_t at;

    rc_structural_cursor_peek(cursor);
    at = cursor->at;
    if (!rc_structural_cursor_accept(cursor, '['))
        return 0;
    if (item->kind == RC_ITEM_TOTAL)
        return rc_structural_fail(cursor->parser, at, "a total has no parameters");
    do
        if (read_parameter(cursor, item))
            return -1;
    while (rc_structural_cursor_accept(cursor, ','));
    return rc_structural_cursor_accept(cursor, ']')
               ? 0
               : rc_structural_cursor_unexpected(cursor, "',' or ']'");
}

static int read_alternative(struct rc_cursor *cursor, struct rc_item *item)
{
    static const char *const by[] = {"by"};

    if (rc_structural_cursor_choose(cursor, by, 1,
                                    "'by' and the name of this way to tell the time") < 0)
        return -1;
    return rc_structural_cursor_name(cursor, RC_NAME_ANY, "a way", &item->alternative);
}

static int read_head(struct rc_cursor *cursor, struct rc_item *item, size_t *at)
{
    struct rc_model_parser *parser = cursor->parser;
    bool total = item->kind == RC_ITEM_TOTAL;

    rc_structural_cursor_peek(cursor);
    *at = cursor->at;
    rc_structural_source_place(&parser->source, *at, &item->line, &item->column);
    if (rc_structural_cursor_name(cursor, total ? RC_NAME_ANY : RC_NAME_FREE,
                                  rc_structural_item_kind_names[item->kind],
                                  total ? &item->alternative : &item->name) ||
        read_parameters(cursor, item))
        return -1;
    if (total && !(item->name = strdup("total")))
        return rc_error_no_memory(parser->error);
    if (item->kind == RC_ITEM_COMPONENT && read_alternative(cursor, item))
        return -1;
    return rc_structural_cursor_description(cursor, &item->description);
}

/* An input can do without a formula, and so can an alternative that is said to differ on a platform: it has
 * that of everywhere. */
static int check_value(struct rc_model_parser *parser, size_t at, const struct rc_item *item)
{
    bool component = item->kind == RC_ITEM_COMPONENT, total = item->kind == RC_ITEM_TOTAL;

    if (item->kind == RC_ITEM_INPUT || item->expression ||
        (item->alternative && item->section >= 0))
        return 0;
    rc_structural_fail(parser, at, "'%s%s%s' has no formula",
                       total ? item->alternative : item->name, component ? "' by '" : "",
                       component ? item->alternative : "");
    return rc_error_hint(parser->error, "write one behind '=', in the same line or the next");
}

int rc_structural_statement_item(struct rc_model_parser *parser,
                                 const struct rc_statement *statement)
{
    size_t next =
        rc_structural_clause_line(&parser->source, statement->first + 1, statement->last, false);
    struct rc_cursor head = {parser, statement->at, parser->source.lines[next - 1].end};
    struct rc_item item = {.kind = statement->kind,
                           .section = parser->section,
                           .file = parser->file,
                           .window = 300,
                           .window_kind = -1};
    size_t at;

    item.source = item.kind == RC_ITEM_INPUT ? RC_FROM_USER : RC_FROM_FORMULA;
    rc_structural_meta_init(&item.meta);
    if (read_head(&head, &item, &at) ||
        rc_structural_clauses_read(parser, &item, &head, next, statement->last) ||
        check_value(parser, at, &item) || rc_structural_measure_check(parser, at, &item) ||
        rc_structural_model_add_item(parser, at, &item)) {
        rc_structural_item_clear(&item);
        return -1;
    }
    return 0;
}
