// SPDX-License-Identifier: GPL-3.0-or-later
/* joint_scenarios.h - the scenarios of several hosts together, with what they have in common.
 *
 * A parallel program is slowed by all of its hosts at once.  Whether they are busy at the same time
 * decides how much: the average of the least (avgmin) of two hosts that are busy together is higher
 * than that of two that take turns, though each of them looks the same alone. */
#ifndef RC_FORECAST_JOINT_SCENARIOS_H
#define RC_FORECAST_JOINT_SCENARIOS_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "forecast/even_series.h"
#include "stats/value/value.h"

enum rc_joint_stat {
    RC_JOINT_AVGMIN, /* at each instant the least over the hosts, averaged over the horizon */
    RC_JOINT_MINAVG  /* of each host the average over the horizon, of which the least */
};

struct rc_joint;

/* Follows all series of the set.  A horizon of more than 512 values ends there.  `set` and
 * `monitor` (which may be NULL) must outlive the result.  NULL, with `error` set, where the common
 * past is too short to have seen such a horizon pass a few times, or where the monitor stops it.
 * Destroy with rc_forecast_joint_destroy(). */
struct rc_joint *rc_forecast_joint_create(const struct rc_forecast_set *set,
                                          const struct rc_monitor *monitor, struct rc_error *error);
void rc_forecast_joint_destroy(struct rc_joint *joint);

/* How many values a future has: the horizon, as a whole number. */
size_t rc_forecast_joint_horizon(const struct rc_joint *joint);
/* The mean over the horizon that is forecast for one host by itself. */
double rc_forecast_joint_mean(const struct rc_joint *joint, size_t series);

/* How many forecasts of that horizon were judged, of the host that has the fewest; as
 * rc_forecast_judged(). */
uint64_t rc_forecast_joint_judged(const struct rc_joint *joint);

/* The distribution of a statistic over the set, as a sample of `draws`. */
struct rc_value *rc_forecast_joint_value(const struct rc_joint *joint, enum rc_joint_stat stat,
                                         size_t draws, struct rc_random *random,
                                         struct rc_error *error);

#endif
