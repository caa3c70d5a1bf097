// SPDX-License-Identifier: BSD-2-Clause
/* time_statistics.c - the times of one position of a loop's body, over all repetitions. */
#include "mpi/trace/time_statistics.h"

void rc_trace_statistic_merge(struct rc_trace_statistic *statistic,
                              const struct rc_trace_statistic *more)
{
    double move, distances;

    if (more->n == 0)
        return;
    if (statistic->n == 0) {
        *statistic = *more;
        return;
    }
    /* With every x - s written as (x - t) + (t - s), s and t being the two shifts. */
    move = more->shift - statistic->shift;
    distances = (double)more->sum - (double)more->n * more->shift;
    statistic->squares += more->squares + 2 * move * distances + (double)more->n * move * move;
    statistic->n += more->n;
    statistic->sum += more->sum;
    if (more->least < statistic->least)
        statistic->least = more->least;
    if (more->most > statistic->most)
        statistic->most = more->most;
    for (unsigned i = rc_trace_bin(more->least), end = rc_trace_bin(more->most); i <= end; i++)
        statistic->bins[i] = statistic->bins[i] > UINT32_MAX - more->bins[i]
                                 ? UINT32_MAX
                                 : statistic->bins[i] + more->bins[i];
}

void rc_trace_statistic_limit(struct rc_trace_statistic *statistic, uint64_t n)
{
    double part = (double)n / (double)statistic->n, sum = (double)statistic->sum * part;

    statistic->n = n;
    statistic->sum = (uint64_t)sum;
    if (statistic->sum < n * statistic->least) /* by rounding */
        statistic->sum = n * statistic->least;
    statistic->squares *= part;
    for (unsigned i = 0; i < RC_TRACE_BINS; i++)
        statistic->bins[i] = (uint32_t)(part * statistic->bins[i]);
}

double rc_trace_statistic_mean(const struct rc_trace_statistic *statistic)
{
    return statistic->n > 0 ? (double)statistic->sum / (double)statistic->n : 0;
}

double rc_trace_statistic_variance(const struct rc_trace_statistic *statistic)
{
    double off = rc_trace_statistic_mean(statistic) - statistic->shift, about_mean;

    if (statistic->n < 2)
        return 0;
    about_mean = statistic->squares - (double)statistic->n * off * off;
    return about_mean > 0 ? about_mean / (double)(statistic->n - 1) : 0;
}

uint64_t rc_trace_bin_start(unsigned bin)
{
    unsigned octave = bin > 0 ? 6 + (bin - 1) / 4 : 0;

    return bin > 0 ? (uint64_t)(4 + (bin - 1) % 4) << (octave - 2) : 0;
}

double rc_trace_statistic_quantile(const struct rc_trace_statistic *statistic, double fraction)
{
    double total = 0, below = 0, wanted, low, high;

    if (statistic->n == 0)
        return 0;
    for (unsigned i = 0; i < RC_TRACE_BINS; i++)
        total += statistic->bins[i];
    wanted = fraction * total;
    for (unsigned i = 0; i < RC_TRACE_BINS; i++) {
        double here = statistic->bins[i];

        if (here > 0 && below + here >= wanted) {
            low = (double)rc_trace_bin_start(i);
            high =
                i + 1 < RC_TRACE_BINS ? (double)rc_trace_bin_start(i + 1) : (double)statistic->most;
            low = low > (double)statistic->least ? low : (double)statistic->least;
            high = high < (double)statistic->most ? high : (double)statistic->most;
            return low + (high - low) * ((wanted - below) / here);
        }
        below += here;
    }
    /* A trace may be without bins. */
    return (double)statistic->least +
           fraction * ((double)statistic->most - (double)statistic->least);
}

/* The part of a bin, from `low` to `high`, that is at most `limit`. */
static double part_below(double low, double high, double limit)
{
    if (limit >= high)
        return 1;
    return limit <= low ? 0 : (limit - low) / (high - low);
}

double rc_trace_statistic_above(const struct rc_trace_statistic *statistic, uint64_t limit,
                                double *sum)
{
    double least = (double)statistic->least, most = (double)statistic->most, cut = (double)limit;
    double total = 0, below = 0, below_sum = 0;

    *sum = 0;
    if (statistic->n == 0 || statistic->most <= limit)
        return 0;
    *sum = (double)statistic->sum;
    if (statistic->least > limit)
        return (double)statistic->n;
    for (unsigned i = 0; i < RC_TRACE_BINS; i++) {
        double low = (double)rc_trace_bin_start(i), high = (double)rc_trace_bin_start(i + 1), part;

        low = low > least ? low : least;
        high = high < most && i + 1 < RC_TRACE_BINS ? high : most;
        part = statistic->bins[i] * part_below(low, high, cut);
        below += part;
        below_sum += part * (low + (high < cut ? high : cut)) / 2;
        total += statistic->bins[i];
    }
    if (total <= 0) { /* a trace may be without bins */
        total = 1;
        below = part_below(least, most, cut);
        below_sum = below * (least + cut) / 2;
    }
    below *= (double)statistic->n / total; /* bins may be full */
    below_sum *= (double)statistic->n / total;
    *sum = *sum > below_sum ? *sum - below_sum : 0;
    return (double)statistic->n - below;
}
