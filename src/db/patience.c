// SPDX-License-Identifier: GPL-3.0-or-later
/* patience.c - a transaction for which other writers are not waited for without end. */
#include "base/error.h"
#include "base/monitor.h"
#include "db/internal.h"

/* What gives up waiting for the lock: our patience, or whoever opened the store. */
struct waiting {
    const struct rc_monitor *outer;
    struct rc_clock *clock;
    double until;
};

static int is_over(void *data)
{
    const struct waiting *waiting = data;

    return waiting->clock->monotonic(waiting->clock) >= waiting->until ||
           rc_monitor_cancelled(waiting->outer);
}

int rc_db_begin_within(struct rc_db *store, double patience, struct rc_error *error)
{
    struct waiting waiting = {store->monitor, store->clock,
                              store->clock->monotonic(store->clock) + patience};
    const struct rc_monitor monitor = {.cancelled = is_over, .data = &waiting};
    struct rc_error busy = {0};
    int status;

    store->monitor = &monitor;
    status = rc_db_begin(store, &busy);
    store->monitor = waiting.outer;
    if (status == 0)
        return 0;
    /* The store takes any giving up for the user's. */
    if ((sqlite3_errcode(store->db) & 0xff) == SQLITE_BUSY && !rc_monitor_cancelled(waiting.outer))
        return rc_error_set(error, "another process keeps the store locked");
    if (error)
        *error = busy;
    return -1;
}
