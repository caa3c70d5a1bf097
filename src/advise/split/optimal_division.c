// SPDX-License-Identifier: GPL-3.0-or-later
/* optimal_division.c - the search for the division that ends earliest.
 *
 * First down the slope, from the best starts: at the best division a unit more costs the same
 * wherever it goes, so hosts where it costs more than on average lose work by a factor, and the
 * others gain (exponentiated gradient).  Then, from the best of these, one host after the other is
 * tried with a little more and a little less, and each with a part of each other's work, in steps
 * that shrink, since slopes of a maximum have corners.  Invariant: the best division so far is
 * stored, and none that costs more is accepted. */
#include "advise/split/optimal_division.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"

enum { DESCENTS = 60 };
static const double stride = 0.5;      /* of the first descents, in logarithms of work */
static const double strides_decay = 8; /* descents after which it is half as long */
static const double try_from = 0.3, try_to = 0.001; /* of a host's work, that are tried */
static const double near = 0.2; /* of the scenarios about a quantile that its slope is taken from */
static const double effort = 2e9; /* cells that trying may read, at most */

struct search {
    const struct rc_optimal *optimal;
    size_t n;
    double *seconds, *fixed;       /* of each host, alone */
    double *times, *ranks;         /* along each scenario; in order */
    double *slopes;                /* 2 n */
    double *sum;                   /* of slopes */
    double *now, *tried;           /* divisions */
    struct rc_balance_host *shape; /* of a division, to keep its sum and limits */
    double *best, best_cost;
    double looked; /* at cells so far */
};

/* ---- what a division costs ---- */

static void set_seconds(const struct rc_optimal *optimal, const double *units, double *seconds,
                        double *fixed)
{
    for (size_t h = 0; h < rc_split_paths_hosts(optimal->paths); h++) {
        seconds[h] = units[h] * optimal->hosts[h].unit;
        fixed[h] = optimal->hosts[h].fixed;
    }
}

double rc_split_optimal_cost(const struct rc_optimal *optimal, double *times)
{
    size_t n = rc_split_paths_count(optimal->paths), below;
    double at, sum = 0;

    if (isnan(optimal->quantile)) {
        for (size_t i = 0; i < n; i++)
            sum += times[i];
        return sum / (double)n;
    }
    rc_sort_doubles(times, n);
    at = optimal->quantile * (double)(n - 1);
    below = (size_t)at;
    if (below + 1 >= n)
        return times[n - 1];
    return times[below] + (at - (double)below) * (times[below + 1] - times[below]);
}

static double cost_of(struct search *search, const double *units)
{
    const struct rc_optimal *optimal = search->optimal;
    const struct rc_paths_work work = {search->seconds, search->fixed};
    size_t n = rc_split_paths_count(optimal->paths);

    set_seconds(optimal, units, search->seconds, search->fixed);
    for (size_t i = 0; i < n; i++)
        search->times[i] = rc_split_paths_time(optimal->paths, i, optimal->coupling, &work, NULL);
    memcpy(search->ranks, search->times, n * sizeof *search->ranks);
    search->looked += (double)rc_split_paths_cells(optimal->paths);
    return rc_split_optimal_cost(optimal, search->ranks);
}

static double keep_better(struct search *search, const double *units, double cost)
{
    if (cost < search->best_cost) {
        search->best_cost = cost;
        memcpy(search->best, units, search->n * sizeof *units);
    }
    return cost;
}

static double judge(struct search *search, const double *units)
{
    return keep_better(search, units, cost_of(search, units));
}

/* Whether the scenario counts for the slope: all do for the mean. */
static bool counts(const struct search *search, double time)
{
    size_t n = rc_split_paths_count(search->optimal->paths);
    double q = search->optimal->quantile, last = (double)(n - 1);

    if (isnan(q))
        return true;
    return time >= search->ranks[(size_t)(fmax(q - near / 2, 0) * last)] &&
           time <= search->ranks[(size_t)ceil(fmin(q + near / 2, 1) * last)];
}

/* How much a unit more on each host costs, into `sum`, and the times along the scenarios with it.
 * For a quantile, the division was judged just before. */
static void find_slopes(struct search *search)
{
    const struct rc_optimal *optimal = search->optimal;
    const struct rc_paths_work work = {search->seconds, search->fixed};

    memset(search->slopes, 0, 2 * search->n * sizeof *search->slopes);
    for (size_t i = 0; i < rc_split_paths_count(optimal->paths); i++)
        if (counts(search, search->times[i]))
            search->times[i] =
                rc_split_paths_time(optimal->paths, i, optimal->coupling, &work, search->slopes);
    for (size_t h = 0; h < search->n; h++)
        search->sum[h] = search->slopes[h] * optimal->hosts[h].unit;
}

/* Judges it, and finds its slopes: for the mean, one pass over the scenarios gives both. */
static void judge_with_slopes(struct search *search, const double *units)
{
    if (!isnan(search->optimal->quantile)) {
        judge(search, units);
        find_slopes(search);
        return;
    }
    set_seconds(search->optimal, units, search->seconds, search->fixed);
    find_slopes(search);
    keep_better(search, units, rc_split_optimal_cost(search->optimal, search->times));
}

/* ---- divisions ---- */

/* Makes a division sum to the whole, with no host above its limit.  A division is balanced if a
 * unit takes 1 / work. */
static int fit(struct search *search, double *units, struct rc_error *error)
{
    double least = search->optimal->total * 1e-9;

    for (size_t h = 0; h < search->n; h++)
        search->shape[h] =
            (struct rc_balance_host){1 / fmax(units[h], least), 0, search->optimal->hosts[h].most};
    return rc_split_balance(search->shape, search->n, search->optimal->total, units, error);
}

