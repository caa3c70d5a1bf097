// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast skeleton predict': runs a skeleton, and says how long the program takes. */
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
     .help = "run it so often (default: once); several runs show how much times vary"},
    {OPTION(QUANTITY, level), .argument = "P", .dimension = RC_FRACTION,
     .help = "the probability of the interval that is shown (default: 0.9)"},
    {OPTION(FILE, plot), .argument = "FILE", .help = "draw the distribution (.svg, .png or .pdf)"},
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
    of.predicted = rc_value_mean(value);
    of.sd = rc_value_sd(value);
    of.level = options->level;
    rc_value_span(value, options->level, &of.low, &of.high);
    if (options->json) {
        rc_cmd_skeleton_print(rc_answer_skeleton_predicted, &of);
        return;
    }
    printf("the program takes %.4g s here and now: %.4g to %.4g s with probability %g\n",
           of.predicted, of.low, of.high, of.level);
    printf("the skeleton took %.4g s (%zu run%s), and the program takes %.4g times as long "
           "(%s); where it was recorded it took %.4g s\n",
           of.seconds, of.trials, rc_cell_plural((long long)of.trials, "s"), of.ratio,
           of.measured ? "measured" : "meant", original);
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
        status = rc_cmd_report_plot(options->plot, trials->skeleton, "seconds of the program",
                                    value, options->level, NULL, &error);
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
        return rc_cmd_usage_text(invocation, "--level is between 0 and 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (rc_cmd_skeleton_original(invocation->arguments[0], &original, &error))
        return rc_cmd_fail(&error, "reading the recording");
    if (rc_cmd_skeleton_run(invocation, options->repeat, &trials, &error))
        return rc_cmd_fail(&error, "running the skeleton");
    return answer(invocation, &trials, original);
}

const struct rc_command rc_command_skeleton_predict = {
    .name = "predict",
    .summary = "Run a skeleton, and say how long the program would take there and then",
    .arguments = "DIR SKELETON -- COMMAND [ARGUMENT...]",
    .details =
        "The command runs the skeleton where and when the program is to run. What it takes, times "
        "the ratio that was measured ('runcast skeleton measure'), is what the program would take "
        "from the end of MPI_Init to the beginning of MPI_Finalize. The answer is a distribution.",
    .examples = "  runcast skeleton predict DIR skel -- mpirun -np 4 ./skel\n"
                "  runcast skeleton predict DIR skel --repeat 5 -- mpirun -np 4 ./skel\n",
    .least_arguments = 3,
    .most_arguments = -1,
    .command_at = 3,
    .options = predict_options,
    .options_size = sizeof(struct predict_options),
    .defaults = &predict_defaults,
    .run = run_predict,
};
