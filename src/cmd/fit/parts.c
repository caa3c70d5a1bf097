// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_parts.c - 'runcast fit --parts': models of a program's phases and processes. */
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "cmd/fit/fit.h"
#include "cmd/predict/predict.h"
#include "model/regression/errors.h"
#include "model/regression/next.h"

static void put_row(struct rc_table *table, const struct rc_regression_part *part)
{
    const struct rc_regression_model *model = part->model;
    struct rc_regression_error_summary errors = rc_regression_errors_summary(model);
    char *formula = rc_regression_formula(model, &model->members[0]);
    char error[32] = "-";

    rc_table_text(table, *part->phase ? part->phase : "all");
    if (part->process < 0)
        rc_table_text(table, "all");
    else
        rc_table_integer(table, part->process);
    rc_table_integer(table, (long long)model->n_runs);
    if (errors.n)
        snprintf(error, sizeof error, "%.1f %%", 100 * errors.median);
    rc_table_text(table, error);
    rc_table_text(table, formula ? formula : "");
    free(formula);
}

static int show_text(const struct rc_cmd_fit_options *options,
                     const struct rc_regression_parts *parts, int64_t id, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "phase"},
                                             {.title = "process", .right = true},
                                             {.title = "runs", .right = true},
                                             {.title = "error", .right = true},
                                             {.title = "seconds"}};
    struct rc_table *table = rc_table_create(stdout, heads, 5, rc_cmd_width());

    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < parts->n_parts; i++)
        put_row(table, &parts->parts[i]);
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    puts("error: half of the runs that a model had not seen were off by less");
    if (parts->left_out)
        printf("%zu part%s left out, since there are too few runs with %s\n", parts->left_out,
               parts->left_out == 1 ? " is" : "s are", parts->left_out == 1 ? "it" : "them");
    if (id)
        printf("stored; 'runcast predict --app %s --parts' uses them\n", options->app);
    return 0;
}

static void show_json(const struct rc_cmd_fit_options *options,
                      const struct rc_regression_parts *parts, int64_t id)
{
    json_t *object = json_object(), *array = json_array();

    for (size_t i = 0; i < parts->n_parts; i++) {
        const struct rc_regression_part *part = &parts->parts[i];
        struct rc_regression_error_summary errors = rc_regression_errors_summary(part->model);
        char *formula = rc_regression_formula(part->model, &part->model->members[0]);
        json_t *row = json_object();

        rc_json_set(row, "phase", *part->phase ? rc_json_text(part->phase) : json_null());
        rc_json_set(row, "process", part->process < 0 ? json_null() : json_integer(part->process));
        rc_json_set(row, "runs", json_integer((json_int_t)part->model->n_runs));
        rc_json_set(row, "members", json_integer((json_int_t)part->model->n_members));
        rc_json_set(row, "formula", rc_json_text(formula ? formula : ""));
        rc_json_set(row, "held_out",
                    json_pack("{s:o, s:o}", "median", rc_json_number(errors.median), "most",
                              rc_json_number(errors.most)));
        json_array_append_new(array, row);
        free(formula);
    }
    rc_json_set(object, "app", rc_json_text(options->app));
    if (options->platform)
        rc_json_set(object, "platform", rc_json_text(options->platform));
    rc_json_set(object, "criterion", rc_json_text(options->criterion));
    rc_json_set(object, "parts", array);
    rc_json_set(object, "left_out", json_integer((json_int_t)parts->left_out));
    rc_json_set(object, "stored", json_boolean(id != 0));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

int rc_cmd_fit_parts(const struct rc_cmd_fit_options *options, struct rc_db *store,
                     const struct rc_predict_hosts *hosts, struct rc_error *error)
{
    struct rc_regression_wanted wanted;
    struct rc_regression_parts *parts;
    int64_t id = 0;
    int status = 0;

    rc_cmd_fit_wanted(options, &hosts->speeds, &wanted);
    parts = rc_predict_parts_fit(store, &wanted, rc_cmd_criterion(options->criterion), error);
    if (!parts)
        return -1;
    if (!options->no_store)
        status =
            rc_predict_parts_keep(store, options->app, options->platform, parts, hosts, &id, error);
    if (status == 0 && options->json)
        show_json(options, parts, id);
    else if (status == 0)
        status = show_text(options, parts, id, error);
    rc_regression_parts_destroy(parts);
    return status;
}
