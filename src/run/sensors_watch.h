// SPDX-License-Identifier: GPL-3.0-or-later
/* sensors_watch.h - the hosts of a run, sensed by a watcher (host/watch/watch.h). */
#ifndef RC_RUN_SENSORS_WATCH_H
#define RC_RUN_SENSORS_WATCH_H

#include "run/sensors.h"
#include "host/watch/watch.h"

/* Makes sensors of a watcher with these options, but for its callbacks; samples go to `tracks`,
 * which must outlive it.  Free with sensors->kind->destroy(sensors->data). */
int rc_run_sensors_watch(struct rc_sensors *sensors, const struct rc_watch_options *options,
                         struct rc_tracks *tracks, struct rc_error *error);

#endif
