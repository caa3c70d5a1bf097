// SPDX-License-Identifier: GPL-3.0-or-later
/* remote.h - a host that carries out measurements (bench_agent.c), behind the user's launcher.
 *
 * The far end ends by itself when its standard input ends, so that nothing stays behind there
 * however this process ends. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_REMOTE_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_REMOTE_H

#include <jansson.h>

#include "base/buffer.h"
#include "host/watch/sensor_process.h"
#include "model/slowdown/calibrate/bench_protocol.h"

/* How a program is started on a host. */
struct rc_remote_launch {
    const char *launcher;     /* words between blanks, no shell: LAUNCHER HOST PROGRAM ARGUMENTS;
                             NULL: PROGRAM is started on this machine, whatever the host's name */
    const char *program;      /* runcast's name over there */
    const char *arguments[3]; /* that have it serve measurements (bench_agent.c) */
    double patience;          /* seconds without a word from it; 0: RC_REMOTE_PATIENCE */
};
#define RC_REMOTE_PATIENCE 60.0 /* much more than RC_BENCH_SIGN */

struct rc_remote {
    char host[RC_PEER_HOST_SIZE];
    char launcher[256], program[256]; /* for hints; launcher "": none */
    double patience;
    int cores; /* as it said */
    struct rc_watch_child child;
    struct rc_buffer lines;    /* that came and were not read yet */
    char line[256], last[256]; /* of its standard error: the one that comes, and the last whole one
                                  that was no hint */
    size_t line_length;
};

/* Starts it, and waits for its first words.  Errors name the host.  Close in any case. */
int rc_slowdown_remote_open(struct rc_remote *remote, const struct rc_remote_launch *launch,
                            const char *host, const struct rc_monitor *monitor,
                            struct rc_error *error);
void rc_slowdown_remote_close(struct rc_remote *remote);

/* Gives an order, and waits for the answer (progress goes to the monitor); NULL, with the error
 * set, where there is none, it says what went wrong, or nothing is heard of it for as long as
 * patience lasts.  To be dropped with json_decref(). */
json_t *rc_slowdown_remote_ask(struct rc_remote *remote, const struct rc_bench_order *order,
                               const struct rc_monitor *monitor, struct rc_error *error);
/* Waits for the next answer. */
json_t *rc_slowdown_remote_wait(struct rc_remote *remote, const struct rc_monitor *monitor,
                                struct rc_error *error);
/* For an answer of that host that makes no sense; returns -1. */
int rc_slowdown_remote_bad_answer(const char *host, struct rc_error *error);

#endif
