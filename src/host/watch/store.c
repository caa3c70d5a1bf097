// SPDX-License-Identifier: GPL-3.0-or-later
/* watch_store.c - samples of a watcher into a store, a second's worth at a time. */
#include "host/watch/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "host/watch/line.h"
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

struct rc_watch_store {
    struct rc_series_batch *batch;
    struct rc_clock *clock;
    struct rc_series_batch_sample *samples;
    size_t n, capacity;
    size_t *series; /* numbers in the batch plus 1, by host and metric, then link and metric; 0:
                       none yet */
    size_t n_hosts;
    double due;
    struct rc_watch_store_info info;
};

struct rc_watch_store *rc_watch_store_create(struct rc_db *store, size_t n_hosts, size_t n_links,
                                             struct rc_error *error)
{
    struct rc_watch_store *keeper = calloc(1, sizeof *keeper);

    if (!keeper) {
        rc_error_no_memory(error);
        return NULL;
    }
    keeper->clock = rc_clock_system();
    keeper->n_hosts = n_hosts;
    keeper->due = INFINITY;
    keeper->series =
        calloc(n_hosts * RC_WATCH_METRICS + n_links * LINK_METRICS + 1, sizeof *keeper->series);
    if (!keeper->series)
        rc_error_no_memory(error);
    else
        keeper->batch = rc_db_series_batch_create(store, error);
    if (!keeper->batch) {
        rc_watch_store_destroy(keeper);
        return NULL;
    }
    return keeper;
}

void rc_watch_store_destroy(struct rc_watch_store *keeper)
{
    if (!keeper)
        return;
    rc_db_series_batch_destroy(keeper->batch);
    free(keeper->samples);
    free(keeper->series);
    free(keeper);
}

/* ---- keeping ---- */

/* The place of the sample's series in `series`; NULL: no metric of a watcher. */
static size_t *place_of(const struct rc_watch_store *keeper, const struct rc_watch_sample *sample)
{
    if (sample->link == SIZE_MAX) {
        for (size_t i = 0; i < RC_WATCH_METRICS; i++)
            if (strcmp(rc_watch_metric_name((enum rc_watch_metric)i), sample->metric) == 0)
                return &keeper->series[sample->host * RC_WATCH_METRICS + i];
        return NULL;
    }
    for (size_t i = 0; i < LINK_METRICS; i++)
        if (strcmp(link_metrics[i], sample->metric) == 0)
            return &keeper->series[keeper->n_hosts * RC_WATCH_METRICS +
                                   sample->link * LINK_METRICS + i];
    return NULL;
}

static int make_room(struct rc_watch_store *keeper, struct rc_error *error)
{
    size_t drop = RC_WATCH_STORE_MAX / DROP_PART, wanted;
    struct rc_series_batch_sample *more;

    if (keeper->n < keeper->capacity)
        return 0;
    if (keeper->n == RC_WATCH_STORE_MAX) {
        memmove(keeper->samples, keeper->samples + drop,
                (keeper->n - drop) * sizeof *keeper->samples);
        keeper->n -= drop;
        keeper->info.dropped += drop;
        return 0;
    }
    wanted = keeper->capacity ? 2 * keeper->capacity : 1024;
    more = realloc(keeper->samples, wanted * sizeof *more);
    if (!more)
        return rc_error_no_memory(error);
    keeper->samples = more;
    keeper->capacity = wanted;
    return 0;
}

int rc_watch_store_add(struct rc_watch_store *keeper, const struct rc_watch_sample *sample,
                       struct rc_error *error)
{
    const struct rc_series_key key = {sample->name, sample->peer, sample->metric};
    size_t *place = place_of(keeper, sample), number;

    if (!place)
        return rc_error_set(error, "there is no metric '%s'", sample->metric);
    if (!*place) {
        if (rc_db_series_batch_series(keeper->batch, &key, &number, error))
            return -1;
        *place = number + 1;
        keeper->info.series++;
    }
    if (make_room(keeper, error))
        return -1;
    if (keeper->n == 0)
        keeper->due = keeper->clock->monotonic(keeper->clock) + WAIT_MOST;
    keeper->samples[keeper->n++] =
        (struct rc_series_batch_sample){*place - 1, sample->t, sample->value};
    return 0;
}

/* ---- writing ---- */

double rc_watch_store_due(const struct rc_watch_store *keeper)
{
    return keeper->due;
}

static int write_all(struct rc_watch_store *keeper, double patience, struct rc_error *error)
{
    size_t done = 0, part;
    uint64_t added;
    int status = 0;

    while (done < keeper->n && status == 0) {
        part = keeper->n - done < CHUNK ? keeper->n - done : CHUNK;
        status = rc_db_series_batch_write(keeper->batch, keeper->samples + done, part, patience,
                                          &added, error);
        if (status)
            break;
        keeper->info.stored += added;
        keeper->info.known += part - added;
        done += part;
    }
    keeper->n -= done;
    if (done > 0)
        memmove(keeper->samples, keeper->samples + done, keeper->n * sizeof *keeper->samples);
    keeper->due = status ? keeper->clock->monotonic(keeper->clock) + RETRY : (double)INFINITY;
    return status;
}

int rc_watch_store_write(struct rc_watch_store *keeper, double now, struct rc_error *error)
{
    return now >= keeper->due ? write_all(keeper, LOCK_PATIENCE, error) : 0;
}

int rc_watch_store_flush(struct rc_watch_store *keeper, double patience, struct rc_error *error)
{
    return write_all(keeper, patience, error);
}

struct rc_watch_store_info rc_watch_store_info(const struct rc_watch_store *keeper)
{
    struct rc_watch_store_info info = keeper->info;

    info.waiting = keeper->n;
    return info;
}
