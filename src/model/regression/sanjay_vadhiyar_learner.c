// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar_learner.c - the paper's list of models as runs come in (section 3.4).
 *
 * Invariants:
 * 1. normals[i] holds the sums of model->members[i] over all runs.
 * 2. Members are sorted by standard error; there is at least one.
 * 3. Every number in the model is finite. */
#include "model/regression/sanjay_vadhiyar_learner.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/regression/residuals.h"
#include "model/regression/sanjay_vadhiyar_model.h"

enum { OWN_LEAST = 20 }; /* runs here, for a model from elsewhere to be replaced */

struct place {
    uint32_t error; /* in steps; UINT32_MAX: cannot be fitted any more */
    uint32_t index;
};

struct rc_regression_paper_learner {
    struct rc_regression_model *model;
    struct rc_regression_sums *sums;
    struct rc_regression_paper_first first;
    bool elsewhere;
    /* in the members' order, with room for RC_REGRESSION_MEMBERS_MAX; and what sorting needs */
    struct rc_regression_normal *normals, *sorted_normals;
    struct rc_regression_member *sorted_members;
    struct place *places;
    struct rc_regression_errors errors;
};

/* ---- making ---- */

/* A copy with room for all members that there can be. */
static struct rc_regression_model *roomy_copy(const struct rc_regression_model *model,
                                              struct rc_error *error)
{
    struct rc_regression_model *copy = rc_regression_model_copy(model, error);
    struct rc_regression_member *members;

    if (!copy)
        return NULL;
    members = realloc(copy->members, RC_REGRESSION_MEMBERS_MAX * sizeof *members);
    if (members) {
        copy->members = members;
        return copy;
    }
    rc_regression_model_destroy(copy);
    rc_error_no_memory(error);
    return NULL;
}

static struct rc_regression_normal sums_of_member(const struct rc_regression_sums *sums,
                                                  const struct rc_regression_member *member)
{
    struct rc_regression_normal normal = {.n_columns = member->n_terms};
    unsigned at[RC_REGRESSION_COLUMNS_MAX + 1] = {0};

    for (unsigned i = 0; i < member->n_terms; i++)
        at[i] = member->terms[i].cpu ? rc_regression_column_comp(member->terms[i].size)
                                     : rc_regression_column_comm(sums, member->terms[i].size,
                                                                 member->terms[i].width);
    for (size_t block = 0; block < sums->n_blocks; block++) {
        const struct rc_regression_block *runs = sums->blocks[block];
        double scale[RC_REGRESSION_COLUMNS_MAX + 1], *sum = normal.sums;

        for (unsigned i = 0; i < member->n_terms; i++)
            scale[i] = runs->per_procs[member->terms[i].procs];
        scale[member->n_terms] = 1;
        normal.n_runs += runs->n_runs;
        for (unsigned i = 0; i <= member->n_terms; i++)
            for (unsigned j = 0; j <= i; j++)
                *sum++ += scale[i] * scale[j] * rc_regression_block_sum(runs, at[i], at[j]);
    }
    return normal;
}

/* Whether a member is one of the paper's, for runs such as these, and means something for all. */
static bool is_of_paper(const struct rc_regression_sums *sums,
                        const struct rc_regression_member *member)
{
    if (member->n_terms > RC_REGRESSION_COLUMNS_MAX)
        return false;
    for (unsigned i = 0; i < member->n_terms; i++) {
        const struct rc_regression_term *term = &member->terms[i];
        unsigned column;

        if (term->size >= RC_REGRESSION_SIZES_PAPER || term->procs >= RC_REGRESSION_PROCS_PAPER ||
            term->bytes || (!term->cpu && (term->width > 0) != sums->bandwidth))
            return false;
        column = term->cpu ? rc_regression_column_comp(term->size)
                           : rc_regression_column_comm(sums, term->size, term->width);
        if (sums->unusable[column])
            return false;
    }
    return true;
}

static int search_again(struct rc_regression_paper_learner *learner, struct rc_error *error);

/* Takes up the members of a model that was fitted before. */
static int take_up(struct rc_regression_paper_learner *learner, struct rc_error *error)
{
    struct rc_regression_model *model = learner->model;
    size_t kept = 0;

    if (learner->elsewhere)
        return 0;
    for (size_t i = 0; i < model->n_members; i++)
        if (is_of_paper(learner->sums, &model->members[i])) {
            model->members[kept] = model->members[i];
            learner->normals[kept] = sums_of_member(learner->sums, &model->members[kept]);
            kept++;
        }
    if (kept == 0)
        return search_again(learner, error);
    model->n_members = kept;
    rc_regression_paper_first_answers(model);
    return 0;
}

