// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton.c - 'runcast skeleton': performance skeletons; what its verbs share. */
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
                      "'runcast trace check %s' shows what is missing; trace the program again "
                      "if the trace is not complete",
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
        return rc_cmd_usage_text(invocation,
                                 "--target-time and --ratio are alternatives; use one of them");
    if ((!isnan(length->ratio) && !(length->ratio >= 1)) ||
        (!isnan(length->seconds) && !(length->seconds > 0)))
        return rc_cmd_usage_text(invocation,
                                 "--ratio must be at least 1, and --target-time above 0");
    if (!isnan(length->threshold) && !(length->threshold >= 0 && length->threshold < 1))
        return rc_cmd_usage_text(invocation,
                                 "--similarity-threshold must be at least 0 and below 1");
    skeleton->program = rc_cmd_skeleton_program(directory, &error);
    if (!skeleton->program)
        return rc_cmd_fail(&error, "reading the trace");
    if (!isnan(length->ratio))
        skeleton->ratio = length->ratio;
    else if (!isnan(length->seconds))
        skeleton->ratio = fmax(1, skeleton->program->seconds / length->seconds);
    if (isnan(length->threshold)
            ? rc_skeleton_loop_tree_find(skeleton->program, skeleton->ratio / 2, &skeleton->tree,
                                         &error)
            : rc_skeleton_loop_tree_find_at(skeleton->program, length->threshold, &skeleton->tree,
                                            &error)) {
        rc_skeleton_program_destroy(skeleton->program);
        return rc_cmd_fail(&error, "finding loops");
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
    .summary = "Make and run performance skeletons",
    .details =
        "A performance skeleton is a short program that is generated from a trace. It makes the "
        "same MPI calls in the same loops with the same computing between them, in fewer "
        "iterations. Its run time, here and now, predicts that of the program.\n\n"
        "'runcast predict --probe' runs a skeleton and combines its answer with those of other "
        "methods. 'runcast skeleton predict' needs no database.",
    .children = verbs,
};
