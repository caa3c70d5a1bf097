// SPDX-License-Identifier: GPL-3.0-or-later
/* budget.c - a bound on what all processes that share a store spend in any span of time. */
#include "db/budget.h"

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

struct rc_budget {
    struct rc_db *store;
    sqlite3_stmt *find, *make, *look, *add, *change, *drop, *count;
    struct settlement *settlements;
    size_t n, capacity;
};

static int prepare(struct rc_budget *budget, struct rc_error *error)
{
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } wanted[] = {
        {&budget->find, "SELECT id FROM series WHERE host = ? AND peer = ? AND metric = ?"},
        {&budget->make, "INSERT INTO series (host, peer, metric) VALUES (?, ?, ?)"},
        {&budget->look,
         "SELECT t, value FROM sample WHERE series_id = ? AND t > ? AND t < ? ORDER BY t"},
        {&budget->add, "INSERT OR IGNORE INTO sample VALUES (?, ?, ?)"},
        {&budget->change, "UPDATE sample SET value = ?3 WHERE series_id = ?1 AND t = ?2"},
        {&budget->drop, "DELETE FROM sample WHERE series_id = ? AND t = ?"},
        {&budget->count, "UPDATE series SET samples = samples + ?2 WHERE id = ?1"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!(*wanted[i].statement = rc_db_prepare(budget->store, wanted[i].sql, error)))
            return -1;
    return 0;
}

struct rc_budget *rc_db_budget_create(struct rc_db *store, struct rc_error *error)
{
    struct rc_budget *budget = calloc(1, sizeof *budget);

    if (!budget) {
        rc_error_no_memory(error);
        return NULL;
    }
    budget->store = store;
    if (prepare(budget, error)) {
        rc_db_budget_destroy(budget);
        return NULL;
    }
    return budget;
}

static void forget_settlements(struct rc_budget *budget)
{
    for (size_t i = 0; i < budget->n; i++) {
        free(budget->settlements[i].host);
        free(budget->settlements[i].peer);
        free(budget->settlements[i].metric);
    }
    budget->n = 0;
}

void rc_db_budget_destroy(struct rc_budget *budget)
{
    if (!budget)
        return;
    sqlite3_finalize(budget->find);
    sqlite3_finalize(budget->make);
    sqlite3_finalize(budget->look);
    sqlite3_finalize(budget->add);
    sqlite3_finalize(budget->change);
    sqlite3_finalize(budget->drop);
    sqlite3_finalize(budget->count);
    forget_settlements(budget);
    free(budget->settlements);
    free(budget);
}

/* ---- rows ---- */

static void bind_key(sqlite3_stmt *statement, const struct rc_series_key *key)
{
    sqlite3_bind_text(statement, 1, key->host, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, key->peer, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, key->metric, -1, SQLITE_STATIC);
}

/* 1: `*id` is that of the series; 0: there is none. */
static int find_series(struct rc_budget *budget, const struct rc_series_key *key, int64_t *id,
                       struct rc_error *error)
{
    int code;

    bind_key(budget->find, key);
    code = sqlite3_step(budget->find);
    if (code == SQLITE_ROW)
        *id = sqlite3_column_int64(budget->find, 0);
    else if (code != SQLITE_DONE)
        rc_db_error(budget->store, error);
    sqlite3_reset(budget->find);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
}

/* Runs a statement about one sample, and tells how many rows it changed. */
static int run(struct rc_budget *budget, sqlite3_stmt *statement, int64_t id, double t,
               double value, int *changed, struct rc_error *error)
{
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_double(statement, 2, t);
    if (statement != budget->drop)
        sqlite3_bind_double(statement, 3, value);
    if (rc_db_run(budget->store, statement, error))
        return -1;
    *changed = sqlite3_changes(budget->store->db);
    return 0;
}

static int count(struct rc_budget *budget, int64_t id, int64_t more, struct rc_error *error)
{
    sqlite3_bind_int64(budget->count, 1, id);
    sqlite3_bind_int64(budget->count, 2, more);
    return rc_db_run(budget->store, budget->count, error);
}

/* ---- taking ---- */

/* Whether the request fits beside what was taken; else `*at` is when enough of that will have left the
 * window.  What is from the future, since a clock was set back, counts as well, for a while. */
