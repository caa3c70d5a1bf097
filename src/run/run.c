// SPDX-License-Identifier: GPL-3.0-or-later
/* run.c - runs a command as if it had been started alone, and measures it from outside. */
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/memory_footprint.h"

#define FIRST_LOOK 0.05 /* seconds after the start; the time between looks then doubles */
#define LAST_LOOK 10.0  /* ... up to this */

enum {
    BLOCK = 512,
    NOT_FOUND = 127,
    NOT_EXECUTABLE = 126,
    FDS_MAX = 1 + 3 * 4096,
    FILES_MAX = 1 << 14
};

/* Signals that are passed on.  Those that stop are read, too: the recorder stops when the program
 * does, which may well decide not to. */
static const struct {
    int number;
    bool asks_to_end;
} passed_on[] = {
    {SIGHUP, true},   {SIGINT, true},   {SIGQUIT, true},   {SIGTERM, true},  {SIGXCPU, true},
    {SIGUSR1, false}, {SIGUSR2, false}, {SIGALRM, false},  {SIGCONT, false}, {SIGTSTP, false},
    {SIGTTIN, false}, {SIGTTOU, false}, {SIGWINCH, false},
};
enum { N_PASSED_ON = sizeof passed_on / sizeof *passed_on };

static bool asks_to_end(int number)
{
    struct sigaction action;

    for (size_t i = 0; i < N_PASSED_ON; i++)
        if (passed_on[i].number == number && passed_on[i].asks_to_end)
            /* Under nohup a SIGHUP means nothing, here and to the program. */
            return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN;
    return false;
}

enum rc_run_status rc_run_outcome_status(const struct rc_outcome *outcome)
{
    int status = outcome->status;
    int number = WIFSIGNALED(status)                              ? WTERMSIG(status)
                 : WIFEXITED(status) && WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128
                                                                  : 0;

    if (outcome->stopped)
        return RC_RUN_FAILED;
    if (outcome->asked_to_end)
        return RC_RUN_INTERRUPTED;
    for (size_t i = 0; i < N_PASSED_ON; i++)
        if (passed_on[i].number == number && passed_on[i].asks_to_end)
            return RC_RUN_INTERRUPTED;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? RC_RUN_OK : RC_RUN_FAILED;
}

/* ---- beginning and end ---- */

/* Not all that there may be: some programs close as many, one by one. */
static void allow_descriptors(struct rlimit *before)
{
    struct rlimit more;

    getrlimit(RLIMIT_NOFILE, before);
    more = *before;
    if (more.rlim_cur < FILES_MAX)
        more.rlim_cur = more.rlim_max < FILES_MAX ? more.rlim_max : FILES_MAX;
    setrlimit(RLIMIT_NOFILE, &more);
}

int rc_run_runner_begin(struct rc_runner *runner, struct rc_error *error)
{
    struct sigaction action;
    sigset_t set;

    *runner = (struct rc_runner){.signals = -1};
    allow_descriptors(&runner->files);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < N_PASSED_ON; i++)
        sigaddset(&set, passed_on[i].number);
    if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
        runner->reap_ignored = true; /* wait() would find no children */
        signal(SIGCHLD, SIG_DFL);
    }
    sigprocmask(SIG_BLOCK, &set, &runner->before);
    runner->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (runner->signals >= 0 && rc_run_witness_start(&runner->witness, error) == 0)
        return 0;
    if (runner->signals < 0)
        rc_error_errno(error, errno, "cannot read signals");
    rc_run_runner_end(runner);
    return -1;
}

void rc_run_runner_end(struct rc_runner *runner)
{
    rc_run_witness_stop(&runner->witness);
    if (runner->signals >= 0)
        close(runner->signals);
    runner->signals = -1;
    sigprocmask(SIG_SETMASK, &runner->before, NULL);
    if (runner->reap_ignored)
        signal(SIGCHLD, SIG_IGN);
    setrlimit(RLIMIT_NOFILE, &runner->files);
}

