// SPDX-License-Identifier: GPL-3.0-or-later
/* regression_source.c - the model that answers, up to date with the runs in the database. */
#include "predict/regression_source.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "db/fitted_models.h"

/* Which model is opened, as rc_predict_source_near() has it. */
struct opening {
    struct rc_db *db;
    const char *app, *platform;
    const struct rc_regression_speeds *speeds;
    enum rc_regression_criterion criterion;
    bool parts;
};

/* Of a model's text.  A program that knows nothing of speeds must not take a model that has them.
 */
enum { FORMAT = 1, FORMAT_SPEEDS = 2 };

void rc_predict_hosts_free(struct rc_predict_hosts *hosts)
{
    rc_regression_speeds_free(&hosts->speeds);
    rc_regression_apart_free(&hosts->apart);
}

void rc_predict_source_free(struct rc_predict_source *source)
{
    rc_regression_model_destroy(source->model);
    rc_regression_parts_destroy(source->parts);
    rc_predict_hosts_free(&source->hosts);
    source->model = NULL;
    source->parts = NULL;
}

const char *rc_predict_source_stored_as(enum rc_regression_criterion criterion, bool parts)
{
    if (criterion == RC_REGRESSION_PAPER)
        return parts ? "regress-paper-parts" : "regress-paper";
    return parts ? "regress-parts" : "regress";
}

bool rc_predict_source_is_new(const struct rc_predict_source *source)
{
    return source->fitted || source->learnt > 0;
}

static void add_hosts(json_t *object, const struct rc_predict_hosts *hosts)
{
    if (hosts && hosts->speeds.n)
        rc_json_set(object, "speeds", rc_regression_speeds_to_json(&hosts->speeds));
    if (hosts && hosts->apart.host)
        rc_json_set(object, "apart",
                    json_pack("{s:o, s:o}", "host", rc_json_text(hosts->apart.host), "ratio",
                              rc_json_number(hosts->apart.ratio)));
}

/* Takes `object` (NULL: there was no memory for it). */
static int keep(struct rc_db *store, const char *app, const char *platform, const char *name,
                json_t *object, const struct rc_predict_hosts *hosts, int64_t *id,
                struct rc_error *error)
{
    int format = hosts && hosts->speeds.n ? FORMAT_SPEEDS : FORMAT, status;
    char *body;

    add_hosts(object, hosts);
    body = object ? json_dumps(object, JSON_COMPACT) : NULL;
    status =
        body ? rc_db_model_add(store, app, platform ? platform : "", name, format, body, id, error)
             : rc_error_no_memory(error);

    free(body);
    json_decref(object);
    return status;
}

int rc_predict_model_keep(struct rc_db *store, const char *app, const char *platform,
                          const struct rc_regression_model *model,
                          const struct rc_predict_hosts *hosts, int64_t *id, struct rc_error *error)
{
    return keep(store, app, platform, rc_predict_source_stored_as(model->criterion, false),
                rc_regression_model_to_json(model), hosts, id, error);
}

static int hosts_from_json(const json_t *body, struct rc_predict_hosts *hosts,
                           struct rc_error *error)
{
    const json_t *apart = json_object_get(body, "apart");
    const char *host = json_string_value(json_object_get(apart, "host"));
    double ratio = json_number_value(json_object_get(apart, "ratio"));

    rc_predict_hosts_free(hosts);
    if (rc_regression_speeds_from_json(json_object_get(body, "speeds"), &hosts->speeds, error))
        return -1;
    if (!host || !(ratio > 0))
        return 0;
    hosts->apart = (struct rc_regression_apart){strdup(host), ratio};
    return hosts->apart.host ? 0 : rc_error_no_memory(error);
}

/* 1: it is there; 0: there is none of this format. */
static int read_stored(const struct opening *opening, struct rc_predict_source *source,
                       struct rc_error *error)
{
    const char *name = rc_predict_source_stored_as(opening->criterion, opening->parts);
    const char *platform = opening->platform ? opening->platform : "";
    struct rc_stored_model stored;
    int found = rc_db_model_find(opening->db, opening->app, platform, name, &stored, error);
    json_t *body;

