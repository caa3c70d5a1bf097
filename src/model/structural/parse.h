// SPDX-License-Identifier: GPL-3.0-or-later
/* parse.h - the parts of the parser of model files; for parse*.c only.
 *
 *     parse_source.c     bytes into lines; where a byte stands
 *     parse_cursor.c     walking over a part of a file: words, names, quantities
 *     parse.c            files into statements
 *     parse_statement.c  the statements, and the heads of items
 *     parse_clause.c     the clauses below a head, conditions among them
 *     parse_measure.c    how inputs are measured, and what of a trace is a task's
 *     parse_table.c      tables
 *     parse_add.c        what may stand beside what, and what wins
 *
 * Functions that return int return 0, or -1 with the error and its place set. */
#ifndef RC_MODEL_STRUCTURAL_PARSE_H
#define RC_MODEL_STRUCTURAL_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "platform/hostlist.h"
#include "model/structural/model.h"

/* ---- parse_source.c ---- */

/* A line that is not blank. */
struct rc_source_line {
    size_t start, end; /* its first character, and behind its last one: no blanks are around it */
    bool indented;
};

struct rc_source {
    const char *name; /* for errors */
    /* The bytes of the file with blanks for comments, tabs and the CR of a line end, so that all
     * else is where it was. */
    char *plain;
    size_t length;
    struct rc_source_line *lines;
    size_t n_lines;
    size_t known; /* a byte whose place is known, as places are mostly asked from first to last */
    unsigned known_line, known_column;
};

/* Checks the characters of `text` and finds its lines; `name` must outlive the source.  To be
 * closed in either case. */
int rc_structural_source_open(struct rc_source *source, const char *text, size_t length,
                              const char *name, struct rc_error *error);
void rc_structural_source_close(struct rc_source *source);

/* The line and column of a byte, and the byte of a line and column. */
void rc_structural_source_place(struct rc_source *source, size_t at, unsigned *line,
                                unsigned *column);
size_t rc_structural_source_byte(const struct rc_source *source, unsigned line, unsigned column);

/* ---- parse.c ---- */

struct rc_cursor;
struct rc_model_parser {
    struct rc_model *model;
    struct rc_source source; /* of the file that is being read */
    unsigned file;           /* its index, or that of the file at fault */
    int section;
    unsigned model_line; /* of the `model` statement; 0 before it */
    unsigned value_line; /* of `=` or `from` of the item that is read; 0 before it */
    size_t cell_bytes;
    struct rc_error *error;
    /* Adds to an error at a byte of a formula which clause was probably meant (parse_clause.c). */
    int (*guess)(struct rc_cursor *cursor, size_t at);
};

/* Start from {.error = …}; then begin, add each file, finish.  Whoever stops before the last frees
 * the model. */
int rc_structural_model_parser_begin(struct rc_model_parser *parser);
int rc_structural_model_parser_add(struct rc_model_parser *parser, const char *text, size_t length,
                                   const char *name);
int rc_structural_model_parser_finish(struct rc_model_parser *parser);

/* Sets the error at a byte of the file; -1. */
int rc_structural_fail(struct rc_model_parser *parser, size_t at, const char *format, ...)
    RC_PRINTF(3, 4);

/* ---- parse_cursor.c ---- */

/* What is still to be read of a part of a file, which ends at the end of a line, or (a table's
 * formula) of a word. */
struct rc_cursor {
    struct rc_model_parser *parser;
    size_t at, end;
};

/* The next character after blanks and line ends, or NUL at the end. */
char rc_structural_cursor_peek(struct rc_cursor *cursor);
bool rc_structural_cursor_accept(struct rc_cursor *cursor, char c);
bool rc_structural_cursor_accept_word(struct rc_cursor *cursor, const char *word);
/* The next line that is not blank; false where there is none. */
bool rc_structural_cursor_line(struct rc_cursor *cursor, struct rc_cursor *line);

/* Says what stands where `wanted` should; -1. */
int rc_structural_cursor_unexpected(struct rc_cursor *cursor, const char *wanted);
/* Adds to the error which of `words` the one at `at` was probably meant to be; -1. */
int rc_structural_cursor_guess(struct rc_cursor *cursor, size_t at, const char *const *words,
                               size_t n_words);
/* Expects no more. */
int rc_structural_cursor_end(struct rc_cursor *cursor);

enum rc_name_rule {
    RC_NAME_ANY,  /* letters, digits and '_' */
    RC_NAME_FREE, /* the same, and no word that formulas know already */
    RC_NAME_WIDE  /* what is called so outside of the model: also '-', '.' and a digit in front */
};
/* A name, to be freed; `what` is what it is the name of. */
int rc_structural_cursor_name(struct rc_cursor *cursor, enum rc_name_rule rule, const char *what,
                              char **name);
/* The index of the next word in `words`, or -1. */
int rc_structural_cursor_choose(struct rc_cursor *cursor, const char *const *words, size_t n_words,
                                const char *wanted);
