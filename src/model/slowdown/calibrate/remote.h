// SPDX-License-Identifier: GPL-3.0-or-later
/* remote.h - a host that measures (bench_agent.c), reached by the user's launcher.
 *
 * The process on the host ends when its standard input ends, however this process ends. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_REMOTE_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_REMOTE_H

#include <jansson.h>

#include "base/buffer.h"
#include "host/watch/sensor_process.h"
#include "model/slowdown/calibrate/bench_protocol.h"

/* How a program is started on a host. */
struct rc_remote_launch {
    const char *launcher; /* words separated by blanks, no shell: LAUNCHER HOST PROGRAM ARGUMENTS;
                             NULL: PROGRAM is started on this machine */
    const char *program;  /* path of runcast on the host */
    const char *arguments[3]; /* that start bench_agent.c */
    double patience;          /* seconds without an answer; 0: RC_REMOTE_PATIENCE */
};
#define RC_REMOTE_PATIENCE 60.0 /* much more than RC_BENCH_SIGN */

struct rc_remote {
    char host[RC_PEER_HOST_SIZE];
    char launcher[256], program[256]; /* for hints; launcher "": none */
    double patience;
    int cores; /* of the host */
    struct rc_watch_child child;
    struct rc_buffer lines;    /* not read yet */
    char line[256], last[256]; /* of its standard error: the current one, and the last whole one
                                  that is not a hint */
    size_t line_length;
};

/* Starts it, and waits for its greeting.  Errors name the host.  Close in any case. */
int rc_slowdown_remote_open(struct rc_remote *remote, const struct rc_remote_launch *launch,
                            const char *host, const struct rc_monitor *monitor,
                            struct rc_error *error);
void rc_slowdown_remote_close(struct rc_remote *remote);

/* Sends a request, and waits for the answer (the monitor gets the progress).  NULL with an error
 * if the host fails, or does not answer for `patience` seconds.  To be dropped with
 * json_decref(). */
json_t *rc_slowdown_remote_ask(struct rc_remote *remote, const struct rc_bench_order *order,
                               const struct rc_monitor *monitor, struct rc_error *error);
/* Waits for the next answer. */
json_t *rc_slowdown_remote_wait(struct rc_remote *remote, const struct rc_monitor *monitor,
                                struct rc_error *error);
/* Sets the error for an invalid answer of the host; returns -1. */
int rc_slowdown_remote_bad_answer(const char *host, struct rc_error *error);

#endif
