// SPDX-License-Identifier: GPL-3.0-or-later
/* team.c - processes that put load on this machine, and what they did.
 *
 * Invariants:
 * 1. Everything that a process tells is in memory that it shares with its starter, and is read once
 *    the process has been waited for; only `stage` and `stop` are looked at before.
 * 2. A process begins only when it sees `begun`, which is written after `begin` and `end`.
 * 3. Whoever was started is waited for, in rc_load_team_destroy() at the latest. */
#include "testbed/load/team.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/monitor.h"
#include "host/sense/cores.h"

#define TICK 0.02    /* seconds between two looks at the processes, and at `stop` */
#define NAP 0.1      /* the longest sleep of a process before it looks whether to stop */
#define PATIENCE 8.0 /* seconds that a process may take to end once it is told to */
#define SPIN_STEPS 2000

enum stage { STARTING, PREPARED, DONE, FAILED };

struct member {
    pid_t pid; /* 0 once it was waited for */
    _Atomic int stage;
    struct rc_load_tally tally;
    struct rc_error error;
};

/* All of it is shared with the processes. */
struct rc_load_team {
    size_t capacity, n;
    _Atomic int begun, stop;
    double begin, end, finished;
    struct member members[];
};

static double read_clock(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double rc_load_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double rc_load_cpu(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static void sleep_until(double when)
{
    struct timespec t = {(time_t)when, (long)((when - floor(when)) * 1e9)};

    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static size_t size_of(size_t n)
{
    return sizeof(struct rc_load_team) + n * sizeof(struct member);
}

struct rc_load_team *rc_load_team_create(size_t n, struct rc_error *error)
{
    struct rc_load_team *team;

    if (n > RC_LOAD_TEAM_MAX) {
        rc_error_set(error, "%zu processes are more than the %d that a load may have", n,
                     RC_LOAD_TEAM_MAX);
        return NULL;
    }
    team = mmap(NULL, size_of(n), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (team == MAP_FAILED) {
        rc_error_no_memory(error);
        return NULL;
    }
    team->capacity = n;
    return team;
}

size_t rc_load_team_size(const struct rc_load_team *team)
{
    return team->n;
}

const struct rc_load_tally *rc_load_team_tally(const struct rc_load_team *team, size_t index)
{
    return &team->members[index].tally;
}

static void add_tally(struct rc_load_tally *sum, const struct rc_load_tally *one)
{
    sum->wall = fmax(sum->wall, one->wall);
    sum->drained = sum->drained == 0 || one->drained == 0 ? 0 : fmax(sum->drained, one->drained);
    sum->cpu += one->cpu;
    sum->asked += one->asked;
    sum->computing += one->computing;
    sum->worked += one->worked;
    sum->communicating += one->communicating;
    sum->resting += one->resting;
    sum->wanted += one->wanted;
    sum->cycles += one->cycles;
    sum->messages += one->messages;
    sum->bursts += one->bursts;
    sum->sent += one->sent;
    sum->received += one->received;
    sum->arrived += one->arrived;
    sum->in_time = fmax(sum->in_time, one->in_time);
    sum->far_sent += one->far_sent;
    sum->far_received += one->far_received;
}

struct rc_load_tally rc_load_team_sum(const struct rc_load_team *team, size_t first, size_t n,
                                      int core)
{
    struct rc_load_tally sum = {.core = core, .drained = INFINITY};
    size_t counted = 0;

    for (size_t i = first; i < team->n && i - first < n; i++)
        if (core < 0 || team->members[i].tally.core == core) {
            if (counted++ == 0)
                sum.drained = team->members[i].tally.drained;
            add_tally(&sum, &team->members[i].tally);
        }
    if (counted == 0)
        sum.drained = 0;
    return sum;
}

double rc_load_team_seconds(const struct rc_load_team *team)
{
    return team->begun ? team->finished - team->begin : 0;
}

/* ---- the processes' side ---- */

bool rc_load_over(const struct rc_load_seat *seat)
{
    return seat->team->stop || rc_load_now() >= seat->end;
}

void rc_load_sleep_until(const struct rc_load_seat *seat, double when)
{
    for (double now = rc_load_now(); now < when && !rc_load_over(seat); now = rc_load_now())
        sleep_until(fmin(fmin(when, now + NAP), seat->end));
}

void rc_load_spin(void)
{
    static volatile double kept;
    double x = kept;

    for (int i = 0; i < SPIN_STEPS; i++)
        x = x * 0.999999 + 1e-9;
    kept = x;
}

/* Where sessions share the cores rather than processes, each process is to count as one. */
static bool sessions_share(void)
{
    char digit = '0';
    int fd = open("/proc/sys/kernel/sched_autogroup_enabled", O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        if (read(fd, &digit, 1) != 1)
            digit = '0';
        close(fd);
    }
    return digit == '1';
}

static void drop_descriptors(int keep)
{
    int nothing = open("/dev/null", O_RDWR);

    for (int fd = 0; fd <= 2 && nothing >= 0; fd++)
        dup2(nothing, fd);
    if (keep < 3) {
        close_range(3, ~0U, 0);
        return;
    }
    if (keep > 3)
        close_range(3, (unsigned)keep - 1, 0);
    close_range((unsigned)keep + 1, ~0U, 0);
}

static void settle(pid_t parent, int descriptor)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before that could work */
        _exit(0);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    if (sessions_share())
        setsid();
    drop_descriptors(descriptor);
    prctl(PR_SET_TIMERSLACK, 1UL); /* sleeps end when they should, not 50 us later */
}

static int wait_for_others(struct rc_load_seat *seat)
{
    while (!seat->team->begun && !seat->team->stop)
        sleep_until(rc_load_now() + 0.001);
    seat->begin = seat->team->begin;
    seat->end = seat->team->end;
    return seat->team->stop ? -1 : 0;
}

_Noreturn static void be_member(struct rc_load_team *team, size_t index,
                                const struct rc_load_task *task)
{
    struct member *member = &team->members[index];
    struct rc_load_seat seat = {team, index, &member->tally, 0, INFINITY};
    double cpu;
    int status = rc_sense_cores_pin(task->core, &member->error);

    member->tally.core = task->core;
    if (status == 0 && task->prepare)
        status = task->prepare(&seat, task->data, &member->error);
    if (status) {
        member->stage = FAILED;
        _exit(1);
    }
    member->stage = PREPARED;
    if (wait_for_others(&seat))
        _exit(0);
    cpu = rc_load_cpu();
    sleep_until(seat.begin);
    status = task->body(&seat, task->data, &member->error);
    member->tally.wall = fmin(rc_load_now(), seat.end) - seat.begin;
    member->tally.cpu = rc_load_cpu() - cpu;
    member->stage = status ? FAILED : DONE;
    _exit(status ? 1 : 0);
}

/* ---- the starter's side ---- */

int rc_load_team_add(struct rc_load_team *team, const struct rc_load_task *task,
                     struct rc_error *error)
{
    pid_t parent = getpid(), pid;
    size_t index = team->n; /* which the child shares, and may see when it has grown */
    sigset_t all, before;

    if (index == team->capacity)
        return rc_error_set(error, "the load has no room for another process");
    /* A signal that came to the child before it ignores it would end it, or run our handler. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0) {
        settle(parent, task->descriptor);
        sigprocmask(SIG_SETMASK, &before, NULL);
        be_member(team, index, task);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        return rc_error_errno(error, errno, "cannot start a process");
    team->members[index].pid = pid;
    team->n++;
    return 0;
}

/* Waits for those that have ended.  Returns how many are left. */
static size_t reap(struct rc_load_team *team)
{
    size_t left = 0;
    int status;

    for (size_t i = 0; i < team->n; i++) {
        struct member *member = &team->members[i];

        if (member->pid == 0)
            continue;
        if (waitpid(member->pid, &status, WNOHANG) == 0) {
            left++;
            continue;
        }
        member->pid = 0;
        if (member->stage == STARTING || (member->stage == PREPARED && !team->stop)) {
            rc_error_set(&member->error, "a process of the load was ended from outside");
            member->stage = FAILED;
        }
    }
    return left;
}

/* The first that failed, or NULL. */
static const struct member *find_failed(const struct rc_load_team *team)
{
    for (size_t i = 0; i < team->n; i++)
        if (team->members[i].stage == FAILED && team->members[i].pid == 0)
            return &team->members[i];
    return NULL;
}

/* One that failed is waited for as well: until it is, it does not count as failed. */
static bool all_prepared(const struct rc_load_team *team)
{
    for (size_t i = 0; i < team->n; i++) {
        int stage = team->members[i].stage;

        if (stage == STARTING || (stage == FAILED && team->members[i].pid != 0))
            return false;
    }
    return true;
}

/* Lets every process end, and kills those that do not. */
static void stop(struct rc_load_team *team, double patience)
{
    double deadline = rc_load_now() + patience;

    team->stop = 1;
    while (reap(team) > 0) {
        if (rc_load_now() >= deadline)
            for (size_t i = 0; i < team->n; i++)
                if (team->members[i].pid)
                    kill(team->members[i].pid, SIGKILL);
        sleep_until(rc_load_now() + TICK / 4);
    }
}

/* 0 when all are prepared; 1 when cancelled; -1 when one has failed. */
static int prepare_all(struct rc_load_team *team, const struct rc_monitor *monitor)
{
    while (!all_prepared(team)) {
        reap(team);
        if (find_failed(team))
            return -1;
        if (rc_monitor_cancelled(monitor))
            return 1;
        sleep_until(rc_load_now() + 0.001);
    }
    reap(team);
    return find_failed(team) ? -1 : 0;
}

static void watch(struct rc_load_team *team, double seconds, const struct rc_monitor *monitor)
{
    uint64_t total = isfinite(seconds) ? (uint64_t)(seconds * 1000) : 0;

    while (reap(team) > 0) {
        double now = rc_load_now();

        if (now >= team->end || find_failed(team) || rc_monitor_cancelled(monitor))
            break;
        rc_monitor_advance(monitor, (uint64_t)(fmax(now - team->begin, 0) * 1000), total);
        sleep_until(fmin(now + TICK, team->end));
    }
}

int rc_load_team_run(struct rc_load_team *team, double seconds, const struct rc_monitor *monitor,
                     struct rc_error *error)
{
    const struct member *failed;

    if (prepare_all(team, monitor) == 0) {
        team->begin = rc_load_now() + 0.005; /* so that all see it in time */
        team->end = team->begin + seconds;
        team->begun = 1;
        watch(team, seconds, monitor);
        team->finished = fmax(fmin(rc_load_now(), team->end), team->begin);
    }
    stop(team, PATIENCE);
    failed = find_failed(team);
    if (!failed)
        return 0;
    if (error)
        *error = failed->error;
    return -1;
}

void rc_load_team_destroy(struct rc_load_team *team)
{
    if (!team)
        return;
    stop(team, 0);
    munmap(team, size_of(team->capacity));
}
