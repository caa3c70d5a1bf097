// SPDX-License-Identifier: GPL-3.0-or-later
/* load_cpu.c - 'runcast load cpu': use a fraction of cores. */
#include <stdlib.h>

#include "base/error.h"
#include "cmd/load/load.h"
#include "testbed/load/duty.h"

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
    {.name = "fraction",
     .letter = 'f',
     .kind = RC_OPTION_QUANTITY,
     .argument = "F",
     .help = "the fraction of a core that each process uses (default: 1)",
     .dimension = RC_FRACTION,
     .offset = offsetof(struct cpu_options, fraction)},
    {.name = "procs",
     .letter = 'p',
     .kind = RC_OPTION_INTEGER,
     .argument = "K",
     .help = "processes, dealt out to the cores in turns (default: one for each core of --core, "
             "otherwise 1)",
     .least = 1,
     .offset = offsetof(struct cpu_options, procs)},
    RC_LOAD_OPTION_CORE(struct cpu_options),
    RC_LOAD_OPTION_FOR(struct cpu_options, "60s"),
    RC_LOAD_OPTION_PROBE(struct cpu_options),
    RC_OPTION_JSON(struct cpu_options),
    RC_OPTIONS_END,
};

struct cpu_load {
    const struct cpu_options *options;
    struct rc_sense_cores cores; /* that are used */
    size_t procs;
};

static size_t processes_on(const struct cpu_load *load, const struct rc_load_team *team, int core)
{
    size_t n = 0;

    for (size_t i = 0; i < load->procs; i++)
        n += rc_load_team_tally(team, i)->core == core;
    return n;
}

static double per_second(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0;
}

static void report_json(const struct cpu_load *load, const struct rc_load_team *team)
{
    json_t *object = rc_cmd_load_json("cpu", team), *list = json_array(), *one;

    rc_json_set(object, "fraction", rc_json_number(load->options->fraction));
    for (size_t i = 0; i < load->procs; i++) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, i);

        one = json_object();
        rc_json_set(one, "core", json_integer(tally->core));
        rc_json_set(one, "asked", rc_json_number(load->options->fraction));
        rc_json_set(one, "used", rc_json_number(per_second(tally->cpu, tally->wall)));
        rc_json_set(one, "cpu_seconds", rc_json_number(tally->cpu));
        rc_json_set(one, "cycles", json_integer((json_int_t)tally->cycles));
        json_array_append_new(list, one);
    }
    rc_json_set(object, "processes", list);
    list = json_array();
    for (size_t i = 0; i < load->cores.n; i++) {
        int core = load->cores.items[i];
        size_t n = processes_on(load, team, core);
        struct rc_load_tally sum = rc_load_team_sum(team, 0, load->procs, core);

        one = json_object();
        rc_json_set(one, "core", json_integer(core));
        rc_json_set(one, "processes", json_integer((json_int_t)n));
        rc_json_set(one, "used", rc_json_number(per_second(sum.cpu, sum.wall)));
        rc_json_set(one, "leaves", rc_json_number(rc_load_left(n, load->options->fraction)));
        if (load->options->probe) {
            sum = rc_load_team_sum(team, load->procs, load->cores.n, core);
            rc_json_set(one, "probe", rc_json_number(per_second(sum.cpu, sum.wall)));
        }
        json_array_append_new(list, one);
    }
    rc_json_set(object, "cores", list);
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static void report_processes(const struct cpu_load *load, const struct rc_load_team *team)
{
    static const struct rc_column columns[] = {{.title = "process", .right = true},
                                               {.title = "core", .right = true},
                                               {.title = "asked", .right = true},
                                               {.title = "used", .right = true},
                                               {.title = "cycles", .right = true}};
    struct rc_table *table = rc_table_create(stdout, columns, 5, rc_cmd_width());

    if (!table)
        return;
    for (size_t i = 0; i < load->procs; i++) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, i);

        rc_table_integer(table, (long long)i + 1);
        rc_table_integer(table, tally->core);
        rc_cmd_load_quantity(table, load->options->fraction, RC_FRACTION);
        rc_cmd_load_quantity(table, per_second(tally->cpu, tally->wall), RC_FRACTION);
        rc_table_integer(table, (long long)tally->cycles);
    }
    rc_table_finish(table);
}

