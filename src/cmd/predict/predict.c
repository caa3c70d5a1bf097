// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast predict': how long a run will take, and how sure that is. */
#include "cmd/predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cmd/core/commands.h"
#include "report/plot.h"

const char *const rc_cmd_criteria[] = {"default", "paper", NULL};

const char *const rc_cmd_predict_methods[] = {RC_COMBINED, "regression", "structure", "scaling",
                                              "skeleton",  "slowdown",   NULL};

enum rc_regression_criterion rc_cmd_criterion(const char *name)
{
    return strcmp(name, "paper") == 0 ? RC_REGRESSION_PAPER : RC_REGRESSION_DEFAULT;
}

static const struct rc_cmd_predict_options defaults = {.quantiles = "5,25,50,75,95",
                                                       .criterion = "default",
                                                       .size = NAN,
                                                       .cpu = NAN,
                                                       .bw = NAN,
                                                       .at = NAN,
                                                       .omit = NAN,
                                                       .seed = 1};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_predict_options, member)

static const struct rc_option predict_options[] = {
    {OPTION("app", TEXT, app), .argument = "NAME", .help = "the program"},
    {OPTION("size", QUANTITY, size), .argument = "N", .dimension = RC_COUNT,
     .help = "the problem size"},
    {OPTION("procs", INTEGER, procs), .argument = "P", .least = 1,
     .help = "the number of processes"},
    {OPTION("param", LIST, params), .argument = "NAME=NUMBER",
     .help = "a further parameter of the run; as often as there are some"},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "where it will run, such as a[1-8]: the load to come is forecast from their series in "
             "the store"},
    {OPTION("platform", TEXT, platform), .argument = "NAME|FILE",
     .help = "learn from runs on this platform, or on any where it has none; of a platform file "
             "(.yaml), the hosts that its first cluster would put the processes on are taken too"},
    {OPTION("cpu", QUANTITY, cpu), .argument = "SHARE", .dimension = RC_FRACTION,
     .help = "the load instead of a forecast: the share of a core that it gets, such as 0.6; "
             "regression alone answers"},
    {OPTION("bw", QUANTITY, bw), .argument = "RATE", .dimension = RC_RATE,
     .help = "... and the bandwidth, in the unit of the runs, such as 100Mbit"},
    {OPTION("at", SINCE, at), .argument = "TIME",
     .help = "when it starts; later samples are not looked at (default: now)"},
    {OPTION("quantiles", TEXT, quantiles), .argument = "LIST",
     .help = "which quantiles to show, in percent (default: 5,25,50,75,95)"},
    {OPTION("family", CHOICE, method), .argument = "WHICH", .choices = rc_cmd_predict_methods + 1,
     .help = "ask this family alone: regression (runs), structure (a model of 'runcast model "
             "add'), scaling ('runcast scale fit'), skeleton (--probe), or slowdown (idle runs, "
             "busy hosts) (default: all that can answer)"},
    {OPTION("set", LIST, set), .argument = "NAME=VALUE",
     .help = "with --family structure: set an input of the model, such as 'cpu[a1]=0.8' (may be "
             "given several times)"},
    {OPTION("use", LIST, use), .argument = "TASK=WAY",
     .help = "with --family structure: tell a task in this way; such an answer is not kept (may be "
             "given several times)"},
    {OPTION("omit", QUANTITY, omit), .argument = "SHARE", .dimension = RC_FRACTION,
     .help = "with --family structure: leave out tasks that the profile gives less than this; such "
             "an answer is not kept (default: as the model says)"},
    {OPTION("explain", FLAG, explain),
     .help = "show what every family says, its record and its weight, or what it lacks; with "
             "--family structure where the answer comes from, as 'runcast model explain' does"},
    {OPTION("probe", TEXT, probe), .argument = "COMMAND",
     .help = "run the skeleton of the recording of this very run, where it is to be, such as "
             "'mpirun -np {procs} -host {hosts} {skeleton}'"},
    {OPTION("criterion", CHOICE, criterion), .argument = "WHICH", .choices = rc_cmd_criteria,
     .help = "the model of 'runcast fit' by this criterion, default or paper; by paper, regression "
             "alone answers"},
    {OPTION("parts", FLAG, parts),
     .help = "regression alone answers: from models of the program's phases and processes "
             "('runcast fit --parts'), with the share of each"},
    {OPTION("draws", INTEGER, draws), .argument = "N", .least = 20,
     .help = "draws that the distribution is made of (default: 1000)"},
    {OPTION("seed", INTEGER, seed), .argument = "S", .least = 0,
     .help = "where the draws start (default: 1)"},
    {OPTION("csv", FILE, csv), .argument = "FILE",
     .help = "predict every row of a table (-: standard input) with the columns of 'runcast runs "
             "import', and add predicted, lo90 and hi90"},
    {OPTION("out", FILE, out), .argument = "FILE",
     .help = "with --csv: where to write it (default: standard output)"},
    {OPTION("learn", FLAG, learn),
     .help = "with --csv: learn from each row that has its seconds, once it is predicted"},
    {OPTION("no-store", FLAG, no_store), .help = "do not keep the prediction in the store"},
    RC_OPTION_PLOT(struct rc_cmd_predict_options),
    RC_OPTION_JSON(struct rc_cmd_predict_options),
    RC_OPTION_DB(struct rc_cmd_predict_options),
    RC_OPTIONS_END,
};

