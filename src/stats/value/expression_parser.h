// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_parser.h - what the files that read an expression share.
 *
 * expression_scan.c has characters, words and the writing of code, expression_name.c variables,
 * functions and folds, expression_parse.c operators and statements.  Functions that return an int
 * give -1 with the error set, place included. */
#ifndef RC_STATS_VALUE_EXPRESSION_PARSER_H
#define RC_STATS_VALUE_EXPRESSION_PARSER_H

#include "base/error.h"
#include "stats/value/expression_code.h"

struct rc_parser {
    /* Reads an expression without assignments: arguments and indices are such again. */
    int (*sum)(struct rc_parser *parser);
    struct rc_expression *expression;
    const char *text;
    size_t length, at;
    unsigned depth;
    const char *const *parameters;                      /* names of the first levels */
    struct rc_stretch members[RC_EXPRESSION_FOLDS_MAX]; /* names of the others, outermost first */
    int n_members;                                      /* levels in use */
    struct rc_error *error;
};

/* Sets an error at byte `at`; returns -1. */
#define RC_PARSE_FAIL(parser, byte, ...)                                                           \
    (rc_error_set((parser)->error, __VA_ARGS__),                                                   \
     rc_value_expression_place((parser)->expression, (byte), (parser)->error))

/* ---- expression_scan.c ---- */

/* The characters of names are letters, digits and '_', the first one no digit. */
bool rc_value_parse_is_digit(char c);
bool rc_value_parse_starts_name(char c);
bool rc_value_parse_in_name(char c);

/* The next character after spaces, or NUL at the end; goes to it. */
char rc_value_parse_peek(struct rc_parser *parser);
/* Goes past `c` if it is the next character. */
bool rc_value_parse_accept(struct rc_parser *parser, char c);
int rc_value_parse_expect(struct rc_parser *parser, char c, const char *wanted);
/* Says what stands where something else should. */
int rc_value_parse_unexpected(struct rc_parser *parser, const char *wanted);

/* Whether a text is a number, with a unit or without. */
bool rc_value_parse_is_number(const char *text, size_t length, double *value);

/* The name that stands next. */
int rc_value_parse_name(struct rc_parser *parser, struct rc_stretch *name);
/* Goes past `word` if it stands next, as a whole word. */
bool rc_value_parse_accept_word(struct rc_parser *parser, const char *word);
/* Whether a name stands next and then `after` ("=" or "in"); if so, goes past both. */
bool rc_value_parse_accept_name(struct rc_parser *parser, struct rc_stretch *name,
                                const char *after);
bool rc_value_parse_same(const struct rc_parser *parser, struct rc_stretch a, struct rc_stretch b);
bool rc_value_parse_is_word(const struct rc_parser *parser, struct rc_stretch name,
                            const char *word);

/* A new instruction, or NULL with the error set; it moves with the next one. */
struct rc_instruction *rc_value_parse_emit(struct rc_parser *parser, enum rc_code code,
                                           size_t place);
int rc_value_parse_emit_operation(struct rc_parser *parser, enum rc_code code, unsigned operation,
                                  size_t place);

/* ---- expression_name.c ---- */

/* The level of the member for which `name` stands, or -1. */
int rc_value_parse_find_member(const struct rc_parser *parser, struct rc_stretch name);
/* A name that is no function: a member, assigned before, or one for the scope. */
int rc_value_parse_variable(struct rc_parser *parser, struct rc_stretch name);

struct rc_parse_function;
/* The function of that name, or NULL. */
const struct rc_parse_function *rc_value_parse_find_function(const struct rc_parser *parser,
                                                             struct rc_stretch name);
/* Refuses to give a name that the language has taken. */
int rc_value_parse_check_free(struct rc_parser *parser, struct rc_stretch name);
/* From after the bracket that opens the arguments. */
int rc_value_parse_call(struct rc_parser *parser, const struct rc_parse_function *function,
                        size_t place);

#endif
