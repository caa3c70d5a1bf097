// SPDX-License-Identifier: GPL-3.0-or-later
/* candidates.c - candidates: sets of hosts with numbers of processes. */
#include "advise/place/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { COUNTS_MOST = 1024, POWERS = 63 };

void rc_place_candidates_free(struct rc_candidates *candidates)
{
    for (size_t i = 0; i < candidates->n_orders; i++)
        free(candidates->orders[i]);
    free(candidates->orders);
    free(candidates->items);
    *candidates = (struct rc_candidates){0};
}

/* ---- how many processes ---- */

size_t rc_place_candidates_hosts_for(const struct rc_candidate_host *hosts, const size_t *order,
                                     size_t n, int64_t procs, enum rc_candidate_filling filling)
{
    size_t wanted = filling == RC_FILL_SPREAD && procs > 0
                        ? (size_t)(procs < (int64_t)n ? procs : (int64_t)n)
                        : 0;
    int64_t room = 0;

    for (size_t k = 0; k < n; k++) {
        room += hosts[order[k]].slots;
        if (room >= procs && k + 1 >= wanted)
            return k + 1;
    }
    return 0;
}

static int by_count(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

int64_t *rc_place_candidates_counts(int64_t most, int slots, size_t *n, struct rc_error *error)
{
    int64_t *counts = calloc(2 * COUNTS_MOST + POWERS, sizeof *counts), step, used = 0;

    *n = 0;
    if (!counts) {
        rc_error_no_memory(error);
        return NULL;
    }
    slots = slots > 1 ? slots : 1;
    step = most <= COUNTS_MOST ? 1 : slots * (int64_t)ceil((double)most / slots / COUNTS_MOST);
    for (int64_t p = step; p <= most; p += step)
        counts[used++] = p;
    for (int64_t p = 1; p <= most / 2; p *= 2)
        counts[used++] = p;
    counts[used++] = most;
    qsort(counts, (size_t)used, sizeof *counts, by_count);
    for (int64_t i = 0; i < used; i++)
        if (counts[i] > 0 && (*n == 0 || counts[*n - 1] != counts[i]))
            counts[(*n)++] = counts[i];
    return counts;
}

/* ---- adding ---- */

/* An array of `n` numbers that the candidates own. */
static size_t *new_order(struct rc_candidates *candidates, size_t n, struct rc_error *error)
{
    size_t *order;

    if (rc_array_room(&candidates->orders, candidates->n_orders + 1, &candidates->orders_room,
                      sizeof *candidates->orders, error))
        return NULL;
    order = calloc(n + 1, sizeof *order);
    if (order)
        candidates->orders[candidates->n_orders++] = order;
    else
        rc_error_no_memory(error);
    return order;
}

static int add(struct rc_candidates *candidates, const struct rc_candidate_host *hosts,
               int64_t procs, const size_t *order, size_t n, struct rc_error *error)
{
    if (rc_array_room(&candidates->items, candidates->n + 1, &candidates->room,
                      sizeof *candidates->items, error))
        return -1;
    candidates->items[candidates->n++] = (struct rc_candidate){.cluster = hosts[order[0]].cluster,
                                                               .procs = procs,
                                                               .hosts = order,
                                                               .n_hosts = n,
                                                               .seconds = NAN};
    return 0;
}

struct ranked {
    double score;
    size_t host;
};

static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->host > y->host) - (x->host < y->host);
}

int rc_place_candidates_rank(const struct rc_candidate_host *hosts, const double *scores,
                             const size_t *members, size_t n, size_t *order, struct rc_error *error)
{
    struct ranked *ranked = calloc(n + 1, sizeof *ranked);

    if (!ranked)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        ranked[i] =
            (struct ranked){scores ? scores[members[i]] : hosts[members[i]].score, members[i]};
    qsort(ranked, n, sizeof *ranked, by_score);
    for (size_t i = 0; i < n; i++)
        order[i] = ranked[i].host;
    free(ranked);
    return 0;
}

int rc_place_candidates_add_further(struct rc_candidates *candidates,
                                    const struct rc_candidate_host *hosts, const size_t *members,
                                    size_t n, const struct rc_candidate_counts *counts, size_t each,
                                    struct rc_error *error)
{
    size_t *order = new_order(candidates, n, error);
    int status = order ? rc_place_candidates_rank(hosts, NULL, members, n, order, error) : -1;

    for (size_t i = 0; i < counts->n && status == 0; i++) {
        size_t first = 0;

        for (size_t turn = 0; turn < each && status == 0; turn++) {
            size_t k = rc_place_candidates_hosts_for(hosts, order + first, n - first,
                                                     counts->procs[i], counts->filling);

            /* The last ones would be spread over fewer hosts than the first. */
            if (k == 0 ||
                (turn > 0 && counts->filling == RC_FILL_SPREAD && (int64_t)k < counts->procs[i]))
                break;
            status = add(candidates, hosts, counts->procs[i], order + first, k, error);
            first += k > 1 ? k / 2 : 1;
        }
    }
    return status;
}

/* ---- windows ---- */

struct window {
    size_t first, n;
    double least, mean;
};

