// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction.c - predictions, and the runs that they were made for. */
#include "db/prediction.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "db/same_hosts.h"

/* ---- adding ---- */

static void set_own(json_t *object, const struct rc_prediction *prediction)
{
    json_t *own = json_object();

    rc_json_set(own, "predicted", json_real(prediction->own_predicted));
    rc_json_set(own, "lo90", json_real(prediction->own_lo90));
    rc_json_set(own, "hi90", json_real(prediction->own_hi90));
    rc_json_set(object, "own", own);
}

/* {"predicted": 12.5, "quantiles": [...], "inputs": {...}, "own": {...}}; to be freed. */
static char *value_text(const struct rc_prediction *prediction)
{
    json_t *object = json_object(), *quantiles = json_array();
    json_t *inputs = prediction->inputs ? json_loads(prediction->inputs, 0, NULL) : NULL;
    char *text;

    for (size_t i = 0; i < prediction->n_quantiles; i++)
        json_array_append_new(quantiles, json_real(prediction->quantiles[i]));
    rc_json_set(object, "predicted", json_real(prediction->predicted));
    rc_json_set(object, "quantiles", quantiles);
    if (inputs)
        rc_json_set(object, "inputs", inputs);
    if (prediction->own_predicted > 0)
        set_own(object, prediction);
    text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(7));
    json_decref(object);
    return text;
}

static int check(const struct rc_prediction *prediction, struct rc_error *error)
{
    if (!prediction->app || !*prediction->app || !(prediction->n > 0) || prediction->p < 1 ||
        !isfinite(prediction->n))
        return rc_error_set(error, "a prediction needs an app, n > 0 and p >= 1");
    if (!isfinite(prediction->predicted) || !isfinite(prediction->mean) ||
        !isfinite(prediction->lo90) || !isfinite(prediction->hi90) ||
        prediction->hi90 < prediction->lo90 || !isfinite(prediction->start) ||
        prediction->n_quantiles > RC_PREDICTION_QUANTILES_MAX)
        return rc_error_set(error, "a prediction is out of range");
    return 0;
}

static int insert(struct rc_db *store, const struct rc_prediction *one, const char *value,
                  struct rc_error *error)
{
    static const char *const steps[] = {
        "INSERT OR IGNORE INTO app (name) SELECT ?2",
        "INSERT OR IGNORE INTO platform (name) SELECT ?3",
        "INSERT INTO prediction (made, app_id, platform_id, family, model_id, n, p, hosts, params,"
        " start, mean, lo90, hi90, value) VALUES (?1, (SELECT id FROM app WHERE name = ?2),"
        " (SELECT id FROM platform WHERE name = ?3), ?4, nullif(?5, 0), ?6, ?7, ?8, ?9, ?10, ?11, "
        "?12, ?13,"
        " ?14)",
    };
    int status = 0;

    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == 0; i++)
        status = rc_db_execute(store, error, steps[i], "fsssIfIttffffs",
                               store->clock->wall(store->clock), one->app, one->platform,
                               one->method, one->model_id, one->n, one->p, one->hosts, one->params,
                               one->start, one->mean, one->lo90, one->hi90, value);
    return status;
}

static int add_one(struct rc_db *store, const struct rc_prediction *prediction, int64_t *id,
                   struct rc_error *error)
{
    char *value = value_text(prediction);
    int status = value ? insert(store, prediction, value, error) : rc_error_no_memory(error);

    if (status == 0)
        *id = sqlite3_last_insert_rowid(store->db);
    free(value);
    return status;
}

int rc_db_prediction_add_all(struct rc_db *store, const struct rc_prediction *predictions, size_t n,
                             int64_t *ids, struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; i < n; i++)
        if (check(&predictions[i], error))
            return -1;
    if (rc_db_begin(store, error))
        return -1;
    for (size_t i = 0; i < n && status == 0; i++)
        status = add_one(store, &predictions[i], &ids[i], error);
    return rc_db_end(store, status, error);
}

/* ---- listing ---- */

static void read_own(const json_t *own, struct rc_prediction *prediction)
{
    prediction->own_predicted = json_number_value(json_object_get(own, "predicted"));
    prediction->own_lo90 = json_number_value(json_object_get(own, "lo90"));
    prediction->own_hi90 = json_number_value(json_object_get(own, "hi90"));
    if (prediction->own_predicted > 0)
        return;
    prediction->own_predicted = prediction->predicted;
    prediction->own_lo90 = prediction->lo90;
    prediction->own_hi90 = prediction->hi90;
}

