// SPDX-License-Identifier: GPL-3.0-or-later
/* cpu.c - 'runcast load cpu': use a fraction of cores. */
#include "cmd/load/load.h"
#include "testbed/load/core_fraction.h"

#define SECONDS_DEFAULT 60.0
#define SHORT_BY 0.05 /* of a core; a process that is short by more is worth a remark */

struct cpu_options {
    double fraction;
    int64_t procs;
    const char *core, *how_long;
    bool probe, json;
};

static const struct cpu_options cpu_defaults = {.fraction = 1};

static const struct rc_option cpu_options[] = {
    {RC_OPTION_OF(struct cpu_options, QUANTITY, fraction), .name = "fraction", .letter = 'f',
     .argument = "F", .dimension = RC_FRACTION,
     .help = "the fraction of a core that each process uses (default: 1)"},
    {RC_OPTION_OF(struct cpu_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "K", .least = 1,
     .help = "processes, dealt out to the cores in turns (default: one for each core of --core, "
             "otherwise 1)"},
    RC_LOAD_OPTION_CORE(struct cpu_options),
    RC_LOAD_OPTION_FOR(struct cpu_options, "60s"),
    RC_LOAD_OPTION_PROBE(struct cpu_options),
    RC_OPTION_JSON(struct cpu_options),
    RC_OPTIONS_END,
};

struct cpu_load {
    const struct cpu_options *options;
    struct rc_sense_cores listed, cores; /* as dealt out; each once */
    size_t procs;
};

/* How many processes had clearly less than they were to have, and the least that one had. */
static void note_short(const struct rc_answer_load *answer)
{
    double least = answer->fraction;
    size_t n = 0;

    for (size_t i = 0; i < answer->n_processes; i++) {
        double used = answer->processes[i].used;

        n += used < answer->fraction - SHORT_BY;
        least = used < least ? used : least;
    }
    if (n > 0)
        rc_cmd_note("the cores did not give all that was asked for: %zu of %zu processes used less "
                    "than %.4g, the least %.2g",
                    n, answer->n_processes, answer->fraction, least);
}

static void report(const void *data, const struct rc_load_team *team)
{
    const struct cpu_load *load = data;
    struct rc_answer_load answer = rc_cmd_load_answer("cpu", team);

    answer.fraction = load->options->fraction;
    answer.probed = load->options->probe;
    if (rc_answer_load_add_processes(&answer, team, load->procs, answer.fraction) == 0 &&
        rc_answer_load_add_cores(&answer, team, &load->cores, load->procs, load->procs) == 0) {
        if (load->options->json) {
            rc_cmd_print_json(rc_field_json(rc_answer_load_cpu, &answer));
        } else {
            rc_cmd_load_title(&answer);
            putchar('\n');
            rc_field_table(stdout, rc_answer_load_cpu_process, answer.processes, answer.n_processes,
                           sizeof *answer.processes, rc_cmd_width(), NULL);
            putchar('\n');
            rc_field_table(stdout,
                           answer.probed ? rc_answer_load_cpu_probed : rc_answer_load_cpu_core,
                           answer.cores, answer.n_cores, sizeof *answer.cores, rc_cmd_width(),
                           NULL);
        }
    }
    fflush(stdout);
    note_short(&answer);
    rc_answer_load_free(&answer);
}

static int add(const void *data, struct rc_load_team *team, const struct rc_peer *peer,
               struct rc_error *error)
{
    const struct cpu_load *load = data;
    struct rc_load_duty_plan plan = {.fixed = load->options->fraction};

    (void)peer;
    return rc_load_duty_add(team, &plan, &load->listed, load->procs, error);
}

static int run_cpu(struct rc_invocation *invocation)
{
    const struct cpu_options *options = invocation->options;
    struct cpu_load load = {.options = options};
    struct rc_cmd_load_job job = {.label = "load cpu", .load = &load, .add = add, .report = report};
    struct rc_error error = {0};
    int status = rc_cmd_load_seconds(invocation, options->how_long, SECONDS_DEFAULT, &job.seconds);

    if (status)
        return status;
    if (!(options->fraction > 0 && options->fraction <= 1))
        return rc_cmd_usage_text(invocation, "--fraction: %g is not above 0 and up to 1",
                                 options->fraction);
    if (rc_sense_cores_choose(options->core, &load.listed, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    load.procs = options->procs ? (size_t)options->procs : options->core ? load.listed.n : 1;
    if (load.listed.n > load.procs)
        load.listed.n = load.procs;
    load.cores = rc_sense_cores_distinct(&load.listed);
    job.probes = options->probe ? &load.cores : NULL;
    job.room = load.procs + load.cores.n;
    return rc_cmd_load_run(invocation, &job);
}

const struct rc_command rc_command_load_cpu = {
    .name = "cpu",
    .summary = "Use a fraction of cores",
    .details = "Each process is pinned to a core, and computes and sleeps in turns of a few "
               "milliseconds so that it uses the fraction of it. A competitor on that core has the "
               "rest or, where that is more, its fair share: one of K + 1 equal parts beside K "
               "processes.",
    .examples = "  runcast load cpu --fraction 0.5 --for 30s # half of a core\n"
                "  runcast load cpu --procs 3 --core 0 --probe # a competitor has a quarter\n",
    .options = cpu_options,
    .options_size = sizeof(struct cpu_options),
    .defaults = &cpu_defaults,
    .run = run_cpu,
};
