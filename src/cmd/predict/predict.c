// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast predict': the run time of a run, with its prediction interval. */
#include "cmd/predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/accuracy_fields.h"
#include "answer/scaling_fields.h"
#include "base/clock.h"
#include "base/error.h"
#include "cmd/core/commands.h"
#include "cmd/core/time_limit.h"
#include "report/plot.h"

const char *const rc_cmd_criteria[] = {"default", "paper", NULL};

const char *const rc_cmd_predict_methods[] = {RC_COMBINED, "regression", "structural", "scaling",
                                              "skeleton",  "slowdown",   "history",    NULL};

enum rc_regression_criterion rc_cmd_criterion(const char *name)
{
    return strcmp(name, "paper") == 0 ? RC_REGRESSION_PAPER : RC_REGRESSION_DEFAULT;
}

static const struct rc_cmd_predict_options defaults = {.method = RC_COMBINED,
                                                       .criterion = "default",
                                                       .size = NAN,
                                                       .cpu = NAN,
                                                       .bandwidth = NAN,
                                                       .at = NAN,
                                                       .omit = NAN,
                                                       .risk = NAN,
                                                       .seed = 1};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_predict_options, member)

static const struct rc_option predict_options[] = {
    {OPTION("app", TEXT, app), .letter = 'a', .argument = "NAME", .help = "name of the app"},
    {OPTION("size", QUANTITY, size), .letter = 's', .argument = "N", .dimension = RC_COUNT,
     .help = "problem size (default: that of the runs, if it is the same in all)"},
    {OPTION("procs", TEXT, procs), .letter = 'p', .argument = "P,..",
     .help = "number of processes (default: as --size), or several for a table: 8, 1,2,4 or 8..64 "
             "(more than 32 numbers of a range: its powers of two and its ends)"},
    {OPTION("param", LIST, param), .argument = "NAME=VALUE",
     .help = "parameter of the run (may be repeated)"},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4]: their load is forecast from their series in the database "
             "(default: as --size)"},
    {OPTION("platform", TEXT, platform), .argument = "NAME",
     .help = "name of the platform: learn from runs there, or from all runs if it has none"},
    {OPTION("platform-file", FILE, platform_file), .argument = "FILE",
     .help = "platform file; without --hosts, the run is placed on its first cluster"},
    {OPTION("cpu", QUANTITY, cpu), .argument = "SHARE", .dimension = RC_FRACTION,
     .help = "CPU availability during the run, such as 0.6, in place of a forecast (method "
             "regression)"},
    {OPTION("bandwidth", QUANTITY, bandwidth), .argument = "RATE", .dimension = RC_RATE,
     .help = "available bandwidth during the run, such as 100Mbit (method regression)"},
    {OPTION("at", SINCE, at), .argument = "TIME",
     .help = "predict for this time; ignore later samples (default: now)"},
    {OPTION("quantiles", TEXT, quantiles), .argument = "LIST",
     .help = "quantiles to show, as fractions of 1 (default: 0.95,0.99; with --json also "
             "0.05,0.1,0.25,0.5,0.75,0.9)"},
    RC_OPTION_RISK(struct rc_cmd_predict_options),
    {OPTION("method", CHOICE, method), .argument = "METHOD", .choices = rc_cmd_predict_methods,
     .help = "prediction method: combined, regression, structural, scaling, skeleton, slowdown or "
             "history (default: combined)"},
    {OPTION("set", LIST, set), .argument = "NAME=VALUE",
     .help = "value of an input of the model (may be repeated), for --method structural"},
    {OPTION("alternative", LIST, alternative), .argument = "TASK=NAME",
     .help = "use this alternative for a task, for --method structural (may be repeated)"},
    {OPTION("omit", QUANTITY, omit), .argument = "SHARE", .dimension = RC_FRACTION,
     .help =
         "leave out tasks with a smaller share of the profile, for --method structural (default: "
         "as in the model)"},
    {OPTION("explain", FLAG, explain),
     .help = "show how the answer was computed: the answer, past accuracy and weight of each "
             "method, and what unavailable methods lack"},
    {OPTION("extrapolate", FLAG, extrapolate),
     .help =
         "predict far beyond the runs, too: with regression alone by more than a factor of 16, or "
         "with an interval wider than a factor of 100"},
    {OPTION("probe", TEXT, probe), .argument = "COMMAND",
     .help = "command that runs the performance skeleton, such as 'mpirun -np {procs} -host "
             "{hosts} {skeleton}' (method skeleton)"},
    {OPTION("criterion", CHOICE, criterion), .argument = "NAME", .choices = rc_cmd_criteria,
     .help = "criterion that selects regression models: default or paper (method regression)"},
    {OPTION("phases", FLAG, phases),
     .help = "model each phase and process separately (method regression, after 'runcast fit "
             "--phases')"},
    {OPTION("samples", INTEGER, samples), .argument = "N", .least = 20,
     .help = "number of Monte Carlo samples (default: 1000)"},
    {OPTION("seed", INTEGER, seed), .argument = "N",
     .help = "seed of the random numbers (default: 1)"},
    {OPTION("input", FILE, input), .argument = "FILE",
     .help = "CSV table with one question per row, such as 'runcast import' reads; '-' for "
             "standard input"},
    {OPTION("output", FILE, output), .letter = 'o', .argument = "PATH",
     .help = "output file or directory: the file of the rows of --input with their predictions "
             "(default: standard output)"},
    {OPTION("learn", FLAG, learn),
     .help = "learn from each run once it is predicted (with --input, from rows with a run time)"},
    {OPTION("no-store", FLAG, no_store), .help = "do not store the result in the database"},
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
    rc_db_common_run_free(&answer->common);
    free(answer->platform);
    free(answer->numbers.numbers);
}

