// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton.h - the verbs of 'runcast skeleton'. */
#ifndef RC_CMD_SKELETON_SKELETON_H
#define RC_CMD_SKELETON_SKELETON_H

#include "answer/skeleton_fields.h"
#include "cmd/core/command.h"
#include "model/skeleton/shrink/loop_tree.h"
#include "model/skeleton/probe/skeleton_trials.h"

extern const struct rc_command rc_command_skeleton_show;
extern const struct rc_command rc_command_skeleton_build;
extern const struct rc_command rc_command_skeleton_measure;
extern const struct rc_command rc_command_skeleton_predict;

/* How much shorter: --ratio, or such that it takes --target-time; and which calls are alike. */
struct rc_cmd_skeleton_length {
    double ratio, seconds; /* NAN: not given */
    double threshold;      /* --similarity-threshold; NAN: as high as the ratio requires */
};
#define RC_CMD_SKELETON_LENGTH                                                                     \
    {                                                                                              \
        NAN, NAN, NAN                                                                              \
    }
#define RC_OPTIONS_LENGTH(type)                                                                    \
    {RC_OPTION_OF(type, QUANTITY, length.seconds), .name = "target-time", .argument = "TIME",      \
     .dimension = RC_SECONDS,                                                                      \
     .help = "run time of the skeleton where the program was traced (up to an eighth more or "     \
             "less, for whole iterations)"},                                                       \
        {RC_OPTION_OF(type, QUANTITY, length.ratio), .name = "ratio", .argument = "K",             \
         .dimension = RC_COUNT, .help = "ratio of the program's run time to the skeleton's"},      \
    {                                                                                              \
        RC_OPTION_OF(type, QUANTITY, length.threshold),                                            \
            .name = "similarity-threshold", .argument = "SHARE", .dimension = RC_FRACTION,         \
            .help = "difference of sizes up to which calls are considered equal, as a share of "   \
                    "the larger size (default: as much as the ratio requires, at most 0.2)"        \
    }

/* Of sizes that are compared by transfer time. */
#define RC_CMD_SKELETON_BY_TIME ", with 8 KiB added for the latency,"

/* A program and its loop tree. */
struct rc_cmd_skeleton {
    struct rc_program *program;
    struct rc_loop_tree tree;
    double ratio; /* intended; 1 if none was given */
};

/* Reads the trace and finds its loop tree.  If that fails, prints an error and returns an exit
 * status other than RC_EXIT_OK; then there is nothing to free. */
int rc_cmd_skeleton_read(const struct rc_invocation *invocation, const char *directory,
                         const struct rc_cmd_skeleton_length *length,
                         struct rc_cmd_skeleton *skeleton);
void rc_cmd_skeleton_free(struct rc_cmd_skeleton *skeleton);

/* Reads the program in a trace; NULL, with a hint, if that fails. */
struct rc_program *rc_cmd_skeleton_program(const char *directory, struct rc_error *error);

/* ---- trials of a skeleton; in trials.c ---- */

/* Runs the skeleton of the invocation `repeat` times, by its command. */
int rc_cmd_skeleton_run(const struct rc_invocation *invocation, int64_t repeat,
                        struct rc_trials *trials, struct rc_error *error);

/* Reads the run time of the traced program. */
int rc_cmd_skeleton_original(const char *directory, double *seconds, struct rc_error *error);

/* Checks a skeleton that was run: a skeleton of another trace is an error, and one that is too short
 * gets a note. */
int rc_cmd_skeleton_check(const char *directory, const struct rc_trials *trials, double original,
                          struct rc_error *error);

/* Prints an answer as JSON, with the notes. */
void rc_cmd_skeleton_print(const struct rc_field *fields, struct rc_answer_skeleton_trials *answer);

/* The measured ratio or, with a note, the intended one.  A skeleton that is too short gets a note.
 * -1 if it was made from another trace than that in `directory`, of a program that took `original`
 * seconds. */
int rc_cmd_skeleton_ratio(const char *directory, const struct rc_trials *trials, double original,
                          struct rc_measured *measured, struct rc_error *error);

#endif
