// SPDX-License-Identifier: GPL-3.0-or-later
/* fill.c - what a new process gets beside others.
 *
 * The level l solves
 *
 *     min(1, l) + sum over i of min(d_i, l w_i) = C
 *
 * (max-min fairness with demands, as of weighted fair queueing: Demers, Keshav, Shenker, "Analysis
 * and simulation of a fair queueing algorithm", SIGCOMM 1989).  The left side grows
 * with l, so that halving an interval finds it. */
#include "sense/fill.h"

#include <math.h>

enum { HALVINGS = 40 };

static double taken(double level, const struct rc_sense_rival *rivals, size_t n)
{
    double sum = fmin(1, level);

    for (size_t i = 0; i < n; i++)
        sum += fmin(rivals[i].demand, level * rivals[i].weight);
    return sum;
}

double rc_sense_fill(double capacity, const struct rc_sense_rival *rivals, size_t n)
{
    double low = 0, high = 1;

    if (!(capacity > 0))
        return 0;
    if (taken(1, rivals, n) <= capacity)
        return 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);

        if (taken(middle, rivals, n) <= capacity)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double rc_sense_weight(int nice)
{
    return pow(1.25, -nice);
}
