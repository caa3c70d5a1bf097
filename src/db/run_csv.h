// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv.h - rows of a table as runs.  No I/O: rows come from base/csv.h. */
#ifndef RC_DB_RUN_CSV_H
#define RC_DB_RUN_CSV_H

#include <stdbool.h>

#include "base/csv.h"
#include "runcast.h"

struct rc_run_table;

/* The main name of a column that is no parameter ("cpu" and "CPU_minavg" are both "cpu_minavg");
 * NULL for any other.  No parameter may have such a name. */
const char *rc_db_run_table_column(const char *name);

/* How to read a table.  The texts must outlive it. */
struct rc_run_table_options {
    const char *app;      /* for a table without that column; NULL: none */
    const char *platform; /* for rows without one; NULL: none */
    const struct rc_db_column_rename *renames;
    size_t n_renames;
    const char *const *ignored; /* headings of columns to leave out */
    size_t n_ignored;
};

/* Reads the header.  Columns may come in any order, known ones in upper or lower case.  `name` is
 * that of the input, for errors, and must outlive the table.  NULL, with line and column in
 * `error`, if a required column is missing or a column comes twice. */
struct rc_run_table *rc_db_run_table_create(const struct rc_csv_row *header, const char *name,
                                            const struct rc_run_table_options *options,
                                            struct rc_error *error);
/* The same for planned runs of `app`: a time is not required (it is NAN).  The table may have a
 * column for the app, if it has no other app. */
struct rc_run_table *rc_db_run_table_create_asked(const struct rc_csv_row *header, const char *name,
                                                  const char *app, struct rc_error *error);
void rc_db_run_table_destroy(struct rc_run_table *table);

/* Fills in `run` from a row; its pointers are valid as long as the row is.  -1, with line and
 * column, if the row is bad.
 *
 * Whether an unknown column is numeric is clear after the last row only.  Until
 * rc_db_run_table_settle(), text in such a column is remembered.  Afterwards it is a fault, except
 * in columns that have only text, which are ignored, and in columns with an alias of 'status' or
 * 'start' whose values are job states or dates. */
int rc_db_run_table_row(struct rc_run_table *table, const struct rc_csv_row *row,
                        struct rc_run *run, struct rc_error *error);

/* Ends the first reading.  -1, with line and column of the first text, if a column mixes numbers
 * and text. */
int rc_db_run_table_settle(struct rc_run_table *table, struct rc_error *error);

/* Calls `note` for each column of text that is ignored, for the parameters, and for each of them
 * that is constant or depends only on the number of processes. */
void rc_db_run_table_describe(const struct rc_run_table *table,
                              void (*note)(void *data, const struct rc_error *what), void *data);

#endif
