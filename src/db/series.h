// SPDX-License-Identifier: GPL-3.0-or-later
/* series.h - series of samples in the database, beyond runcast.h. */
#ifndef RC_DB_SERIES_H
#define RC_DB_SERIES_H

#include "db/internal.h"

/* Adds many samples inside a write transaction. Always call end, also if begin failed; with a
 * `status` other than 0, end only frees, and returns it. */
struct rc_series_writer {
    struct rc_db *store;
    sqlite3_stmt *insert, *find, *update;
    int64_t id;
    bool replace;
    bool clash; /* adding failed because the database has another value */
    uint64_t added, changed, there_already;
};
int rc_db_series_writer_begin(struct rc_series_writer *writer, struct rc_db *store,
                              const struct rc_series_key *key, bool replace,
                              struct rc_error *error);
int rc_db_series_writer_add(struct rc_series_writer *writer, const struct rc_sample *sample,
                            struct rc_error *error);
int rc_db_series_writer_end(struct rc_series_writer *writer, int status, struct rc_error *error);

enum { RC_SERIES_LOAD_MAX = 1 << 24 }; /* samples */

/* Reads the samples of one series with from <= t <= to into an array that the caller frees. The
 * last one before `from`, if any, comes first: it is the value at the beginning. A window without
 * samples is an error, with the time of the newest one in the hint; so is an unknown series, with a
 * similar name in the hint. */
int rc_db_series_load(struct rc_db *store, const struct rc_series_key *key, double from, double to,
                      struct rc_sample **samples, size_t *n_samples, struct rc_error *error);

/* The start of the last `most` samples up to `to`; -INFINITY if there are fewer. For series that
 * may be too long to read completely. */
int rc_db_series_last_begin(struct rc_db *store, const struct rc_series_key *key, double to,
                            uint64_t most, double *from, struct rc_error *error);

/* A CSV table of samples, read as rc_db_series_import() reads it, but into memory. */
struct rc_series_table {
    const char *column; /* with the values; NULL: "value" */
    bool same_times;    /* rows with equal (rounded) times are all read */
    /* Called for each sample, which it may change; -1, with the error set, if it is bad. NULL: no
     * check. */
    int (*convert)(void *data, struct rc_sample *sample, struct rc_error *error);
    void *data;
    struct rc_sample *samples; /* the samples, to be freed by the caller */
    size_t n;
};
/* -1, with line and column, for a bad row, decreasing times, or no rows. */
int rc_db_series_read_table(const char *path, struct rc_series_table *table,
                            struct rc_error *error);

#endif
