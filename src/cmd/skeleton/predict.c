// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast skeleton measure' and 'runcast skeleton predict': run a skeleton,
 * and say how long the program takes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "answer/skeleton_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "report/cell.h"
#include "report/plot.h"
#include "cmd/skeleton/skeleton.h"
#include "cmd/core/value_report.h"
#include "model/skeleton/emit/emit.h"
#include "model/skeleton/probe/skeleton_trials.h"

struct trial_options {
    int64_t repeat;
    double level;
    const char *plot;
    bool json;
};

static const struct trial_options measure_defaults = {.repeat = 3},
                                  predict_defaults = {.repeat = 1, .level = 0.9};

#define OPTION(kind_, member) RC_OPTION_OF(struct trial_options, kind_, member), .name = #member
#define REPEAT OPTION(INTEGER, repeat), .argument = "N", .least = 1, .most = RC_TRIALS_MAX

static const struct rc_option measure_options[] = {
    {REPEAT, .help = "run it so often (default: 3)"},
    RC_OPTION_JSON(struct trial_options),
    RC_OPTIONS_END,
};

static const struct rc_option predict_options[] = {
    {REPEAT, .help = "run it so often (default: once); several runs show how much times vary"},
    {OPTION(QUANTITY, level), .argument = "P", .dimension = RC_FRACTION,
     .help = "the probability of the interval that is shown (default: 0.9)"},
    {OPTION(FILE, plot), .argument = "FILE", .help = "draw the distribution (.svg, .png or .pdf)"},
    RC_OPTION_JSON(struct trial_options),
    RC_OPTIONS_END,
};

/* ---- running ---- */

static int run_all(const struct rc_invocation *invocation, struct rc_trials *trials,
                   struct rc_error *error)
{
    const struct trial_options *options = invocation->options;
    struct rc_cmd_work work;
    char name[RC_EMIT_NAME];
    int status;

    rc_skeleton_emit_name(invocation->arguments[1], name);
    *trials = (struct rc_trials){0};
    rc_cmd_work_begin(&work, "running the skeleton");
    status = rc_skeleton_probe_run(invocation->arguments + 2, (size_t)options->repeat, name,
                                   &work.monitor, trials, error);
    rc_cmd_work_end(&work);
    return status;
}

/* How long the recorded program took. */
static int original_of(const char *directory, double *seconds, struct rc_error *error)
{
    struct rc_program *program = rc_cmd_skeleton_program(directory, error);

    if (!program)
        return -1;
    *seconds = program->seconds;
    rc_skeleton_program_destroy(program);
    return 0;
}

/* Says what is not as it should be with a skeleton that was run: another trace's is an error,
 * one that is too short a note. */
static int check(const char *directory, const struct rc_trials *trials, double original,
                 struct rc_error *error)
{
    if (!rc_skeleton_trials_of(trials, original)) {
        rc_error_set(error,
                     "%s was not made of the recording in %s: the program of that took %.4g s, "
                     "and its own %.4g s",
                     trials->skeleton, directory, original, trials->original);
        return rc_error_hint(error,
                             "give the recording that it was made of, or build it anew: "
                             "'runcast skeleton build %.200s'",
                             directory);
    }
    if (rc_skeleton_trials_short(trials))
        rc_cmd_note("%s is too short to be trusted: it is to take %.3g s, and the shortest good "
                    "skeleton takes %.3g s",
                    trials->skeleton, trials->original / trials->ratio, trials->shortest);
    return 0;
}

/* ---- measure ---- */

static void print_json(const struct rc_field *fields,
                       const struct rc_answer_skeleton_trials *answer)
{
    json_t *object = rc_field_json(fields, answer);

    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_cmd_print_json(object);
}

