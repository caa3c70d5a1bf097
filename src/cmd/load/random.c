// SPDX-License-Identifier: GPL-3.0-or-later
/* load_random.c - 'runcast load random' and 'runcast load replay'. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/load/follow.h"
#include "db/series.h"

#define SECONDS_DEFAULT 600.0
#define FOREVER (30 * 86400.0) /* drawn for a load that has no end; the last level then stays */

/* ---- random ---- */

struct random_options {
    struct rc_cmd_load_far far;
    const char *pattern, *name, *core, *how_long;
    int64_t seed, procs;
    double start, speed, bandwidth;
    bool probe, json;
};

static const struct random_options random_defaults = {
    .pattern = "random", .procs = RC_LOAD_FOLLOW_PROCS, .speed = 1, .bandwidth = NAN};

static const char *const patterns[] = {"random", "modal", "bursty", NULL};

static const struct rc_option random_options[] = {
    {.name = "pattern",
     .kind = RC_OPTION_CHOICE,
     .argument = "NAME",
     .help = "random, modal or bursty (default: random)",
     .choices = patterns,
     .offset = offsetof(struct random_options, pattern)},
    {.name = "seed",
     .kind = RC_OPTION_INTEGER,
     .argument = "N",
     .help = "the same seed and name give the same load (default: 0)",
     .least = 0,
     .offset = offsetof(struct random_options, seed)},
    {.name = "name",
     .kind = RC_OPTION_TEXT,
     .argument = "HOST",
     .help = "the name whose load is drawn (default: this host's)",
     .offset = offsetof(struct random_options, name)},
    {.name = "start",
     .kind = RC_OPTION_QUANTITY,
     .argument = "TIME",
     .help = "begin so long after the beginning of the seed's time (default: 0)",
     .dimension = RC_SECONDS,
     .offset = offsetof(struct random_options, start)},
    RC_LOAD_OPTIONS_FOLLOW(struct random_options),
    RC_LOAD_OPTION_FOR(struct random_options, "10min"),
    RC_OPTION_JSON(struct random_options),
    RC_OPTIONS_END,
};

static json_t *random_source(const struct random_options *options, const char *name)
{
    json_t *object = json_object();

    rc_json_set(object, "pattern", rc_json_text(options->pattern));
    rc_json_set(object, "seed", json_integer(options->seed));
    rc_json_set(object, "name", rc_json_text(name));
    rc_json_set(object, "start", rc_json_number(options->start));
    rc_json_set(object, "speed_up", rc_json_number(options->speed));
    return object;
}

/* The steps of the cores and, where there is one, of the link. */
static int draw(const struct random_options *options, const char *name,
                struct rc_cmd_follow *follow, struct rc_error *error)
{
    enum rc_load_kind kind = (enum rc_load_kind)rc_load_kind_find(options->pattern);
    double seconds = isfinite(follow->seconds) ? follow->seconds : FOREVER;
    double to = options->start + seconds * options->speed;
    char link[2 * RC_PEER_HOST_SIZE];

    if (rc_load_draw(kind, RC_LOAD_CPU, (uint64_t)options->seed, name, options->start, to,
                     &follow->cpu.steps, error))
        return -1;
    if (!follow->with_link)
        return 0;
    snprintf(link, sizeof link, "%s:%s", name, options->far.to);
    return rc_load_draw(kind, RC_LOAD_LINK, (uint64_t)options->seed, link, options->start, to,
                        &follow->link.steps, error);
}

static int run_random(struct rc_invocation *invocation)
{
    const struct random_options *options = invocation->options;
    struct rc_cmd_follow follow = {
        .name = "random",
        .core = options->core,
        .probe = options->probe,
        .json = options->json,
        .with_cpu = true,
        .with_link = options->far.to != NULL,
        .far = &options->far,
        .cpu = {.from = options->start, .speed = options->speed, .most = (size_t)options->procs},
        .link = {.from = options->start, .speed = options->speed},
        .bandwidth = options->bandwidth};
    char host[RC_PEER_HOST_SIZE] = "localhost";
    const char *name = options->name;
    struct rc_error error = {0};
    int status =
        rc_cmd_load_seconds(invocation, options->how_long, SECONDS_DEFAULT, &follow.seconds);

    if (status || (status = rc_cmd_follow_check(invocation, &options->far, options->speed,
                                                options->bandwidth)))
        return status;
    if (options->start < 0)
        return rc_cmd_usage_text(invocation, "--start: it must be 0 or more");
    if (!name) {
        gethostname(host, sizeof host - 1);
        name = host;
    }
    if (draw(options, name, &follow, &error)) {
        status = rc_cmd_fail(&error, "%s", invocation->path);
    } else {
        follow.source = random_source(options, name);
        status = rc_cmd_follow_run(invocation, &follow);
    }
    json_decref(follow.source);
    rc_load_steps_free(&follow.cpu.steps);
    rc_load_steps_free(&follow.link.steps);
    return status;
}

