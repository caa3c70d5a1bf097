// SPDX-License-Identifier: GPL-3.0-or-later
/* replay.c - 'runcast load replay': a measured load. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/core/hints.h"
#include "cmd/load/varying_load.h"
#include "db/series.h"

struct replay_options {
    struct rc_cmd_load_receiver receiver;
    const char *host, *metric, *db, *column, *core, *duration;
    int64_t procs;
    double since, until, speed, link_rate;
    bool loop, verify, json;
};

static const struct replay_options replay_defaults = {.metric = "cpu",
                                                      .since = NAN,
                                                      .until = NAN,
                                                      .procs = RC_LOAD_FOLLOW_PROCS,
                                                      .speed = 1,
                                                      .link_rate = NAN};

static const struct rc_option replay_options[] = {
    {RC_OPTION_OF(struct replay_options, TEXT, column), .name = "column", .argument = "NAME",
     .help = "column with the values (default: value)"},
    {RC_OPTION_OF(struct replay_options, TEXT, host), .name = "host", .argument = "HOST",
     .help = "host whose series in the database is replayed, instead of a file"},
    {RC_OPTION_OF(struct replay_options, TEXT, metric), .name = "metric", .argument = "METRIC",
     .help = "measured quantity: cpu, memory, bandwidth, or another name (default: cpu)"},
    {RC_OPTION_OF(struct replay_options, SINCE, since), .name = "since", .argument = "TIME",
     .help = "only entries from TIME on (2026-11-15T09:30 in UTC; 2h: two hours ago)"},
    {RC_OPTION_OF(struct replay_options, SINCE, until), .name = "until", .argument = "TIME",
     .help = "only entries up to TIME"},
    {RC_OPTION_OF(struct replay_options, FLAG, loop), .name = "loop",
     .help = "start again at the end, until --duration is over"},
    RC_LOAD_OPTIONS_FOLLOW(struct replay_options),
    RC_LOAD_OPTION_DURATION(struct replay_options, "that of the series"),
    RC_OPTION_JSON(struct replay_options),
    RC_OPTION_DB(struct replay_options),
    RC_OPTIONS_END,
};

static int check_values(const struct rc_load_steps *steps, const struct replay_options *options,
                        struct rc_error *error)
{
    for (size_t i = 0; i < steps->n; i++)
        if (!(steps->items[i].value >= 0 && steps->items[i].value <= 1))
            return rc_error_set(
                error, "value %g in the series '%s' of %s is not an availability from 0 to 1",
                steps->items[i].value, options->metric, options->host);
    return 0;
}

/* Reports errors itself. */
static int read_steps(const struct rc_invocation *invocation, struct rc_load_steps *steps)
{
    const struct replay_options *options = invocation->options;
    struct rc_series_key key = {options->host, "", options->metric};
    char hint[RC_HINT_SIZE];
    struct rc_error error = {0};
    struct rc_db *db;
    int status = 0;

    if (!options->host) {
        status = rc_load_read(invocation->arguments[0], options->column, steps, &error);
        return status ? rc_cmd_fail(&error, "%s", invocation->path) : RC_EXIT_OK;
    }
    db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    status = rc_db_series_load(db, &key, isnan(options->since) ? -INFINITY : options->since,
                               isnan(options->until) ? INFINITY : options->until, &steps->items,
                               &steps->n, &error);
    rc_db_close(db);
    if (status && rc_cmd_hint(&error, hint) && strstr(hint, "--at")) /* not an option here */
        rc_error_hint(&error, "'runcast series list' shows the time range of each series");
    if (status || check_values(steps, options, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    return RC_EXIT_OK;
}

/* Finds the start, the end and the duration of the load. */
static int fit(const struct rc_invocation *invocation, const struct rc_load_steps *steps,
               struct rc_cmd_follow *follow)
{
    const struct replay_options *options = invocation->options;
    double first = steps->items[0].t, last = steps->items[steps->n - 1].t, most;

    if (!isnan(options->since))
        first = fmax(first, options->since);
    if (!isnan(options->until) && options->until > last)
        last = options->until; /* the last value stays */
    most = (last - first) / options->speed;
    if (options->loop && isnan(follow->seconds))
        return rc_cmd_usage_text(invocation, "--loop needs --duration, which may be 'forever'");
    if (!(most > 0)) {
        struct rc_error error = {0};

        rc_error_set(&error, "the series has samples at one time only");
        return rc_cmd_fail(&error, "%s", invocation->path);
    }
    follow->cpu = (struct rc_load_follow){.steps = *steps,
                                          .from = first,
                                          .speed = options->speed,
                                          .span = options->loop ? last - first : 0,
                                          .most = (size_t)options->procs};
    follow->link = follow->cpu;
    follow->link.most = 0;
    if (!options->loop && !(follow->seconds < most))
        follow->seconds = most;
    return RC_EXIT_OK;
}

static int run_replay(struct rc_invocation *invocation)
{
    const struct replay_options *options = invocation->options;
    struct rc_load_steps steps = {NULL, 0};
    struct rc_cmd_follow follow = {.name = "replay",
                                   .core = options->core,
                                   .verify = options->verify,
                                   .json = options->json,
                                   .with_cpu = !options->receiver.connect,
                                   .with_link = options->receiver.connect != NULL,
                                   .receiver = &options->receiver,
                                   .link_rate = options->link_rate};
    int status = rc_cmd_load_seconds(invocation, options->duration, NAN, &follow.seconds);

    if (status || (status = rc_cmd_follow_check(invocation, &options->receiver, options->speed,
                                                options->link_rate)))
        return status;
    if ((invocation->n_arguments == 1) == (options->host != NULL))
        return rc_cmd_usage_text(
            invocation, "missing series: name a file, or use --host HOST for one in the database");
    if (!options->host && !(isnan(options->since) && isnan(options->until)))
        return rc_cmd_usage_text(invocation, "--since and --until need --host");
    status = read_steps(invocation, &steps);
    if (status == RC_EXIT_OK && (status = fit(invocation, &steps, &follow)) == RC_EXIT_OK) {
        follow.source = (struct rc_answer_load_source){.host = options->host,
                                                       .metric = options->metric,
                                                       .file = invocation->arguments[0],
                                                       .speed_up = options->speed,
                                                       .loop = options->loop};
        status = rc_cmd_follow_run(invocation, &follow);
    }
    rc_load_steps_free(&steps);
    return status;
}

const struct rc_command rc_command_load_replay = {
    .name = "replay",
    .summary = "Replay a measured load on the cores or a link",
    .arguments = "[SERIES.csv]",
    .details =
        "The CPU availability of the cores follows a series. With --connect and --link-rate, the "
        "available bandwidth of the link to that host follows it instead.\n\n"
        "The series is a CSV file with the columns t (seconds, or dates and times) and value (the "
        "availability, from 0 to 1), or a series in the database (--host). A value is valid until "
        "the next one. The load ends at the last.",
    .examples = "  runcast load replay monday.csv --speed-up 60\n"
                "  runcast load replay --host a001 --metric cpu --since 2h --verify\n",
    .most_arguments = 1,
    .options = replay_options,
    .options_size = sizeof(struct replay_options),
    .defaults = &replay_defaults,
    .answers = {rc_answer_load_follow},
    .run = run_replay,
};
