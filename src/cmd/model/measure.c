// SPDX-License-Identifier: GPL-3.0-or-later
/* measure.c - 'runcast model measure': measures inputs of a model and stores the values. */
#include "cmd/model/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/model_fields.h"
#include "answer/model_measure_fields.h"
#include "base/error.h"

enum { NAMES_MAX = 200, REPEATS = 25, REPEATS_MAX = 100000 };

#define MICROBENCHMARK "mpirun -np {p} --host {hosts} {program}"

static const char *const time_sources[] = {"command", "program", NULL};

static const struct rc_cmd_measure_options defaults = {
    .time_source = "program",
    .choice = {.omit = NAN, .at = NAN, .no_measured = true, .makes_db = true}};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_measure_options, member)

static const struct rc_option measure_option_table[] = {
    {OPTION("command", TEXT, command), .argument = "COMMAND",
     .help = "command that starts a run, with {p}, {hosts}, {size}, {arguments} and inputs without "
             "parameters, such as {iterations}"},
    {OPTION("microbenchmark", TEXT, microbenchmark), .argument = "COMMAND",
     .help = "command that starts the microbenchmark, with {p}, {hosts} and {program} (or "
             "{options} for its options); default: " MICROBENCHMARK},
    {OPTION("repeat", INTEGER, repeat), .argument = "N", .least = 1,
     .help = "number of repetitions (default: 25)"},
    {OPTION("time-source", CHOICE, time_source), .argument = "SOURCE", .choices = time_sources,
     .help = "source of run times: command or program, which prints \"seconds\" as JSON (default: "
             "program)"},
    {OPTION("inputs", TEXT, inputs), .argument = "NAMES",
     .help = "inputs of the model, separated by commas: point,bandwidth; none: only write "
             "--output (default: all)"},
    {OPTION("again", FLAG, again), .help = "repeat measurements that the database already has"},
    {OPTION("list", FLAG, list), .help = "list measured inputs, and measure nothing"},
    {OPTION("forget", TEXT, forget), .argument = "NAMES",
     .help = "remove measured values of these inputs from the database; with --hosts, only of "
             "these hosts; all: every measured value of the app and platform"},
    {OPTION("dry-run", FLAG, dry_run), .help = "show what would be done, and do nothing"},
    {OPTION("output", FILE, output), .letter = 'o', .argument = "PATH",
     .help = "output file or directory: also write the measured values as a model file for --with"},
    RC_MODEL_PLACE_OPTIONS(struct rc_cmd_measure_options, choice),
    RC_MODEL_OPTION_WITH(struct rc_cmd_measure_options, choice.with),
    RC_OPTION_JSON(struct rc_cmd_measure_options),
    {OPTION("db", FILE, choice.db), .argument = "FILE",
     .help = "database file (default: $RUNCAST_DB, then "
             "$XDG_DATA_HOME/runcast/runcast.db, then ~/.local/share/runcast/runcast.db)"},
    RC_OPTIONS_END,
};

/* ---- getting ready ---- */

