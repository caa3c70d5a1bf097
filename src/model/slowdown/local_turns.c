// SPDX-License-Identifier: GPL-3.0-or-later
/* local_turns.c - local slowdown on one core with different weights.
 *
 * With weights, there is no product form as in local_queue.c.  Each competitor is assumed to
 * compute independently of the others.  Its share of the time follows from its speed, and that
 * from the shares of the others; a few iterations converge.  The mean of its share of the core,
 * w / (w + sum of the computing weights), is the integral from 0 to infinity of
 *
 *     w e^(-w t)  times the product of 1 - b + b e^(-weight t) over the others,
 *
 * where b is the share of the time that each computes.  With equal weights this is within 1 % of
 * the product form for two competitors, and closer for more.
 *
 * Weights may differ widely, so any scale of t may matter; the integral is over log t.  There
 * the integrand has no pole within pi / 2 of the real axis, and the sum of equal steps has an
 * error of about e^(-pi^2 / STEP).  Values below SMALL of the smallest scale (1 / sum of all
 * weights) and beyond LARGE are negligible, since a process of the program always computes. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/slowdown/local_internal.h"

enum { ROUNDS = 200 };
#define SETTLED 1e-9
#define STEP 0.25
#define SMALL 1e-11
#define LARGE 60.0

/* Competitors that are alike. */
struct contenders {
    double weight, share;
    double count;
    bool settled; /* is at it as long, however slow it is */
    double at_it; /* the part of the time that each is */
};

struct turns {
    const struct rc_local_host *host;
    struct contenders *all;
    size_t n;
    double *places, *products; /* at each step of the integral */
    size_t n_places;
};

static double factor_of(const struct contenders *some, double t)
{
    return 1 - some->at_it + some->at_it * exp(-some->weight * t);
}

static void multiply_all(struct turns *turns)
{
    for (size_t k = 0; k < turns->n_places; k++) {
        turns->products[k] = 1;
        for (size_t i = 0; i < turns->n; i++)
            turns->products[k] *=
                pow(factor_of(&turns->all[i], turns->places[k]), turns->all[i].count);
    }
}

/* The mean part of the core that one of this weight gets beside so many processes of the program,
 * and all competitors but one of `without` (or NULL). */
static double mean_part(const struct turns *turns, double weight, double processes,
                        const struct contenders *without)
{
    double sum = 0;

    for (size_t k = 0; k < turns->n_places; k++) {
        double t = turns->places[k], others = turns->products[k],
               own = without ? factor_of(without, t) : 1;

        if (own > 0) /* otherwise e^(-w t) is 0 as well */
            sum += t * exp(-(weight + processes) * t) * (others / own);
    }
    return sum * STEP * weight;
}

static double settle(struct turns *turns)
{
    double moved = INFINITY;

    for (int round = 0; round < ROUNDS && moved > SETTLED; round++) {
        moved = 0;
        multiply_all(turns);
        for (size_t i = 0; i < turns->n; i++) {
            struct contenders *some = &turns->all[i];
            double before = some->at_it, part;

            if (some->settled)
                continue;
            part = mean_part(turns, some->weight, turns->host->processes, some);
            some->at_it = (before + some->share / (some->share + part * (1 - some->share))) / 2;
            moved = fmax(moved, fabs(some->at_it - before));
        }
    }
    multiply_all(turns);
    return mean_part(turns, 1, turns->host->processes - 1, NULL);
}

/* Groups neighbours that are alike, as `count=` makes them; returns the sum of all weights. */
static double group(struct turns *turns)
{
    double sum = turns->host->processes;

    for (size_t i = 0; i < turns->host->n_competitors; i++) {
        const struct rc_competitor *competitor = &turns->host->competitors[i];
        struct contenders *last = turns->n ? &turns->all[turns->n - 1] : NULL;
        double share = rc_slowdown_local_share(competitor, RC_LOCAL_COMPUTING);
        bool settled = competitor->steady || share <= 0 || share >= 1;

        sum += competitor->weight;
        if (last && last->weight == competitor->weight && last->share == share &&
            last->settled == settled)
            last->count++;
        else
            turns->all[turns->n++] =
                (struct contenders){competitor->weight, share, 1, settled, share};
    }
    return sum;
}

int rc_slowdown_local_add_by_turns(const struct rc_local_host *host, double *added,
                                   struct rc_error *error)
{
    struct turns turns = {.host = host};
    double from;
    int status = 0;

    turns.all = malloc((host->n_competitors + 1) * sizeof *turns.all);
    if (!turns.all)
        return rc_error_no_memory(error);
    from = log(SMALL / group(&turns));
    turns.n_places = (size_t)ceil((log(LARGE) - from) / STEP) + 1;
    turns.places = malloc(2 * turns.n_places * sizeof *turns.places);
    if (turns.places) {
        turns.products = turns.places + turns.n_places;
        for (size_t k = 0; k < turns.n_places; k++)
            turns.places[k] = exp(from + STEP * (double)k);
        *added = rc_slowdown_local_part(host->processes, 1) / settle(&turns) - 1;
    } else {
        status = rc_error_no_memory(error);
    }
    free(turns.places);
    free(turns.all);
    return status;
}
