// SPDX-License-Identifier: GPL-3.0-or-later
/* run_column_names.h - headings that tables of runs from elsewhere use for our columns. */
#ifndef RC_DB_RUN_COLUMN_NAMES_H
#define RC_DB_RUN_COLUMN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `heading` is read as the column `name` ("p") if the table has no such column. */
bool rc_db_column_is_alias(const char *heading, const char *name);

/* Whether `heading` probably means the column `name`.  Case, punctuation and a unit in brackets are
 * ignored, but a time must be in seconds. */
bool rc_db_column_resembles(const char *heading, const char *name);

/* Whether a column with this heading usually has facts about the job, such as its number or user,
 * and not a parameter of the program.  Case and punctuation are ignored. */
bool rc_db_column_is_metadata(const char *heading);

#endif
