// SPDX-License-Identifier: GPL-3.0-or-later
/* activity_counts.c - the number of programs with the same activity at once.
 *
 * With one more program, i are active if i - 1 others are and it is, or i others are and it is not.
 * Invariants, after each program:
 *   1. p[i] is exact for all i in [low, high]; outside of that it is below NEGLIGIBLE, and 0, since
 *      tails do not matter for sums, and denormal numbers are slow;
 *   2. the p sum to 1, except for rounding and tails, which the last step corrects. */
#include "model/slowdown/activity_counts.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

#define NEGLIGIBLE 1e-60

static void add_program(double *p, size_t *low, size_t *high, double share)
{
    double rest = 1 - share;

    p[*high + 1] = p[*high] * share;
    for (size_t i = *high; i > *low; i--)
        p[i] = p[i] * rest + p[i - 1] * share;
    p[*low] *= rest;
    ++*high;
    while (*high > *low && p[*high] < NEGLIGIBLE)
        p[(*high)--] = 0;
    while (*low < *high && p[*low] < NEGLIGIBLE)
        p[(*low)++] = 0;
    assert((*low == 0 || p[*low - 1] == 0) && p[*high + 1] == 0); /* 1 */
}

/* Smallest first, with compensated summation (Kahan). */
static double sum_of(const double *p, size_t n)
{
    double sum = 0, lost = 0;

    for (size_t i = 0; i < n; i++) {
        double next = p[i] - lost, all = sum + next;

        lost = (all - sum) - next;
        sum = all;
    }
    return sum;
}

int rc_slowdown_activity_of(const double *shares, size_t n, struct rc_activity *activity,
                            struct rc_error *error)
{
    size_t low = 0, high = 0;
    double sum;

    *activity = (struct rc_activity){0};
    for (size_t i = 0; i < n; i++)
        if (!(shares[i] >= 0 && shares[i] <= 1))
            return rc_error_set(error, "share %zu is %g; it must be from 0 to 1", i + 1, shares[i]);
    if (n >= SIZE_MAX / sizeof(double) - 2)
        return rc_error_no_memory(error);
    activity->p = calloc(n + 2, sizeof *activity->p);
    if (!activity->p)
        return rc_error_no_memory(error);
    activity->n = n;
    activity->p[0] = 1;
    for (size_t i = 0; i < n; i++)
        add_program(activity->p, &low, &high, shares[i]);
    sum = sum_of(activity->p, n + 1);
    assert(fabs(sum - 1) < 1e-6); /* 2 */
    for (size_t i = low; i <= high; i++)
        activity->p[i] /= sum;
    return 0;
}

long double *rc_slowdown_activity_pairs(const double *ones, const double *others, size_t n,
                                        struct rc_error *error)
{
    size_t row = n + 1;
    long double *p = n <= RC_ACTIVITY_PAIRS_MAX ? calloc(row * row, sizeof *p) : NULL;

    if (!p) {
        rc_error_set(error, "too many competitors: %zu, at most %d", n, RC_ACTIVITY_PAIRS_MAX);
        return NULL;
    }
    p[0] = 1;
    for (size_t k = 0; k < n; k++) {
        double neither = fmax(1 - ones[k] - others[k], 0);

        /* From the largest numbers down, so that values are read before they are changed. */
        for (size_t i = k + 2; i-- > 0;)
            for (size_t l = k + 2 - i; l-- > 0;)
                p[i * row + l] = p[i * row + l] * neither +
                                 (i > 0 ? p[(i - 1) * row + l] * ones[k] : 0) +
                                 (l > 0 ? p[i * row + l - 1] * others[k] : 0);
    }
    return p;
}

void rc_slowdown_activity_free(struct rc_activity *activity)
{
    free(activity->p);
    *activity = (struct rc_activity){0};
}
