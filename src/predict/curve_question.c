// SPDX-License-Identifier: GPL-3.0-or-later
/* curve_question.c - what the scaling curve of a model holds constant.
 *
 * Runs are sorted so that those that differ only along the axis are neighbours, and among them those
 * at the same place. */
#include "predict/curve_question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "db/run_param.h"

/* A run: what a curve holds constant, then its place on the axis. */
enum { OTHER, FIRST_PARAM, X = FIRST_PARAM + RC_REGRESSION_PARAMS_MAX, KEYS };

struct row {
    double keys[KEYS];
};

struct rows {
    struct row *list;
    size_t n, room;
};

/* False if the run lacks a parameter of the model. */
static bool make_row(const struct rc_run *run, const struct rc_regression_model *model,
                     struct row *row)
{
    *row = (struct row){.keys = {[OTHER] = run->n, [X] = (double)run->p}};
    for (size_t i = 0; i < model->n_params; i++)
        if (isnan(row->keys[FIRST_PARAM + i] = rc_db_run_param(run, model->params[i])))
            return false;
    return true;
}

static int read_rows(struct rc_db *db, const struct rc_regression_model *model,
                     const struct rc_question *question, struct rows *rows, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got;

    rc_db_run_filter_init(&filter);
    filter.app = question->app;
    filter.platform = question->platform;
    filter.status = RC_RUN_OK;
    cursor = rc_db_run_find(db, &filter, RC_FIELD_N | RC_FIELD_P | RC_FIELD_PARAMS, error);
    got = cursor ? 1 : -1;
    while (got > 0 && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        if (rc_array_room(&rows->list, rows->n + 1, &rows->room, sizeof *rows->list, error))
            got = -1;
        else
            rows->n += make_row(&run, model, &rows->list[rows->n]);
    }
    rc_db_run_cursor_close(cursor);
    return got;
}

static int compare(const void *a, const void *b)
{
    const struct row *one = a, *other = b;

    for (int i = 0; i < KEYS; i++)
        if (one->keys[i] != other->keys[i])
            return one->keys[i] < other->keys[i] ? -1 : 1;
    return 0;
}

static bool differ_only_in_x(const struct row *a, const struct row *b)
{
    return memcmp(a->keys, b->keys, X * sizeof *a->keys) == 0;
}

/* The first of the runs with most places on the axis; of several such sets, that with most runs, and
 * then the largest other coordinate. */
static const struct row *find_widest(struct rows *rows, size_t *places)
{
    const struct row *best = NULL;
    size_t best_runs = 0;

    *places = 0;
    qsort(rows->list, rows->n, sizeof *rows->list, compare);
    for (size_t first = 0, end; first < rows->n; first = end) {
        size_t count = 1;

        for (end = first + 1;
             end < rows->n && differ_only_in_x(&rows->list[first], &rows->list[end]); end++)
            count += rows->list[end].keys[X] != rows->list[end - 1].keys[X];
        if (count > *places || (count == *places && end - first >= best_runs)) {
            best = &rows->list[first];
            best_runs = end - first;
            *places = count;
        }
    }
    return best;
}

static void swap_axes(struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        double *keys = rows->list[i].keys, other = keys[OTHER];

        keys[OTHER] = keys[X];
        keys[X] = other;
    }
}

int rc_predict_curve_question(struct rc_db *db, const struct rc_regression_model *model,
                              struct rc_question *question, struct rc_param *params,
                              bool *over_procs, struct rc_error *error)
{
    struct rows rows = {.list = NULL};
    const struct row *found = NULL;
    size_t places = 0;
    int status = read_rows(db, model, question, &rows, error);

    *over_procs = true;
    if (status == 0)
        found = find_widest(&rows, &places);
    if (found && places == 1) {
        swap_axes(&rows);
        found = find_widest(&rows, &places);
        *over_procs = false;
    }
    if (found) {
        question->size = found->keys[*over_procs ? OTHER : X];
        question->procs = (int64_t)found->keys[*over_procs ? X : OTHER];
        question->params = params;
        question->n_params = model->n_params;
        for (size_t i = 0; i < model->n_params; i++)
            params[i] = (struct rc_param){model->params[i], found->keys[FIRST_PARAM + i]};
    } else if (status == 0) {
        status = rc_error_set(error, "no runs of '%s' for a curve", question->app);
    }
    free(rows.list);
    return status;
}
