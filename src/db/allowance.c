// SPDX-License-Identifier: GPL-3.0-or-later
/* allowance.c - a bound on what all processes that share a store spend in any span of time. */
#include "db/allowance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "db/internal.h"

/* A correction that is still to be written. */
struct settlement {
    char *host, *peer, *metric;
    double at, amount;
};

struct rc_allowance {
    struct rc_db *store;
    sqlite3_stmt *find, *make, *look, *add, *change, *drop, *count;
    struct settlement *settlements;
    size_t n, capacity;
};

static int prepare(struct rc_allowance *allowance, struct rc_error *error)
{
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } wanted[] = {
        {&allowance->find, "SELECT id FROM series WHERE host = ? AND peer = ? AND metric = ?"},
        {&allowance->make, "INSERT INTO series (host, peer, metric) VALUES (?, ?, ?)"},
        {&allowance->look,
         "SELECT t, value FROM sample WHERE series_id = ? AND t > ? AND t < ? ORDER BY t"},
        {&allowance->add, "INSERT OR IGNORE INTO sample VALUES (?, ?, ?)"},
        {&allowance->change, "UPDATE sample SET value = ?3 WHERE series_id = ?1 AND t = ?2"},
        {&allowance->drop, "DELETE FROM sample WHERE series_id = ? AND t = ?"},
        {&allowance->count, "UPDATE series SET samples = samples + ?2 WHERE id = ?1"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!(*wanted[i].statement = rc_db_prepare(allowance->store, wanted[i].sql, error)))
            return -1;
    return 0;
}

struct rc_allowance *rc_db_allowance_create(struct rc_db *store, struct rc_error *error)
{
    struct rc_allowance *allowance = calloc(1, sizeof *allowance);

    if (!allowance) {
        rc_error_no_memory(error);
        return NULL;
    }
    allowance->store = store;
    if (prepare(allowance, error)) {
        rc_db_allowance_destroy(allowance);
        return NULL;
    }
    return allowance;
}

static void forget_settlements(struct rc_allowance *allowance)
{
    for (size_t i = 0; i < allowance->n; i++) {
        free(allowance->settlements[i].host);
        free(allowance->settlements[i].peer);
        free(allowance->settlements[i].metric);
    }
    allowance->n = 0;
}

void rc_db_allowance_destroy(struct rc_allowance *allowance)
{
    if (!allowance)
        return;
    sqlite3_finalize(allowance->find);
    sqlite3_finalize(allowance->make);
    sqlite3_finalize(allowance->look);
    sqlite3_finalize(allowance->add);
    sqlite3_finalize(allowance->change);
    sqlite3_finalize(allowance->drop);
    sqlite3_finalize(allowance->count);
    forget_settlements(allowance);
    free(allowance->settlements);
    free(allowance);
}

/* ---- rows ---- */

static void bind_key(sqlite3_stmt *statement, const struct rc_series_key *key)
{
    sqlite3_bind_text(statement, 1, key->host, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, key->peer, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, key->metric, -1, SQLITE_STATIC);
}

/* 1: `*id` is that of the series; 0: there is none. */
static int find_series(struct rc_allowance *allowance, const struct rc_series_key *key, int64_t *id,
                       struct rc_error *error)
{
    int code;

    bind_key(allowance->find, key);
    code = sqlite3_step(allowance->find);
    if (code == SQLITE_ROW)
        *id = sqlite3_column_int64(allowance->find, 0);
    else if (code != SQLITE_DONE)
        rc_db_error(allowance->store, error);
    sqlite3_reset(allowance->find);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
}

/* Runs a statement about one sample, and tells how many rows it changed. */
static int run(struct rc_allowance *allowance, sqlite3_stmt *statement, int64_t id, double t,
               double value, int *changed, struct rc_error *error)
{
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_double(statement, 2, t);
    if (statement != allowance->drop)
        sqlite3_bind_double(statement, 3, value);
    if (rc_db_run(allowance->store, statement, error))
        return -1;
    *changed = sqlite3_changes(allowance->store->db);
    return 0;
}

static int count(struct rc_allowance *allowance, int64_t id, int64_t more, struct rc_error *error)
{
    sqlite3_bind_int64(allowance->count, 1, id);
    sqlite3_bind_int64(allowance->count, 2, more);
    return rc_db_run(allowance->store, allowance->count, error);
}

/* ---- taking ---- */

/* Whether the wish fits beside what was taken; else `*at` is when enough of that will have left the
 * window.  What is from the future, since a clock was set back, counts as well, for a while. */
