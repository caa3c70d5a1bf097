// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.c - the times that killed runs would have had. */
#include "model/history/killed_runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"

enum { IMPUTATIONS = 10, ROUNDS = 2, SAMPLES = 399 };

/* The killed runs, and what is predicted for one of them. */
struct killed {
    const struct rc_history_run *bounds; /* the times after which they were killed */
    struct rc_history_run *runs;         /* all, the completed ones first, with estimates */
    size_t n, n_killed, n_params;
    bool *done; /* in this round */
    double samples[SAMPLES];
};

/* The sample that, of those above `bound`, the share `part` does not exceed. */
static double sample_above(const double *samples, double bound, double part)
{
    size_t first = 0;

    while (first < SAMPLES && samples[first] <= bound)
        first++;
    return first < SAMPLES ? samples[first + (size_t)(part * (double)(SAMPLES - first))] : bound;
}

/* All killed runs of one configuration and load. */
static void estimate_equal(struct killed *killed, size_t first, struct rc_random *random)
{
    struct rc_history_run *runs = killed->runs + killed->n;
    const struct rc_history_run asked = runs[first];

    for (size_t i = first; i < killed->n_killed; i++) {
        if (killed->done[i] || runs[i].cpu != asked.cpu ||
            !rc_history_same(&runs[i], &asked, killed->n_params))
            continue;
        killed->done[i] = true;
        runs[i].seconds =
            sample_above(killed->samples, killed->bounds[i].seconds, rc_random_uniform(random));
    }
}

/* In the first round, there are no estimates yet. */
static int estimate_all(struct killed *killed, bool first_round, struct rc_random *random,
                        struct rc_error *error)
{
    size_t known = killed->n + (first_round ? 0 : killed->n_killed);

    for (size_t i = 0; i < killed->n_killed; i++)
        killed->done[i] = false;
    for (size_t i = 0; i < killed->n_killed; i++) {
        if (killed->done[i])
            continue;
        if (rc_history_predict(killed->runs, known, killed->n_params, &killed->runs[killed->n + i],
                               random, killed->samples, SAMPLES, error))
            return -1;
        estimate_equal(killed, i, random);
    }
    return 0;
}

size_t rc_history_killed_usable(const struct rc_history_run *runs, size_t n, size_t n_params,
                                struct rc_history_run *killed, size_t n_killed)
{
    size_t kept = 0;

    for (size_t i = 0; i < n_killed; i++)
        for (size_t k = 0; k < n; k++)
            if (rc_history_same(&killed[i], &runs[k], n_params)) {
                killed[kept++] = killed[i];
                break;
            }
    return kept;
}

static int impute(struct killed *killed, struct rc_random *random, struct rc_error *error)
{
    memcpy(killed->runs + killed->n, killed->bounds, killed->n_killed * sizeof *killed->bounds);
    for (int round = 0; round < ROUNDS; round++)
        if (estimate_all(killed, round == 0, random, error))
            return -1;
    return 0;
}

static int predict(struct killed *killed, const struct rc_history_run *question,
                   struct rc_random *random, double *samples, size_t n_samples,
                   struct rc_error *error)
{
    for (size_t i = 0; i < IMPUTATIONS; i++) {
        size_t from = i * n_samples / IMPUTATIONS, to = (i + 1) * n_samples / IMPUTATIONS;

        if (from < to &&
            (impute(killed, random, error) ||
             rc_history_predict(killed->runs, killed->n + killed->n_killed, killed->n_params,
                                question, random, samples + from, to - from, error)))
            return -1;
    }
    rc_sort_doubles(samples, n_samples);
    return 0;
}

int rc_history_predict_with_killed(const struct rc_history_run *runs, size_t n, size_t n_killed,
                                   size_t n_params, const struct rc_history_run *question,
                                   struct rc_random *random, double *samples, size_t n_samples,
                                   struct rc_error *error)
{
    struct killed killed = {.bounds = runs + n, .n = n, .n_killed = n_killed, .n_params = n_params};
    int status = -1;

    assert(n > 0);
    if (n_killed == 0)
        return rc_history_predict(runs, n, n_params, question, random, samples, n_samples, error);
    killed.runs = malloc((n + n_killed) * sizeof *killed.runs);
    killed.done = malloc(n_killed * sizeof *killed.done);
    if (killed.runs && killed.done) {
        memcpy(killed.runs, runs, n * sizeof *runs);
        status = predict(&killed, question, random, samples, n_samples, error);
    } else {
        rc_error_no_memory(error);
    }
    free(killed.runs);
    free(killed.done);
    return status;
}
