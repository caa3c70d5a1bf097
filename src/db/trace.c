// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.c - traces of MPI programs that the store knows. */
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
    sqlite3_stmt *insert;
    int status;

    if (rc_db_begin(store, error))
        return -1;
    insert = rc_db_prepare(
        store,
        "INSERT OR REPLACE INTO trace (app_id, platform_id, run_id, made, path, format, ranks,"
        " bytes) SELECT app_id, platform_id, id, ?2, ?3, ?4, ?5, ?6 FROM run WHERE id = ?1",
        error);
    status = insert ? 0 : -1;
    if (insert) {
        sqlite3_bind_int64(insert, 1, run_id);
        sqlite3_bind_double(insert, 2, store->clock->wall(store->clock));
        sqlite3_bind_text(insert, 3, path, -1, SQLITE_STATIC);
        sqlite3_bind_int(insert, 4, format);
        sqlite3_bind_int64(insert, 5, ranks);
        sqlite3_bind_int64(insert, 6, bytes);
        status = rc_db_run(store, insert, error);
        sqlite3_finalize(insert);
    }
    return rc_db_end(store, status, error);
}

int rc_db_trace_find(struct rc_db *store, const char *app, const char *platform, double n,
                     int64_t p, double before, struct rc_stored_trace *trace,
                     struct rc_error *error)
{
    sqlite3_stmt *select = rc_db_prepare(
        store,
        "SELECT t.id, run.id, t.path, t.made, run.seconds FROM trace AS t"
        " JOIN run ON run.id = t.run_id WHERE t.app_id = (SELECT id FROM app WHERE name = ?1)"
        " AND (?2 IS NULL OR t.platform_id = (SELECT id FROM platform WHERE name = ?2))"
        " AND run.n = ?3 AND run.p = ?4 AND run.status = 0"
        " AND (run.start IS NULL OR run.start <= ?5) ORDER BY t.made DESC, t.id DESC LIMIT 1",
        error);
    int code;

    if (!select)
        return -1;
    sqlite3_bind_text(select, 1, app, -1, SQLITE_STATIC);
    sqlite3_bind_text(select, 2, platform, -1, SQLITE_STATIC);
    sqlite3_bind_double(select, 3, n);
    sqlite3_bind_int64(select, 4, p);
    sqlite3_bind_double(select, 5, before);
    code = sqlite3_step(select);
    *trace = (struct rc_stored_trace){0};
    if (code == SQLITE_ROW)
        *trace = (struct rc_stored_trace){.id = sqlite3_column_int64(select, 0),
                                          .run_id = sqlite3_column_int64(select, 1),
                                          .path = strdup(rc_db_column_text(select, 2)),
                                          .made = sqlite3_column_double(select, 3),
                                          .seconds = sqlite3_column_double(select, 4)};
    else if (code != SQLITE_DONE)
        rc_db_error(store, error);
    sqlite3_finalize(select);
    if (code == SQLITE_ROW && !trace->path)
        return rc_error_no_memory(error);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
}
