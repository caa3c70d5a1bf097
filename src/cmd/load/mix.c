// SPDX-License-Identifier: GPL-3.0-or-later
/* mix.c - 'runcast load mix': programs that compute and communicate in turns. */
#include <math.h>

#include "report/cell.h"
#include "cmd/load/load.h"
#include "testbed/load/mixed_load.h"

#define SECONDS_DEFAULT 60.0

struct mix_options {
    struct rc_cmd_load_far far;
    double compute, communicate, cycle, message;
    int64_t burst, bursts, procs, seed;
    const char *direction, *core, *how_long;
    bool work, steady, probe, json;
};

static const struct mix_options mix_defaults = {.compute = 0.5,
                                                .communicate = NAN,
                                                .cycle = 1,
                                                .message = 8000,
                                                .burst = 100,
                                                .bursts = 1,
                                                .procs = 1};

static const struct rc_option mix_options[] = {
    {RC_OPTION_OF(struct mix_options, QUANTITY, compute), .name = "compute", .argument = "PART",
     .dimension = RC_FRACTION,
     .help = "the part of the time that each process computes (default: 0.5)"},
    {RC_OPTION_OF(struct mix_options, QUANTITY, communicate), .name = "communicate",
     .argument = "PART", .dimension = RC_FRACTION,
     .help = "the part of the time that it sends or receives bursts (default: --bursts in each "
             "cycle, however long that takes)"},
    {RC_OPTION_OF(struct mix_options, FLAG, work), .name = "work",
     .help = "let the parts be those when it has the machine to itself: each cycle has so much CPU "
             "time to use, and takes longer beside others"},
    {RC_OPTION_OF(struct mix_options, QUANTITY, cycle), .name = "cycle", .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "length of a cycle of computing, communicating and resting (default: 1s)"},
    {RC_OPTION_OF(struct mix_options, FLAG, steady), .name = "steady",
     .help = "make all cycles equally long, rather than from 0.5 to 1.5 of that"},
    {RC_OPTION_OF(struct mix_options, INTEGER, seed), .name = "seed", .argument = "N", .least = 0,
     .help = "draw the lengths of the cycles from this seed (default: 0)"},
    {RC_OPTION_OF(struct mix_options, INTEGER, burst), .name = "burst", .argument = "N", .least = 1,
     .help = "messages in a burst (default: 100)"},
    {RC_OPTION_OF(struct mix_options, INTEGER, bursts), .name = "bursts", .argument = "N",
     .least = 1, .help = "bursts in each cycle, where --communicate does not tell (default: 1)"},
    {RC_OPTION_OF(struct mix_options, QUANTITY, message), .name = "message", .argument = "SIZE",
     .dimension = RC_BYTES, .help = "bytes of a message (default: 8000)"},
    RC_LOAD_OPTION_DIRECTION(struct mix_options),
    RC_LOAD_OPTIONS_FAR(struct mix_options),
    {RC_OPTION_OF(struct mix_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "K", .least = 1,
     .help = "processes, each with a connection of its own, dealt out to the cores in turns "
             "(default: 1)"},
    RC_LOAD_OPTION_CORE(struct mix_options),
    RC_LOAD_OPTION_FOR(struct mix_options, "60s"),
    RC_LOAD_OPTION_PROBE(struct mix_options),
    RC_OPTION_JSON(struct mix_options),
    RC_OPTIONS_END,
};

struct mix_load {
    const struct mix_options *options;
    struct rc_sense_cores listed, cores; /* as dealt out; each once */
};

/* ---- the report ---- */

static void report_text(const struct mix_options *options, const struct rc_answer_load *answer,
                        const struct rc_load_tally *sum)
{
    char in[RC_UNIT_SIZE], out[RC_UNIT_SIZE];

    rc_cmd_load_title(answer);
    printf("asked%s: computing %.4g, communicating ", options->work ? ", when alone" : "",
           options->compute);
    if (!options->far.to)
        puts("never");
    else if (isnan(options->communicate))
        printf("%lld burst%s in each cycle\n", (long long)options->bursts,
               rc_cell_plural(options->bursts, "s"));
    else
        printf("%.4g\n", options->communicate);
    putchar('\n');
    rc_field_table(stdout, rc_answer_load_mix_process, answer->processes, answer->n_processes,
                   sizeof *answer->processes, rc_cmd_width(), NULL);
    if (sum->drained > 0) {
        rc_unit_format((double)sum->far_received, RC_BYTES, in);
        rc_unit_format((double)sum->far_sent, RC_BYTES, out);
        printf("\nthe far end received %s and sent %s\n", in, out);
    }
    for (size_t i = 0; options->probe && i < answer->n_cores; i++)
        printf("%sthe probe on core %d got %.4g of it\n", i ? "" : "\n", answer->cores[i].core,
               answer->cores[i].probe);
}

static void report(const void *data, const struct rc_load_team *team)
{
    const struct mix_load *load = data;
    const struct mix_options *options = load->options;
    size_t n = (size_t)options->procs;
    struct rc_load_tally sum = rc_load_team_sum(team, 0, n, -1);
    struct rc_answer_load answer = rc_cmd_load_answer("mix", team);

    answer.probed = options->probe;
    answer.work = options->work;
    answer.compute = options->compute;
    answer.communicate = options->communicate;
    answer.burst = options->burst;
    answer.message = options->message;
    if (rc_answer_load_add_processes(&answer, team, n, NAN) == 0 &&
        rc_answer_load_add_cores(&answer, team, &load->cores, n, n) == 0) {
        if (options->json)
            rc_cmd_print_json(rc_field_json(rc_answer_load_mix, &answer));
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
            .work = options->work,
            .steady = options->steady,
            .seed = (uint64_t)options->seed,
            .number = i,
            .burst = (uint64_t)options->burst,
            .bursts = (uint64_t)options->bursts,
            .direction = rc_cmd_load_direction(options->direction),
            .network = options->far.to != NULL,
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
        return rc_cmd_usage_text(invocation, "--compute and --communicate are parts of the time, "
                                             "together at most 1");
    if (!(options->cycle >= 0.001))
        return rc_cmd_usage_text(invocation, "--cycle: a cycle takes 1 ms at least");
    if (!(options->message >= RC_LOAD_REQUEST_SIZE && options->message <= RC_LOAD_MESSAGE_MAX))
        return rc_cmd_usage_text(invocation, "--message: a message has from %d bytes to 1 GiB",
                                 RC_LOAD_REQUEST_SIZE);
    if (!options->far.to)
        return communicate > 0
                   ? rc_cmd_usage_text(invocation, "--communicate needs a far end: --to HOST")
                   : RC_EXIT_OK;
    if (options->procs > RC_LOAD_STREAMS_MAX)
        return rc_cmd_usage_text(invocation, "--procs: a receiver takes at most %d connections",
                                 RC_LOAD_STREAMS_MAX);
    return rc_cmd_load_far_check(invocation, &options->far, peer);
}

static int run_mix(struct rc_invocation *invocation)
{
    const struct mix_options *options = invocation->options;
    struct mix_load load = {.options = options};
    struct rc_cmd_load_job job = {.label = "load mix",
                                  .far = options->far.to ? &options->far : NULL,
                                  .load = &load,
                                  .add = add,
                                  .report = report};
    struct rc_error error = {0};
    int status = rc_cmd_load_seconds(invocation, options->how_long, SECONDS_DEFAULT, &job.seconds);

    if (status || (status = check_options(invocation, &job.peer)))
        return status;
    if (rc_sense_cores_choose(options->core, &load.listed, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    if (load.listed.n > (size_t)options->procs)
        load.listed.n = (size_t)options->procs;
    load.cores = rc_sense_cores_distinct(&load.listed);
    job.probes = options->probe ? &load.cores : NULL;
    job.room = (size_t)options->procs + load.cores.n;
    return rc_cmd_load_run(invocation, &job);
}

const struct rc_command rc_command_load_mix = {
    .name = "mix",
    .summary = "Compute and communicate in turns, as other people's programs do",
    .details =
        "In each cycle a process computes, then sends (or receives) bursts of messages, then "
        "rests. The parts hold in the long run, however much the process is slowed down "
        "itself: they are the time in which it wants the core, and in which it waits for its "
        "messages to arrive. Without --to it only computes.\n"
        "\n"
        "With --work it has a task, as real programs have: each cycle computes until it has used "
        "its part of the cycle as CPU time, then communicates for its part by the clock (or for "
        "--bursts), then rests for what both leave (not at all, where bursts are counted). Beside "
        "others its cycles take longer, and the report also tells the parts that these "
        "would have been with the core to itself.",
    .examples = "  runcast load mix --compute 0.3 --communicate 0.5 --to b1 --launcher ssh\n"
                "  runcast load mix --compute 0.76 --burst 1000 --to b1:5001 --key KEY\n"
                "  runcast load mix --work --compute 0.8 --communicate 0.2 --to b1:5001 --key K\n",
    .options = mix_options,
    .options_size = sizeof(struct mix_options),
    .defaults = &mix_defaults,
    .run = run_mix,
};
