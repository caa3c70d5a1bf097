// SPDX-License-Identifier: GPL-3.0-or-later
/* core_shares.c - how the cores of a host are shared by weight. */
#include <math.h>

#include "model/slowdown/contention_sim.h"

/* Of the first there are `first`, and of the others one each. */
static double count_of(size_t i, double first)
{
    return i == 0 ? first : 1;
}

void rc_slowdown_core_shares(const double *weights, double first, size_t n, double cores,
                             double *shares)
{
    double left = cores, sum = 0;
    bool more = true;

    for (size_t i = 0; i < n; i++)
        shares[i] = -1;
    /* Whoever would get more than a core gets one, and the others share what is left.  Their sum is
     * taken anew: beside a large weight, small ones are lost in it. */
    while (more) {
        double least;

        sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += shares[i] < 0 ? weights[i] * count_of(i, first) : 0;
        least = left / sum;
        more = false;
        for (size_t i = 0; i < n; i++)
            if (shares[i] < 0 && weights[i] * least >= 1) {
                shares[i] = 1;
                left -= count_of(i, first);
                more = true;
            }
    }
    for (size_t i = 0; i < n; i++)
        if (shares[i] < 0)
            shares[i] = fmax(weights[i] * left / sum, 0);
}
