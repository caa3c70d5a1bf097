// SPDX-License-Identifier: GPL-3.0-or-later
/* run.c - 'runcast sense': what this host says of itself, now and then. */
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/timestamp.h"
#include "cmd/core/commands.h"
#include "host/sense/sensor_agent.h"
#include "host/watch/sample_db.h"

#define EVERY_LEAST 0.1
#define PROBE_LEAST 10.0
#define PROBE_DEFAULT 60.0
#define SHORT_OF_A_WAIT 1.0 /* seconds after which a signal that came between is seen */
#define FLUSH_SECONDS 10.0  /* to wait for another writer, at the end */
#define LINE "%-20s  %4s  %10s  %6s  %13s  %13s\n"
enum { TITLES_EVERY = 40 };

struct sense_options {
    double seconds, every;
    const char *probe_every, *leave_out, *db;
    bool json, agent, no_store;
};

static const struct sense_options sense_defaults = {.seconds = INFINITY, .every = 1};

static const struct rc_option sense_options[] = {
    {RC_OPTION_OF(struct sense_options, QUANTITY, seconds), .name = "for", .argument = "TIME",
     .dimension = RC_SECONDS, .help = "how long (default: until Ctrl-C)"},
    {RC_OPTION_OF(struct sense_options, QUANTITY, every), .name = "every", .argument = "TIME",
     .dimension = RC_SECONDS, .help = "time between two samples, 0.1s or more (default: 1s)"},
    {RC_OPTION_OF(struct sense_options, TEXT, probe_every), .name = "probe-every",
     .argument = "TIME|never",
     .help = "time between two short spins that correct the availability of the CPU, 10s or more "
             "(default: 1min)"},
    {RC_OPTION_OF(struct sense_options, TEXT, leave_out), .name = "leave-out", .argument = "NAMES",
     .help =
         "do not count processes of these names, between commas, that are started from now on: for "
         "the load that a program itself meets"},
    {RC_OPTION_OF(struct sense_options, FLAG, no_store), .name = "no-store",
     .help = "only show the samples"},
    {RC_OPTION_OF(struct sense_options, FLAG, agent), .name = "agent",
     .help = "answer another runcast on standard input and output; nothing is stored here"},
    RC_OPTION_JSON(struct sense_options),
    RC_OPTION_DB(struct sense_options),
    RC_OPTIONS_END,
};

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

/* Each line at once, so that the widths cannot follow from what comes later. */
static int show(const struct rc_sense_sample *sample, bool as_json, size_t line)
{
    char time[RC_TIME_SIZE], text[5][RC_UNIT_SIZE];

    if (as_json)
        return rc_sense_write_line(stdout, rc_sense_sample_json(sample));
    if (line % TITLES_EVERY == 0)
        printf(LINE, "time", "cpu", "memory", "load", "in", "out");
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

/* Says once that the database takes nothing, and once that it does again. */
static void write_samples(struct storing *storing, double now)
{
    struct rc_error error = {0};
    bool stuck;

    if (!storing->writer || now < rc_watch_db_due(storing->writer))
        return;
    stuck = rc_watch_db_write(storing->writer, now, &error) != 0;
    if (stuck && !storing->stuck) {
        rc_error_hint(&error, "sensing goes on; what is seen meanwhile is kept for some hours");
        rc_cmd_fail(&error, "storing samples");
    } else if (storing->stuck && !stuck) {
        rc_cmd_note("the store takes samples again");
    }
    storing->stuck = stuck;
}

/* ---- the loop ---- */

static int sense(struct rc_sense_host *host, const struct sense_options *options,
                 struct storing *storing, const struct rc_cmd_work *work, struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    double end = clock->monotonic(clock) + options->seconds;
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
            poll(&wait, 1, (int)ceil(fmin(left, SHORT_OF_A_WAIT) * 1e3));
        status = rc_sense_host_step(host, &sample, error);
        if (status == 1) {
            status = store_sample(storing, &sample, error);
            if (show(&sample, options->json, line++))
                break; /* main() says so */
        }
        write_samples(storing, clock->monotonic(clock));
    }
    return status < 0 ? -1 : 0;
}