static int allocate(struct rc_regression_paper_learner *learner)
{
    learner->normals = calloc(RC_REGRESSION_MEMBERS_MAX, sizeof *learner->normals);
    learner->sorted_normals = calloc(RC_REGRESSION_MEMBERS_MAX, sizeof *learner->sorted_normals);
    learner->sorted_members = calloc(RC_REGRESSION_MEMBERS_MAX, sizeof *learner->sorted_members);
    learner->places = calloc(RC_REGRESSION_MEMBERS_MAX, sizeof *learner->places);
    return learner->normals && learner->sorted_normals && learner->sorted_members && learner->places
               ? 0
               : -1;
}

/* Whether these runs could make a list of their own. */
static bool has_enough(const struct rc_regression_sums *sums)
{
    double n_runs = 0;
    unsigned n_procs = 0;

    for (size_t i = 0; i < sums->n_blocks; i++)
        if (sums->blocks[i]->p > 1) {
            n_runs += sums->blocks[i]->n_runs;
            n_procs++;
        }
    return n_runs >= OWN_LEAST && n_procs >= 2;
}

static int begin(struct rc_regression_paper_learner *learner,
                 const struct rc_regression_table *table, const struct rc_regression_model *model,
                 struct rc_error *error)
{
    struct rc_regression_paper_report unused;

    learner->model = roomy_copy(model, error);
    if (!learner->model)
        return -1;
    if (allocate(learner) != 0)
        return rc_error_no_memory(error);
    learner->sums = rc_regression_sums_create(table, error);
    if (!learner->sums)
        return -1;
    rc_regression_paper_first(learner->sums, &learner->first, &unused);
    learner->elsewhere = table->n_runs < model->n_runs && !has_enough(learner->sums);
    rc_regression_errors_begin(&learner->errors, model);
    return take_up(learner, error);
}

struct rc_regression_paper_learner *
rc_regression_paper_learner_create(const struct rc_regression_table *table,
                                   const struct rc_regression_model *model, struct rc_error *error)
{
    struct rc_regression_model *fitted = NULL;
    struct rc_regression_paper_learner *learner = NULL;

    for (size_t i = 0; i < table->n_runs; i++)
        if (rc_regression_paper_check(&table->runs[i], error) != 0)
            return NULL;
    if (!model && !(model = fitted = rc_regression_paper_fit(table, error)))
        return NULL;
    learner = calloc(1, sizeof *learner);
    if (!learner) {
        rc_error_no_memory(error);
    } else if (begin(learner, table, model, error) != 0) {
        rc_regression_paper_learner_destroy(learner);
        learner = NULL;
    }
    rc_regression_model_destroy(fitted);
    return learner;
}

void rc_regression_paper_learner_destroy(struct rc_regression_paper_learner *learner)
{
    if (!learner)
        return;
    rc_regression_model_destroy(learner->model);
    rc_regression_sums_destroy(learner->sums);
    free(learner->normals);
    free(learner->sorted_normals);
    free(learner->sorted_members);
    free(learner->places);
    free(learner);
}

const struct rc_regression_model *
rc_regression_paper_learner_model(const struct rc_regression_paper_learner *learner)
{
    return learner->model;
}

/* ---- the search again ---- */

/* Where runs are too few for a search, the list stays. */
static int search_again(struct rc_regression_paper_learner *learner, struct rc_error *error)
{
    struct rc_regression_combination *list = calloc(RC_REGRESSION_PAPER_AFTER_THIRD, sizeof *list);
    struct rc_regression_paper_report unused = {0};
    struct rc_regression_model *model = learner->model;
    size_t n = 0;
    int status = -1;

    if (!list)
        return rc_error_no_memory(error);
    if (rc_regression_paper_search(learner->sums, &learner->first, list, &n, &unused, error) == 0) {
        status = 0;
        model->n_members = n;
        for (size_t i = 0; i < n; i++) {
            struct rc_regression_member *member = &model->members[i];

            rc_regression_paper_terms(learner->sums, list[i], member);
            rc_regression_paper_normal(learner->sums, list[i], &learner->normals[i]);
            member->error =
                rc_regression_normal_solve(&learner->normals[i], member->coefficients, NULL);
        }
        learner->elsewhere = false;
        model->predictions = 0;
        rc_regression_paper_first_answers(model);
    }
    free(list);
    return status;
}