static void report_cores(const struct cpu_load *load, const struct rc_load_team *team)
{
    static const struct rc_column columns[] = {{.title = "core", .right = true},
                                               {.title = "processes", .right = true},
                                               {.title = "used", .right = true},
                                               {.title = "leaves a competitor", .right = true},
                                               {.title = "the probe got", .right = true}};
    struct rc_table *table =
        rc_table_create(stdout, columns, load->options->probe ? 5 : 4, rc_cmd_width());

    if (!table)
        return;
    for (size_t i = 0; i < load->cores.n; i++) {
        int core = load->cores.items[i];
        size_t n = processes_on(load, team, core);
        struct rc_load_tally sum = rc_load_team_sum(team, 0, load->procs, core);

        rc_table_integer(table, core);
        rc_table_integer(table, (long long)n);
        rc_cmd_load_quantity(table, per_second(sum.cpu, sum.wall), RC_FRACTION);
        rc_cmd_load_quantity(table, rc_load_left(n, load->options->fraction), RC_FRACTION);
        if (load->options->probe) {
            sum = rc_load_team_sum(team, load->procs, load->cores.n, core);
            rc_cmd_load_quantity(table, per_second(sum.cpu, sum.wall), RC_FRACTION);
        }
    }
    rc_table_finish(table);
}

/* Says how many processes had clearly less than they were to have, and the least that one had. */
static void note_short(const struct cpu_load *load, const struct rc_load_team *team)
{
    double least = load->options->fraction;
    size_t n = 0;

    for (size_t i = 0; i < load->procs; i++) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, i);
        double used = per_second(tally->cpu, tally->wall);

        n += used < load->options->fraction - SHORT_BY;
        least = used < least ? used : least;
    }
    if (n > 0)
        rc_cmd_note("the cores did not give all that was asked for: %zu of %zu processes used less "
                    "than %.4g, the least %.2g",
                    n, load->procs, load->options->fraction, least);
}

static void report(void *data, const struct rc_load_team *team)
{
    const struct cpu_load *load = data;

    if (load->options->json) {
        report_json(load, team);
    } else {
        rc_cmd_load_title("cpu", team);
        putchar('\n');
        report_processes(load, team);
        putchar('\n');
        report_cores(load, team);
    }
    fflush(stdout);
    note_short(load, team);
}

static struct rc_load_team *start(const struct cpu_load *load, const struct rc_sense_cores *listed,
                                  struct rc_error *error)
{
    struct rc_load_duty_plan plan = {.fixed = load->options->fraction};
    struct rc_load_team *team = rc_load_team_create(load->procs + load->cores.n, error);

    for (size_t i = 0; team && i < load->procs; i++) {
        const struct rc_load_task task = {.body = rc_load_duty_body,
                                          .data = &plan,
                                          .core = listed->items[i % listed->n],
                                          .descriptor = -1};

        if (rc_load_team_add(team, &task, error)) {
            rc_load_team_destroy(team);
            return NULL;
        }
    }
    if (team && load->options->probe && rc_cmd_load_add_probes(team, &load->cores, error)) {
        rc_load_team_destroy(team);
        return NULL;
    }
    return team;
}

static int run_cpu(struct rc_invocation *invocation)
{
    const struct cpu_options *options = invocation->options;
    struct cpu_load load = {.options = options};
    struct rc_sense_cores listed;
    struct rc_load_team *team;
    struct rc_cmd_work work;
    struct rc_error error = {0};
    double seconds;
    int status = rc_cmd_load_seconds(invocation, options->how_long, SECONDS_DEFAULT, &seconds);

    if (status)
        return status;
    if (!(options->fraction > 0 && options->fraction <= 1))
        return rc_cmd_usage_text(invocation, "--fraction: %g is not above 0 and up to 1",
                                 options->fraction);
    if (rc_sense_cores_choose(options->core, &listed, &error))
        return rc_cmd_fail(&error, "%s", invocation->path);
    load.procs = options->procs ? (size_t)options->procs : options->core ? listed.n : 1;
    if (listed.n > load.procs)
        listed.n = load.procs;
    load.cores = rc_cmd_load_distinct(&listed);
    rc_cmd_work_begin(&work, "load cpu");
    team = start(&load, &listed, &error);
    status = team ? rc_cmd_load_run(invocation, team, seconds, &work, report, &load)
                  : rc_cmd_fail(&error, "%s", invocation->path);
    rc_load_team_destroy(team);
    rc_cmd_work_end(&work);
    return status;
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