static int fits(struct rc_budget *budget, int64_t id, const struct rc_budget_request *request,
                double *at, struct rc_error *error)
{
    double spent = 0, gone = 0;
    int code;

    sqlite3_bind_int64(budget->look, 1, id);
    sqlite3_bind_double(budget->look, 2, request->t - request->window);
    sqlite3_bind_double(budget->look, 3, request->t + request->window);
    while ((code = sqlite3_step(budget->look)) == SQLITE_ROW)
        spent += sqlite3_column_double(budget->look, 1);
    sqlite3_reset(budget->look);
    *at = request->t;
    while (code == SQLITE_DONE && spent - gone + request->amount > request->bound &&
           (code = sqlite3_step(budget->look)) == SQLITE_ROW) {
        gone += sqlite3_column_double(budget->look, 1);
        *at = sqlite3_column_double(budget->look, 0) + request->window;
        code = SQLITE_DONE;
    }
    if (code != SQLITE_DONE)
        rc_db_error(budget->store, error);
    sqlite3_reset(budget->look);
    return code != SQLITE_DONE ? -1 : spent + request->amount <= request->bound;
}

static int add(struct rc_budget *budget, int64_t id, const struct rc_budget_request *request,
               double *at, struct rc_error *error)
{
    int changed = 0;

    for (*at = request->t; changed == 0; *at = changed ? *at : nextafter(*at, INFINITY))
        if (run(budget, budget->add, id, *at, request->amount, &changed, error))
            return -1;
    return count(budget, id, 1, error);
}

/* 1, 0 or -1, as rc_db_budget_take(). */
static int take(struct rc_budget *budget, const struct rc_budget_request *request, double *at,
                struct rc_error *error)
{
    int64_t id;
    int status = find_series(budget, &request->key, &id, error);

    if (status == 0) {
        bind_key(budget->make, &request->key);
        if (rc_db_run(budget->store, budget->make, error))
            return -1;
        id = sqlite3_last_insert_rowid(budget->store->db);
    }
    if (status >= 0)
        status = fits(budget, id, request, at, error);
    return status <= 0 ? status : add(budget, id, request, at, error) ? -1 : 1;
}

/* ---- settling ---- */

static int settle(struct rc_budget *budget, const struct settlement *it, struct rc_error *error)
{
    const struct rc_series_key key = {it->host, it->peer, it->metric};
    int64_t id;
    int changed, status = find_series(budget, &key, &id, error);

    if (status <= 0)
        return status; /* 0: it was deleted meanwhile */
    if (it->amount > 0)
        return run(budget, budget->change, id, it->at, it->amount, &changed, error);
    return run(budget, budget->drop, id, it->at, 0, &changed, error) ||
                   count(budget, id, -changed, error)
               ? -1
               : 0;
}

/* In the transaction that goes on. */
static int settle_all(struct rc_budget *budget, struct rc_error *error)
{
    for (size_t i = 0; i < budget->n; i++)
        if (settle(budget, &budget->settlements[i], error))
            return -1;
    return 0;
}

int rc_db_budget_take(struct rc_budget *budget, const struct rc_budget_request *request,
                      double patience, double *at, struct rc_error *error)
{
    int taken = 0, status;

    if (rc_db_begin_within(budget->store, patience, error))
        return -1;
    status = settle_all(budget, error);
    if (status == 0 && (taken = take(budget, request, at, error)) < 0)
        status = -1;
    status = rc_db_end(budget->store, status, error);
    if (status == 0)
        forget_settlements(budget);
    return status ? -1 : taken;
}

int rc_db_budget_settle(struct rc_budget *budget, const struct rc_series_key *key, double at,
                        double amount, struct rc_error *error)
{
    struct settlement it = {strdup(key->host), strdup(key->peer), strdup(key->metric), at, amount};
    size_t capacity = 2 * budget->capacity + 16;
    struct settlement *more = budget->settlements;

    if (budget->n == budget->capacity &&
        (more = realloc(budget->settlements, capacity * sizeof *more))) {
        budget->settlements = more;
        budget->capacity = capacity;
    }
    if (!more || !it.host || !it.peer || !it.metric) {
        free(it.host);
        free(it.peer);
        free(it.metric);
        return rc_error_no_memory(error);
    }
    more[budget->n++] = it;
    return 0;
}

int rc_db_budget_flush(struct rc_budget *budget, double patience, struct rc_error *error)
{
    int status;

    if (budget->n == 0)
        return 0;
    if (rc_db_begin_within(budget->store, patience, error))
        return -1;
    status = rc_db_end(budget->store, settle_all(budget, error), error);
    if (status == 0)
        forget_settlements(budget);
    return status;
}