/* Measured values of the database, if it exists. */
static int read_known(struct rc_cmd_measure *measure)
{
    const char *file = measure->options->choice.db;
    struct rc_error error = {.text = ""};
    struct rc_db *db;
    char path[4096];
    int found;

    if (rc_cmd_db_path(file, path, sizeof path, &error))
        return rc_cmd_fail(&error, "opening the database");
    if (access(path, F_OK) != 0)
        return RC_EXIT_OK;
    db = rc_cmd_open_db(file, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    found = rc_structural_benchmarks_load(db, measure->work->model->app, measure->platform,
                                          &measure->made.measured, &error);
    rc_db_close(db);
    return found < 0 ? rc_cmd_fail(&error, "reading measured inputs") : RC_EXIT_OK;
}

/* The names of --inputs; they point into `text`, which is cut up. */
static size_t read_names(char *text, const char *names[NAMES_MAX])
{
    size_t n = 0;
    char *rest = NULL;

    for (char *name = text ? strtok_r(text, ", ", &rest) : NULL; name && n < NAMES_MAX;
         name = strtok_r(NULL, ", ", &rest))
        names[n++] = name;
    return n;
}

/* With --forget and --list nothing is measured. */
static int make_plan(struct rc_cmd_measure *measure, const char *asked)
{
    const struct rc_cmd_measure_options *options = measure->options;
    bool none = asked && strcmp(asked, "none") == 0;
    char *text = asked && !none ? strdup(asked) : NULL;
    const char *names[NAMES_MAX], *places[NAMES_MAX];
    struct rc_measuring_options wanted = {.again = options->again,
                                          .only = names,
                                          .nothing = none || options->forget || options->list,
                                          .command = options->command,
                                          .microbenchmark = measure->making.microbenchmark,
                                          .timed = measure->making.timed,
                                          .repeats = (double)measure->making.repeats,
                                          .places = places,
                                          .new_command = options->command,
                                          .new_microbenchmark = options->microbenchmark,
                                          .new_repeats = options->repeat > 0};
    struct rc_error error = {.text = ""};
    int status = RC_EXIT_OK;

    wanted.n_only = read_names(text, names);
    wanted.n_places =
        rc_cmd_measuring_places(measure->work->model, options->command, places, NAMES_MAX);
    if (rc_structural_measuring_plan(measure->work->model, &measure->work->setting,
                                     &measure->made.measured, &wanted, &measure->plan, &error))
        status = rc_cmd_model_fail(measure->work, &error);
    free(text);
    if (status == RC_EXIT_OK && measure->plan.n_inputs == 0) {
        rc_error_set(&error, "no input of the model has a 'measure' clause");
        rc_error_hint(&error, "add 'measure' below an input; see docs/guides/measure-models.md");
        status = rc_cmd_fail(&error, "%s", measure->work->doing);
    }
    return status;
}

/* ---- removal ---- */

/* The items of these names; the plan has checked that they exist. */
static size_t find_items(const struct rc_cmd_measure *measure, const struct rc_item **items)
{
    char *text = strdup(measure->options->forget);
    const char *names[NAMES_MAX];
    size_t n = read_names(text, names);

    for (size_t i = 0; i < n; i++)
        items[i] = rc_structural_binding_find_item(measure->plan.binding, names[i]);
    free(text);
    return n;
}

static int forget(struct rc_cmd_measure *measure)
{
    const struct rc_cmd_model_work *work = measure->work;
    bool all = strcmp(measure->options->forget, "all") == 0;
    const struct rc_item *items[NAMES_MAX];
    struct rc_error error = {.text = ""};
    struct rc_cmd_work waiting;
    struct rc_db *db;
    size_t n, removed = 0;
    int status = make_plan(measure, all ? NULL : measure->options->forget);

    if (status != RC_EXIT_OK)
        return status;
    n = all ? 0 : find_items(measure, items);
    rc_cmd_work_begin(&waiting, "removing");
    db = rc_cmd_open_db(measure->options->choice.db, RC_DB_WRITE, &waiting);
    status = db ? RC_EXIT_OK : RC_EXIT_FAILED;
    if (db && rc_structural_benchmarks_forget(db, work->model->app, measure->platform, items, n,
                                              (const char *const *)work->hosts.names,
                                              work->hosts.count, &removed, &error))
        status = rc_cmd_fail(&error, "removing measured values");
    rc_db_close(db);
    rc_cmd_work_end(&waiting);
    if (status != RC_EXIT_OK)
        return status;
    if (removed == 0) {
        rc_error_set(&error, "the database has no such measured values of %s on %s",
                     work->model->app, measure->platform);
        return rc_cmd_fail(&error, "removing measured values");
    }
    if (measure->options->json)
        rc_cmd_model_print_removed(removed);
    else
        printf("removed %zu value%s of %s on %s\n", removed, removed == 1 ? "" : "s",
               work->model->app, measure->platform);
    return RC_EXIT_OK;
}

/* ---- the verb ---- */

static int carry_out(struct rc_cmd_measure *measure, const struct rc_invocation *invocation)
{
    const struct rc_cmd_measure_options *options = measure->options;
    struct rc_error error = {.text = ""};
    int status;

    measure->making = (struct rc_cmd_measuring){
        .plan = &measure->plan,
        .microbenchmark = options->microbenchmark ? options->microbenchmark : MICROBENCHMARK,
        .repeats = options->repeat ? options->repeat : REPEATS,
        .timed = strcmp(options->time_source, "command") == 0,
        .command = options->command,
        .only_shown = options->dry_run && !options->command};
    if (measure->making.only_shown)
        measure->making.command = "PROGRAM on {hosts}: size {size} {arguments}";
    if (options->forget)
        return forget(measure);
    status = read_known(measure);
    if (status == RC_EXIT_OK)
        status = make_plan(measure, options->inputs);
    if (status != RC_EXIT_OK)
        return status;
    measure->made.is_done = calloc(measure->plan.n_jobs + 1, sizeof *measure->made.is_done);
    if (!measure->made.is_done) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "%s", measure->work->doing);
    }
    if (options->list)
        return rc_cmd_measure_list(measure);
    if (rc_cmd_measuring_check(&measure->making, &error))
        return rc_cmd_usage(invocation, &error);
    rc_cmd_measure_note_again(measure);
    return options->dry_run ? rc_cmd_measure_show_jobs(measure) : rc_cmd_measure_make(measure);
}