static int descend(struct search *search, const double *start, struct rc_error *error)
{
    memcpy(search->now, start, search->n * sizeof *start);
    if (fit(search, search->now, error))
        return -1;
    for (int k = 0; k < DESCENTS; k++) {
        double mean = 0, length = stride / (1 + k / strides_decay);

        judge_with_slopes(search, search->now);
        for (size_t h = 0; h < search->n; h++)
            mean += search->sum[h] * search->now[h] / search->optimal->total;
        if (!(mean > 0))
            return 0;
        for (size_t h = 0; h < search->n; h++)
            search->now[h] *= exp(fmax(fmin(length * (1 - search->sum[h] / mean), 1), -1));
        if (fit(search, search->now, error))
            return -1;
    }
    judge(search, search->now);
    return 0;
}

/* Tries the best division with a host's work times `factor`.  1: that is better. */
static int try_host(struct search *search, size_t host, double factor, struct rc_error *error)
{
    double before = search->best_cost;

    memcpy(search->tried, search->best, search->n * sizeof *search->tried);
    search->tried[host] *= factor;
    if (fit(search, search->tried, error))
        return -1;
    judge(search, search->tried);
    return search->best_cost < before;
}

/* Each host with a little more, and a little less.  1: something was better. */
static int try_hosts(struct search *search, double step, struct rc_error *error)
{
    int better = 0;

    for (size_t h = 0; h < search->n && search->looked < effort; h++) {
        int more = try_host(search, h, 1 + step, error);
        int less = more == 0 ? try_host(search, h, 1 / (1 + step), error) : 0;

        if (more < 0 || less < 0)
            return -1;
        better |= more | less;
    }
    return better;
}

/* A part of each host's work on each other one that has room for it: where several hosts are the
 * slowest in turn, taking from one alone leads nowhere. */
static int try_pairs(struct search *search, double step)
{
    int better = 0;

    for (size_t i = 0; i < search->n * search->n && search->looked < effort; i++) {
        size_t from = i / search->n, to = i % search->n;
        double part = step * search->best[from], before = search->best_cost;

        if (from == to || search->best[to] + part > search->optimal->hosts[to].most)
            continue;
        memcpy(search->tried, search->best, search->n * sizeof *search->tried);
        search->tried[from] -= part;
        search->tried[to] += part;
        judge(search, search->tried);
        better |= search->best_cost < before;
    }
    return better;
}

static int try_all(struct search *search, struct rc_error *error)
{
    double step = try_from;

    while (step > try_to && search->looked < effort) {
        int better = try_hosts(search, step, error);

        if (better < 0)
            return -1;
        if (!better && !try_pairs(search, step))
            step /= 2;
    }
    return 0;
}

/* ---- the search ---- */

int rc_split_optimal_times(const struct rc_optimal *optimal, const double *units, double *times,
                           struct rc_error *error)
{
    size_t n = rc_split_paths_hosts(optimal->paths);
    double *seconds = malloc((2 * n + 1) * sizeof *seconds);
    struct rc_paths_work work = {seconds, seconds + n};

    if (!seconds)
        return rc_error_no_memory(error);
    set_seconds(optimal, units, seconds, seconds + n);
    for (size_t i = 0; i < rc_split_paths_count(optimal->paths); i++)
        times[i] = rc_split_paths_time(optimal->paths, i, optimal->coupling, &work, NULL);
    free(seconds);
    return 0;
}

/* What a start costs once it fits. */
static int judge_start(struct search *search, const double *start, double *cost,
                       struct rc_error *error)
{
    memcpy(search->now, start, search->n * sizeof *start);
    if (fit(search, search->now, error))
        return -1;
    *cost = judge(search, search->now);
    return 0;
}

/* Valleys of the mean are wide: the way down from the second best start seldom ends lower than that
 * from the best, and hardly ever from a third. */
static int search_from_best(struct search *search, const double *starts, size_t n_starts,
                            struct rc_error *error)
{
    size_t from[2] = {0};
    double least[2] = {INFINITY, INFINITY};

    search->best_cost = INFINITY;
    for (size_t i = 0; i < n_starts; i++) {
        double cost;

        if (judge_start(search, starts + i * search->n, &cost, error))
            return -1;
        if (cost < least[0]) {
            from[1] = from[0];
            least[1] = least[0];
            from[0] = i;
            least[0] = cost;
        } else if (cost < least[1]) {
            from[1] = i;
            least[1] = cost;
        }
    }
    for (size_t k = 0; k < 2 && isfinite(least[k]); k++)
        if (descend(search, starts + from[k] * search->n, error))
            return -1;
    assert(n_starts == 0 || search->best_cost <= least[0] || isnan(least[0]));
    search->looked = 0;
    return try_all(search, error);
}

int rc_split_optimal_find(const struct rc_optimal *optimal, const double *starts, size_t n_starts,
                          double *units, struct rc_error *error)
{
    size_t n = rc_split_paths_hosts(optimal->paths), n_paths = rc_split_paths_count(optimal->paths);
    double *room = malloc((7 * n + 2 * n_paths) * sizeof *room);
    struct rc_balance_host *shape = malloc((n + 1) * sizeof *shape);
    int status = -1;

    if (room && shape) {
        struct search search = {.optimal = optimal,
                                .n = n,
                                .shape = shape,
                                .best = units,
                                .seconds = room,
                                .fixed = room + n,
                                .slopes = room + 2 * n,
                                .sum = room + 4 * n,
                                .now = room + 5 * n,
                                .tried = room + 6 * n,
                                .times = room + 7 * n,
                                .ranks = room + 7 * n + n_paths};

        status = search_from_best(&search, starts, n_starts, error);
    } else {
        rc_error_no_memory(error);
    }
    free(room);
    free(shape);
    return status;
}
