// SPDX-License-Identifier: GPL-3.0-or-later
/* ensemble_learner.c - an ensemble of models as runs come in.
 *
 * Columns of a member's sums are what its terms were to contribute by the coefficients that it had
 * when the sums were begun, as shares of the time that it predicted: numbers around 1, whatever the
 * units.  What least squares finds are then factors of those coefficients. */
#include "model/regression/ensemble_learner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/normal.h"
#include "model/regression/ensemble.h"
#include "model/regression/residuals.h"
#include "model/regression/normal_equations.h"

enum {
    SEARCH_AFTER = 50,
    OWN_LEAST = 20,     /* runs here, for a model from elsewhere to be replaced */
    BEGIN_WITH = 10000, /* runs, at most, evenly chosen */
    RARELY = 20         /* runs for each that must have come since the last search */
};
/* No single run counts more against a member than one with an error of so many standard
 * deviations. */
static const double most_off = 3;
/* Runs in a row with such errors show that the models are wrong there. */
enum { BAD_PREDICTIONS_MOST = 2 };

struct sums {
    struct rc_regression_normal normal;
    double begun_with[RC_REGRESSION_TERMS_MAX]; /* coefficients */
};

struct rc_regression_ensemble_learner {
    struct rc_regression_table table; /* all runs */
    struct rc_regression_model *model;
    struct sums sums[RC_REGRESSION_ENSEMBLE_MAX];
    bool elsewhere;
    struct rc_regression_errors errors;
};

/* ---- predictions of members ---- */

static struct rc_regression_question question_of(const struct rc_regression_run *run)
{
    struct rc_regression_question question = {.n = run->n, .p = run->p, .bytes = run->bytes};

    memcpy(question.params, run->params, sizeof question.params);
    return question;
}

/* The load of a run; unknown values are those of idle hosts. */
static void load_of(const struct rc_regression_model *model, const struct rc_regression_run *run,
                    double *cpu, double *bw)
{
    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        unsigned other = 1 - stat;

        cpu[stat] = run->cpu[stat] > 0 ? run->cpu[stat] : run->cpu[other] > 0 ? run->cpu[other] : 1;
        bw[stat] = run->bw[stat] > 0    ? run->bw[stat]
                   : run->bw[other] > 0 ? run->bw[other]
                   : model->bw_mean > 0 ? model->bw_mean
                                        : 1;
    }
}

static double predicted_by(const struct rc_regression_model *model, size_t member,
                           const struct rc_regression_run *run)
{
    struct rc_regression_question question = question_of(run);
    struct rc_regression_work work;
    double cpu[RC_REGRESSION_STATS], bw[RC_REGRESSION_STATS];

    load_of(model, run, cpu, bw);
    rc_regression_member_work(model, member, &question, &work);
    return rc_regression_work_seconds(&work, cpu[work.stat], bw[work.stat]);
}

static double predicted_by_all(const struct rc_regression_model *model,
                               const struct rc_regression_run *run)
{
    struct rc_regression_question question = question_of(run);
    double cpu[RC_REGRESSION_STATS], bw[RC_REGRESSION_STATS];

    load_of(model, run, cpu, bw);
    return rc_regression_seconds_at(model, &question, cpu, bw);
}

static double spread_of(const struct rc_regression_model *model,
                        const struct rc_regression_run *run)
{
    return fmax(model->sigma, 0.01) * rc_regression_noise(model, run->p);
}

/* A killed run with the time that it would have had by the model; the i-th one. */
static struct rc_regression_run estimate(const struct rc_regression_model *model,
                                         const struct rc_regression_run *killed, size_t i)
{
    struct rc_regression_run run = *killed;
    double predicted = predicted_by_all(model, killed), spread = spread_of(model, killed);
    double bound = rc_regression_errors_off(run.at_least, predicted) / spread;

    run.seconds = predicted * exp(spread * rc_normal_above(bound, rc_random_evenly(i)));
    run.seconds = fmax(run.seconds, run.at_least);
    run.bytes *= run.seconds / killed->seconds;
    return run;
}

/* ---- sums ---- */

/* What each term of a member contributes to a run, without coefficients. */
static void contributions(const struct rc_regression_model *model,
                          const struct rc_regression_member *member,
                          const struct rc_regression_run *run, double *out)
{
    struct rc_regression_question question = question_of(run);
    double cpu[RC_REGRESSION_STATS], bw[RC_REGRESSION_STATS];

    load_of(model, run, cpu, bw);
    for (unsigned i = 0; i < member->n_terms; i++)
        out[i] = rc_regression_term_seconds(model, &member->terms[i], &question, cpu[member->stat],
                                            bw[member->stat]);
}

