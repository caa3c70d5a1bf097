// SPDX-License-Identifier: GPL-3.0-or-later
/* load_mix.c - 'runcast load mix': programs that compute and communicate in turns. */
#include <math.h>

#include "base/error.h"
#include "cmd/load/load.h"
#include "testbed/load/mix.h"

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
    {.name = "compute",
     .kind = RC_OPTION_QUANTITY,
     .argument = "PART",
     .help = "the part of the time that each process computes (default: 0.5)",
     .dimension = RC_FRACTION,
     .offset = offsetof(struct mix_options, compute)},
    {.name = "communicate",
     .kind = RC_OPTION_QUANTITY,
     .argument = "PART",
     .help = "the part of the time that it sends or receives bursts (default: --bursts in each "
             "cycle, however long that takes)",
     .dimension = RC_FRACTION,
     .offset = offsetof(struct mix_options, communicate)},
    {.name = "work",
     .kind = RC_OPTION_FLAG,
     .help = "let the parts be those when it has the machine to itself: each cycle has so much CPU "
             "time to use, and takes longer beside others",
     .offset = offsetof(struct mix_options, work)},
    {.name = "cycle",
     .kind = RC_OPTION_QUANTITY,
     .argument = "TIME",
     .help = "length of a cycle of computing, communicating and resting (default: 1s)",
     .dimension = RC_SECONDS,
     .offset = offsetof(struct mix_options, cycle)},
    {.name = "steady",
     .kind = RC_OPTION_FLAG,
     .help = "make all cycles equally long, rather than from 0.5 to 1.5 of that",
     .offset = offsetof(struct mix_options, steady)},
    {.name = "seed",
     .kind = RC_OPTION_INTEGER,
     .argument = "N",
     .help = "draw the lengths of the cycles from this seed (default: 0)",
     .least = 0,
     .offset = offsetof(struct mix_options, seed)},
    {.name = "burst",
     .kind = RC_OPTION_INTEGER,
     .argument = "N",
     .help = "messages in a burst (default: 100)",
     .least = 1,
     .offset = offsetof(struct mix_options, burst)},
    {.name = "bursts",
     .kind = RC_OPTION_INTEGER,
     .argument = "N",
     .help = "bursts in each cycle, where --communicate does not tell (default: 1)",
     .least = 1,
     .offset = offsetof(struct mix_options, bursts)},
    {.name = "message",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SIZE",
     .help = "bytes of a message (default: 8000)",
     .dimension = RC_BYTES,
     .offset = offsetof(struct mix_options, message)},
    RC_LOAD_OPTION_DIRECTION(struct mix_options),
    RC_LOAD_OPTIONS_FAR(struct mix_options),
    {.name = "procs",
     .letter = 'p',
     .kind = RC_OPTION_INTEGER,
     .argument = "K",
     .help = "processes, each with a connection of its own, dealt out to the cores in turns "
             "(default: 1)",
     .least = 1,
     .offset = offsetof(struct mix_options, procs)},
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

static double part_of(double seconds, const struct rc_load_tally *tally)
{
    return tally->wall > 0 ? seconds / tally->wall : 0;
}

/* The part of the time that it would have communicated, or computed, where it had had the core to
 * itself whenever it computed. */
static double part_alone(double seconds, const struct rc_load_tally *tally)
{
    double all = tally->worked + tally->communicating + tally->resting;

    return all > 0 ? seconds / all : 0;
}

static double probe_share(const struct mix_load *load, const struct rc_load_team *team, int core)
{
    struct rc_load_tally sum =
        rc_load_team_sum(team, (size_t)load->options->procs, load->cores.n, core);

    return part_of(sum.cpu, &sum);
}

