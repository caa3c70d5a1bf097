// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_fit.c - what it costs to fit regression models, and to learn one more run.
 *
 * Medians; the growth with the number of runs and of further parameters is what counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "model/regression/fit.h"

enum { PARAMS = 4, ADDED = 200 };
static double noise = 0.1;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A run of 2e-9 n^3 x1 x2 ... / (P cpu) + 8 n^2 log2(P) / bw seconds, with some noise. */
static struct rc_regression_run make_run(struct rc_random *random, size_t i, size_t n_params)
{
    static const double procs[] = {1, 2, 1, 2, 4, 8};
    struct rc_regression_run run = {.id = (int64_t)i + 1, .p = procs[i % 6], .bytes = NAN};
    double work;

    run.n = floor(500 + 1500 * rc_random_uniform(random));
    run.cpu[0] = 0.3 + 0.7 * rc_random_uniform(random);
    run.cpu[1] = run.cpu[0] * (0.9 + 0.1 * rc_random_uniform(random));
    run.bw[0] = run.bw[1] = 2e6 + 1e7 * rc_random_uniform(random);
    work = 2e-9 * run.n * run.n * run.n;
    for (size_t j = 0; j < RC_REGRESSION_PARAMS_MAX; j++) {
        run.params[j] = j < n_params ? 1 + 9 * rc_random_uniform(random) : NAN;
        work *= j < n_params ? run.params[j] : 1;
    }
    run.seconds = (work / (run.p * run.cpu[1]) + 8 * run.n * run.n * log2(run.p) / run.bw[1]) *
                  exp(rc_random_normal(random, 0, noise));
    return run;
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static int fill(struct rc_regression_table *table, size_t n_runs, size_t n_params)
{
    static const char *const names[PARAMS] = {"alpha", "beta", "gamma", "delta"};
    struct rc_random *random = rc_random_create(1, n_params);

    *table = (struct rc_regression_table){0};
    for (; table->n_params < n_params; table->n_params++)
        table->params[table->n_params] = strdup(names[table->n_params]);
    for (size_t i = 0; i < n_runs && random; i++) {
        struct rc_regression_run run = make_run(random, i, n_params);

        if (rc_regression_table_append(table, &run, NULL) != 0)
            break;
    }
    rc_random_destroy(random);
    return table->n_runs == n_runs ? 0 : -1;
}

static double time_fit(const struct rc_regression_table *table,
                       enum rc_regression_criterion criterion)
{
    double times[9];
    int n = table->n_runs > 5000 ? 1 : 9;

    for (int i = 0; i < n; i++) {
        double begun = now();
        struct rc_regression_model *model = rc_regression_fit(table, criterion, NULL);

        times[i] = model ? now() - begun : NAN;
        rc_regression_model_destroy(model);
    }
    qsort(times, (size_t)n, sizeof *times, compare);
    return times[n / 2];
}

/* The median of adding a run, and the most, which is with the search. */
static void time_learner(const struct rc_regression_table *table,
                         enum rc_regression_criterion criterion, const char *name)
{
    struct rc_regression_learner *learner =
        rc_regression_learner_create(table, NULL, criterion, NULL);
    struct rc_random *random = rc_random_create(2, 0);
    size_t members = learner ? rc_regression_learner_model(learner)->n_members : 0;
    double times[ADDED] = {0};

    for (size_t i = 0; i < ADDED && learner && random; i++) {
        struct rc_regression_run run = make_run(random, i, 0);
        double begun = now();

        rc_regression_learner_add(learner, &run, NULL);
        times[i] = now() - begun;
    }
    qsort(times, ADDED, sizeof *times, compare);
    printf("  %-8s one more run, of a list of %zu: %.3f ms; with a search, every 50th: %.1f ms\n",
           name, members, 1e3 * times[ADDED / 2], 1e3 * times[ADDED - 1]);
    rc_random_destroy(random);
    rc_regression_learner_destroy(learner);
}

int main(void)
{
    static const size_t runs[] = {60, 300, 1000, 10000, 100000};
    struct rc_regression_table table;

    printf("Fitting regression models\n      runs  parameters    default      paper\n");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        if (fill(&table, runs[i], 0) != 0)
            return 1;
        printf("  %8zu  %10d  %6.0f ms  %6.0f ms\n", runs[i], 0,
               1e3 * time_fit(&table, RC_REGRESSION_DEFAULT),
               1e3 * time_fit(&table, RC_REGRESSION_PAPER));
        rc_regression_table_free(&table);
    }
    for (size_t params = 1; params <= PARAMS; params *= 2) {
        if (fill(&table, 120, params) != 0)
            return 1;
        printf("  %8d  %10zu  %6.0f ms\n", 120, params,
               1e3 * time_fit(&table, RC_REGRESSION_DEFAULT));
        rc_regression_table_free(&table);
    }
    noise = 0.5; /* so that many forms are as good as one another */
    if (fill(&table, 60, 0) != 0)
        return 1;
    time_learner(&table, RC_REGRESSION_DEFAULT, "default");
    time_learner(&table, RC_REGRESSION_PAPER, "paper");
    rc_regression_table_free(&table);
    return 0;
}
