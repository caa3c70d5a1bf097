// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_agent.h - answers a watcher in lines of text (docs/reference/sensors.md). */
#ifndef RC_HOST_SENSE_SENSOR_AGENT_H
#define RC_HOST_SENSE_SENSOR_AGENT_H

#include <stdio.h>

#include <jansson.h>

#include "host/sense/host_sensors.h"

/* {"time": ..., "cpu": ..., ...}; what is not known is left out.  The caller owns it. */
json_t *rc_sense_sample_json(const struct rc_sense_sample *sample);

/* Writes one line of JSON, at once, and frees it; -1 where the reader is gone. */
int rc_sense_write_line(FILE *output, json_t *object);

/* Writes the samples of `host`, which are `every` seconds apart, and answers requests on the
 * descriptor `input`, for `seconds`: until that ends, the monitor cancels, or the reader is gone.
 * -1 where the system does not work, or, with no text in the error, where `output` does not even
 * take a greeting. */
int rc_sense_agent(struct rc_sense_host *host, int input, FILE *output, double interval,
                   double seconds, const struct rc_monitor *monitor, struct rc_error *error);

#endif
