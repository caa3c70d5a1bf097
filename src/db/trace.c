// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.c - traces of MPI programs in the database. */
#include "db/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void rc_db_stored_trace_free(struct rc_stored_trace *trace)
{
    free(trace->path);
    trace->path = NULL;
}

int rc_db_trace_add(struct rc_db *store, int64_t run_id, const char *path, int format,
                    int64_t ranks, int64_t bytes, struct rc_error *error)
{
    int status;

    if (rc_db_begin(store, error))
        return -1;
    status = rc_db_execute(
        store, error,
        "INSERT OR REPLACE INTO trace (app_id, platform_id, run_id, made, path, format, ranks,"
        " bytes) SELECT app_id, platform_id, id, ?2, ?3, ?4, ?5, ?6 FROM run WHERE id = ?1",
        "IfsiII", run_id, store->clock->wall(store->clock), path, format, ranks, bytes);
    return rc_db_end(store, status, error);
}

int rc_db_trace_find(struct rc_db *store, const char *app, const char *platform, double n,
                     int64_t p, double before, struct rc_stored_trace *trace,
                     struct rc_error *error)
{
    sqlite3_stmt *select = rc_db_query(
        store, error,
        "SELECT t.id, run.id, t.path, t.made, run.seconds FROM trace AS t"
        " JOIN run ON run.id = t.run_id WHERE t.app_id = (SELECT id FROM app WHERE name = ?1)"
        " AND (?2 IS NULL OR t.platform_id = (SELECT id FROM platform WHERE name = ?2))"
        " AND run.n = ?3 AND run.p = ?4 AND run.status = 0"
        " AND (run.start IS NULL OR run.start <= ?5) ORDER BY t.made DESC, t.id DESC LIMIT 1",
        "ssfIf", app, platform, n, p, before);
    int found = select ? rc_db_step(store, select, error) : -1;

    *trace = (struct rc_stored_trace){0};
    if (found > 0) {
        *trace = (struct rc_stored_trace){.id = sqlite3_column_int64(select, 0),
                                          .run_id = sqlite3_column_int64(select, 1),
                                          .path = strdup(rc_db_column_text(select, 2)),
                                          .made = sqlite3_column_double(select, 3),
                                          .seconds = sqlite3_column_double(select, 4)};
        if (!trace->path)
            found = rc_error_no_memory(error);
    }
    sqlite3_finalize(select);
    return found;
}
