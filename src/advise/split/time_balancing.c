// SPDX-License-Identifier: GPL-3.0-or-later
/* time_balancing.c - time balancing.
 *
 * Until t, host i can do clamp((t - C_i) / u_i, 0, most_i), so all of them together can do a sum
 * that rises with t along straight lines; its corners are where a host begins and where it is full.
 * The answer is where that sum is the work. */
#include "advise/split/time_balancing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

static double done_by(const struct rc_balance_host *host, double t)
{
    return fmin(fmax((t - host->fixed) / host->unit, 0), host->most);
}

static double all_done_by(const struct rc_balance_host *hosts, size_t n, double t)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += done_by(&hosts[i], t);
    return sum;
}

static int check(const struct rc_balance_host *hosts, size_t n, double total, bool whole,
                 struct rc_error *error)
{
    double room = 0;

    if (!(total > 0) || !isfinite(total))
        return rc_error_set(error, "no work to divide");
    for (size_t i = 0; i < n; i++) {
        if (!(hosts[i].unit > 0) || !isfinite(hosts[i].unit) || !(hosts[i].fixed >= 0) ||
            !isfinite(hosts[i].fixed) || !(hosts[i].most >= 0))
            return rc_error_set(error, "host %zu of %zu has no speed", i + 1, n);
        room += whole ? floor(hosts[i].most) : hosts[i].most;
    }
    if (room >= total)
        return 0;
    rc_error_set(error, "the hosts can take only %.6g of %.6g units", room, total);
    return rc_error_hint(error, "take more hosts, or hosts with more memory");
}

/* Between which corners the work is done; they are 2 n, rising. */
static double find_end(const struct rc_balance_host *hosts, size_t n, double total,
                       const double *corners)
{
    size_t low = 0, high = 2 * n; /* not done by corner `low`; done by `high`, or after all */
    double from, rest, speed = 0;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (all_done_by(hosts, n, corners[middle]) < total)
            low = middle;
        else
            high = middle;
    }
    from = corners[low];
    rest = total - all_done_by(hosts, n, from);
    for (size_t i = 0; i < n; i++)
        if (hosts[i].fixed <= from && done_by(&hosts[i], from) < hosts[i].most)
            speed += 1 / hosts[i].unit;
    /* After rounding, no host may have work left: then it is done. */
    return speed > 0 ? from + rest / speed : from;
}

int rc_split_balance(const struct rc_balance_host *hosts, size_t n, double total, double *work,
                     struct rc_error *error)
{
    double *corners, end, sum;

    if (check(hosts, n, total, false, error))
        return -1;
    corners = malloc((2 * n + 1) * sizeof *corners);
    if (!corners)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        corners[2 * i] = hosts[i].fixed;
        corners[2 * i + 1] = hosts[i].fixed + hosts[i].most * hosts[i].unit;
    }
    rc_sort_doubles(corners, 2 * n);
    end = find_end(hosts, n, total, corners);
    free(corners);
    sum = all_done_by(hosts, n, end);
    for (size_t i = 0; i < n; i++)
        work[i] = fmin(done_by(&hosts[i], end) * (total / sum), hosts[i].most);
    return 0;
}

static size_t first_to_end(const struct rc_balance_host *hosts, size_t n, const int64_t *units)
{
    size_t first = n;
    double earliest = INFINITY;

    for (size_t i = 0; i < n; i++) {
        double end = hosts[i].fixed + (double)(units[i] + 1) * hosts[i].unit;

        if ((double)(units[i] + 1) <= hosts[i].most && end < earliest) {
            first = i;
            earliest = end;
        }
    }
    return first;
}

/* Units that end before the end of the finest division are given out first whatever comes later, so
 * only the last ones, about as many as there are hosts, are given out one by one. */
int rc_split_balance_units(const struct rc_balance_host *hosts, size_t n, int64_t total,
                           int64_t *units, struct rc_error *error)
{
    double *work;
    int64_t rest = total;

    if (check(hosts, n, (double)total, true, error))
        return -1;
    work = malloc((n + 1) * sizeof *work);
    if (!work)
        return rc_error_no_memory(error);
    if (rc_split_balance(hosts, n, (double)total, work, error)) {
        free(work);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        /* One less, lest rounding gives a unit that is not among the first. */
        units[i] = work[i] >= 1 ? (int64_t)floor(work[i]) - 1 : 0;
        rest -= units[i];
    }
    free(work);
    for (; rest > 0; rest--)
        units[first_to_end(hosts, n, units)]++;
    return 0;
}