static int by_worst(const void *a, const void *b)
{
    const struct window *x = a, *y = b;

    if (x->least != y->least)
        return x->least > y->least ? -1 : 1;
    if (x->mean != y->mean)
        return x->mean > y->mean ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* What a window that moves to the right holds: `queue` has the places that may still be the least,
 * by rising score. */
struct sliding {
    const struct rc_candidate_host *hosts;
    const size_t *members;
    size_t *queue, head, tail;
    size_t first, end; /* of the window */
    int64_t room;
    double sum;
};

static double score_at(const struct sliding *sliding, size_t place)
{
    return sliding->hosts[sliding->members[place]].score;
}

static void take_in(struct sliding *sliding)
{
    size_t place = sliding->end++;

    while (sliding->tail > sliding->head &&
           score_at(sliding, sliding->queue[sliding->tail - 1]) >= score_at(sliding, place))
        sliding->tail--;
    sliding->queue[sliding->tail++] = place;
    sliding->room += sliding->hosts[sliding->members[place]].slots;
    sliding->sum += score_at(sliding, place);
}

static void let_go(struct sliding *sliding)
{
    size_t place = sliding->first++;

    if (sliding->head < sliding->tail && sliding->queue[sliding->head] == place)
        sliding->head++;
    sliding->room -= sliding->hosts[sliding->members[place]].slots;
    sliding->sum -= score_at(sliding, place);
}

/* All windows that hold so many processes, each as short as it can be. */
static size_t find_windows(struct sliding *sliding, size_t n, int64_t procs,
                           enum rc_candidate_filling filling, struct window *windows)
{
    size_t wanted =
        filling == RC_FILL_SPREAD ? (size_t)(procs < (int64_t)n ? procs : (int64_t)n) : 1;
    size_t found = 0;

    while (sliding->first < n) {
        while (sliding->end < n &&
               (sliding->room < procs || sliding->end - sliding->first < wanted))
            take_in(sliding);
        if (sliding->room < procs || sliding->end - sliding->first < wanted)
            break;
        windows[found++] = (struct window){sliding->first, sliding->end - sliding->first,
                                           score_at(sliding, sliding->queue[sliding->head]),
                                           sliding->sum / (double)(sliding->end - sliding->first)};
        let_go(sliding);
    }
    return found;
}

int rc_place_candidates_add_windows(struct rc_candidates *candidates,
                                    const struct rc_candidate_host *hosts, const size_t *members,
                                    size_t n, const struct rc_candidate_counts *counts, size_t each,
                                    struct rc_error *error)
{
    struct window *windows = calloc(n + 1, sizeof *windows);
    size_t *queue = calloc(n + 1, sizeof *queue), *order = new_order(candidates, n, error);
    int status = order ? 0 : -1;

    if (status == 0 && (!windows || !queue))
        status = rc_error_no_memory(error);
    if (status == 0)
        memcpy(order, members, n * sizeof *order);
    for (size_t i = 0; i < counts->n && status == 0; i++) {
        struct sliding sliding = {.hosts = hosts, .members = order, .queue = queue};
        size_t found = find_windows(&sliding, n, counts->procs[i], counts->filling, windows);

        qsort(windows, found, sizeof *windows, by_worst);
        for (size_t w = 0; w < found && w < each && status == 0; w++)
            status = add(candidates, hosts, counts->procs[i], order + windows[w].first,
                         windows[w].n, error);
    }
    free(windows);
    free(queue);
    return status;
}

/* ---- exchanging hosts ---- */

static bool has(const struct rc_candidate *candidate, size_t host)
{
    for (size_t i = 0; i < candidate->n_hosts; i++)
        if (candidate->hosts[i] == host)
            return true;
    return false;
}

/* Adds `base` with `in` for the host at place `out` of `ranked`, its own hosts by falling score. */
static int add_swap(struct rc_candidates *candidates, const struct rc_candidate_host *hosts,
                    const struct rc_candidate *base, const size_t *ranked, size_t out, size_t in,
                    enum rc_candidate_filling filling, struct rc_error *error)
{
    size_t *order = new_order(candidates, base->n_hosts, error);

    if (!order)
        return -1;
    memcpy(order, ranked, base->n_hosts * sizeof *order);
    order[out] = in;
    if (rc_place_candidates_hosts_for(hosts, order, base->n_hosts, base->procs, filling) == 0)
        return 0;
    return add(candidates, hosts, base->procs, order, base->n_hosts, error);
}

int rc_place_candidates_add_swaps(struct rc_candidates *candidates,
                                  const struct rc_candidate_host *hosts,
                                  const struct rc_candidate *base, const size_t *members, size_t n,
                                  enum rc_candidate_filling filling, size_t reach,
                                  struct rc_error *error)
{
    const struct rc_candidate from = *base; /* items may move */
    size_t *inside = calloc(from.n_hosts + 1, sizeof *inside);
    size_t *outside = calloc(n + 1, sizeof *outside), n_outside = 0;
    int status = inside && outside ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < n && status == 0; i++)
        if (!has(&from, members[i]))
            outside[n_outside++] = members[i];
    if (status == 0)
        status = rc_place_candidates_rank(hosts, NULL, from.hosts, from.n_hosts, inside, error) ||
                         rc_place_candidates_rank(hosts, NULL, outside, n_outside, outside, error)
                     ? -1
                     : 0;
    for (size_t i = 0; i < reach && i < from.n_hosts && status == 0; i++)
        for (size_t j = 0; j < reach && j < n_outside && status == 0; j++)
            status = add_swap(candidates, hosts, &from, inside, from.n_hosts - 1 - i, outside[j],
                              filling, error);
    free(inside);
    free(outside);
    return status;
}
