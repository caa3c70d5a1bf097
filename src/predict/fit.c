// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - fits regression models to the runs in the database. */
#include "predict/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

void rc_predict_fitted_free(struct rc_predict_fitted *fitted)
{
    rc_predict_hosts_free(&fitted->hosts);
    rc_regression_model_destroy(fitted->model);
    rc_regression_left_out_free(fitted->left_out, fitted->n_left_out);
}

int rc_predict_fit_speeds(struct rc_db *db, const struct rc_platform *file, const char *app,
                          const char *platform, struct rc_regression_speeds *speeds,
                          struct rc_error *error)
{
    struct rc_regression_speeds stored;

    if (rc_predict_speeds(db, file, platform, speeds, error))
        return -1;
    if (!speeds->firm) { /* those of an earlier file count until another one has more */
        if (rc_predict_speeds_kept(db, app, platform, &stored, error))
            return -1;
        if (stored.n > 0) {
            rc_regression_speeds_free(speeds);
            *speeds = stored;
        }
    }
    return rc_regression_speeds_refer(speeds, db, app, platform, error);
}

static size_t count_silent(const struct rc_regression_table *table)
{
    size_t n = 0;

    for (size_t i = 0; i < table->n_runs; i++)
        n += isnan(table->runs[i].cpu[RC_REGRESSION_MINAVG]);
    return n < table->n_runs ? n : 0;
}

/* Whether all runs were made on one host, which is this one. */
static bool is_from_host(const struct rc_regression_table *table, const char *host)
{
    for (size_t i = 0; i < table->n_runs; i++)
        if (table->runs[i].place != 1)
            return false;
    return table->n_places == 1 && strcmp(table->places[0], host) == 0;
}

static struct rc_predict_reach reach_of(const struct rc_regression_table *table,
                                        const struct rc_predict_machine *machine,
                                        const struct rc_regression_model *model)
{
    int64_t runs = (int64_t)fmin(2 * model->p.high, 1e15);

    if (machine->platform)
        return (struct rc_predict_reach){rc_platform_core_count(machine->platform),
                                         RC_PREDICT_REACH_PLATFORM, false};
    if (machine->cores < runs && is_from_host(table, machine->host))
        return (struct rc_predict_reach){machine->cores, RC_PREDICT_REACH_HOST, false};
    return (struct rc_predict_reach){runs, RC_PREDICT_REACH_RUNS, false};
}

int rc_predict_fit(struct rc_db *db, const struct rc_regression_wanted *wanted,
                   enum rc_regression_criterion criterion, const struct rc_predict_machine *machine,
                   bool store, struct rc_predict_fitted *fitted, struct rc_error *error)
{
    struct rc_regression_table table = {0};
    int status = rc_regression_table_load(&table, db, wanted, error);

    if (status == 0)
        status = rc_predict_have_runs(&table, wanted->app, wanted->platform, error);
    if (status == 0)
        fitted->model = rc_regression_fit(&table, criterion, error);
    if (fitted->model)
        status = rc_regression_apart_find(&table, fitted->model, &fitted->hosts.apart, error);
    if (fitted->model)
        fitted->reach = reach_of(&table, machine, fitted->model);
    fitted->n_silent = count_silent(&table);
    memcpy(fitted->left_out, table.left_out, sizeof fitted->left_out);
    fitted->n_left_out = table.n_left_out;
    table.n_left_out = 0;
    rc_regression_table_free(&table);
    if (!fitted->model || status)
        return -1;
    fitted->errors = rc_regression_errors_summary(fitted->model);
    fitted->n_suggestions = rc_regression_suggest(fitted->model, (double)fitted->reach.procs,
                                                  fitted->suggestions, &fitted->reach.limits);
    fitted->gaps = rc_regression_gaps(fitted->model);
    return store ? rc_predict_model_keep(db, wanted->app, wanted->platform, fitted->model,
                                         &fitted->hosts, &fitted->id, error)
                 : 0;
}

/* ---- for another platform ---- */

static int load_sides(struct rc_db *db, const char *app,
                      const char *const platforms[RC_REGRESSION_SIDES],
                      const struct rc_predict_source *source,
                      struct rc_regression_table tables[RC_REGRESSION_SIDES],
                      struct rc_error *error)
{
    static const char *const none[1] = {NULL};
    const struct rc_regression_model *model = source->model;

    for (int side = 0; side < RC_REGRESSION_SIDES; side++) {
        struct rc_regression_wanted wanted = {
            .app = app,
            .platform = platforms[side],
            .params = model->n_params ? (const char *const *)model->params : none,
            .n_params = model->n_params,
            .process = -1,
            .speeds = side == RC_REGRESSION_REFERENCE ? &source->hosts.speeds : NULL,
        };

        if (rc_regression_table_load(&tables[side], db, &wanted, error))
            return -1;
    }
    return 0;
}

int rc_predict_fit_port(struct rc_db *db, const char *app, const char *from, const char *to,
                        enum rc_regression_criterion criterion, struct rc_regression_port *port,
                        struct rc_regression_model **model, struct rc_error *error)
{
    const char *const platforms[RC_REGRESSION_SIDES] = {from, to};
    struct rc_regression_table tables[RC_REGRESSION_SIDES] = {{0}};
    const struct rc_regression_table *reference = &tables[RC_REGRESSION_REFERENCE],
                                     *target = &tables[RC_REGRESSION_TARGET];
    struct rc_predict_source source = {.made = NAN};
    int status = rc_predict_source_open(db, app, from, NULL, criterion, &source, error);

    *model = NULL;
    if (status == 0)
        status = load_sides(db, app, platforms, &source, tables, error);
    if (status == 0)
        status = rc_regression_port_find(source.model, reference, target, port, error);
    if (status == 0)
        *model = rc_regression_port_model(source.model, reference, target, port, error);
    status = *model ? rc_predict_model_keep(db, app, to, *model, NULL, NULL, error) : -1;
    rc_predict_source_free(&source);
    for (int side = 0; side < RC_REGRESSION_SIDES; side++)
        rc_regression_table_free(&tables[side]);
    return status;
}
