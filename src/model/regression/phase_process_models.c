// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_process_models.c - models of a program's phases and processes. */
#include "model/regression/phase_process_models.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/regression/phase_error_correlation.h"

void rc_regression_parts_destroy(struct rc_regression_parts *parts)
{
    if (!parts)
        return;
    for (size_t i = 0; i < parts->n_parts; i++) {
        free(parts->parts[i].phase);
        rc_regression_model_destroy(parts->parts[i].model);
    }
    for (size_t i = 0; i < parts->n_params; i++)
        free(parts->params[i]);
    free(parts->parts);
    free(parts);
}

static struct rc_regression_parts *create(struct rc_error *error)
{
    struct rc_regression_parts *parts = calloc(1, sizeof *parts);

    if (parts)
        parts->parts = calloc(RC_REGRESSION_PARTS_MAX, sizeof *parts->parts);
    if (parts && parts->parts)
        return parts;
    rc_regression_parts_destroy(parts);
    rc_error_no_memory(error);
    return NULL;
}

/* ---- which parts there are ---- */

static int compare(const char *phase, int process, const struct rc_regression_part *part)
{
    int order = strcmp(phase, part->phase);

    return order ? order : (process > part->process) - (process < part->process);
}

static int meet(struct rc_regression_parts *parts, const struct rc_run_time *time,
                struct rc_error *error)
{
    size_t at = 0;
    int order = 1;
    char *phase;

    while (at < parts->n_parts &&
           (order = compare(time->phase, time->process, &parts->parts[at])) > 0)
        at++;
    if (order == 0)
        return 0;
    if (parts->n_parts == RC_REGRESSION_PARTS_MAX)
        return rc_error_set(error, "the runs have more than %d phases and processes",
                            RC_REGRESSION_PARTS_MAX);
    phase = strdup(time->phase);
    if (!phase)
        return rc_error_no_memory(error);
    memmove(parts->parts + at + 1, parts->parts + at, (parts->n_parts - at) * sizeof *parts->parts);
    parts->parts[at] = (struct rc_regression_part){phase, time->process, NULL};
    parts->n_parts++;
    return 0;
}

static int meet_all(struct rc_regression_parts *parts, struct rc_db *store,
                    const struct rc_regression_wanted *wanted,
                    struct rc_regression_together *together, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got;

    rc_db_run_filter_init(&filter);
    filter.app = wanted->app;
    filter.platform = wanted->platform;
    filter.status = RC_RUN_OK;
    cursor = rc_db_run_find(store, &filter, RC_FIELD_TIMES, error);
    if (!cursor)
        return -1;
    while ((got = rc_db_run_next(cursor, &run, error)) > 0) {
        parts->up_to = run.id;
        for (size_t i = 0; i < run.n_times && got > 0; i++)
            if ((*run.times[i].phase || run.times[i].process >= 0) &&
                meet(parts, &run.times[i], error) != 0)
                got = -1;
        if (run.n_times > 0 && rc_regression_together_run(together, run.id, error) != 0)
            got = -1;
        if (got < 0)
            break;
    }
    rc_db_run_cursor_close(cursor);
    return got;
}

/* Whether finer parts cover the same time: phases of the whole, processes of a phase.  By their
 * order, "" is the first phase, and the whole program comes before its processes. */
static bool is_coarse(const struct rc_regression_parts *parts, size_t i)
{
    const struct rc_regression_part *part = &parts->parts[i];

    if (!*part->phase && *parts->parts[parts->n_parts - 1].phase)
        return true;
    return part->process < 0 && i + 1 < parts->n_parts && strcmp(part[1].phase, part->phase) == 0;
}

static void keep_finest(struct rc_regression_parts *parts)
{
    size_t kept = 0;

    for (size_t i = 0; i < parts->n_parts; i++)
        if (is_coarse(parts, i))
            free(parts->parts[i].phase);
        else
            parts->parts[kept++] = parts->parts[i];
    parts->n_parts = kept;
}

static int keep_params(struct rc_regression_parts *parts, const char *const *params,
                       size_t n_params, struct rc_error *error)
{
    if (n_params > RC_REGRESSION_PARAMS_MAX)
        return rc_error_set(error, "there are more than %d parameters", RC_REGRESSION_PARAMS_MAX);
    for (size_t i = 0; i < n_params; i++) {
        parts->params[i] = params[i] ? strdup(params[i]) : NULL;
        if (!parts->params[i])
            return rc_error_no_memory(error);
        parts->n_params++;
    }
    return 0;
}

/* ---- fitting ---- */

static struct rc_regression_model *
fit_part(const struct rc_regression_part *part, struct rc_db *store,
         const struct rc_regression_wanted *wanted, enum rc_regression_criterion criterion,
         struct rc_regression_together *together, struct rc_error *error)
{
    struct rc_regression_wanted own = *wanted;
    struct rc_regression_table table = {0};
    struct rc_regression_model *model = NULL;

    own.phase = part->phase;
    own.process = part->process;
    if (rc_regression_table_load(&table, store, &own, error) == 0)
        model = rc_regression_fit(&table, criterion, error);
    if (model)
        rc_regression_together_part(together, &table, model);
    rc_regression_table_free(&table);
    return model;
}

static int fit_all(struct rc_regression_parts *parts, struct rc_db *store,
                   const struct rc_regression_wanted *wanted,
                   enum rc_regression_criterion criterion, struct rc_regression_together *together,
                   struct rc_error *error)
{
    size_t kept = 0;

