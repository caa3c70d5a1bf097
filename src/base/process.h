// SPDX-License-Identifier: BSD-2-Clause
/* process.h - run a program, or a function, in a process of its own and keep what it wrote.
 *
 * For short questions to other programs ("--version"), and for trying out what must not touch this
 * process.  No shell is between.  What runs has
 *  - no terminal and nothing to read: it cannot ask the user anything;
 *  - no descriptor of ours but its output, default signal handlers and no signal blocked;
 *  - a session and process group of its own, which is killed when the time is up, when the caller
 *    gives up, and also once the program itself has ended: what it left running in its group goes;
 *  - an end when the thread that started it ends, however that comes; what it has started itself
 *    is then only reached if it was started by these functions too.
 * It is always waited for: no zombie stays.  SIGCHLD must not be ignored, nor may another thread
 * wait for any child: that hides how it ended (RC_PROCESS_FAILED).  A program that this user may
 * not kill (one that is set-user-ID) is waited for beyond its time. */
#ifndef RC_BASE_PROCESS_H
#define RC_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "runcast.h"

/* The time limit where the caller gives none. */
#define RC_PROCESS_SECONDS 5.0

enum rc_process_end {
    RC_PROCESS_EXITED,    /* by itself; `status` is the exit status */
    RC_PROCESS_SIGNALLED, /* by a signal that was not ours; `status` is its number */
    RC_PROCESS_TIMED_OUT, /* it was killed, because its time was up */
    RC_PROCESS_CANCELLED, /* it was killed, because the monitor said so */
    RC_PROCESS_NOT_FOUND, /* there is no such program: it is not installed */
    RC_PROCESS_FAILED     /* it could not be started, or its end was not seen */
};

/* All zero are the defaults; so is NULL in place of the whole. */
struct rc_process_options {
    double seconds;                   /* time limit; 0: RC_PROCESS_SECONDS; INFINITY: none */
    double grace;                     /* seconds between SIGTERM and SIGKILL; 0: SIGKILL at once */
    const char *const *environment;   /* "NAME=value" up to a NULL; NULL: that of this process */
    const struct rc_monitor *monitor; /* only asked whether the work is cancelled; or NULL */
};

struct rc_process_result {
    enum rc_process_end end;
    int status;     /* exit status or signal, as `end` says; otherwise 0 */
    bool truncated; /* more was written than the buffer may hold; the rest was dropped */
};

/* Runs the program argv[0], looked for in $PATH where the name has no '/', with the arguments up
 * to a NULL.  Standard output and standard error are appended to `output`, as they come, up to its
 * maximum; NULL drops them.  NUL bytes may be among them.
 *
 * 0 when the program ended by itself (EXITED, whatever the status, or SIGNALLED), otherwise -1 with
 * the error set.  `*result` is filled in either way, and `output` keeps what was written. */
int rc_process_run(const char *const *argv, const struct rc_process_options *options,
                   struct rc_buffer *output, struct rc_process_result *result,
                   struct rc_error *error);

/* The same with a function: its result, 0 to 255, is the exit status.  The child is a fork of this
 * process, so there must be no other thread; it keeps our descriptors; it must write with write()
 * or dprintf(), because what stdio holds back is this process's own and is never written. */
int rc_process_call(int (*body)(void *data), void *data, const struct rc_process_options *options,
                    struct rc_buffer *output, struct rc_process_result *result,
                    struct rc_error *error);

/* A pipe for a child: closed by an exec, and clear of the numbers 0 to 2, which the child's own
 * ends will take.  -1 with errno set where there is none to be had. */
int rc_process_pipe(int ends[2]);

/* Forks.  The child gets `death_signal` when the thread that started it ends, however that comes,
 * and begins with all signals blocked: one that came before it has its own handlers would run ours
 * there. As fork() otherwise: 0 in the child, and -1 with errno on failure. */
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

/* Finds the program that `name` would start, as `command -v` does: the name itself where it has a
 * '/', otherwise the first of that name in $PATH that may be executed.  -1, and "" in `path`, where
 * there is none or it does not fit. */
int rc_process_find(const char *name, char *path, size_t size);
/* The same, and where the administrator's programs are, which are not in everybody's $PATH. */
int rc_process_find_tool(const char *name, char *path, size_t size);

#endif
