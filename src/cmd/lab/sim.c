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

/* Seeds are parameters of a run, which are doubles. */
#define SEED_MAX (INT64_C(1) << 53)

static const struct rc_cmd_lab_sim_options defaults = {.seed = 1,
                                                       .interval = RC_SIM_EVERY,
                                                       .history = RC_SIM_HISTORY,
                                                       .default_speed = NAN,
                                                       .local_speed = NAN,
                                                       .size = NAN};

enum { LAST_LINES = 10 }; /* of the output of a program that failed */

static const char *const compute_choices[] = {"counted", "measured", NULL};

static const struct rc_option option_table[] = {
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, platform_file), .name = "platform-file",
     .argument = "FILE", .help = "platform file"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, load), .name = "load", .argument = "LOAD",
     .help =
         "load of the simulated hosts: none, random, modal, bursty, replay:FILE.csv or a load file "
         "(default: none)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, seed), .name = "seed", .argument = "N",
     .help = "seed of the random numbers (default: 1)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, start), .name = "start", .argument = "TIME",
     .help = "start of the run within the load: a time after its start, or a date (default: 1d; "
             "with replay, once there is a history)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "P", .least = 1, .help = "number of processes (default: all that fit)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, per_host), .name = "per-host",
     .argument = "K", .least = 1,
     .help = "number of processes on each host (default: that of the platform)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, cluster), .name = "cluster",
     .argument = "NAME", .help = "cluster of the platform (default: the first)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, hosts), .name = "hosts", .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4], of one cluster or several"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, TEXT, network), .name = "network",
     .argument = "NAME", .help = "network of the cluster (default: the first of each cluster)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, default_speed), .name = "default-speed",
     .argument = "SPEED", .dimension = RC_FLOPS,
     .help = "speed of cores for which the platform file has none"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, CHOICE, compute_time), .name = "compute-time",
     .argument = "HOW", .choices = compute_choices,
     .help = "source of computing times: counted or measured (default: counted, the operations "
             "that the program reports)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, local_speed), .name = "local-speed",
     .argument = "SPEED", .dimension = RC_FLOPS,
     .help = "speed of a core of this machine, for --compute-time measured (default: that of the "
             "first host)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, interval), .name = "interval",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "time between two samples, simulated (default: 10s)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, history), .name = "history",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "length of the sample history stored before the start of a run (default: 1h)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, QUANTITY, size), .name = "size", .letter = 's',
     .argument = "N", .dimension = RC_COUNT,
     .help = "problem size, if the program does not report it"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, sweep), .name = "sweep", .argument = "FILE",
     .help = "YAML file that describes many simulated runs; those in the database are skipped"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, INTEGER, jobs), .name = "jobs", .argument = "N",
     .least = 1,
     .help = "number of simulations at a time, with --sweep (default: one for each core)"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FLAG, dry_run), .name = "dry-run",
     .help = "show what would be done, and do nothing, with --sweep"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FLAG, no_store), .name = "no-store",
     .help = "do not store the result in the database"},
    {RC_OPTION_OF(struct rc_cmd_lab_sim_options, FILE, keep_files), .name = "keep-files",
     .argument = "DIR", .help = "directory in which to keep the input files of SimGrid"},
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
    char duration[RC_UNIT_SIZE];
    const struct rc_column columns[] = {{.title = "app"}, {.title = head, .wrap = true}};
    struct rc_table *table;

    rc_number_format_short(result->output.n, 12, number);
    snprintf(head, sizeof head, "%s, size %s, %" PRId64 " processes", result->output.app,
             isnan(result->output.n) ? "?" : number, result->layout.processes);
    table = rc_table_create(stdout, columns, 2, rc_cmd_width());
    if (!table)
        return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "showing the run");
    put_row(table, "hosts", result->layout.text);
    snprintf(text, sizeof text, "%s, seed %" PRIu64, sim->load, sim->seed);
    put_row(table, "load", text);
    rc_timestamp_format(sim->start, when);
    put_row(table, "start", when);
    rc_unit_format(result->seconds, RC_SECONDS, duration);
    put_row(table, "run time", duration);
    put_load(table, "CPU availability", &result->cpu, RC_FRACTION);
    put_load(table, "available bandwidth", &result->bandwidth, RC_RATE);
    snprintf(text, sizeof text, "run %" PRId64, sim->id);
    put_row(table, "stored", sim->id ? text : "no");
    return rc_table_finish(table) ? RC_EXIT_FAILED : RC_EXIT_OK;
}

/* Prints the last lines of the program's output. */
static void show_output(const struct rc_buffer *printed, size_t lines, FILE *out)
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

/* Reports why there is no run.  A call of a program's --help is no failure. */
static int report_failure(const struct rc_sim_job *job, const struct rc_sim_result *result,
                          const struct rc_error *error)
{
    if (result->printed.length && asks_for_help(job) && !(result->seconds > 0) &&
        !isnan(result->seconds)) {
        show_output(&result->printed, SIZE_MAX, stdout);
        return RC_EXIT_OK;
    }
    show_output(&result->printed, LAST_LINES, stderr);
    return rc_cmd_fail(error, "simulating %s", job->program[0]);
}

/* ---- one run ---- */

