// SPDX-License-Identifier: GPL-3.0-or-later
/* column_values.h - what the values of a column with an unknown heading could mean. */
#ifndef RC_DB_COLUMN_VALUES_H
#define RC_DB_COLUMN_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

/* Reads "ok", "failed", "interrupted" or a final state of a job in Slurm.  -1 for other text. */
int rc_db_run_status_parse(const char *text, enum rc_run_status *status);

/* Counts of the values that are not blank. */
struct rc_column_values {
    uint64_t numbers, texts;
    uint64_t states; /* of the texts: job states, final or not */
    uint64_t dates;  /* of the texts: dates */
    uint64_t epochs; /* of the numbers: seconds since 1970, after the year 2000 */
};

/* Counts a value that is not a number. */
void rc_db_column_values_text(struct rc_column_values *values, const char *text, size_t length);
/* Counts a number. */
void rc_db_column_values_number(struct rc_column_values *values, double number);

/* Whether the values are those of the column `name`, "status" or "start".  `all`: every value is;
 * otherwise, at least half of them are. */
bool rc_db_column_values_are(const struct rc_column_values *values, const char *name, bool all);

/* Whether a column of numbers is constant or depends only on the number of processes. */
enum { RC_COLUMN_PROCS_MAX = 64 };

struct rc_column_pattern {
    uint64_t n;
    double first;
    bool varies;            /* the numbers are not all the same */
    bool varies_with_procs; /* and neither are those of the same number of processes */
    size_t n_procs;
    int64_t procs[RC_COLUMN_PROCS_MAX];
    double numbers[RC_COLUMN_PROCS_MAX];
};

/* Adds the number of a run. */
void rc_db_column_pattern_add(struct rc_column_pattern *pattern, int64_t procs, double number);
/* Whether the numbers depend only on the number of processes, with at least two runs for each of
 * them on average. */
bool rc_db_column_pattern_of_procs(const struct rc_column_pattern *pattern);

/* Whether a column of numbers looks like the IDs of its rows. Memory is bounded: only the first
 * RC_COLUMN_IDS_MAX numbers are compared with one another. */
enum { RC_COLUMN_IDS_LEAST = 5, RC_COLUMN_IDS_MAX = 1 << 12 };

/* Start from zeros; free with rc_db_column_ids_free(). */
struct rc_column_ids {
    uint64_t n;
    double last;
    bool fractional; /* a number is not whole */
    bool falls;      /* a number is not greater than the one before it */
    bool repeats;    /* among those compared, two are equal */
    double *seen;    /* a hash table of those compared; NAN: free */
    size_t n_seen, room;
};

/* Adds the number of the next row. */
void rc_db_column_ids_add(struct rc_column_ids *ids, double number);
/* Whether there are RC_COLUMN_IDS_LEAST numbers or more, all whole, which increase from row to row
 * or are all different. */
bool rc_db_column_ids_are(const struct rc_column_ids *ids);
void rc_db_column_ids_free(struct rc_column_ids *ids);

#endif
