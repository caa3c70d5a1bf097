// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_regress.c - what regression models cost: a number, a distribution, the whole command.
 *
 * usage: bench-regress [RUNCAST]; with the program, its whole command is timed too. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/random.h"
#include "predict/run_time_distribution.h"
#include "predict/regression_source.h"
#include "model/regression/fit.h"
#include "db/run.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Runs of 2e-9 n^3 / (P cpu) + 8 n^2 log2(P) / bw seconds, with 10 % of noise. */
static struct rc_run make_run(struct rc_random *random, size_t i)
{
    static const int64_t procs[] = {1, 2, 1, 2, 4, 8};
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = "bench";
    run.n = floor(500 + 1500 * rc_random_uniform(random));
    run.p = procs[i % 6];
    run.cpu_minavg = run.cpu_avgmin = 0.3 + 0.7 * rc_random_uniform(random);
    run.bw_minavg = run.bw_avgmin = 2e6 + 1e7 * rc_random_uniform(random);
    run.seconds = (2e-9 * run.n * run.n * run.n / ((double)run.p * run.cpu_minavg) +
                   8 * run.n * run.n * log2((double)run.p) / run.bw_minavg) *
                  exp(rc_random_normal(random, 0, 0.1));
    return run;
}

static void time_library(const struct rc_regression_model *model, const char *name)
{
    enum { TIMES = 20000, DRAWS_TIMES = 50 };
    struct rc_regression_question question = {.n = 3000, .p = 8, .bytes = NAN};
    struct rc_predict_load load = {.cpu = {0.7, 0.7}, .bw = {5e6, 5e6}};
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_predict_summary summary;
    static double draws[RC_PREDICT_DRAWS];
    double begun = now(), sum = 0;

    for (int i = 0; i < TIMES; i++) {
        question.n = 1000 + i % 2000;
        sum += rc_regression_seconds(model, &question, 0.7, 5e6);
    }
    printf("  %-8s a number: %6.2f us (%.1f s on average)", name, (now() - begun) / TIMES * 1e6,
           sum / TIMES);
    begun = now();
    for (int i = 0; i < DRAWS_TIMES && random; i++)
        rc_predict_at_load(model, &question, &load, random, draws, RC_PREDICT_DRAWS, &summary);
    printf(", its distribution of %d draws: %6.0f us\n", RC_PREDICT_DRAWS,
           (now() - begun) / DRAWS_TIMES * 1e6);
    rc_random_destroy(random);
}

static void time_command(const char *program, const char *db, const char *criterion)
{
    enum { TIMES = 51 };
    const char *const words[] = {program,       "predict", "--app", "bench", "--size",
                                 "3000",        "--procs", "8",     "--cpu", "0.7",
                                 "--bandwidth", "5e6",     "--db",  db,      "--criterion",
                                 criterion,     NULL};
    const char *const nothing[] = {program, "--version", NULL};
    double times[TIMES], empty[TIMES];
    struct rc_process_result result;
    struct rc_error error;

    for (int i = 0; i < TIMES; i++) {
        double begun = now();

        if (rc_process_run(words, NULL, NULL, &result, &error) || result.status) {
            printf("  the command fails\n");
            return;
        }
        times[i] = now() - begun;
        begun = now();
        rc_process_run(nothing, NULL, NULL, &result, &error);
        empty[i] = now() - begun;
    }
    gsl_sort(times, 1, TIMES);
    gsl_sort(empty, 1, TIMES);
    printf("  %-8s the whole command: %6.2f ms, of which %6.2f ms to start and end\n", criterion,
           times[TIMES / 2] * 1e3, empty[TIMES / 2] * 1e3);
}

/* A store with so many runs, which are those given again and again, and the two models. */
static int make_store(const char *path, const struct rc_run *runs, size_t n_runs, size_t n,
                      struct rc_regression_model *const models[2], struct rc_error *error)
{
    struct rc_db *store = rc_db_open(path, RC_DB_CREATE, NULL, error);
    struct rc_run_writer writer;
    int status = store ? rc_db_begin(store, error) : -1;

    if (status == 0) {
        status = rc_db_run_writer_begin(&writer, store, error);
        for (size_t i = 0; i < n && status == 0; i++)
            status = rc_db_run_writer_add(&writer, &runs[i % n_runs], error);
        status = rc_db_run_writer_end(&writer, status, error);
        status = rc_db_end(store, status, error);
    }
    for (int i = 0; i < 2 && status == 0; i++) {
        models[i]->up_to = (int64_t)n;
        status = rc_predict_model_keep(store, "bench", NULL, models[i], NULL, NULL, error);
    }
    rc_db_close(store);
    return status;
}

int main(int argc, char **argv)
{
    enum { RUNS = 60 };
    static const size_t stored[] = {RUNS, 1000000};
    struct rc_random *random = rc_random_create(1, 0);
    char directory[] = "/tmp/runcast-bench-XXXXXX", path[64];
    struct rc_regression_table table = {0};
    struct rc_regression_model *models[2];
    struct rc_run runs[RUNS];
    struct rc_error error;

    for (size_t i = 0; i < RUNS && random; i++) {
        runs[i] = make_run(random, i);
        if (rc_regression_table_add(&table, &runs[i], &error))
            return 1;
    }
    models[0] = rc_regression_fit(&table, RC_REGRESSION_DEFAULT, &error);
    models[1] = rc_regression_fit(&table, RC_REGRESSION_PAPER, &error);
    if (!models[0] || !models[1] || !mkdtemp(directory))
        return 1;
    printf("A prediction under a given load, from a model of %d runs\n", RUNS);
    time_library(models[0], "default");
    time_library(models[1], "paper");
    snprintf(path, sizeof path, "%s/store.db", directory);
    for (int i = 0; i < 2 && argc > 1; i++) {
        printf("The same with a store of %zu runs\n", stored[i]);
        if (make_store(path, runs, RUNS, stored[i], models, &error) == 0) {
            time_command(argv[1], path, "default");
            time_command(argv[1], path, "paper");
        }
        unlink(path);
    }
    rmdir(directory);
    rc_regression_model_destroy(models[0]);
    rc_regression_model_destroy(models[1]);
    rc_regression_table_free(&table);
    rc_random_destroy(random);
    return 0;
}
