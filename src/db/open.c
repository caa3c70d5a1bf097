// SPDX-License-Identifier: GPL-3.0-or-later
/* open.c - opens databases.
 *
 * A file is checked before anything is written to it: foreign files do not change. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "db/internal.h"
#include "db/schema.h"

/* Properties of the open file. */
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

/* The same outside of a transaction. All must be read at one moment: another process may be making
 * the database. */
static int identify_alone(struct rc_db *store, struct identity *is, struct rc_error *error)
{
    int status = rc_db_script(store, "BEGIN", error);

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
        rc_error_set(error, "an SQLite file, but not a runcast database");
        return rc_error_code(error, "db.not-ours", NULL);
    }
    if (is->version < 1)
        return rc_error_set(error, "unknown format %lld", (long long)is->version);
    if (is->version > schema->version) {
        rc_error_set(error, "written by a newer runcast (format %lld; this version knows %d)",
                     (long long)is->version, schema->version);
        return rc_error_code(error, "db.newer-format", NULL);
    }
    return 0;
}

/* Makes or migrates the tables. Another process may do the same now, so the version is read again
 * once the write lock is held. */
static int bring_up_to_date(struct rc_db *store, const struct rc_schema *schema,
                            struct rc_error *error)
{
    struct identity is;
    int status;

    if (rc_db_script(store, "PRAGMA journal_mode = WAL", error) || rc_db_begin(store, error))
        return -1;
    status = identify(store, &is, error);
    if (status == 0 && !is_empty(&is))
        status = refuse_foreign(&is, schema, error);
    if (status == 0 && is.version < schema->version)
        status = rc_db_schema_migrate(store->db, schema, (int)is.version, error);
    return rc_db_end(store, status, error);
}

/* Called by SQLite now and then during a statement; other than 0 stops it. */
static int heartbeat(void *data)
{
    struct rc_db *store = data;

    if (store->pulse)
        rc_progress_monitor_advance(store->monitor, 0, 0);
    return rc_progress_monitor_cancelled(store->monitor);
}

static int open_file(struct rc_db *store, const char *uri, int flags, struct rc_error *error)
{
    int code =
        sqlite3_open_v2(uri, &store->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);

    if (!store->db)
        return rc_error_no_memory(error);
    if (code)
        return rc_db_error(store, error);
    sqlite3_busy_handler(store->db, rc_db_wait, store);
    sqlite3_progress_handler(store->db, 100000, heartbeat, store);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (store->mode == RC_DB_READ && rc_db_script(store, "PRAGMA query_only = ON", error))
        return -1;
    return rc_db_script(store,
                        "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                        "PRAGMA cache_size = -16384; PRAGMA trusted_schema = OFF;"
                        "PRAGMA journal_size_limit = 0;",
                        error);
}

/* ---- reading without taking part ---- */

/* In a directory without write access, SQLite cannot share a database with writers. If no writer
 * has left a log, it can be read as it is; rc_db_stood_still() checks at the end whether it has
 * changed. */

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
        rc_error_set(error, "a writer uses the database or left a log; without write access to the "
                            "directory, it cannot be read now");
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

/* The reason why a new file could not be made, which SQLite does not report. */
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

/* The file is never opened here: closing it would drop the locks that SQLite holds on it in this
 * process (fcntl(2)), and with them the log of another writer. */
static int look_at_file(const char *path, enum rc_db_mode mode, struct rc_error *error)
{
    struct stat info;

    if (stat(path, &info)) {
        if (errno != ENOENT)
            return rc_error_errno(error, errno, "cannot read its attributes");
        if (mode == RC_DB_CREATE)
            return look_at_directory(path, error);
        rc_error_set(error, "no database yet");
        return rc_error_code(error, "db.none", NULL);
    }
    return S_ISREG(info.st_mode) ? 0 : rc_error_set(error, "not a file");
}

static int upgrade_for_reader(const char *path, const struct rc_monitor *monitor,
                              struct rc_error *error)
{
    struct rc_db *writer = rc_db_open(path, RC_DB_WRITE, monitor, error);

    rc_db_close(writer);
    return writer ? 0 : -1;
}

/* An empty file may be a new database that another process is making. */
static int await_maker(struct rc_db *store, struct identity *is, struct rc_error *error)
{
    const double patience = 2, pause = 0.02; /* seconds */
    double begun = store->clock->monotonic(store->clock);
    struct stat info;
    int status = 0;

    if (stat(store->path, &info) ||
        store->clock->wall(store->clock) - (double)info.st_ctim.tv_sec > patience + 1)
        return 0;
    while (status == 0 && is_empty(is) && !rc_progress_monitor_cancelled(store->monitor) &&
           store->clock->monotonic(store->clock) - begun < patience) {
        store->clock->sleep(store->clock, pause);
        status = identify_alone(store, is, error);
    }
    return status;
}

static int open_and_check(struct rc_db *store, struct rc_error *error)
{
    static const int flags[] = {
        /* If possible, a reader opens the file as a writer does: the last process to close a
         * database then also removes its log. SQLite falls back to reading. */
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
        rc_error_set(error, "empty file, not a database");
        return rc_error_code(error, "db.empty", NULL);
    }
    if (refuse_foreign(&is, schema, error))
        return -1;
    if (is.version == schema->version)
        /* VACUUM INTO and the like make copies that are not in WAL mode. */
        return store->mode == RC_DB_READ ? 0
                                         : rc_db_script(store, "PRAGMA journal_mode = WAL", error);
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
