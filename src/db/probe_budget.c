// SPDX-License-Identifier: GPL-3.0-or-later
/* probe_budget.c - a limit on what all processes that share a database use in any time window. */
#include "db/probe_budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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

/* 1: `*id` is that of the series; 0: none. */
static int find_series(struct rc_budget *budget, const struct rc_series_key *key, int64_t *id,
                       struct rc_error *error)
{
    int found;

    rc_db_bind(budget->find, "sss", key->host, key->peer, key->metric);
    found = rc_db_step(budget->store, budget->find, error);
    if (found > 0)
        *id = sqlite3_column_int64(budget->find, 0);
    sqlite3_reset(budget->find);
    return found;
}

static int count(struct rc_budget *budget, int64_t id, int64_t more, struct rc_error *error)
{
    rc_db_bind(budget->count, "II", id, more);
    return rc_db_run(budget->store, budget->count, error);
}

/* ---- taking ---- */

/* Whether the request fits beside earlier ones; otherwise, `*at` is the time at which enough of
 * them will have left the window. Future samples, after a clock was set back, count for a while,
 * too. */
static int fits(struct rc_budget *budget, int64_t id, const struct rc_budget_request *request,
                double *at, struct rc_error *error)
{
    double spent = 0, gone = 0;
    int got;

    rc_db_bind(budget->look, "Iff", id, request->t - request->window, request->t + request->window);
    while ((got = rc_db_step(budget->store, budget->look, error)) > 0)
        spent += sqlite3_column_double(budget->look, 1);
    sqlite3_reset(budget->look);
    *at = request->t;
    while (got == 0 && spent - gone + request->amount > request->bound &&
           (got = rc_db_step(budget->store, budget->look, error)) > 0) {
        gone += sqlite3_column_double(budget->look, 1);
        *at = sqlite3_column_double(budget->look, 0) + request->window;
        got = 0;
    }
    sqlite3_reset(budget->look);
    return got < 0 ? -1 : spent + request->amount <= request->bound;
}

static int add(struct rc_budget *budget, int64_t id, const struct rc_budget_request *request,
               double *at, struct rc_error *error)
{
    int changed = 0;

    for (*at = request->t; changed == 0; *at = changed ? *at : nextafter(*at, INFINITY)) {
        rc_db_bind(budget->add, "Iff", id, *at, request->amount);
        if (rc_db_run(budget->store, budget->add, error))
            return -1;
        changed = sqlite3_changes(budget->store->db);
    }
    return count(budget, id, 1, error);
}

/* 1, 0 or -1, as rc_db_budget_take(). */
static int take(struct rc_budget *budget, const struct rc_budget_request *request, double *at,
                struct rc_error *error)
{
    int64_t id;
    int status = find_series(budget, &request->key, &id, error);

    if (status == 0) {
        rc_db_bind(budget->make, "sss", request->key.host, request->key.peer, request->key.metric);
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
    int status = find_series(budget, &key, &id, error);

    if (status <= 0)
        return status; /* 0: it was deleted meanwhile */
    if (it->amount > 0) {
        rc_db_bind(budget->change, "Iff", id, it->at, it->amount);
        return rc_db_run(budget->store, budget->change, error);
    }
    rc_db_bind(budget->drop, "If", id, it->at);
    if (rc_db_run(budget->store, budget->drop, error))
        return -1;
    return count(budget, id, -(int64_t)sqlite3_changes(budget->store->db), error);
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

    if (!it.host || !it.peer || !it.metric)
        rc_error_no_memory(error);
    else if (rc_array_room(&budget->settlements, budget->n + 1, &budget->capacity, sizeof it,
                           error) == 0) {
        budget->settlements[budget->n++] = it;
        return 0;
    }
    free(it.host);
    free(it.peer);
    free(it.metric);
    return -1;
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
