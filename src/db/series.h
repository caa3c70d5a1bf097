// SPDX-License-Identifier: GPL-3.0-or-later
/* series.h - series of samples in the store, beyond what runcast.h offers. */
#ifndef RC_DB_SERIES_H
#define RC_DB_SERIES_H

#include "db/internal.h"

/* Adds many samples inside the caller's write transaction.  Always end what was begun, also when
 * beginning failed; end with `status` other than 0 only frees, and returns it. */
struct rc_series_writer {
    struct rc_db *store;
    sqlite3_stmt *insert, *find, *update;
    int64_t id;
    bool replace;
    bool clash; /* adding failed because the store knows another value */
    uint64_t added, changed, there_already;
};
int rc_db_series_writer_begin(struct rc_series_writer *writer, struct rc_db *store,
                              const struct rc_series_key *key, bool replace,
                              struct rc_error *error);
int rc_db_series_writer_add(struct rc_series_writer *writer, const struct rc_sample *sample,
                            struct rc_error *error);
int rc_db_series_writer_end(struct rc_series_writer *writer, int status, struct rc_error *error);

enum { RC_SERIES_LOAD_MAX = 1 << 24 }; /* samples */

/* Reads the samples of one series with from <= t <= to into an array that the caller frees.  The
 * last one before `from`, if there is one, comes first: it held at the beginning.  Where there is
 * no sample in the window itself, that is an error, with a hint that tells when the newest one is;
 * so is a series that is not there, with a hint at one that has a similar name. */
int rc_db_series_load(struct rc_db *store, const struct rc_series_key *key, double from, double to,
                      struct rc_sample **samples, size_t *n_samples, struct rc_error *error);

/* When the last `most` samples up to `to` begin; -INFINITY where there are fewer of them.  For a
 * series that may be too long to be read as a whole. */
int rc_db_series_last_begin(struct rc_db *store, const struct rc_series_key *key, double to,
                            uint64_t most, double *from, struct rc_error *error);

/* A CSV table of samples, read as rc_db_series_import() reads it, but into memory. */
struct rc_series_table {
    const char *column; /* with the values; NULL: "value" */
    bool same_times;    /* rows of one time, as rounding makes them, are kept, each of them */
    /* Called for each sample, which it may change; -1, with the error set, where it is bad.  NULL:
     * it is taken as it is. */
    int (*convert)(void *data, struct rc_sample *sample, struct rc_error *error);
    void *data;
    struct rc_sample *samples; /* what was read, to be freed by the caller */
    size_t n;
};
/* -1, with line and column, where a row is bad, where times do not rise, and where there is none.
 * */
int rc_db_series_read_table(const char *path, struct rc_series_table *table,
                            struct rc_error *error);

#endif
