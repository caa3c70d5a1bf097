// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast skeleton predict': runs a skeleton and predicts the run time of the program. */
#include "report/cell.h"
#include "report/plot.h"
#include "cmd/skeleton/skeleton.h"
#include "cmd/core/value_report.h"

struct predict_options {
    int64_t repeat;
    double level;
    const char *plot;
    bool json;
};

static const struct predict_options predict_defaults = {.repeat = 1, .level = 0.9};

#define OPTION(kind_, member) RC_OPTION_OF(struct predict_options, kind_, member), .name = #member

static const struct rc_option predict_options[] = {
    {OPTION(INTEGER, repeat), .argument = "N", .least = 1, .most = RC_TRIALS_MAX,
     .help = "number of repetitions (default: 1); several show how much the time varies"},
    {OPTION(QUANTITY, level), .argument = "P", .dimension = RC_FRACTION,
     .help = "probability of the prediction interval (default: 0.9)"},
    {OPTION(FILE, plot), .argument = "FILE",
     .help = "draw a plot (.svg, .png or .pdf) of the distribution"},
    RC_OPTION_JSON(struct predict_options),
    RC_OPTIONS_END,
};

static void show_prediction(const struct predict_options *options, const struct rc_trials *trials,
                            const struct rc_measured *measured, double original,
                            const struct rc_value *value)
{
    struct rc_answer_skeleton_trials of = rc_answer_skeleton_trials_of(trials, original);

    of.ratio = measured->ratio;
    of.measured = measured->trials > 0;
    of.predicted = rc_value_quantile(value, 0.5);
    of.mean = rc_value_mean(value);
    of.sd = rc_value_sd(value);
    of.level = options->level;
    rc_value_span(value, options->level, &of.low, &of.high);
    if (options->json) {
        rc_cmd_skeleton_print(rc_answer_skeleton_predicted, &of);
        return;
    }
    printf("predicted run time: %.4g s (%g %% interval: %.4g to %.4g s)\n", of.predicted,
           100 * of.level, of.low, of.high);
    printf("skeleton: %.4g s (%zu run%s)\n", of.seconds, of.trials,
           rc_cell_plural((long long)of.trials, "s"));
    if (of.startup > 0)
        printf("start-up of the command: %.4g s\n", of.startup);
    printf("ratio: %.4g (%s)\n", of.ratio, of.measured ? "measured" : "intended");
    printf("traced run: %.4g s\n", original);
}

static int answer(const struct rc_invocation *invocation, const struct rc_trials *trials,
                  double original)
{
    const struct predict_options *options = invocation->options;
    struct rc_error error = {0};
    struct rc_measured measured;
    struct rc_value *value;
    int status = 0;

    if (rc_cmd_skeleton_ratio(invocation->arguments[0], trials, original, &measured, &error))
        return rc_cmd_fail(&error, "predicting");
    value = rc_skeleton_trials_predict(trials, &measured, &error);
    if (!value)
        return rc_cmd_fail(&error, "predicting");
    show_prediction(options, trials, &measured, original, value);
    if (options->plot)
        status = rc_cmd_report_plot(options->plot, trials->skeleton, "run time, s", value,
                                    options->level, NULL, &error);
    rc_value_drop(value);
    return status ? rc_cmd_fail(&error, "drawing %s", options->plot) : RC_EXIT_OK;
}

static int run_predict(struct rc_invocation *invocation)
{
    const struct predict_options *options = invocation->options;
    struct rc_error error = {0};
    struct rc_trials trials;
    double original;

    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level must be between 0 and 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (rc_cmd_skeleton_original(invocation->arguments[0], &original, &error))
        return rc_cmd_fail(&error, "reading the trace");
    if (rc_cmd_skeleton_run(invocation, options->repeat, &trials, &error))
        return rc_cmd_fail(&error, "running the skeleton");
    return answer(invocation, &trials, original);
}

const struct rc_command rc_command_skeleton_predict = {
    .name = "predict",
    .summary = "Run a skeleton and predict the run time of its program",
    .arguments = "DIR SKELETON -- COMMAND [ARGUMENT...]",
    .details =
        "The command runs the skeleton on the hosts on which the program will run. Its run time, "
        "multiplied by the ratio that 'runcast skeleton measure' measured, predicts the time of "
        "the "
        "program from the end of MPI_Init to the start of MPI_Finalize.",
    .examples = "  runcast skeleton predict heat.trace skel -- mpirun -np 4 ./skel\n"
                "  runcast skeleton predict heat.trace skel --repeat 5 -- mpirun -np 4 ./skel\n",
    .least_arguments = 3,
    .most_arguments = -1,
    .command_at = 3,
    .options = predict_options,
    .options_size = sizeof(struct predict_options),
    .defaults = &predict_defaults,
    .answers = {rc_answer_skeleton_predicted},
    .run = run_predict,
};
