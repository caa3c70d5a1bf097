// SPDX-License-Identifier: GPL-3.0-or-later
/* replay_files.c - the replay of many files, several at once.
 *
 * Workers take the next file that is left; the caller's thread waits, reports
 * progress, and asks whether to continue. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "forecast/replay.h"
#include "db/series.h"

struct farm {
    const char *const *paths;
    size_t n, next, done, working;
    size_t failed; /* the first file with an error; n: none */
    const struct rc_replay_options *options;
    struct rc_predict_replay *replays;
    struct rc_error error;
    int stop;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

static int replay_file(const char *path, const struct rc_replay_options *options,
                       struct rc_predict_replay *replay, struct rc_error *error)
{
    struct rc_series_table table = {.same_times = true};
    int status = rc_db_series_read_table(path, &table, error);

    if (status == 0)
        status = rc_forecast_replay_series(table.samples, table.n, options, replay, error);
    if (status && !error->line) {
        struct rc_error inner = *error;

        rc_error_at(error, path, 0, 0, "%.400s", inner.text);
    }
    free(table.samples);
    return status;
}

static void *work(void *data)
{
    struct farm *farm = data;

    pthread_mutex_lock(&farm->mutex);
    while (!farm->stop && farm->next < farm->n && farm->failed == farm->n) {
        size_t i = farm->next++;
        struct rc_error error = {.text = ""};
        int status;

        pthread_mutex_unlock(&farm->mutex);
        status = replay_file(farm->paths[i], farm->options, &farm->replays[i], &error);
        pthread_mutex_lock(&farm->mutex);
        if (status && i < farm->failed) {
            farm->failed = i;
            farm->error = error;
        }
        farm->done++;
        pthread_cond_signal(&farm->changed);
    }
    farm->working--;
    pthread_cond_signal(&farm->changed);
    pthread_mutex_unlock(&farm->mutex);
    return NULL;
}

/* Until all have ended. */
static void watch(struct farm *farm, const struct rc_monitor *monitor)
{
    struct timespec until;

    pthread_mutex_lock(&farm->mutex);
    while (farm->working > 0) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&farm->changed, &farm->mutex, &until);
        rc_progress_monitor_advance(monitor, farm->done, farm->n);
        farm->stop = farm->stop || rc_progress_monitor_cancelled(monitor);
    }
    pthread_mutex_unlock(&farm->mutex);
}

int rc_forecast_replay_files(const char *const *paths, size_t n,
                             const struct rc_replay_options *options, size_t jobs,
                             struct rc_predict_replay *replays, const struct rc_monitor *monitor,
                             struct rc_error *error)
{
    enum { MOST = 64 };
    struct farm farm = {.paths = paths,
                        .n = n,
                        .failed = n,
                        .options = options,
                        .replays = replays,
                        .mutex = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER};
    pthread_t workers[MOST];
    size_t started = 0, wanted = jobs < n ? jobs : n;

    for (farm.working = wanted = wanted < MOST ? wanted : MOST; started < wanted; started++)
        if (pthread_create(&workers[started], NULL, work, &farm))
            break;
    pthread_mutex_lock(&farm.mutex);
    farm.working -= wanted - started;
    pthread_mutex_unlock(&farm.mutex);
    watch(&farm, monitor);
    for (size_t i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    if (n > 0 && started == 0)
        return rc_error_set(error, "cannot start a thread");
    if (farm.failed < n) {
        if (error)
            *error = farm.error;
        return -1;
    }
    return farm.stop ? rc_progress_monitor_check(monitor, error) : 0;
}
