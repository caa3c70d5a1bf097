// SPDX-License-Identifier: GPL-3.0-or-later
/* sample_db.h - samples of a watcher into a database, a second's worth at a time.
 *
 * What was handed in is in the database a second later; so much is lost where this process is
 * killed, and no more.  While the database takes nothing (another process keeps it locked, the disk
 * is full) samples are kept, up to RC_WATCH_DB_MAX, and the oldest are dropped, and counted, beyond
 * that.
 * */
#ifndef RC_HOST_WATCH_SAMPLE_DB_H
#define RC_HOST_WATCH_SAMPLE_DB_H

#include <stdint.h>

#include "host/watch/watch.h"

enum { RC_WATCH_DB_MAX = 1 << 19 }; /* samples, of 24 bytes each */

struct rc_watch_db;

/* A sample is one number of one series: a host reports several at a time. */
struct rc_watch_db_info {
    uint64_t stored;  /* samples that the database has taken */
    uint64_t known;   /* ... that it had already, at the same time */
    uint64_t dropped; /* ... that were lost, as the database took nothing for too long */
    uint64_t waiting; /* ... that are still to be written */
    size_t series;    /* that samples were kept for */
};

/* For the hosts and links of one watcher.  The database must be open for writing, and outlive
 * it. */
struct rc_watch_db *rc_watch_db_create(struct rc_db *db, size_t n_hosts, size_t n_links,
                                       struct rc_error *error);
/* What was not written is lost. */
void rc_watch_db_destroy(struct rc_watch_db *writer);

/* Keeps a sample to be written; only fails where memory runs out. */
int rc_watch_db_add(struct rc_watch_db *writer, const struct rc_watch_sample *sample,
                    struct rc_error *error);

/* When rc_watch_db_write() has something to do, on the monotonic clock; INFINITY: nothing waits.
 * */
double rc_watch_db_due(const struct rc_watch_db *writer);

/* Writes what waits, if it is due at the monotonic time `now`.  -1 where the database does not take
 * it: it is kept, and tried again a second later. */
int rc_watch_db_write(struct rc_watch_db *writer, double now, struct rc_error *error);

/* Writes all that waits, due or not, and waits for other writers up to `patience` seconds. */
int rc_watch_db_flush(struct rc_watch_db *writer, double patience, struct rc_error *error);

/* What was done so far. */
struct rc_watch_db_info rc_watch_db_info(const struct rc_watch_db *writer);

#endif
