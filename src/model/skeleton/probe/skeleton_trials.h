// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton_trials.h - what runs of a skeleton say of the program that it stands for. */
#ifndef RC_MODEL_SKELETON_PROBE_SKELETON_TRIALS_H
#define RC_MODEL_SKELETON_PROBE_SKELETON_TRIALS_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"
#include "stats/value/value.h"

enum { RC_TRIALS_MAX = 1000, RC_TRIALS_NAME = 256 };

struct rc_trials {
    double seconds[RC_TRIALS_MAX];
    size_t n;
    char skeleton[RC_TRIALS_NAME]; /* as it calls itself */
    double ratio;                  /* by which it was meant to be shorter */
    double original;               /* seconds of the program that it was made of; 0: not said */
    double shortest;               /* seconds of the shortest good one; 0: not said, or not known */
    double communicating;          /* part of the time in MPI calls, on average */
    bool simulated;                /* the seconds are those of a simulated cluster */
    /* What the commands took besides: start-up and end, outside of MPI_Init to MPI_Finalize.  Of
     * the trials that were run here and not simulated. */
    double startup_sum;
    size_t n_startup;
};

/* Adds what a skeleton printed: its lines of JSON; others are passed over.  -1 where one belongs to
 * another skeleton than those before, or there are too many. */
int rc_skeleton_trials_add(struct rc_trials *trials, const char *text, size_t length,
                           struct rc_error *error);

/* The mean time that the commands took besides their seconds; 0 where it is not known. */
double rc_skeleton_trials_startup(const struct rc_trials *trials);

/* The mean of the seconds; NAN where there are no trials. */
double rc_skeleton_trials_mean(const struct rc_trials *trials);
/* The standard deviation of one trial, relative to the mean; NAN for fewer than two. */
double rc_skeleton_trials_spread(const struct rc_trials *trials);

/* How much longer than the skeleton the program takes, as measured where both ran alike: the
 * "measured scaling ratio" of section 5.3 of the paper. */
struct rc_measured {
    double ratio;
    double spread; /* of one trial, relative; NAN: not known */
    size_t trials;
};

/* Kept beside the trace, in DIR/skeleton-NAME.json.  `original` are the program's seconds, by
 * the trace; `program` is where the skeleton's program is (NULL: not known), so that it can be
 * run again.  The reader returns 1 where there is none, and 2 where it is of another trace,
 * or of another skeleton of this name. */
int rc_skeleton_measured_write(const char *directory, const struct rc_trials *trials,
                               double original, const char *program, struct rc_error *error);
int rc_skeleton_measured_read(const char *directory, const struct rc_trials *trials,
                              double original, struct rc_measured *measured,
                              struct rc_error *error);

/* The program of the skeleton of this trace that was measured last, of those that are still
 * there, and one that is too short only where there is no other: 1, and its path in `program`; 0
 * where there is none. */
enum { RC_MEASURED_PATH = 4096 };
int rc_skeleton_measured_program(const char *directory, char program[RC_MEASURED_PATH]);

/* Whether a skeleton may be of the trace of a program that took so many seconds. */
bool rc_skeleton_trials_of(const struct rc_trials *trials, double original);

/* How many times as long the program took as was meant, as compared with its skeleton, where that
 * is much more or less; else 0.  A skeleton that does its part of the program takes its part of the
 * time. */
double rc_skeleton_trials_off(const struct rc_trials *trials, double original);

/* Whether it is shorter than a good one. */
bool rc_skeleton_trials_short(const struct rc_trials *trials);

/* How far the answers of skeletons are from what then happens, relative and typically: what the
 * paper finds (section 5.4).  Our own are in docs/evaluation/skeleton.md: 0.021 on average for good
 * ones and 0.065 for those that are too short, so that it grows as these have fewer iterations. */
#define RC_TRIALS_ERROR 0.05
#define RC_TRIALS_ERROR_MOST 1

/* The program's run time, of the whole command: the mean of the trials times the ratio, as evenly
 * spaced draws of a log-normal distribution, and their start-up.  Its spread has three sources:
 * that of the trials (where there is one trial alone, that of the measurement), that of the
 * measured ratio, and RC_TRIALS_ERROR, which is as many times as large as a good skeleton is longer
 * than one that is too short.  NULL where memory runs out. */
struct rc_value *rc_skeleton_trials_predict(const struct rc_trials *trials,
                                            const struct rc_measured *measured,
                                            struct rc_error *error);

/* Runs a command, words up to a NULL, so often, and adds what it says to `trials`.  It is to run
 * the skeleton that calls itself `name`.  -1, with its last words where it failed. */
int rc_skeleton_probe_run(char *const *command, size_t times, const char *name,
                          const struct rc_monitor *monitor, struct rc_trials *trials,
                          struct rc_error *error);

#endif
