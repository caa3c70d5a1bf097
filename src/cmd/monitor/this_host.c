// SPDX-License-Identifier: GPL-3.0-or-later
/* this_host.c - 'runcast monitor' without --hosts: the sensors of this host. */
#include "cmd/monitor/monitor.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "host/sense/sensor_agent.h"

#define PROBE_DEFAULT 60.0
#define LINE "%-20s  %16s  %10s  %6s  %13s  %13s\n"
enum { TITLES_EVERY = 40 };

/* ---- showing ---- */

static void format(double value, enum rc_dimension dimension, char text[RC_UNIT_SIZE])
{
    if (isnan(value))
        snprintf(text, RC_UNIT_SIZE, "-");
    else if (dimension == RC_FRACTION)
        snprintf(text, RC_UNIT_SIZE, "%.2f", value);
    else
        rc_unit_format(value, dimension, text);
}

/* Each line at once, so that widths cannot depend on later lines. */
static int show(const struct rc_sense_sample *sample, const struct rc_cmd_monitor_options *options,
                size_t line)
{
    char time[RC_TIME_SIZE], text[5][RC_UNIT_SIZE];

    if (options->json)
        return rc_sense_write_line(stdout, rc_field_json(rc_answer_monitor_sample, sample));
    if (options->quiet)
        return 0;
    if (line % TITLES_EVERY == 0)
        printf(LINE, "time", "CPU availability", "memory", "load1", "in", "out");
    rc_timestamp_format(floor(sample->time), time);
    format(sample->cpu, RC_FRACTION, text[0]);
    format(sample->memory, RC_BYTES, text[1]);
    format(sample->load1, RC_FRACTION, text[2]);
    format(sample->in, RC_RATE, text[3]);
    format(sample->out, RC_RATE, text[4]);
    printf(LINE, time, text[0], text[1], text[2], text[3], text[4]);
    return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

/* ---- storing ---- */

struct storing {
    struct rc_watch_db *writer; /* NULL: nothing is stored */
    char host[256];
    bool stuck; /* the database took nothing the last time */
};

static int store_sample(const struct storing *storing, const struct rc_sense_sample *sample,
                        struct rc_error *error)
{
    struct rc_watch_sample one = {
        .link = SIZE_MAX, .name = storing->host, .peer = "", .t = sample->time};

    for (size_t m = 0; storing->writer && m < RC_SENSE_METRICS; m++) {
        one.metric = rc_sense_metrics[m].name;
        one.value = rc_sense_value(sample, m);
        if (!isnan(one.value) && rc_watch_db_add(storing->writer, &one, error))
            return -1;
    }
    return 0;
}

/* Reports once that the database takes nothing, and once that it does again. */
static void write_samples(struct storing *storing, double now)
{
    struct rc_error error = {0};
    bool stuck;

    if (!storing->writer || now < rc_watch_db_due(storing->writer))
        return;
    stuck = rc_watch_db_write(storing->writer, now, &error) != 0;
    if (stuck && !storing->stuck) {
        rc_error_hint(&error, "monitoring continues; samples stay in memory for some hours");
        rc_cmd_fail(&error, "storing samples");
    } else if (storing->stuck && !stuck) {
        rc_cmd_note("the database accepts samples again");
    }
    storing->stuck = stuck;
}

/* ---- the loop ---- */

static int take_samples(struct rc_sense_host *host, const struct rc_cmd_monitor *monitor,
                        struct storing *storing, const struct rc_cmd_work *work,
                        struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    double end = clock->monotonic(clock) + monitor->duration;
    struct rc_sense_sample sample;
    int status = 0;

    for (size_t line = 0; status >= 0 && !rc_progress_monitor_cancelled(&work->monitor);) {
        struct pollfd wait = {rc_sense_host_descriptor(host), POLLIN, 0};
        double left = fmin(rc_sense_host_due(host), end) - clock->monotonic(clock);

        if (rc_sense_host_due(host) > end + 1e-3 && left <= 0)
            break;
        if (storing->writer)
            left = fmin(left, rc_watch_db_due(storing->writer) - clock->monotonic(clock));
        if (left > 0)
            poll(&wait, 1, (int)ceil(fmin(left, RC_CMD_MONITOR_WAIT) * 1e3));
        status = rc_sense_host_step(host, &sample, error);
        if (status == 1) {
            status = store_sample(storing, &sample, error);
            if (show(&sample, monitor->options, line++))
                break; /* main() reports it */
        }
        write_samples(storing, clock->monotonic(clock));
    }
    return status < 0 ? -1 : 0;
}

/* Stores what waits, and reports how many samples were stored and lost. */
static int conclude(const struct storing *storing, const struct rc_cmd_monitor_options *options)
{
    struct rc_watch_db_info info;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;
    char path[4096] = "";

    if (rc_watch_db_flush(storing->writer, RC_CMD_MONITOR_FLUSH, &error))
        status = rc_cmd_fail(&error, "storing the last samples");
    info = rc_watch_db_info(storing->writer);
    if (!options->json && !options->quiet &&
        rc_cmd_db_path(options->db, path, sizeof path, NULL) == 0)
        printf("\n%" PRIu64 " samples stored in %zu series of %s: %s\n", info.stored, info.series,
               storing->host, path);
    if (info.dropped > 0) {
        rc_error_set(&error, RC_CMD_MONITOR_LOST, info.dropped);
        status = rc_cmd_fail(&error, "storing samples");
    }
    return status;
}

/* `db` NULL: nothing is stored. */
static int monitor_into(struct rc_db *db, struct rc_sense_host *host,
                        const struct rc_cmd_monitor *monitor, const struct rc_cmd_work *work)
{
    struct storing storing = {.writer = NULL};
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    gethostname(storing.host, sizeof storing.host - 1);
    if (db)
        storing.writer = rc_watch_db_create(db, 1, 0, &error);
    if ((db && !storing.writer) || take_samples(host, monitor, &storing, work, &error))
        status = rc_cmd_fail(&error, "%s", monitor->invocation->path);
    if (storing.writer && conclude(&storing, monitor->options))
        status = RC_EXIT_FAILED;
    rc_watch_db_destroy(storing.writer);
    return status;
}

static int answer_as_agent(struct rc_sense_host *host, const struct rc_cmd_monitor *monitor,
                           const struct rc_cmd_work *work)
{
    struct rc_error error = {0};

    if (rc_sense_agent(host, STDIN_FILENO, stdout, monitor->interval, monitor->duration,
                       &work->monitor, &error) == 0)
        return RC_EXIT_OK;
    return error.text[0] ? rc_cmd_fail(&error, "%s", monitor->invocation->path) : RC_EXIT_FAILED;
}

int rc_cmd_monitor_this_host(const struct rc_cmd_monitor *monitor)
{
    const struct rc_cmd_monitor_options *options = monitor->options;
    double probes = isnan(monitor->probe_interval) ? PROBE_DEFAULT : monitor->probe_interval;
    struct rc_db *db = NULL;
    struct rc_sense_host *host;
    struct rc_error error = {0};
    struct rc_cmd_work work;
    int status = RC_EXIT_OK;

    /* Without a monitor: Ctrl-C ends the monitoring, and must not stop the storing of the last
     * samples. */
    if (!options->no_store && !options->agent &&
        !(db = rc_cmd_open_db(options->db, RC_DB_CREATE, NULL)))
        return RC_EXIT_FAILED;
    rc_cmd_work_begin(&work, "monitoring");
    host = rc_sense_host_create(monitor->interval, probes, &error);
    if (host)
        rc_sense_host_exclude(host, options->exclude);
    if (!host)
        status = rc_cmd_fail(&error, "%s", monitor->invocation->path);
    else if (options->agent)
        status = answer_as_agent(host, monitor, &work);
    else
        status = monitor_into(db, host, monitor, &work);
    rc_sense_host_destroy(host);
    rc_db_close(db);
    rc_cmd_work_end(&work);
    return status;
}
