// SPDX-License-Identifier: GPL-3.0-or-later
/* local_estimate.c - slowdowns as values. */
#include "model/slowdown/local_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/slowdown/contention_sim.h"

enum { LOCAL_SAMPLES = 50 }; /* of a mean: each run has hundreds of cycles */

const char *const rc_slowdown_local_methods[] = {"paper", "queue", "simulation"};

/* The terms for equal weights, and the slowdown of a simulation. */
static int play_local(const struct rc_local_host *host, struct rc_competitor *competitors,
                      struct rc_local *local, struct rc_error *error)
{
    struct rc_contention_host there = {.local = *host, .work = 1};
    const struct rc_contention_sim sim = {
        .hosts = &there, .n_hosts = 1, .dedicated = 1, .samples = LOCAL_SAMPLES, .seed = 1};
    struct rc_value *value;

    there.local.competitors = competitors;
    for (size_t i = 0; i < host->n_competitors; i++) {
        competitors[i].weight = 1;
        competitors[i].cycle = 0;
        competitors[i].stay = INFINITY;
    }
    if (rc_slowdown_local_compute(&there.local, RC_LOCAL_PAPER, local, error))
        return -1;
    for (size_t i = 0; i < host->n_competitors; i++)
        competitors[i].weight = host->competitors[i].weight;
    value = rc_slowdown_contention_simulate(&sim, NULL, error);
    if (!value) {
        rc_slowdown_local_free(local);
        return -1;
    }
    local->slowdown = rc_value_mean(value);
    local->by_computing = local->slowdown - 1 - local->by_communicating - local->by_memory;
    rc_value_drop(value);
    return 0;
}

int rc_slowdown_local_find(const struct rc_local_host *host, enum rc_local_model model,
                           struct rc_local *local, enum rc_local_method *method,
                           struct rc_error *error)
{
    enum rc_local_method found = model == RC_LOCAL_PAPER ? RC_LOCAL_BY_PAPER : RC_LOCAL_BY_QUEUE;
    struct rc_competitor *competitors;
    int status;

    if (!rc_slowdown_local_equal_turns(host))
        found = host->cores > 1 || host->shared_link ? RC_LOCAL_BY_SIMULATION : RC_LOCAL_BY_QUEUE;
    if (method)
        *method = found;
    if (found != RC_LOCAL_BY_SIMULATION)
        return rc_slowdown_local_compute(
            host, found == RC_LOCAL_BY_PAPER ? RC_LOCAL_PAPER : RC_LOCAL_QUEUE, local, error);
    *local = (struct rc_local){0};
    if (host->n_competitors > RC_CONTENTION_COMPETITORS_MAX) {
        rc_error_set(error, "with weights %s, at most %d competitors can be simulated, not %zu",
                     host->cores > 1 ? "on several cores" : "and a shared link",
                     RC_CONTENTION_COMPETITORS_MAX, host->n_competitors);
        return rc_error_hint(error, "omit weights, or competitors that hardly compute");
    }
    competitors = malloc(host->n_competitors * sizeof *competitors);
    if (!competitors)
        return rc_error_no_memory(error);
    memcpy(competitors, host->competitors, host->n_competitors * sizeof *competitors);
    status = play_local(host, competitors, local, error);
    free(competitors);
    return status;
}

int rc_slowdown_local_answers(const struct rc_local_host *host, enum rc_local_model model,
                              bool only, struct rc_local_answers *answers, struct rc_error *why,
                              struct rc_error *error)
{
    int status;

    *answers = (struct rc_local_answers){.method = model == RC_LOCAL_PAPER ? RC_LOCAL_BY_PAPER
                                                                           : RC_LOCAL_BY_QUEUE};
    for (int i = 0; i < RC_LOCAL_MODELS; i++)
        if (rc_slowdown_local_compute(host, (enum rc_local_model)i, &answers->models[i], why))
            answers->models[i] = (struct rc_local){.slowdown = NAN};
    status = only ? rc_slowdown_local_compute(host, model, &answers->answer, error)
                  : rc_slowdown_local_find(host, model, &answers->answer, &answers->method, error);
    if (status)
        rc_slowdown_local_answers_free(answers);
    return status;
}

void rc_slowdown_local_answers_free(struct rc_local_answers *answers)
{
    for (int i = 0; i < RC_LOCAL_MODELS; i++)
        rc_slowdown_local_free(&answers->models[i]);
    rc_slowdown_local_free(&answers->answer);
}

static struct rc_share at_end(struct rc_share share, bool high)
{
    double end = high ? share.high : share.low;

    return (struct rc_share){end, end};
}

/* The slowdown with all shares at one of their ends; more communicating leaves less time for
 * computing. */
static int reckon_end(const struct rc_local_host *host, enum rc_local_model model, bool high,
                      double *slowdown, struct rc_error *error)
{
    struct rc_local_host there = *host;
    struct rc_local local = {0};
    struct rc_competitor *competitors = malloc((host->n_competitors + 1) * sizeof *competitors);
    int status;

    if (!competitors)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < host->n_competitors; i++) {
        struct rc_competitor *competitor = &competitors[i];

        *competitor = host->competitors[i];
        competitor->compute = at_end(competitor->compute, high);
        competitor->communicate = at_end(competitor->communicate, high);
        competitor->communicate.low = competitor->communicate.high =
            fmin(competitor->communicate.high, 1 - competitor->compute.high);
    }
    there.competitors = competitors;
    status = rc_slowdown_local_find(&there, model, &local, NULL, error);
    *slowdown = local.slowdown;
    rc_slowdown_local_free(&local);
    free(competitors);
    return status;
}

struct rc_value *rc_slowdown_local_value(const struct rc_local_host *host,
                                         enum rc_local_model model, struct rc_error *error)
{
    bool known = true;
    double low, high;

    for (size_t i = 0; i < host->n_competitors; i++)
        known = known && rc_observe_share_known(host->competitors[i].compute) &&
                rc_observe_share_known(host->competitors[i].communicate);
    if (reckon_end(host, model, false, &low, error))
        return NULL;
    high = low;
    if (!known && reckon_end(host, model, true, &high, error))
        return NULL;
    return low == high ? rc_value_point(low, error)
                       : rc_value_interval(fmin(low, high), fmax(low, high), error);
}
