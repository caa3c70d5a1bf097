// SPDX-License-Identifier: GPL-3.0-or-later
/* local_slowdown.c - local slowdown: the sums of Eq. 2, and its other terms.  The queueing model is
 * in local_queue.c, and different weights on one core in local_turns.c. */
#include "model/slowdown/local_slowdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/slowdown/local_internal.h"

#define NEVER 1e-12 /* a probability that is not listed */

const char *const rc_slowdown_local_models[] = {"paper", "queue", NULL};

enum rc_local_model rc_slowdown_local_model_of(const char *name)
{
    return name && strcmp(name, rc_slowdown_local_models[RC_LOCAL_QUEUE]) == 0 ? RC_LOCAL_QUEUE
                                                                               : RC_LOCAL_PAPER;
}

void rc_slowdown_local_free(struct rc_local *local)
{
    rc_slowdown_activity_free(&local->computing);
    rc_slowdown_activity_free(&local->communicating);
    free(local->delays);
    *local = (struct rc_local){0};
}

bool rc_slowdown_local_equal_turns(const struct rc_local_host *host)
{
    for (size_t i = 0; i < host->n_competitors; i++)
        if (host->competitors[i].weight != 1)
            return false;
    return true;
}

/* ---- computing ---- */

double rc_slowdown_local_added(const struct rc_local_host *host, double i)
{
    return rc_slowdown_local_part(host->processes, host->cores) /
               rc_slowdown_local_part(host->processes + i, host->cores) -
           1;
}

/* The first sum of Eq. 2; with several cores, by the cores that i competitors take from the
 * program. */
static double add_by_paper(const struct rc_local_host *host, const struct rc_activity *computing)
{
    double sum = 0;

    for (size_t i = 1; i <= computing->n; i++)
        sum += computing->p[i] * rc_slowdown_local_added(host, (double)i);
    return sum;
}

static int add_computing(const struct rc_local_host *host, enum rc_local_model model,
                         struct rc_local *local, struct rc_error *error)
{
    if (rc_slowdown_local_equal_turns(host)) {
        if (model == RC_LOCAL_QUEUE)
            return rc_slowdown_local_add_by_queue(host, &local->by_computing, error);
        local->by_computing = add_by_paper(host, &local->computing);
        return 0;
    }
    if (model == RC_LOCAL_PAPER) {
        rc_error_set(error, "Eq. 2 has no weights, and a competitor has a weight other than 1");
        return rc_error_code(error,
                             host->cores > 1 || host->shared_link ? "slowdown.weights-simulated"
                                                                  : "slowdown.weights",
                             NULL);
    }
    if (host->cores > 1 || host->shared_link) {
        rc_error_set(error, "no equation for weights %s",
                     host->cores > 1 ? "on several cores" : "with a shared link");
        return rc_error_code(error, "slowdown.weights-simulated", NULL);
    }
    return rc_slowdown_local_add_by_turns(host, &local->by_computing, error);
}

/* ---- communicating and memory ---- */

static int add_communicating(const struct rc_local_host *host, struct rc_local *local,
                             struct rc_error *error)
{
    const struct rc_activity *pm = &local->communicating;

    local->delays = calloc(pm->n + 1, sizeof *local->delays);
    if (!local->delays)
        return rc_error_no_memory(error);
    for (size_t i = 1; host->delay && i <= pm->n; i++) {
        unsigned notes = 0;

        if (pm->p[i] <= 0)
            continue;
        local->delays[i] = rc_slowdown_delay_at(host->delay, i, host->bandwidth, &notes);
        local->notes |= notes;
        local->by_communicating += pm->p[i] * local->delays[i];
    }
    return 0;
}

/* Processes on the same core take turns, so only those on other cores use memory at the same
 * time. */
static int add_memory(const struct rc_local_host *host, struct rc_local *local,
                      struct rc_error *error)
{
    const struct rc_memory_curve *curve = host->memory_curve;
    struct rc_activity users = {0};

