// SPDX-License-Identifier: BSD-2-Clause
/* process.h - runs a program or a function in a child process and collects its output.
 *
 * For short questions to other programs ("--version"), and for trials that must not affect this
 * process. No shell is involved. The child has
 *  - no terminal and no input: it cannot ask the user anything;
 *  - no descriptors but its output, default signal handlers, and no blocked signals;
 *  - its own session and process group, which is killed when the time is up, when the caller gives
 *    up, and when the program has ended: nothing in its group is left;
 *  - an end when the thread that started it ends. Processes that it started itself are reached only
 *    if these functions started them, too.
 * It is always waited for: no zombie stays. SIGCHLD must not be ignored, nor may another thread
 * wait for any child: that hides how it ended (RC_PROCESS_FAILED). A program that this user may not
 * kill (one that is set-user-ID) is waited for beyond its time. */
#ifndef RC_BASE_PROCESS_H
#define RC_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "runcast.h"

/* The default time limit. */
#define RC_PROCESS_SECONDS 5.0

enum rc_process_end {
    RC_PROCESS_EXITED,    /* the program ended; `status` is its exit status */
    RC_PROCESS_SIGNALLED, /* by a signal that was not ours; `status` is its number */
    RC_PROCESS_TIMED_OUT, /* killed, because the monitor cancelled it */
    RC_PROCESS_CANCELLED, /* it was killed, because the monitor said so */
    RC_PROCESS_NOT_FOUND, /* there is no such program: it is not installed */
    RC_PROCESS_FAILED     /* it could not be started, or its end was not seen */
};

/* All zero are the defaults; so is NULL in place of the whole. */
struct rc_process_options {
    double seconds;                   /* time limit; 0: RC_PROCESS_SECONDS; INFINITY: none */
    double grace;                     /* seconds between SIGTERM and SIGKILL; 0: SIGKILL at once */
    const char *const *environment;   /* "NAME=value" up to a NULL; NULL: that of this process */
    const struct rc_monitor *monitor; /* only `cancelled` is called; or NULL */
};

struct rc_process_result {
    enum rc_process_end end;
    int status;     /* exit status or signal, depending on `end`; otherwise 0 */
    bool truncated; /* more was written than the buffer may hold; the rest was dropped */
};

/* Runs the program argv[0], searched in $PATH if the name has no '/', with the arguments up to a
 * NULL. Standard output and standard error are appended to `output` up to its maximum; NULL drops
 * them. They may have NUL bytes.
 *
 * 0 if the program ended (EXITED with any status, or SIGNALLED), otherwise -1 with the error set.
 * `*result` is filled in in both cases, and `output` has what was written. */
int rc_process_run(const char *const *argv, const struct rc_process_options *options,
                   struct rc_buffer *output, struct rc_process_result *result,
                   struct rc_error *error);

/* The same with a function: its result, 0 to 255, is the exit status. The child is a fork of this
 * process, so there must be no other thread. It inherits all descriptors. It must write with
 * write() or dprintf(): buffered stdio output belongs to this process and is never written. */
int rc_process_call(int (*body)(void *data), void *data, const struct rc_process_options *options,
                    struct rc_buffer *output, struct rc_process_result *result,
                    struct rc_error *error);

/* A pipe for a child: closed by an exec, with numbers other than 0 to 2, which the child uses. -1
 * with errno set on failure. */
int rc_process_pipe(int ends[2]);

/* Forks. The child gets `death_signal` when the thread that started it ends. It begins with all
 * signals blocked: an early one would run a handler of the parent. Otherwise as fork(): 0 in the
 * child, and -1 with errno on failure. */
pid_t rc_process_fork(int death_signal);
/* For a child that leaves the signals of a terminal to its parent: ignores SIGINT, SIGTERM, SIGHUP
 * and SIGPIPE, and blocks none. */
void rc_process_ignore_signals(void);
/* Closes all descriptors but `a` and `b` (-1: none); /dev/null takes the place of 0 to 2. */
void rc_process_close_others(int a, int b);
/* As execv(), which changes no word of `argv`. */
int rc_process_exec(const char *path, const char *const *argv);

/* For a child between fork() and exec: default handlers for all signals, and none blocked; and all
 * descriptors from 3 on closed by the exec.  Safe there. */
void rc_process_reset_signals(void);
void rc_process_close_on_exec(void);

/* Finds the program that `name` would start, as `command -v` does: the name itself if it has a '/',
 * otherwise the first executable of that name in $PATH. -1, and "" in `path`, if there is none or
 * it does not fit. */
int rc_process_find(const char *name, char *path, size_t size);
/* The same, also in the directories of administrators, which are not in every $PATH. */
int rc_process_find_tool(const char *name, char *path, size_t size);

#endif
