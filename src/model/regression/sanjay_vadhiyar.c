// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar.c - a model by the paper's method: the list that the search leaves, and its
 * errors.
 *
 * For errors on runs that were not seen, each run in turn is left out of the fit of the first
 * member, which takes no new fit: the error then is the residual over 1 - h, with h the run's
 * leverage.  The covariance of the coefficients is SE^2 times the inverse of the normal
 * equations. */
#include "model/regression/sanjay_vadhiyar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/regression/residuals.h"
#include "model/regression/sanjay_vadhiyar_model.h"

int rc_regression_paper_check(const struct rc_regression_run *run, struct rc_error *error)
{
    if (run->seconds > 0 && isfinite(run->seconds) && run->n > 0 && isfinite(run->n) &&
        run->p >= 1 && isfinite(run->p))
        return 0;
    return rc_error_set(error, "cannot learn from a run without a size, a number of processes or a "
                               "time");
}

/* ---- members ---- */

void rc_regression_paper_terms(const struct rc_regression_sums *sums,
                               struct rc_regression_combination made,
                               struct rc_regression_member *member)
{
    struct rc_regression_paper_function comp = rc_regression_paper_function(made.comp),
                                        comm = rc_regression_paper_function(made.comm);

    *member = (struct rc_regression_member){.stat = sums->stat};
    for (unsigned i = 0; i < comp.n; i++)
        member->terms[member->n_terms++] = (struct rc_regression_term){.size = comp.sizes[i],
                                                                       .procs = made.procs_comp,
                                                                       .cpu = true};
    for (unsigned i = 0; i < comm.n; i++)
        member->terms[member->n_terms++] = (struct rc_regression_term){
            .size = comm.sizes[i], .procs = made.procs_comm, .width = made.width, .parallel = true};
}

void rc_regression_paper_spread(struct rc_regression_model *model,
                                const struct rc_regression_normal *normal)
{
    struct rc_regression_member *member = &model->members[0];
    double root[RC_REGRESSION_SPREAD_MAX], unused[RC_REGRESSION_COLUMNS_MAX];
    unsigned n = member->n_terms * (member->n_terms + 1) / 2;

    memset(member->spread, 0, sizeof member->spread);
    if (!isfinite(rc_regression_normal_solve(normal, unused, root)) || !(model->sigma > 0))
        return;
    for (unsigned i = 0; i < n; i++)
        member->spread[i] = root[i] * member->error / model->sigma;
}

void rc_regression_paper_first_answers(struct rc_regression_model *model)
{
    for (size_t i = 0; i < model->n_members; i++)
        model->members[i].weight = i == 0;
}

void rc_regression_paper_row(const struct rc_regression_sums *sums,
                             const struct rc_regression_run *run,
                             struct rc_regression_paper_row *row)
{
    double bw = rc_regression_sums_bw(sums, run);

    row->alone = run->p <= 1;
    row->per_cpu = 1 / rc_regression_sums_cpu(sums, run);
    for (unsigned i = 0; i < RC_REGRESSION_SIZES; i++)
        row->sizes[i] = rc_regression_size(i, run->n);
    for (unsigned i = 0; i < RC_REGRESSION_PROCS; i++)
        row->per_procs[i] = 1 / rc_regression_procs(i, run->p);
    row->per_width[0] = 1;
    for (unsigned i = 1; i < RC_REGRESSION_WIDTHS; i++)
        row->per_width[i] = 1 / rc_regression_width(i, bw);
}

bool rc_regression_paper_columns(const struct rc_regression_member *member,
                                 const struct rc_regression_paper_row *row, double *columns)
{
    for (unsigned i = 0; i < member->n_terms; i++) {
        const struct rc_regression_term *term = &member->terms[i];

        columns[i] = 0;
        if (term->parallel && row->alone)
            continue;
        columns[i] = row->sizes[term->size] * row->per_procs[term->procs] *
                     (term->cpu ? row->per_cpu : row->per_width[term->width]);
        if (!(columns[i] > 0) || !isfinite(columns[i] * columns[i]))
            return false;
    }
    return true;
}

/* ---- what was seen ---- */

static void widen(struct rc_range *range, double x)
{
    if (!isfinite(x))
        return;
    range->low = fmin(range->low, x);
    range->high = fmax(range->high, x);
}

void rc_regression_paper_see(struct rc_regression_model *model,
                             const struct rc_regression_sums *sums,
                             const struct rc_regression_run *run)
{
    widen(&model->n, run->n);
    widen(&model->p, run->p);
    widen(&model->cpu, run->cpu[sums->stat]);
    widen(&model->bw, run->bw[sums->stat]);
    for (size_t i = 0; i < model->n_params; i++)
        widen(&model->given[i], run->params[i]);
    model->n_runs++;
    if (run->id > model->up_to)
        model->up_to = run->id;
}

/* A range that nothing widened has no ends; JSON knows no infinity. */
static void close_range(struct rc_range *range)
{
    if (range->low > range->high)
        *range = (struct rc_range){NAN, NAN};
}

static void see_all(struct rc_regression_model *model, const struct rc_regression_sums *sums,
                    const struct rc_regression_table *table)
{
    struct rc_range none = {INFINITY, -INFINITY};

    model->n = model->p = model->cpu = model->bw = none;
    for (size_t i = 0; i < model->n_params; i++)
        model->given[i] = none;
    for (size_t i = 0; i < table->n_runs; i++)
        rc_regression_paper_see(model, sums, &table->runs[i]);
    close_range(&model->cpu);
    close_range(&model->bw);
    for (size_t i = 0; i < model->n_params; i++)
        if (model->given[i].low > model->given[i].high)
            model->given[i] = (struct rc_range){0, 0};
    model->bw_mean = sums->bw_mean;
}

