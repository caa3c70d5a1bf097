// SPDX-License-Identifier: GPL-3.0-or-later
/* concurrent_programs.c - programs that run at once, none of which is left behind.
 *
 * While they run, this process is the one that takes in orphans: whatever they started, and
 * whatever that started, is below it and can be found and ended, however it may have moved away
 * (mpirun gives its processes groups of their own).  So there is nothing left when there is no
 * child left. */
#include "run/concurrent_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/last_line.h"
#include "base/progress_monitor.h"
#include "base/process.h"
#include "run/memory_footprint.h"

enum {
    OUT_KEPT = 1 << 20, /* bytes of the end of what a program writes */
    ERR_KEPT = 1 << 14,
    READ_SIZE = 1 << 14,
    TICK = 100,     /* milliseconds between two looks at the monitor */
    PAUSE = 10,     /* milliseconds between two looks whether all have gone */
    FILES_EACH = 3, /* descriptors of a program that runs */
    FILES_SPARE = 64
};
#define GRACE 5.0 /* seconds between SIGTERM and SIGKILL */

void rc_run_jobs_init(struct rc_run_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        jobs[i] = (struct rc_run_job){.out = RC_BUFFER_INIT(2 * (size_t)OUT_KEPT),
                                      .err = RC_BUFFER_INIT(2 * (size_t)ERR_KEPT),
                                      .pidfd = -1,
                                      .out_fd = -1,
                                      .err_fd = -1};
}

void rc_run_jobs_free(struct rc_run_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        rc_buffer_free(&jobs[i].out);
        rc_buffer_free(&jobs[i].err);
    }
}

/* ---- descriptors ---- */

/* As many as `n` programs take, where that is allowed; `before` is what programs get back. */
static void allow_descriptors(size_t n, struct rlimit *before)
{
    rlim_t wanted = (rlim_t)n * FILES_EACH + FILES_SPARE;
    struct rlimit more;

    if (getrlimit(RLIMIT_NOFILE, before))
        *before = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY}; /* setting that is refused */
    more = *before;
    if (more.rlim_cur >= wanted)
        return;
    more.rlim_cur = more.rlim_max < wanted ? more.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &more);
}

/* ---- starting ---- */

_Noreturn static void be_program(char *const *words, const char *path, pid_t parent, int out,
                                 int err, const struct rlimit *files)
{
    int nothing = open("/dev/null", O_RDONLY);

    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* a recorder passes it on */
    if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0) {
        rc_process_reset_signals();
        rc_process_close_on_exec();
        setrlimit(RLIMIT_NOFILE, files);
        execv(path, words);
        dprintf(STDERR_FILENO, "cannot start %s: %s\n", words[0], strerror(errno));
    }
    _exit(127);
}

static pid_t fork_program(char *const *words, const char *path, int out, int err,
                          const struct rlimit *files)
{
    sigset_t all, before;
    pid_t parent = getpid(), pid;

    sigfillset(&all); /* our handlers are not to run in the child */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0)
        be_program(words, path, parent, out, err, files);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static int start(struct rc_run_job *job, const struct rlimit *files, struct rc_error *error)
{
    int out[2], err[2];
    char path[4096];

    if (rc_process_find(job->words[0], path, sizeof path))
        return rc_error_set(error, "no program '%.200s'", job->words[0]);
    if (rc_process_pipe(out))
        return rc_error_errno(error, errno, "cannot make a pipe");
    if (rc_process_pipe(err)) {
        rc_error_errno(error, errno, "cannot make a pipe");
        close(out[0]);
        close(out[1]);
        return -1;
    }
    job->pid = fork_program(job->words, path, out[1], err[1], files);
    if (job->pid < 0)
        rc_error_errno(error, errno, "cannot start '%.200s'", job->words[0]);
    close(out[1]);
    close(err[1]);
    job->out_fd = out[0];
    job->err_fd = err[0];
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    if (job->pid < 0) {
        job->pid = 0;
        return -1;
    }
    job->pidfd = (int)syscall(SYS_pidfd_open, job->pid, 0);
    return 0;
}

/* ---- what they write ---- */

/* Adds to the end, and forgets the beginning of what is more than `kept`. */
static void keep_end(struct rc_buffer *buffer, const char *bytes, size_t length, size_t kept)
{
    if (buffer->length + length > 2 * kept) {
        memmove(buffer->data, buffer->data + buffer->length - kept, kept + 1);
        buffer->length = kept;
    }
    rc_buffer_add(buffer, bytes, length);
}

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void take(int *fd, struct rc_buffer *buffer, size_t kept)
{
    char bytes[READ_SIZE];
    ssize_t got;

    while (*fd >= 0) {
        got = read(*fd, bytes, sizeof bytes);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            shut(fd);
            return;
        }
        keep_end(buffer, bytes, (size_t)got, kept);
    }
}

static void take_output(struct rc_run_job *job)
{
    take(&job->out_fd, &job->out, OUT_KEPT);
    take(&job->err_fd, &job->err, ERR_KEPT);
}

static void close_all(struct rc_run_job *job)
{
    take_output(job);
    shut(&job->pidfd);
    shut(&job->out_fd);
    shut(&job->err_fd);
}

/* ---- ending ---- */

