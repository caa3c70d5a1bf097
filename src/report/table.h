// SPDX-License-Identifier: BSD-2-Clause
/* table.h - text tables that align, fit the terminal, and stream. */
#ifndef RC_REPORT_TABLE_H
#define RC_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct rc_column {
    const char *title;
    bool right; /* align to the right, as numbers are; such columns are never cut short */
    bool wrap;  /* continue on further lines rather than be cut; for tables of few rows */
};

struct rc_table;

/* A table that writes itself to `out`.  The widths follow from its first rows, which are kept for
 * that; later rows are written at once, so that a table of any length takes little memory.
 * `width` is what a line may take: text is cut (with "…") or wrapped to fit; 0: no limit.
 * `columns` must outlive the table.  NULL where memory runs out. */
struct rc_table *rc_table_create(FILE *out, const struct rc_column *columns, size_t n_columns,
                                 size_t width);

/* The next cell of the row; after the last one the row is complete.  Control characters are shown
 * as '?', so that no content can play tricks with the terminal. */
void rc_table_cell(struct rc_table *table, const char *text, size_t length);
void rc_table_text(struct rc_table *table, const char *text);
void rc_table_number(struct rc_table *table, double value); /* six digits; "-" for NAN */
void rc_table_integer(struct rc_table *table, long long value);

/* Writes what is left and frees the table.  -1 where memory ran out on the way; whether writing
 * worked is to be asked of the stream. */
int rc_table_finish(struct rc_table *table);

#endif
