// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_cursor.c - walking over a part of a model file: words, names, texts, quantities, lists of
 * hosts and formulas, each with an error that says what was found and what was expected. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "model/structural/parse.h"

enum {
    FOUND_MAX = 40,    /* columns of what errors show of a file */
    QUANTITY_MAX = 100 /* bytes of a quantity: nobody writes more */
};

/* Words of formulas, sets that are always there, and words of this language that stand where a
 * name could. */
static const char *const taken[] = {
    "sum",   "max",    "min",  "normal", "interval",   "histogram", "log",   "log2",
    "log10", "sqrt",   "exp",  "abs",    "count",      "farm",      "in",    "to",
    "hosts", "others", "left", "right",  "neighbours", "total",     "table",
};

int rc_structural_fail(struct rc_model_parser *parser, size_t at, const char *format, ...)
{
    unsigned line, column;
    va_list arguments;
    char text[512];

    rc_structural_source_place(&parser->source, at, &line, &column);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(text, sizeof text);
    return rc_error_at(parser->error, parser->source.name, line, column, "%s", text);
}

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
    return starts_name(c) || is_digit(c);
}

/* Whatever people may have meant as one word. */
static bool in_word(char c)
{
    return in_name(c) || c == '-' || c == '.' || c == '%' || (unsigned char)c >= 0x80;
}

static const char *text_of(const struct rc_cursor *cursor)
{
    return cursor->parser->source.plain;
}

char rc_structural_cursor_peek(struct rc_cursor *cursor)
{
    const char *text = text_of(cursor);

    while (cursor->at < cursor->end && (text[cursor->at] == ' ' || text[cursor->at] == '\n'))
        cursor->at++;
    return cursor->at < cursor->end ? text[cursor->at] : '\0';
}

bool rc_structural_cursor_accept(struct rc_cursor *cursor, char c)
{
    if (rc_structural_cursor_peek(cursor) != c)
        return false;
    cursor->at++;
    return true;
}

/* The length of the word at `at`, or of the character where there is none. */
static size_t word_length(const struct rc_cursor *cursor, size_t at)
{
    const char *text = text_of(cursor);
    size_t end = at;

    while (end < cursor->end && in_word(text[end]))
        end++;
    return end > at || end == cursor->end ? end - at : 1;
}

