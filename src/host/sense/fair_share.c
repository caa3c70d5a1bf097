// SPDX-License-Identifier: GPL-3.0-or-later
/* fair_share.c - the share of a new process with competitors.
 *
 * The level l solves
 *
 *     min(m, l w) + sum over i of min(d_i, l w_i) = C
 *
 * where w is the weight of the new one, and m the most it can use: 1 for a process.  That is
 * max-min fairness with demands, as of weighted fair queueing (Demers, Keshav, Shenker, "Analysis
 * and simulation of a fair queueing algorithm", SIGCOMM 1989).  The left side grows with l, so that
 * halving an interval finds it. */
#include "host/sense/fair_share.h"

#include <math.h>

enum { HALVINGS = 50 };

static double others(double level, const struct rc_sense_competitor *competitors, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += fmin(competitors[i].demand, level * competitors[i].weight);
    return sum;
}

static double fill(double capacity, const struct rc_sense_competitor *competitors, size_t n,
                   double weight, double most)
{
    double low = 0, high = most / weight; /* at which it has all that it can use */

    if (!(capacity > 0))
        return 0;
    if (most + others(high, competitors, n) <= capacity)
        return most;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);

        if (middle * weight + others(middle, competitors, n) <= capacity)
            low = middle;
        else
            high = middle;
    }
    return low * weight;
}

double rc_sense_fair_share(double capacity, const struct rc_sense_competitor *competitors, size_t n)
{
    return fill(capacity, competitors, n, 1, 1);
}

double rc_sense_fair_share_group(double capacity, const struct rc_sense_competitor *competitors,
                                 size_t n, double weight)
{
    return fill(capacity, competitors, n, weight, capacity);
}

double rc_sense_weight(int nice)
{
    return pow(1.25, -nice);
}
