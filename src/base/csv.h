// SPDX-License-Identifier: BSD-2-Clause
/* csv.h - reading tables of separated fields, row by row, in bounded memory. */
#ifndef RC_BASE_CSV_H
#define RC_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum {
    RC_CSV_ROW_MAX = 1 << 20,   /* bytes of one row */
    RC_CSV_FIELDS_MAX = 1 << 10 /* fields of one row */
};

/* A field, without its quotes; `text` ends in a NUL that `length` does not count. */
struct rc_csv_field {
    const char *text;
    size_t length;
    unsigned line, column; /* start, from 1, in characters */
    bool quoted;
};

struct rc_csv_row {
    const struct rc_csv_field *fields;
    size_t n_fields;
    unsigned line; /* first line */
};

struct rc_csv;

/* Source of bytes: fills `buffer` and returns the number of bytes, 0 at the end, -1 with errno set
 * on failure. */
struct rc_csv_source {
    ptrdiff_t (*read)(void *data, char *buffer, size_t size);
    void *data;
};

/* `name` is that of the input, for errors, and must outlive the reader. NULL if memory runs out.
 * Destroy with rc_csv_destroy(). */
struct rc_csv *rc_csv_create(struct rc_csv_source source, const char *name);
void rc_csv_destroy(struct rc_csv *csv);

/* Before the first row is read: what headings are known. They help to find the separator. */
void rc_csv_expect(struct rc_csv *csv, bool (*is_heading)(void *data, const char *text),
                   void *data);

/* 1: `*row` is the next row, valid until the next call; 0: no more; -1: an error. If the error has
 * a line, the row was malformed, and the next call continues after the line on which that row
 * began; otherwise reading failed.
 *
 * Fields are separated by commas, semicolons, tabs or vertical bars and may be quoted ("" for a
 * quote). The first row decides which: the separator that gives most headings that are known; if
 * several do, the comma if there is one, and otherwise the one that gives most fields. Lines end in
 * LF or CRLF. A byte order mark at the start, lines that begin with '#', blank lines and rows of
 * empty fields are skipped; blanks around unquoted fields are removed. A NUL byte is an error. */
int rc_csv_next(struct rc_csv *csv, struct rc_csv_row *row, struct rc_error *error);

/* The separator of the rows read so far. */
char rc_csv_separator(const struct rc_csv *csv);

/* Bytes read and handed out so far, for progress. */
uint64_t rc_csv_position(const struct rc_csv *csv);

#endif