    if (found <= 0)
        return found;
    if (stored.format == FORMAT || stored.format == FORMAT_SPEEDS) {
        body = json_loads(stored.body, 0, NULL);
        if (hosts_from_json(body, &source->hosts, error))
            found = -1;
        else if (opening->parts)
            source->parts = rc_regression_parts_from_json(body, error);
        else
            source->model = rc_regression_model_from_json(body, error);
        source->id = stored.id;
        source->made = stored.made;
        json_decref(body);
        found = found > 0 && (source->model || source->parts) ? 1 : -1;
    } else {
        found = 0;
    }
    rc_db_stored_model_free(&stored);
    return found;
}

/* The largest id of the runs that pass; 0 if there are none. */
static int largest_id(struct rc_db *store, struct rc_run_filter *filter, int64_t *id,
                      struct rc_error *error)
{
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got;

    filter->last = 1;
    cursor = rc_db_run_find(store, filter, 0, error);
    if (!cursor)
        return -1;
    got = rc_db_run_next(cursor, &run, error);
    *id = got > 0 ? run.id : 0;
    rc_db_run_cursor_close(cursor);
    return got < 0 ? -1 : 0;
}

/* The largest id of the runs that are meant; 0 where none is beyond `known`.  The newest
 * of the whole database is found at once, whereas all runs of an app must be read. */
static int newest_run(struct rc_db *store, const char *app, const char *platform, int64_t known,
                      int64_t *id, struct rc_error *error)
{
    struct rc_run_filter filter;

    rc_db_run_filter_init(&filter);
    if (largest_id(store, &filter, id, error))
        return -1;
    if (*id > known) {
        int64_t killed;

        filter.app = app;
        filter.platform = platform;
        filter.status = RC_RUN_INTERRUPTED;
        if (largest_id(store, &filter, &killed, error))
            return -1;
        filter.status = RC_RUN_OK;
        if (largest_id(store, &filter, id, error))
            return -1;
        *id = killed > *id && *id > 0 ? killed : *id;
    }
    if (*id <= known)
        *id = 0;
    return 0;
}

static int no_runs(const char *app, const char *platform, struct rc_error *error)
{
    rc_error_set(error, "no runs of '%s'%s%s%s in the database", app, platform ? " on '" : "",
                 platform ? platform : "", platform ? "'" : "");
    if (platform)
        return rc_error_code(error, "predict.no-runs-there", "%.60s", app);
    return rc_error_code(error, "predict.no-runs", "%.60s", app);
}

int rc_predict_have_runs(const struct rc_regression_table *table, const char *app,
                         const char *platform, struct rc_error *error)
{
    return table->n_runs ? 0 : no_runs(app, platform, error);
}

static int fit_now(const struct rc_regression_table *table, enum rc_regression_criterion criterion,
                   struct rc_predict_source *source, struct rc_error *error)
{
    struct rc_regression_model *model = rc_regression_fit(table, criterion, error);

    source->missing = !model;
    if (!model)
        return -1;
    rc_regression_model_destroy(source->model);
    source->model = model;
    source->id = 0;
    source->made = NAN;
    source->fitted = true;
    rc_regression_apart_free(&source->hosts.apart);
    return rc_regression_apart_find(table, model, &source->hosts.apart, error);
}

static int load_and_fit(const struct opening *opening, const struct rc_regression_wanted *wanted,
                        struct rc_predict_source *source, struct rc_error *error)
{
    struct rc_regression_table table = {0};
    int status = rc_regression_table_load(&table, opening->db, wanted, error);

    if (status == 0)
        status = fit_now(&table, opening->criterion, source, error);
    rc_regression_table_free(&table);
    return status;
}

/* Leaves the runs up to this id. */
static void cut(struct rc_regression_table *table, int64_t up_to)
{
    while (table->n_runs > 0 && table->runs[table->n_runs - 1].id > up_to)
        table->n_runs--;
    while (table->n_killed > 0 && table->killed[table->n_killed - 1].id > up_to)
        table->n_killed--;
}

/* The runs of a table that are not among the old ones, by rising id. */
static int learn(struct rc_regression_learner *learner, const struct rc_regression_table *table,
                 const struct rc_regression_table *old, struct rc_error *error)
{
    size_t i = old->n_runs, k = old->n_killed;
    int status = 0;

    while ((i < table->n_runs || k < table->n_killed) && status == 0) {
        bool killed =
            i == table->n_runs || (k < table->n_killed && table->killed[k].id < table->runs[i].id);

        status = rc_regression_learner_add(learner,
                                           killed ? &table->killed[k++] : &table->runs[i++], error);
    }
    return status;
}