static int fits(struct rc_allowance *allowance, int64_t id, const struct rc_allowance_wish *wish,
                double *at, struct rc_error *error)
{
    double spent = 0, gone = 0;
    int code;

    sqlite3_bind_int64(allowance->look, 1, id);
    sqlite3_bind_double(allowance->look, 2, wish->t - wish->window);
    sqlite3_bind_double(allowance->look, 3, wish->t + wish->window);
    while ((code = sqlite3_step(allowance->look)) == SQLITE_ROW)
        spent += sqlite3_column_double(allowance->look, 1);
    sqlite3_reset(allowance->look);
    *at = wish->t;
    while (code == SQLITE_DONE && spent - gone + wish->amount > wish->bound &&
           (code = sqlite3_step(allowance->look)) == SQLITE_ROW) {
        gone += sqlite3_column_double(allowance->look, 1);
        *at = sqlite3_column_double(allowance->look, 0) + wish->window;
        code = SQLITE_DONE;
    }
    if (code != SQLITE_DONE)
        rc_db_error(allowance->store, error);
    sqlite3_reset(allowance->look);
    return code != SQLITE_DONE ? -1 : spent + wish->amount <= wish->bound;
}

static int add(struct rc_allowance *allowance, int64_t id, const struct rc_allowance_wish *wish,
               double *at, struct rc_error *error)
{
    int changed = 0;

    for (*at = wish->t; changed == 0; *at = changed ? *at : nextafter(*at, INFINITY))
        if (run(allowance, allowance->add, id, *at, wish->amount, &changed, error))
            return -1;
    return count(allowance, id, 1, error);
}

/* 1, 0 or -1, as rc_db_allowance_take(). */
static int take(struct rc_allowance *allowance, const struct rc_allowance_wish *wish, double *at,
                struct rc_error *error)
{
    int64_t id;
    int status = find_series(allowance, &wish->key, &id, error);

    if (status == 0) {
        bind_key(allowance->make, &wish->key);
        if (rc_db_run(allowance->store, allowance->make, error))
            return -1;
        id = sqlite3_last_insert_rowid(allowance->store->db);
    }
    if (status >= 0)
        status = fits(allowance, id, wish, at, error);
    return status <= 0 ? status : add(allowance, id, wish, at, error) ? -1 : 1;
}

/* ---- settling ---- */

static int settle(struct rc_allowance *allowance, const struct settlement *it,
                  struct rc_error *error)
{
    const struct rc_series_key key = {it->host, it->peer, it->metric};
    int64_t id;
    int changed, status = find_series(allowance, &key, &id, error);

    if (status <= 0)
        return status; /* 0: it was deleted meanwhile */
    if (it->amount > 0)
        return run(allowance, allowance->change, id, it->at, it->amount, &changed, error);
    return run(allowance, allowance->drop, id, it->at, 0, &changed, error) ||
                   count(allowance, id, -changed, error)
               ? -1
               : 0;
}

/* In the transaction that goes on. */
static int settle_all(struct rc_allowance *allowance, struct rc_error *error)
{
    for (size_t i = 0; i < allowance->n; i++)
        if (settle(allowance, &allowance->settlements[i], error))
            return -1;
    return 0;
}

int rc_db_allowance_take(struct rc_allowance *allowance, const struct rc_allowance_wish *wish,
                         double patience, double *at, struct rc_error *error)
{
    int taken = 0, status;

    if (rc_db_begin_within(allowance->store, patience, error))
        return -1;
    status = settle_all(allowance, error);
    if (status == 0 && (taken = take(allowance, wish, at, error)) < 0)
        status = -1;
    status = rc_db_end(allowance->store, status, error);
    if (status == 0)
        forget_settlements(allowance);
    return status ? -1 : taken;
}

int rc_db_allowance_settle(struct rc_allowance *allowance, const struct rc_series_key *key,
                           double at, double amount, struct rc_error *error)
{
    struct settlement it = {strdup(key->host), strdup(key->peer), strdup(key->metric), at, amount};
    size_t capacity = 2 * allowance->capacity + 16;
    struct settlement *more = allowance->settlements;

    if (allowance->n == allowance->capacity &&
        (more = realloc(allowance->settlements, capacity * sizeof *more))) {
        allowance->settlements = more;
        allowance->capacity = capacity;
    }
    if (!more || !it.host || !it.peer || !it.metric) {
        free(it.host);
        free(it.peer);
        free(it.metric);
        return rc_error_no_memory(error);
    }
    more[allowance->n++] = it;
    return 0;
}

int rc_db_allowance_flush(struct rc_allowance *allowance, double patience, struct rc_error *error)
{
    int status;

    if (allowance->n == 0)
        return 0;
    if (rc_db_begin_within(allowance->store, patience, error))
        return -1;
    status = rc_db_end(allowance->store, settle_all(allowance, error), error);
    if (status == 0)
        forget_settlements(allowance);
    return status;
}
