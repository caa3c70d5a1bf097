// SPDX-License-Identifier: BSD-2-Clause
/* table.h - text tables that align, fit the terminal, and stream. */
#ifndef RC_REPORT_TABLE_H
#define RC_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct rc_column {
    const char *title;
    bool right; /* align to the right, as numbers; such columns are never cut */
    bool wrap;  /* wrap over several lines rather than cut; for tables of few rows */
};

struct rc_table;

/* A table that writes itself to `out`. The widths follow from its first rows, which are buffered;
 * later rows are written at once, so a table of any length takes little memory. `width` is the
 * maximum width of a line: text is cut (with "…") or wrapped to fit; 0: no limit. Without any
 * title, there is no header line. `columns` must outlive the table. NULL if memory runs out. */
struct rc_table *rc_table_create(FILE *out, const struct rc_column *columns, size_t n_columns,
                                 size_t width);

/* The next cell of the row; the last one completes the row. Control characters are shown as '?'. */
void rc_table_cell(struct rc_table *table, const char *text, size_t length);
void rc_table_text(struct rc_table *table, const char *text);
void rc_table_number(struct rc_table *table, double value); /* six digits; "-" for NAN */
void rc_table_integer(struct rc_table *table, long long value);

/* Writes the rest and frees the table. -1 if memory ran out; check the stream for write errors. */
int rc_table_finish(struct rc_table *table);

#endif
