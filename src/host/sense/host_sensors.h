// SPDX-License-Identifier: GPL-3.0-or-later
/* host_sensors.h - all sensors of one host: samples of its state. */
#ifndef RC_HOST_SENSE_HOST_SENSORS_H
#define RC_HOST_SENSE_HOST_SENSORS_H

#include <stddef.h>
#include <sys/types.h>

#include "runcast.h"
#include "host/sense/availability_correction.h"
#include "host/sense/cpu_availability.h"
#include "host/sense/sensor_child.h"
#include "host/sense/spin_probe.h"

/* NAN: not known. */
struct rc_sense_sample {
    double time;                 /* wall clock: seconds since 1970 */
    double cpu;                  /* availability, 0 to 1 */
    double memory;               /* bytes available */
    double load1, load5, load15; /* averages of the run queue */
    double in, out;              /* bytes/s over all interfaces but the loopback */
};

/* The metrics of a sample, by the names that series have; in the order of the struct. */
enum { RC_SENSE_METRICS = 7 };
struct rc_sense_metric {
    const char *name;
    size_t offset;
};
extern const struct rc_sense_metric rc_sense_metrics[RC_SENSE_METRICS];
double rc_sense_value(const struct rc_sense_sample *sample, size_t metric);

struct rc_sense_host;

/* Sensors whose samples are `every` seconds apart, and whose guess of the availability is corrected
 * by a spin every `probe_interval` seconds (INFINITY: never).  Destroy with
 * rc_sense_host_destroy(), which also ends a probe. */
struct rc_sense_host *rc_sense_host_create(double interval, double probe_interval,
                                           struct rc_error *error);
void rc_sense_host_destroy(struct rc_sense_host *host);

/* As rc_sense_cpu_exclude(). */
void rc_sense_host_exclude(struct rc_sense_host *host, const char *names);

/* How many cores the sensor may use. */
size_t rc_sense_host_cores(const struct rc_sense_host *host);

/* When the next sample is due (monotonic), and what to wait for meanwhile (POLLIN; -1: nothing). */
double rc_sense_host_due(const struct rc_sense_host *host);
int rc_sense_host_descriptor(const struct rc_sense_host *host);

/* Does what is due: to be called when that time has come or the descriptor is ready.  1: there is a
 * sample in `*sample`; 0: there is none. */
int rc_sense_host_step(struct rc_sense_host *host, struct rc_sense_sample *sample,
                       struct rc_error *error);

/* The job of this host: other probes use it as well, so that no two probes overlap.  A spin that is
 * under way is given up. */
struct rc_sense_job *rc_sense_host_job(struct rc_sense_host *host);

#endif