/* The one method that the options ask; -1: all. */
static int method_of(const struct rc_cmd_predict_options *options,
                     enum rc_regression_criterion criterion)
{
    bool regression = options->phases || criterion != RC_REGRESSION_DEFAULT ||
                      !isnan(options->cpu) || !isnan(options->bandwidth);

    return regression ? RC_METHOD_REGRESSION : rc_predict_method_find(options->method);
}

/* The rows of a table; a platform file gives the name of the platform. */
static int predict_table(const struct rc_cmd_predict_options *options,
                         enum rc_regression_criterion criterion)
{
    struct rc_cmd_predict_options named = *options;
    struct rc_platform *platform = NULL;
    struct rc_error error;
    int status;

    if (options->platform_file) {
        platform = rc_platform_load(options->platform_file, &error);
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
                                   .size = options->size,
                                   .criterion = rc_cmd_criterion(options->criterion)};
    struct rc_clock *clock = rc_clock_system();
    char names[RC_OPTION_LIST_MAX][RC_CMD_PARAM_SIZE];
    struct rc_error error;
    int status = rc_cmd_predict_check(invocation, options);

    if (status != RC_EXIT_OK)
        return status;
    if (options->input)
        return predict_table(options, answer.criterion);
    answer.asked = method_of(options, answer.criterion);
    answer.start = isnan(options->at) ? clock->wall(clock) : options->at;
    if (rc_cmd_predict_read(&answer, names, &error))
        status = rc_cmd_usage(invocation, &error);
    else
        status = rc_cmd_predict_answer(&answer);
    answer_free(&answer);
    return status;
}

const struct rc_command rc_command_predict = {
    .name = "predict",
    .summary = "Predict a run",
    .details =
        "Predicts the run time of an app with its distribution: the median, its 90 % "
        "prediction interval, and quantiles. The time limit, for sbatch, is exceeded with the "
        "probability --risk.\n\n"
        "All methods that have the data they need predict the run. Their answers are weighted by "
        "past accuracy and combined into one distribution, which is recalibrated by the runs that "
        "followed earlier predictions. --explain shows the answers; --method uses one method "
        "alone.\n\n"
        "  regression  runs of the app; newer runs are learned first\n"
        "  structural  a structural model: 'runcast model add'\n"
        "  scaling     a scaling model ('runcast scale fit') and --platform-file\n"
        "  skeleton    a trace of this size and number of processes, and --probe\n"
        "  slowdown    runs on idle hosts, and --hosts with CPU samples\n"
        "  history     a run of the app, until there are enough for regression\n\n"
        "With --hosts, the load during the run is forecast from the samples of the hosts. With "
        "--cpu and --bandwidth, you give the load. With neither, the prediction is for idle "
        "hosts.\n\n"
        "With several numbers of processes, the answer is a table with speedup, parallel "
        "efficiency, core-hours and cost. Its predictions are not stored.\n\n"
        "The prediction is stored. Once the run is in the database, 'runcast accuracy' compares "
        "the two. A prediction for a given load, or with --alternative or --omit, is not stored.",
    .examples = "  runcast predict --app md --size 4000 --procs 8 --hosts a[1-8]\n"
                "  runcast predict --app md --size 4000 --procs 8 --risk 1%\n"
                "  runcast predict --app md --size 4000 --procs 1,2,4,8..64\n"
                "  runcast predict --app md --size 4000 --procs 8 --cpu 0.6 --bandwidth 100Mbit\n"
                "  runcast predict --app md --size 4000 --procs 8 --hosts a[1-8] --explain\n"
                "  runcast predict --app md --size 4000 --procs 8 --quantiles 0.5,0.95 --json\n"
                "  runcast predict --app md --input planned.csv --output predicted.csv\n"
                "  runcast predict --app ga --method structural --size 2000 --procs 4 \\\n"
                "      --platform-file cluster.yaml\n",
    .options = predict_options,
    .options_size = sizeof(struct rc_cmd_predict_options),
    .defaults = &defaults,
    .answers = {rc_answer_predict},
    .variants = {{"input", rc_answer_table}, {"procs", rc_answer_scaling}},
    .run = run_predict,
};
