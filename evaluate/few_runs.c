// SPDX-License-Identifier: GPL-3.0-or-later
/* few_runs.c - predictions after 1, 2, 3, 5 and 8 runs.
 * usage: evaluate-few-runs [-h] TABLES SEED...    -h: without regression, which takes longer
 *
 * TABLES has a measured run in each line: group, size, processes, seconds, with blanks between.  A
 * history is made of a known law, with 10 % noise, or of random runs of one group.  A third of its
 * runs of a law repeat an earlier one.  A third of the questions are about the configuration of a
 * run, the others about sizes up to twice those of the runs and on up to 32 processes or, of tables,
 * about any other run.
 *
 * Writes a line for each question and method: set, runs, seed, group, whether a run has the
 * configuration, method, measured seconds, median, and the ends of the 90 % interval. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "known_laws.h"

#include "base/random.h"
#include "base/sort.h"
#include "model/history/few_runs.h"
#include "model/regression/fit.h"
#include "predict/mixture.h"

enum { RUNS_MAX = 8, QUESTIONS = 6, SAMPLES = 1000, GROUP_RUNS = 1000, GROUPS = 64 };
enum { LAW_HISTORIES = 8, GROUP_HISTORIES = 8 };
static const double noise = 0.1;
static const int runs_of[] = {1, 2, 3, 5, 8};

struct group {
    char name[64];
    struct rc_run runs[GROUP_RUNS];
    size_t n;
};

static void fail(const char *text)
{
    fprintf(stderr, "evaluate-few-runs: %s\n", text);
    exit(1);
}

static struct group *read_groups(const char *path, size_t *n)
{
    struct group *groups = calloc(GROUPS, sizeof *groups);
    FILE *file = fopen(path, "r");
    char name[64];
    double size, procs, seconds;

    if (!groups || !file)
        fail("cannot read the tables");
    while (fscanf(file, "%63s %lf %lf %lf", name, &size, &procs, &seconds) == 4) {
        size_t i = 0;
        struct rc_run *run;

        while (i < *n && strcmp(groups[i].name, name) != 0)
            i++;
        if (i == GROUPS || groups[i].n == GROUP_RUNS)
            fail("too many groups or runs");
        *n += i == *n;
        strcpy(groups[i].name, name);
        run = &groups[i].runs[groups[i].n++];
        rc_db_run_init(run);
        run->app = groups[i].name;
        run->n = size;
        run->p = (int64_t)procs;
        run->seconds = seconds;
    }
    fclose(file);
    return groups;
}

/* ---- a history and its questions ---- */

struct history {
    const char *set, *group;
    uint64_t seed;
    struct rc_run runs[RUNS_MAX], asked[QUESTIONS];
    int n_runs, n_asked;
    bool alone; /* no regression */
};

static void time_run(const struct law *law, struct rc_random *random, struct rc_run *run)
{
    run->seconds = 0;
    for (unsigned i = 0; i < TERMS; i++)
        run->seconds += law_term(law, run, i);
    run->seconds *= fmax(1 + rc_random_normal(random, 0, noise), 0.2);
}

static struct rc_run draw_run(const struct law *law, struct rc_random *random, double most,
                              uint64_t procs)
{
    struct rc_run run;

    rc_db_run_init(&run);
    run.app = law->name;
    run.n = round(200 + (most - 200) * rc_random_uniform(random));
    run.p = (int64_t)1 << rc_random_below(random, procs);
    run.cpu_minavg = run.cpu_avgmin = 1;
    run.bw_minavg = run.bw_avgmin = 6e6;
    return run;
}

static void draw_law(const struct law *law, struct rc_random *random, struct history *history)
{
    for (int i = 0; i < history->n_runs; i++) {
        bool again = i > 0 && rc_random_below(random, 3) == 0;

        history->runs[i] = again ? history->runs[rc_random_below(random, (uint64_t)i)]
                                 : draw_run(law, random, 1000, 4);
        time_run(law, random, &history->runs[i]);
    }
    history->n_asked = QUESTIONS;
    for (int i = 0; i < QUESTIONS; i++) {
        history->asked[i] = i % 3 == 0
                                ? history->runs[rc_random_below(random, (uint64_t)history->n_runs)]
                                : draw_run(law, random, 2000, 6);
        time_run(law, random, &history->asked[i]);
    }
}

/* Random runs of the group in a random order: first the history, then the questions. */
static void draw_group(const struct group *group, struct rc_random *random, struct history *history)
{
    size_t order[GROUP_RUNS], wanted = (size_t)history->n_runs + QUESTIONS;

    for (size_t i = 0; i < group->n; i++)
        order[i] = i;
    for (size_t i = 0; i < group->n; i++) {
        size_t other = i + rc_random_below(random, group->n - i), swapped = order[i];

        order[i] = order[other];
        order[other] = swapped;
    }
    history->n_asked = 0;
    for (size_t i = 0; i < group->n && i < wanted; i++) {
        const struct rc_run *run = &group->runs[order[i]];

        if (i < (size_t)history->n_runs)
            history->runs[i] = *run;
        else
            history->asked[history->n_asked++] = *run;
    }
}

/* ---- predictions ---- */

static bool is_known(const struct history *history, const struct rc_run *asked)
{
    for (int i = 0; i < history->n_runs; i++)
        if (history->runs[i].n == asked->n && history->runs[i].p == asked->p)
            return true;
    return false;
}

/* The samples of one method or, of regression, of none if the runs are too few for a model. */
struct samples {
    double of[QUESTIONS][SAMPLES];
    bool there;
};

