// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton.c - 'runcast skeleton': short programs that behave like long ones; what its verbs
 * share. */
#include "cmd/skeleton/skeleton.h"

#include <math.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "model/skeleton/shrink/shrink.h"

struct rc_program *rc_cmd_skeleton_program(const char *directory, struct rc_error *error)
{
    struct rc_program *program = rc_skeleton_program_read(directory, error);

    if (!program && !error->hint[0])
        rc_error_hint(error,
                      "'runcast trace check %s' tells what is there; record the program "
                      "again where it is not whole",
                      directory);
    return program;
}

int rc_cmd_skeleton_read(const struct rc_invocation *invocation, const char *directory,
                         const struct rc_cmd_skeleton_length *length,
                         struct rc_cmd_skeleton *skeleton)
{
    struct rc_error error = {0};

    *skeleton = (struct rc_cmd_skeleton){.ratio = 1};
    if (!isnan(length->ratio) && !isnan(length->seconds))
        return rc_cmd_usage_text(invocation, "--seconds and --ratio say the same: give one");
    if ((!isnan(length->ratio) && !(length->ratio >= 1)) ||
        (!isnan(length->seconds) && !(length->seconds > 0)))
        return rc_cmd_usage_text(invocation, "a skeleton is not longer than the program, and takes "
                                             "some time: --ratio is at least 1, --seconds above 0");
    skeleton->program = rc_cmd_skeleton_program(directory, &error);
    if (!skeleton->program)
        return rc_cmd_fail(&error, "reading the recording");
    if (!isnan(length->ratio))
        skeleton->ratio = length->ratio;
    else if (!isnan(length->seconds))
        skeleton->ratio = fmax(1, skeleton->program->seconds / length->seconds);
    if (rc_skeleton_loop_tree_find(skeleton->program, skeleton->ratio / 2, &skeleton->tree,
                                   &error)) {
        rc_skeleton_program_destroy(skeleton->program);
        return rc_cmd_fail(&error, "looking for loops");
    }
    if (!isnan(length->seconds))
        skeleton->ratio = rc_skeleton_shrink_even(&skeleton->tree, skeleton->ratio);
    return RC_EXIT_OK;
}

void rc_cmd_skeleton_free(struct rc_cmd_skeleton *skeleton)
{
    rc_skeleton_loop_tree_free(&skeleton->tree);
    rc_skeleton_program_destroy(skeleton->program);
}

static const struct rc_command *const verbs[] = {&rc_command_skeleton_show,
                                                 &rc_command_skeleton_build,
                                                 &rc_command_skeleton_measure,
                                                 &rc_command_skeleton_predict, NULL};

const struct rc_command rc_command_skeleton = {
    .name = "skeleton",
    .summary = "Make a short program that behaves like a recorded one",
    .details =
        "A skeleton is a program made from a recording ('runcast trace'): it makes the same "
        "calls in the same loops, with the same computing in between, but fewer of them. Run "
        "where and when the program is to run, it shows in seconds how long that will take.",
    .children = verbs,
};
