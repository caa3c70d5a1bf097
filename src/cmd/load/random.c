// SPDX-License-Identifier: GPL-3.0-or-later
/* random.c - 'runcast load random': a load that is drawn at random. */
#include <math.h>
#include <unistd.h>

#include "cmd/load/varying_load.h"

#define SECONDS_DEFAULT 600.0
#define FOREVER (30 * 86400.0) /* drawn for a load that has no end; the last level then stays */

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
    {RC_OPTION_OF(struct random_options, CHOICE, pattern), .name = "pattern", .argument = "NAME",
     .choices = patterns, .help = "random, modal or bursty (default: random)"},
    {RC_OPTION_OF(struct random_options, INTEGER, seed), .name = "seed", .argument = "N",
     .least = 0, .help = "the same seed and name give the same load (default: 0)"},
    {RC_OPTION_OF(struct random_options, TEXT, name), .name = "name", .argument = "HOST",
     .help = "the name whose load is drawn (default: this host's)"},
    {RC_OPTION_OF(struct random_options, QUANTITY, start), .name = "start", .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "begin so long after the beginning of the seed's time (default: 0)"},
    RC_LOAD_OPTIONS_FOLLOW(struct random_options),
    RC_LOAD_OPTION_FOR(struct random_options, "10min"),
    RC_OPTION_JSON(struct random_options),
    RC_OPTIONS_END,
};

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
        follow.source = (struct rc_answer_load_source){.pattern = options->pattern,
                                                       .seed = options->seed,
                                                       .name = name,
                                                       .start = options->start,
                                                       .speed_up = options->speed};
        status = rc_cmd_follow_run(invocation, &follow);
    }
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
