// SPDX-License-Identifier: GPL-3.0-or-later
/* series_last.h - the last samples of many series, one after the other, by one statement. */
#ifndef RC_DB_SERIES_LAST_H
#define RC_DB_SERIES_LAST_H

#include "db/internal.h"

/* Start from zeros; call rc_db_series_last_end() also if beginning failed. */
struct rc_series_last {
    struct rc_db *store;
    sqlite3_stmt *select;
};
int rc_db_series_last_start(struct rc_series_last *last, struct rc_db *store,
                            struct rc_error *error);
void rc_db_series_last_end(struct rc_series_last *last);

/* The samples of the series `id` (struct rc_series_info) from `from` to `to`, by increasing time:
 * the last `most` of them. 0 if there are none. To be freed by the caller. */
int rc_db_series_last_read(struct rc_series_last *last, int64_t id, double from, double to,
                           size_t most, struct rc_sample **samples, size_t *n,
                           struct rc_error *error);

#endif