/* ---- one more run ---- */

static void remember(struct rc_regression_paper_learner *learner,
                     const struct rc_regression_run *run, const struct rc_regression_paper_row *row)
{
    const struct rc_regression_member *first = &learner->model->members[0];
    double columns[RC_REGRESSION_TERMS_MAX], predicted = 0;

    if (rc_regression_paper_columns(first, row, columns))
        for (unsigned i = 0; i < first->n_terms; i++)
            predicted += first->coefficients[i] * columns[i];
    rc_regression_errors_add(&learner->errors, run->p, run->seconds, predicted);
}

/* Adds the run to all members' sums and fits them; what cannot be any more gets the last place. */
static void refit(struct rc_regression_paper_learner *learner, const struct rc_regression_run *run,
                  const struct rc_regression_paper_row *row)
{
    for (size_t i = 0; i < learner->model->n_members; i++) {
        struct rc_regression_member *member = &learner->model->members[i];
        struct rc_regression_normal *normal = &learner->normals[i];
        const double *squares =
            &normal->sums[(member->n_terms + 1) * (member->n_terms + 2) / 2 - 1];
        double columns[RC_REGRESSION_COLUMNS_MAX], error = INFINITY;

        if (rc_regression_paper_columns(member, row, columns)) {
            rc_regression_normal_add(normal, columns, run->seconds);
            error = rc_regression_normal_solve(normal, member->coefficients, NULL);
        }
        learner->places[i] = (struct place){UINT32_MAX, (uint32_t)i};
        if (!isfinite(error))
            continue;
        member->error = error;
        learner->places[i].error =
            rc_regression_paper_steps(error, sqrt(*squares / normal->n_runs));
    }
}

static int by_error(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->error != b->error)
        return a->error < b->error ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Sorts, counts who is in the lowest tenth, and drops those that were five times in a row.  Returns
 * how many are left. */
static size_t rank(struct rc_regression_paper_learner *learner)
{
    size_t n = learner->model->n_members, lowest = n - n / 10, kept = 0;
    struct rc_regression_member *members = learner->model->members;
    struct rc_regression_normal *normals = learner->normals;

    qsort(learner->places, n, sizeof *learner->places, by_error);
    for (size_t i = 0; i < n; i++) {
        struct rc_regression_member *member = &members[learner->places[i].index];

        member->lowest = i >= lowest ? member->lowest + 1 : 0;
        if (member->lowest >= RC_REGRESSION_PAPER_LOWEST_MOST ||
            learner->places[i].error == UINT32_MAX)
            continue;
        assert(isfinite(member->error)); /* invariant 3 */
        assert(i == 0 ||
               learner->places[i - 1].error <= learner->places[i].error); /* invariant 2 */
        learner->sorted_members[kept] = *member;
        learner->sorted_normals[kept++] = normals[learner->places[i].index];
    }
    if (kept == 0)
        return 0;
    learner->model->members = learner->sorted_members;
    learner->sorted_members = members;
    learner->normals = learner->sorted_normals;
    learner->sorted_normals = normals;
    learner->model->n_members = kept;
    return kept;
}

int rc_regression_paper_learner_add(struct rc_regression_paper_learner *learner,
                                    const struct rc_regression_run *run, struct rc_error *error)
{
    struct rc_regression_paper_row row;
    bool empty = false;

    if (rc_regression_paper_check(run, error) != 0 ||
        rc_regression_sums_add(learner->sums, run, error) != 0)
        return -1;
    rc_regression_paper_row(learner->sums, run, &row);
    remember(learner, run, &row);
    rc_regression_paper_see(learner->model, learner->sums, run);
    learner->model->predictions++;
    if (!learner->elsewhere) {
        refit(learner, run, &row);
        empty = rank(learner) == 0;
    }
    if (empty ||
        (learner->elsewhere ? has_enough(learner->sums)
                            : learner->model->predictions >= RC_REGRESSION_PAPER_SEARCH_AFTER))
        if (search_again(learner, NULL) != 0)
            learner->model->predictions = 0;
    rc_regression_paper_first_answers(learner->model);
    rc_regression_errors_tell(&learner->errors, 1, learner->model);
    if (!learner->elsewhere)
        rc_regression_paper_spread(learner->model, &learner->normals[0]);
    return 0;
}

void rc_regression_paper_learner_pass(struct rc_regression_paper_learner *learner, int64_t id)
{
    if (id > learner->model->up_to)
        learner->model->up_to = id;
}
