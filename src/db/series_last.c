// SPDX-License-Identifier: GPL-3.0-or-later
/* series_last.c - the last samples of many series.
 *
 * A query for thousands of series reads few samples of each: preparing statements for each would
 * cost more than reading. Samples are read from the newest backwards, so only the needed part of a
 * long series is touched. */
#include "db/series_last.h"

#include <stdlib.h>

#include "base/array.h"

int rc_db_series_last_start(struct rc_series_last *last, struct rc_db *store,
                            struct rc_error *error)
{
    *last = (struct rc_series_last){.store = store};
    last->select = rc_db_prepare(store,
                                 "SELECT t, value FROM sample WHERE series_id = ?1 AND t "
                                 "BETWEEN ?2 AND ?3 ORDER BY t DESC LIMIT ?4",
                                 error);
    return last->select ? 0 : -1;
}

void rc_db_series_last_end(struct rc_series_last *last)
{
    sqlite3_finalize(last->select);
    last->select = NULL;
}

static void turn_round(struct rc_sample *samples, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct rc_sample one = samples[i];

        samples[i] = samples[n - 1 - i];
        samples[n - 1 - i] = one;
    }
}

int rc_db_series_last_read(struct rc_series_last *last, int64_t id, double from, double to,
                           size_t most, struct rc_sample **samples, size_t *n,
                           struct rc_error *error)
{
    size_t room = 0;
    int got;

    *samples = NULL;
    *n = 0;
    rc_db_bind(last->select, "IffI", id, from, to, (int64_t)most);
    while ((got = rc_db_step(last->store, last->select, error)) > 0) {
        if (*n == room && rc_array_room(samples, *n + 1024, &room, sizeof **samples, error)) {
            got = -1;
            break;
        }
        (*samples)[(*n)++] = (struct rc_sample){.t = sqlite3_column_double(last->select, 0),
                                                .value = sqlite3_column_double(last->select, 1)};
    }
    sqlite3_reset(last->select);
    if (got == 0 && rc_db_stood_still(last->store, error) == 0) {
        turn_round(*samples, *n);
        return 0;
    }
    free(*samples);
    *samples = NULL;
    *n = 0;
    return -1;
}
