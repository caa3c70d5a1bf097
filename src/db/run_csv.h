// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv.h - rows of a table as runs.  No I/O: rows come from base/csv.h. */
#ifndef RC_DB_RUN_CSV_H
#define RC_DB_RUN_CSV_H

#include <stdbool.h>

#include "base/csv.h"
#include "runcast.h"

struct rc_run_table;

/* The proper name of a column that has a meaning of its own ("cpu" and "CPU_minavg" are both
 * "cpu_minavg"), and which no parameter may have; NULL for any other. */
const char *rc_db_run_table_column(const char *name);

/* Reads the header.  Columns may come in any order, known ones in upper or lower case; `app` (or
 * NULL) stands in for a missing column of that name, `platform` (or NULL) for rows that name none.
 * `name` stands for the input in errors.  All three must outlive the table.  NULL, with line and
 * column in `error`, where a required column is missing or one is named twice. */
struct rc_run_table *rc_db_run_table_create(const struct rc_csv_row *header, const char *name,
                                            const char *app, const char *platform,
                                            struct rc_error *error);
/* The same for runs of `app` that may be still to come: a time is not required (it is NAN), and a
 * column for the app may be there, if it says nothing else. */
struct rc_run_table *rc_db_run_table_create_asked(const struct rc_csv_row *header, const char *name,
                                                  const char *app, struct rc_error *error);
void rc_db_run_table_destroy(struct rc_run_table *table);

/* Fills in `run` from a row; what it points to is good as long as the row is.  -1, with line and
 * column, where the row is bad.
 *
 * Whether a column that is not known is a numeric one is only clear once all rows were seen: until
 * rc_db_run_table_settle(), text in such a column is no fault, but remembered; afterwards it is one,
 * except in columns that hold nothing but text, which are left out. */
int rc_db_run_table_row(struct rc_run_table *table, const struct rc_csv_row *row,
                        struct rc_run *run, struct rc_error *error);

/* Ends the first reading.  -1, with line and column, where a column mixes numbers and text: the
 * first such text. */
int rc_db_run_table_settle(struct rc_run_table *table, struct rc_error *error);

/* Calls `note` for each column that is left out. */
void rc_db_run_table_left_out(const struct rc_run_table *table,
                              void (*note)(void *data, const struct rc_error *what), void *data);

#endif