/* Runs come by rising id: those that the model knows first. */
static int learn_rest(const struct rc_regression_table *table,
                      enum rc_regression_criterion criterion, struct rc_predict_source *source,
                      struct rc_error *error)
{
    struct rc_regression_table old = *table;
    struct rc_regression_learner *learner;
    struct rc_regression_model *model = NULL;
    int status = 0;

    cut(&old, source->model->up_to);
    if (old.n_runs == table->n_runs && old.n_killed == table->n_killed)
        return 0;
    learner = rc_regression_learner_create(&old, source->model, criterion, error);
    if (!learner)
        return -1;
    status = learn(learner, table, &old, error);
    if (status == 0)
        model = rc_regression_model_copy(rc_regression_learner_model(learner), error);
    rc_regression_learner_destroy(learner);
    if (!model)
        return -1;
    rc_regression_model_destroy(source->model);
    source->model = model;
    source->learnt = table->n_runs - old.n_runs + table->n_killed - old.n_killed;
    rc_regression_apart_free(&source->hosts.apart);
    return rc_regression_apart_find(table, model, &source->hosts.apart, error);
}

/* The parameters that the model has, and no others. */
static void want_params(struct rc_regression_wanted *wanted,
                        const struct rc_regression_model *model)
{
    static const char *const none[1] = {NULL};

    wanted->params = model->n_params ? (const char *const *)model->params : none;
    wanted->n_params = model->n_params;
}

struct rc_regression_learner *rc_predict_learner(struct rc_db *store, const char *app,
                                                 const char *platform,
                                                 const struct rc_predict_source *source,
                                                 struct rc_error *error)
{
    struct rc_regression_wanted wanted = {
        .app = app, .platform = platform, .process = -1, .speeds = &source->hosts.speeds};
    const struct rc_regression_model *model = source->model;
    struct rc_regression_learner *learner = NULL;
    struct rc_regression_table table = {0};

    want_params(&wanted, model);
    if (rc_regression_table_load(&table, store, &wanted, error) == 0) {
        cut(&table, model->up_to);
        learner = rc_regression_learner_create(&table, model, model->criterion, error);
    }
    rc_regression_table_free(&table);
    return learner;
}

static int bring_up_to_date(const struct opening *opening, struct rc_regression_wanted *wanted,
                            struct rc_predict_source *source, struct rc_error *error)
{
    struct rc_regression_table table = {0};
    int status;

    want_params(wanted, source->model);
    status = rc_regression_table_load(&table, opening->db, wanted, error);
    if (status == 0)
        status = learn_rest(&table, opening->criterion, source, error);
    rc_regression_table_free(&table);
    if (status == 0)
        return 0;
    /* Such as runs without the model's parameters: fitted from the start. */
    wanted->params = NULL;
    wanted->n_params = 0;
    return load_and_fit(opening, wanted, source, error);
}

/* ---- the speeds of hosts ---- */

/* Whether a model was fitted with other speeds. */
static bool is_outdated(const struct rc_predict_source *source,
                        const struct rc_regression_speeds *speeds)
{
    const struct rc_regression_speeds *had = &source->hosts.speeds;

    return speeds && (speeds->firm || had->n == 0) && !rc_regression_speeds_same(had, speeds);
}

/* Reads what the database has, unless it was fitted with other speeds; then, and where there is
 * nothing, the speeds are those of now. */
static int read_and_compare(const struct opening *opening, struct rc_predict_source *source,
                            struct rc_error *error)
{
    const struct rc_regression_speeds *speeds = opening->speeds;
    int found = read_stored(opening, source, error);

    if (found > 0 && speeds && speeds->n == 0 && source->hosts.speeds.n == 0)
        source->hosts.speeds.from = speeds->from;
    if (found < 0 || (found > 0 && !is_outdated(source, speeds)))
        return found;
    rc_predict_source_free(source);
    *source = (struct rc_predict_source){.made = NAN};
    if (!speeds)
        return 0;
    return rc_regression_speeds_copy(&source->hosts.speeds, speeds, error) ||
                   rc_regression_speeds_refer(&source->hosts.speeds, opening->db, opening->app,
                                              opening->platform, error)
               ? -1
               : 0;
}

int rc_predict_speeds_kept(struct rc_db *store, const char *app, const char *platform,
                           struct rc_regression_speeds *speeds, struct rc_error *error)
{
    const struct opening opening = {.db = store, .app = app, .platform = platform};
    struct rc_predict_source source = {.made = NAN};
    int found = read_stored(&opening, &source, error);

