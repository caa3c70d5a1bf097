// SPDX-License-Identifier: BSD-2-Clause
/* process.c - runs a program or a function in a child process and collects its output.
 *
 * Invariants:
 *  1. Between fork() and exec, the child calls only what is safe in a signal handler, because other
 *     threads may have held locks when it was copied.
 *  2. The group is killed only before its leader is waited for: until then, no other process can
 *     get its number.
 *  3. The end of the leader counts, not the end of the output: a stray process could hold the
 *     output open forever. */
#include "base/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/progress_monitor.h"

enum {
    PATH_SIZE = 4096,
    READ_SIZE = 1 << 14,
    DRAIN_MAX = 1 << 20,       /* the most that a pipe can hold back, unless root made it larger */
    DESCRIPTORS_MAX = 1 << 16, /* closed one by one if the kernel has no close_range() */
    TICK = 100,                /* milliseconds between two looks at the monitor */
    TICK_BLIND = 10            /* if the kernel cannot report the end of a process */
};

/* What the child is to do: a program, or else a function. */
struct plan {
    const char *path;
    char *const *argv;
    char *const *environment;
    int (*body)(void *data);
    void *data;
};

struct child {
    pid_t pid;
    int pidfd;  /* -1 if the kernel has none */
    int output; /* -1 from its end on */
};

/* ---- the child's side ---- */

void rc_process_reset_signals(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        sigaction(number, &action, NULL); /* fails for SIGKILL and the like, as it should */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void rc_process_ignore_signals(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    sigset_t none;

    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void rc_process_close_others(int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a, nothing = open("/dev/null", O_RDWR);

    for (int fd = 0; fd <= 2 && nothing >= 0; fd++)
        if (fd != a && fd != b)
            dup2(nothing, fd);
    low = low < 2 ? 2 : low;
    high = high < low ? low : high;
    if (low > 3)
        close_range(3, (unsigned)low - 1, 0);
    if (high > low + 1)
        close_range((unsigned)low + 1, (unsigned)high - 1, 0);
    close_range((unsigned)high + 1, ~0U, 0);
}

void rc_process_close_on_exec(void)
{
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int fd = 3; fd < DESCRIPTORS_MAX; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int redirect(int output)
{
    int nothing = open("/dev/null", O_RDONLY);

    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0)
        return -1;
    if (nothing > STDERR_FILENO)
        close(nothing);
    return 0;
}

/* `report` ends without a byte once the child is set up; otherwise it has errno. */
_Noreturn static void be_child(const struct plan *plan, int output, int report)
{
    int number;

    setsid();
    if (redirect(output) == 0) {
        rc_process_reset_signals();
        if (plan->body) {
            close(output);
            close(report);
            _exit(plan->body(plan->data) & 0xff);
        }
        rc_process_close_on_exec();
        execve(plan->path, plan->argv, plan->environment);
    }
    number = errno;
    while (write(report, &number, sizeof number) < 0 && errno == EINTR)
        ;
    _exit(127);
}

/* ---- starting ---- */

int rc_process_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    for (int i = 0; i < 2; i++) {
        int low = ends[i];

        if (low > STDERR_FILENO)
            continue;
        ends[i] = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (ends[i] < 0) {
            int number = errno;

            close(low);
            close(ends[!i]);
            errno = number;
            return -1;
        }
        close(low);
    }
    return 0;
}

/* Waits for exec; returns 0, or the errno that the child reports. */
static int read_report(int report)
{
    int number = 0;
    ssize_t got;

    do
        got = read(report, &number, sizeof number);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof number ? number : 0;
}

pid_t rc_process_fork(int death_signal)
{
    sigset_t all, before;
    pid_t parent = getpid(), pid;
    int number;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, death_signal);
        if (getppid() != parent) /* it ended before that could work */
            _exit(127);
        return 0;
    }
    number = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return pid;
}

