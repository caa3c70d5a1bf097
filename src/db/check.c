// SPDX-License-Identifier: GPL-3.0-or-later
/* check.c - checks the consistency of a database. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "db/internal.h"
#include "db/schema.h"

struct checking {
    struct rc_db *store;
    const struct rc_monitor *monitor;
    void (*fault)(void *data, const char *text);
    void *data;
    uint64_t n_faults;
};

static void report(struct checking *c, const char *text)
{
    c->n_faults++;
    if (c->fault)
        c->fault(c->data, text);
}

/* Runs a query whose every row, made into one text, is a fault. */
static int check_query(struct checking *c, const char *sql, struct rc_error *error)
{
    sqlite3_stmt *select = rc_db_prepare(c->store, sql, error);
    char text[512];
    int code;

    if (!select)
        return -1;
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        snprintf(text, sizeof text, "%s", rc_db_column_text(select, 0));
        if (strcmp(text, "ok") != 0) /* the result of the SQLite check without faults */
            report(c, text);
    }
    if (code == SQLITE_CORRUPT || (code & 0xff) == SQLITE_CORRUPT)
        report(c, sqlite3_errmsg(c->store->db));
    else if (code != SQLITE_DONE)
        rc_db_error(c->store, error);
    sqlite3_finalize(select);
    return code == SQLITE_DONE || (code & 0xff) == SQLITE_CORRUPT ? 0 : -1;
}

/* Conditions that SQLite does not check (it checks types, NOT NULL, CHECK, UNIQUE). */
static const char *const invariants[] = {
    "PRAGMA integrity_check(20)",
    "SELECT 'row ' || rowid || ' of ' || \"table\" || ' refers to a missing row of ' || parent"
    " FROM pragma_foreign_key_check LIMIT 20",
    "SELECT 'import ' || import.id || ' (' || source || ') added ' || rows || ' runs and ' ||"
    " deleted || ' were deleted, but the database has ' || coalesce(c, 0) FROM import LEFT JOIN"
    " (SELECT import_id, count(*) AS c FROM run WHERE import_id IS NOT NULL GROUP BY import_id)"
    " ON import_id = import.id WHERE coalesce(c, 0) <> rows - deleted LIMIT 20",
    "SELECT 'run ' || id || ' has a number that is not assigned yet' FROM run"
    " WHERE id >= (SELECT next FROM sequence WHERE name = 'run') LIMIT 1",
    "SELECT 'run ' || id || ' belongs to import ' || import_id || ', which is missing' FROM run"
    " WHERE import_id IS NOT NULL AND import_id NOT IN (SELECT id FROM import) LIMIT 20",
    "SELECT 'the parameters of run ' || id || ' are not a JSON object' FROM run"
    " WHERE params IS NOT NULL AND NOT (json_valid(params) AND json_type(params) = 'object')"
    " LIMIT 20",
    "SELECT 'parameter ' || key || ' of run ' || run.id || ' is not a number' FROM run,"
    " json_each(run.params) AS j WHERE params IS NOT NULL AND json_valid(params)"
    " AND j.type NOT IN ('integer', 'real') LIMIT 20",
    "SELECT 'the metadata of run ' || id || ' are not a JSON object' FROM run"
    " WHERE meta IS NOT NULL AND NOT (json_valid(meta) AND json_type(meta) = 'object') LIMIT 20",
    "SELECT 'metadata ' || key || ' of run ' || run.id || ' is not text' FROM run,"
    " json_each(run.meta) AS j WHERE meta IS NOT NULL AND json_valid(meta) AND j.type <> 'text'"
    " LIMIT 20",
    "SELECT 'run ' || id || ' has an infinite number' FROM run WHERE"
    " 9e999 IN (n, seconds, memory, bw_minavg, bw_avgmin, bytes_read, bytes_written)"
    " OR abs(start) = 9e999 LIMIT 20",
    "SELECT 'model ' || id || ' is not JSON' FROM model WHERE NOT json_valid(body)"
    " AND NOT (family = 'measured' AND format = 1) LIMIT 20",
    /* The first format of measured inputs was a part of a model file. */
    "SELECT 'model ' || id || ' is not a list of measured inputs' FROM model WHERE"
    " family = 'measured' AND format = 1 AND ltrim(body, char(10)) NOT LIKE 'on %'"
    " AND ltrim(body, char(10)) NOT LIKE 'input %' LIMIT 20",
    "SELECT 'prediction ' || id || ' is not JSON' FROM prediction WHERE NOT json_valid(value)"
    " LIMIT 20",
    "SELECT 'app ' || id || ' has no name' FROM app WHERE name = ''",
    "SELECT 'series ' || id || ' (' || metric || ' of ' || host || ') counts ' || samples ||"
    " ' samples, but has ' || coalesce(c, 0) FROM series LEFT JOIN"
    " (SELECT series_id, count(*) AS c FROM sample GROUP BY series_id) ON series_id = id"
    " WHERE coalesce(c, 0) <> samples LIMIT 20",
    "SELECT 'series ' || series_id || ' has an infinite sample' FROM sample"
    " WHERE abs(value) = 9e999 OR abs(t) = 9e999 LIMIT 20",
};
enum { N_INVARIANTS = sizeof invariants / sizeof *invariants };