    *speeds = source.hosts.speeds;
    source.hosts.speeds = (struct rc_regression_speeds){0};
    rc_predict_source_free(&source);
    if (found >= 0)
        return 0;
    rc_regression_speeds_free(speeds);
    return -1;
}

/* ---- phases and processes ---- */

int rc_predict_parts_keep(struct rc_db *store, const char *app, const char *platform,
                          const struct rc_regression_parts *parts,
                          const struct rc_predict_hosts *hosts, int64_t *id, struct rc_error *error)
{
    enum rc_regression_criterion criterion = parts->parts[0].model->criterion;

    return keep(store, app, platform, rc_predict_source_stored_as(criterion, true),
                rc_regression_parts_to_json(parts), hosts, id, error);
}

struct rc_regression_parts *rc_predict_parts_fit(struct rc_db *store,
                                                 const struct rc_regression_wanted *wanted,
                                                 enum rc_regression_criterion criterion,
                                                 struct rc_error *error)
{
    int64_t newest;

    if (newest_run(store, wanted->app, wanted->platform, 0, &newest, error) ||
        (newest == 0 && no_runs(wanted->app, wanted->platform, error)))
        return NULL;
    return rc_regression_parts_fit(store, wanted, criterion, error);
}

/* All parts anew, by the parameters that were asked for when they were fitted first. */
static int fit_parts(const struct opening *opening, struct rc_regression_wanted *wanted,
                     struct rc_predict_source *source, struct rc_error *error)
{
    struct rc_regression_parts *parts;

    if (source->parts && source->parts->n_params) {
        wanted->params = (const char *const *)source->parts->params;
        wanted->n_params = source->parts->n_params;
    }
    parts = rc_predict_parts_fit(opening->db, wanted, opening->criterion, error);
    source->missing = !parts;
    if (!parts)
        return -1;
    rc_regression_parts_destroy(source->parts);
    *source = (struct rc_predict_source){
        .parts = parts, .hosts = source->hosts, .made = NAN, .fitted = true};
    return 0;
}

/* ---- opening ---- */

static int open_source(const struct opening *opening, struct rc_predict_source *source,
                       struct rc_error *error)
{
    struct rc_regression_wanted wanted = {.app = opening->app,
                                          .platform = opening->platform,
                                          .process = -1,
                                          .speeds = &source->hosts.speeds};
    int64_t newest, known = 0;
    int found, status = 0;

    *source = (struct rc_predict_source){.made = NAN};
    found = read_and_compare(opening, source, error);
    if (found > 0)
        known = opening->parts ? source->parts->up_to : source->model->up_to;
    if (found < 0 ||
        newest_run(opening->db, opening->app, opening->platform, known, &newest, error)) {
        status = -1;
    } else if (opening->parts) {
        if (!found || newest)
            status = fit_parts(opening, &wanted, source, error);
    } else if (found) {
        if (newest)
            status = bring_up_to_date(opening, &wanted, source, error);
    } else if (newest) {
        status = load_and_fit(opening, &wanted, source, error);
    } else {
        source->missing = true;
        status = no_runs(opening->app, opening->platform, error);
    }
    if (status)
        rc_predict_source_free(source);
    return status;
}

int rc_predict_source_open(struct rc_db *store, const char *app, const char *platform,
                           const struct rc_regression_speeds *speeds,
                           enum rc_regression_criterion criterion, struct rc_predict_source *source,
                           struct rc_error *error)
{
    const struct opening opening = {store, app, platform, speeds, criterion, false};

    return open_source(&opening, source, error);
}

int rc_predict_source_near(struct rc_db *store, const char *app, const char *platform,
                           const struct rc_regression_speeds *speeds,
                           enum rc_regression_criterion criterion, bool parts,
                           struct rc_predict_source *source, struct rc_error *error)
{
    struct opening opening = {store, app, platform, speeds, criterion, parts};
    struct rc_error why = {.text = ""};

    if (open_source(&opening, source, &why) == 0)
        return 0;
    if (!platform || !source->missing) {
        if (error)
            *error = why;
        return -1;
    }
    opening.platform = NULL;
    if (open_source(&opening, source, error))
        return -1;
    source->elsewhere = why;
    return 0;
}

const char *rc_predict_source_platform(const struct rc_predict_source *source, const char *platform)
{
    return source->elsewhere.text[0] ? NULL : platform;
}
