// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv.h - rows of a table as runs.  No I/O: rows come from base/csv.h. */
#ifndef RC_DB_RUN_CSV_H
#define RC_DB_RUN_CSV_H

#include <stdbool.h>

#include "base/csv.h"
#include "base/time_zone.h"
#include "runcast.h"

struct rc_run_table;

/* The heading of a column of metadata begins with this: "meta:job". */
#define RC_META_PREFIX "meta:"

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
    const char *const *params; /* headings of columns that are parameters */
    size_t n_params;
    const char *const *meta; /* headings of columns that are metadata */
    size_t n_meta;
    const char *key; /* the heading or name of the column that every row needs; NULL: none */
    const struct rc_time_zone *zone; /* of dates without an offset; NULL: UTC */
};

/* Whether the options rename or ignore the column with this heading, or it is no parameter. */
bool rc_db_run_table_knows(const struct rc_run_table_options *options, const char *heading);

/* The name of the metadata or parameter in the column of options.key. */
const char *rc_db_run_table_key(const struct rc_run_table *table);

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
 * Whether an unknown column is a parameter is clear after the last row only.  Until
 * rc_db_run_table_settle(), text in such a column is remembered, and the run has its numbers as
 * parameters.  Afterwards text is a fault in columns of parameters. */
int rc_db_run_table_row(struct rc_run_table *table, const struct rc_csv_row *row,
                        struct rc_run *run, struct rc_error *error);

/* Whether the names or values of some columns decide what they are. */
bool rc_db_run_table_is_open(const struct rc_run_table *table);
/* Between the readings: such columns are parameters or metadata as in this run, and the last one of
 * several counts. */
void rc_db_run_table_follow(struct rc_run_table *table, const struct rc_run *earlier);

/* Ends the first reading, and decides what the unknown columns are.  Columns with an alias of
 * 'status' or 'start' are that if their values are job states or dates.  Metadata are columns that
 * have
 *  - only text,
 *  - a usual name of metadata, such as 'job' (run_column_names.h), or
 *  - in each row a whole number, different from all others or greater than the one before, in
 *    RC_COLUMN_IDS_LEAST rows or more (column_values.h).
 * The others are parameters.  So are all columns of numbers of a table that has every known column,
 * as exports do.  With options.params, all others are metadata.  In tables of planned runs, text is
 * ignored and every number is a parameter.
 *
 * -1, with line and column of the first text, if a parameter mixes numbers and text. */
int rc_db_run_table_settle(struct rc_run_table *table, struct rc_error *error);

/* Calls `note` with the columns that were recognized by other headings, if there are any. */
void rc_db_run_table_describe_synonyms(const struct rc_run_table *table,
                                       void (*note)(void *data, const struct rc_error *what),
                                       void *data);

/* Calls `note` for each column that is ignored since its text does not fit, for columns with
 * another heading, for the first local time that occurs twice or never, for the parameters and
 * the metadata, for metadata that look like IDs, states or starts, and for parameters that are
 * constant or depend only on the number of processes. */
void rc_db_run_table_describe(const struct rc_run_table *table,
                              void (*note)(void *data, const struct rc_error *what), void *data);

#endif
