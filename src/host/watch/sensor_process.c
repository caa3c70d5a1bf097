// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_process.c - a launcher as a child process, with pipes to the sensor behind it.
 *
 * Invariant: the group is only signalled while its leader has not been waited for; until then
 * its number cannot belong to another process. */
#include "host/watch/sensor_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"

enum { PATH_SIZE = 4096, NOT_STARTED = 127 };

/* ---- the child's side: only what is safe between fork() and exec ---- */

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* standard error is closed */
}

_Noreturn static void be_launcher(const char *path, const char *const *argv, const int ends[3])
{
    setsid();
    for (int i = 0; i < 3; i++)
        dup2(ends[i], i);
    rc_process_reset_signals();
    rc_process_close_on_exec();
    rc_process_exec(path, argv);
    say(path);
    say(": ");
    say(strerrordesc_np(errno));
    say("\n");
    _exit(NOT_STARTED);
}

/* ---- starting ---- */

static int make_pipes(int pipes[3][2])
{
    for (int i = 0; i < 3; i++) {
        if (rc_process_pipe(pipes[i]) == 0)
            continue;
        while (i-- > 0) {
            close(pipes[i][0]);
            close(pipes[i][1]);
        }
        return -1;
    }
    return 0;
}

int rc_watch_child_start(struct rc_watch_child *child, const char *const *argv,
                         struct rc_error *error)
{
    int pipes[3][2], number;
    char path[PATH_SIZE];

    *child = (struct rc_watch_child)RC_WATCH_CHILD_NONE;
    if (rc_process_find(argv[0], path, sizeof path))
        return rc_error_set(error, "no program '%s'", argv[0]);
    if (make_pipes(pipes))
        return rc_error_errno(error, errno, "cannot make a pipe");
    const int theirs[3] = {pipes[0][0], pipes[1][1], pipes[2][1]};
    const int ours[3] = {pipes[0][1], pipes[1][0], pipes[2][0]};

    child->pid = rc_process_fork(SIGTERM);
    if (child->pid == 0)
        be_launcher(path, argv, theirs);
    number = errno;
    for (int i = 0; i < 3; i++) {
        close(theirs[i]);
        fcntl(ours[i], F_SETFL, O_NONBLOCK);
    }
    child->input = ours[0];
    child->output = ours[1];
    child->errors = ours[2];
    if (child->pid > 0)
        return 0;
    child->pid = 0;
    rc_watch_child_close(child);
    return rc_error_errno(error, number, "cannot start a process");
}

/* ---- talking ---- */

int rc_watch_child_send(const struct rc_watch_child *child, const char *text, size_t length)
{
    const struct timespec at_once = {0};
    sigset_t broken, pending, before;
    bool was_pending;
    ssize_t written;

    if (child->input < 0)
        return -1;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE);
    do
        written = write(child->input, text, length); /* up to PIPE_BUF: all or nothing */
    while (written < 0 && errno == EINTR);
    if (written < 0 && errno == EPIPE && !was_pending)
        sigtimedwait(&broken, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return written == (ssize_t)length ? 0 : -1;
}

/* ---- ending ---- */

bool rc_watch_child_ended(const struct rc_watch_child *child, int *status)
{
    siginfo_t info = {0};

    *status = 0;
    if (child->pid == 0)
        return true;
    if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT))
        return errno != EINTR; /* waited for elsewhere */
    if (info.si_pid == 0)
        return false;
    *status =
        info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : W_EXITCODE(0, info.si_status);
    return true;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void rc_watch_child_close_input(struct rc_watch_child *child)
{
    close_one(&child->input);
}

void rc_watch_child_close(struct rc_watch_child *child)
{
    close_one(&child->input);
    close_one(&child->output);
    close_one(&child->errors);
}

void rc_watch_child_kill(const struct rc_watch_child *child, int signal)
{
    /* Just after the fork it may not have made its group yet. */
    if (child->pid > 0 && kill(-child->pid, signal))
        kill(child->pid, signal);
}

void rc_watch_child_reap(struct rc_watch_child *child)
{
    rc_watch_child_close(child);
    if (child->pid <= 0)
        return;
    kill(-child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    child->pid = 0;
}

void rc_watch_child_abandon(struct rc_watch_child *child)
{
    rc_watch_child_close(child);
    child->pid = 0;
}

void rc_watch_child_describe(int status, char *text, size_t size)
{
    if (WIFSIGNALED(status))
        snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(status),
                 sigdescr_np(WTERMSIG(status)) ? sigdescr_np(WTERMSIG(status)) : "unknown");
    else
        snprintf(text, size, "ended with status %d", WEXITSTATUS(status));
}
