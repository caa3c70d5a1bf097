// SPDX-License-Identifier: GPL-3.0-or-later
/* measure.c - 'runcast skeleton measure': the ratio of the run times of a program and its skeleton. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/skeleton/skeleton.h"

struct measure_options {
    int64_t repeat;
    bool json;
};

static const struct measure_options measure_defaults = {.repeat = 3};

static const struct rc_option measure_options[] = {
    {RC_OPTION_OF(struct measure_options, INTEGER, repeat), .name = "repeat", .argument = "N",
     .least = 1, .most = RC_TRIALS_MAX, .help = "number of repetitions (default: 3)"},
    RC_OPTION_JSON(struct measure_options),
    RC_OPTIONS_END,
};

static void show_measured(const struct rc_trials *trials, double original, bool json)
{
    struct rc_answer_skeleton_trials of = rc_answer_skeleton_trials_of(trials, original);

    if (json) {
        rc_cmd_skeleton_print(rc_answer_skeleton_measured, &of);
        return;
    }
    printf("%s: %.4g s (%zu runs%s", of.skeleton, of.seconds, of.trials,
           of.trials > 1 ? ", " : ")\n");
    if (of.trials > 1)
        printf("spread %.2g %%)\n", 100 * of.spread);
    printf("traced run: %.4g s, ratio %.4g (intended: %.4g)\n", original, of.ratio, of.meant);
}

static int run_measure(struct rc_invocation *invocation)
{
    const struct measure_options *options = invocation->options;
    const char *directory = invocation->arguments[0], *skeleton = invocation->arguments[1];
    struct rc_error error = {0};
    struct rc_trials trials;
    double original, off;
    char *program;
    int status;

    if (rc_cmd_skeleton_original(directory, &original, &error))
        return rc_cmd_fail(&error, "reading the trace");
    if (access(directory, W_OK) != 0) {
        rc_error_errno(&error, errno, "cannot write to %s", directory);
        return rc_cmd_fail(&error, "storing the ratio");
    }
    if (rc_cmd_skeleton_run(invocation, options->repeat, &trials, &error) ||
        rc_cmd_skeleton_check(directory, &trials, original, &error))
        return rc_cmd_fail(&error, "running the skeleton");
    off = rc_skeleton_trials_off(&trials, original);
    if (off > 0)
        rc_cmd_note("the ratio of the program to %s differs from the intended one by a factor of "
                    "%.3g; measure on the hosts of the traced run while they are idle",
                    trials.skeleton, off);
    show_measured(&trials, original, options->json);
    program = access(skeleton, X_OK) == 0 ? realpath(skeleton, NULL) : NULL;
    status = rc_skeleton_measured_write(directory, &trials, original, program, &error);
    free(program);
    return status ? rc_cmd_fail(&error, "storing the ratio") : RC_EXIT_OK;
}

const struct rc_command rc_command_skeleton_measure = {
    .name = "measure",
    .summary = "Measure the ratio of the run times of a program and its skeleton",
    .arguments = "DIR SKELETON -- COMMAND [ARGUMENT...]",
    .details = "Run this once, on the hosts of the traced run, while they are idle. The ratio is "
               "stored in DIR for 'runcast skeleton predict'.",
    .examples = "  runcast skeleton measure heat.trace skel -- mpirun -np 4 ./skel\n",
    .least_arguments = 3,
    .most_arguments = -1,
    .command_at = 3,
    .options = measure_options,
    .options_size = sizeof(struct measure_options),
    .defaults = &measure_defaults,
    .answers = {rc_answer_skeleton_measured},
    .run = run_measure,
};
