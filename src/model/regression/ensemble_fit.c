// SPDX-License-Identifier: GPL-3.0-or-later
/* ensemble_fit.c - from runs to an ensemble of models: what is done by default.
 *
 * A search through sums of terms (search.c), whose best are judged by runs that they had not
 * seen and become an ensemble (ensemble.c).  It is done three times.  The first time errors are
 * taken relative to the times measured; after that relative to those predicted by the ensemble
 * before, each kind of runs counts by how even it is, and runs that lie far from what was
 * predicted count less, so that one run on a machine in trouble does not bend the model. Where
 * runs are many, the search looks at some of them, and the ensemble at more.  The first round leaves
 * killed runs out; after each round their times are estimated (killed_runs.h). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/regression/bytes_model.h"
#include "model/regression/ensemble.h"
#include "model/regression/killed_runs.h"
#include "model/regression/residuals.h"
#include "model/regression/parameter_factors.h"
#include "model/regression/run_selection.h"

enum { SEARCH_RUNS = 320, JUDGE_RUNS = 10000, CANDIDATES = 300, ROUNDS = 3 };
/* Runs that are further off than this, in standard deviations, count less. */
static const double outlying = 2.5;
/* No class is taken to be more even than this, in times of all. */
static const double least_noise = 0.3;
/* A statistic of the load with less of the weight than this does not count. */
static const double least_weight = 0.01;

/* A sum of many terms needs many runs.  The rounds before the last only have to find out which runs
 * are how uneven. */
static struct rc_regression_effort effort_of(unsigned round, size_t n_runs)
{
    unsigned most = n_runs < 6 ? 1 : n_runs < 12 ? 2 : n_runs < 25 ? 3 : 4;

    if (round + 1 == ROUNDS)
        return (struct rc_regression_effort){most, RC_REGRESSION_BEAM_MAX};
    return (struct rc_regression_effort){most < 3 ? most : 3, RC_REGRESSION_BEAM_MAX / 4};
}

/* ---- one round ---- */

struct search_space {
    struct rc_regression_library libraries[RC_REGRESSION_STATS];
    struct rc_regression_nominee *nominees;
    size_t n_nominees;
};

static void space_free(struct search_space *space)
{
    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++)
        rc_regression_library_free(&space->libraries[stat]);
    free(space->nominees);
    *space = (struct search_space){0};
}

static int nominate(struct search_space *space, const struct rc_regression_view *view,
                    const struct rc_regression_factor_set *factors,
                    struct rc_regression_effort effort, struct rc_error *error)
{
    struct rc_regression_candidate *candidates = malloc(CANDIDATES * sizeof *candidates);
    int status = candidates ? 0 : rc_error_no_memory(error);

    space->nominees = malloc(RC_REGRESSION_STATS * CANDIDATES * sizeof *space->nominees);
    if (!space->nominees)
        status = rc_error_no_memory(error);
    for (size_t stat = 0; status == 0 && stat < view->n_stats; stat++) {
        size_t n;

        if (rc_regression_library_make(&space->libraries[stat], &view->rows[stat], factors->vectors,
                                       factors->n, error) != 0) {
            status = -1;
            break;
        }
        n = rc_regression_search(&space->libraries[stat], effort, candidates, CANDIDATES);
        for (size_t i = 0; i < n; i++)
            space->nominees[space->n_nominees++] =
                (struct rc_regression_nominee){&space->libraries[stat], &view->rows[stat],
                                               candidates[i]};
    }
    free(candidates);
    return status;
}

/* Searches, and judges what was found by the same runs. */
static int search(const struct rc_regression_view *view,
                  const struct rc_regression_factor_set *factors,
                  struct rc_regression_effort effort, struct rc_regression_ensemble *ensemble,
                  struct rc_error *error)
{
    struct search_space space = {0};
    int status = nominate(&space, view, factors, effort, error);

    if (status == 0)
        status = rc_regression_ensemble_make(ensemble, space.nominees, space.n_nominees, error);
    space_free(&space);
    return status;
}

/* ---- judging by more runs than were searched ---- */

static size_t find_term(const struct rc_regression_term *terms, size_t n,
                        const struct rc_regression_term *term)
{
    size_t i = 0;

    while (i < n && memcmp(&terms[i], term, sizeof *term) != 0)
        i++;
    return i;
}

/* A library of the terms of all members, and the members as nominees by it.  A term that means
 * nothing in one of the further runs was left out of the library: its members are left out too. */