/* The next signal that came; 0: none. */
static int next_signal(const struct rc_runner *runner)
{
    struct signalfd_siginfo info;

    return read(runner->signals, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo
                                                                             : 0;
}

/* Lets a signal that is blocked and was read have its effect. */
static void take(int number)
{
    sigset_t one, before;

    sigemptyset(&one);
    sigaddset(&one, number);
    kill(getpid(), number);
    sigprocmask(SIG_UNBLOCK, &one, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int rc_run_runner_interrupted(struct rc_runner *runner)
{
    int number;

    while ((number = next_signal(runner)) != 0) {
        if (asks_to_end(number))
            return number;
        if (number == SIGTSTP)
            take(number);
    }
    return 0;
}

/* ---- waiting ---- */

/* Waits until a signal came, the sensors want to step, or `seconds` have passed; and lets them
 * step. */
static void wait_a_while(const struct rc_runner *runner, const struct rc_sensors *sensors,
                         struct pollfd *fds, double seconds)
{
    size_t n = 0;
    double wait = seconds, milliseconds;

    fds[0] = (struct pollfd){runner->signals, POLLIN, 0};
    if (sensors->kind) {
        n = sensors->kind->fds(sensors->data, fds + 1, FDS_MAX - 1);
        n = n < FDS_MAX - 1 ? n : FDS_MAX - 1;
        wait = fmin(wait, sensors->kind->patience(sensors->data));
    }
    milliseconds = ceil(fmin(fmax(wait, 0), 3600) * 1e3);
    poll(fds, (nfds_t)n + 1, (int)milliseconds);
    /* Sensors that fail are no reason for a program to end: the record then has no load. */
    if (sensors->kind)
        sensors->kind->step(sensors->data, 0, NULL);
}

int rc_run_runner_await(struct rc_runner *runner, const struct rc_sensors *sensors, double seconds)
{
    struct rc_clock *clock = rc_clock_system();
    double until = clock->monotonic(clock) + seconds, left;
    struct pollfd *fds = calloc(FDS_MAX, sizeof *fds);
    int number = 0;

    while (fds && sensors->kind && !sensors->kind->ready(sensors->data) &&
           (number = rc_run_runner_interrupted(runner)) == 0 &&
           (left = until - clock->monotonic(clock)) > 0)
        wait_a_while(runner, sensors, fds, left);
    free(fds);
    return number;
}

/* ---- the child ---- */

_Noreturn static void be_program(const struct rc_runner *runner, char *const *argv, int report)
{
    int number;

    if (runner->reap_ignored)
        signal(SIGCHLD, SIG_IGN);
    sigprocmask(SIG_SETMASK, &runner->before, NULL);
    setrlimit(RLIMIT_NOFILE, &runner->files);
    execvp(argv[0], argv);
    number = errno;
    while (write(report, &number, sizeof number) < 0 && errno == EINTR)
        ;
    _exit(NOT_FOUND);
}

/* Starts it and waits until it has become the program; 0 or an errno. */
static int start_program(const struct rc_runner *runner, char *const *argv, pid_t *child)
{
    int report[2], number = 0;
    ssize_t got;

    if (pipe2(report, O_CLOEXEC))
        return errno;
    *child = fork();
    if (*child == 0)
        be_program(runner, argv, report[1]);
    if (*child < 0)
        number = errno;
    close(report[1]);
    do
        got = *child > 0 ? read(report[0], &number, sizeof number) : 0;
    while (got < 0 && errno == EINTR);
    close(report[0]);
    if (number && *child > 0)
        while (waitpid(*child, NULL, 0) < 0 && errno == EINTR)
            ;
    return number;
}

/* ---- following it ---- */

struct following {
    struct rc_runner *runner;
    struct rc_outcome *outcome;
    pid_t child;
    bool stopped, ended;
    struct rusage usage;
    struct rc_footprint footprint;
};

static void look_at_child(struct following *f)
{
    int status;

    while (!f->ended &&
           wait4(f->child, &status, WNOHANG | WUNTRACED | WCONTINUED, &f->usage) == f->child) {
        if (WIFSTOPPED(status)) {
            /* Stops as the program did, until a signal to the group, or the witness, continues this
             * process. */
            f->outcome->stopped = f->stopped = true;
            rc_run_witness_guard(&f->runner->witness, f->child);
            take(WSTOPSIG(status));
        } else if (WIFCONTINUED(status)) {
            f->stopped = false;
        } else {
            f->outcome->status = status;
            f->ended = true;
        }
    }
}

static void pass_on(struct following *f, int number)
{
    bool everybody;

    if (number == SIGCHLD)
        return;
    f->outcome->asked_to_end |= asks_to_end(number);
    /* A program may have moved to another process group. */
    everybody = rc_run_witness_saw(&f->runner->witness, number) && getpgid(f->child) == getpgrp();
    look_at_child(f);
    if (everybody || f->ended || (number == SIGCONT && !f->stopped))
        return;
    kill(f->child, number);
}

static void follow(struct following *f, const struct rc_sensors *sensors, struct pollfd *fds)
{
    struct rc_clock *clock = rc_clock_system();
    double begun = clock->monotonic(clock), pause = FIRST_LOOK, look = begun + pause;
    int number;

    for (;;) {
        while ((number = next_signal(f->runner)) != 0)
            pass_on(f, number);
        look_at_child(f);
        if (f->ended)
            return;
        wait_a_while(f->runner, sensors, fds, look - clock->monotonic(clock));
        if (clock->monotonic(clock) < look)
            continue;
        rc_run_footprint_look(&f->footprint, f->child, NULL);
        pause = fmin(2 * pause, LAST_LOOK);
        look = clock->monotonic(clock) + pause;
    }
}

/* What wait4() tells of the peak is no less than what this process had when it was copied; what is
 * below that was seen by the looks at the running processes, or else is not known better.  Looks
 * also see processes that nobody waits for. */
static double peak(const struct following *f, double own)
{
    double waited = (double)f->usage.ru_maxrss * 1024;

    return waited > own || isnan(f->footprint.peak) ? fmax(waited, f->footprint.peak)
                                                    : f->footprint.peak;
}

int rc_run_runner_run(struct rc_runner *runner, char *const *argv, const struct rc_sensors *sensors,
                      struct rc_outcome *outcome, int *not_started, struct rc_error *error)
{
    struct following f = {.runner = runner, .outcome = outcome};
    struct pollfd *fds = calloc(FDS_MAX, sizeof *fds);
    struct rc_clock *clock = rc_clock_system();
    struct rusage own = {0};
    double begun;
    int number;

    *outcome = (struct rc_outcome){.memory = NAN, .bytes_read = NAN, .bytes_written = NAN};
    *not_started = NOT_EXECUTABLE;
    if (!fds)
        return rc_error_no_memory(error);
    rc_run_footprint_init(&f.footprint);
    getrusage(RUSAGE_SELF, &own);
    outcome->start = clock->wall(clock);
    begun = clock->monotonic(clock);
    number = start_program(runner, argv, &f.child);
    if (number) {
        *not_started = number == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
        free(fds);
        return rc_error_errno(error, number, "cannot start '%.200s'", argv[0]);
    }
    follow(&f, sensors, fds);
    outcome->seconds = clock->monotonic(clock) - begun;
    outcome->memory = peak(&f, (double)own.ru_maxrss * 1024);
    outcome->bytes_read = (double)f.usage.ru_inblock * BLOCK;
    outcome->bytes_written = (double)f.usage.ru_oublock * BLOCK;
    free(fds);
    return 0;
}
