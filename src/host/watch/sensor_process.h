// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_process.h - a launcher as a child process, with pipes to the sensor behind it.
 *
 * Unlike base/process.h, which runs a program to its end, this one exchanges messages with it.
 * The child has a separate session, so that it can be killed with all of its group and has no
 * terminal to ask anything on; no descriptor of ours but its three pipes; and gets SIGTERM when
 * the thread that started it ends. */
#ifndef RC_HOST_WATCH_SENSOR_PROCESS_H
#define RC_HOST_WATCH_SENSOR_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "runcast.h"

/* Descriptors are -1, and `pid` 0, where there is none.  Start from RC_WATCH_CHILD_NONE. */
struct rc_watch_child {
    pid_t pid;
    int input;  /* to write to it */
    int output; /* its standard output; does not block */
    int errors; /* its standard error; does not block */
};
#define RC_WATCH_CHILD_NONE                                                                        \
    {                                                                                              \
        .pid = 0, .input = -1, .output = -1, .errors = -1                                          \
    }

/* Starts the program argv[0], looked for in $PATH, with the arguments up to a NULL. */
int rc_watch_child_start(struct rc_watch_child *child, const char *const *argv,
                         struct rc_error *error);

/* Writes all of `text`, or nothing: -1 where the child does not read, or is gone.  Raises no
 * SIGPIPE. */
int rc_watch_child_send(const struct rc_watch_child *child, const char *text, size_t length);

/* Whether it has ended; `*status` is then as waitpid() gives it, and it is still to be buried. */
bool rc_watch_child_ended(const struct rc_watch_child *child, int *status);

/* Closes its input, or all of its pipes: a sensor that reads its input ends by that alone. */
void rc_watch_child_close_input(struct rc_watch_child *child);
void rc_watch_child_close(struct rc_watch_child *child);

/* Sends a signal to all of its group. */
void rc_watch_child_kill(const struct rc_watch_child *child, int signal);

/* Of one that has ended: kills what it left in its group, and waits for it. */
void rc_watch_child_reap(struct rc_watch_child *child);
/* Of one that does not end, since we may not kill it: closes its pipes, and knows it no more. */
void rc_watch_child_abandon(struct rc_watch_child *child);

/* How it ended, for people: "ended with status 255", "was killed by signal 9 (Killed)". */
void rc_watch_child_describe(int status, char *text, size_t size);

#endif
