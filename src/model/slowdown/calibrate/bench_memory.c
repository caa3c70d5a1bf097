// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_memory.c - slowdown by memory contention.
 *
 * Each process has arrays that are larger than the caches, and repeats a = b + s c, the triad of
 * J. McCalpin's STREAM.  Such a program only waits for memory, which is the worst case;
 * memory-bound shares of competitors scale it. */
#include <math.h>
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/error.h"
#include "host/sense/cores.h"
#include "model/slowdown/calibrate/bench.h"

#define CACHE_UNKNOWN 33554432.0 /* bytes: 32 MiB */
#define LEAST 33554432.0
#define MOST 268435456.0
#define NAP 0.005   /* seconds between two checks of idle processes */
#define SETTLE 0.01 /* seconds for active processes to start */
#define WORK 0.05   /* rough seconds of work of the measured process at a time */
enum { CHUNK = 1 << 15, LEVELS_MAX = 32 };

struct using_memory {
    struct rc_bench_shared shared;
    _Atomic size_t active; /* number of active others */
    size_t levels[LEVELS_MAX], n_levels;
    double slowdown[LEVELS_MAX][RC_BENCH_ROUNDS_MAX];
};

struct member {
    struct using_memory *all;
    size_t number; /* 0: the measured process */
    size_t n;      /* numbers in each array */
    size_t rounds;
    double *a, *b, *c; /* in the process alone */
};

static int take_memory(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct member *member = data;

    (void)worker;
    member->a = malloc(member->n * sizeof *member->a);
    member->b = malloc(member->n * sizeof *member->b);
    member->c = malloc(member->n * sizeof *member->c);
    if (!member->a || !member->b || !member->c)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < member->n; i++) {
        member->a[i] = 0;
        member->b[i] = 1;
        member->c[i] = (double)(i % 7);
    }
    return 0;
}

/* Works on a part of the arrays, from `at` on; returns its end. */
static size_t go_over(struct member *member, size_t at)
{
    size_t end = at + CHUNK < member->n ? at + CHUNK : member->n;

    for (size_t i = at; i < end; i++)
        member->a[i] = member->b[i] + 0.5 * member->c[i];
    /* otherwise, the compiler may remove it */
    __asm__ volatile("" : : "r"(member->a) : "memory");
    return end == member->n ? 0 : end;
}

static int other_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct member *member = data;
    size_t at = 0;

    (void)error;
    while (!rc_load_over(worker) && !member->all->shared.finished) {
        if (member->number <= member->all->active)
            at = go_over(member, at);
        else
            rc_load_sleep_until(worker, rc_load_now() + NAP);
    }
    return 0;
}

/* Seconds for `chunks` with `others`. */
static double measure(struct member *member, struct rc_load_worker *worker, size_t others,
                      size_t chunks)
{
    static size_t at;
    double begin;

    member->all->active = others;
    rc_load_sleep_until(worker, rc_load_now() + SETTLE);
    begin = rc_load_now();
    for (size_t i = 0; i < chunks && !rc_load_over(worker); i++)
        at = go_over(member, at);
    return rc_load_now() - begin;
}

static int measured_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct member *member = data;
    struct using_memory *all = member->all;
    size_t chunks = member->n / CHUNK + 1;
    double alone = measure(member, worker, 0, chunks), after;

    (void)error;
    chunks = (size_t)ceil((double)chunks * fmin(fmax(WORK / alone, 0.1), 1000));
    alone = measure(member, worker, 0, chunks);
    for (size_t r = 0; r < member->rounds; r++)
        for (size_t l = 0; l < all->n_levels && !rc_load_over(worker); l++) {
            double beside = measure(member, worker, all->levels[l], chunks);

            after = measure(member, worker, 0, chunks);
            all->slowdown[l][r] = beside / ((alone + after) / 2);
            alone = after;
            all->shared.done++;
        }
    all->shared.finished = true;
    return 0;
}

/* ---- how much, and how many ---- */

static double array_bytes(double asked, size_t processes)
{
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    double bytes = asked > 0 ? asked : fmax(2 * (cache > 0 ? (double)cache : CACHE_UNKNOWN), LEAST);
    struct sysinfo info;

    if (asked > 0)
        return bytes;
    if (sysinfo(&info) == 0)
        bytes = fmin(bytes, (double)info.freeram * info.mem_unit / 2 / (double)processes);
    return fmin(bytes, MOST);
}

/* 1, 2, 3, 4, 6, 8, 12, 16, ... and `most`. */
static void choose_levels(struct using_memory *all, size_t most)
{
    for (size_t level = 1; level <= most && all->n_levels < LEVELS_MAX - 1;
         level += level < 4                    ? 1
                  : (level & (level - 1)) == 0 ? level / 2
                                               : level / 3)
        all->levels[all->n_levels++] = level;
    if (all->n_levels == 0 || all->levels[all->n_levels - 1] != most)
        all->levels[all->n_levels++] = most;
}

/* Interpolates between measured numbers. */
static void fill_curve(struct using_memory *all, size_t rounds, struct rc_memory_curve *curve)
{
    double value, before = 1;
    size_t at = 0;

    curve->n = all->levels[all->n_levels - 1];
    for (size_t l = 0; l < all->n_levels; l++) {
        value = fmax(1, rc_slowdown_bench_median(all->slowdown[l], rounds));
        for (size_t i = at + 1; i <= all->levels[l]; i++)
            curve->slowdown[i - 1] =
                before + (value - before) * (double)(i - at) / (double)(all->levels[l] - at);
        at = all->levels[l];
        before = value;
    }
}

static int run(const struct rc_slowdown_bench_memory *order, const struct rc_sense_cores *cores,
               size_t n, struct using_memory *all, const struct rc_monitor *monitor,
               struct rc_error *error)
{
    struct member *members = calloc(n, sizeof *members);
    struct rc_load_task *tasks = calloc(n, sizeof *tasks);
    double bytes = array_bytes(order->bytes, n);
    int status = members && tasks ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < n && status == 0; i++) {
        members[i] = (struct member){.all = all,
                                     .number = i,
                                     .rounds = order->rounds,
                                     .n = (size_t)(bytes / 3 / sizeof(double)) + 1};
        tasks[i] = (struct rc_load_task){.prepare = take_memory,
                                         .body = i ? other_body : measured_body,
                                         .data = &members[i],
                                         .core = cores->items[i],
                                         .descriptor = -1};
    }
    all->shared.total = all->n_levels * order->rounds;
    if (status == 0)
        status = rc_slowdown_bench_run(tasks, n, &all->shared, monitor, NULL, error);
    free(members);
    free(tasks);
    return status;
}

int rc_slowdown_bench_memory(const struct rc_slowdown_bench_memory *order,
                             struct rc_memory_curve *curve, const struct rc_monitor *monitor,
                             struct rc_error *error)
{
    struct rc_sense_cores cores;
    struct using_memory *all;
    size_t n;
    int status;

    curve->n = 0;
    if (rc_sense_cores_allowed(&cores, error))
        return -1;
    n = cores.n <= RC_MEMORY_OTHERS_MAX ? cores.n : RC_MEMORY_OTHERS_MAX;
    if (n < 2)
        return 0;
    all = rc_slowdown_bench_share(sizeof *all, error);
    if (!all)
        return -1;
    choose_levels(all, n - 1);
    status = run(order, &cores, n, all, monitor, error);
    if (status == 0)
        fill_curve(all, order->rounds, curve);
    rc_slowdown_bench_unshare(all, sizeof *all);
    return status;
}
