// SPDX-License-Identifier: GPL-3.0-or-later
/* run.h - runs a command as if it were started alone, and measures it.
 *
 * Guarantees for the command:
 * 1. It has this process's standard input, output and error, further descriptors, environment,
 *    limits, signal dispositions and mask, as they were before rc_run_runner_begin(); it is in this
 *    process group, so that the terminal, the shell and pipelines treat it as they would without
 *    the recorder.
 * 2. A signal that comes to the group reaches it from there; one that comes to the recorder alone
 *    is passed on.  The recorder stops and goes on when it does.
 * 3. The end of the recorder, by whatever cause, is not its end.
 * 4. Processes that it leaves behind keep their usual parent: the recorder is no subreaper. */
#ifndef RC_RUN_RUN_H
#define RC_RUN_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "run/sensors.h"
#include "run/signal_witness.h"
#include "runcast.h"

/* How it ended. */
struct rc_outcome {
    int status;                       /* as of waitpid() */
    double start;                     /* when, seconds since 1970 */
    double seconds;                   /* by the monotonic clock */
    double memory;                    /* bytes: the peak of its largest process on this machine */
    double bytes_read, bytes_written; /* from and to storage, over all of its processes on this
                                         machine that were waited for */
    bool asked_to_end; /* by SIGINT, SIGQUIT, SIGTERM, SIGHUP or SIGXCPU that it did not ignore */
    bool stopped;      /* it did not run all the time: Ctrl-Z, SIGSTOP */
};

/* The status of the run: failed if it was stopped, which invalidates its run time; interrupted if
 * it was asked to end, or was ended by a signal that asks for that; otherwise ok for exit status 0,
 * else failed. */
enum rc_run_status rc_run_outcome_status(const struct rc_outcome *outcome);

struct rc_runner {
    sigset_t before;     /* the mask */
    bool reap_ignored;   /* SIGCHLD was ignored */
    struct rlimit files; /* descriptors that a process may have */
    int signals;         /* a descriptor from which signals are read */
    struct rc_witness witness;
};

/* From here to rc_run_runner_end() the signals that concern a program are read from a descriptor,
 * and this process may have descriptors for many sensors, each of which takes three. */
int rc_run_runner_begin(struct rc_runner *runner, struct rc_error *error);
void rc_run_runner_end(struct rc_runner *runner);

/* Steps the sensors until all hosts have sent something, `seconds` at most.  Returns the number of
 * a signal that asks to end, if one came. */
int rc_run_runner_await(struct rc_runner *runner, const struct rc_sensors *sensors, double seconds);

/* The number of a signal that asks to end and has come by now; 0: none.  Stops, and goes on when it
 * is continued, where one has come that asks for that (Ctrl-Z). */
int rc_run_runner_interrupted(struct rc_runner *runner);

/* Runs argv to its end; `sensors` (kind NULL: none) step meanwhile.  -1, with the error set and
 * what a shell would exit with (126 or 127) in `*not_started`, where it could not be started. */
int rc_run_runner_run(struct rc_runner *runner, char *const *argv, const struct rc_sensors *sensors,
                      struct rc_outcome *outcome, int *not_started, struct rc_error *error);

#endif