bool rc_structural_cursor_accept_word(struct rc_cursor *cursor, const char *word)
{
    size_t length = strlen(word);

    rc_structural_cursor_peek(cursor);
    if (word_length(cursor, cursor->at) != length ||
        memcmp(text_of(cursor) + cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

bool rc_structural_cursor_line(struct rc_cursor *cursor, struct rc_cursor *line)
{
    const char *newline;

    if (rc_structural_cursor_peek(cursor) == '\0')
        return false;
    *line = *cursor;
    newline = memchr(text_of(cursor) + cursor->at, '\n', cursor->end - cursor->at);
    if (newline)
        line->end = (size_t)(newline - text_of(cursor));
    while (text_of(cursor)[line->end - 1] == ' ')
        line->end--;
    cursor->at = line->end;
    return true;
}

/* ---- what was not expected ---- */

/* Room for what was found, quoted, of characters of up to four bytes. */
enum { FOUND_SIZE = 4 * FOUND_MAX + 8 };

/* Writes the next word, in quotes; it is not the end. */
static const char *found(const struct rc_cursor *cursor, char shown[FOUND_SIZE])
{
    const char *text = text_of(cursor) + cursor->at;
    size_t length = word_length(cursor, cursor->at), some;

    if (text[0] == '"')
        return "quoted text";
    some = rc_text_prefix(text, length, FOUND_MAX);
    snprintf(shown, FOUND_SIZE, "'%.*s%s'", (int)some, text, some < length ? "…" : "");
    return shown;
}

int rc_structural_cursor_unexpected(struct rc_cursor *cursor, const char *wanted)
{
    char shown[FOUND_SIZE];

    if (rc_structural_cursor_peek(cursor) == '\0')
        return rc_structural_fail(cursor->parser, cursor->at, "unexpected end of line; expected %s",
                                  wanted);
    return rc_structural_fail(cursor->parser, cursor->at, "unexpected %s; expected %s",
                              found(cursor, shown), wanted);
}

int rc_structural_cursor_guess(struct rc_cursor *cursor, size_t at, const char *const *words,
                               size_t n_words)
{
    size_t length = word_length(cursor, at);
    const char *nearest;
    char word[FOUND_MAX + 1];

    if (length > FOUND_MAX || n_words == 0)
        return -1;
    snprintf(word, sizeof word, "%.*s", (int)length, text_of(cursor) + at);
    nearest = rc_nearest_word(word, words, n_words, sizeof *words);
    if (nearest && strcmp(nearest, word) != 0)
        rc_error_hint(cursor->parser->error, "did you mean '%s'?", nearest);
    return -1;
}

int rc_structural_cursor_end(struct rc_cursor *cursor)
{
    char shown[FOUND_SIZE];

    if (rc_structural_cursor_peek(cursor) == '\0')
        return 0;
    return rc_structural_fail(cursor->parser, cursor->at,
                              "unexpected %s; expected the end of the line", found(cursor, shown));
}

/* ---- words ---- */

static int check_free(struct rc_cursor *cursor, size_t at, size_t length)
{
    const char *name = text_of(cursor) + at;

    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strlen(taken[i]) == length && memcmp(taken[i], name, length) == 0)
            return rc_structural_fail(cursor->parser, at, "'%s' is a reserved word", taken[i]);
    return 0;
}

int rc_structural_cursor_name(struct rc_cursor *cursor, enum rc_name_rule rule, const char *what,
                              char **name)
{
    char c = rc_structural_cursor_peek(cursor), wanted[96];
    const char *text = text_of(cursor);
    size_t start = cursor->at, end = start;
    bool wide = rule == RC_NAME_WIDE;

    snprintf(wanted, sizeof wanted, "the name of %s", what);
    if (!starts_name(c) && !(wide && is_digit(c))) {
        rc_structural_cursor_unexpected(cursor, wanted);
        return is_digit(c) ? rc_error_hint(cursor->parser->error, "begin the name with a letter")
                           : -1;
    }
    while (end < cursor->end &&
           (in_name(text[end]) || (wide && (text[end] == '-' || text[end] == '.'))))
        end++;
    if (end - start > RC_MODEL_NAME_MAX)
        return rc_structural_fail(cursor->parser, start, "the name has more than %d characters",
                                  RC_MODEL_NAME_MAX);
    if (rule == RC_NAME_FREE && check_free(cursor, start, end - start))
        return -1;
    *name = strndup(text + start, end - start);
    if (!*name)
        return rc_error_no_memory(cursor->parser->error);
    cursor->at = end;
    return 0;
}

int rc_structural_cursor_choose(struct rc_cursor *cursor, const char *const *words, size_t n_words,
                                const char *wanted)
{
    for (size_t i = 0; i < n_words; i++)
        if (rc_structural_cursor_accept_word(cursor, words[i]))
            return (int)i;
    rc_structural_cursor_unexpected(cursor, wanted);
    return rc_structural_cursor_guess(cursor, cursor->at, words, n_words);
}

int rc_structural_cursor_text(struct rc_cursor *cursor, char **text)
{
    const char *from = text_of(cursor), *close;

    if (rc_structural_cursor_peek(cursor) != '"')
        return rc_structural_cursor_unexpected(cursor, "a text in double quotes");
    from += cursor->at + 1;
    close = strchr(from, '"'); /* the source has seen to it that there is one */
    *text = strndup(from, (size_t)(close - from));
    if (!*text)
        return rc_error_no_memory(cursor->parser->error);
    cursor->at += (size_t)(close - from) + 2;
    return 0;
}

int rc_structural_cursor_description(struct rc_cursor *cursor, char **text)
{
    return rc_structural_cursor_peek(cursor) == '"' ? rc_structural_cursor_text(cursor, text) : 0;
}

/* ---- quantities ---- */

/* Takes the next word, or the rest of the line, which is shown and placed if it is no `wanted`. */
static int take_quantity(struct rc_cursor *cursor, bool word, const char *wanted,
                         const char **quantity, size_t *length)
{
    struct rc_cursor rest = *cursor, line;
    const char *end;

    if (!rc_structural_cursor_line(&rest, &line))
        return rc_structural_cursor_unexpected(cursor, wanted);
    rc_structural_cursor_peek(cursor);
    *quantity = text_of(cursor) + cursor->at;
    *length = line.end - line.at;
    end = word ? memchr(*quantity, ' ', *length) : NULL;
    if (end)
        *length = (size_t)(end - *quantity);
    if (*length > QUANTITY_MAX || **quantity == '"')
        return rc_structural_cursor_unexpected(cursor, wanted);
    cursor->at += *length;
    return 0;
}

/* Gives the error of another parser the place of `start`; -1. */
static int placed(struct rc_cursor *cursor, const char *start)
{
    struct rc_error *error = cursor->parser->error;
    struct rc_error inner = error ? *error : (struct rc_error){.text = ""};

    rc_structural_fail(cursor->parser, (size_t)(start - text_of(cursor)), "%s", inner.text);
    return inner.hint[0] ? rc_error_hint(error, "%s", inner.hint) : -1;
}

int rc_structural_cursor_share(struct rc_cursor *cursor, double most, double *share)
{
    const char *text;
    size_t length;

    if (take_quantity(cursor, false, "a share such as 5% or 0.05", &text, &length))
        return -1;
    if (rc_unit_parse(text, length, RC_FRACTION, share, cursor->parser->error))
        return placed(cursor, text);
    if (*share < 0)
        return rc_structural_fail(cursor->parser, (size_t)(text - text_of(cursor)),
                                  "'%.*s' is below 0", (int)length, text);
    if (*share > most)
        return rc_structural_fail(cursor->parser, (size_t)(text - text_of(cursor)),
                                  "'%.*s' is more than 100%%", (int)length, text);
    return 0;
}

int rc_structural_cursor_date(struct rc_cursor *cursor, double *seconds)
{
    const char *text;
    size_t length;

    if (take_quantity(cursor, false, "a date such as 2026-05-04", &text, &length))
        return -1;
    return rc_timestamp_parse(text, length, seconds, cursor->parser->error) ? placed(cursor, text)
                                                                            : 0;
}

int rc_structural_cursor_duration(struct rc_cursor *cursor, bool word, double *seconds)
{
    const char *text;
    size_t length;

    if (take_quantity(cursor, word, "a time such as 5min", &text, &length))
        return -1;
    if (rc_unit_parse(text, length, RC_SECONDS, seconds, cursor->parser->error))
        return placed(cursor, text);
    if (!(*seconds > 0))
        return rc_structural_fail(cursor->parser, (size_t)(text - text_of(cursor)),
                                  "'%.*s' is not above 0", (int)length, text);
    return 0;
}

/* ---- lists and formulas ---- */

int rc_structural_cursor_hosts(struct rc_cursor *cursor, struct rc_hostlist *list)
{
    struct rc_error *error = cursor->parser->error, inner = {.text = ""};
    size_t start, length;
    char *text;
    int status;

    *list = (struct rc_hostlist){0};
    if (rc_structural_cursor_peek(cursor) == '\0')
        return rc_structural_cursor_unexpected(cursor, "a list of hosts");
    start = cursor->at;
    length = cursor->end - start;
    text = strndup(text_of(cursor) + start, length);
    if (!text)
        return rc_error_no_memory(error);
    for (char *c = text; (c = strchr(c, '\n'));)
        *c = ' ';
    status = rc_platform_hostlist_expand(text, length, RC_MODEL_HOSTS_MAX, list, &inner);
    free(text);
    cursor->at = cursor->end;
    if (status == 0)
        return 0;
    for (; inner.column > 1 && start < cursor->end; inner.column--)
        do
            start++;
        while (((unsigned char)text_of(cursor)[start] & 0xc0) == 0x80);
    return rc_structural_fail(cursor->parser, start, "%s", inner.text);
}

struct rc_expression *rc_structural_cursor_formula(struct rc_cursor *cursor,
                                                   const struct rc_item *item)
{
    struct rc_expression_origin origin = {.file = cursor->parser->source.name};
    struct rc_error inner = {.text = ""};
    struct rc_expression *expression;

    if (rc_structural_cursor_peek(cursor) == '\0') {
        rc_structural_cursor_unexpected(cursor, "a formula");
        return NULL;
    }
    rc_structural_source_place(&cursor->parser->source, cursor->at, &origin.line, &origin.column);
    if (item) {
        origin.parameters = (const char *const *)item->parameters;
        origin.n_parameters = item->n_parameters;
    }
    expression = rc_value_expression_parse(text_of(cursor) + cursor->at, cursor->end - cursor->at,
                                           &origin, &inner);
    cursor->at = cursor->end;
    if (expression)
        return expression;
    if (cursor->parser->error)
        *cursor->parser->error = inner;
    if (!inner.hint[0] && inner.line > 0)
        cursor->parser->guess(cursor, rc_structural_source_byte(&cursor->parser->source, inner.line,
                                                                inner.column));
    return NULL;
}
