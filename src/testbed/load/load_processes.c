// SPDX-License-Identifier: GPL-3.0-or-later
/* load_processes.c - processes that put load on this machine, and what they did.
 *
 * Invariants:
 * 1. Everything that a process reports is in memory that it shares with its starter, and is read
 *    once the process has been waited for; only `stage` and `stop` are looked at before.
 * 2. A process begins only when it sees `begun`, which is written after `begin` and `end`.
 * 3. Every started process is waited for, in rc_load_team_destroy() at the latest. */
#include "testbed/load/load_processes.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/process.h"
#include "host/sense/cores.h"

#define TICK 0.02    /* seconds between two looks at the processes, and at `stop` */
#define NAP 0.1      /* the longest sleep of a process before it looks whether to stop */
#define PATIENCE 8.0 /* seconds that a process may take to end when stopped */
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

double rc_load_now(void)
{
    return rc_clock_now();
}

double rc_load_cpu(void)
{
    return rc_clock_read(CLOCK_PROCESS_CPUTIME_ID);
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

    if (n > RC_LOAD_TEAM_MAX)
        return rc_error_null(rc_error_set(
            error, "%zu processes are too many; a load has at most %d", n, RC_LOAD_TEAM_MAX));
    team = mmap(NULL, size_of(n), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (team == MAP_FAILED)
        return rc_error_null(rc_error_no_memory(error));
    team->capacity = n;
    return team;
}

double rc_load_part(double seconds, const struct rc_load_tally *tally)
{
    return tally->wall > 0 ? seconds / tally->wall : 0;
}

double rc_load_part_alone(double seconds, const struct rc_load_tally *tally)
{
    double all = tally->worked + tally->communicating + tally->resting;

    return all > 0 ? seconds / all : 0;
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
    sum->peer_sent += one->peer_sent;
    sum->peer_received += one->peer_received;
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

bool rc_load_over(const struct rc_load_worker *worker)
{
    return worker->team->stop || rc_load_now() >= worker->end;
}

void rc_load_sleep_until(const struct rc_load_worker *worker, double when)
{
    for (double now = rc_load_now(); now < when && !rc_load_over(worker); now = rc_load_now())
        sleep_until(fmin(fmin(when, now + NAP), worker->end));
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
static void settle(int descriptor)
{
    rc_process_ignore_signals();
    if (rc_sense_sessions_share())
        setsid();
    rc_process_close_others(descriptor, -1);
    prctl(PR_SET_TIMERSLACK, 1UL); /* sleeps end when they should, not 50 us later */
}

static int wait_for_others(struct rc_load_worker *worker)
{
    while (!worker->team->begun && !worker->team->stop)
        sleep_until(rc_load_now() + 0.001);
    worker->begin = worker->team->begin;
    worker->end = worker->team->end;
    return worker->team->stop ? -1 : 0;
}

_Noreturn static void be_member(struct rc_load_team *team, size_t index,
                                const struct rc_load_task *task)
{
    struct member *member = &team->members[index];
    struct rc_load_worker worker = {team, index, &member->tally, 0, INFINITY};
    double cpu;
    int status = rc_sense_cores_pin(task->core, &member->error);

    member->tally.core = task->core;
    if (status == 0 && task->prepare)
        status = task->prepare(&worker, task->data, &member->error);
    if (status) {
        member->stage = FAILED;
        _exit(1);
    }
    member->stage = PREPARED;
    if (wait_for_others(&worker))
        _exit(0);
    cpu = rc_load_cpu();
    sleep_until(worker.begin);
    status = task->body(&worker, task->data, &member->error);
    member->tally.wall = fmin(rc_load_now(), worker.end) - worker.begin;
    member->tally.cpu = rc_load_cpu() - cpu;
    member->stage = status ? FAILED : DONE;
    _exit(status ? 1 : 0);
}

/* ---- the starter's side ---- */

int rc_load_team_add(struct rc_load_team *team, const struct rc_load_task *task,
                     struct rc_error *error)
{
    size_t index = team->n; /* which the child shares, and may see when it has grown */
    pid_t pid;

    if (index == team->capacity)
        return rc_error_set(error, "too many processes in this load");
    pid = rc_process_fork(SIGKILL);
    if (pid == 0) {
        settle(task->descriptor);
        be_member(team, index, task);
    }
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
            rc_error_set(&member->error, "another program killed a process of the load");
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
        if (rc_progress_monitor_cancelled(monitor))
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

        if (now >= team->end || find_failed(team) || rc_progress_monitor_cancelled(monitor))
            break;
        rc_progress_monitor_advance(monitor, (uint64_t)(fmax(now - team->begin, 0) * 1000), total);
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
