// SPDX-License-Identifier: GPL-3.0-or-later
/* internal.h - declarations that the files of this folder share. */
#ifndef RC_DB_INTERNAL_H
#define RC_DB_INTERNAL_H

#include <stdbool.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "runcast.h"

struct rc_db {
    sqlite3 *db;
    char *path;
    enum rc_db_mode mode;
    const struct rc_monitor *monitor; /* or NULL */
    struct rc_clock *clock;
    double waiting_since; /* for the busy handler */
    bool unshared;        /* read without taking part in SQLite's locking */
    struct stat unshared_before;
    bool pulse; /* single statements may take long: report that they continue */
};

/* Makes an error of the last SQLite error of this database; returns -1. */
int rc_db_error(struct rc_db *store, struct rc_error *error);

/* At the end of a reading: -1 if the database could not be shared with writers, and has changed. */
int rc_db_stood_still(struct rc_db *store, struct rc_error *error);

/* The busy handler, which SQLite calls while another process has the lock; 0 gives up.  It only
 * gives up when the user does: a writer that takes long is no reason for the next one to fail. */
int rc_db_wait(void *store, int attempts);

/* Write transactions. begin waits for other writers. end commits if `status` is 0 and rolls back
 * otherwise; it returns -1 if `status` was not 0 or committing failed. */
int rc_db_begin(struct rc_db *store, struct rc_error *error);
/* Gives up after `patience` seconds. */
int rc_db_begin_within(struct rc_db *store, double patience, struct rc_error *error);
int rc_db_end(struct rc_db *store, int status, struct rc_error *error);

/* Prepares a statement; NULL with `error` set on failure.  Finalise with sqlite3_finalize(). */
sqlite3_stmt *rc_db_prepare(struct rc_db *store, const char *sql, struct rc_error *error);

/* Binds values to the parameters of a statement, from the first on. `types` has a letter for each:
 * i int, I int64_t, f double (NAN is stored as NULL), s text (const char *, NULL is stored as
 * NULL), t text ("" is also stored as NULL). Texts must outlive the statement. Values without a
 * parameter are ignored. */
void rc_db_bind(sqlite3_stmt *statement, const char *types, ...);
/* rc_db_prepare() and rc_db_bind(). */
sqlite3_stmt *rc_db_query(struct rc_db *store, struct rc_error *error, const char *sql,
                          const char *types, ...);
/* The same for a statement that runs once, and has no rows to read. */
int rc_db_execute(struct rc_db *store, struct rc_error *error, const char *sql, const char *types,
                  ...);

/* 1: the next row is there; 0: there are no more; -1 with `error` set on failure. */
int rc_db_step(struct rc_db *store, sqlite3_stmt *statement, struct rc_error *error);
/* Runs a statement to its end and resets it; -1 with `error` set on failure. */
int rc_db_run(struct rc_db *store, sqlite3_stmt *statement, struct rc_error *error);
/* Runs several statements without parameters, which may wait for another writer. */
int rc_db_script(struct rc_db *store, const char *sql, struct rc_error *error);

/* The first column of the first row of a query without parameters, as an integer. */
int rc_db_integer(struct rc_db *store, const char *sql, int64_t *value, struct rc_error *error);

/* NULL is read as NAN, or as "". */
double rc_db_column_number(sqlite3_stmt *statement, int index);
const char *rc_db_column_text(sqlite3_stmt *statement, int index);

/* The id of a name in `app` or `platform`, which is added if it is new; remembered, so that the
 * next call with the same name is quick.  Start from zeros, end with rc_db_names_end(). */
struct rc_names {
    struct rc_db *store;
    const char *table;
    sqlite3_stmt *find, *add;
    struct rc_known_name *known;
};
int rc_db_names_begin(struct rc_names *names, struct rc_db *store, const char *table,
                      struct rc_error *error);
int rc_db_names_id(struct rc_names *names, const char *name, int64_t *id, struct rc_error *error);
void rc_db_names_end(struct rc_names *names);

#endif