/* Compares the tables and indexes with those of a new database. */
static int check_tables(struct checking *c, struct rc_error *error)
{
    sqlite3 *fresh = NULL;
    sqlite3_stmt *want = NULL, *have = NULL;
    char text[200];
    int status = -1;

    if (sqlite3_open(":memory:", &fresh)) {
        rc_error_no_memory(error);
        goto out;
    }
    if (rc_db_schema_migrate(fresh, rc_db_schema_current(), 0, error))
        goto out;
    if (sqlite3_prepare_v2(fresh, "SELECT type, name, sql FROM sqlite_schema WHERE sql NOT NULL",
                           -1, &want, NULL)) {
        rc_error_set(error, "cannot read the schema of a new database");
        goto out;
    }
    have =
        rc_db_prepare(c->store, "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?", error);
    if (!have)
        goto out;
    while (sqlite3_step(want) == SQLITE_ROW) {
        sqlite3_bind_text(have, 1, rc_db_column_text(want, 0), -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(have, 2, rc_db_column_text(want, 1), -1, SQLITE_TRANSIENT);
        if (sqlite3_step(have) != SQLITE_ROW ||
            strcmp(rc_db_column_text(have, 0), rc_db_column_text(want, 2)) != 0) {
            snprintf(text, sizeof text, "%s %s is missing or changed", rc_db_column_text(want, 0),
                     rc_db_column_text(want, 1));
            report(c, text);
        }
        sqlite3_reset(have);
    }
    status = 0;
out:
    sqlite3_finalize(want);
    sqlite3_finalize(have);
    sqlite3_close(fresh);
    return status;
}

int rc_db_check(struct rc_db *store, const struct rc_monitor *monitor,
                void (*fault)(void *data, const char *text), void *data, uint64_t *n_faults,
                struct rc_error *error)
{
    struct checking c = {store, monitor, fault, data, 0};
    const struct rc_monitor *usual = store->monitor;
    size_t questions = N_INVARIANTS;
    int status;

    store->monitor = monitor;
    status = check_tables(&c, error);
    if (c.n_faults > 0)
        questions = 1; /* without the tables, the others would fail */
    for (size_t i = 0; i < questions && status == 0; i++) {
        rc_progress_monitor_advance(monitor, i, questions);
        status = rc_progress_monitor_check(monitor, error) || check_query(&c, invariants[i], error)
                     ? -1
                     : 0;
    }
    store->monitor = usual;
    if (status == 0)
        status = rc_db_stood_still(store, error);
    *n_faults = c.n_faults;
    return status;
}