    if (parts->n_parts == 0) {
        rc_error_set(error, "the runs have no times of phases or processes");
        return rc_error_code(error, "regression.no-parts", NULL);
    }
    for (size_t i = 0; i < parts->n_parts; i++) {
        struct rc_regression_part part = parts->parts[i];

        part.model = fit_part(&part, store, wanted, criterion, together, error);
        if (part.model) {
            parts->parts[kept++] = part;
        } else {
            free(part.phase);
            parts->left_out++;
        }
    }
    parts->n_parts = kept;
    parts->together = rc_regression_together_correlation(together);
    return kept ? 0 : -1;
}

struct rc_regression_parts *rc_regression_parts_fit(struct rc_db *store,
                                                    const struct rc_regression_wanted *wanted,
                                                    enum rc_regression_criterion criterion,
                                                    struct rc_error *error)
{
    struct rc_regression_parts *parts = create(error);
    struct rc_regression_together together = {0};
    int status;

    if (!parts)
        return NULL;
    status = keep_params(parts, wanted->params, wanted->n_params, error);
    if (status == 0)
        status = meet_all(parts, store, wanted, &together, error);
    if (status == 0) {
        keep_finest(parts);
        status = fit_all(parts, store, wanted, criterion, &together, error);
    }
    rc_regression_together_free(&together);
    if (status == 0)
        return parts;
    rc_regression_parts_destroy(parts);
    return NULL;
}

/* ---- answers ---- */

double rc_regression_parts_seconds(const struct rc_regression_parts *parts,
                                   const struct rc_regression_question *question, double cpu,
                                   double bw)
{
    double sum = 0;

    for (size_t i = 0; i < parts->n_parts;) {
        const char *phase = parts->parts[i].phase;
        double largest = 0;

        for (; i < parts->n_parts && strcmp(parts->parts[i].phase, phase) == 0; i++)
            if (parts->parts[i].process < question->p)
                largest =
                    fmax(largest, rc_regression_seconds(parts->parts[i].model, question, cpu, bw));
        sum += largest;
    }
    return sum;
}

/* ---- JSON ---- */

json_t *rc_regression_parts_to_json(const struct rc_regression_parts *parts)
{
    json_t *object = json_object(), *array = json_array(), *params = json_array();

    for (size_t i = 0; i < parts->n_parts; i++) {
        json_t *part = json_object();

        rc_json_set(part, "phase", rc_json_text(parts->parts[i].phase));
        rc_json_set(part, "process", json_integer(parts->parts[i].process));
        rc_json_set(part, "model", rc_regression_model_to_json(parts->parts[i].model));
        json_array_append_new(array, part);
    }
    for (size_t i = 0; i < parts->n_params; i++)
        json_array_append_new(params, rc_json_text(parts->params[i]));
    rc_json_set(object, "params", params);
    rc_json_set(object, "together", rc_json_number(parts->together));
    rc_json_set(object, "up_to", json_integer(parts->up_to));
    rc_json_set(object, "left_out", json_integer((json_int_t)parts->left_out));
    if (rc_json_set(object, "parts", array) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static int part_from_json(struct rc_regression_parts *parts, const json_t *object,
                          struct rc_error *error)
{
    const char *phase = json_string_value(json_object_get(object, "phase"));
    const json_t *process = json_object_get(object, "process");
    struct rc_regression_part *part = &parts->parts[parts->n_parts];
    json_int_t number = json_is_integer(process) ? json_integer_value(process) : -2;

    if (!phase || number < -1 || number > INT_MAX)
        return rc_error_set(error, "the stored model is damaged");
    *part = (struct rc_regression_part){strdup(phase), (int)number, NULL};
    if (!part->phase)
        return rc_error_no_memory(error);
    parts->n_parts++;
    part->model = rc_regression_model_from_json(json_object_get(object, "model"), error);
    return part->model ? 0 : -1;
}

static int params_from_json(struct rc_regression_parts *parts, const json_t *array,
                            struct rc_error *error)
{
    const char *names[RC_REGRESSION_PARAMS_MAX];
    size_t n = json_array_size(array);

    for (size_t i = 0; i < n; i++)
        if (i == RC_REGRESSION_PARAMS_MAX ||
            !(names[i] = json_string_value(json_array_get(array, i))))
            return rc_error_set(error, "the stored model is damaged");
    return keep_params(parts, names, n, error);
}

struct rc_regression_parts *rc_regression_parts_from_json(const json_t *body,
                                                          struct rc_error *error)
{
    const json_t *array = json_object_get(body, "parts");
    size_t n = json_array_size(array);
    struct rc_regression_parts *parts;

    if (n == 0 || n > RC_REGRESSION_PARTS_MAX) {
        rc_error_set(error, "the stored model is damaged");
        return NULL;
    }
    parts = create(error);
    if (!parts)
        return NULL;
    parts->left_out =
        (size_t)fmax(0, (double)json_integer_value(json_object_get(body, "left_out")));
    parts->together = fmin(fmax(json_number_value(json_object_get(body, "together")), 0), 1);
    parts->up_to = json_integer_value(json_object_get(body, "up_to"));
    if (params_from_json(parts, json_object_get(body, "params"), error) == 0) {
        size_t i = 0;

        while (i < n && part_from_json(parts, json_array_get(array, i), error) == 0)
            i++;
        if (i == n)
            return parts;
    }
    rc_regression_parts_destroy(parts);
    return NULL;
}
