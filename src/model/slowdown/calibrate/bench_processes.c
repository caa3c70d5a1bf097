// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_processes.c - the processes of measurements, their shared memory, and the median of their
 * results. */
#include <math.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "model/slowdown/calibrate/bench.h"
#include "testbed/load/load_processes.h"

void *rc_slowdown_bench_share(size_t size, struct rc_error *error)
{
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (shared != MAP_FAILED)
        return shared;
    rc_error_no_memory(error);
    return NULL;
}

void rc_slowdown_bench_unshare(void *shared, size_t size)
{
    if (shared)
        munmap(shared, size);
}

bool rc_slowdown_bench_over(const void *worker)
{
    return rc_load_over(worker);
}

/* A team reports its run time; the monitor needs the completed steps. */
struct listener {
    const struct rc_monitor *monitor;
    const struct rc_bench_shared *shared;
};

static void advance(void *data, uint64_t done, uint64_t total)
{
    const struct listener *listener = data;

    (void)done;
    (void)total;
    rc_progress_monitor_advance(listener->monitor, listener->shared->done, listener->shared->total);
}

static int cancelled(void *data)
{
    const struct listener *listener = data;

    return rc_progress_monitor_cancelled(listener->monitor);
}

int rc_slowdown_bench_run(const struct rc_load_task *tasks, size_t n,
                          struct rc_bench_shared *shared, const struct rc_monitor *monitor,
                          struct rc_load_tally *sum, struct rc_error *error)
{
    struct listener listener = {monitor, shared};
    const struct rc_monitor both = {advance, NULL, cancelled, &listener};
    struct rc_load_team *team = rc_load_team_create(n, error);
    int status = team ? 0 : -1;

    for (size_t i = 0; i < n && status == 0; i++)
        status = rc_load_team_add(team, &tasks[i], error);
    if (status == 0)
        status = rc_load_team_run(team, INFINITY, &both, error);
    if (status == 0)
        status = rc_progress_monitor_check(monitor, error);
    if (status == 0 && sum)
        *sum = rc_load_team_sum(team, 1, SIZE_MAX, -1);
    rc_load_team_destroy(team);
    return status;
}

double rc_slowdown_bench_median(double *values, size_t n)
{
    gsl_sort(values, 1, n);
    return n == 0 ? NAN : gsl_stats_median_from_sorted_data(values, 1, n);
}
