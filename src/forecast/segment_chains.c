// SPDX-License-Identifier: GPL-3.0-or-later
/* segment_chains.c - chains of segments of the past.
 *
 * Invariants: `by_level` has the segments whose length and whose follower's length are known, by
 * rising level; like[p] is the range of it with levels like that of the follower of place p, where
 * a chain continues, with all that have the same level as the furthest of them. */
#include "forecast/segment_chains.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

enum {
    LEAST = 24,      /* segments to go by */
    LIKE_SHARE = 16, /* one in so many segments is like another, and LIKE_LEAST at least */
    LIKE_LEAST = 12,
    TRIES = 32 /* to find one that has lasted as long */
};

struct segment {
    double level;
    size_t length, followed_by; /* its length */
    double follower;            /* its level */
};

struct range {
    size_t first, end;
};

struct rc_segments {
    struct segment *by_level;
    size_t n;
    double now; /* the last level, and for how many values it has been there */
    size_t age;
    struct range like_now;
    struct range *like;
};

void rc_forecast_segments_destroy(struct rc_segments *segments)
{
    if (!segments)
        return;
    free(segments->by_level);
    free(segments->like);
    free(segments);
}

/* ---- finding them ---- */

/* The first place after the value at `i` that has another. */
static size_t end_of(const double *values, size_t n, size_t i)
{
    size_t end = i + 1;

    while (end < n && values[end] == values[i])
        end++;
    return end;
}

/* What is cut off by the ends of the past, or by values that are not known, has no length. */
static void collect(struct rc_segments *segments, const double *values, size_t n)
{
    bool whole = false; /* the one before is known, and has its length */
    struct segment before = {0};
    bool after_known = false;

    for (size_t i = 0, end; i < n; i = end) {
        end = end_of(values, n, i);
        if (!isfinite(values[i])) {
            whole = after_known = false;
            continue;
        }
        segments->now = values[i];
        segments->age = end - i;
        if (!after_known || end == n || !isfinite(values[end])) {
            whole = false;
        } else {
            if (whole) {
                before.follower = values[i];
                before.followed_by = end - i;
                segments->by_level[segments->n++] = before;
            }
            before = (struct segment){.level = values[i], .length = end - i};
            whole = true;
        }
        after_known = true;
    }
}

static int by_level(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;

    return x->level != y->level ? (x->level > y->level) - (x->level < y->level)
                                : (x->length > y->length) - (x->length < y->length);
}

/* ---- which are like one another ---- */

/* Widens a range until it has `n` places or all, the nearer end first. */
static void widen(const struct rc_segments *segments, double level, size_t n, struct range *range)
{
    const struct segment *all = segments->by_level;

    while (range->end - range->first < n && range->end - range->first < segments->n) {
        bool can_fall = range->first > 0, can_rise = range->end < segments->n;

        if (can_fall &&
            (!can_rise || level - all[range->first - 1].level <= all[range->end].level - level))
            range->first--;
        else
            range->end++;
    }
    while (range->first > 0 && all[range->first - 1].level == all[range->first].level)
        range->first--;
    while (range->end < segments->n && all[range->end].level == all[range->end - 1].level)
        range->end++;
}

/* The first place whose level is not below this one. */
static size_t place_of(const struct rc_segments *segments, double level)
{
    size_t low = 0, high = segments->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (segments->by_level[middle].level < level)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct range find_like(const struct rc_segments *segments, double level)
{
    size_t wanted = segments->n / LIKE_SHARE;
    struct range range;

    range.first = range.end = place_of(segments, level);
    widen(segments, level, wanted < LIKE_LEAST ? LIKE_LEAST : wanted, &range);
    return range;
}

/* ---- making and drawing ---- */

static struct rc_segments *make(size_t n)
{
    struct rc_segments *segments = calloc(1, sizeof *segments);

    if (!segments)
        return NULL;
    segments->by_level = calloc(n + 1, sizeof *segments->by_level);
    segments->like = calloc(n + 1, sizeof *segments->like);
    if (segments->by_level && segments->like)
        return segments;
    rc_forecast_segments_destroy(segments);
    return NULL;
}

int rc_forecast_segments_create(const double *values, size_t n, struct rc_segments **created,
                                struct rc_error *error)
{
    struct rc_segments *segments = make(n);

    *created = NULL;
    if (!segments)
        return rc_error_no_memory(error);
    collect(segments, values, n);
    if (segments->n < LEAST) {
        rc_forecast_segments_destroy(segments);
        return 0;
    }
    qsort(segments->by_level, segments->n, sizeof *segments->by_level, by_level);
    for (size_t p = 0; p < segments->n; p++)
        segments->like[p] = find_like(segments, segments->by_level[p].follower);
    segments->like_now = find_like(segments, segments->now);
    *created = segments;
    return 1;
}

static size_t pick(const struct range *range, struct rc_random *random)
{
    return range->first + (size_t)rc_random_below(random, range->end - range->first);
}

/* For how much longer the present level stays: as one like it did that had been there as long or,
 * where none is found, as any; where none lasted as long, up to as long again. */
static size_t left_of_now(const struct rc_segments *segments, struct rc_random *random)
{
    const struct range any = {0, segments->n};

    for (int try = 0; try < 2 * TRIES; try++) {
        size_t at = pick(try < TRIES ? &segments->like_now : &any, random);

        if (segments->by_level[at].length >= segments->age)
            return segments->by_level[at].length - segments->age;
    }
    return (size_t)rc_random_below(random, segments->age + 1);
}

void rc_forecast_segments_draw(const struct rc_segments *segments, struct rc_random *random,
                               size_t horizon, double *path)
{
    const struct range *like = &segments->like_now;
    size_t left = left_of_now(segments, random), done = 0;
    double level = segments->now;

    for (;;) {
        size_t at;

        for (; left > 0 && done < horizon; left--)
            path[done++] = level;
        if (done == horizon)
            return;
        at = pick(like, random);
        level = segments->by_level[at].follower;
        left = segments->by_level[at].followed_by;
        like = &segments->like[at];
    }
}