/* Faults that do not depend on the model. */
static int check_usage(const struct rc_invocation *invocation)
{
    const struct rc_cmd_measure_options *options = invocation->options;

    if (options->repeat > REPEATS_MAX)
        return rc_cmd_usage_text(invocation, "--repeat: at most %d", REPEATS_MAX);
    if (options->forget &&
        (options->list || options->dry_run || options->inputs || options->output))
        return rc_cmd_usage_text(invocation, "--forget: not with --list, --dry-run, --inputs or "
                                             "--output");
    return rc_cmd_model_check_output(invocation, options->output, &options->choice);
}

static int run_measure(struct rc_invocation *invocation)
{
    const struct rc_cmd_measure_options *options = invocation->options;
    struct rc_cmd_model_work work;
    struct rc_cmd_measure measure = {.options = options, .work = &work};
    int status = check_usage(invocation);

    if (status != RC_EXIT_OK)
        return status;
    status = rc_cmd_model_open(&work, invocation, "measuring", &options->choice, true);
    if (status == RC_EXIT_OK) {
        measure.platform = rc_cmd_model_platform(&work);
        measure.section =
            work.setting.section >= 0 ? work.model->sections[work.setting.section].name : NULL;
        status =
            measure.platform
                ? carry_out(&measure, invocation)
                : rc_cmd_usage_text(invocation, "missing --platform-file FILE: measured values "
                                                "belong to a platform");
    }
    rc_structural_measuring_free(&measure.plan);
    rc_structural_measuring_made_free(&measure.made);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_measure = {
    .name = "measure",
    .summary = "Measure inputs of a model",
    .arguments = "FILE.rcm",
    .details =
        "Measures the inputs that have a 'measure' clause and stores the values in the database. "
        "'operation', 'bandwidth', 'message', 'startup' and 'packing' use the microbenchmark, a "
        "small MPI program that comes with runcast, on one or two hosts at a time. 'run' and "
        "'together' run the program itself, at the problem size of the 'at' clause. runcast starts "
        "commands without a shell, but understands quotes and backslashes. The program prints its "
        "run time as JSON, unless --time-source command is given.\n\n"
        "Each value is stored at once, so the same command continues after an interruption. Stored "
        "values are measured again only if they are older than their lifetime, or if the problem "
        "size, message length, inputs, command, number of repetitions or platform changed.\n\n"
        "'runcast model eval', 'explain' and 'accuracy' and 'runcast predict' use the stored "
        "values. They override the values of the model; --set and --with override them.",
    .examples = "  runcast model measure sor.rcm --platform-file cluster.yaml --command \\\n"
                "    'mpirun -np {p} --host {hosts} ./sor --size {size}'\n"
                "  runcast model measure sor.rcm --platform-file c.yaml --repeat 2 \\\n"
                "    --dry-run --microbenchmark \\\n"
                "    'runcast lab sim --no-store --platform-file c.yaml --hosts {hosts} -p {p}\n"
                "     --per-host 1 -- {program}'\n"
                "  runcast model measure sor.rcm --platform-file c.yaml --list\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = measure_option_table,
    .options_size = sizeof(struct rc_cmd_measure_options),
    .defaults = &defaults,
    .answers = {rc_answer_measuring, rc_answer_measuring_plan, rc_answer_model_removed},
    .run = run_measure,
};