/* Collects ended children; false if there are no more. */
static bool reap(struct rc_run_job *jobs, size_t n)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (size_t i = 0; i < n; i++)
            if (jobs[i].pid == pid) {
                jobs[i].pid = 0;
                jobs[i].status = status;
                close_all(&jobs[i]);
            }
    return pid == 0 || errno == EINTR;
}

static void signal_one(void *data, pid_t pid)
{
    if (pid != getpid())
        kill(pid, *(const int *)data);
}

/* Sends a signal to all processes below this one. */
static void signal_below(int number)
{
    rc_run_footprint_each(getpid(), signal_one, &number, NULL);
}

/* Ends all that is below this process: first by asking. */
static void end_all(struct rc_run_job *jobs, size_t n)
{
    struct rc_clock *clock = rc_clock_system();
    double begun = clock->monotonic(clock);

    if (!reap(jobs, n))
        return;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].pid > 0)
            kill(-jobs[i].pid, SIGTERM);
    while (reap(jobs, n)) {
        bool asked = clock->monotonic(clock) - begun < GRACE, running = false;

        for (size_t i = 0; i < n; i++) {
            take_output(&jobs[i]);
            running |= jobs[i].pid > 0;
        }
        if (!asked)
            signal_below(SIGKILL);
        else if (!running) /* what their leaders left behind */
            signal_below(SIGTERM);
        poll(NULL, 0, PAUSE);
    }
}

/* ---- running ---- */

static void await(struct rc_run_job *jobs, size_t n, struct pollfd *events)
{
    for (size_t i = 0; i < n; i++) {
        events[3 * i] = (struct pollfd){jobs[i].out_fd, POLLIN, 0};
        events[3 * i + 1] = (struct pollfd){jobs[i].err_fd, POLLIN, 0};
        events[3 * i + 2] = (struct pollfd){jobs[i].pidfd, POLLIN, 0};
    }
    poll(events, 3 * n, TICK);
    for (size_t i = 0; i < n; i++)
        take_output(&jobs[i]);
}

/* ---- last words ---- */

/* The command, for who wants to try it. */
static int hint_command(const struct rc_run_job *job, struct rc_error *error)
{
    struct rc_buffer line = RC_BUFFER_INIT(180);

    for (size_t i = 0; job->words && job->words[i]; i++)
        if (rc_buffer_printf(&line, "%s%s", i ? " " : "", job->words[i])) {
            rc_buffer_add_text(&line, " ...");
            break;
        }
    if (line.length)
        rc_error_hint(error, "it printed nothing; the command was: %s", line.data);
    rc_buffer_free(&line);
    return -1;
}

int rc_run_jobs_last_words(const struct rc_run_job *job, struct rc_error *error)
{
    const struct rc_buffer *said[] = {&job->err, &job->out};
    struct rc_buffer words = RC_BUFFER_INIT(ERR_KEPT);

    for (size_t i = 0; i < 2 && words.length == 0; i++)
        if (said[i]->length)
            rc_last_line(said[i]->data, said[i]->length, &words);
    if (words.length)
        rc_error_hint(error, "its last output: %s", words.data);
    else
        hint_command(job, error);
    rc_buffer_free(&words);
    return -1;
}

/* ---- running on ---- */

/* 1: all that are to end have ended; 0: go on; -1: one failed. */
static int look(struct rc_run_job *jobs, size_t n, const struct rlimit *files,
                struct rc_error *error)
{
    bool running = false;

    for (size_t i = 0; i < n; i++) {
        if (jobs[i].pid > 0) {
            running |= !jobs[i].repeats;
            continue;
        }
        if (jobs[i].status == 0)
            continue;
        rc_error_set(error, "%s ended with %s %d",
                     jobs[i].repeats ? "a program that keeps cores busy" : "the program",
                     WIFSIGNALED(jobs[i].status) ? "signal" : "status",
                     WIFSIGNALED(jobs[i].status) ? WTERMSIG(jobs[i].status)
                                                 : WEXITSTATUS(jobs[i].status));
        return rc_run_jobs_last_words(&jobs[i], error);
    }
    for (size_t i = 0; i < n && running; i++)
        if (jobs[i].pid == 0 && jobs[i].repeats && start(&jobs[i], files, error))
            return -1;
    return !running;
}

int rc_run_jobs_run(struct rc_run_job *jobs, size_t n, const struct rc_monitor *monitor,
                    struct rc_error *error)
{
    struct pollfd *events = calloc(3 * n + 1, sizeof *events);
    int status = events ? 0 : rc_error_no_memory(error);
    struct rlimit files;

    allow_descriptors(n, &files);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    for (size_t i = 0; i < n && status == 0; i++)
        status = start(&jobs[i], &files, error);
    while (status == 0) {
        await(jobs, n, events);
        reap(jobs, n);
        status = look(jobs, n, &files, error);
        if (status == 0 && rc_progress_monitor_cancelled(monitor))
            status = rc_error_set(error, "interrupted");
        if (status == 0)
            rc_progress_monitor_advance(monitor, 0, 0);
    }
    end_all(jobs, n);
    prctl(PR_SET_CHILD_SUBREAPER, 0L);
    for (size_t i = 0; i < n; i++)
        close_all(&jobs[i]);
    setrlimit(RLIMIT_NOFILE, &files);
    free(events);
    return status < 0 ? -1 : 0;
}
