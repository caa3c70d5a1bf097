// SPDX-License-Identifier: GPL-3.0-or-later
/* prologues.c - computing before a loop, as distinct from the computing between its iterations.
 *
 * Where a call was made a few times only, a trace has its times in order, and the first of each
 * round of the loop is known.  Otherwise there are the bins of all times together.  Where as many
 * of the longest as the loop was come to stand by themselves, with next to nothing between them and
 * the others, they are taken to be those of the first iterations. */
#include <math.h>

#include "model/skeleton/match/recorded_program_internal.h"

/* How far the number of long times may be from what it should be; how many may stand between them
 * and the others in one bin; and for how many bins, of which four are a factor of two. */
static const double number_part = 0.1, between_part = 0.05;
enum { GAP = 2 };

/* What is less than this part of all is not separated. */
static const double least_share = 0.02;

/* Sums of some of the times: how much it may be, from the bins, and give or take how much. */
struct part {
    double n, sum, width;
};

static void add_bin(const struct rc_trace_statistic *times, unsigned bin, struct part *part)
{
    double low = fmax((double)rc_trace_bin_start(bin), (double)times->least);
    double high = fmin((double)rc_trace_bin_start(bin + 1), (double)times->most);

    part->n += times->bins[bin];
    part->sum += times->bins[bin] * 0.5 * (low + high);
    part->width += times->bins[bin] * fmax(high - low, 0);
}

/* The bin from which on there are as many times as wanted; 0 where they do not stand apart. */
static unsigned find_bin(const struct rc_trace_statistic *times, double wanted)
{
    double n = 0;
    unsigned bin = RC_TRACE_BINS;

    while (bin > 0 && n < (1 - number_part) * wanted)
        n += times->bins[--bin];
    while (bin > 0 && times->bins[bin - 1] > 0 &&
           n + times->bins[bin - 1] <= (1 + number_part) * wanted)
        n += times->bins[--bin]; /* up to where they end */
    if (n > (1 + number_part) * wanted || bin < GAP)
        return 0;
    for (unsigned i = 1; i <= GAP; i++)
        if (times->bins[bin - i] > between_part * wanted)
            return 0;
    return bin;
}

static struct rc_prologue from_sums(double first, double n_first, double all, double n)
{
    double others = (all - first) / (n - n_first);
    double share = all > 0 ? (first - n_first * others) / all : 0;

    if (share < least_share)
        return (struct rc_prologue){.share = 0, .rest = 1};
    return (struct rc_prologue){.share = share, .rest = 1 - n_first / n};
}

/* The sum of the first ones: where all of them were alike, and all others too, it would follow from
 * the mean and the variance of all; it never is what the bins do not allow. */
static double sum_of_first(const struct rc_trace_statistic *times, const struct part *first,
                           const struct part *others)
{
    double n = (double)times->n, sum = (double)times->sum;
    double deviation = sqrt(rc_trace_statistic_variance(times) * (n - 1) / n);
    double alike = first->n * (sum / n + deviation * sqrt(others->n / first->n));
    double least = fmax(first->sum - first->width / 2, sum - others->sum - others->width / 2);
    double most = fmin(first->sum + first->width / 2, sum - others->sum + others->width / 2);

    return fmin(fmax(fmin(alike, most), least), sum);
}

static struct rc_prologue from_bins(const struct rc_trace_statistic *times, double prologues)
{
    unsigned bin = find_bin(times, prologues);
    struct part first = {0}, others = {0};

    if (bin == 0)
        return (struct rc_prologue){.share = 0, .rest = 1};
    for (unsigned i = 0; i < RC_TRACE_BINS; i++)
        add_bin(times, i, i < bin ? &others : &first);
    if (others.n <= 0)
        return (struct rc_prologue){.share = 0, .rest = 1};
    return from_sums(sum_of_first(times, &first, &others), first.n, (double)times->sum,
                     (double)times->n);
}

static struct rc_prologue from_samples(const struct rc_trace_sample *samples, uint64_t n,
                                       uint64_t iterations)
{
    double first = 0, all = 0;

    for (uint64_t i = 0; i < n; i++) {
        all += (double)samples[i].before;
        if (i % iterations == 0)
            first += (double)samples[i].before;
    }
    return from_sums(first, (double)(n / iterations), all, (double)n);
}

struct rc_prologue rc_skeleton_prologue_find(const struct rc_trace_position *position,
                                             uint64_t iterations)
{
    if (position->samples)
        return from_samples(position->samples, position->n, iterations);
    return from_bins(&position->times->before, (double)(position->n / iterations));
}
