// SPDX-License-Identifier: GPL-3.0-or-later
/* program_work.c - how much of the time between two calls was work.
 *
 * Gaps whose CPU time was not measured are short, and all work; or long and not foreseen, or met
 * too often to be measured each time.  Long ones are taken to be like those at the same position
 * that were measured; where none was, as a rank's first and last computing may be, they are taken
 * to have been on a CPU for as much of their time as this rank's other gaps. */
#include "model/skeleton/match/program_work.h"

#include <math.h>

enum { SAMPLE_ENOUGH = 64 }; /* of CPU times, to stand for all */

struct sums {
    double cpu, wall;
};

/* Positions where half or more is measured, or stood for. */
static int add_sums(void *data, const struct rc_trace_position *position)
{
    const struct rc_trace_times *times = position->times;
    struct sums *sums = data;

    if (times->cpu.n == 0 || 2 * times->cpu.n < times->before.n)
        return 0;
    if (!position->samples) {
        sums->cpu += rc_trace_statistic_mean(&times->cpu) * (double)position->n;
        sums->wall += (double)times->before.sum;
        return 0;
    }
    for (uint64_t i = 0; i < position->n; i++)
        if (position->samples[i].cpu >= 0) {
            sums->cpu += (double)position->samples[i].cpu;
            sums->wall += (double)position->samples[i].before;
        }
    return 0;
}

int rc_skeleton_work_measure(struct rc_trace *trace, struct rc_skeleton_work_measure *measure,
                             struct rc_error *error)
{
    struct sums sums = {0};
    struct rc_trace_visitor visitor = {.call = add_sums, .data = &sums};

    measure->threshold = (double)rc_trace_header(trace)->cpu_threshold * 1e-9;
    measure->share = 1;
    if (rc_trace_walk(trace, &visitor, error))
        return -1;
    if (sums.wall > 0)
        measure->share = fmin(sums.cpu / sums.wall, 1);
    return 0;
}

/* How many gaps are longer than the threshold, and the time of the others. */
static double count_long(const struct rc_skeleton_work_measure *measure,
                         const struct rc_trace_times *times, double *rest)
{
    double sum = 0, above;

    above = rc_trace_statistic_above(&times->before, (uint64_t)(measure->threshold * 1e9), &sum);
    *rest = fmax((double)times->before.sum - sum, 0) * 1e-9;
    return fmax(above, (double)times->cpu.n);
}

/* Where the times are known one by one: what was not measured has no more than what was measured
 * has on average, and no more than it took. */
static double mean_of_samples(const struct rc_skeleton_work_measure *measure,
                              const struct rc_trace_position *position)
{
    bool any = position->times->cpu.n > 0;
    double measured = rc_trace_statistic_mean(&position->times->cpu) * 1e-9, sum = 0;

    for (uint64_t i = 0; i < position->n; i++) {
        double wall = (double)position->samples[i].before * 1e-9;

        if (position->samples[i].cpu >= 0)
            sum += (double)position->samples[i].cpu * 1e-9;
        else if (any)
            sum += fmin(wall, measured);
        else
            sum += wall > measure->threshold ? wall * measure->share : wall;
    }
    return sum / (double)position->n;
}

double rc_skeleton_work_mean(const struct rc_skeleton_work_measure *measure,
                             const struct rc_trace_position *position)
{
    const struct rc_trace_times *times = position->times;
    double n = (double)times->before.n, wall = rc_trace_statistic_mean(&times->before) * 1e-9;
    double cpu = rc_trace_statistic_mean(&times->cpu) * 1e-9, rest, many;

    if (position->samples)
        return fmin(wall, mean_of_samples(measure, position));
    many = count_long(measure, times, &rest);
    if (!times->cpu.n)
        return (rest + (wall * n - rest) * measure->share) / n;
    if ((double)times->before.least * 1e-9 > measure->threshold)
        return fmin(wall, cpu);
    return fmin(wall, (cpu * many + rest) / n);
}

bool rc_skeleton_work_is_measured(const struct rc_skeleton_work_measure *measure,
                                  const struct rc_trace_times *times)
{
    double rest;

    return 2 * times->cpu.n >= times->before.n ||
           (times->cpu.n >= SAMPLE_ENOUGH &&
            2 * count_long(measure, times, &rest) >= (double)times->before.n);
}

/* ---- computing before a loop, as distinct from the computing between its iterations ----
 *
 * Where a call was made a few times only, a trace has its times in order, and the first of each
 * round of the loop is known.  Otherwise there are the bins of all times together.  Where as many
 * of the longest as the loop was come to stand by themselves, with next to nothing between them and
 * the others, they are taken to be those of the first iterations. */

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
