// SPDX-License-Identifier: GPL-3.0-or-later
/* sim.c - 'runcast lab sim': an MPI program on a simulated cluster under load. */
#include "cmd/lab/sim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/sim_fields.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/lab/lab.h"
#include "report/plot.h"
#include "testbed/sim/sweep.h"
#include "platform/platform.h"

/* Seeds are kept as numbers of a run, which are doubles. */
#define SEED_MAX (INT64_C(1) << 53)

static const struct rc_cmd_lab_sim_options defaults = {.seed = 1,
                                                       .every = RC_SIM_EVERY,
                                                       .history = RC_SIM_HISTORY,
                                                       .speed = NAN,
                                                       .here = NAN,
                                                       .n = NAN};

enum { LAST_LINES = 10 }; /* of what a program wrote before it failed */

static const char *const compute_choices[] = {"counted", "measured", NULL};

static const struct rc_option option_table[] = {
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, platform), .name = "platform",
     .argument = "FILE", .help = "the platform file of the machines to simulate"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, load), .name = "load", .argument = "LOAD",
     .help = "none, random, modal, bursty, replay:FILE.csv or a load file (default: none)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, seed), .name = "seed", .argument = "N",
     .help = "which of the loads that may be drawn (default: 1)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, start), .name = "start", .argument = "TIME",
     .help = "when the run starts: a time from the beginning of the load's, or a date (default: "
             "1d; with replay, as soon as there is a history)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "P", .least = 1,
     .help = "how many processes (default: as many as the hosts take)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, per_host), .name = "per-host",
     .argument = "K", .least = 1,
     .help = "how many processes a host takes (default: as the platform's placement says)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, cluster), .name = "cluster",
     .argument = "NAME", .help = "the cluster to run on (default: the first)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, hosts), .name = "hosts", .argument = "LIST",
     .help = "the hosts to run on, such as a[001-016],b1; they may be of several clusters"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, network), .name = "network",
     .argument = "NAME", .help = "the network to use (default: each cluster's first)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, speed), .name = "speed",
     .argument = "SPEED", .dimension = RC_FLOPS,
     .help = "speed of the cores of hosts for which the platform tells none"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, CHOICE, compute), .name = "compute",
     .argument = "HOW", .choices = compute_choices,
     .help = "what takes time besides messages: counted, the operations that the program says it "
             "does, or measured, also what it computes here, which is not repeatable (default: "
             "counted)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, here), .name = "here",
     .argument = "SPEED", .dimension = RC_FLOPS,
     .help = "with --compute measured: speed of a core of this machine (default: as fast as the "
             "first host)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, every), .name = "every",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "simulated time between two samples of the load (default: 10s)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, history), .name = "history",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "how long before the start samples are stored (default: 1h)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, n), .name = "n", .argument = "N",
     .dimension = RC_COUNT, .help = "the problem size, for a program that does not tell it"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, sweep), .name = "sweep", .argument = "FILE",
     .help = "do the many runs that FILE describes, and none that the store has already"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, jobs), .name = "jobs", .letter = 'j',
     .argument = "N", .least = 1,
     .help = "with --sweep: runs at one time (default: one for each core)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FLAG, dry_run), .name = "dry-run",
     .help = "with --sweep: list what would be done, and do nothing"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FLAG, no_store), .name = "no-store",
     .help = "show the run, and store nothing"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, keep), .name = "keep", .argument = "DIR",
     .help = "keep the files that SimGrid was given in DIR"},
    RC_OPTION_PLOT(struct rc_cmd_lab_sim_options),
    RC_OPTION_JSON(struct rc_cmd_lab_sim_options),
    RC_OPTION_DB(struct rc_cmd_lab_sim_options),
    RC_OPTIONS_END,
};

/* ---- showing ---- */

static void put_row(struct rc_table *table, const char *what, const char *text)
{
    rc_table_text(table, what);
    rc_table_text(table, text);
}

static void put_load(struct rc_table *table, const char *what, const struct rc_series_load *load,
                     enum rc_dimension dimension)
{
    char low[RC_UNIT_SIZE], text[3 * RC_UNIT_SIZE], high[RC_UNIT_SIZE];

    rc_unit_format(load->minavg, dimension, low);
    rc_unit_format(load->avgmin, dimension, high);
    snprintf(text, sizeof text, "%s minavg, %s avgmin", low, high);
    put_row(table, what, text);
}

