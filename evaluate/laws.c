// SPDX-License-Identifier: GPL-3.0-or-later
/* laws.c - accuracy of regression models of known laws.
 * usage: evaluate-laws [-v] [SEEDS]
 *
 * For each law and seed, a table of 60 runs is made on 1 to 8 processes with 10 % noise, and the
 * model fitted to it predicts 200 runs of up to twice the size on up to 32 processes.  It is
 * compared with least squares on relative errors with the known form, and with the law (the noise).
 *
 * Exits with 1 if the ratio of errors to those with the known form is too large: on average over
 * all laws, or for one of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "known_laws.h"

#include "base/random.h"
#include "model/regression/fit.h"
#include "model/regression/formula.h"

enum { TRAINING = 60, TESTS = 200, SEEDS = 10 };
static const double noise = 0.1;
static const double most_on_average = 1.15, most_of_a_law = 1.3;

static double draw_between(struct rc_random *random, double low, double high)
{
    return low + (high - low) * rc_random_uniform(random);
}

static struct rc_run draw_run(const struct law *law, struct rc_random *random, int64_t p,
                              double most)
{
    struct rc_run run;
    double seconds = 0;

    rc_db_run_init(&run);
    run.app = law->name;
    run.n = round(draw_between(random, 200, most));
    run.p = p;
    run.cpu_minavg = run.cpu_avgmin = draw_between(random, 0.25, 1);
    run.bw_minavg = run.bw_avgmin = draw_between(random, 1e6, 12e6);
    for (unsigned i = 0; i < TERMS; i++)
        seconds += law_term(law, &run, i);
    run.seconds = seconds * fmax(1 + rc_random_normal(random, 0, noise), 0.2);
    return run;
}

/* Least squares on relative errors for the law's own terms, as factors of the true coefficients. */
static void tell_law(const struct law *law, const struct rc_run *runs, double *factors)
{
    double a[TERMS][TERMS + 1] = {{0}};

    for (unsigned i = 0; i < TRAINING; i++)
        for (unsigned j = 0; j < TERMS; j++) {
            double x = law_term(law, &runs[i], j) / runs[i].seconds;

            for (unsigned k = 0; k < TERMS; k++)
                a[j][k] += x * law_term(law, &runs[i], k) / runs[i].seconds;
            a[j][TERMS] += x;
        }
    for (unsigned i = 0; i < TERMS; i++) /* Gauss, without what is not there */
        for (unsigned j = i + 1; j < TERMS; j++)
            for (unsigned k = TERMS + 1; k-- > i;)
                if (a[i][i] > 0)
                    a[j][k] -= a[j][i] / a[i][i] * a[i][k];
    for (unsigned i = TERMS; i-- > 0;) {
        factors[i] = a[i][TERMS];
        for (unsigned j = i + 1; j < TERMS; j++)
            factors[i] -= a[i][j] * factors[j];
        factors[i] = a[i][i] > 1e-12 ? factors[i] / a[i][i] : 0;
    }
}

struct errors {
    double ours, told, law, covered;
};

static struct errors try_law(const struct law *law, uint64_t seed, int verbose)
{
    static const int64_t procs[] = {1, 2, 4, 8, 16, 32};
    struct rc_random *random = rc_random_create(seed, (uint64_t)(law - laws));
    struct rc_random *draw = rc_random_create(seed, LAWS + 1);
    struct rc_regression_table table = {0};
    struct rc_run runs[TRAINING];
    struct rc_regression_model *model;
    struct rc_error error;
    struct errors errors = {0};
    double factors[TERMS];

