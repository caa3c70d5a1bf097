// SPDX-License-Identifier: GPL-3.0-or-later
/* host_forecast.h - the forecast load of the hosts of a run, from what the database has of their
 * past. */
#ifndef RC_PREDICT_HOST_FORECAST_H
#define RC_PREDICT_HOST_FORECAST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "predict/scenario_run_time.h"
#include "runcast.h"

enum { RC_HOST_FORECAST_HOSTS_MAX = 1024 };

struct rc_host_forecast;

/* Reads the availability of CPU of these hosts, and the bandwidth of their links: series of the
 * metric "bandwidth" of a host itself, or of a link between two of them.  What comes after `at` is
 * not looked at.  A host without a sample in the day before is assumed to be idle, unless nothing
 * is known of any; no link at all makes the bandwidth unknown.  NULL only where reading fails.
 * Destroy with rc_predict_host_forecast_destroy(). */
struct rc_host_forecast *rc_predict_host_forecast_create(struct rc_db *store,
                                                         const char *const *hosts, size_t n_hosts,
                                                         double at, struct rc_error *error);
void rc_predict_host_forecast_destroy(struct rc_host_forecast *forecast);

/* Hosts differ in speed: what each has of its CPU counts so many times.  weights[i] is that of the
 * i-th of the hosts that it was created for, 1 of the slowest, and more of others (NULL: 1 of all).
 * One that is assumed to be idle counts as that.  So the least over the hosts is a share of the
 * slowest one's core, and 1 at most. */
int rc_predict_host_forecast_weigh(struct rc_host_forecast *forecast, const double *weights,
                                   struct rc_error *error);

/* What is known. */
struct rc_predict_host_forecast_facts {
    size_t cpu_series, bw_series; /* 0: unknown */
    size_t n_missing;             /* hosts of which the CPU is unknown, ... */
    const char *missing;          /* ... and the first of them; NULL: none */
    double newest;                /* the oldest of the series' newest samples; NAN: none */
    double cpu, bw;               /* the least over the series of their means over the last samples,
                                     by the weights; NAN: unknown */
    double seconds; /* how far the scenarios go; 0 before rc_predict_host_forecast_look() */
    bool steady;    /* the past is too short to know how the load changes: it is
                                     taken to stay as it is */
};
void rc_predict_host_forecast_facts(const struct rc_host_forecast *forecast,
                                    struct rc_predict_host_forecast_facts *facts);

/* Gets ready to draw scenarios of `seconds`, or of half the past where that is shorter. */
int rc_predict_host_forecast_look(struct rc_host_forecast *forecast, double seconds,
                                  struct rc_error *error);

/* Draws one scenario.  What it points to belongs to the forecast, and changes with the next one.
 * What is unknown is `cpu` and `bw` all the time. */
void rc_predict_host_forecast_draw(struct rc_host_forecast *forecast, struct rc_random *random,
                                   double cpu, double bw, struct rc_predict_future *scenario);

#endif
