// SPDX-License-Identifier: GPL-3.0-or-later
/* cpu.c - 'runcast load cpu': use a fraction of cores. */
#include "cmd/load/load.h"
#include "testbed/load/core_fraction.h"

#define SECONDS_DEFAULT 60.0
#define SHORT_BY 0.05 /* of a core; a larger difference is worth a note */

struct cpu_options {
    double fraction;
    int64_t procs;
    const char *core, *duration;
    bool verify, json;
};

static const struct cpu_options cpu_defaults = {.fraction = 1};

static const struct rc_option cpu_options[] = {
    {RC_OPTION_OF(struct cpu_options, QUANTITY, fraction), .name = "fraction", .argument = "F",
     .dimension = RC_FRACTION, .help = "fraction of a core that each process uses (default: 1)"},
    {RC_OPTION_OF(struct cpu_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "P", .least = 1,
     .help = "number of processes, placed on the cores in turn (default: one for each core of "
             "--core, otherwise 1)"},
    RC_LOAD_OPTION_CORE(struct cpu_options),
    RC_LOAD_OPTION_DURATION(struct cpu_options, "60s"),
    RC_LOAD_OPTION_VERIFY(struct cpu_options),
    RC_OPTION_JSON(struct cpu_options),
    RC_OPTIONS_END,
};

struct cpu_load {
    const struct cpu_options *options;
    struct rc_sense_cores listed, cores; /* by process; each once */
    size_t procs;
};

/* Notes processes that used clearly less than requested. */
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
        rc_cmd_note(
            "the load was smaller than requested: %zu of %zu processes used less than %.4g of "
            "a core, one only %.2g",
            n, answer->n_processes, answer->fraction, least);
}

static void report_text(const struct rc_answer_load *answer)
{
    rc_cmd_load_title(answer);
    putchar('\n');
    rc_field_table(stdout, rc_answer_load_cpu_process, answer->processes, answer->n_processes,
                   sizeof *answer->processes, rc_cmd_width(), NULL);
    putchar('\n');
    rc_field_table(stdout, answer->verified ? rc_answer_load_cpu_verified : rc_answer_load_cpu_core,
                   answer->cores, answer->n_cores, sizeof *answer->cores, rc_cmd_width(), NULL);
    fflush(stdout);
}

static void report(const void *data, const struct rc_load_team *team)
{
    const struct cpu_load *load = data;
    struct rc_answer_load answer = rc_cmd_load_answer("cpu", team);

    answer.fraction = load->options->fraction;
    answer.verified = load->options->verify;
    if (rc_answer_load_add_processes(&answer, team, load->procs, answer.fraction) == 0 &&
        rc_answer_load_add_cores(&answer, team, &load->cores, load->procs, load->procs) == 0) {
        if (!load->options->json)
            report_text(&answer);
        note_short(&answer);
        if (load->options->json)
            rc_cmd_load_print_json(rc_answer_load_cpu, &answer);
    }
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
    int status = rc_cmd_load_seconds(invocation, options->duration, SECONDS_DEFAULT, &job.seconds);

    if (status)
        return status;
    if (!(options->fraction > 0 && options->fraction <= 1))
        return rc_cmd_usage_text(invocation, "--fraction: %g is not greater than 0 and at most 1",
                                 options->fraction);
    if (rc_sense_cores_choose(options->core, &load.listed, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    load.procs = options->procs ? (size_t)options->procs : options->core ? load.listed.n : 1;
    if (load.listed.n > load.procs)
        load.listed.n = load.procs;
    load.cores = rc_sense_cores_distinct(&load.listed);
    job.competitors = options->verify ? &load.cores : NULL;
    job.room = load.procs + load.cores.n;
    return rc_cmd_load_run(invocation, &job);
}

const struct rc_command rc_command_load_cpu = {
    .name = "cpu",
    .summary = "Use a fraction of cores",
    .details = "Each process is pinned to a core. It computes and sleeps in turns of a few "
               "milliseconds, and so uses the requested fraction of the core.\n\n"
               "A competing process on the core gets the rest, or its fair share if that is more: "
               "1/(P + 1) of a core with P load processes.",
    .examples = "  runcast load cpu --fraction 0.5 --duration 30s # half of a core\n"
                "  runcast load cpu --procs 3 --core 0 --verify # a competitor gets a quarter\n",
    .options = cpu_options,
    .options_size = sizeof(struct cpu_options),
    .defaults = &cpu_defaults,
    .answers = {rc_answer_load_cpu},
    .run = run_cpu,
};