static void add_to_sums(const struct rc_regression_model *model, size_t member,
                        const struct rc_regression_run *run, struct sums *sums)
{
    double columns[RC_REGRESSION_TERMS_MAX], predicted = 0, off, scale;
    unsigned n = model->members[member].n_terms;

    contributions(model, &model->members[member], run, columns);
    for (unsigned i = 0; i < n; i++) {
        columns[i] *= sums->begun_with[i];
        predicted += columns[i];
    }
    if (!(predicted > 0) || !isfinite(predicted))
        return;
    off = fabs(log(run->seconds / predicted)) / (most_off * spread_of(model, run));
    scale = 1 / (predicted * fmax(off, 1));
    for (unsigned i = 0; i < n; i++)
        columns[i] *= scale;
    rc_regression_normal_add(&sums->normal, columns, run->seconds * scale);
}

static void begin_sums(struct rc_regression_ensemble_learner *learner)
{
    const struct rc_regression_table *table = &learner->table;
    size_t step = table->n_runs / BEGIN_WITH + 1;

    for (size_t i = 0; i < learner->model->n_members; i++) {
        struct sums *sums = &learner->sums[i];

        *sums = (struct sums){.normal = {.n_columns = learner->model->members[i].n_terms}};
        memcpy(sums->begun_with, learner->model->members[i].coefficients, sizeof sums->begun_with);
        for (size_t run = 0; run < table->n_runs; run += step)
            add_to_sums(learner->model, i, &table->runs[run], sums);
        for (size_t run = 0; run < table->n_killed; run += step) {
            struct rc_regression_run killed = estimate(learner->model, &table->killed[run], run);

            add_to_sums(learner->model, i, &killed, sums);
        }
    }
}

/* New coefficients, as long as none is negative. */
static void refit(struct rc_regression_model *model, size_t member, const struct sums *sums)
{
    double factors[RC_REGRESSION_COLUMNS_MAX], root[RC_REGRESSION_SPREAD_MAX];
    struct rc_regression_member *of = &model->members[member];

    if (!isfinite(rc_regression_normal_solve(&sums->normal, factors, root)))
        return;
    for (unsigned i = 0; i < of->n_terms; i++)
        if (!(factors[i] > 0))
            return;
    for (unsigned i = 0, at = 0; i < of->n_terms; i++) {
        of->coefficients[i] = sums->begun_with[i] * factors[i];
        for (unsigned j = 0; j <= i; j++, at++)
            of->spread[at] = sums->begun_with[i] * root[at];
    }
}

/* ---- weights ---- */

/* Best first; sums go with their members. */
static void sort_members(struct rc_regression_ensemble_learner *learner)
{
    struct rc_regression_member *members = learner->model->members;

    for (size_t i = 1; i < learner->model->n_members; i++) /* nearly sorted as it is */
        for (size_t j = i; j > 0 && members[j].weight > members[j - 1].weight; j--) {
            struct rc_regression_member member = members[j];
            struct sums sums = learner->sums[j];

            members[j] = members[j - 1];
            members[j - 1] = member;
            learner->sums[j] = learner->sums[j - 1];
            learner->sums[j - 1] = sums;
        }
}

static void reweigh(struct rc_regression_ensemble_learner *learner,
                    const struct rc_regression_run *run)
{
    struct rc_regression_model *model = learner->model;
    double total = 0, spread = spread_of(model, run);

    for (size_t i = 0; i < model->n_members; i++) {
        double predicted = predicted_by(model, i, run), off = most_off;

        if (run->at_least > 0 && predicted > run->at_least)
            off = 0;
        else if (predicted > 0 && isfinite(predicted))
            off = fmin(fabs(log((run->at_least > 0 ? run->at_least : run->seconds) / predicted)) /
                           spread,
                       most_off);
        model->members[i].weight *= exp(-RC_REGRESSION_TEMPER * 0.5 * off * off);
        total += model->members[i].weight;
    }
    for (size_t i = 0; i < model->n_members; i++)
        model->members[i].weight /= total;
    sort_members(learner);
}

/* ---- errors ---- */

/* Whether to make the ensemble anew: by the count of runs or, where these are predicted badly, as
 * soon as there are a few more of them than the last time. */
static bool is_due(const struct rc_regression_ensemble_learner *learner)
{
    const struct rc_regression_model *model = learner->model;

    if (learner->elsewhere)
        return learner->table.n_runs >= OWN_LEAST;
    return model->predictions >= SEARCH_AFTER ||
           (model->bad_predictions >= BAD_PREDICTIONS_MOST &&
            model->predictions * RARELY >= learner->table.n_runs);
}