static size_t read_quantiles(const json_t *list, double quantiles[RC_PREDICTION_QUANTILES_MAX])
{
    size_t n = json_array_size(list);

    n = n < RC_PREDICTION_QUANTILES_MAX ? n : RC_PREDICTION_QUANTILES_MAX;
    for (size_t i = 0; i < n; i++)
        quantiles[i] = json_number_value(json_array_get(list, i));
    return n;
}

/* `quantiles` NULL: they are left out. */
static int read_prediction(sqlite3_stmt *row, double *quantiles, struct rc_prediction *prediction,
                           struct rc_error *error)
{
    json_t *value = json_loads(rc_db_column_text(row, 12), 0, NULL);
    json_t *predicted = json_object_get(value, "predicted");

    *prediction = (struct rc_prediction){
        .id = sqlite3_column_int64(row, 0),
        .made = sqlite3_column_double(row, 1),
        .platform = rc_db_column_text(row, 2),
        .method = rc_db_column_text(row, 3),
        .model_id = sqlite3_column_int64(row, 4),
        .n = sqlite3_column_double(row, 5),
        .p = sqlite3_column_int64(row, 6),
        .hosts = rc_db_column_text(row, 7),
        .params = rc_db_column_text(row, 8),
        .start = rc_db_column_number(row, 9),
        .lo90 = sqlite3_column_double(row, 10),
        .hi90 = sqlite3_column_double(row, 11),
        .predicted = json_number_value(predicted),
        .mean = sqlite3_column_double(row, 13),
        .run_id = sqlite3_column_int64(row, 14),
        .run_start = rc_db_column_number(row, 15),
        .run_seconds = rc_db_column_number(row, 16),
        .run_killed = sqlite3_column_int(row, 17) == RC_RUN_INTERRUPTED,
    };
    read_own(json_object_get(value, "own"), prediction);
    prediction->quantiles = quantiles;
    if (quantiles)
        prediction->n_quantiles = read_quantiles(json_object_get(value, "quantiles"), quantiles);
    json_decref(value);
    if (prediction->predicted > 0)
        return 0;
    rc_error_set(error, "prediction %lld is damaged", (long long)prediction->id);
    return rc_error_code(error, "db.damaged", NULL);
}

int rc_db_prediction_list(struct rc_db *store, const char *app, const char *platform, bool linked,
                          int (*each)(void *data, const struct rc_prediction *prediction),
                          void *data, struct rc_error *error)
{
    sqlite3_stmt *select = rc_db_query(
        store, error,
        "SELECT q.id, q.made, platform.name, family, model_id, q.n, q.p, q.hosts, q.params,"
        " q.start, lo90, hi90, value, mean, q.run_id, run.start, run.seconds, run.status"
        " FROM prediction AS q JOIN platform ON platform.id = q.platform_id"
        " LEFT JOIN run ON run.id = q.run_id"
        " WHERE q.app_id = (SELECT id FROM app WHERE name = ?1)"
        " AND (?2 IS NULL OR platform.name = ?2) AND (?3 = 0 OR q.run_id IS NOT NULL)"
        " ORDER BY coalesce(run.start, q.start), q.id",
        "ssi", app, platform, linked);
    double quantiles[RC_PREDICTION_QUANTILES_MAX];
    struct rc_prediction prediction;
    int got = -1, status = select ? 0 : -1;

    while (status == 0 && (got = rc_db_step(store, select, error)) > 0) {
        status = read_prediction(select, linked ? quantiles : NULL, &prediction, error);
        prediction.app = app;
        if (status == 0)
            status = each(data, &prediction);
    }
    sqlite3_finalize(select);
    if (status == 0)
        status = got;
    return status ? status : rc_db_stood_still(store, error);
}