static void show_measured(const struct rc_trials *trials, double original, bool json)
{
    struct rc_answer_skeleton_trials of = rc_answer_skeleton_trials_of(trials, original);

    if (json) {
        print_json(rc_answer_skeleton_measured, &of);
        return;
    }
    printf("%s takes %.4g s (%zu runs%s", of.skeleton, of.seconds, of.trials,
           of.trials > 1 ? ", " : ")\n");
    if (of.trials > 1)
        printf("spread %.2g %%)\n", 100 * of.spread);
    printf("the program took %.4g s: %.4g times as long (%.4g was meant)\n", original, of.ratio,
           of.meant);
}

static int run_measure(struct rc_invocation *invocation)
{
    const struct trial_options *options = invocation->options;
    const char *directory = invocation->arguments[0], *skeleton = invocation->arguments[1];
    struct rc_error error = {0};
    struct rc_trials trials;
    double original, off;
    char *program;
    int status;

    if (original_of(directory, &original, &error))
        return rc_cmd_fail(&error, "reading the recording");
    if (access(directory, W_OK) != 0) {
        rc_error_errno(&error, errno, "cannot write to %s", directory);
        return rc_cmd_fail(&error, "keeping the ratio");
    }
    if (run_all(invocation, &trials, &error) || check(directory, &trials, original, &error))
        return rc_cmd_fail(&error, "running the skeleton");
    off = rc_skeleton_trials_off(&trials, original);
    if (off > 0)
        rc_cmd_note("the program took %.3g times as long as was meant, as compared with %s: is "
                    "this where, and as, it was recorded, with nothing else on these machines?",
                    off, trials.skeleton);
    show_measured(&trials, original, options->json);
    program = access(skeleton, X_OK) == 0 ? realpath(skeleton, NULL) : NULL;
    status = rc_skeleton_measured_write(directory, &trials, original, program, &error);
    free(program);
    return status ? rc_cmd_fail(&error, "keeping the ratio") : RC_EXIT_OK;
}

const struct rc_command rc_command_skeleton_measure = {
    .name = "measure",
    .summary = "Measure how much longer the program takes than its skeleton",
    .arguments = "DIR SKELETON -- COMMAND [ARGUMENT...]",
    .details = "To be run once, where and as the program was recorded, with nothing else on these "
               "machines. The ratio is kept in DIR, for 'runcast skeleton predict'.",
    .examples = "  runcast skeleton measure DIR skel -- mpirun -np 4 ./skel\n",
    .least_arguments = 3,
    .most_arguments = -1,
    .command_at = 3,
    .options = measure_options,
    .options_size = sizeof(struct trial_options),
    .defaults = &measure_defaults,
    .run = run_measure,
};

/* ---- predict ---- */

int rc_cmd_skeleton_ratio(const char *directory, const struct rc_trials *trials, double original,
                          struct rc_measured *measured, struct rc_error *error)
{
    int found;

    if (check(directory, trials, original, error))
        return -1;
    found = rc_skeleton_measured_read(directory, trials, original, measured, error);
    if (found < 0)
        return -1;
    if (found > 0) {
        *measured = (struct rc_measured){.ratio = trials->ratio, .spread = NAN};
        rc_cmd_note("the ratio of program and skeleton was not measured%s; it is taken to be %.4g "
                    "as meant ('runcast skeleton measure' measures it)",
                    found > 1 ? " since one of them was made anew" : "", trials->ratio);
    }
    return 0;
}

static void show_prediction(const struct trial_options *options, const struct rc_trials *trials,
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
        print_json(rc_answer_skeleton_predicted, &of);
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
    const struct trial_options *options = invocation->options;
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
    const struct trial_options *options = invocation->options;
    struct rc_error error = {0};
    struct rc_trials trials;
    double original;

    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level is between 0 and 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (original_of(invocation->arguments[0], &original, &error))
        return rc_cmd_fail(&error, "reading the recording");
    if (run_all(invocation, &trials, &error))
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
    .options_size = sizeof(struct trial_options),
    .defaults = &predict_defaults,
    .run = run_predict,
};
