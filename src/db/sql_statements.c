// SPDX-License-Identifier: GPL-3.0-or-later
/* sql_statements.c - statements and transactions: waiting for other writers, and saying what went
 * wrong.
 *
 * Readers see the state of the last commit (WAL), writers queue for the one write lock. */
#include "db/internal.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>

#include "base/error.h"
#include "base/progress_monitor.h"

/* ---- errors ---- */

int rc_db_stood_still(struct rc_db *store, struct rc_error *error)
{
    const struct stat *before = &store->unshared_before;
    struct stat now;

    if (!store->unshared)
        return 0;
    if (stat(store->path, &now) == 0 && now.st_size == before->st_size &&
        now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == before->st_mtim.tv_nsec)
        return 0;
    rc_error_set(error, "another process changed the database during the read");
    return rc_error_hint(error,
                         "try again; with write access to the directory, readers and writers "
                         "do not block one another");
}

static int disk_full(const struct rc_db *store, struct rc_error *error)
{
    rc_error_set(error, "the disk is full; nothing was stored");
    return rc_error_hint(error, "free space on the disk of %s and try again", store->path);
}

static int describe(struct rc_db *store, struct rc_error *error)
{
    int code = sqlite3_extended_errcode(store->db), system_error;

    switch (code & 0xff) {
    case SQLITE_FULL:
        return disk_full(store, error);
    case SQLITE_READONLY:
        rc_error_set(error, "the database is read-only");
        return rc_error_code(error, "db.read-only", "%s", store->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (code == SQLITE_BUSY_SNAPSHOT)
            return rc_error_set(error,
                                "the database changed since the cursor was opened; close the "
                                "cursor before writing");
        if (rc_progress_monitor_cancelled(store->monitor))
            return rc_error_set(error, "interrupted while waiting for another writer");
        return rc_error_set(error, "another process has locked the database");
    case SQLITE_NOTADB:
        rc_error_set(error, "not a runcast database (not an SQLite file)");
        return rc_error_code(error, "db.not-ours", NULL);
    case SQLITE_CORRUPT:
        if (store->unshared && rc_db_stood_still(store, error))
            return -1;
        rc_error_set(error, "the database is damaged: %s", sqlite3_errmsg(store->db));
        return rc_error_code(error, "db.damaged", NULL);
    case SQLITE_INTERRUPT:
        return rc_error_set(error, "interrupted; nothing changed");
    case SQLITE_NOMEM:
        return rc_error_no_memory(error);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        system_error = sqlite3_system_errno(store->db);
        if (system_error == ENOSPC || system_error == EDQUOT)
            return disk_full(store, error);
        if (system_error)
            return rc_error_errno(error, system_error, "%s", sqlite3_errmsg(store->db));
    }
    return rc_error_set(error, "%s", sqlite3_errmsg(store->db));
}

int rc_db_error(struct rc_db *store, struct rc_error *error)
{
    describe(store, error);
    return rc_error_system(error);
}

/* ---- waiting ---- */

int rc_db_wait(void *data, int attempts)
{
    struct rc_db *store = data;
    double now = store->clock->monotonic(store->clock);
    double pause = 0.001 * (1 << (attempts < 5 ? attempts : 5));

    if (attempts == 0)
        store->waiting_since = now;
    if (rc_progress_monitor_cancelled(store->monitor))
        return 0;
    if (store->monitor && store->monitor->waiting && now - store->waiting_since > 1)
        store->monitor->waiting(store->monitor->data, now - store->waiting_since);
    store->clock->sleep(store->clock, pause);
    return 1;
}

/* SQLite does not call the handler if it sees a deadlock, or while a journal mode changes; then the
 * statement is repeated. True if that makes sense. */
static bool try_again(struct rc_db *store, int *attempts)
{
    int code = sqlite3_extended_errcode(store->db);

    /* This process itself reads a state that is no longer the last one: waiting does not help. */
    if (code == SQLITE_BUSY_SNAPSHOT)
        return false;
    return (code & 0xff) == SQLITE_BUSY && rc_db_wait(store, (*attempts)++);
}

int rc_db_script(struct rc_db *store, const char *sql, struct rc_error *error)
{
    int attempts = 0;

    while (sqlite3_exec(store->db, sql, NULL, NULL, NULL))
        if (!try_again(store, &attempts))
            return rc_db_error(store, error);
    return 0;
}

/* ---- statements ---- */

sqlite3_stmt *rc_db_prepare(struct rc_db *store, const char *sql, struct rc_error *error)
{
    sqlite3_stmt *statement = NULL;
    int attempts = 0;

    while (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL))
        if (!try_again(store, &attempts)) {
            rc_db_error(store, error);
            return NULL;
        }
    return statement;
}