const struct rc_command rc_command_load_random = {
    .name = "random",
    .summary = "Let the availability of the cores change as others' programs would",
    .details =
        "What is available of each core (and, with --to and --bandwidth, of the link) is drawn "
        "from the seed and made real by as many processes as it takes. All cores follow the "
        "same steps, so that it does not matter which one a program is on.",
    .examples = "  runcast load random --seed 7 --for 1h\n"
                "  runcast load random --pattern bursty --to b1 --launcher ssh --bandwidth 1Gbit\n",
    .options = random_options,
    .options_size = sizeof(struct random_options),
    .defaults = &random_defaults,
    .run = run_random,
};

/* ---- replay ---- */

struct replay_options {
    struct rc_cmd_load_far far;
    const char *host, *metric, *db, *column, *core, *how_long;
    int64_t procs;
    double since, until, speed, bandwidth;
    bool loop, probe, json;
};

static const struct replay_options replay_defaults = {.metric = "cpu",
                                                      .since = NAN,
                                                      .until = NAN,
                                                      .procs = RC_LOAD_FOLLOW_PROCS,
                                                      .speed = 1,
                                                      .bandwidth = NAN};

static const struct rc_option replay_options[] = {
    {.name = "column",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the column of the file with the availability (default: value)",
     .offset = offsetof(struct replay_options, column)},
    {.name = "host",
     .kind = RC_OPTION_TEXT,
     .argument = "HOST",
     .help = "replay the series of this host in the store, in place of a file",
     .offset = offsetof(struct replay_options, host)},
    {.name = "metric",
     .kind = RC_OPTION_TEXT,
     .argument = "METRIC",
     .help = "which one (default: cpu)",
     .offset = offsetof(struct replay_options, metric)},
    {.name = "since",
     .kind = RC_OPTION_SINCE,
     .argument = "TIME",
     .help = "only from TIME on (2026-11-15T09:30, or 2h for two hours ago; UTC)",
     .offset = offsetof(struct replay_options, since)},
    {.name = "until",
     .kind = RC_OPTION_SINCE,
     .argument = "TIME",
     .help = "only up to TIME",
     .offset = offsetof(struct replay_options, until)},
    {.name = "loop",
     .kind = RC_OPTION_FLAG,
     .help = "begin anew at its end, until --for is over",
     .offset = offsetof(struct replay_options, loop)},
    RC_LOAD_OPTIONS_FOLLOW(struct replay_options),
    RC_LOAD_OPTION_FOR(struct replay_options, "to the end of the series"),
    RC_OPTION_JSON(struct replay_options),
    RC_OPTION_DB(struct replay_options),
    RC_OPTIONS_END,
};

static int check_values(const struct rc_load_steps *steps, const struct replay_options *options,
                        struct rc_error *error)
{
    for (size_t i = 0; i < steps->n; i++)
        if (!(steps->items[i].value >= 0 && steps->items[i].value <= 1))
            return rc_error_set(error,
                                "%g in the series '%s' of %s is no availability, which is from "
                                "0 to 1",
                                steps->items[i].value, options->metric, options->host);
    return 0;
}

