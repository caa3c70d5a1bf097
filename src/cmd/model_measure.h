// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure.h - making the runs of 'runcast model measure', one at a time. */
#ifndef RC_CMD_MODEL_MEASURE_H
#define RC_CMD_MODEL_MEASURE_H

#include "cmd/command.h"
#include "structure/measuring.h"

enum { RC_CMD_YARDSTICK_PATH = 4096 };

/* What the runs of 'runcast model measure' need. */
struct rc_cmd_measuring {
    struct rc_measuring *plan;
    const char *command, *bench; /* the user's, with places; command: NULL where there is none */
    int64_t repeats;
    bool timed; /* seconds are those of the command, not what the program tells */
    struct rc_monitor monitor;
    void (*made)(void *data); /* called after each run */
    void *data;
    bool same_host; /* it was said that two processes were on one host */
    char yardstick[RC_CMD_YARDSTICK_PATH]; /* for {program} */
};

/* Whether the commands have the places they need, and none that is not known; finds the yardstick
 * where {program} stands for it. */
int rc_cmd_measuring_check(struct rc_cmd_measuring *measuring, struct rc_error *error);

/* The command of a job as one line for a shell, to be freed; of a run of the program, it has been
 * prepared. */
char *rc_cmd_measuring_line(const struct rc_cmd_measuring *measuring, size_t job,
                            struct rc_error *error);

/* Makes the run, or the runs, of a job, and adds what follows to `measured`.  `section` is where
 * that holds in the model.  None of their processes is left, also where it fails. */
int rc_cmd_measuring_make(struct rc_cmd_measuring *measuring, size_t job, const char *section,
                          struct rc_benchmarks *measured, struct rc_error *error);

#endif
