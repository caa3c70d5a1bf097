// SPDX-License-Identifier: GPL-3.0-or-later
/* source.c - the model that answers, up to date with the runs in the store. */
#include "predict/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "db/model.h"

/* Of a model's text.  Who knows nothing of speeds must not take a model that they are in. */
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

const char *rc_predict_family(enum rc_regression_criterion criterion)
{
    return criterion == RC_REGRESSION_PAPER ? "regress-paper" : "regress";
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
static int keep(struct rc_db *store, const char *app, const char *platform, const char *family,
                json_t *object, const struct rc_predict_hosts *hosts, int64_t *id,
                struct rc_error *error)
{
    int format = hosts && hosts->speeds.n ? FORMAT_SPEEDS : FORMAT, status;
    char *body;

    add_hosts(object, hosts);
    body = object ? json_dumps(object, JSON_COMPACT) : NULL;
    status = body ? rc_db_model_add(store, app, platform ? platform : "", family, format, body, id,
                                    error)
                  : rc_error_no_memory(error);

    free(body);
    json_decref(object);
    return status;
}

int rc_predict_model_keep(struct rc_db *store, const char *app, const char *platform,
                          const struct rc_regression_model *model,
                          const struct rc_predict_hosts *hosts, int64_t *id, struct rc_error *error)
{
    return keep(store, app, platform, rc_predict_family(model->criterion),
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
static int read_stored(struct rc_db *store, const char *app, const char *platform,
                       const char *family, bool parts, struct rc_predict_source *source,
                       struct rc_error *error)
{
    struct rc_stored_model stored;
    int found = rc_db_model_find(store, app, platform ? platform : "", family, &stored, error);
    json_t *body;

    if (found <= 0)
        return found;
    if (stored.format == FORMAT || stored.format == FORMAT_SPEEDS) {
        body = json_loads(stored.body, 0, NULL);
        if (hosts_from_json(body, &source->hosts, error))
            found = -1;
        else if (parts)
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

/* The largest id of the runs that pass; 0 where there are none. */
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

/* The largest id of the runs that are meant; 0 where none is beyond `known`.  What is the newest
 * of the whole store is found at once, whereas all runs of an app must be looked at. */
static int newest_run(struct rc_db *store, const char *app, const char *platform, int64_t known,
                      int64_t *id, struct rc_error *error)
{
    struct rc_run_filter filter;

    rc_db_run_filter_init(&filter);
    if (largest_id(store, &filter, id, error))
        return -1;
    if (*id > known) {
        filter.app = app;
        filter.platform = platform;
        filter.status = RC_RUN_OK;
        if (largest_id(store, &filter, id, error))
            return -1;
    }
    if (*id <= known)
        *id = 0;
    return 0;
}

static int no_runs(const char *app, const char *platform, struct rc_error *error)
{
    rc_error_set(error, "the store has no run of '%s'%s%s%s to learn from", app,
                 platform ? " on '" : "", platform ? platform : "", platform ? "'" : "");
    if (platform)
        return rc_error_code(error, "predict.no-runs-there", "%.60s", app);
    return rc_error_code(error, "predict.no-runs", "%.60s", app);
}

static int lacks_runs(const char *app, const char *platform, struct rc_predict_source *source,
                      struct rc_error *error)
{
    source->lacking = true;
    return no_runs(app, platform, error);
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

    source->lacking = !model;
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

/* Runs come by rising id: those that the model knows first. */
static int learn_rest(const struct rc_regression_table *table,
                      enum rc_regression_criterion criterion, struct rc_predict_source *source,
                      struct rc_error *error)
{
    struct rc_regression_table old = *table;
    struct rc_regression_learner *learner;
    struct rc_regression_model *model = NULL;
    int status = 0;

    for (old.n_runs = 0;
         old.n_runs < table->n_runs && table->runs[old.n_runs].id <= source->model->up_to;)
        old.n_runs++;
    if (old.n_runs == table->n_runs)
        return 0;
    learner = rc_regression_learner_create(&old, source->model, criterion, error);
    if (!learner)
        return -1;
    for (size_t i = old.n_runs; i < table->n_runs && status == 0; i++)
        status = rc_regression_learner_add(learner, &table->runs[i], error);
    if (status == 0)
        model = rc_regression_model_copy(rc_regression_learner_model(learner), error);
    rc_regression_learner_destroy(learner);
    if (!model)
        return -1;
    rc_regression_model_destroy(source->model);
    source->model = model;
    source->learnt = table->n_runs - old.n_runs;
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
        while (table.n_runs > 0 && table.runs[table.n_runs - 1].id > model->up_to)
            table.n_runs--;
        learner = rc_regression_learner_create(&table, model, model->criterion, error);
    }
    rc_regression_table_free(&table);
    return learner;
}

static int bring_up_to_date(struct rc_db *store, struct rc_regression_wanted *wanted,
                            enum rc_regression_criterion criterion,
                            struct rc_predict_source *source, struct rc_error *error)
{
    struct rc_regression_table table = {0};
    int status;

    want_params(wanted, source->model);
    status = rc_regression_table_load(&table, store, wanted, error);
    if (status || learn_rest(&table, criterion, source, error)) {
        /* Runs that say nothing of the model's parameters, for example: from the start, then. */
        rc_regression_table_free(&table);
        wanted->params = NULL;
        wanted->n_params = 0;
        status = rc_regression_table_load(&table, store, wanted, error);
        if (status == 0)
            status = fit_now(&table, criterion, source, error);
    }
    rc_regression_table_free(&table);
    return status;
}

static int fit_first(struct rc_db *store, const struct rc_regression_wanted *wanted,
                     enum rc_regression_criterion criterion, struct rc_predict_source *source,
                     struct rc_error *error)
{
    struct rc_regression_table table = {0};
    int status = rc_regression_table_load(&table, store, wanted, error);

    if (status == 0)
        status = fit_now(&table, criterion, source, error);
    rc_regression_table_free(&table);
    return status;
}

/* ---- the speeds of hosts ---- */

/* Whether a model was fitted with others than are told now. */
static bool is_outdated(const struct rc_predict_source *source,
                        const struct rc_regression_speeds *speeds)
{
    const struct rc_regression_speeds *had = &source->hosts.speeds;

    return speeds && (speeds->firm || had->n == 0) && !rc_regression_speeds_same(had, speeds);
}

/* Reads what the store has, unless it was fitted with other speeds; then, and where there is
 * nothing, the speeds are those that are told. */
static int read_and_compare(struct rc_db *store, const char *app, const char *platform,
                            const struct rc_regression_speeds *speeds, const char *family,
                            bool parts, struct rc_predict_source *source, struct rc_error *error)
{
    int found = read_stored(store, app, platform, family, parts, source, error);

    if (found > 0 && speeds && speeds->n == 0 && source->hosts.speeds.n == 0)
        source->hosts.speeds.from = speeds->from;
    if (found < 0 || (found > 0 && !is_outdated(source, speeds)))
        return found;
    rc_predict_source_free(source);
    *source = (struct rc_predict_source){.made = NAN};
    if (!speeds)
        return 0;
    return rc_regression_speeds_copy(&source->hosts.speeds, speeds, error) ||
                   rc_regression_speeds_refer(&source->hosts.speeds, store, app, platform, error)
               ? -1
               : 0;
}

int rc_predict_speeds_kept(struct rc_db *store, const char *app, const char *platform,
                           struct rc_regression_speeds *speeds, struct rc_error *error)
{
    struct rc_predict_source source = {.made = NAN};
    int found = read_stored(store, app, platform, rc_predict_family(RC_REGRESSION_DEFAULT), false,
                            &source, error);

    *speeds = source.hosts.speeds;
    source.hosts.speeds = (struct rc_regression_speeds){0};
    rc_predict_source_free(&source);
    if (found >= 0)
        return 0;
    rc_regression_speeds_free(speeds);
    return -1;
}

int rc_predict_source_open(struct rc_db *store, const char *app, const char *platform,
                           const struct rc_regression_speeds *speeds,
                           enum rc_regression_criterion criterion, struct rc_predict_source *source,
                           struct rc_error *error)
{
    struct rc_regression_wanted wanted = {
        .app = app, .platform = platform, .process = -1, .speeds = &source->hosts.speeds};
    int64_t newest;
    int found, status = 0;

    *source = (struct rc_predict_source){.made = NAN};
    found = read_and_compare(store, app, platform, speeds, rc_predict_family(criterion), false,
                             source, error);
    if (found < 0 ||
        newest_run(store, app, platform, found ? source->model->up_to : 0, &newest, error))
        status = -1;
    else if (!found)
        status = newest == 0 ? lacks_runs(app, platform, source, error)
                             : fit_first(store, &wanted, criterion, source, error);
    else if (newest)
        status = bring_up_to_date(store, &wanted, criterion, source, error);
    if (status)
        rc_predict_source_free(source);
    return status;
}

/* ---- phases and processes ---- */

const char *rc_predict_parts_family(enum rc_regression_criterion criterion)
{
    return criterion == RC_REGRESSION_PAPER ? "regress-paper-parts" : "regress-parts";
}

int rc_predict_parts_keep(struct rc_db *store, const char *app, const char *platform,
                          const struct rc_regression_parts *parts,
                          const struct rc_predict_hosts *hosts, int64_t *id, struct rc_error *error)
{
    return keep(store, app, platform, rc_predict_parts_family(parts->parts[0].model->criterion),
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

static int fit_parts(struct rc_db *store, const struct rc_regression_wanted *wanted,
                     enum rc_regression_criterion criterion, struct rc_predict_source *source,
                     struct rc_error *error)
{
    struct rc_regression_parts *parts = rc_predict_parts_fit(store, wanted, criterion, error);

    source->lacking = !parts;
    if (!parts)
        return -1;
    rc_regression_parts_destroy(source->parts);
    *source = (struct rc_predict_source){
        .parts = parts, .hosts = source->hosts, .made = NAN, .fitted = true};
    return 0;
}

int rc_predict_parts_open(struct rc_db *store, const char *app, const char *platform,
                          const struct rc_regression_speeds *speeds,
                          enum rc_regression_criterion criterion, struct rc_predict_source *source,
                          struct rc_error *error)
{
    struct rc_regression_wanted wanted = {
        .app = app, .platform = platform, .process = -1, .speeds = &source->hosts.speeds};
    int64_t newest;
    int found, status = 0;

    *source = (struct rc_predict_source){.made = NAN};
    found = read_and_compare(store, app, platform, speeds, rc_predict_parts_family(criterion), true,
                             source, error);
    if (found < 0 ||
        newest_run(store, app, platform, found ? source->parts->up_to : 0, &newest, error))
        status = -1;
    else if (!found || newest) {
        if (found && source->parts->n_params) { /* those that were asked for then */
            wanted.params = (const char *const *)source->parts->params;
            wanted.n_params = source->parts->n_params;
        }
        status = fit_parts(store, &wanted, criterion, source, error);
    }
    if (status)
        rc_predict_source_free(source);
    return status;
}

/* ---- of this platform, or of any ---- */

int rc_predict_source_near(struct rc_db *store, const char *app, const char *platform,
                           const struct rc_regression_speeds *speeds,
                           enum rc_regression_criterion criterion, bool parts,
                           struct rc_predict_source *source, struct rc_error *error)
{
    int (*open)(struct rc_db *, const char *, const char *, const struct rc_regression_speeds *,
                enum rc_regression_criterion, struct rc_predict_source *, struct rc_error *) =
        parts ? rc_predict_parts_open : rc_predict_source_open;
    struct rc_error why = {.text = ""};

    if (open(store, app, platform, speeds, criterion, source, &why) == 0)
        return 0;
    if (!platform || !source->lacking) {
        if (error)
            *error = why;
        return -1;
    }
    if (open(store, app, NULL, speeds, criterion, source, error))
        return -1;
    source->elsewhere = why;
    return 0;
}

const char *rc_predict_source_platform(const struct rc_predict_source *source, const char *platform)
{
    return source->elsewhere.text[0] ? NULL : platform;
}
