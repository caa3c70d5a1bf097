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

/* How much shorter: by --ratio, or so that it takes --seconds. */
struct rc_cmd_skeleton_length {
    double ratio, seconds; /* NAN where not given */
};
#define RC_OPTIONS_LENGTH(type)                                                                    \
    {RC_OPTION_OF(type, QUANTITY, length.seconds),                                                 \
     .name = "seconds",                                                                            \
     .letter = 's',                                                                                \
     .argument = "S",                                                                              \
     .dimension = RC_SECONDS,                                                                      \
     .help = "how long the skeleton is to take where the program was recorded; up to an eighth "   \
             "more or less, so that whole iterations remain"},                                     \
    {                                                                                              \
        RC_OPTION_OF(type, QUANTITY, length.ratio),                                                \
            .name = "ratio", .letter = 'k', .argument = "K", .dimension = RC_COUNT,                \
            .help = "how many times shorter than the program it is"                                \
    }

/* Said of sizes that are compared so. */
#define RC_CMD_SKELETON_BY_TIME ", with 8 KiB for the latency,"

/* A program and its loop tree. */
struct rc_cmd_skeleton {
    struct rc_program *program;
    struct rc_loop_tree tree;
    double ratio; /* that is meant; 1 where none was given */
};

/* Reads the trace and finds its loop tree.  Says what is wrong, and returns an exit status other
 * than RC_EXIT_OK, where that fails; then there is nothing to free. */
int rc_cmd_skeleton_read(const struct rc_invocation *invocation, const char *directory,
                         const struct rc_cmd_skeleton_length *length,
                         struct rc_cmd_skeleton *skeleton);
void rc_cmd_skeleton_free(struct rc_cmd_skeleton *skeleton);

/* Reads the program in a trace; NULL, with a hint at what to do where it cannot be read. */
struct rc_program *rc_cmd_skeleton_program(const char *directory, struct rc_error *error);

/* ---- trials of a skeleton; in trials.c ---- */

/* Runs the skeleton that the invocation of a verb names, with its command, so often; the trials. */
int rc_cmd_skeleton_run(const struct rc_invocation *invocation, int64_t repeat,
                        struct rc_trials *trials, struct rc_error *error);

/* How long the program in a trace took. */
int rc_cmd_skeleton_original(const char *directory, double *seconds, struct rc_error *error);

/* Says what is not as it should be with a skeleton that was run: another trace's is an error,
 * one that is too short a note. */
int rc_cmd_skeleton_check(const char *directory, const struct rc_trials *trials, double original,
                          struct rc_error *error);

/* Prints an answer as JSON, with all notes. */
void rc_cmd_skeleton_print(const struct rc_field *fields,
                           const struct rc_answer_skeleton_trials *answer);

/* The measured ratio or, where there is none, the one that was meant, which is said; so is that the
 * skeleton is too short.  -1 where it was made of another trace than that in `directory`, of a
 * program that took `original` seconds. */
int rc_cmd_skeleton_ratio(const char *directory, const struct rc_trials *trials, double original,
                          struct rc_measured *measured, struct rc_error *error);

#endif