/* Returns 0 or an errno. */
static int start(struct child *child, const struct plan *plan)
{
    int output[2], report[2], number = 0;

    if (rc_process_pipe(output))
        return errno;
    if (rc_process_pipe(report)) {
        number = errno;
        close(output[0]);
        close(output[1]);
        return number;
    }
    child->pid = rc_process_fork(SIGKILL);
    if (child->pid == 0)
        be_child(plan, output[1], report[1]);
    if (child->pid < 0)
        number = errno;
    close(output[1]);
    close(report[1]);
    if (number == 0 && (number = read_report(report[0])) != 0)
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    close(report[0]);
    if (number) {
        close(output[0]);
        return number;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    child->output = output[0];
    child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0); /* closed on exec */
    return 0;
}

/* ---- watching ---- */

static void keep(struct rc_buffer *output, const char *bytes, size_t length, bool *truncated)
{
    size_t room;

    if (!output)
        return;
    room = output->maximum > output->length ? output->maximum - output->length : 0;
    if (length > room || rc_buffer_add(output, bytes, length)) {
        *truncated = true;
        if (length > room && room > 0)
            rc_buffer_add(output, bytes, room);
    }
}

/* Reads what is available, at most about `most` bytes. */
static void take_output(struct child *child, struct rc_buffer *output, size_t most, bool *truncated)
{
    char bytes[READ_SIZE];
    ssize_t got;

    for (size_t taken = 0; child->output >= 0 && taken < most; taken += (size_t)got) {
        do
            got = read(child->output, bytes, sizeof bytes);
        while (got < 0 && errno == EINTR);
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0) {
            close(child->output);
            child->output = -1;
            return;
        }
        keep(output, bytes, (size_t)got, truncated);
    }
}

/* 1: it has ended, and is still to be waited for; 0: it runs; -1: somebody else waited for it. */
static int has_ended(const struct child *child)
{
    siginfo_t info = {0};

    if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT))
        return errno == EINTR ? 0 : -1;
    return info.si_pid != 0;
}

/* Time to sleep, in milliseconds, if only `deadline` surely needs attention. */
static int patience(const struct child *child, double left, bool watched)
{
    double most = child->pidfd < 0 ? TICK_BLIND : watched ? TICK : 3600e3;

    left = ceil(left * 1e3);
    return (int)(left < 0 ? 0 : left < most ? left : most);
}

/* Watches until the leader has ended or is lost. Returns why it was stopped, if it was. */
static int watch(struct child *child, const struct rc_process_options *options,
                 struct rc_buffer *output, struct rc_process_result *result)
{
    struct rc_clock *clock = rc_clock_system();
    double now = clock->monotonic(clock);
    double deadline = now + (options->seconds > 0 ? options->seconds : RC_PROCESS_SECONDS);
    bool stopping = false, cancelled;
    int ended;

    while ((ended = has_ended(child)) == 0) {
        struct pollfd events[] = {{child->output, POLLIN, 0}, {child->pidfd, POLLIN, 0}};

        poll(events, 2, patience(child, deadline - now, options->monitor && !stopping));
        take_output(child, output, READ_SIZE, &result->truncated);
        now = clock->monotonic(clock);
        cancelled = !stopping && rc_progress_monitor_cancelled(options->monitor);
        if (now < deadline && !cancelled)
            continue;
        if (has_ended(child)) /* it was in time, and is not to be blamed for our being late */
            continue;
        if (!stopping)
            result->end = cancelled ? RC_PROCESS_CANCELLED : RC_PROCESS_TIMED_OUT;
        assert(child->pid > 1); /* -1 would mean every process */
        kill(-child->pid, stopping || !(options->grace > 0) ? SIGKILL : SIGTERM);
        deadline = stopping || !(options->grace > 0) ? INFINITY : now + options->grace;
        stopping = true;
    }
    return ended;
}

static int finish(const struct child *child, const char *name, double seconds,
                  struct rc_process_result *result, struct rc_error *error)
{
    int status;
    pid_t waited;

    do
        waited = waitpid(child->pid, &status, 0);
    while (waited < 0 && errno == EINTR);
    if (waited < 0) {
        result->end = RC_PROCESS_FAILED;
        return rc_error_errno(error, errno, "cannot wait for %s", name);
    }
    if (result->end == RC_PROCESS_TIMED_OUT)
        return rc_error_set(error, "%s did not end within %g s", name, seconds);
    if (result->end == RC_PROCESS_CANCELLED)
        return rc_error_set(error, "interrupted");
    result->end = WIFSIGNALED(status) ? RC_PROCESS_SIGNALLED : RC_PROCESS_EXITED;
    result->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return 0;
}

