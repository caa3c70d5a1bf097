// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.c - the times that killed runs would have had. */
#include "model/history/killed_runs.h"

#include <assert.h>
#include <stdlib.h>

#include "base/error.h"

enum { ROUNDS = 2, SAMPLES = 399 };

/* The killed runs, and what is predicted for one of them. */
struct killed {
    struct rc_history_run *runs; /* all; the completed ones are first */
    size_t n, n_killed, n_params;
    double *bounds;
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
static void estimate_equal(struct killed *killed, size_t first)
{
    struct rc_history_run *runs = killed->runs + killed->n;
    const struct rc_history_run asked = runs[first];

    for (size_t i = first; i < killed->n_killed; i++) {
        if (killed->done[i] || runs[i].cpu != asked.cpu ||
            !rc_history_same(&runs[i], &asked, killed->n_params))
            continue;
        killed->done[i] = true;
        runs[i].seconds = sample_above(killed->samples, killed->bounds[i], rc_random_evenly(i));
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
        estimate_equal(killed, i);
    }
    return 0;
}

int rc_history_killed_estimate(struct rc_history_run *runs, size_t n, size_t n_killed,
                               size_t n_params, struct rc_random *random, struct rc_error *error)
{
    struct killed killed = {.runs = runs, .n = n, .n_killed = n_killed, .n_params = n_params};
    int status = 0;

    assert(n > 0);
    if (n_killed == 0)
        return 0;
    killed.bounds = malloc(n_killed * sizeof *killed.bounds);
    killed.done = malloc(n_killed * sizeof *killed.done);
    if (!killed.bounds || !killed.done)
        status = rc_error_no_memory(error);
    for (size_t i = 0; status == 0 && i < n_killed; i++)
        killed.bounds[i] = runs[n + i].seconds;
    for (int round = 0; status == 0 && round < ROUNDS; round++)
        status = estimate_all(&killed, round == 0, random, error);
    free(killed.bounds);
    free(killed.done);
    return status;
}