static int nominate_members(struct search_space *space, const struct rc_regression_view *view,
                            const struct rc_regression_ensemble *ensemble, struct rc_error *error)
{
    struct rc_regression_term terms[RC_REGRESSION_ENSEMBLE_MAX * RC_REGRESSION_TERMS_MAX];
    size_t n_terms = 0;

    for (size_t i = 0; i < ensemble->n; i++)
        for (unsigned j = 0; j < ensemble->members[i].n_terms; j++) {
            size_t at = find_term(terms, n_terms, &ensemble->members[i].terms[j]);

            if (at == n_terms)
                terms[n_terms++] = ensemble->members[i].terms[j];
        }
    space->nominees = malloc(ensemble->n * sizeof *space->nominees);
    if (!space->nominees)
        return rc_error_no_memory(error);
    for (size_t stat = 0; stat < view->n_stats; stat++)
        if (rc_regression_library_of(&space->libraries[stat], &view->rows[stat], terms, n_terms,
                                     error) != 0)
            return -1;
    for (size_t i = 0; i < ensemble->n; i++) {
        const struct rc_regression_member *member = &ensemble->members[i];
        struct rc_regression_nominee *nominee = &space->nominees[space->n_nominees];
        size_t stat = view->rows[0].stat == member->stat ? 0 : 1;
        bool whole = true;

        *nominee = (struct rc_regression_nominee){&space->libraries[stat],
                                                  &view->rows[stat],
                                                  {.n_terms = member->n_terms}};
        for (unsigned j = 0; j < member->n_terms; j++) {
            size_t at =
                find_term(nominee->library->terms, nominee->library->n_columns, &member->terms[j]);

            nominee->candidate.columns[j] = (unsigned short)at;
            whole = whole && at < nominee->library->n_columns;
        }
        space->n_nominees += whole;
    }
    return 0;
}

static int judge_again(const struct rc_regression_view *view,
                       struct rc_regression_ensemble *ensemble, struct rc_error *error)
{
    struct search_space space = {0};
    struct rc_regression_ensemble *again = malloc(sizeof *again);
    int status =
        again ? nominate_members(&space, view, ensemble, error) : rc_error_no_memory(error);

    if (status == 0)
        status = rc_regression_ensemble_make(again, space.nominees, space.n_nominees, error);
    if (status == 0) {
        rc_regression_ensemble_free(ensemble);
        *ensemble = *again;
    }
    space_free(&space);
    free(again);
    return status;
}

/* ---- uneven and outlying runs ---- */

/* The spread of each class of numbers of processes, in times of that of all, from the errors of
 * an ensemble. */
static void find_noise(const struct rc_regression_view *view,
                       const struct rc_regression_ensemble *ensemble, double *noise)
{
    struct rc_regression_unevenness uneven = {0};
    double spread = fmax(ensemble->sigma, 0.1 * RC_REGRESSION_ERROR_FLOOR);

    for (size_t i = 0; i < view->n; i++)
        if (!(view->runs[i]->at_least > 0))
            rc_regression_uneven_add(&uneven, view->runs[i]->p,
                                     log(view->runs[i]->seconds / ensemble->held_out[i]) / spread);
    rc_regression_uneven_tell(&uneven, noise);
}

static int scale_by_forecast(struct rc_regression_view *view,
                             const struct rc_regression_ensemble *ensemble, double *noise,
                             struct rc_error *error)
{
    double spread = fmax(ensemble->sigma, RC_REGRESSION_ERROR_FLOOR);

    find_noise(view, ensemble, noise);
    if (rc_regression_killed_estimate(view, ensemble, noise, error))
        return -1;
    for (size_t i = 0; i < view->n; i++) {
        double predicted = ensemble->held_out[i];
        double even = fmax(noise[rc_regression_class(view->runs[i]->p)], least_noise);
        double off = fabs(log(view->runs[i]->seconds / predicted)) / (outlying * spread * even);

        view->scales[i] = 1 / (predicted * even * fmax(off, 1));
    }
    return 0;
}

/* A statistic of the load by which hardly any member goes is not looked at again. */
static void drop_statistic(struct rc_regression_view *view,
                           const struct rc_regression_ensemble *ensemble)
{
    double weights[RC_REGRESSION_STATS] = {0};

    for (size_t i = 0; i < ensemble->n; i++)
        weights[ensemble->members[i].stat] += ensemble->members[i].weight;
    for (size_t i = 0; i < view->n_stats && view->n_stats > 1; i++)
        if (weights[view->rows[i].stat] < least_weight) {
            view->rows[i] = view->rows[1 - i];
            view->n_stats = 1;
        }
}

/* Bytes that follow from the size and the processes tell nothing that these do not. */
static void drop_bytes(struct rc_regression_view *view, struct rc_regression_view *some)
{
    bool bytes = some->rows[0].bytes && !rc_regression_bytes_follow(&some->rows[0]);

    for (size_t i = 0; i < view->n_stats; i++)
        view->rows[i].bytes = some->rows[i].bytes = bytes;
}

/* ---- the whole ---- */