/* The inputs of a run. */
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
    inputs->platform = rc_platform_load(options->platform_file, &error);
    if (!inputs->platform)
        return rc_cmd_fail(&error, "reading the platform");
    inputs->load = rc_load_open(options->load ? options->load : "none", &error);
    if (!inputs->load)
        return rc_cmd_fail(&error, "reading the load");
    *job = (struct rc_sim_job){
        .choice = {inputs->platform, options->cluster, options->hosts, options->network,
                   options->procs, options->default_speed, (int)options->per_host},
        .load = inputs->load,
        .seed = (uint64_t)options->seed,
        .base = is_date(options->start)
                    ? RC_LOAD_EPOCH
                    : rc_sim_sweep_single_base(inputs->load, (uint64_t)options->seed),
        .start = NAN,
        .every = options->interval,
        .history = options->history,
        .program = inputs->program,
        .n = options->size,
        .keep = options->keep_files,
        .point = NAN,
        .here = options->local_speed,
        .measured = options->compute_time && strcmp(options->compute_time, "measured") == 0};
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

/* Simulates, stores and plots.  `*id` stays 0 if there is no run. */
static int carry_out(const struct rc_cmd_lab_sim_options *options, const struct rc_sim_job *job,
                     struct rc_sim_result *result, int64_t *id)
{
    struct rc_cmd_work work;
    struct rc_error error;
    int status;

    rc_cmd_work_begin(&work, "simulating");
    if (rc_sim_run(job, result, &work.monitor, &error)) {
        rc_progress_end(&work.progress);
        status = report_failure(job, result, &error);
        result->seconds = NAN;
    } else {
        show_output(&result->printed, SIZE_MAX, stderr);
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
        struct rc_answer_sim answer = rc_answer_sim_make(&inputs.job, &result, id);

        if (!options->json)
            status = print_table(&answer);
        /* Most programs do not count operations, which their run time does not show. */
        if (!inputs.job.measured && isnan(result.output.seconds))
            rc_cmd_note("computing takes no simulated time in %s, unless it counts operations with "
                        "smpi_execute_flops(); --compute-time measured uses times of this machine",
                        result.output.app);
        if (options->json) {
            answer.notes = rc_cmd_notes_json();
            rc_cmd_print_json(rc_field_json(rc_answer_sim, &answer));
            json_decref(answer.notes);
        }
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
        return rc_cmd_usage_text(invocation, "--jobs and --dry-run need --sweep");
    if (!options->platform_file)
        return rc_cmd_usage_text(invocation, "missing --platform-file FILE");
    if (invocation->n_arguments == 0)
        return rc_cmd_usage_text(invocation, "missing program; put it after the options: poisson "
                                             "--size 2000");
    if (options->seed > SEED_MAX)
        return rc_cmd_usage_text(invocation, "--seed: must be at most 2^53");
    if (options->per_host > RC_PER_HOST_MAX)
        return rc_cmd_usage_text(invocation, "--per-host: must be at most %d", RC_PER_HOST_MAX);
    if (!(options->interval > 0))
        return rc_cmd_usage_text(invocation, "--interval: must be greater than 0");
    if (!(options->history >= 0))
        return rc_cmd_usage_text(invocation, "--history: must be 0 or more");
    if (!isnan(options->default_speed) && !(options->default_speed > 0))
        return rc_cmd_usage_text(invocation, "--default-speed: must be greater than 0");
    if (!isnan(options->local_speed) && (!(options->local_speed > 0) || !options->compute_time ||
                                         strcmp(options->compute_time, "measured") != 0))
        return rc_cmd_usage_text(invocation, "--local-speed: must be greater than 0, and needs "
                                             "--compute-time measured");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return run_one(invocation, options);
}

const struct rc_command rc_command_lab_sim = {
    .name = "sim",
    .summary = "Run an MPI program on a simulated cluster under load",
    .arguments = "APP [ARGUMENT...]",
    .details =
        "SimGrid runs the program, which must be built for its SMPI library, on the hosts of the "
        "platform file. CPU availability and available bandwidth follow the load. The run is "
        "stored with the load during the run, and with samples from before its start. APP is a "
        "path, or the name of a workload of runcast.\n\n"
        "Messages and counted operations (smpi_execute_flops(), which the workloads call) take "
        "simulated time. Other computing takes none, unless --compute-time measured scales its "
        "time on this machine to the speed of the hosts; such a run is not repeatable. The output "
        "of the program goes to standard error.\n\n"
        "The same command gives the same run time, to the last digit. The load depends only on "
        "seed, host and time: runs with the same seed and different starts see the same load. In "
        "the database, each load and seed has a separate year. Replayed loads, and runs whose "
        "--start is a date, begin on 2000-01-01.",
    .examples = "  runcast lab sim --platform-file grid.yaml --load random -- poisson --size 2000\n"
                "  runcast lab sim --platform-file g.yaml --load replay:idle.csv -- ep --size 30\n"
                "  runcast lab sim --sweep sweep.yaml --db runs.db\n",
    .least_arguments = 0,
    .most_arguments = -1,
    .command_at = 1,
    .options = option_table,
    .options_size = sizeof(struct rc_cmd_lab_sim_options),
    .defaults = &defaults,
    .answers = {rc_answer_sim, rc_answer_sweep},
    .rows = rc_answer_sweep_point,
    .rows_key = "runs",
    .run = run_sim,
};
