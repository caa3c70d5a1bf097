// SPDX-License-Identifier: BSD-2-Clause
/* time_statistics.h - the times of one position of a loop's body, over all repetitions. */
#ifndef RC_MPI_TRACE_TIME_STATISTICS_H
#define RC_MPI_TRACE_TIME_STATISTICS_H

#include <stdint.h>
#include <string.h>

enum { RC_TRACE_BINS = 128 };

/* Times in nanoseconds.  With n = 0, nothing else means anything. */
struct rc_trace_statistic {
    uint64_t n;
    uint64_t sum; /* exact */
    uint64_t least;
    uint64_t most;
    double shift;   /* some value near the others */
    double squares; /* of the distances from `shift`, summed: no cancellation, no division */
    /* How many were below 64 ns (bin 0), and then four bins for every doubling, the last from 206 s
     * on. A bin that is full stays at its maximum. */
    uint32_t bins[RC_TRACE_BINS];
};

/* Those of one position. */
struct rc_trace_times {
    struct rc_trace_statistic before; /* computing before the call, wall-clock time */
    struct rc_trace_statistic inside; /* the call itself */
    struct rc_trace_statistic cpu;    /* CPU time of the computing, where it was measured, or is
                                       * taken to be as where it was */
};

/* The bin that a time belongs to. */
static inline unsigned rc_trace_bin(uint64_t value)
{
    unsigned octave, bin;

    if (value < 64)
        return 0;
    octave = 63 - (unsigned)__builtin_clzll(value);
    bin = 1 + (octave - 6) * 4 + (unsigned)(value >> (octave - 2) & 3);
    return bin < RC_TRACE_BINS ? bin : RC_TRACE_BINS - 1;
}

/* Adds a value so many times, of which there is at least one. */
static inline void rc_trace_statistic_add_times(struct rc_trace_statistic *statistic,
                                                uint64_t value, uint32_t times)
{
    unsigned bin = rc_trace_bin(value);
    uint32_t room;
    double distance;

    if (statistic->n == 0) {
        statistic->sum = 0;
        statistic->least = statistic->most = value;
        statistic->shift = (double)value;
        statistic->squares = 0;
        memset(statistic->bins, 0, sizeof statistic->bins);
    }
    statistic->n += times;
    statistic->sum += times * value;
    if (value < statistic->least)
        statistic->least = value;
    if (value > statistic->most)
        statistic->most = value;
    distance = (double)value - statistic->shift;
    statistic->squares += times * distance * distance;
    room = UINT32_MAX - statistic->bins[bin];
    statistic->bins[bin] += times < room ? times : room;
}

/* Adds a value once. */
static inline void rc_trace_statistic_add(struct rc_trace_statistic *statistic, uint64_t value)
{
    rc_trace_statistic_add_times(statistic, value, 1);
}

/* As if all that was added to `more` had been added to `statistic` too. */
void rc_trace_statistic_merge(struct rc_trace_statistic *statistic,
                              const struct rc_trace_statistic *more);

/* Makes it that of n times, of which it had more, with as many of each as before in proportion. */
void rc_trace_statistic_limit(struct rc_trace_statistic *statistic, uint64_t n);

/* 0 where there is nothing; the variance is that of the sample (n - 1), 0 with fewer than two. */
double rc_trace_statistic_mean(const struct rc_trace_statistic *statistic);
double rc_trace_statistic_variance(const struct rc_trace_statistic *statistic);

/* The lowest value of a bin; of RC_TRACE_BINS, the end of the last. */
uint64_t rc_trace_bin_start(unsigned bin);

/* The time below which a fraction (0 to 1) of the times is, by the bins, and between the least and
 * the most; with fractions drawn evenly, draws from the distribution.  0 where there is nothing. */
double rc_trace_statistic_quantile(const struct rc_trace_statistic *statistic, double fraction);

/* How many times are above a limit, and in `*sum` what they come to, by the bins: exact where all
 * are, or none. */
double rc_trace_statistic_above(const struct rc_trace_statistic *statistic, uint64_t limit,
                                double *sum);

#endif