static void remember(struct rc_regression_ensemble_learner *learner,
                     const struct rc_regression_run *run)
{
    struct rc_regression_model *model = learner->model;
    double predicted = predicted_by_all(model, run);

    if (fabs(rc_regression_errors_off(run->seconds, predicted)) > most_off * spread_of(model, run))
        model->bad_predictions++;
    else
        model->bad_predictions = 0;
    rc_regression_errors_add(&learner->errors, run->p, run->seconds, predicted);
    rc_regression_errors_tell(&learner->errors, 1, model);
}

/* ---- the learner ---- */

static void adopt(struct rc_regression_ensemble_learner *learner, struct rc_regression_model *model)
{
    rc_regression_model_destroy(learner->model);
    learner->model = model;
    rc_regression_errors_begin(&learner->errors, model);
    begin_sums(learner);
}

static int copy_table(struct rc_regression_table *copy, const struct rc_regression_table *table,
                      struct rc_error *error)
{
    copy->runs = malloc((table->n_runs + 1) * sizeof *copy->runs);
    copy->killed = malloc((table->n_killed + 1) * sizeof *copy->killed);
    if (!copy->runs || !copy->killed)
        return rc_error_no_memory(error);
    if (table->n_runs)
        memcpy(copy->runs, table->runs, table->n_runs * sizeof *copy->runs);
    if (table->n_killed)
        memcpy(copy->killed, table->killed, table->n_killed * sizeof *copy->killed);
    copy->n_runs = table->n_runs;
    copy->capacity = table->n_runs + 1;
    copy->n_killed = table->n_killed;
    copy->killed_room = table->n_killed + 1;
    for (; copy->n_params < table->n_params; copy->n_params++) {
        copy->params[copy->n_params] = strdup(table->params[copy->n_params]);
        if (!copy->params[copy->n_params])
            return rc_error_no_memory(error);
    }
    return 0;
}

struct rc_regression_ensemble_learner *
rc_regression_ensemble_learner_create(const struct rc_regression_table *table,
                                      const struct rc_regression_model *model,
                                      struct rc_error *error)
{
    struct rc_regression_ensemble_learner *learner = calloc(1, sizeof *learner);
    struct rc_regression_model *first = NULL;

    if (!learner) {
        rc_error_no_memory(error);
        return NULL;
    }
    if (copy_table(&learner->table, table, error) == 0)
        first = model ? rc_regression_model_copy(model, error)
                      : rc_regression_ensemble_fit(table, error);
    if (!first) {
        rc_regression_ensemble_learner_destroy(learner);
        return NULL;
    }
    learner->elsewhere = model && 2 * table->n_runs < model->n_runs;
    adopt(learner, first);
    return learner;
}

void rc_regression_ensemble_learner_destroy(struct rc_regression_ensemble_learner *learner)
{
    if (!learner)
        return;
    rc_regression_table_free(&learner->table);
    rc_regression_model_destroy(learner->model);
    free(learner);
}

const struct rc_regression_model *
rc_regression_ensemble_learner_model(const struct rc_regression_ensemble_learner *learner)
{
    return learner->model;
}

static void see(struct rc_regression_model *model, const struct rc_regression_run *run)
{
    if (run->id > model->up_to)
        model->up_to = run->id;
    if (run->at_least > 0) {
        model->n_killed++;
        return;
    }
    rc_regression_widen(&model->n, run->n);
    rc_regression_widen(&model->p, run->p);
    for (size_t i = 0; i < model->n_params; i++)
        rc_regression_widen(&model->given[i], run->params[i]);
    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        rc_regression_widen(&model->cpu, run->cpu[stat]);
        rc_regression_widen(&model->bw, run->bw[stat]);
    }
    model->n_runs++;
}

int rc_regression_ensemble_learner_add(struct rc_regression_ensemble_learner *learner,
                                       const struct rc_regression_run *added,
                                       struct rc_error *error)
{
    struct rc_regression_model *model = learner->model, *anew;
    struct rc_regression_run run = *added;

    if (rc_regression_table_append(&learner->table, added, error) != 0)
        return -1;
    if (run.at_least > 0)
        run = estimate(model, added, learner->table.n_killed);
    remember(learner, &run);
    reweigh(learner, &run);
    if (!learner->elsewhere)
        for (size_t i = 0; i < model->n_members; i++) {
            add_to_sums(model, i, &run, &learner->sums[i]);
            refit(model, i, &learner->sums[i]);
        }
    see(model, &run);
    model->predictions++;
    if (is_due(learner)) {
        model->bad_predictions = 0;
        anew = rc_regression_ensemble_fit(&learner->table, NULL);
        model->predictions = 0;
        if (anew) { /* where runs are too few, or too much alike, it stays as it was */
            learner->elsewhere = false;
            adopt(learner, anew);
        }
    }
    return 0;
}
