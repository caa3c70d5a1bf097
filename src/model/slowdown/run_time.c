// SPDX-License-Identifier: GPL-3.0-or-later
/* run_time.c - run time under contention. */
#include "model/slowdown/run_time.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "model/slowdown/aggregate_slowdown.h"

enum { ERROR_STREAM = 7, RANGE_STREAM }; /* of random numbers; the simulation has other streams */
#define LONG_CYCLE 0.25                  /* of the run */

double rc_slowdown_local_contention(const struct rc_local_host *local, double dedicated,
                                    double slowdown, struct rc_contention_host *host)
{
    *host = (struct rc_contention_host){.local = *local, .work = dedicated};
    if (local->n_competitors > RC_CONTENTION_COMPETITORS_MAX) {
        host->local.n_competitors = 0;
        host->work *= slowdown;
    }
    return host->work;
}

/* Samples of the slowdown by an equation, which differ if shares are ranges. */
static struct rc_value *by_equation(const struct rc_slowdown_question *question,
                                    struct rc_error *error)
{
    struct rc_random *random = rc_random_create(question->sim.seed, RANGE_STREAM);
    struct rc_value_rules rules;
    struct rc_value *value = NULL;

    rc_value_rules_init(&rules);
    rules.draws = question->sim.samples;
    rules.random = random;
    if (random)
        value = rc_value_convert(question->equation, RC_SAMPLE, &rules, error);
    else
        rc_error_no_memory(error);
    rc_random_destroy(random);
    return value;
}

/* The samples of a simulation, with messages, relative to the known dedicated run. */
static struct rc_value *with_network(const struct rc_slowdown_question *question,
                                     const struct rc_value *simulated, struct rc_error *error)
{
    double stretch = question->equation ? 1 : question->sim.dedicated / question->dedicated;
    struct rc_value *value = NULL;
    size_t n;
    const double *draws = rc_value_draws(simulated, &n);
    double *mixed = malloc((n + 1) * sizeof *mixed);

    if (!mixed) {
        rc_error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        mixed[i] = rc_slowdown_aggregate_network(draws[i] * stretch, question->link,
                                                 question->communicating);
    value = rc_value_sample(mixed, n, error);
    free(mixed);
    return value;
}

/* The error of the method is a random factor in each run. */
static struct rc_value *with_error(const struct rc_slowdown_question *question,
                                   const struct rc_value *slowdown, struct rc_error *error)
{
    struct rc_random *random = rc_random_create(question->sim.seed, ERROR_STREAM);
    struct rc_value *value = NULL;
    size_t n;
    const double *draws = rc_value_draws(slowdown, &n);
    double *seconds = malloc((n + 1) * sizeof *seconds);

    if (!random || !seconds) {
        rc_error_no_memory(error);
    } else {
        for (size_t i = 0; i < n; i++)
            seconds[i] = question->dedicated * draws[i] *
                         fmax(rc_random_normal(random, 1, question->model_error), 0);
        value = rc_value_sample(seconds, n, error);
    }
    rc_random_destroy(random);
    free(seconds);
    return value;
}

int rc_slowdown_ask(const struct rc_slowdown_question *question, const struct rc_monitor *monitor,
                    struct rc_slowdown_answer *answer, struct rc_error *error)
{
    struct rc_value *simulated;

    *answer = (struct rc_slowdown_answer){0};
    if (!(question->communicating >= 0 && question->communicating <= 1) || !(question->link > 0) ||
        !(question->model_error >= 0) || !(question->dedicated > 0))
        return rc_error_set(error,
                            "share of communicating must be from 0 to 1, its slowdown and "
                            "the dedicated run time above 0, and the model error at least 0");
    simulated = question->equation
                    ? by_equation(question, error)
                    : rc_slowdown_contention_simulate(&question->sim, monitor, error);
    if (!simulated)
        return -1;
    answer->slowdown = with_network(question, simulated, error);
    rc_value_drop(simulated);
    if (answer->slowdown)
        answer->seconds = with_error(question, answer->slowdown, error);
    if (!answer->seconds) {
        rc_slowdown_answer_drop(answer);
        return -1;
    }
    answer->spread = rc_value_sd(answer->slowdown) / rc_value_mean(answer->slowdown);
    return 0;
}

void rc_slowdown_answer_drop(struct rc_slowdown_answer *answer)
{
    rc_value_drop(answer->slowdown);
    rc_value_drop(answer->seconds);
    *answer = (struct rc_slowdown_answer){0};
}

void rc_slowdown_doubt(const struct rc_competitor *competitors, size_t n, double seconds,
                       struct rc_slowdown_doubts *doubts)
{
    for (size_t i = 0; i < n; i++) {
        const struct rc_competitor *competitor = &competitors[i];
        double busy = rc_observe_share_mean(competitor->compute);

        if (competitor->cycle > LONG_CYCLE * seconds && busy > 0 && busy < 1) {
            doubts->long_cycles++;
            doubts->longest = fmax(doubts->longest, competitor->cycle);
        }
        doubts->come_and_go += isfinite(competitor->stay);
        doubts->unknown += competitor->unknown;
        doubts->ranges +=
            !competitor->unknown && (!rc_observe_share_known(competitor->compute) ||
                                     !rc_observe_share_known(competitor->communicate));
    }
}
