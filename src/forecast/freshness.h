// SPDX-License-Identifier: GPL-3.0-or-later
/* freshness.h - how old the newest samples of hosts are, beside how often there are some.
 *
 * Whoever forecasts from a series goes on from its newest sample, as if that were of now.  Where
 * samples have ceased to come, that is worth a word. */
#ifndef RC_FORECAST_FRESHNESS_H
#define RC_FORECAST_FRESHNESS_H

#include <stddef.h>

#include "runcast.h"

/* A newest sample is old where it is older than this, and than three of the steps between samples
 * before it. */
#define RC_FRESHNESS_LEAST 300.0

struct rc_freshness {
    size_t n_hosts; /* that have a CPU sample in the day before (RC_SERIES_SCENARIOS_OLD) */
    size_t n_old;   /* those of them whose newest is old */
    size_t oldest;  /* the one of these, of the hosts that were asked of, with the oldest, */
    double age;     /* and how old that is, in seconds; NAN: none is old */
};

/* Looks at the samples of the hosts' CPUs up to `at`. */
int rc_forecast_freshness_find(struct rc_db *db, const char *const *hosts, size_t n, double at,
                               struct rc_freshness *freshness, struct rc_error *error);

#endif
