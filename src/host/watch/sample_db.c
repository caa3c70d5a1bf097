// SPDX-License-Identifier: GPL-3.0-or-later
/* sample_db.c - samples of a watcher into a database, a second's worth at a time. */
#include "host/watch/sample_db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "host/watch/sensor_protocol.h"
#include "db/series_batch.h"

#define WAIT_MOST 0.75    /* seconds that a sample waits, which leaves some for the commit itself */
#define RETRY 1.0         /* seconds after a failure */
#define LOCK_PATIENCE 0.1 /* seconds; sensors fill their pipes meanwhile */

enum {
    CHUNK = 1 << 14, /* samples of a transaction, where many wait */
    DROP_PART = 8,   /* a part of the whole that is dropped at once: moving the rest is not free */
    LINK_METRICS = 2
};

static const char *const link_metrics[LINK_METRICS] = {"bandwidth", "latency"};

struct rc_watch_db {
    struct rc_series_batch *batch;
    struct rc_clock *clock;
    struct rc_series_batch_sample *samples;
    size_t n, capacity;
    size_t *series; /* numbers in the batch plus 1, by host and metric, then link and metric; 0:
                       none yet */
    size_t n_hosts;
    double due;
    struct rc_watch_db_info info;
};

struct rc_watch_db *rc_watch_db_create(struct rc_db *db, size_t n_hosts, size_t n_links,
                                       struct rc_error *error)
{
    struct rc_watch_db *writer = calloc(1, sizeof *writer);

    if (!writer)
        return rc_error_null(rc_error_no_memory(error));
    writer->clock = rc_clock_system();
    writer->n_hosts = n_hosts;
    writer->due = INFINITY;
    writer->series =
        calloc(n_hosts * RC_WATCH_METRICS + n_links * LINK_METRICS + 1, sizeof *writer->series);
    if (!writer->series)
        rc_error_no_memory(error);
    else
        writer->batch = rc_db_series_batch_create(db, error);
    if (!writer->batch) {
        rc_watch_db_destroy(writer);
        return NULL;
    }
    return writer;
}

void rc_watch_db_destroy(struct rc_watch_db *writer)
{
    if (!writer)
        return;
    rc_db_series_batch_destroy(writer->batch);
    free(writer->samples);
    free(writer->series);
    free(writer);
}

/* ---- keeping ---- */

/* The slot of the sample's series in `series`; NULL: no metric of a watcher. */
static size_t *slot_of(const struct rc_watch_db *writer, const struct rc_watch_sample *sample)
{
    if (sample->link == SIZE_MAX) {
        for (size_t i = 0; i < RC_WATCH_METRICS; i++)
            if (strcmp(rc_watch_metric_name((enum rc_watch_metric)i), sample->metric) == 0)
                return &writer->series[sample->host * RC_WATCH_METRICS + i];
        return NULL;
    }
    for (size_t i = 0; i < LINK_METRICS; i++)
        if (strcmp(link_metrics[i], sample->metric) == 0)
            return &writer->series[writer->n_hosts * RC_WATCH_METRICS +
                                   sample->link * LINK_METRICS + i];
    return NULL;
}

static int make_room(struct rc_watch_db *writer, struct rc_error *error)
{
    size_t drop = RC_WATCH_DB_MAX / DROP_PART;

    if (writer->n == RC_WATCH_DB_MAX) {
        memmove(writer->samples, writer->samples + drop,
                (writer->n - drop) * sizeof *writer->samples);
        writer->n -= drop;
        writer->info.dropped += drop;
    }
    return rc_array_room(&writer->samples, writer->n + 1, &writer->capacity,
                         sizeof *writer->samples, error);
}

int rc_watch_db_add(struct rc_watch_db *writer, const struct rc_watch_sample *sample,
                    struct rc_error *error)
{
    const struct rc_series_key key = {sample->name, sample->peer, sample->metric};
    size_t *slot = slot_of(writer, sample), number;

    if (!slot)
        return rc_error_set(error, "no metric '%s'", sample->metric);
    if (!*slot) {
        if (rc_db_series_batch_series(writer->batch, &key, &number, error))
            return -1;
        *slot = number + 1;
        writer->info.series++;
    }
    if (make_room(writer, error))
        return -1;
    if (writer->n == 0)
        writer->due = writer->clock->monotonic(writer->clock) + WAIT_MOST;
    writer->samples[writer->n++] =
        (struct rc_series_batch_sample){*slot - 1, sample->t, sample->value};
    return 0;
}

/* ---- writing ---- */

double rc_watch_db_due(const struct rc_watch_db *writer)
{
    return writer->due;
}

static int write_all(struct rc_watch_db *writer, double patience, struct rc_error *error)
{
    size_t done = 0, part;
    uint64_t added;
    int status = 0;

    while (done < writer->n && status == 0) {
        part = writer->n - done < CHUNK ? writer->n - done : CHUNK;
        status = rc_db_series_batch_write(writer->batch, writer->samples + done, part, patience,
                                          &added, error);
        if (status)
            break;
        writer->info.stored += added;
        writer->info.known += part - added;
        done += part;
    }
    writer->n -= done;
    if (done > 0)
        memmove(writer->samples, writer->samples + done, writer->n * sizeof *writer->samples);
    writer->due = status ? writer->clock->monotonic(writer->clock) + RETRY : (double)INFINITY;
    return status;
}

int rc_watch_db_write(struct rc_watch_db *writer, double now, struct rc_error *error)
{
    return now >= writer->due ? write_all(writer, LOCK_PATIENCE, error) : 0;
}

int rc_watch_db_flush(struct rc_watch_db *writer, double patience, struct rc_error *error)
{
    return write_all(writer, patience, error);
}

struct rc_watch_db_info rc_watch_db_info(const struct rc_watch_db *writer)
{
    struct rc_watch_db_info info = writer->info;

    info.waiting = writer->n;
    return info;
}
