// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv_internal.h - what the files of run_csv.h share. */
#ifndef RC_DB_RUN_CSV_INTERNAL_H
#define RC_DB_RUN_CSV_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"
#include "db/column_values.h"
#include "db/run_csv.h"

/* Bytes of a name: of an app, a platform, a parameter. */
enum { RC_RUN_NAME_MAX = 200 };

/* What a column holds. */
enum rc_column_holds {
    RC_HOLDS_NAME,
    RC_HOLDS_HOSTS,
    RC_HOLDS_NUMBER, /* with a suffix of `dimension`, within `least` and `most` */
    RC_HOLDS_COUNT,  /* a whole number */
    RC_HOLDS_TIME,
    RC_HOLDS_STATUS,
    RC_HOLDS_NOTHING, /* ignored */
    RC_HOLDS_BLANK,   /* may hold nothing */
    RC_HOLDS_PART     /* the time of a phase or a process */
};

/* A column that is no parameter. */
struct rc_known_column {
    const char *name;
    enum rc_column_holds holds;
    size_t offset; /* of the member of struct rc_run */
    enum rc_dimension dimension;
    double least, most;
    bool above; /* `least` itself is too little */
    bool required;
};

/* Columns with one name each.  The last one has the name NULL and is no column. */
extern const struct rc_known_column rc_db_known_columns[];

/* All columns of times of phases and processes; `name` is their prefix. */
extern const struct rc_known_column rc_db_phase_time_column;

/* What a row has in a column of a parameter. */
enum rc_column_saw { RC_SAW_NOTHING, RC_SAW_NUMBER, RC_SAW_TEXT };

/* What a column is whose name is not known. */
enum rc_column_role {
    RC_ROLE_OPEN, /* its name and values decide, in rc_db_run_table_settle() */
    RC_ROLE_PARAM,
    RC_ROLE_META,
    RC_ROLE_IGNORED
};

/* A column of a table. */
struct rc_table_column {
    const struct rc_known_column *known; /* NULL: its role says what it is */
    enum rc_column_role role;
    enum rc_column_role earlier; /* in runs of the database; RC_ROLE_OPEN: in none */
    bool declared;               /* its role is not open from the start */
    bool is_synonym;             /* its heading is another name of the known column */
    char *name;                  /* of a parameter or metadata; of others, the heading */
    char *phase;                 /* of a time of a part */
    int process;                 /* ... or -1 */
    unsigned line, position;     /* in the header */
    /* What an open column is if its values are such; NULL: none. */
    const struct rc_known_column *alias;
    struct rc_column_values values; /* in the good rows */
    struct rc_column_pattern pattern;
    struct rc_column_ids ids;
    struct rc_error first_text;
    bool is_key;
    bool decimal_comma;             /* ... in it */
    struct rc_error first_unfit;    /* the first text that no metadata can have */
    struct rc_error first_odd_time; /* the first local time that occurs twice or never */
    struct rc_error first_strange;  /* the first value that `alias` cannot have */
    enum rc_column_saw saw;         /* in the row at hand */
    double number;                  /* if it was one */
};

/* A table, as far as it was read. */
struct rc_run_table {
    const char *name;
    struct rc_run_table_options options;
    struct rc_table_column *columns;
    size_t n_columns;
    struct rc_param *params;
    struct rc_meta *meta;
    struct rc_run_time *times;
    struct rc_error minutes; /* the first run time of the form MM:SS */
    uint64_t rows;           /* good ones, in the first reading */
    bool settled;
    bool asked; /* the runs may be planned ones, without a time */
};

/* All columns whose heading begins with RC_META_PREFIX. */
extern const struct rc_known_column rc_db_meta_column;

/* The column that a heading names, in upper or lower case; NULL: a parameter or metadata. */
const struct rc_known_column *rc_db_known_column_find(const char *name);

/* Whether every row of the table must have a value in this column. */
bool rc_db_run_table_requires(const struct rc_run_table *table,
                              const struct rc_known_column *known);

/* Whether the table has this column. */
bool rc_db_run_table_has(const struct rc_run_table *table, const struct rc_known_column *known);

#endif