static int print_table(const struct rc_answer_sim *sim)
{
    const struct rc_sim_result *result = &sim->result;
    char head[256], text[256], number[RC_NUMBER_SIZE], when[RC_TIME_SIZE];
    const struct rc_column columns[] = {{.title = "app"}, {.title = head, .wrap = true}};
    struct rc_table *table;

    rc_number_format_short(result->output.n, 12, number);
    snprintf(head, sizeof head, "%s, n = %s, p = %" PRId64, result->output.app,
             isnan(result->output.n) ? "?" : number, result->layout.processes);
    table = rc_table_create(stdout, columns, 2, rc_cmd_width());
    if (!table)
        return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "showing the run");
    put_row(table, "hosts", result->layout.text);
    snprintf(text, sizeof text, "%s, seed %" PRIu64, sim->load, sim->seed);
    put_row(table, "load", text);
    rc_timestamp_format(sim->start, when);
    put_row(table, "start", when);
    rc_number_format_short(result->seconds, 9, number);
    put_row(table, "seconds", number);
    put_load(table, "cpu", &result->cpu, RC_FRACTION);
    put_load(table, "bandwidth", &result->bandwidth, RC_RATE);
    snprintf(text, sizeof text, "as run %" PRId64, sim->id);
    put_row(table, "stored", sim->id ? text : "no");
    return rc_table_finish(table) ? RC_EXIT_FAILED : RC_EXIT_OK;
}

/* Passes on the last lines of what the program wrote. */
static void show_words(const struct rc_buffer *printed, size_t lines, FILE *out)
{
    size_t from = printed->length;

    while (from > 0 && (printed->data[from - 1] != '\n' || from == printed->length || --lines > 0))
        from--;
    if (printed->length > from)
        fwrite(printed->data + from, 1, printed->length - from, out);
}

static bool asks_for_help(const struct rc_sim_job *job)
{
    for (size_t i = 1; job->program[i]; i++)
        if (strcmp(job->program[i], "--help") == 0 || strcmp(job->program[i], "-h") == 0 ||
            strcmp(job->program[i], "--version") == 0)
            return true;
    return false;
}

/* Tells why there is no run; that of a program which was only asked for help is no failure. */
static int tell_failure(const struct rc_sim_job *job, const struct rc_sim_result *result,
                        const struct rc_error *error)
{
    if (result->printed.length && asks_for_help(job) && !(result->seconds > 0) &&
        !isnan(result->seconds)) {
        show_words(&result->printed, SIZE_MAX, stdout);
        return RC_EXIT_OK;
    }
    show_words(&result->printed, LAST_LINES, stderr);
    return rc_cmd_fail(error, "simulating %s", job->program[0]);
}

/* ---- one run ---- */

/* What the options name, read and ready. */
struct inputs {
    struct rc_platform *platform;
    struct rc_load *load;
    const char **program;
    struct rc_sim_job job;
};

static bool is_date(const char *start)
{
    double length;

    return start && rc_unit_parse(start, strlen(start), RC_SECONDS, &length, NULL);
}

