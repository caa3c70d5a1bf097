// SPDX-License-Identifier: GPL-3.0-or-later
/* series_batch.h - adding samples of many series, again and again, a few of each at a time.
 *
 * What watches hosts writes some numbers of hundreds of series every second.  The statements stay
 * prepared, and the numbers of the series are remembered for as long as nobody else writes. */
#ifndef RC_DB_SERIES_BATCH_H
#define RC_DB_SERIES_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_series_batch;

struct rc_series_batch_sample {
    size_t series; /* as rc_db_series_batch_series() gave it */
    double t, value;
};

/* Writes nothing. The database must be open for writing, and outlive the batch. */
struct rc_series_batch *rc_db_series_batch_create(struct rc_db *store, struct rc_error *error);
void rc_db_series_batch_destroy(struct rc_series_batch *batch);

/* The number by which samples name this series from now on, the next one for each call: 0, 1, 2...
 * Nothing is written; the series is made when its first sample is.  The key is copied. */
int rc_db_series_batch_series(struct rc_series_batch *batch, const struct rc_series_key *key,
                              size_t *series, struct rc_error *error);

/* Adds the samples in one transaction: all or none. Samples whose time is already stored are
 * skipped, whatever their value. Waits for other writers, up to `patience` seconds. `*added` (or
 * NULL) is the number of new ones. */
int rc_db_series_batch_write(struct rc_series_batch *batch,
                             const struct rc_series_batch_sample *samples, size_t n,
                             double patience, uint64_t *added, struct rc_error *error);

#endif