int rc_cmd_predict_fail(const struct rc_error *error, const struct rc_cmd_predict_options *options)
{
    return rc_cmd_fail(error, "predicting %s", options->app);
}

/* ---- the command ---- */

static void answer_free(struct rc_cmd_answer *answer)
{
    rc_value_drop(answer->report.value);
    rc_platform_destroy(answer->platform_file);
    rc_platform_hostlist_free(&answer->hosts);
    free(answer->platform);
}

/* The one method that the options want; -1: all. */
static int method_of(const struct rc_cmd_predict_options *options,
                     enum rc_regression_criterion criterion)
{
    if (options->method)
        return rc_predict_method_find(options->method);
    return options->parts || criterion != RC_REGRESSION_DEFAULT || !isnan(options->cpu) ||
                   !isnan(options->bw)
               ? RC_METHOD_REGRESSION
               : -1;
}

/* The rows of a table, with the name of the platform where its file is said. */
static int predict_table(const struct rc_cmd_predict_options *options,
                         enum rc_regression_criterion criterion)
{
    struct rc_cmd_predict_options named = *options;
    struct rc_platform *platform = NULL;
    struct rc_error error;
    int status;

    if (options->platform && rc_cmd_is_platform_file(options->platform)) {
        platform = rc_platform_load(options->platform, &error);
        if (!platform)
            return rc_cmd_predict_fail(&error, options);
        named.platform = platform->name;
    }
    status = rc_cmd_predict_csv(&named, platform, criterion);
    rc_platform_destroy(platform);
    return status;
}

static int run_predict(struct rc_invocation *invocation)
{
    const struct rc_cmd_predict_options *options = invocation->options;
    struct rc_cmd_answer answer = {.options = options,
                                   .criterion = rc_cmd_criterion(options->criterion)};
    struct rc_clock *clock = rc_clock_system();
    char names[RC_OPTION_LIST_MAX][RC_CMD_PARAM_SIZE];
    struct rc_error error;
    int status = rc_cmd_predict_check(invocation, options);

    if (status != RC_EXIT_OK)
        return status;
    if (options->csv)
        return predict_table(options, answer.criterion);
    answer.asked = method_of(options, answer.criterion);
    answer.start = isnan(options->at) ? clock->wall(clock) : options->at;
    if (rc_cmd_predict_read(&answer, names, &error))
        status = rc_cmd_usage(invocation, &error);
    else if (rc_cmd_predict_places(&answer, &error))
        status = rc_cmd_predict_fail(&error, options);
    else
        status = rc_cmd_predict_one(&answer);
    answer_free(&answer);
    return status;
}

const struct rc_command rc_command_predict = {
    .name = "predict",
    .summary = "Say how long a run will take, and how sure that is",
    .details =
        "Asks every family of models that has what it needs, and answers with one distribution: "
        "their answers weighted by how their earlier predictions of the program fared, and "
        "recalibrated so that intervals hold as often as they say. Where one family alone can "
        "answer, its answer is the answer. --explain shows all of them, and --family asks one.\n\n"
        "Regression needs runs in the store; those that are newer than its model are learnt first, "
        "and where there is no model, one is fitted. Structure needs a model of 'runcast model "
        "add', scaling one of 'runcast scale fit' and the platform file, a skeleton a recording of "
        "this size and number of processes that 'runcast trace import' has told the store of, and "
        "--probe, and slowdown hosts whose load was watched, and runs.\n\n"
        "With --hosts, the load to come is forecast from the series that the store has of them, "
        "and the run is followed along many possible futures until its work is done. With --cpu "
        "and --bw, the load is what you say. With neither, a dedicated machine is meant.\n\n"
        "With --parts, every phase and every process that runs have times of has a model of its "
        "own: phases follow one another, in the order of their names, and each lasts as long as "
        "its slowest process.\n\n"
        "With --family structure, inputs of the model can be set (--set), tasks told in other ways "
        "(--use) and left out (--omit).\n\n"
        "A prediction for hosts or for a dedicated machine is kept, and with it that of every "
        "family; once the run is in the store, "
        "'runcast accuracy' tells how good it was. What is predicted for a load that you say is "
        "not kept.",
    .examples = "  runcast predict --app md --size 4000 --procs 8 --hosts a[1-8]\n"
                "  runcast predict --app md --size 4000 --procs 8 --cpu 0.6 --bw 100Mbit\n"
                "  runcast predict --app md --size 4000 --procs 8 --hosts a[1-8] --explain\n"
                "  runcast predict --app md --size 4000 --procs 8 --parts\n"
                "  runcast predict --app md --csv planned.csv --out predicted.csv\n"
                "  runcast predict --app ga --family structure --size 2000 --procs 4 \\\n"
                "      --platform cluster.yaml\n",
    .options = predict_options,
    .options_size = sizeof(struct rc_cmd_predict_options),
    .defaults = &defaults,
    .run = run_predict,
};
