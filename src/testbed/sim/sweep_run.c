// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep_run.c - the runs of a sweep, several at a time.
 *
 * Threads take points, simulate them (in processes of their own) and put what came of it into a
 * queue; the caller's thread, to which the database belongs, empties it.  All that they share
 * stands in one struct, under one lock. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "testbed/sim/sweep.h"

enum { WAITING_MAX = 64, TICK_NANOSECONDS = 100000000 };

/* A point that was done, well or badly. */
struct outcome {
    struct outcome *next;
    const struct rc_sweep_point *point;
    struct rc_sim_sweep_job job;
    struct rc_sim_result result;
    struct rc_error error;
    int status;
};

struct sharing {
    pthread_mutex_t lock;
    pthread_cond_t finished; /* there is an outcome, or a thread has ended */
    pthread_cond_t emptied;  /* the queue is not full */
    const struct rc_sweep *sweep;
    const struct rc_sweep_point *points;
    size_t n, next, running, waiting;
    struct outcome *first, *last;
    bool stop;
};

static int is_stopped(void *data)
{
    struct sharing *sharing = data;
    bool stop;

    pthread_mutex_lock(&sharing->lock);
    stop = sharing->stop;
    pthread_mutex_unlock(&sharing->lock);
    return stop;
}

/* ---- the threads ---- */

static const struct rc_sweep_point *take(struct sharing *sharing)
{
    const struct rc_sweep_point *point = NULL;

    pthread_mutex_lock(&sharing->lock);
    while (sharing->waiting >= WAITING_MAX && !sharing->stop)
        pthread_cond_wait(&sharing->emptied, &sharing->lock);
    if (!sharing->stop && sharing->next < sharing->n)
        point = &sharing->points[sharing->next++];
    pthread_mutex_unlock(&sharing->lock);
    return point;
}

static void put(struct sharing *sharing, struct outcome *outcome)
{
    pthread_mutex_lock(&sharing->lock);
    if (sharing->last)
        sharing->last->next = outcome;
    else
        sharing->first = outcome;
    sharing->last = outcome;
    sharing->waiting++;
    pthread_cond_signal(&sharing->finished);
    pthread_mutex_unlock(&sharing->lock);
}

static void *work(void *data)
{
    struct sharing *sharing = data;
    struct rc_monitor monitor = {.cancelled = is_stopped, .data = sharing};
    const struct rc_sweep_point *point;
    struct outcome *outcome;

    while ((point = take(sharing)) && (outcome = calloc(1, sizeof *outcome))) {
        outcome->point = point;
        outcome->status = rc_sim_sweep_job(sharing->sweep, point, &outcome->job, &outcome->error);
        if (outcome->status == 0)
            outcome->status =
                rc_sim_run(&outcome->job.job, &outcome->result, &monitor, &outcome->error);
        put(sharing, outcome);
    }
    pthread_mutex_lock(&sharing->lock);
    sharing->running--;
    pthread_cond_signal(&sharing->finished);
    pthread_mutex_unlock(&sharing->lock);
    return NULL;
}

/* ---- the caller's thread ---- */

/* The next outcome; NULL after a while, so that the caller can look around; `*over` where none is
 * to come. */
static struct outcome *get(struct sharing *sharing, bool *over)
{
    struct timespec until;
    struct outcome *outcome;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TICK_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&sharing->lock);
    if (!sharing->first && sharing->running > 0)
        pthread_cond_timedwait(&sharing->finished, &sharing->lock, &until);
    outcome = sharing->first;
    if (outcome) {
        sharing->first = outcome->next;
        sharing->waiting--;
        if (!sharing->first)
            sharing->last = NULL;
        pthread_cond_signal(&sharing->emptied);
    }
    *over = !outcome && sharing->running == 0;
    pthread_mutex_unlock(&sharing->lock);
    return outcome;
}

static void stop(struct sharing *sharing)
{
    pthread_mutex_lock(&sharing->lock);
    sharing->stop = true;
    pthread_cond_broadcast(&sharing->emptied);
    pthread_mutex_unlock(&sharing->lock);
}

static void settle(struct outcome *outcome, struct rc_db *db, struct rc_sweep_progress *progress,
                   bool stopped)
{
    int64_t id;

    if (outcome->status == 0)
        outcome->status =
            rc_sim_store(db, &outcome->job.job, &outcome->result, &id, &outcome->error);
    else if (stopped) /* that is why */
        return;
    if (outcome->status) {
        progress->failures++;
        if (progress->failed)
            progress->failed(progress->data, outcome->point, &outcome->error);
    } else {
        progress->done++;
    }
}

static void collect(struct sharing *sharing, struct rc_db *db, struct rc_sweep_progress *progress,
                    const struct rc_monitor *monitor)
{
    struct outcome *outcome;
    bool over = false, stopped = false;

    while (!over) {
        if (!stopped && rc_progress_monitor_cancelled(monitor)) {
            stopped = true;
            stop(sharing);
        }
        outcome = get(sharing, &over);
        if (outcome) {
            settle(outcome, db, progress, stopped);
            rc_sim_result_free(&outcome->result);
            rc_sim_sweep_job_free(&outcome->job);
            free(outcome);
        }
        rc_progress_monitor_advance(monitor, progress->done + progress->failures, sharing->n);
    }
}

static int run_with(struct sharing *sharing, pthread_t *threads, size_t jobs, struct rc_db *db,
                    struct rc_sweep_progress *progress, const struct rc_monitor *monitor,
                    struct rc_error *error)
{
    size_t begun = 0;
    int number = 0;

    sharing->running = jobs;
    while (begun < jobs && (number = pthread_create(&threads[begun], NULL, work, sharing)) == 0)
        begun++;
    pthread_mutex_lock(&sharing->lock);
    sharing->running -= jobs - begun;
    pthread_mutex_unlock(&sharing->lock);
    if (begun == 0)
        return rc_error_errno(error, number, "cannot start a thread");
    collect(sharing, db, progress, monitor);
    for (size_t i = 0; i < begun; i++)
        pthread_join(threads[i], NULL);
    if (is_stopped(sharing))
        return rc_error_set(error, "interrupted; the finished runs are stored");
    return sharing->next < sharing->n ? rc_error_no_memory(error) : 0;
}

int rc_sim_sweep_run(const struct rc_sweep *sweep, const struct rc_sweep_point *points, size_t n,
                     size_t jobs, struct rc_db *db, struct rc_sweep_progress *progress,
                     const struct rc_monitor *monitor, struct rc_error *error)
{
    struct sharing sharing = {.lock = PTHREAD_MUTEX_INITIALIZER,
                              .finished = PTHREAD_COND_INITIALIZER,
                              .emptied = PTHREAD_COND_INITIALIZER,
                              .sweep = sweep,
                              .points = points,
                              .n = n};
    pthread_t *threads;
    int status;

    progress->done = progress->failures = 0;
    if (n == 0)
        return 0;
    jobs = jobs < 1 ? 1 : jobs > RC_SWEEP_JOBS_MAX ? RC_SWEEP_JOBS_MAX : jobs;
    jobs = jobs < n ? jobs : n;
    threads = calloc(jobs, sizeof *threads);
    if (!threads)
        return rc_error_no_memory(error);
    status = run_with(&sharing, threads, jobs, db, progress, monitor, error);
    free(threads);
    return status;
}