static int read_inputs(struct rc_invocation *invocation,
                       const struct rc_cmd_lab_sim_options *options, struct inputs *inputs)
{
    struct rc_sim_job *job = &inputs->job;
    struct rc_error error;

    inputs->program = calloc((size_t)invocation->n_arguments + 1, sizeof *inputs->program);
    if (!inputs->program)
        return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "reading the arguments");
    for (int i = 0; i < invocation->n_arguments; i++)
        inputs->program[i] = invocation->arguments[i];
    inputs->platform = rc_platform_load(options->platform, &error);
    if (!inputs->platform)
        return rc_cmd_fail(&error, "reading the platform");
    inputs->load = rc_load_open(options->load ? options->load : "none", &error);
    if (!inputs->load)
        return rc_cmd_fail(&error, "reading the load");
    *job = (struct rc_sim_job){
        .choice = {inputs->platform, options->cluster, options->hosts, options->network,
                   options->procs, options->speed, (int)options->per_host},
        .load = inputs->load,
        .seed = (uint64_t)options->seed,
        .base = is_date(options->start)
                    ? RC_LOAD_EPOCH
                    : rc_sim_sweep_single_base(inputs->load, (uint64_t)options->seed),
        .start = NAN,
        .every = options->every,
        .history = options->history,
        .program = inputs->program,
        .n = options->n,
        .keep = options->keep,
        .point = NAN,
        .here = options->here,
        .measured = options->compute && strcmp(options->compute, "measured") == 0};
    if (options->start && rc_sim_start_parse(options->start, job->base, &job->start, &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

static int store_run(const struct rc_cmd_lab_sim_options *options, const struct rc_sim_job *job,
                     const struct rc_sim_result *result, struct rc_cmd_work *work, int64_t *id)
{
    struct rc_db *db;
    struct rc_error error;
    int status = RC_EXIT_OK;

    if (options->no_store)
        return RC_EXIT_OK;
    db = rc_cmd_open_db(options->db, RC_DB_CREATE, work);
    if (!db)
        return RC_EXIT_FAILED;
    if (rc_sim_store(db, job, result, id, &error))
        status = rc_cmd_fail(&error, "storing the run");
    rc_db_close(db);
    return status;
}

/* Simulates, stores and draws it.  `*id` stays 0 where there is no run. */
static int carry_out(const struct rc_cmd_lab_sim_options *options, const struct rc_sim_job *job,
                     struct rc_sim_result *result, int64_t *id)
{
    struct rc_cmd_work work;
    struct rc_error error;
    int status;

    rc_cmd_work_begin(&work, "simulating");
    if (rc_sim_run(job, result, &work.monitor, &error)) {
        rc_progress_end(&work.progress);
        status = tell_failure(job, result, &error);
        result->seconds = NAN;
    } else {
        show_words(&result->printed, SIZE_MAX, stderr);
        status = store_run(options, job, result, &work, id);
    }
    if (status == RC_EXIT_OK && options->plot && !isnan(result->seconds) &&
        rc_cmd_lab_sim_plot(options->plot, job, result, &work.monitor, &error))
        status = rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_cmd_work_end(&work);
    return status;
}

static int run_one(struct rc_invocation *invocation, const struct rc_cmd_lab_sim_options *options)
{
    struct inputs inputs = {.platform = NULL};
    struct rc_sim_result result = {.seconds = NAN};
    int64_t id = 0;
    int status = read_inputs(invocation, options, &inputs);

    if (status == RC_EXIT_OK)
        status = carry_out(options, &inputs.job, &result, &id);
    if (status == RC_EXIT_OK && !isnan(result.seconds)) {
        const struct rc_answer_sim answer = rc_answer_sim_make(&inputs.job, &result, id);

        if (options->json)
            rc_cmd_print_json(rc_field_json(rc_answer_sim, &answer));
        else
            status = print_table(&answer);
        /* A program that is not ours counts nothing, as a rule, which its seconds do not show. */
        if (!inputs.job.measured && isnan(result.output.seconds))
            rc_cmd_note("what %s computes took no simulated time, unless it counts its operations "
                        "with smpi_execute_flops(); '--compute measured' takes the time that it "
                        "needs here",
                        result.output.app);
    }
    rc_sim_result_free(&result);
    rc_load_destroy(inputs.load);
    rc_platform_destroy(inputs.platform);
    free(inputs.program);
    return status;
}

static int run_sim(struct rc_invocation *invocation)
{
    const struct rc_cmd_lab_sim_options *options = invocation->options;
    struct rc_error error;

    if (options->sweep)
        return rc_cmd_lab_sweep(invocation, options);
    if (options->jobs || options->dry_run)
        return rc_cmd_usage_text(invocation, "--jobs and --dry-run go with --sweep");
    if (!options->platform)
        return rc_cmd_usage_text(invocation, "say which platform: --platform FILE");
    if (invocation->n_arguments == 0)
        return rc_cmd_usage_text(invocation, "say which program, after the options: poisson --size "
                                             "2000");
    if (options->seed > SEED_MAX)
        return rc_cmd_usage_text(invocation, "--seed: a seed is at most 2^53");
    if (options->per_host > RC_PER_HOST_MAX)
        return rc_cmd_usage_text(invocation, "--per-host: at most %d", RC_PER_HOST_MAX);
    if (!(options->every > 0))
        return rc_cmd_usage_text(invocation, "--every: a time above 0 is expected");
    if (!(options->history >= 0))
        return rc_cmd_usage_text(invocation, "--history: a time of 0 or more is expected");
    if (!isnan(options->speed) && !(options->speed > 0))
        return rc_cmd_usage_text(invocation, "--speed: a speed above 0 is expected");
    if (!isnan(options->here) &&
        (!(options->here > 0) || !options->compute || strcmp(options->compute, "measured") != 0))
        return rc_cmd_usage_text(invocation, "--here: a speed above 0 is expected, with --compute "
                                             "measured");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return run_one(invocation, options);
}

const struct rc_command rc_command_lab_sim = {
    .name = "sim",
    .summary = "Run an MPI program on a simulated cluster under load, and store what happened",
    .arguments = "APP [ARGUMENT...]",
    .details =
        "The program, which is built for SimGrid's SMPI, runs on the machines that the platform "
        "file describes. What is available of each host and link follows the load; it is sampled "
        "as sensors would, and the run is stored with the load that was seen and with the samples "
        "from before its start. APP is a path, or the name of a workload.\n\n"
        "Time passes by messages and by the operations that a program says it does "
        "(smpi_execute_flops(); the workloads do). What a program computes without counting takes "
        "no time, unless --compute measured scales what it takes here to the speed of the hosts; "
        "such a run is not repeatable. What the program writes goes to standard error.\n\n"
        "The same command gives the same seconds, to the last digit. A load is a function of seed, "
        "host and time alone: runs with one seed and different starts share one world. Each load "
        "and seed has a year of its own in the calendar of the store; where --start is a date, "
        "and for recorded loads, the world begins on 2000-01-01.",
    .examples = "  runcast lab sim --platform grid.yaml --load random -- poisson --size 2000\n"
                "  runcast lab sim --platform grid.yaml --load replay:idle.csv -- ep --size 30\n"
                "  runcast lab sim --sweep sweep.yaml --db runs.db\n",
    .least_arguments = 0,
    .most_arguments = -1,
    .command_at = 1,
    .options = option_table,
    .options_size = sizeof(struct rc_cmd_lab_sim_options),
    .defaults = &defaults,
    .run = run_sim,
};
