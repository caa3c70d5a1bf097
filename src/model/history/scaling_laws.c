// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_laws.c - scaling laws of parallel programs, with their prior probability. */
#include "model/history/scaling_laws.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- the terms ---- */

struct growth {
    double exponent, log_exponent, prior;
};

static const struct growth growths[] = {{0, 0, 0.08},   {0.5, 0, 0.06}, {1, 0, 0.24}, {1, 1, 0.12},
                                        {1.5, 0, 0.12}, {2, 0, 0.2},    {2, 1, 0.06}, {3, 0, 0.12}};

/* How computation is divided. */
static const struct {
    double exponent, prior;
} divisions[] = {{-1, 0.5}, {-0.5, 0.1}, {0, 0.4}};

/* The exponent of n in an overhead, as a share of that in computation: the surface of a block, of
 * two and of three dimensions, grows with 1/2 and 2/3 of it. */
static const struct {
    double share, prior;
} surfaces[] = {{0, 0.25}, {0.5, 0.25}, {2.0 / 3, 0.2}, {1, 0.3}};

static double constant(double p)
{
    (void)p;
    return 1;
}

static double messages(double p)
{
    return p > 1;
}

static double logarithm(double p)
{
    return log2(p);
}

static double linear(double p)
{
    return p - 1;
}

static double root(double p)
{
    return p > 1 ? sqrt(p) : 0;
}

static double inverse_root(double p)
{
    return p > 1 ? 1 / sqrt(p) : 0;
}

static double tree(double p)
{
    return log2(p) / p;
}

/* How an overhead depends on p. */
static const struct {
    double (*at)(double p);
    double prior;
} overheads[] = {{constant, 0.14}, {messages, 0.14},    {logarithm, 0.18}, {linear, 0.16},
                 {root, 0.2},      {inverse_root, 0.1}, {tree, 0.08}};

/* The share of the time at the reference that is overhead. */
static const struct {
    double share, prior;
} shares[] = {{0.05, 0.15}, {0.15, 0.2}, {0.3, 0.2}, {0.6, 0.2}, {0.9, 0.15}, {0.98, 0.1}};

static const double pure = 0.35; /* the probability that there is no overhead */

#define COUNT(table) (sizeof(table) / sizeof *(table))
enum {
    DIVIDED = COUNT(growths) * COUNT(divisions),
    LAWS = DIVIDED * (1 + COUNT(surfaces) * COUNT(overheads) * COUNT(shares))
};

/* ---- the laws ---- */

/* All as logarithms. */
static double grow(const struct growth *growth, double share, double size)
{
    return share * (growth->exponent * log(size) + growth->log_exponent * log(log1p(size)));
}

/* Terms at the points and, last, at the reference. */
struct terms {
    const struct rc_history_point *points;
    size_t n;
    double *computation, *overhead;
};

static double add_logarithms(double a, double b)
{
    double most = fmax(a, b);

    return most + log1p(exp(fmin(a, b) - most));
}

static void add_law(const struct terms *terms, double share, double prior,
                    struct rc_history_laws *laws)
{
    double *log_time = laws->log_time + laws->n_laws * terms->n;
    double computation = log1p(-share) - terms->computation[terms->n];
    double overhead = log(share) - terms->overhead[terms->n];

    for (size_t i = 0; i < terms->n; i++)
        log_time[i] =
            add_logarithms(terms->computation[i] + computation, terms->overhead[i] + overhead);
    laws->prior[laws->n_laws++] = log(prior);
}

/* All overheads with the computation of `terms`. */
static void add_overheads(struct terms *terms, const struct growth *growth, double prior,
                          struct rc_history_laws *laws)
{
    for (size_t s = 0; s < COUNT(surfaces); s++)
        for (size_t o = 0; o < COUNT(overheads); o++) {
            for (size_t i = 0; i <= terms->n; i++)
                terms->overhead[i] = grow(growth, surfaces[s].share, terms->points[i].size) +
                                     log(overheads[o].at(terms->points[i].procs));
            for (size_t i = 0; i < COUNT(shares); i++)
                add_law(terms, shares[i].share,
                        prior * surfaces[s].prior * overheads[o].prior * shares[i].prior, laws);
        }
}

static void add_laws(struct terms *terms, struct rc_history_laws *laws)
{
    for (size_t g = 0; g < COUNT(growths); g++)
        for (size_t d = 0; d < COUNT(divisions); d++) {
            double prior = growths[g].prior * divisions[d].prior;

            for (size_t i = 0; i <= terms->n; i++) {
                terms->computation[i] = grow(&growths[g], 1, terms->points[i].size) +
                                        divisions[d].exponent * log(terms->points[i].procs);
                terms->overhead[i] = 0;
            }
            add_law(terms, 0, pure * prior, laws);
            add_overheads(terms, &growths[g], (1 - pure) * prior, laws);
        }
    assert(laws->n_laws == LAWS);
}

int rc_history_laws_make(const struct rc_history_point *points, size_t n,
                         struct rc_history_point reference, struct rc_history_laws *laws,
                         struct rc_error *error)
{
    struct rc_history_point *all = calloc(n + 1, sizeof *all);
    double *room = calloc(2 * (n + 1), sizeof *room);
    int status = 0;

    *laws = (struct rc_history_laws){.n_points = n,
                                     .prior = calloc(LAWS, sizeof *laws->prior),
                                     .log_time = calloc(LAWS * n, sizeof *laws->log_time)};
    if (all && room && laws->prior && laws->log_time) {
        struct terms terms = {all, n, room, room + n + 1};

        memcpy(all, points, n * sizeof *all);
        all[n] = reference;
        all[n].procs = fmax(all[n].procs, 2); /* one process does not communicate */
        add_laws(&terms, laws);
    } else {
        status = rc_error_no_memory(error);
    }
    free(all);
    free(room);
    return status;
}

void rc_history_laws_free(struct rc_history_laws *laws)
{
    free(laws->prior);
    free(laws->log_time);
    *laws = (struct rc_history_laws){0};
}
