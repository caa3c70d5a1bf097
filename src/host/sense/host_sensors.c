// SPDX-License-Identifier: GPL-3.0-or-later
/* host_sensors.c - the sensors of one host together. */
#include "host/sense/host_sensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "host/sense/proc_files.h"

#define FIRST 1.0             /* seconds until the first sample, at most */
#define SPIN_SECONDS 5.0      /* that a spin may take, with all waiting */
enum { TEXT_SIZE = 1 << 19 }; /* some thousand interfaces */

const struct rc_sense_metric rc_sense_metrics[RC_SENSE_METRICS] = {
    {"cpu", offsetof(struct rc_sense_sample, cpu)},
    {"memory", offsetof(struct rc_sense_sample, memory)},
    {"load1", offsetof(struct rc_sense_sample, load1)},
    {"load5", offsetof(struct rc_sense_sample, load5)},
    {"load15", offsetof(struct rc_sense_sample, load15)},
    {"in", offsetof(struct rc_sense_sample, in)},
    {"out", offsetof(struct rc_sense_sample, out)},
};

double rc_sense_value(const struct rc_sense_sample *sample, size_t metric)
{
    double value;

    memcpy(&value, (const char *)sample + rc_sense_metrics[metric].offset, sizeof value);
    return value;
}

struct rc_sense_host {
    struct rc_clock *clock;
    struct rc_sense_cpu *cpu;
    struct rc_sense_correction correction;
    struct rc_sense_reading before; /* the reading before the last spin */
    struct rc_sense_spin spin;
    bool spinning, spun; /* a spin is under way; one has ended since the last reading */
    struct rc_sense_job job;
    double interval, due;
    double counted, in, out; /* bytes by the time `counted`; 0: not counted yet */
    char text[TEXT_SIZE];
};

/* ---- memory, load, interfaces ---- */

static void sense_rest(struct rc_sense_host *host, double now, struct rc_sense_sample *sample)
{
    struct rc_proc_load load;
    double in, out, since = now - host->counted;

    if (rc_file_read("/proc/meminfo", host->text, sizeof host->text) == 0)
        rc_sense_proc_memory_read(host->text, &sample->memory);
    if (rc_file_read("/proc/loadavg", host->text, sizeof host->text) == 0 &&
        rc_sense_proc_load_read(host->text, &load) == 0) {
        sample->load1 = load.one;
        sample->load5 = load.five;
        sample->load15 = load.fifteen;
    }
    if (rc_file_read("/proc/self/net/dev", host->text, sizeof host->text) ||
        rc_sense_proc_network_read(host->text, &in, &out))
        return;
    /* Where an interface went, its count went too. */
    if (host->counted > 0 && in >= host->in && out >= host->out && since > 0) {
        sample->in = (in - host->in) / since;
        sample->out = (out - host->out) / since;
    }
    host->in = in;
    host->out = out;
    host->counted = now;
}

/* ---- the spin ---- */

static void spin_body(void *data, void *result)
{
    struct rc_sense_spin spin = rc_sense_spin();

    (void)data;
    memcpy(result, &spin, sizeof spin);
}

static void end_spin(struct rc_sense_host *host, double now)
{
    int said = rc_sense_job_check(&host->job, now);

    if (said == 0)
        return;
    host->spin = (struct rc_sense_spin){NAN, 0};
    if (said > 0)
        memcpy(&host->spin, host->job.result, sizeof host->spin);
    host->spinning = false;
    host->spun = true;
}

struct rc_sense_job *rc_sense_host_job(struct rc_sense_host *host)
{
    if (host->spinning)
        rc_sense_job_stop(&host->job);
    host->spinning = false;
    return &host->job;
}

/* ---- together ---- */

static int take_sample(struct rc_sense_host *host, double now, struct rc_sense_sample *sample,
                       struct rc_error *error)
{
    struct rc_sense_reading reading;

    *sample =
        (struct rc_sense_sample){host->clock->wall(host->clock), NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (rc_sense_cpu_look(host->cpu, now, host->job.pid, &reading, error))
        return -1;
    if (host->spun)
        rc_sense_correction_learn(&host->correction, &host->before, &reading, &host->spin, now);
    host->spun = false;
    sample->cpu = rc_sense_correct(&host->correction, &reading);
    sense_rest(host, now, sample);
    if (now >= host->correction.next && !host->job.pid && !isnan(reading.availability)) {
        host->spinning =
            rc_sense_job_start(&host->job, spin_body, NULL, sizeof(struct rc_sense_spin), -1,
                               SPIN_SECONDS, NULL) == 0;
        host->before = reading;
    }
    return 0;
}

struct rc_sense_host *rc_sense_host_create(double interval, double probe_interval,
                                           struct rc_error *error)
{
    struct rc_sense_host *host = calloc(1, sizeof *host);
    struct rc_sense_sample nothing;
    double now;

    if (!host)
        return rc_error_null(rc_error_no_memory(error));
    host->clock = rc_clock_system();
    host->job = (struct rc_sense_job)RC_SENSE_JOB_NONE;
    host->interval = interval;
    now = host->clock->monotonic(host->clock);
    host->due = now + fmin(interval, FIRST);
    rc_sense_correction_begin(&host->correction, INFINITY, now);
    host->cpu = rc_sense_cpu_create(error);
    if (!host->cpu || take_sample(host, now, &nothing, error)) {
        rc_sense_host_destroy(host);
        return NULL;
    }
    rc_sense_correction_begin(&host->correction, probe_interval, now);
    return host;
}

void rc_sense_host_destroy(struct rc_sense_host *host)
{
    if (!host)
        return;
    rc_sense_job_stop(&host->job);
    rc_sense_cpu_destroy(host->cpu);
    free(host);
}

void rc_sense_host_exclude(struct rc_sense_host *host, const char *names)
{
    rc_sense_cpu_exclude(host->cpu, names);
}

size_t rc_sense_host_cores(const struct rc_sense_host *host)
{
    return rc_sense_cpu_cores(host->cpu);
}

double rc_sense_host_due(const struct rc_sense_host *host)
{
    return host->due;
}

int rc_sense_host_descriptor(const struct rc_sense_host *host)
{
    return host->spinning ? host->job.output : -1;
}

int rc_sense_host_step(struct rc_sense_host *host, struct rc_sense_sample *sample,
                       struct rc_error *error)
{
    double now = host->clock->monotonic(host->clock);

    if (host->spinning)
        end_spin(host, now);
    if (now < host->due)
        return 0;
    /* A time that was slept through is left out, and the beat is kept. */
    host->due += host->interval * fmax(1, ceil((now - host->due + 1e-3) / host->interval));
    return take_sample(host, now, sample, error) ? -1 : 1;
}
