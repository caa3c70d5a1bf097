// SPDX-License-Identifier: GPL-3.0-or-later
/* measure.c - 'runcast model measure': makes the measurements that a model's inputs ask for,
 * and keeps them. */
#include "cmd/model/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { NAMES_MAX = 200, REPEATS = 25, REPEATS_MAX = 100000 };

#define BENCH "mpirun -np {p} --host {hosts} {program}"

static const struct rc_cmd_measure_options defaults = {
    .choice = {.omit = NAN, .at = NAN, .no_measured = true, .makes_db = true}};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_measure_options, member)

static const struct rc_option measure_option_table[] = {
    {OPTION("command", TEXT, command), .argument = "COMMAND",
     .help = "how the program is started, with {p}, {hosts}, {size}, {arguments} and inputs of the "
             "model without parameters, such as {iterations}"},
    {OPTION("bench", TEXT, bench), .argument = "COMMAND",
     .help = "how the yardstick is started, with {p}, {hosts} and {program}, or {options} for what "
             "it is told (default: " BENCH ")"},
    {OPTION("repeats", INTEGER, repeats), .argument = "R", .least = 1,
     .help = "how often each measurement is made (default: 25)"},
    {OPTION("timed", FLAG, timed),
     .help = "take the time of the command, for programs that do not tell their seconds as JSON"},
    {OPTION("only", TEXT, only), .argument = "NAMES",
     .help = "measure these inputs alone: point,bandwidth; none: only write --out"},
    {OPTION("again", FLAG, again), .help = "measure anew what the store has already"},
    {OPTION("list", FLAG, list),
     .help = "show what the store has of the model's inputs, and make nothing"},
    {OPTION("forget", TEXT, forget), .argument = "NAMES",
     .help = "remove these inputs from the store, as far as they were measured as the model says "
             "(with --hosts: of these hosts); all: whatever was measured of the app there"},
    {OPTION("dry-run", FLAG, dry_run), .help = "list what would be made, and make nothing"},
    {OPTION("out", FILE, out), .argument = "FILE",
     .help = "write all that is measured as a part of a model, too, for --with"},
    RC_MODEL_PLACE_OPTIONS(struct rc_cmd_measure_options, choice),
    RC_MODEL_OPTION_WITH(struct rc_cmd_measure_options, choice.with),
    RC_OPTION_JSON(struct rc_cmd_measure_options),
    {OPTION("db", FILE, choice.db), .argument = "FILE",
     .help = "the store to use (default: $RUNCAST_DB, then "
             "$XDG_DATA_HOME/runcast/runcast.db, then ~/.local/share/runcast/runcast.db)"},
    RC_OPTIONS_END,
};

/* ---- getting ready ---- */

/* What the database has already, where there is one. */
static int read_known(struct rc_cmd_measure *measure)
{
    const char *file = measure->options->choice.db;
    struct rc_error error = {.text = ""};
    struct rc_db *db;
    char path[4096];
    int found;

    if (rc_cmd_db_path(file, path, sizeof path, &error))
        return rc_cmd_fail(&error, "opening the store");
    if (access(path, F_OK) != 0)
        return RC_EXIT_OK;
    db = rc_cmd_open_db(file, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    found = rc_structural_benchmarks_load(db, measure->work->model->app, measure->platform,
                                          &measure->made.measured, &error);
    rc_db_close(db);
    return found < 0 ? rc_cmd_fail(&error, "reading what was measured") : RC_EXIT_OK;
}

/* The names of --only; they point into `text`, which is cut up. */
static size_t read_names(char *text, const char *names[NAMES_MAX])
{
    size_t n = 0;
    char *rest = NULL;

    for (char *name = text ? strtok_r(text, ", ", &rest) : NULL; name && n < NAMES_MAX;
         name = strtok_r(NULL, ", ", &rest))
        names[n++] = name;
    return n;
}

/* With --forget and --list nothing is to be made. */
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
                                          .bench = measure->making.bench,
                                          .timed = options->timed,
                                          .repeats = (double)measure->making.repeats,
                                          .places = places,
                                          .new_command = options->command,
                                          .new_bench = options->bench,
                                          .new_repeats = options->repeats > 0};
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
        rc_error_set(&error, "no input of the model says how it is measured");
        rc_error_hint(&error, "write 'measure' below an input; docs/models.md tells how");
        status = rc_cmd_fail(&error, "%s", measure->work->doing);
    }
    return status;
}