/* Says what went wrong itself. */
static int read_steps(const struct rc_invocation *invocation, struct rc_load_steps *steps)
{
    const struct replay_options *options = invocation->options;
    struct rc_series_key key = {options->host, "", options->metric};
    struct rc_db *store;
    struct rc_error error = {0};
    int status = 0;

    if (!options->host) {
        status = rc_load_read(invocation->arguments[0], options->column, steps, &error);
        return status ? rc_cmd_fail(&error, "%s", invocation->path) : RC_EXIT_OK;
    }
    store = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!store)
        return RC_EXIT_FAILED;
    status = rc_db_series_load(store, &key, isnan(options->since) ? -INFINITY : options->since,
                               isnan(options->until) ? INFINITY : options->until, &steps->items,
                               &steps->n, &error);
    rc_db_close(store);
    if (status && strstr(error.hint, "--at")) /* which is not how a time is chosen here */
        rc_error_hint(&error, "'runcast series list' tells from when to when there are samples");
    if (status || check_values(steps, options, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    return RC_EXIT_OK;
}

/* Where the steps begin and end, and how long the load is. */
static int fit(const struct rc_invocation *invocation, const struct rc_load_steps *steps,
               struct rc_cmd_follow *follow)
{
    const struct replay_options *options = invocation->options;
    double first = steps->items[0].t, last = steps->items[steps->n - 1].t, most;

    if (!isnan(options->since))
        first = fmax(first, options->since);
    if (!isnan(options->until) && options->until > last)
        last = options->until; /* what was there last holds */
    most = (last - first) / options->speed;
    if (options->loop && isnan(follow->seconds))
        return rc_cmd_usage_text(invocation, "--loop needs --for, which may be 'forever'");
    if (!(most > 0)) {
        struct rc_error error = {0};

        rc_error_set(&error, "the series has one time only, and so no length");
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

static json_t *replay_source(const struct rc_invocation *invocation)
{
    const struct replay_options *options = invocation->options;
    json_t *object = json_object();

    if (options->host) {
        rc_json_set(object, "host", rc_json_text(options->host));
        rc_json_set(object, "metric", rc_json_text(options->metric));
    } else {
        rc_json_set(object, "file", rc_json_text(invocation->arguments[0]));
    }
    rc_json_set(object, "speed_up", rc_json_number(options->speed));
    rc_json_set(object, "loop", json_boolean(options->loop));
    return object;
}

static int run_replay(struct rc_invocation *invocation)
{
    const struct replay_options *options = invocation->options;
    struct rc_load_steps steps = {NULL, 0};
    struct rc_cmd_follow follow = {.name = "replay",
                                   .core = options->core,
                                   .probe = options->probe,
                                   .json = options->json,
                                   .with_cpu = !options->far.to,
                                   .with_link = options->far.to != NULL,
                                   .far = &options->far,
                                   .bandwidth = options->bandwidth};
    int status = rc_cmd_load_seconds(invocation, options->how_long, NAN, &follow.seconds);

    if (status || (status = rc_cmd_follow_check(invocation, &options->far, options->speed,
                                                options->bandwidth)))
        return status;
    if ((invocation->n_arguments == 1) == (options->host != NULL))
        return rc_cmd_usage_text(invocation,
                                 "give a file, or --host HOST for a series in the store");
    if (!options->host && !(isnan(options->since) && isnan(options->until)))
        return rc_cmd_usage_text(invocation, "--since and --until go with --host");
    status = read_steps(invocation, &steps);
    if (status == RC_EXIT_OK && (status = fit(invocation, &steps, &follow)) == RC_EXIT_OK) {
        follow.source = replay_source(invocation);
        status = rc_cmd_follow_run(invocation, &follow);
    }
    json_decref(follow.source);
    rc_load_steps_free(&steps);
    return status;
}

const struct rc_command rc_command_load_replay = {
    .name = "replay",
    .summary = "Let the availability of the cores, or of a link, change as it was recorded",
    .arguments = "[SERIES.csv]",
    .details =
        "The file has the columns t (seconds, or dates and times) and value, the availability "
        "from 0 to 1; or --host names a series in the store. Each value holds until the next, "
        "and the load ends with the last. With --to and --bandwidth it is the link to that "
        "host that is made so, otherwise the cores.",
    .examples = "  runcast load replay monday.csv --speed-up 60\n"
                "  runcast load replay --host a001 --metric cpu --since 2h --probe\n",
    .most_arguments = 1,
    .options = replay_options,
    .options_size = sizeof(struct replay_options),
    .defaults = &replay_defaults,
    .run = run_replay,
};