static int find_ensemble(struct rc_regression_view *view, struct rc_regression_ensemble *ensemble,
                         double *noise, struct rc_error *error)
{
    struct rc_regression_view some = {0};
    struct rc_regression_factor_set factors;
    int status = rc_regression_view_thin(&some, view, SEARCH_RUNS, error);

    if (status == 0) {
        drop_bytes(view, &some);
        status = rc_regression_factors_find(&some, &factors, error);
    }
    for (unsigned round = 0; status == 0 && round < ROUNDS; round++) {
        if (round)
            rc_regression_ensemble_free(ensemble);
        status = search(&some, &factors, effort_of(round, some.n), ensemble, error);
        if (status == 0 && round + 1 < ROUNDS) {
            status = scale_by_forecast(&some, ensemble, noise, error);
            drop_statistic(&some, ensemble);
        }
    }
    rc_regression_view_free(&some);
    if (status == 0 && view->n > SEARCH_RUNS) {
        status = judge_again(view, ensemble, error);
        if (status == 0)
            status = scale_by_forecast(view, ensemble, noise, error);
        if (status == 0)
            status = judge_again(view, ensemble, error);
    }
    return status ? -1 : rc_regression_killed_estimate(view, ensemble, noise, error);
}

/* The ranges of the runs, to detect extrapolation. */
static void note_ranges(struct rc_regression_model *model, const struct rc_regression_table *table)
{
    double widths = 0;
    size_t n_widths = 0;

    model->n = model->p = model->cpu = model->bw = (struct rc_range){NAN, NAN};
    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        model->given[i] = (struct rc_range){NAN, NAN};
    for (size_t i = 0; i < table->n_runs; i++) {
        const struct rc_regression_run *run = &table->runs[i];

        rc_regression_widen(&model->n, run->n);
        rc_regression_widen(&model->p, run->p);
        for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++) {
            rc_regression_widen(&model->cpu, run->cpu[stat]);
            rc_regression_widen(&model->bw, run->bw[stat]);
        }
        for (size_t j = 0; j < table->n_params; j++)
            rc_regression_widen(&model->given[j], run->params[j]);
        if (run->bw[0] > 0 || run->bw[1] > 0) {
            widths += run->bw[0] > 0 ? run->bw[0] : run->bw[1];
            n_widths++;
        }
        if (run->id > model->up_to)
            model->up_to = run->id;
    }
    for (size_t i = 0; i < table->n_killed; i++)
        if (table->killed[i].id > model->up_to)
            model->up_to = table->killed[i].id;
    model->bw_mean = n_widths ? widths / (double)n_widths : NAN;
    model->n_runs = table->n_runs;
    model->n_killed = table->n_killed;
}

/* Errors on runs held out, all or evenly chosen ones. */
static void note_residuals(struct rc_regression_model *model, const struct rc_regression_view *view,
                           const struct rc_regression_ensemble *ensemble)
{
    size_t n = ensemble->n_held_out, room = RC_REGRESSION_RESIDUALS_MAX;
    double terms = ensemble->members[0].n_terms;
    /* The form was chosen by the same runs, which makes errors look smaller. */
    double optimism = sqrt((double)n / fmax((double)n - terms - 1, 1));
    struct rc_regression_errors errors = {.n = 0};

    for (size_t i = 0; i < n; i++)
        if (n <= room || (i + 1) * room / n != i * room / n)
            rc_regression_errors_add(&errors, view->runs[i]->p, view->runs[i]->seconds,
                                     ensemble->held_out[i]);
    rc_regression_errors_tell(&errors, optimism, model);
}

static int copy_params(struct rc_regression_model *model, const struct rc_regression_table *table,
                       struct rc_error *error)
{
    for (size_t i = 0; i < table->n_params; i++) {
        model->params[i] = strdup(table->params[i]);
        if (!model->params[i])
            return rc_error_no_memory(error);
        model->n_params++;
    }
    return 0;
}

static struct rc_regression_model *settle(const struct rc_regression_table *table,
                                          const struct rc_regression_view *view,
                                          const struct rc_regression_ensemble *ensemble,
                                          struct rc_error *error)
{
    struct rc_regression_model *model = calloc(1, sizeof *model);

    if (model)
        model->members = calloc(ensemble->n, sizeof *model->members);
    if (!model || !model->members || copy_params(model, table, error) != 0) {
        rc_regression_model_destroy(model);
        rc_error_no_memory(error);
        return NULL;
    }
    model->criterion = RC_REGRESSION_DEFAULT;
    memcpy(model->members, ensemble->members, ensemble->n * sizeof *model->members);
    model->n_members = ensemble->n;
    note_ranges(model, table);
    if (view->rows[0].bytes)
        rc_regression_bytes_fit(view, model);
    return model;
}

struct rc_regression_model *rc_regression_ensemble_fit(const struct rc_regression_table *table,
                                                       struct rc_error *error)
{
    struct rc_regression_view view = {0};
    double noise[RC_REGRESSION_CLASSES];
    struct rc_regression_ensemble *ensemble = calloc(1, sizeof *ensemble);
    struct rc_regression_model *model = NULL;

    if (!ensemble) {
        rc_error_no_memory(error);
        return NULL;
    }
    if (rc_regression_view_make(&view, table, JUDGE_RUNS, error) == 0 &&
        find_ensemble(&view, ensemble, noise, error) == 0)
        model = settle(table, &view, ensemble, error);
    if (model)
        note_residuals(model, &view, ensemble);
    rc_regression_ensemble_free(ensemble);
    free(ensemble);
    rc_regression_view_free(&view);
    return model;
}
