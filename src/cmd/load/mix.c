// SPDX-License-Identifier: GPL-3.0-or-later
/* mix.c - 'runcast load mix': processes that compute and communicate in turn. */
#include <math.h>

#include "report/cell.h"
#include "cmd/load/load.h"
#include "testbed/load/mixed_load.h"

#define SECONDS_DEFAULT 60.0

struct mix_options {
    struct rc_cmd_load_receiver receiver;
    double compute, communicate, cycle, message;
    int64_t messages, bursts_per_cycle, procs, seed;
    const char *direction, *core, *duration;
    bool fixed_work, steady, verify, json;
};

static const struct mix_options mix_defaults = {.compute = 0.5,
                                                .communicate = NAN,
                                                .cycle = 1,
                                                .message = 8000,
                                                .messages = 100,
                                                .bursts_per_cycle = 1,
                                                .procs = 1};

static const struct rc_option mix_options[] = {
    {RC_OPTION_OF(struct mix_options, QUANTITY, compute), .name = "compute", .argument = "SHARE",
     .dimension = RC_FRACTION, .help = "share of the time spent computing (default: 0.5)"},
    {RC_OPTION_OF(struct mix_options, QUANTITY, communicate), .name = "communicate",
     .argument = "SHARE", .dimension = RC_FRACTION,
     .help = "share of the time spent communicating (default: that of --bursts-per-cycle)"},
    {RC_OPTION_OF(struct mix_options, FLAG, fixed_work), .name = "fixed-work",
     .help = "shares are of CPU time: a cycle takes longer under contention"},
    {RC_OPTION_OF(struct mix_options, QUANTITY, cycle), .name = "cycle", .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "length of a cycle of computing, communicating and sleeping (default: 1s)"},
    {RC_OPTION_OF(struct mix_options, FLAG, steady), .name = "steady",
     .help = "make all cycles equally long (default: 0.5 to 1.5 times --cycle)"},
    {RC_OPTION_OF(struct mix_options, INTEGER, seed), .name = "seed", .argument = "N", .least = 0,
     .help = "seed of the random numbers, for the lengths of the cycles (default: 0)"},
    {RC_OPTION_OF(struct mix_options, INTEGER, messages), .name = "messages", .argument = "N",
     .least = 1, .help = "number of messages in a burst (default: 100)"},
    {RC_OPTION_OF(struct mix_options, INTEGER, bursts_per_cycle), .name = "bursts-per-cycle",
     .argument = "N", .least = 1,
     .help = "number of bursts in each cycle, without --communicate (default: 1)"},
    {RC_OPTION_OF(struct mix_options, QUANTITY, message), .name = "message", .argument = "BYTES",
     .dimension = RC_BYTES, .help = "size of a message (default: 8000)"},
    RC_LOAD_OPTION_DIRECTION(struct mix_options),
    RC_LOAD_OPTIONS_RECEIVER(struct mix_options),
    {RC_OPTION_OF(struct mix_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "P", .least = 1,
     .help = "number of processes, placed on the cores in turn; each has a connection "
             "(default: 1)"},
    RC_LOAD_OPTION_CORE(struct mix_options),
    RC_LOAD_OPTION_DURATION(struct mix_options, "60s"),
    RC_LOAD_OPTION_VERIFY(struct mix_options),
    RC_OPTION_JSON(struct mix_options),
    RC_OPTIONS_END,
};

struct mix_load {
    const struct mix_options *options;
    struct rc_sense_cores listed, cores; /* by process; each once */
};

/* ---- the report ---- */

static void report_text(const struct mix_options *options, const struct rc_answer_load *answer,
                        const struct rc_load_tally *sum)
{
    char in[RC_UNIT_SIZE], out[RC_UNIT_SIZE];

    rc_cmd_load_title(answer);
    printf("requested%s: computing %.4g, communicating ",
           options->fixed_work ? " on an idle core" : "", options->compute);
    if (!options->receiver.connect)
        puts("never");
    else if (isnan(options->communicate))
        printf("%lld burst%s in each cycle\n", (long long)options->bursts_per_cycle,
               rc_cell_plural(options->bursts_per_cycle, "s"));
    else
        printf("%.4g\n", options->communicate);
    putchar('\n');
    rc_field_table(stdout, rc_answer_load_mix_process, answer->processes, answer->n_processes,
                   sizeof *answer->processes, rc_cmd_width(), NULL);
    if (sum->drained > 0) {
        rc_unit_format((double)sum->peer_received, RC_BYTES, in);
        rc_unit_format((double)sum->peer_sent, RC_BYTES, out);
        printf("\nthe receiver received %s and sent %s\n", in, out);
    }
    for (size_t i = 0; options->verify && i < answer->n_cores; i++)
        printf("%sa competing process on core %d got %.4g of it\n", i ? "" : "\n",
               answer->cores[i].core, answer->cores[i].competitor);
}

static void report(const void *data, const struct rc_load_team *team)
{
    const struct mix_load *load = data;
    const struct mix_options *options = load->options;
    size_t n = (size_t)options->procs;
    struct rc_load_tally sum = rc_load_team_sum(team, 0, n, -1);
    struct rc_answer_load answer = rc_cmd_load_answer("mix", team);

    answer.verified = options->verify;
    answer.fixed_work = options->fixed_work;
    answer.compute = options->compute;
    answer.communicate = options->communicate;
    answer.messages = options->messages;
    answer.message = options->message;
    if (rc_answer_load_add_processes(&answer, team, n, NAN) == 0 &&
        rc_answer_load_add_cores(&answer, team, &load->cores, n, n) == 0) {
        if (options->json)
            rc_cmd_load_print_json(rc_answer_load_mix, &answer);
        else
            report_text(options, &answer, &sum);
    }
    rc_answer_load_free(&answer);
}

/* ---- the load ---- */

static int add(const void *data, struct rc_load_team *team, const struct rc_peer *peer,
               struct rc_error *error)
{
    const struct mix_load *load = data;
    const struct mix_options *options = load->options;
    size_t n = (size_t)options->procs;

    for (size_t i = 0; i < n; i++) {
        struct rc_load_mix mix = {
            .compute = options->compute,
            .communicate = options->communicate,
            .cycle = options->cycle,
            .work = options->fixed_work,
            .steady = options->steady,
            .seed = (uint64_t)options->seed,
            .number = i,
            .burst = (uint64_t)options->messages,
            .bursts = (uint64_t)options->bursts_per_cycle,
            .direction = rc_cmd_load_direction(options->direction),
            .network = options->receiver.connect != NULL,
            .stream = {.peer = *peer, .streams = (int)n, .message = options->message}};
        const struct rc_load_task task = {.prepare = rc_load_mix_prepare,
                                          .body = rc_load_mix_body,
                                          .data = &mix,
                                          .core = load->listed.items[i % load->listed.n],
                                          .descriptor = -1};

        if (rc_load_team_add(team, &task, error))
            return -1;
    }
    return 0;
}

static int check_options(const struct rc_invocation *invocation, struct rc_peer *peer)
{
    const struct mix_options *options = invocation->options;
    double communicate = isnan(options->communicate) ? 0 : options->communicate;

    if (!(options->compute >= 0 && communicate >= 0 && options->compute + communicate <= 1))
        return rc_cmd_usage_text(invocation, "--compute and --communicate must be at least 0, and "
                                             "together at most 1");
    if (!(options->cycle >= 0.001))
        return rc_cmd_usage_text(invocation, "--cycle: must be at least 1 ms");
    if (!(options->message >= RC_LOAD_REQUEST_SIZE && options->message <= RC_LOAD_MESSAGE_MAX))
        return rc_cmd_usage_text(invocation, "--message: must be from %d bytes to 1 GiB",
                                 RC_LOAD_REQUEST_SIZE);
    if (!options->receiver.connect)
        return communicate > 0 ? rc_cmd_usage_text(invocation, "--communicate needs --connect HOST")
                               : RC_EXIT_OK;
    if (options->procs > RC_LOAD_STREAMS_MAX)
        return rc_cmd_usage_text(invocation, "--procs: a receiver accepts at most %d connections",
                                 RC_LOAD_STREAMS_MAX);
    return rc_cmd_load_receiver_check(invocation, &options->receiver, peer);
}

static int run_mix(struct rc_invocation *invocation)
{
    const struct mix_options *options = invocation->options;
    struct mix_load load = {.options = options};
    struct rc_cmd_load_job job = {.label = "load mix",
                                  .receiver = options->receiver.connect ? &options->receiver : NULL,
                                  .load = &load,
                                  .add = add,
                                  .report = report};
    struct rc_error error = {0};
    int status = rc_cmd_load_seconds(invocation, options->duration, SECONDS_DEFAULT, &job.seconds);

    if (status || (status = check_options(invocation, &job.peer)))
        return status;
    if (rc_sense_cores_choose(options->core, &load.listed, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    if (load.listed.n > (size_t)options->procs)
        load.listed.n = (size_t)options->procs;
    load.cores = rc_sense_cores_distinct(&load.listed);
    job.competitors = options->verify ? &load.cores : NULL;
    job.room = (size_t)options->procs + load.cores.n;
    return rc_cmd_load_run(invocation, &job);
}

const struct rc_command rc_command_load_mix = {
    .name = "mix",
    .summary = "Compute and communicate in turn, like other programs",
    .details =
        "In each cycle a process computes, then sends (or receives) bursts of messages, then "
        "sleeps. The shares are of elapsed time, whatever the contention: a process computes or "
        "waits for the core in the first, and waits for its messages in the second. Without "
        "--connect, it only computes.\n"
        "\n"
        "With --fixed-work, each cycle has a fixed amount of work, as in real programs. A process "
        "computes until it has used its share of the cycle as CPU time. Then it communicates for "
        "its share of elapsed time, or for --bursts-per-cycle. Then it sleeps for the rest of the "
        "cycle, unless bursts are counted. Under contention, cycles take longer. The report also "
        "has the shares on an idle core.",
    .examples = "  runcast load mix --compute 0.3 --communicate 0.5 --connect b1 --launcher ssh\n"
                "  runcast load mix --compute 0.76 --messages 1000 --connect b1:5001 \\\n"
                "      --receiver-key KEY\n"
                "  runcast load mix --fixed-work --compute 0.8 --procs 2 # no communication\n",
    .options = mix_options,
    .options_size = sizeof(struct mix_options),
    .defaults = &mix_defaults,
    .answers = {rc_answer_load_mix},
    .run = run_mix,
};