static void bind(sqlite3_stmt *statement, const char *types, va_list values)
{
    for (int i = 1; types[i - 1]; i++) {
        const char *text;

        switch (types[i - 1]) {
        case 'i':
            sqlite3_bind_int(statement, i, va_arg(values, int));
            break;
        case 'I':
            sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
            break;
        case 'f':
            sqlite3_bind_double(statement, i, va_arg(values, double)); /* NULL for NAN */
            break;
        default:
            assert(types[i - 1] == 's' || types[i - 1] == 't');
            text = va_arg(values, const char *);
            sqlite3_bind_text(statement, i, types[i - 1] == 't' && text && !*text ? NULL : text, -1,
                              SQLITE_STATIC);
        }
    }
}

void rc_db_bind(sqlite3_stmt *statement, const char *types, ...)
{
    va_list values;

    va_start(values, types);
    bind(statement, types, values);
    va_end(values);
}

sqlite3_stmt *rc_db_query(struct rc_db *store, struct rc_error *error, const char *sql,
                          const char *types, ...)
{
    sqlite3_stmt *statement = rc_db_prepare(store, sql, error);
    va_list values;

    va_start(values, types);
    if (statement)
        bind(statement, types, values);
    va_end(values);
    return statement;
}

int rc_db_execute(struct rc_db *store, struct rc_error *error, const char *sql, const char *types,
                  ...)
{
    sqlite3_stmt *statement = rc_db_prepare(store, sql, error);
    va_list values;
    int status;

    va_start(values, types);
    if (statement)
        bind(statement, types, values);
    va_end(values);
    status = statement ? rc_db_run(store, statement, error) : -1;
    sqlite3_finalize(statement);
    return status;
}

int rc_db_step(struct rc_db *store, sqlite3_stmt *statement, struct rc_error *error)
{
    int code = sqlite3_step(statement);

    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : rc_db_error(store, error);
}

int rc_db_run(struct rc_db *store, sqlite3_stmt *statement, struct rc_error *error)
{
    int got;

    while ((got = rc_db_step(store, statement, error)) > 0)
        ;
    sqlite3_reset(statement);
    return got;
}

int rc_db_integer(struct rc_db *store, const char *sql, int64_t *value, struct rc_error *error)
{
    sqlite3_stmt *statement = rc_db_prepare(store, sql, error);
    int code, attempts = 0;

    if (!statement)
        return -1;
    while ((code = sqlite3_step(statement)) != SQLITE_ROW && try_again(store, &attempts))
        sqlite3_reset(statement);
    *value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    if (code != SQLITE_ROW)
        rc_db_error(store, error);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? 0 : -1;
}

double rc_db_column_number(sqlite3_stmt *statement, int index)
{
    return sqlite3_column_type(statement, index) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(statement, index);
}

const char *rc_db_column_text(sqlite3_stmt *statement, int index)
{
    const unsigned char *text = sqlite3_column_text(statement, index);

    return text ? (const char *)text : "";
}

/* ---- transactions ---- */

int rc_db_hold(struct rc_db *store, struct rc_error *error)
{
    int64_t unused;

    if (rc_db_script(store, "BEGIN", error))
        return -1;
    /* The state is fixed by the first reading. */
    return rc_db_integer(store, "SELECT count(*) FROM sequence", &unused, error)
               ? (rc_db_release(store), -1)
               : 0;
}

void rc_db_release(struct rc_db *store)
{
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

int rc_db_begin(struct rc_db *store, struct rc_error *error)
{
    if (store->mode == RC_DB_READ)
        return rc_error_set(error, "the database was opened for reading only");
    if (!sqlite3_get_autocommit(store->db))
        return rc_error_set(error, "the database is held for reading");
    return rc_db_script(store, "BEGIN IMMEDIATE", error);
}

int rc_db_end(struct rc_db *store, int status, struct rc_error *error)
{
    if (status == 0 && sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    if (status == 0)
        rc_db_error(store, error);
    /* After some errors, SQLite has already rolled back. */
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}

/* Ends the wait for the lock: our patience, or the monitor of the database. */
struct waiting {
    const struct rc_monitor *outer;
    struct rc_clock *clock;
    double until;
};

static int is_over(void *data)
{
    const struct waiting *waiting = data;

    return waiting->clock->monotonic(waiting->clock) >= waiting->until ||
           rc_progress_monitor_cancelled(waiting->outer);
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
    /* Any end of the wait counts as a cancellation by the user. */
    if ((sqlite3_errcode(store->db) & 0xff) == SQLITE_BUSY &&
        !rc_progress_monitor_cancelled(waiting.outer))
        return rc_error_set(error, "another process has locked the database");
    if (error)
        *error = busy;
    return -1;
}