/* ---- errors ---- */

/* What the first member predicts for a run that it was not fitted to. */
static double predicted_without(const struct rc_regression_sums *sums,
                                const struct rc_regression_member *member, const double *root,
                                const struct rc_regression_run *run)
{
    double columns[RC_REGRESSION_COLUMNS_MAX], seconds = 0, leverage = 0;
    struct rc_regression_paper_row row;

    rc_regression_paper_row(sums, run, &row);
    if (!rc_regression_paper_columns(member, &row, columns))
        return 0;
    for (unsigned i = 0; i < member->n_terms; i++)
        seconds += member->coefficients[i] * columns[i];
    for (unsigned j = 0; j < member->n_terms; j++) {
        double along = 0;

        for (unsigned i = j; i < member->n_terms; i++)
            along += root[i * (i + 1) / 2 + j] * columns[i];
        leverage += along * along;
    }
    return run->seconds - (run->seconds - seconds) / fmax(1 - leverage, 1e-3);
}

static void leave_each_out(struct rc_regression_model *model, const struct rc_regression_sums *sums,
                           const struct rc_regression_table *table,
                           const struct rc_regression_normal *normal)
{
    size_t stride = (table->n_runs + RC_REGRESSION_RESIDUALS_MAX - 1) / RC_REGRESSION_RESIDUALS_MAX;
    double root[RC_REGRESSION_SPREAD_MAX], unused[RC_REGRESSION_COLUMNS_MAX];
    struct rc_regression_errors errors = {0};

    rc_regression_normal_solve(normal, unused, root);
    for (size_t i = 0; i < table->n_runs; i += stride) {
        const struct rc_regression_run *run = &table->runs[i];

        rc_regression_errors_add(&errors, run->p, run->seconds,
                                 predicted_without(sums, &model->members[0], root, run));
    }
    rc_regression_errors_tell(&errors, 1, model);
    rc_regression_paper_spread(model, normal);
}

/* ---- the model ---- */

static int name_params(struct rc_regression_model *model, const struct rc_regression_table *table)
{
    for (size_t i = 0; i < table->n_params; i++) {
        model->params[i] = strdup(table->params[i]);
        if (!model->params[i])
            return -1;
        model->n_params++;
    }
    return 0;
}

/* Puts the list in place of the model's members, fitted and in that order.  -1 where memory runs
 * out; then nothing was changed. */
static int put_members(struct rc_regression_model *model, const struct rc_regression_sums *sums,
                       const struct rc_regression_combination *list, size_t n)
{
    struct rc_regression_member *members = calloc(n, sizeof *members);

    if (!members)
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct rc_regression_normal normal;

        rc_regression_paper_terms(sums, list[i], &members[i]);
        rc_regression_paper_normal(sums, list[i], &normal);
        members[i].error = rc_regression_normal_solve(&normal, members[i].coefficients, NULL);
    }
    free(model->members);
    model->members = members;
    model->n_members = n;
    rc_regression_paper_first_answers(model);
    return 0;
}

static struct rc_regression_model *make_model(const struct rc_regression_table *table,
                                              const struct rc_regression_sums *sums,
                                              const struct rc_regression_combination *list,
                                              size_t n, struct rc_error *error)
{
    struct rc_regression_model *model = calloc(1, sizeof *model);
    struct rc_regression_normal normal;

    if (!model || name_params(model, table) != 0 || put_members(model, sums, list, n) != 0) {
        rc_regression_model_destroy(model);
        rc_error_no_memory(error);
        return NULL;
    }
    model->criterion = RC_REGRESSION_PAPER;
    see_all(model, sums, table);
    rc_regression_paper_normal(sums, list[0], &normal);
    leave_each_out(model, sums, table, &normal);
    return model;
}

static struct rc_regression_model *fit(const struct rc_regression_table *table,
                                       struct rc_regression_paper_report *report,
                                       struct rc_error *error)
{
    struct rc_regression_combination list[RC_REGRESSION_PAPER_AFTER_THIRD];
    struct rc_regression_sums *sums = rc_regression_sums_create(table, error);
    struct rc_regression_paper_first first;
    struct rc_regression_model *model = NULL;
    size_t n;

    if (!sums)
        return NULL;
    rc_regression_paper_first(sums, &first, report);
    if (rc_regression_paper_search(sums, &first, list, &n, report, error) == 0)
        model = make_model(table, sums, list, n, error);
    rc_regression_sums_destroy(sums);
    return model;
}

struct rc_regression_model *
rc_regression_paper_fit_report(const struct rc_regression_table *table,
                               struct rc_regression_paper_report *report, struct rc_error *error)
{
    struct rc_regression_paper_report unused;

    for (size_t i = 0; i < table->n_runs; i++)
        if (rc_regression_paper_check(&table->runs[i], error) != 0)
            return NULL;
    return fit(table, report ? report : &unused, error);
}

struct rc_regression_model *rc_regression_paper_fit(const struct rc_regression_table *table,
                                                    struct rc_error *error)
{
    return rc_regression_paper_fit_report(table, NULL, error);
}
