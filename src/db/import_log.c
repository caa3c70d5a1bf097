// SPDX-License-Identifier: GPL-3.0-or-later
/* import_log.c - the list of imports. */
#include "db/import_log.h"

int rc_db_import_find(struct rc_db *store, const char *digest, struct rc_db_run_import *import,
                      struct rc_error *error)
{
    sqlite3_stmt *find =
        rc_db_query(store, error, "SELECT id, at, deleted FROM import WHERE digest = ?", "s",
                    digest);
    int found = find ? rc_db_step(store, find, error) : -1;

    if (found > 0) {
        import->known = 1;
        import->id = sqlite3_column_int64(find, 0);
        import->known_since = sqlite3_column_double(find, 1);
        import->deleted = (uint64_t)sqlite3_column_int64(find, 2);
    }
    sqlite3_finalize(find);
    return found;
}

int rc_db_import_add(struct rc_db *store, const char *digest, const char *name,
                     struct rc_db_run_import *import, struct rc_error *error)
{
    /* The number is used up, even if the import fails. */
    if (rc_db_integer(store,
                      "UPDATE sequence SET next = next + 1 WHERE name = 'import'"
                      " RETURNING next - 1",
                      &import->id, error))
        return -1;
    return rc_db_execute(store, error,
                         "INSERT INTO import (id, digest, source, at, rows, skipped)"
                         " VALUES (?, ?, ?, ?, 0, 0)",
                         "Issf", import->id, digest, name, store->clock->wall(store->clock));
}

int rc_db_import_count_repeated(struct rc_db *store, int64_t first, struct rc_db_run_import *import,
                                struct rc_error *error)
{
    /* SQLite reads the runs before `first` once, into a temporary index; of a small import, only
     * those of similar size. */
    sqlite3_stmt *count = rc_db_query(
        store, error,
        "SELECT count(*) FROM run WHERE id >= ?1 AND (app_id, n, p, seconds, ifnull(start, '')) IN"
        " (SELECT app_id, n, p, seconds, ifnull(start, '') FROM run"
        "  WHERE id < ?1 AND id >= ?1 - ?2 AND n BETWEEN (SELECT min(n) FROM run WHERE id >= ?1)"
        "   AND (SELECT max(n) FROM run WHERE id >= ?1))",
        "II", first, (int64_t)RC_REPEATED_AMONG);
    int got = count ? rc_db_step(store, count, error) : -1;

    if (got > 0)
        import->repeated = (uint64_t)sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    return got < 0 ? -1 : 0;
}

int rc_db_import_finish(struct rc_db *store, const struct rc_db_run_import *import,
                        struct rc_error *error)
{
    return rc_db_execute(store, error,
                         import->added ? "UPDATE import SET rows = ?2, skipped = ?3 WHERE id = ?1"
                                       : "DELETE FROM import WHERE id = ?1",
                         "III", import->id, (int64_t)import->added, (int64_t)import->skipped);
}
