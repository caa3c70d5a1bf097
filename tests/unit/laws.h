/* laws.h - tables of runs made from known laws, for the tests of regression models. */
#ifndef RC_TESTS_LAWS_H
#define RC_TESTS_LAWS_H

#include "base/random.h"
#include "model/regression/fit.h"
#include "unit.h"

/* 2e-8 n^3 / (P cpu) + 50 n^2 log2(P) / bw */
static inline double cubic_law(double n, double p, double cpu, double bw)
{
    return 2e-8 * n * n * n / (p * cpu) + (p > 1 ? 50 * n * n * log2(p) / bw : 0);
}

/* 1e-6 n^2 log2(n) / (P cpu) + 200 n^2 / (P bw) */
static inline double transform_law(double n, double p, double cpu, double bw)
{
    return 1e-6 * n * n * log2(n) / (p * cpu) + (p > 1 ? 200 * n * n / (p * bw) : 0);
}

/* (3e-4 n^1.5 + 7) / (sqrt(P) cpu) + 4000 n P / bw */
static inline double slow_law(double n, double p, double cpu, double bw)
{
    return (3e-4 * n * sqrt(n) + 7) / (sqrt(p) * cpu) + (p > 1 ? 4000 * n * p / bw : 0);
}

/* Chance, the same in every run of a test: seed() first, and seed(0) at the end to free it. */
static struct rc_random *chance;

static inline void seed(uint64_t number)
{
    rc_random_destroy(chance);
    chance = number ? rc_random_create(number, 0) : NULL;
}

typedef double (*law_function)(double n, double p, double cpu, double bw);

static inline struct rc_regression_run law_run(law_function law, double n, double p, double cpu,
                                               double bw)
{
    struct rc_regression_run run = {.n = n,
                                    .p = p,
                                    .cpu = {cpu, NAN},
                                    .bw = {bw, NAN},
                                    .bytes = NAN,
                                    .seconds = law(n, p, cpu, bw)};

    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        run.params[i] = NAN;
    return run;
}

static inline void table_put(struct rc_regression_table *table, struct rc_regression_run run)
{
    if (table->n_runs == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 64;
        table->runs = realloc(table->runs, table->capacity * sizeof *table->runs);
        assert_non_null(table->runs);
    }
    run.id = (int64_t)++table->n_runs;
    table->runs[table->n_runs - 1] = run;
}

/* A run of that law on p processes with a size from 500 to 2000, some load, and some noise. */
static inline struct rc_regression_run some_run(law_function law, double p, double noise)
{
    double n = floor(500 + 1500 * rc_random_uniform(chance));
    double cpu = 0.3 + 0.7 * rc_random_uniform(chance);
    double bw = 1e7 * (0.3 + 0.7 * rc_random_uniform(chance));
    struct rc_regression_run run = law_run(law, n, p, cpu, bw);

    run.seconds *= exp(rc_random_normal(chance, 0, noise));
    return run;
}

/* The paper's 20 + 20 + 10 + 10 runs on 1, 2, 4 and 8 processes. */
static inline void put_training(struct rc_regression_table *table, law_function law, double noise)
{
    static const struct {
        double p;
        int runs;
    } parts[] = {{1, 20}, {2, 20}, {4, 10}, {8, 10}};

    for (size_t i = 0; i < COUNT(parts); i++)
        for (int j = 0; j < parts[i].runs; j++)
            table_put(table, some_run(law, parts[i].p, noise));
}

static inline double answer(const struct rc_regression_model *model,
                            const struct rc_regression_run *run)
{
    struct rc_regression_question question = {.n = run->n, .p = run->p, .bytes = NAN};

    return rc_regression_seconds(model, &question, isnan(run->cpu[0]) ? 1 : run->cpu[0],
                                 isnan(run->bw[0]) ? model->bw_mean : run->bw[0]);
}

static inline double predicted(const struct rc_regression_model *model, double n, double p,
                               double cpu, double bw)
{
    struct rc_regression_question question = {.n = n, .p = p, .bytes = NAN};

    return rc_regression_seconds(model, &question, cpu, bw);
}

static inline void assert_within_fraction(double got, double wanted, double fraction)
{
    if (!(fabs(got - wanted) <= fraction * fabs(wanted)))
        fail_msg("%g is not within %g %% of %g", got, 100 * fraction, wanted);
}

/* A run of which no load is known. */
static inline struct rc_regression_run run_of(double n, double p, double seconds)
{
    struct rc_regression_run run = {
        .n = n, .p = p, .seconds = seconds, .cpu = {NAN, NAN}, .bw = {NAN, NAN}, .bytes = NAN};

    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        run.params[i] = NAN;
    return run;
}

/* Nothing in it that is not a number. */
static inline void assert_finite(const struct rc_regression_model *model)
{
    assert_true(model->n_members > 0 && isfinite(model->sigma));
    for (size_t i = 0; i < model->n_residuals; i++)
        assert_true(isfinite(model->residuals[i]));
    for (size_t i = 0; i < model->n_members; i++) {
        const struct rc_regression_member *member = &model->members[i];

        assert_true(isfinite(member->error) && isfinite(member->weight));
        for (unsigned j = 0; j < member->n_terms; j++)
            assert_true(isfinite(member->coefficients[j]));
        for (unsigned j = 0; j < member->n_terms * (member->n_terms + 1) / 2; j++)
            assert_true(isfinite(member->spread[j]));
    }
}

/* Whether a term of communication has one of these functions of the bandwidth. */
static inline bool uses_width(const struct rc_regression_model *model, unsigned from, unsigned to)
{
    for (size_t i = 0; i < model->n_members; i++)
        for (unsigned j = 0; j < model->members[i].n_terms; j++)
            if (!model->members[i].terms[j].cpu && model->members[i].terms[j].width >= from &&
                model->members[i].terms[j].width <= to)
                return true;
    return false;
}

#endif