static void report_json(const struct mix_load *load, const struct rc_load_team *team)
{
    const struct mix_options *options = load->options;
    json_t *object = rc_cmd_load_json("mix", team), *list = json_array(), *one;

    rc_json_set(object, "work", json_boolean(options->work));
    rc_json_set(object, "asked_compute", rc_json_number(options->compute));
    rc_json_set(object, "asked_communicate", rc_json_number(options->communicate));
    rc_json_set(object, "burst", json_integer(options->burst));
    rc_json_set(object, "message_bytes", rc_json_number(options->message));
    for (int64_t i = 0; i < options->procs; i++) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, (size_t)i);

        one = json_object();
        rc_json_set(one, "core", json_integer(tally->core));
        rc_json_set(one, "compute", rc_json_number(part_of(tally->computing, tally)));
        rc_json_set(one, "communicate", rc_json_number(part_of(tally->communicating, tally)));
        rc_json_set(one, "compute_alone", rc_json_number(part_alone(tally->worked, tally)));
        rc_json_set(one, "communicate_alone",
                    rc_json_number(part_alone(tally->communicating, tally)));
        rc_json_set(one, "computed_seconds", rc_json_number(tally->worked));
        rc_json_set(one, "communicated_seconds", rc_json_number(tally->communicating));
        rc_json_set(one, "used", rc_json_number(part_of(tally->cpu, tally)));
        rc_json_set(one, "cycles", json_integer((json_int_t)tally->cycles));
        rc_json_set(one, "bursts", json_integer((json_int_t)tally->bursts));
        rc_cmd_load_set_bytes(one, tally);
        json_array_append_new(list, one);
    }
    rc_json_set(object, "processes", list);
    if (options->probe) {
        list = json_array();
        for (size_t i = 0; i < load->cores.n; i++) {
            one = json_object();
            rc_json_set(one, "core", json_integer(load->cores.items[i]));
            rc_json_set(one, "probe",
                        rc_json_number(probe_share(load, team, load->cores.items[i])));
            json_array_append_new(list, one);
        }
        rc_json_set(object, "cores", list);
    }
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static void report_table(const struct mix_load *load, const struct rc_load_team *team)
{
    static const struct rc_column columns[] = {
        {.title = "process", .right = true},   {.title = "core", .right = true},
        {.title = "computing", .right = true}, {.title = "communicating", .right = true},
        {.title = "CPU used", .right = true},  {.title = "cycles", .right = true},
        {.title = "bursts", .right = true},    {.title = "sent", .right = true},
        {.title = "received", .right = true}};
    struct rc_table *table = rc_table_create(stdout, columns, 9, rc_cmd_width());

    for (int64_t i = 0; table && i < load->options->procs; i++) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, (size_t)i);

        rc_table_integer(table, i + 1);
        rc_table_integer(table, tally->core);
        rc_cmd_load_quantity(table, part_of(tally->computing, tally), RC_FRACTION);
        rc_cmd_load_quantity(table, part_of(tally->communicating, tally), RC_FRACTION);
        rc_cmd_load_quantity(table, part_of(tally->cpu, tally), RC_FRACTION);
        rc_table_integer(table, (long long)tally->cycles);
        rc_table_integer(table, (long long)tally->bursts);
        rc_cmd_load_quantity(table, (double)tally->sent, RC_BYTES);
        rc_cmd_load_quantity(table, (double)tally->received, RC_BYTES);
    }
    if (table)
        rc_table_finish(table);
}

static void report_text(const struct mix_load *load, const struct rc_load_team *team)
{
    const struct mix_options *options = load->options;
    struct rc_load_tally sum = rc_load_team_sum(team, 0, (size_t)options->procs, -1);
    char in[RC_UNIT_SIZE], out[RC_UNIT_SIZE];

    rc_cmd_load_title("mix", team);
    printf("asked%s: computing %.4g, communicating ", options->work ? ", when alone" : "",
           options->compute);
    if (!options->far.to)
        puts("never");
    else if (isnan(options->communicate))
        printf("%lld burst%s in each cycle\n", (long long)options->bursts,
               options->bursts == 1 ? "" : "s");
    else
        printf("%.4g\n", options->communicate);
    putchar('\n');
    report_table(load, team);
    if (sum.drained > 0) {
        rc_unit_format((double)sum.far_received, RC_BYTES, in);
        rc_unit_format((double)sum.far_sent, RC_BYTES, out);
        printf("\nthe far end received %s and sent %s\n", in, out);
    }
    for (size_t i = 0; options->probe && i < load->cores.n; i++)
        printf("%sthe probe on core %d got %.4g of it\n", i ? "" : "\n", load->cores.items[i],
               probe_share(load, team, load->cores.items[i]));
}

static void report(void *data, const struct rc_load_team *team)
{
    const struct mix_load *load = data;

    if (load->options->json)
        report_json(load, team);
    else
        report_text(load, team);
}

/* ---- the load ---- */

static struct rc_load_team *start(const struct mix_load *load, const struct rc_peer *peer,
                                  struct rc_error *error)
{
    const struct mix_options *options = load->options;
    size_t n = (size_t)options->procs;
    struct rc_load_team *team = rc_load_team_create(n + load->cores.n, error);

    for (size_t i = 0; team && i < n; i++) {
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

        if (rc_load_team_add(team, &task, error)) {
            rc_load_team_destroy(team);
            return NULL;
        }
    }
    if (team && options->probe && rc_cmd_load_add_probes(team, &load->cores, error)) {
        rc_load_team_destroy(team);
        return NULL;
    }
    return team;
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
    if (!(options->message >= RC_LOAD_ORDER_SIZE && options->message <= RC_LOAD_MESSAGE_MAX))
        return rc_cmd_usage_text(invocation, "--message: a message has from %d bytes to 1 GiB",
                                 RC_LOAD_ORDER_SIZE);
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
    struct rc_load_launch launch = {0, -1};
    struct rc_load_team *team = NULL;
    struct rc_peer peer = {.port = 0};
    struct rc_cmd_work work;
    struct rc_error error = {0};
    double seconds;
    int status = rc_cmd_load_seconds(invocation, options->how_long, SECONDS_DEFAULT, &seconds);

    if (status || (status = check_options(invocation, &peer)))
        return status;
    if (rc_sense_cores_choose(options->core, &load.listed, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    if (load.listed.n > (size_t)options->procs)
        load.listed.n = (size_t)options->procs;
    load.cores = rc_cmd_load_distinct(&load.listed);
    rc_cmd_work_begin(&work, "load mix");
    if (!options->far.to ||
        rc_cmd_load_far_start(&options->far, &peer, &launch, &work.monitor, &error) == 0)
        team = start(&load, &peer, &error);
    status = team ? rc_cmd_load_run(invocation, team, seconds, &work, report, &load)
                  : rc_cmd_fail(&error, "%s", invocation->path);
    rc_load_team_destroy(team);
    rc_load_launch_stop(&launch);
    rc_cmd_work_end(&work);
    return status;
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