    for (unsigned i = 0; i < TRAINING; i++) {
        runs[i] = draw_run(law, random, i < 20 ? 1 : i < 40 ? 2 : i < 50 ? 4 : 8, 1000);
        if (rc_regression_table_add(&table, &runs[i], &error) != 0)
            exit(1);
    }
    tell_law(law, runs, factors);
    model = rc_regression_fit(&table, RC_REGRESSION_DEFAULT, &error);
    if (!model) {
        fprintf(stderr, "%s: %s\n", law->name, error.text);
        exit(1);
    }
    for (unsigned i = 0; i < TESTS; i++) {
        struct rc_run run = draw_run(law, random, procs[rc_random_below(random, 6)], 2000);
        struct rc_regression_question question = {.n = run.n, .p = (double)run.p, .bytes = NAN};
        double told = 0, exact = 0, draws[400];
        double ours = rc_regression_seconds(model, &question, run.cpu_minavg, run.bw_minavg);
        unsigned below = 0, n = 400;

        for (unsigned j = 0; j < TERMS; j++) {
            told += factors[j] * law_term(law, &run, j);
            exact += law_term(law, &run, j);
        }
        errors.ours += fabs(ours / run.seconds - 1) / TESTS;
        errors.told += fabs(told / run.seconds - 1) / TESTS;
        errors.law += fabs(exact / run.seconds - 1) / TESTS;
        for (unsigned j = 0; j < n; j++) {
            struct rc_regression_work work;
            double factor;

            rc_regression_draw(model, &question, draw, &work, &factor);
            draws[j] = factor * rc_regression_work_seconds(&work, run.cpu_minavg, run.bw_minavg);
            below += draws[j] < run.seconds;
        }
        errors.covered += (below >= 0.05 * n && below <= 0.95 * n) / (double)TESTS;
    }
    if (verbose) {
        for (size_t i = 0; i < model->n_members && i < 6; i++) {
            char *text = rc_regression_formula(model, &model->members[i]);

            printf("    %5.3f %5.3f  %s\n", model->members[i].weight, model->members[i].error,
                   text);
            free(text);
        }
        printf("  seed %llu: ours %.3f told %.3f law %.3f ratio %.3f covered %.3f (%zu members)\n",
               (unsigned long long)seed, errors.ours, errors.told, errors.law,
               errors.ours / errors.told, errors.covered, model->n_members);
    }
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
    rc_random_destroy(random);
    rc_random_destroy(draw);
    return errors;
}

/* The mean of its ratios, and the largest. */
struct ratios {
    double mean, largest, covered;
};

static struct ratios show_law(const struct law *law, uint64_t seeds, int verbose)
{
    struct ratios ratios = {0};
    struct errors sum = {0};

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct errors one = try_law(law, seed, verbose);

        sum.ours += one.ours / (double)seeds;
        sum.told += one.told / (double)seeds;
        sum.law += one.law / (double)seeds;
        ratios.covered += one.covered / (double)seeds;
        ratios.mean += one.ours / one.told / (double)seeds;
        ratios.largest = fmax(ratios.largest, one.ours / one.told);
    }
    printf("| %s | %.1f %% | %.1f %% | %.1f %% | %.3f | %.3f | %.1f %% |\n", law->name,
           100 * sum.ours, 100 * sum.told, 100 * sum.law, ratios.mean, ratios.largest,
           100 * ratios.covered);
    return ratios;
}

int main(int argc, char **argv)
{
    int verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    uint64_t seeds = argc > 1 + verbose ? strtoull(argv[1 + verbose], NULL, 10) : SEEDS;
    double mean = 0, worst = 0, worst_of_all = 0, covered = 0;

    if (seeds == 0) {
        fprintf(stderr, "usage: evaluate-laws [-v] [SEEDS]\n");
        return 2;
    }
    printf("| law | runcast | known form | noise | ratio | largest ratio | coverage |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < LAWS; i++) {
        struct ratios ratios = show_law(&laws[i], seeds, verbose);

        mean += ratios.mean / LAWS;
        covered += ratios.covered / LAWS;
        worst = fmax(worst, ratios.mean);
        worst_of_all = fmax(worst_of_all, ratios.largest);
    }
    printf("\nThe mean ratio is %.3f; it is %.3f for the worst law and %.3f for the worst table. "
           "The coverage is "
           "%.1f %%.\n",
           mean, worst, worst_of_all, 100 * covered);
    if (mean <= most_on_average && worst <= most_of_a_law)
        return 0;
    fprintf(stderr, "evaluate-laws: ratios may be %.2f on average and %.2f for one law\n",
            most_on_average, most_of_a_law);
    return 1;
}
