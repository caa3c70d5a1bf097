// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_slowdown.c - slowdown factors: probabilities of many competitors (demand: 10 000 in under
 * 100 ms, summing to 1 within 1e-12), both ways to reckon, and contests that are played out.
 *
 * usage: bench-slowdown */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "model/slowdown/contention_sim.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int probabilities(size_t n, struct rc_random *random)
{
    double *shares = malloc(n * sizeof *shares), sum = 0, begin;
    struct rc_activity activity;
    int bad;

    for (size_t i = 0; shares && i < n; i++)
        shares[i] = rc_random_uniform(random);
    begin = now();
    if (!shares || rc_slowdown_activity_of(shares, n, &activity, NULL))
        return 1;
    begin = now() - begin;
    for (size_t i = 0; i <= n; i++)
        sum += activity.p[i];
    bad = n == 10000 && !(begin < 0.1 && fabs(sum - 1) < 1e-12);
    printf("probabilities of %7zu competitors: %9.3f ms, sum - 1 = %+.1e%s\n", n, 1e3 * begin,
           sum - 1, bad ? "  TOO MUCH" : "");
    rc_slowdown_activity_free(&activity);
    free(shares);
    return bad;
}

static struct rc_competitor *competitors(size_t n, struct rc_random *random)
{
    struct rc_competitor *made = calloc(n, sizeof *made);

    for (size_t i = 0; made && i < n; i++) {
        made[i] = (struct rc_competitor)RC_COMPETITOR_INIT;
        made[i].compute.low = made[i].compute.high = rc_random_uniform(random);
    }
    return made;
}

static int models(size_t n, struct rc_random *random)
{
    struct rc_competitor *some = competitors(n, random);
    const struct rc_local_host host = {
        .cores = 4, .processes = 2, .competitors = some, .n_competitors = n};
    int status = !some;

    for (int model = 0; model < RC_LOCAL_MODELS && !status; model++) {
        struct rc_local local;
        double begin = now();

        status = rc_slowdown_local_compute(&host, (enum rc_local_model)model, &local, NULL);
        printf("by the %s, %7zu competitors:   %9.3f ms\n", rc_slowdown_local_models[model], n,
               1e3 * (now() - begin));
        rc_slowdown_local_free(&local);
    }
    free(some);
    return status;
}

static int contests(size_t n, struct rc_random *random)
{
    struct rc_competitor *some = competitors(n, random);
    const struct rc_contention_host host = {
        {.cores = 4, .processes = 2, .competitors = some, .n_competitors = n}, 100};
    const struct rc_contention_sim sim = {
        .hosts = &host, .n_hosts = 1, .dedicated = 100, .samples = 1000};
    double begin = now();
    struct rc_value *value = some ? rc_slowdown_contention_simulate(&sim, NULL, NULL) : NULL;

    printf("a simulation, %4zu competitors, 1000 samples: %6.0f ms\n", n, 1e3 * (now() - begin));
    rc_value_drop(value);
    free(some);
    return !value;
}

int main(void)
{
    struct rc_random *random = rc_random_create(1, 0);
    int bad = 0;

    for (size_t n = 10; n <= 100000 && random; n *= 10)
        bad |= probabilities(n, random);
    for (size_t n = 10; n <= 10000 && random; n *= 10)
        bad |= models(n, random);
    for (size_t n = 1; n <= RC_CONTENTION_COMPETITORS_MAX && random; n *= 4)
        bad |= contests(n, random);
    rc_random_destroy(random);
    return bad;
}
