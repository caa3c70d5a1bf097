// SPDX-License-Identifier: GPL-3.0-or-later
/* host_forecast_many.h - the forecast load of many hosts, of which any part can be asked for:
 * series are read once, and scenarios of some of the hosts are drawn together and stored, so that
 * all choices among these hosts are compared with common random numbers. */
#ifndef RC_PREDICT_HOST_FORECAST_MANY_H
#define RC_PREDICT_HOST_FORECAST_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_host_forecast_many;

/* Without a series yet.  NULL if memory runs out.  Destroy with
 * rc_predict_host_forecast_many_destroy(). */
struct rc_host_forecast_many *rc_predict_host_forecast_many_create(size_t n_hosts, double at,
                                                                   struct rc_error *error);
void rc_predict_host_forecast_many_destroy(struct rc_host_forecast_many *many);

/* Reads the series of CPU and bandwidth of these hosts, as rc_predict_host_forecast_create() does,
 * but no more samples in all than can be read in a fraction of a second: the last ones of each
 * series. */
int rc_predict_host_forecast_many_read(struct rc_host_forecast_many *many, struct rc_db *store,
                                       const char *const *hosts, struct rc_error *error);

/* Adds a series that is not in the database: of a host's CPU or, where `b` is a host, of the
 * bandwidth between `a` and `b` (`a` itself: of its own link).  1: it is there; 0: it has no sample
 * in the day before. */
enum { RC_HOST_FORECAST_CPU = -1 };
int rc_predict_host_forecast_many_add(struct rc_host_forecast_many *many, size_t a, int64_t b,
                                      const struct rc_sample *samples, size_t n,
                                      struct rc_error *error);

/* What is known of a host's CPU. */
struct rc_host_forecast_host {
    bool known;
    double lately, mean; /* over its last samples, and over all that were read; 1: unknown */
};
void rc_predict_host_forecast_many_host(const struct rc_host_forecast_many *many, size_t host,
                                        struct rc_host_forecast_host *facts);
/* The series that there are. */
size_t rc_predict_host_forecast_many_cpus(const struct rc_host_forecast_many *many);
size_t rc_predict_host_forecast_many_links(const struct rc_host_forecast_many *many);

/* Scenarios of one kind: value j of series s in scenario f, at values[(s * n_scenarios + f) * n +
 * j], holds from j * step to (j + 1) * step seconds after the start.  Where n is 0, series s stays
 * at steady[s]. */
struct rc_host_forecast_scenarios {
    size_t n_series, n;
    double step;
    float *values;
    double *steady;
};

/* Start from {0}; free with rc_predict_host_forecast_bundle_free(). */
struct rc_host_forecast_bundle {
    size_t n_hosts, n_scenarios;
    struct rc_host_forecast_scenarios cpu, bw;
    size_t *cpu_of;    /* of each host, the series; n_series: unknown */
    size_t (*ends)[2]; /* of each series of bw, two hosts of the bundle, or one twice */
    double seconds;    /* how far they go: INFINITY where all stays as it is */
    bool steady;       /* the past is too short to know how loads change */
};
void rc_predict_host_forecast_bundle_free(struct rc_host_forecast_bundle *bundle);

/* Draws scenarios of `seconds`, or of half the past where that is shorter, for some of the hosts,
 * which are the bundle's in this order.  Fewer scenarios than asked for are drawn where that takes
 * more memory than there should be, but never fewer than 16. */
int rc_predict_host_forecast_many_draw(const struct rc_host_forecast_many *many,
                                       const size_t *hosts, size_t n_hosts, double seconds,
                                       size_t n_scenarios, uint64_t seed,
                                       struct rc_host_forecast_bundle *bundle,
                                       struct rc_error *error);

#endif