    if (!curve || curve->n == 0 || host->memory <= 0 || host->cores < 2)
        return 0;
    if (rc_slowdown_local_activity(host, RC_LOCAL_MEMORY, &users, error))
        return -1;
    for (size_t i = 1; i <= users.n; i++) {
        size_t others = i < (size_t)host->cores - 1 ? i : (size_t)host->cores - 1;

        others = others < curve->n ? others : curve->n;
        local->by_memory += users.p[i] * host->memory * (curve->slowdown[others - 1] - 1);
    }
    rc_slowdown_activity_free(&users);
    return 0;
}

/* ---- all of it ---- */

static int check(const struct rc_local_host *host, struct rc_error *error)
{
    if (host->cores < 1 || host->processes < 1)
        return rc_error_set(error, "host needs at least one core, and program one process");
    if (!(host->memory >= 0 && host->memory <= 1))
        return rc_error_set(error,
                            "share of computing that waits for memory: %g; it must be from 0 to 1",
                            host->memory);
    if (host->delay && host->delay->n > 0 && !(host->bandwidth > 0))
        return rc_error_set(error, isnan(host->bandwidth)
                                       ? "missing bandwidth of competitors, on which delays depend"
                                       : "bandwidth must be above 0");
    for (size_t i = 0; i < host->n_competitors; i++)
        if (rc_observe_competitor_check(&host->competitors[i], error))
            return -1;
    return 0;
}

int rc_slowdown_local_compute(const struct rc_local_host *host, enum rc_local_model model,
                              struct rc_local *local, struct rc_error *error)
{
    *local = (struct rc_local){0};
    if (check(host, error))
        return -1;
    if (rc_slowdown_local_activity(host, RC_LOCAL_COMPUTING, &local->computing, error) ||
        rc_slowdown_local_activity(host, RC_LOCAL_COMMUNICATING, &local->communicating, error) ||
        add_computing(host, model, local, error) || add_communicating(host, local, error) ||
        add_memory(host, local, error)) {
        rc_slowdown_local_free(local);
        return -1;
    }
    local->slowdown = 1 + local->by_computing + local->by_communicating + local->by_memory;
    return 0;
}

/* ---- one by one ---- */

/* The products of a sum, from the largest number of competitors down, or the sum if they are
 * many. */
static size_t list_terms(const struct rc_activity *activity, const double *costs,
                         struct rc_local_term sum, struct rc_local_term *terms)
{
    double together = 0;
    size_t n = 0;

    if (activity->n > RC_LOCAL_TERMS_SHOWN) {
        terms[0] = sum;
        return 1;
    }
    for (size_t i = activity->n; i >= 1; i--) {
        double p = activity->p[i] + together;

        if (!(p > NEVER))
            continue;
        together = i > 1 && costs[i - 1] == costs[i] ? p : 0;
        if (together == 0)
            terms[n++] = (struct rc_local_term){sum.by, p * costs[i], p, costs[i]};
    }
    return n;
}

size_t rc_slowdown_local_terms(const struct rc_local_host *host, const struct rc_local *local,
                               enum rc_local_model model,
                               struct rc_local_term terms[RC_LOCAL_TERMS_MAX])
{
    const struct rc_local_term computing = {"computing", local->by_computing, NAN, NAN},
                               communicating = {"communicating", local->by_communicating, NAN, NAN},
                               memory = {"memory", local->by_memory, NAN, NAN};
    double added[RC_LOCAL_TERMS_SHOWN + 1];
    size_t n = 1;

    for (size_t i = 0; i <= RC_LOCAL_TERMS_SHOWN; i++)
        added[i] = rc_slowdown_local_added(host, (double)i);
    if (model == RC_LOCAL_PAPER)
        n = list_terms(&local->computing, added, computing, terms);
    else
        terms[0] = computing;
    if (local->by_communicating > 0)
        n += list_terms(&local->communicating, local->delays, communicating, terms + n);
    if (local->by_memory > 0)
        terms[n++] = memory;
    return n;
}