/* A text in quotes, to be freed; and one that may be missing, and is then left alone. */
int rc_structural_cursor_text(struct rc_cursor *cursor, char **text);
int rc_structural_cursor_description(struct rc_cursor *cursor, char **text);

/* These take the rest of the line, the last one a word if so told. */
int rc_structural_cursor_share(struct rc_cursor *cursor, double most, double *share);
int rc_structural_cursor_date(struct rc_cursor *cursor, double *seconds);
int rc_structural_cursor_duration(struct rc_cursor *cursor, bool word,
                                  double *seconds); /* above 0 */
/* These take all that is left. */
int rc_structural_cursor_hosts(struct rc_cursor *cursor, struct rc_hostlist *list);
struct rc_expression *rc_structural_cursor_formula(struct rc_cursor *cursor,
                                                   const struct rc_item *item);

/* ---- parse_statement.c ---- */

/* Reads the statement in lines first … last-1 of the source into the model. */
int rc_structural_statement_read(struct rc_model_parser *parser, size_t first, size_t last);

/* ---- parse_clause.c ---- */

/* Nothing is known yet. */
void rc_structural_meta_init(struct rc_item_meta *meta);
/* The first line from `line` on that begins with a word of a clause (of the model, or of items),
 * or `last`. */
size_t rc_structural_clause_line(const struct rc_source *source, size_t line, size_t last,
                                 bool of_model);
/* Reads the clauses of `item`, or of the model where it is NULL: what is left of its head, if
 * anything, and those from line `line` on. */
int rc_structural_clauses_read(struct rc_model_parser *parser, struct rc_item *item,
                               struct rc_cursor *head, size_t line, size_t last);
/* Adds to an error at the start of a line which clause was probably meant; -1. */
int rc_structural_clause_guess(struct rc_cursor *cursor, size_t at);
/* Whether the word of a clause stands there. */
bool rc_structural_clause_starts(const struct rc_source *source, size_t at);

/* ---- parse_measure.c ---- */

/* What follows "measure", "at", "per", "less", "arguments", "traced" and "waits". */
int rc_structural_measure_read(struct rc_cursor *cursor, struct rc_item *item);
int rc_structural_measure_size_read(struct rc_cursor *cursor, struct rc_item *item);
int rc_structural_measure_per_read(struct rc_cursor *cursor, struct rc_item *item);
int rc_structural_measure_less_read(struct rc_cursor *cursor, struct rc_item *item);
int rc_structural_measure_arguments_read(struct rc_cursor *cursor, struct rc_item *item);
int rc_structural_traced_read(struct rc_cursor *cursor, struct rc_item *item);
int rc_structural_waits_read(struct rc_cursor *cursor, struct rc_item *item);
/* Once all clauses of an input are read; `at` is its name. */
int rc_structural_measure_check(struct rc_model_parser *parser, size_t at,
                                const struct rc_item *item);

/* ---- parse_table.c ---- */

/* The lines below "= table". */
int rc_structural_model_table_read(struct rc_cursor *cursor, struct rc_item *item);

/* ---- parse_add.c ---- */

/* Each adds to the model what the file has at byte `at`, or fails and leaves it to the caller. */
int rc_structural_model_add_item(struct rc_model_parser *parser, size_t at, struct rc_item *item);
int rc_structural_model_add_set(struct rc_model_parser *parser, size_t at,
                                struct rc_model_set *set);
int rc_structural_model_add_use(struct rc_model_parser *parser, size_t at, struct rc_use *use);
int rc_structural_model_add_hosts(struct rc_model_parser *parser, size_t at,
                                  struct rc_model_hosts *hosts);
int rc_structural_model_add_omit(struct rc_model_parser *parser, size_t at,
                                 struct rc_model_omit *omit);
/* A profile: first its word, which removes one of an earlier file, then its lines. */
int rc_structural_model_begin_profile(struct rc_model_parser *parser, size_t at);
int rc_structural_model_add_profile(struct rc_model_parser *parser, size_t at,
                                    struct rc_profile_entry *entry);
/* What can only be told once all files are read. */
int rc_structural_model_settle(struct rc_model_parser *parser);

/* ---- model.c ---- */

/* Adds a copy of `*one`, of `size` bytes, to a list that only grows through this function; `list`
 * is the address of the pointer to it.  -1, and all is as it was, where memory runs out. */
int rc_structural_model_push(void *list, size_t *count, const void *one, size_t size,
                             struct rc_error *error);
/* -1 where memory runs out; `to` is to be cleared either way. */
int rc_structural_traced_copy(struct rc_traced *to, const struct rc_traced *from);
/* Free what these point to, and leave them empty. */
void rc_structural_item_clear(struct rc_item *item);
void rc_structural_model_set_clear(struct rc_model_set *set);
void rc_structural_use_clear(struct rc_use *use);
void rc_structural_model_hosts_clear(struct rc_model_hosts *hosts);

#endif