/* ---- forgetting ---- */

/* The items whose names are asked for; the plan has seen that they are there. */
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
        status = rc_cmd_fail(&error, "removing what was measured");
    rc_db_close(db);
    rc_cmd_work_end(&waiting);
    if (status != RC_EXIT_OK)
        return status;
    if (removed == 0) {
        rc_error_set(&error, "the store has nothing of that, measured of %s on %s",
                     work->model->app, measure->platform);
        return rc_cmd_fail(&error, "removing what was measured");
    }
    if (measure->options->json)
        printf("{\"removed\": %zu}\n", removed);
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

    measure->making =
        (struct rc_cmd_measuring){.plan = &measure->plan,
                                  .bench = options->bench ? options->bench : BENCH,
                                  .repeats = options->repeats ? options->repeats : REPEATS,
                                  .timed = options->timed,
                                  .command = options->command,
                                  .only_shown = options->dry_run && !options->command};
    if (measure->making.only_shown)
        measure->making.command = "PROGRAM on {hosts}: size {size} {arguments}";
    if (options->forget)
        return forget(measure);
    status = read_known(measure);
    if (status == RC_EXIT_OK)
        status = make_plan(measure, options->only);
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

/* Wrong uses that can be told without the model. */
static int check_usage(const struct rc_invocation *invocation)
{
    const struct rc_cmd_measure_options *options = invocation->options;

    if (options->repeats > REPEATS_MAX)
        return rc_cmd_usage_text(invocation, "--repeats: at most %d", REPEATS_MAX);
    if (options->forget && (options->list || options->dry_run || options->only || options->out))
        return rc_cmd_usage_text(invocation, "--forget: nothing else is done with it");
    return rc_cmd_model_check_out(invocation, options->out, &options->choice);
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
        status = measure.platform
                     ? carry_out(&measure, invocation)
                     : rc_cmd_usage_text(invocation, "--platform FILE is missing: what is measured "
                                                     "holds for a platform");
    }
    rc_structural_measuring_free(&measure.plan);
    rc_structural_measuring_made_free(&measure.made);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_measure = {
    .name = "measure",
    .summary = "Make the measurements that a model's inputs ask for, and keep them",
    .arguments = "FILE.rcm",
    .details =
        "Inputs with 'measure operation', 'bandwidth', 'message', 'startup' or 'packing' are "
        "measured by the yardstick, a small MPI program that comes with runcast, on one host or on "
        "two at a time; those with 'measure run' or 'together' by runs of the program itself, at "
        "the problem size that stands behind 'at'. A command is started as it is written, with its "
        "places filled in; there is no shell, and quotes and backslashes are understood. A program "
        "tells its seconds as JSON, unless --timed is given.\n\n"
        "Every value is in the store as soon as it is known, and what is there is not measured "
        "again: the same command goes on after an interruption. Measured again is what is older "
        "than its lifetime, and what was measured with another problem size or length of messages, "
        "other inputs, another command or fewer repeats, or on hosts of which the platform said "
        "something else. 'runcast model eval', 'explain' and 'accuracy' then take the values by "
        "themselves: they win over those of the model, and what is given with --set and --with "
        "wins over them.",
    .examples = "  runcast model measure sor.rcm --platform cluster.yaml --command \\\n"
                "    'mpirun -np {p} --host {hosts} ./sor --size {size}'\n"
                "  runcast model measure sor.rcm --platform c.yaml --repeats 2 --bench \\\n"
                "    'runcast lab sim --no-store --platform-file c.yaml --hosts {hosts} -p {p}\n"
                "     --per-host 1 -- {program}' --dry-run\n"
                "  runcast model measure sor.rcm --platform c.yaml --list\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = measure_option_table,
    .options_size = sizeof(struct rc_cmd_measure_options),
    .defaults = &defaults,
    .run = run_measure,
};