static int carry_out(const struct plan *plan, const char *name,
                     const struct rc_process_options *options, struct rc_buffer *output,
                     struct rc_process_result *result, struct rc_error *error)
{
    struct child child;
    int status, number = start(&child, plan);

    if (number) {
        result->end = RC_PROCESS_FAILED;
        return rc_error_errno(error, number, "cannot start %s", name);
    }
    if (watch(&child, options, output, result) > 0)
        kill(-child.pid, SIGKILL);
    take_output(&child, output, DRAIN_MAX, &result->truncated);
    status = finish(&child, name, options->seconds > 0 ? options->seconds : RC_PROCESS_SECONDS,
                    result, error);
    if (child.output >= 0)
        close(child.output);
    if (child.pidfd >= 0)
        close(child.pidfd);
    return status;
}

/* ---- the doors ---- */

static const struct rc_process_options default_options;

/* exec takes non-const pointers, but changes nothing. */
static char *const *as_exec_takes(const char *const *strings)
{
    union {
        const char *const *given;
        char *const *taken;
    } both = {strings};

    return both.taken;
}

int rc_process_exec(const char *path, const char *const *argv)
{
    return execv(path, as_exec_takes(argv));
}

int rc_process_run(const char *const *argv, const struct rc_process_options *options,
                   struct rc_buffer *output, struct rc_process_result *result,
                   struct rc_error *error)
{
    struct rc_process_result unwanted;
    char path[PATH_SIZE];
    struct plan plan = {.path = path, .argv = as_exec_takes(argv), .environment = environ};

    if (!result)
        result = &unwanted;
    *result = (struct rc_process_result){.end = RC_PROCESS_EXITED};
    if (rc_process_find(argv[0], path, sizeof path)) {
        result->end = RC_PROCESS_NOT_FOUND;
        return rc_error_set(error, "no program '%s'", argv[0]);
    }
    if (!options)
        options = &default_options;
    if (options->environment)
        plan.environment = as_exec_takes(options->environment);
    return carry_out(&plan, argv[0], options, output, result, error);
}

int rc_process_call(int (*body)(void *data), void *data, const struct rc_process_options *options,
                    struct rc_buffer *output, struct rc_process_result *result,
                    struct rc_error *error)
{
    struct rc_process_result unwanted;
    struct plan plan = {.body = body, .data = data};

    if (!result)
        result = &unwanted;
    *result = (struct rc_process_result){.end = RC_PROCESS_EXITED};
    return carry_out(&plan, "a child process", options ? options : &default_options, output, result,
                     error);
}

static bool is_program(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

int rc_process_find(const char *name, char *path, size_t size)
{
    const char *place = getenv("PATH"), *end;
    int length;

    if (!place)
        place = "/usr/local/bin:/usr/bin:/bin";
    if (strchr(name, '/')) {
        length = snprintf(path, size, "%s", name);
        if (length >= 0 && (size_t)length < size && is_program(path))
            return 0;
        place = NULL;
    }
    for (; place && *name; place = *end ? end + 1 : NULL) {
        end = strchrnul(place, ':');
        /* An empty place is the current directory. */
        length = snprintf(path, size, "%.*s%s%s", (int)(end - place), place,
                          end == place ? "./" : "/", name);
        if (length >= 0 && (size_t)length < size && is_program(path))
            return 0;
    }
    if (size > 0)
        path[0] = '\0';
    return -1;
}

int rc_process_find_tool(const char *name, char *path, size_t size)
{
    static const char *const places[] = {"/usr/local/sbin", "/usr/sbin", "/sbin"};
    char place[256];

    if (rc_process_find(name, path, size) == 0)
        return 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(place, sizeof place, "%s/%s", places[i], name);
        if (rc_process_find(place, path, size) == 0)
            return 0;
    }
    return -1;
}
