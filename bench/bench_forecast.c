// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_forecast.c - what a sample costs a forecast, and a question, at several lengths of history.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "forecast/forecast.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A load that jumps between levels, with noise and a day. */
static double value(struct rc_random *random, size_t i, double *level)
{
    if (rc_random_uniform(random) < 0.01)
        *level = rc_random_uniform(random);
    return fabs(*level + 0.2 * sin((double)i * 6.283185 / 1440) +
                rc_random_normal(random, 0, 0.05));
}

int main(void)
{
    enum { PART = 20000, PARTS = 5 };
    struct rc_forecast *forecast =
        rc_forecast_create(&(struct rc_forecast_options){.step = 60, .horizon = 30}, NULL);
    struct rc_random *random = rc_random_create(1, 0);
    double *values = malloc(PART * sizeof *values), level = 0.5, sum = 0, begun;

    if (!forecast || !random || !values)
        return 1;
    printf("A forecast of one series, all horizons of the ladder and one more\n");
    for (size_t part = 0; part < PARTS; part++) {
        for (size_t i = 0; i < PART; i++)
            values[i] = value(random, part * PART + i, &level);
        begun = now();
        for (size_t i = 0; i < PART; i++)
            rc_forecast_add(forecast, values[i]);
        printf("  samples %6zu to %6zu: %6.2f us each\n", part * PART + 1, (part + 1) * PART,
               (now() - begun) / PART * 1e6);
    }
    begun = now();
    for (size_t i = 0; i < PART; i++) {
        double low, high;

        rc_forecast_interval(forecast, 1 + (double)(i % 500), 0.9, &low, &high);
        sum += high - low;
    }
    printf("  a question for any horizon: %6.2f us (width %.3f on average)\n",
           (now() - begun) / PART * 1e6, sum / PART);
    free(values);
    rc_random_destroy(random);
    rc_forecast_destroy(forecast);
    return 0;
}