int rc_db_prediction_held(struct rc_db *store, const char *app, const char *platform,
                          const char *method, uint64_t *count, uint64_t *held,
                          struct rc_error *error)
{
    sqlite3_stmt *select = rc_db_query(
        store, error,
        "SELECT count(*), coalesce(sum(run.status = 0 AND run.seconds BETWEEN lo90 AND hi90), 0)"
        " FROM prediction AS q JOIN run ON run.id = q.run_id"
        " WHERE q.app_id = (SELECT id FROM app WHERE name = ?1) AND family = ?3 AND (run.status = "
        "0 OR run.seconds > hi90)"
        " AND (?2 IS NULL OR q.platform_id = (SELECT id FROM platform WHERE name = ?2))",
        "sss", app, platform, method);
    int got = select ? rc_db_step(store, select, error) : -1;

    *count = got > 0 ? (uint64_t)sqlite3_column_int64(select, 0) : 0;
    *held = got > 0 ? (uint64_t)sqlite3_column_int64(select, 1) : 0;
    sqlite3_finalize(select);
    return got > 0 ? 0 : -1;
}

/* ---- which run it was for ---- */

/* The newest matching prediction of each method, if it has no run yet; a completed run takes the
 * place of an interrupted one. Inputs of the model are stored, and compared, with seven digits. */
static const char link_sql[] =
    "UPDATE prediction SET run_id = ?1 WHERE (run_id IS NULL OR ((SELECT status FROM run WHERE id ="
    "  ?1) = 0 AND run_id IN (SELECT id FROM run WHERE status = 2))) AND id IN ("
    " SELECT id FROM (SELECT q.id AS id, row_number() OVER (PARTITION BY family"
    "  ORDER BY q.start DESC, q.id DESC) AS place"
    "  FROM prediction AS q JOIN run ON run.id = ?1"
    "  WHERE q.app_id = run.app_id AND q.n = run.n AND q.p = run.p"
    "  AND q.platform_id IN (0, run.platform_id)"
    "  AND (q.hosts IS NULL OR run.hosts IS NULL OR same_hosts(q.hosts, run.hosts))"
    "  AND q.start BETWEEN run.start - ?2 AND run.start + ?3"
    "  AND NOT EXISTS (SELECT 1 FROM json_each(coalesce(q.params, '{}')) AS asked"
    "   WHERE NOT EXISTS (SELECT 1 FROM json_each(coalesce(run.params, '{}')) AS had"
    "    WHERE had.key = asked.key AND had.value = asked.value))"
    "  AND NOT EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(q.value) THEN"
    "    coalesce(json_extract(q.value, '$.inputs'), '{}') ELSE '{}' END) AS took"
    "   JOIN json_each(coalesce(run.params, '{}')) AS had ON had.key = took.key"
    "   WHERE abs(had.value - took.value) > 1e-6 * abs(had.value)))"
    " WHERE place = 1)";

int rc_db_prediction_linker_begin(struct rc_prediction_linker *linker, struct rc_db *store,
                                  struct rc_error *error)
{
    sqlite3_stmt *span =
        rc_db_prepare(store,
                      "SELECT min(q.start), max(q.start) FROM prediction AS q"
                      " LEFT JOIN run ON run.id = q.run_id WHERE run.id IS NULL OR run.status = 2",
                      error);
    int got = span ? rc_db_step(store, span, error) : -1;

    *linker = (struct rc_prediction_linker){.store = store, .first = NAN, .last = NAN};
    if (got > 0) {
        linker->first = rc_db_column_number(span, 0);
        linker->last = rc_db_column_number(span, 1);
    }
    sqlite3_finalize(span);
    if (got < 0 || rc_db_add_same_hosts(store, error))
        return -1;
    linker->link = rc_db_prepare(store, link_sql, error);
    return linker->link ? 0 : -1;
}

int rc_db_prediction_linker_add(struct rc_prediction_linker *linker, const struct rc_run *run,
                                int64_t id, struct rc_error *error)
{
    /* Old runs that are imported by the million are not looked up. */
    if (run->status == RC_RUN_FAILED || !(run->start >= linker->first - RC_PREDICTION_ROUNDED) ||
        !(run->start <= linker->last + RC_PREDICTION_DAY))
        return 0;
    rc_db_bind(linker->link, "Iff", id, RC_PREDICTION_DAY, RC_PREDICTION_ROUNDED);
    return rc_db_run(linker->store, linker->link, error);
}

void rc_db_prediction_linker_end(struct rc_prediction_linker *linker)
{
    sqlite3_finalize(linker->link);
    linker->link = NULL;
}