static int check_options(const struct rc_invocation *invocation, double *probe_every)
{
    const struct sense_options *options = invocation->options;
    const char *text = options->probe_every;
    struct rc_error error = {0};

    *probe_every = PROBE_DEFAULT;
    if (!(options->seconds > 0))
        return rc_cmd_usage_text(invocation, "--for must be greater than 0");
    if (!(options->every >= EVERY_LEAST))
        return rc_cmd_usage_text(invocation, "--every must be 0.1s or more");
    if (text && strcmp(text, "never") == 0)
        *probe_every = INFINITY;
    else if (text && rc_unit_parse(text, strlen(text), RC_SECONDS, probe_every, &error))
        return rc_cmd_usage_text(invocation, "--probe-every: %s", error.text);
    if (!(*probe_every >= PROBE_LEAST))
        return rc_cmd_usage_text(invocation, "--probe-every must be 10s or more, or 'never'");
    return RC_EXIT_OK;
}

/* What waits to be stored at the end, what was, and what was lost. */
static int conclude(const struct storing *storing, const struct sense_options *options)
{
    struct rc_watch_db_info info;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;
    char path[4096] = "";

    if (rc_watch_db_flush(storing->writer, FLUSH_SECONDS, &error))
        status = rc_cmd_fail(&error, "storing the last samples");
    info = rc_watch_db_info(storing->writer);
    if (!options->json && rc_cmd_db_path(options->db, path, sizeof path, NULL) == 0)
        printf("\n%" PRIu64 " samples stored in %zu series of %s: %s\n", info.stored, info.series,
               storing->host, path);
    if (info.dropped > 0) {
        rc_error_set(&error, "%" PRIu64 " were lost, as the store took nothing for too long",
                     info.dropped);
        status = rc_cmd_fail(&error, "storing samples");
    }
    return status;
}

/* `db` NULL: nothing is stored. */
static int sense_into(struct rc_db *db, struct rc_sense_host *host,
                      const struct rc_invocation *invocation, const struct rc_cmd_work *work)
{
    struct storing storing = {.writer = NULL};
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    gethostname(storing.host, sizeof storing.host - 1);
    if (db)
        storing.writer = rc_watch_db_create(db, 1, 0, &error);
    if ((db && !storing.writer) || sense(host, invocation->options, &storing, work, &error))
        status = rc_cmd_fail(&error, "%s", invocation->path);
    if (storing.writer && conclude(&storing, invocation->options))
        status = RC_EXIT_FAILED;
    rc_watch_db_destroy(storing.writer);
    return status;
}

static int run_sense(struct rc_invocation *invocation)
{
    const struct sense_options *options = invocation->options;
    struct rc_db *db = NULL;
    struct rc_sense_host *host;
    struct rc_error error = {0};
    struct rc_cmd_work work;
    double probe_every;
    int status = check_options(invocation, &probe_every);

    if (status)
        return status;
    /* Without a monitor: Ctrl-C is to end the sensing, not the storing of its last samples. */
    if (!options->no_store && !options->agent &&
        !(db = rc_cmd_open_db(options->db, RC_DB_CREATE, NULL)))
        return RC_EXIT_FAILED;
    rc_cmd_work_begin(&work, "sensing");
    host = rc_sense_host_create(options->every, probe_every, &error);
    if (host)
        rc_sense_host_leave_out(host, options->leave_out);
    if (!host || (options->agent && rc_sense_agent(host, STDIN_FILENO, stdout, options->every,
                                                   options->seconds, &work.monitor, &error)))
        status = error.text[0] ? rc_cmd_fail(&error, "%s", invocation->path) : RC_EXIT_FAILED;
    else if (!options->agent)
        status = sense_into(db, host, invocation, &work);
    rc_sense_host_destroy(host);
    rc_db_close(db);
    rc_cmd_work_end(&work);
    return status;
}

const struct rc_command rc_command_sense = {
    .name = "sense",
    .summary = "Measure how much of this host is free, and keep it",
    .details =
        "Takes a sample of this host at every beat: the fraction of a core that a new process "
        "would get, the memory that is available, the load averages, and what goes in and out "
        "over the network. Each is a series of this host in the store, as 'runcast series list' "
        "shows. A short spin now and then corrects the guess of the first; it costs at most 0.5 % "
        "of a core.",
    .examples = "  runcast sense                      # until Ctrl-C\n"
                "  runcast sense --for 1h --every 10s\n"
                "  runcast sense --no-store --json    # a JSON object on each line\n",
    .options = sense_options,
    .options_size = sizeof(struct sense_options),
    .defaults = &sense_defaults,
    .run = run_sense,
};
