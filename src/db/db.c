// SPDX-License-Identifier: GPL-3.0-or-later
/* store.c - opening a store, waiting for its other writers, and saying what went wrong.
 *
 * A file is looked at before anything is written to it: a file that is not ours stays as it is.
 * Readers see the state of the last commit (WAL), writers queue for the one write lock. */
#include "db/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/monitor.h"
#include "db/schema.h"

/* ---- errors ---- */

static int describe(struct rc_db *store, struct rc_error *error)
{
    int code = sqlite3_extended_errcode(store->db), system_error;

    switch (code & 0xff) {
    case SQLITE_FULL:
        rc_error_set(error, "the disk is full; nothing was stored");
        return rc_error_hint(error, "make room on the disk of %s, and try again", store->path);
    case SQLITE_READONLY:
        rc_error_set(error, "the store is read-only");
        return rc_error_code(error, "db.read-only", "%s", store->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (code == SQLITE_BUSY_SNAPSHOT)
            return rc_error_set(error, "the store was changed since this walk over it began; end "
                                       "the walk before writing");
        if (rc_monitor_cancelled(store->monitor))
            return rc_error_set(error, "interrupted while waiting for another writer");
        return rc_error_set(error, "another process keeps the store locked");
    case SQLITE_NOTADB:
        rc_error_set(error, "it is not a store of runcast's (not an SQLite file)");
        return rc_error_code(error, "db.not-ours", NULL);
    case SQLITE_CORRUPT:
        if (store->unshared && rc_db_stood_still(store, error))
            return -1;
        rc_error_set(error, "the store is damaged: %s", sqlite3_errmsg(store->db));
        return rc_error_code(error, "db.damaged", NULL);
    case SQLITE_INTERRUPT:
        return rc_error_set(error, "interrupted; nothing was changed");
    case SQLITE_NOMEM:
        return rc_error_no_memory(error);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        system_error = sqlite3_system_errno(store->db);
        if (system_error == ENOSPC || system_error == EDQUOT) {
            rc_error_set(error, "the disk is full; nothing was stored");
            return rc_error_hint(error, "make room on the disk of %s, and try again", store->path);
        }
        if (system_error)
            return rc_error_errno(error, system_error, "%s", sqlite3_errmsg(store->db));
        return rc_error_set(error, "%s", sqlite3_errmsg(store->db));
    default:
        return rc_error_set(error, "%s", sqlite3_errmsg(store->db));
    }
}

int rc_db_error(struct rc_db *store, struct rc_error *error)
{
    describe(store, error);
    return rc_error_system(error);
}

/* ---- waiting ---- */

/* Called by SQLite while another process has the lock; 0 gives up.  It only gives up when the user
 * does: a writer that takes long is no reason for the next one to fail. */
static int wait_for_lock(void *data, int attempts)
{
    struct rc_db *store = data;
    double now = store->clock->monotonic(store->clock);
    double pause = 0.001 * (1 << (attempts < 5 ? attempts : 5));

    if (attempts == 0)
        store->waiting_since = now;
    if (rc_monitor_cancelled(store->monitor))
        return 0;
    if (store->monitor && store->monitor->waiting && now - store->waiting_since > 1)
        store->monitor->waiting(store->monitor->data, now - store->waiting_since);
    store->clock->sleep(store->clock, pause);
    return 1;
}

/* SQLite does not call the handler where it sees a deadlock, or while a journal mode changes; then
 * the statement is to be tried again.  True where it is worth it. */
static bool try_again(struct rc_db *store, int *attempts)
{
    int code = sqlite3_extended_errcode(store->db);

    /* This process itself reads a state that is no longer the last one: waiting does not help. */
    if (code == SQLITE_BUSY_SNAPSHOT)
        return false;
    return (code & 0xff) == SQLITE_BUSY && wait_for_lock(store, (*attempts)++);
}

static int execute(struct rc_db *store, const char *sql, struct rc_error *error)
{
    int attempts = 0;

    while (sqlite3_exec(store->db, sql, NULL, NULL, NULL))
        if (!try_again(store, &attempts))
            return rc_db_error(store, error);
    return 0;
}

/* Called by SQLite now and then during a statement; other than 0 stops it. */
static int heartbeat(void *data)
{
    struct rc_db *store = data;

    if (store->pulse)
        rc_monitor_advance(store->monitor, 0, 0);
    return rc_monitor_cancelled(store->monitor);
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

int rc_db_run(struct rc_db *store, sqlite3_stmt *statement, struct rc_error *error)
{
    int code;

    do
        code = sqlite3_step(statement);
    while (code == SQLITE_ROW);
    if (code != SQLITE_DONE)
        rc_db_error(store, error);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : -1;
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

int rc_db_bind_number(sqlite3_stmt *statement, int index, double value)
{
    return isnan(value) ? sqlite3_bind_null(statement, index)
                        : sqlite3_bind_double(statement, index, value);
}

int rc_db_bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    return text && *text ? sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC)
                         : sqlite3_bind_null(statement, index);
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

    if (execute(store, "BEGIN", error))
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
        return rc_error_set(error, "the store was opened for reading only");
    if (!sqlite3_get_autocommit(store->db))
        return rc_error_set(error, "the store is held for reading");
    return execute(store, "BEGIN IMMEDIATE", error);
}

int rc_db_end(struct rc_db *store, int status, struct rc_error *error)
{
    if (status == 0 && sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    if (status == 0)
        rc_db_error(store, error);
    /* After some errors SQLite has rolled back by itself. */
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}

/* ---- opening ---- */

/* What SQLite says of the file, once it is open. */
struct identity {
    int64_t application, version, objects;
};

static int identify(struct rc_db *store, struct identity *is, struct rc_error *error)
{
    return rc_db_integer(store, "PRAGMA application_id", &is->application, error) ||
                   rc_db_integer(store, "PRAGMA user_version", &is->version, error) ||
                   rc_db_integer(store, "SELECT count(*) FROM sqlite_schema", &is->objects, error)
               ? -1
               : 0;
}

/* The same outside of a transaction.  All must be read at one moment: another process may be just
 * about to make the store. */
static int identify_alone(struct rc_db *store, struct identity *is, struct rc_error *error)
{
    int status = execute(store, "BEGIN", error);

    if (status == 0) {
        status = identify(store, is, error);
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

static bool is_empty(const struct identity *is)
{
    return is->application == 0 && is->version == 0 && is->objects == 0;
}

static int refuse_foreign(const struct identity *is, const struct rc_schema *schema,
                          struct rc_error *error)
{
    if (is->application != RC_SCHEMA_APPLICATION_ID) {
        rc_error_set(error, "it is an SQLite file, but not a store of runcast's");
        return rc_error_code(error, "db.not-ours", NULL);
    }
    if (is->version < 1)
        return rc_error_set(error, "it has a format that there never was (%lld)",
                            (long long)is->version);
    if (is->version > schema->version) {
        rc_error_set(error, "it was written by a newer runcast (format %lld; this one knows %d)",
                     (long long)is->version, schema->version);
        return rc_error_code(error, "db.newer-format", NULL);
    }
    return 0;
}

/* Makes or upgrades the tables.  Another process may do the same at this moment, so the question
 * is asked again once the write lock is held. */
static int bring_up_to_date(struct rc_db *store, const struct rc_schema *schema,
                            struct rc_error *error)
{
    struct identity is;
    int status;

    if (execute(store, "PRAGMA journal_mode = WAL", error) || rc_db_begin(store, error))
        return -1;
    status = identify(store, &is, error);
    if (status == 0 && !is_empty(&is))
        status = refuse_foreign(&is, schema, error);
    if (status == 0 && is.version < schema->version)
        status = rc_db_schema_migrate(store->db, schema, (int)is.version, error);
    return rc_db_end(store, status, error);
}

static int open_file(struct rc_db *store, const char *uri, int flags, struct rc_error *error)
{
    int code =
        sqlite3_open_v2(uri, &store->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);

    if (!store->db)
        return rc_error_no_memory(error);
    if (code)
        return rc_db_error(store, error);
    sqlite3_busy_handler(store->db, wait_for_lock, store);
    sqlite3_progress_handler(store->db, 100000, heartbeat, store);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (store->mode == RC_DB_READ && execute(store, "PRAGMA query_only = ON", error))
        return -1;
    return execute(store,
                   "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                   "PRAGMA cache_size = -16384; PRAGMA trusted_schema = OFF;"
                   "PRAGMA journal_size_limit = 0;",
                   error);
}

/* ---- reading without taking part ---- */

/* In a directory that this user cannot write to, SQLite cannot share a store with writers.  Where
 * no writer has left a log it can be read as it stands; whether it stood still is asked at the end
 * (rc_db_stood_still). */

static bool has_log(const char *path)
{
    static const char *const ends[] = {"-wal", "-journal"};
    bool found = false;

    for (size_t i = 0; i < 2; i++) {
        char *log = sqlite3_mprintf("%s%s", path, ends[i]);

        found |= !log || access(log, F_OK) == 0;
        sqlite3_free(log);
    }
    return found;
}

/* "file:///…?immutable=1"; free it. */
static char *immutable_uri(const char *path)
{
    char *uri = malloc(3 * strlen(path) + sizeof "file://?immutable=1"), *at;

    if (!uri)
        return NULL;
    at = uri + sprintf(uri, "file://");
    for (const char *c = path; *c; c++)
        at += strchr("%?#", *c) ? sprintf(at, "%%%02X", (unsigned char)*c) : sprintf(at, "%c", *c);
    strcpy(at, "?immutable=1");
    return uri;
}

static int open_unshared(struct rc_db *store, struct identity *is, struct rc_error *error)
{
    int code = sqlite3_errcode(store->db) & 0xff, status = -1;
    char *path, *uri;

    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)
        return -1;
    path = realpath(store->path, NULL); /* SQLite's own files are beside the real one */
    uri = path && !has_log(path) ? immutable_uri(path) : NULL;
    if (path && !uri) {
        rc_error_set(error,
                     "a writer is at work on it, or left a log behind, and without the right "
                     "to write to its directory it cannot be read now");
        rc_error_code(error, "db.log-left", NULL);
    }
    if (uri && stat(path, &store->unshared_before) == 0) {
        sqlite3_close(store->db);
        store->db = NULL;
        store->unshared = true;
        if (open_file(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error) == 0)
            status = identify_alone(store, is, error);
    }
    free(uri);
    free(path);
    return status;
}

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
    rc_error_set(error, "the store was changed by somebody else while it was read");
    return rc_error_hint(error, "try again; with the right to write to its directory, readers and "
                                "writers do not hinder one another");
}

/* Why a file that is not there yet could not be made, if it could not: SQLite does not say. */
static int look_at_directory(const char *path, struct rc_error *error)
{
    const char *slash = strrchr(path, '/');
    char *directory =
        slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    int status = 0;

    if (!directory)
        return rc_error_no_memory(error);
    if (access(directory, F_OK)) {
        rc_error_errno(error, errno, "cannot make a file in %s", directory);
        status = rc_error_code(error, "db.no-directory", NULL);
    } else if (access(directory, W_OK | X_OK)) {
        rc_error_errno(error, errno, "cannot make a file in %s", directory);
        status = rc_error_code(error, "db.directory-read-only", NULL);
    }
    free(directory);
    return status;
}

/* The file itself is never opened here: closing it again would drop the locks that SQLite holds on
 * it in this process (fcntl(2)), and with them the log of another writer. */
static int look_at_file(const char *path, enum rc_db_mode mode, struct rc_error *error)
{
    struct stat info;

    if (stat(path, &info)) {
        if (errno != ENOENT)
            return rc_error_errno(error, errno, "cannot look at it");
        if (mode == RC_DB_CREATE)
            return look_at_directory(path, error);
        rc_error_set(error, "there is no store yet");
        return rc_error_code(error, "db.none", NULL);
    }
    return S_ISREG(info.st_mode) ? 0 : rc_error_set(error, "it is not a file");
}

static int upgrade_for_reader(const char *path, const struct rc_monitor *monitor,
                              struct rc_error *error)
{
    struct rc_db *writer = rc_db_open(path, RC_DB_WRITE, monitor, error);

    rc_db_close(writer);
    return writer ? 0 : -1;
}

/* A file that was made just now, and is empty, will be a store in a moment: another process is
 * making it. */
static int await_maker(struct rc_db *store, struct identity *is, struct rc_error *error)
{
    const double patience = 2, pause = 0.02; /* seconds */
    double begun = store->clock->monotonic(store->clock);
    struct stat info;
    int status = 0;

    if (stat(store->path, &info) ||
        store->clock->wall(store->clock) - (double)info.st_ctim.tv_sec > patience + 1)
        return 0;
    while (status == 0 && is_empty(is) && !rc_monitor_cancelled(store->monitor) &&
           store->clock->monotonic(store->clock) - begun < patience) {
        store->clock->sleep(store->clock, pause);
        status = identify_alone(store, is, error);
    }
    return status;
}

static int open_and_check(struct rc_db *store, struct rc_error *error)
{
    static const int flags[] = {
        /* Where it may, a reader opens the file as a writer would: the last one to close a store
         * then also removes the log beside it.  SQLite turns to reading by itself if it must. */
        [RC_DB_READ] = SQLITE_OPEN_READWRITE,
        [RC_DB_WRITE] = SQLITE_OPEN_READWRITE,
        [RC_DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
    };
    const struct rc_schema *schema = rc_db_schema_current();
    struct identity is;

    if (look_at_file(store->path, store->mode, error))
        return -1;
    if ((open_file(store, store->path, flags[store->mode], error) ||
         identify_alone(store, &is, error)) &&
        (store->mode != RC_DB_READ || open_unshared(store, &is, error)))
        return -1;
    if (is_empty(&is) && store->mode == RC_DB_CREATE)
        return bring_up_to_date(store, schema, error);
    if (is_empty(&is) && await_maker(store, &is, error))
        return -1;
    if (is_empty(&is)) {
        rc_error_set(error, "the file is empty: there is no store in it yet");
        return rc_error_code(error, "db.empty", NULL);
    }
    if (refuse_foreign(&is, schema, error))
        return -1;
    if (is.version == schema->version)
        /* VACUUM INTO and the like make copies that are not in WAL mode. */
        return store->mode == RC_DB_READ ? 0 : execute(store, "PRAGMA journal_mode = WAL", error);
    return store->mode == RC_DB_READ ? upgrade_for_reader(store->path, store->monitor, error)
                                     : bring_up_to_date(store, schema, error);
}

static char *in_this_directory(const char *path)
{
    char *whole = malloc(strlen(path) + 3);

    if (whole)
        sprintf(whole, "./%s", path);
    return whole;
}

struct rc_db *rc_db_open(const char *path, enum rc_db_mode mode, const struct rc_monitor *monitor,
                         struct rc_error *error)
{
    struct rc_db *store = calloc(1, sizeof *store);

    if (store) /* ":memory:" is a file like any other */
        store->path = path[0] == ':' ? in_this_directory(path) : strdup(path);
    if (!store || !store->path) {
        free(store);
        rc_error_no_memory(error);
        return NULL;
    }
    store->mode = mode;
    store->monitor = monitor;
    store->clock = rc_clock_system();
    if (open_and_check(store, error)) {
        rc_db_close(store);
        return NULL;
    }
    return store;
}

void rc_db_close(struct rc_db *store)
{
    if (!store)
        return;
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}
