// SPDX-License-Identifier: GPL-3.0-or-later
/* random.c - 'runcast load random': random load. */
#include <math.h>
#include <unistd.h>

#include "cmd/load/varying_load.h"

#define SECONDS_DEFAULT 600.0
#define FOREVER (30 * 86400.0) /* generated for an endless load; its last level then stays */

struct random_options {
    struct rc_cmd_load_receiver receiver;
    const char *pattern, *host, *core, *duration;
    int64_t seed, procs;
    double offset, speed, link_rate;
    bool verify, json;
};

static const struct random_options random_defaults = {
    .pattern = "random", .procs = RC_LOAD_FOLLOW_PROCS, .speed = 1, .link_rate = NAN};

static const char *const patterns[] = {"random", "modal", "bursty", NULL};

static const struct rc_option random_options[] = {
    {RC_OPTION_OF(struct random_options, CHOICE, pattern), .name = "pattern", .argument = "NAME",
     .choices = patterns, .help = "load pattern: random, modal or bursty (default: random)"},
    {RC_OPTION_OF(struct random_options, INTEGER, seed), .name = "seed", .argument = "N",
     .least = 0, .help = "seed of the random numbers (default: 0)"},
    {RC_OPTION_OF(struct random_options, TEXT, host), .name = "host", .argument = "HOST",
     .help = "host whose load is generated, which depends on the name (default: this host)"},
    {RC_OPTION_OF(struct random_options, QUANTITY, offset), .name = "offset", .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "time after the start of the load pattern at which to begin (default: 0)"},
    RC_LOAD_OPTIONS_FOLLOW(struct random_options),
    RC_LOAD_OPTION_DURATION(struct random_options, "10min"),
    RC_OPTION_JSON(struct random_options),
    RC_OPTIONS_END,
};

/* The steps of the cores and, where there is one, of the link. */
static int draw(const struct random_options *options, const char *name,
                struct rc_cmd_follow *follow, struct rc_error *error)
{
    enum rc_load_kind kind = (enum rc_load_kind)rc_load_kind_find(options->pattern);
    double seconds = isfinite(follow->seconds) ? follow->seconds : FOREVER;
    double to = options->offset + seconds * options->speed;
    char link[2 * RC_PEER_HOST_SIZE];

    if (rc_load_draw(kind, RC_LOAD_CPU, (uint64_t)options->seed, name, options->offset, to,
                     &follow->cpu.steps, error))
        return -1;
    if (!follow->with_link)
        return 0;
    snprintf(link, sizeof link, "%s:%s", name, options->receiver.connect);
    return rc_load_draw(kind, RC_LOAD_LINK, (uint64_t)options->seed, link, options->offset, to,
                        &follow->link.steps, error);
}

static int run_random(struct rc_invocation *invocation)
{
    const struct random_options *options = invocation->options;
    struct rc_cmd_follow follow = {
        .name = "random",
        .core = options->core,
        .verify = options->verify,
        .json = options->json,
        .with_cpu = true,
        .with_link = options->receiver.connect != NULL,
        .receiver = &options->receiver,
        .cpu = {.from = options->offset, .speed = options->speed, .most = (size_t)options->procs},
        .link = {.from = options->offset, .speed = options->speed},
        .link_rate = options->link_rate};
    char this_host[RC_PEER_HOST_SIZE] = "localhost";
    const char *name = options->host;
    struct rc_error error = {0};
    int status =
        rc_cmd_load_seconds(invocation, options->duration, SECONDS_DEFAULT, &follow.seconds);

    if (status || (status = rc_cmd_follow_check(invocation, &options->receiver, options->speed,
                                                options->link_rate)))
        return status;
    if (options->offset < 0)
        return rc_cmd_usage_text(invocation, "--offset: must be 0 or more");
    if (!name) {
        gethostname(this_host, sizeof this_host - 1);
        name = this_host;
    }
    if (draw(options, name, &follow, &error)) {
        status = rc_cmd_fail(&error, "%s", invocation->path);
    } else {
        follow.source = (struct rc_answer_load_source){.pattern = options->pattern,
                                                       .seed = options->seed,
                                                       .host = name,
                                                       .offset = options->offset,
                                                       .speed_up = options->speed};
        status = rc_cmd_follow_run(invocation, &follow);
    }
    rc_load_steps_free(&follow.cpu.steps);
    rc_load_steps_free(&follow.link.steps);
    return status;
}

const struct rc_command rc_command_load_random = {
    .name = "random",
    .summary = "Put random load on cores and a link",
    .details =
        "The CPU availability of the cores changes at random. Load processes impose it. With "
        "--connect and --link-rate, the available bandwidth of the link changes, too. All cores "
        "have the same availability, so that the placement of a program does not matter.\n\n"
        "Pattern, seed and host determine the load: the same options give the same load.",
    .examples = "  runcast load random --seed 7 --duration 1h\n"
                "  runcast load random --connect b1 --launcher ssh "
                "--link-rate 1Gbit\n",
    .options = random_options,
    .options_size = sizeof(struct random_options),
    .defaults = &random_defaults,
    .answers = {rc_answer_load_follow},
    .run = run_random,
};
