// SPDX-License-Identifier: GPL-3.0-or-later
/* known_laws.c - run times that follow a known law. */
#include "known_laws.h"

#include <math.h>

static double lg(double x)
{
    return log2(x);
}

#define LAW(NAME, FIRST, SECOND, THIRD)                                                            \
    static double NAME(unsigned term, double n, double p, double cpu, double bw)                   \
    {                                                                                              \
        (void)n, (void)p, (void)cpu, (void)bw;                                                     \
        return term == 0 ? (FIRST) : term == 1 ? (SECOND) : (THIRD);                               \
    }
LAW(cholesky, n *n *n / (p * cpu), n *n *lg(p) / bw, 0)
LAW(transform, n *n *lg(n) / (p * cpu), p > 1 ? n * n / (p * bw) : 0, 0)
LAW(stencil, n *n / (p * cpu), p > 1 ? n / bw : 0, 0)
LAW(product, n *n *n / (p * cpu), p > 1 ? n * n / (sqrt(p) * bw) : 0, 0)
LAW(ring, n *n / (p * cpu), p > 1 ? n * p / bw : 0, 0)
LAW(sort, n *lg(n) / (p * cpu), p > 1 ? n / bw : 0, 0)
LAW(tree, n *n / (p * cpu), n *lg(p) / bw, 1)
LAW(gradients, pow(n, 1.5) / (p * cpu), p > 1 ? n / bw : 0, 0)
LAW(particles, n *n / (p * cpu), p > 1 ? n / bw : 0, lg(p))
LAW(amdahl, n *n / (p * cpu), n *n / cpu, p > 1 ? n / bw : 0)
LAW(shuffle, n *n *n / (p * cpu), p > 1 ? n * n * lg(p) / (p * bw) : 0, 0)
LAW(volume, n *n *n / (p * cpu), p > 1 ? n * n / (pow(p, 2.0 / 3) * bw) : 0, 0)

const struct law laws[LAWS] = {
    {"n^3/(P cpu) + n^2 log P/bw", {0.7, 0.3}, cholesky},
    {"n^2 log n/(P cpu) + n^2/(P bw)", {0.7, 0.3}, transform},
    {"n^2/(P cpu) + n/bw", {0.8, 0.2}, stencil},
    {"n^3/(P cpu) + n^2/(P^.5 bw)", {0.7, 0.3}, product},
    {"n^2/(P cpu) + n P/bw", {0.85, 0.15}, ring},
    {"n log n/(P cpu) + n/bw", {0.6, 0.4}, sort},
    {"n^1.5/(P cpu) + n/bw", {0.75, 0.25}, gradients},
    {"n^3/(P cpu) + n^2 log P/(P bw)", {0.7, 0.3}, shuffle},
    {"n^3/(P cpu) + n^2/(P^(2/3) bw)", {0.7, 0.3}, volume},
    {"n^2/(P cpu) + n log P/bw + c", {0.75, 0.15, 0.1}, tree},
    {"n^2/(P cpu) + n/bw + log P", {0.75, 0.15, 0.1}, particles},
    {"n^2/(P cpu) + n^2/cpu + n/bw", {0.75, 0.1, 0.15}, amdahl},
};

double law_term(const struct law *law, const struct rc_run *run, unsigned term)
{
    double middle = law->term(term, 600, 4, 0.6, 6e6);

    if (law->shares[term] == 0)
        return 0;
    return 100 * law->shares[term] / middle *
           law->term(term, run->n, (double)run->p, run->cpu_minavg, run->bw_minavg);
}