static struct rc_history_run convert(const struct rc_run *run)
{
    return (struct rc_history_run){
        .size = run->n, .procs = (double)run->p, .seconds = run->seconds, .cpu = 1};
}

static void ask_history(const struct history *history, struct rc_random *random,
                        struct samples *samples)
{
    struct rc_history_run runs[RUNS_MAX];

    for (int i = 0; i < history->n_runs; i++)
        runs[i] = convert(&history->runs[i]);
    for (int i = 0; i < history->n_asked; i++) {
        const struct rc_history_run asked = convert(&history->asked[i]);

        if (rc_history_predict(runs, (size_t)history->n_runs, 0, &asked, random, samples->of[i],
                               SAMPLES, NULL))
            fail("out of memory");
    }
    samples->there = true;
}

static void ask_regression(const struct history *history, struct rc_random *random,
                           struct samples *samples)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_error error;

    for (int i = 0; i < history->n_runs; i++)
        if (rc_regression_table_add(&table, &history->runs[i], &error))
            fail(error.text);
    model = rc_regression_fit(&table, RC_REGRESSION_DEFAULT, &error);
    for (int i = 0; i < history->n_asked && model; i++) {
        const struct rc_run *asked = &history->asked[i];
        const struct rc_regression_question question = {.n = asked->n,
                                                        .p = (double)asked->p,
                                                        .bytes = NAN};

        for (int k = 0; k < SAMPLES; k++) {
            struct rc_regression_work work;
            double factor;

            rc_regression_draw(model, &question, random, &work, &factor);
            samples->of[i][k] = factor * rc_regression_work_seconds(&work, 1, 6e6);
        }
        rc_sort_doubles(samples->of[i], SAMPLES);
    }
    samples->there = model != NULL;
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* As the predictor does without a track record. */
static void combine(const struct samples *history, const struct samples *regression, int question,
                    double *samples)
{
    struct rc_mixture_part parts[] = {
        {.draws = history->of[question], .n_draws = SAMPLES},
        {.draws = regression->of[question], .n_draws = SAMPLES, .learns = true}};
    size_t n = regression->there ? 2 : 1;

    if (rc_predict_mixture_weigh(parts, n, NULL))
        fail("out of memory");
    rc_predict_mixture_draw(parts, n, samples, SAMPLES);
}

static void write_line(const struct history *history, int question, const char *method,
                       const double *samples)
{
    const struct rc_run *asked = &history->asked[question];

    printf("%s %d %llu %s %d %s %.6g %.6g %.6g %.6g\n", history->set, history->n_runs,
           (unsigned long long)history->seed, history->group, is_known(history, asked), method,
           asked->seconds, samples[SAMPLES / 2], samples[SAMPLES / 20],
           samples[SAMPLES - SAMPLES / 20]);
}

static void answer(const struct history *history, struct rc_random *random)
{
    static struct samples by_history, by_regression;
    double samples[SAMPLES];

    ask_history(history, random, &by_history);
    if (!history->alone)
        ask_regression(history, random, &by_regression);
    for (int i = 0; i < history->n_asked; i++) {
        write_line(history, i, "history", by_history.of[i]);
        if (history->alone)
            continue;
        if (by_regression.there)
            write_line(history, i, "regression", by_regression.of[i]);
        combine(&by_history, &by_regression, i, samples);
        write_line(history, i, "combined", samples);
    }
}

/* ---- the sets ---- */

static void try_laws(uint64_t seed, int n_runs, bool alone)
{
    for (unsigned k = 0; k < LAWS; k++) {
        struct rc_random *random = rc_random_create(seed, 1000 * (uint64_t)n_runs + k);
        struct history history = {.set = "laws", .seed = seed, .n_runs = n_runs, .alone = alone};
        char name[8];

        snprintf(name, sizeof name, "%u", k + 1);
        history.group = name;
        for (int i = 0; i < LAW_HISTORIES && random; i++) {
            draw_law(&laws[k], random, &history);
            answer(&history, random);
        }
        rc_random_destroy(random);
    }
}

static void try_groups(const struct group *groups, size_t n, uint64_t seed, int n_runs, bool alone)
{
    for (size_t k = 0; k < n; k++) {
        struct rc_random *random = rc_random_create(seed, 1000 * (uint64_t)n_runs + LAWS + k);
        struct history history = {.set = "measured",
                                  .seed = seed,
                                  .group = groups[k].name,
                                  .n_runs = n_runs,
                                  .alone = alone};

        for (int i = 0; i < GROUP_HISTORIES && random && groups[k].n > (size_t)n_runs; i++) {
            draw_group(&groups[k], random, &history);
            answer(&history, random);
        }
        rc_random_destroy(random);
    }
}

int main(int argc, char **argv)
{
    bool alone = argc > 1 && strcmp(argv[1], "-h") == 0;
    int first = 1 + alone;
    size_t n = 0;
    struct group *groups;

    if (argc < first + 2) {
        fprintf(stderr, "usage: evaluate-few-runs [-h] TABLES SEED...\n");
        return 2;
    }
    groups = read_groups(argv[first], &n);
    for (int i = first + 1; i < argc; i++)
        for (size_t k = 0; k < sizeof runs_of / sizeof *runs_of; k++) {
            uint64_t seed = strtoull(argv[i], NULL, 10);

            try_laws(seed, runs_of[k], alone);
            try_groups(groups, n, seed, runs_of[k], alone);
        }
    free(groups);
    return 0;
}
