// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_condition.c - the clause "when A < B and C >= D".
 *
 * Formulas know neither relations nor "and", so it is enough to look for these outside of brackets;
 * what stands between is left to the parser of formulas. */
#include <string.h>

#include "base/error.h"
#include "model/structural/parse.h"

/* Where a comparison and its relation stand in the text. */
struct comparison {
    size_t end, next; /* of the comparison; behind the "and" after it */
    size_t relation, length;
};

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/* Finds the relation outside of brackets, and the end: "and", or that of the clause. */
static int find_comparison(const struct rc_cursor *cursor, struct comparison *found)
{
    const char *text = cursor->parser->source.plain;
    size_t depth = 0, word;

    *found = (struct comparison){.end = cursor->end, .next = cursor->end};
    for (size_t i = cursor->at; i < cursor->end; i++) {
        if (strchr("([", text[i])) {
            depth++;
        } else if (strchr(")]", text[i])) {
            depth -= depth > 0;
        } else if (depth == 0 && strchr("<>=", text[i])) {
            if (found->length > 0) {
                rc_structural_fail(cursor->parser, i,
                                   "a second comparison where the first goes on");
                return rc_error_hint(cursor->parser->error,
                                     "compare by <, <=, >, >= or =, and join two by 'and'");
            }
            found->relation = i;
            found->length = text[i] != '=' && text[i + 1] == '=' ? 2 : 1;
            i += found->length - 1;
        } else if (in_word(text[i])) {
            for (word = i; i + 1 < cursor->end && in_word(text[i + 1]);)
                i++;
            if (depth == 0 && i - word == 2 && memcmp(text + word, "and", 3) == 0) {
                found->end = word;
                found->next = i + 1;
                return 0;
            }
        }
    }
    return 0;
}

/* The formula from where the cursor is up to `end`, without the blanks there. */
static struct rc_expression *read_side(struct rc_cursor *cursor, const struct rc_item *item,
                                       size_t end)
{
    struct rc_cursor side = {cursor->parser, cursor->at, end};
    const char *text = cursor->parser->source.plain;

    cursor->at = end;
    if (rc_structural_cursor_peek(&side) == '\0') {
        rc_structural_cursor_unexpected(cursor, "a formula");
        return NULL;
    }
    while (text[side.end - 1] == ' ' || text[side.end - 1] == '\n')
        side.end--;
    return rc_structural_cursor_formula(&side, item);
}

static enum rc_relation relation_at(const char *text, size_t length)
{
    if (text[0] == '=')
        return RC_EQUAL;
    if (text[0] == '<')
        return length > 1 ? RC_AT_MOST : RC_LESS;
    return length > 1 ? RC_AT_LEAST : RC_GREATER;
}

/* One comparison; `*more` tells whether there was an "and" behind it. */
static int read_condition(struct rc_cursor *cursor, struct rc_item *item, bool *more)
{
    struct rc_condition *condition = &item->conditions[item->n_conditions];
    struct rc_model_parser *parser = cursor->parser;
    struct comparison found;

    rc_structural_cursor_peek(cursor);
    if (item->n_conditions == RC_MODEL_CONDITIONS_MAX)
        return rc_structural_fail(parser, cursor->at, "more than %d conditions",
                                  RC_MODEL_CONDITIONS_MAX);
    if (find_comparison(cursor, &found))
        return -1;
    if (found.length == 0) {
        cursor->at = found.end;
        return rc_structural_cursor_unexpected(cursor, "a comparison (<, <=, >, >= or =)");
    }
    *condition = (struct rc_condition){
        .relation = relation_at(parser->source.plain + found.relation, found.length)};
    item->n_conditions++;
    condition->left = read_side(cursor, item, found.relation);
    cursor->at += found.length;
    if (condition->left)
        condition->right = read_side(cursor, item, found.end);
    cursor->at = found.next;
    *more = found.next > found.end;
    return condition->right ? 0 : -1;
}

int rc_structural_conditions_read(struct rc_cursor *cursor, struct rc_item *item)
{
    bool more = true;

    while (more)
        if (read_condition(cursor, item, &more))
            return -1;
    return 0;
}
