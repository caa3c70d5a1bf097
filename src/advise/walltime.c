// SPDX-License-Identifier: GPL-3.0-or-later
/* walltime.c - the wall time to ask for. */
#include "advise/walltime.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum {
    PAST_MOST = 1000, /* the latest predictions that count */
    TAIL_LEAST = 5    /* draws that a tail is continued from */
};
static const double tail_share = 0.1;

/* ---- draws alone ---- */

/* Continues the tail of n draws to the probability `risk` that is left. */
static double continue_tail(const double *draws, size_t n, double risk)
{
    size_t k = (size_t)(tail_share * (double)n), from;
    double exponent = 0;

    if (k < TAIL_LEAST)
        k = TAIL_LEAST;
    if (k >= n)
        k = n - 1;
    from = n - 1 - k;
    for (size_t i = from + 1; i < n; i++)
        exponent += log(draws[i] / draws[from]) / (double)k;
    return fmax(draws[from] * pow((double)k / ((double)(n + 1) * risk), exponent), draws[n - 1]);
}

static double own_quantile(const double *draws, size_t n, double risk, bool *continued)
{
    double rank = ceil((1 - risk) * (double)(n + 1) - 1e-9);

    *continued = rank > (double)n && n > 1;
    if (rank <= (double)n)
        return draws[(size_t)rank - 1];
    return n > 1 ? continue_tail(draws, n, risk) : draws[0];
}

/* ---- draws and records ---- */

/* How far out something is, and how much it counts. */
struct far {
    double score, weight;
};

static int by_score(const void *a, const void *b)
{
    const struct far *x = a, *y = b;

    return (x->score > y->score) - (x->score < y->score);
}

/* The least score for which what is further out, and `beyond`, have no more than `risk` of all
 * weight. */
static double score_at(struct far *all, size_t n, double beyond, double total, double risk)
{
    double above = beyond;

    qsort(all, n, sizeof *all, by_score);
    for (size_t i = n; i-- > 0;) {
        above += all[i].weight;
        if (above > risk * total * (1 + 1e-9))
            return all[i].score;
    }
    return all[0].score;
}

static size_t collect_past(const struct rc_past_prediction *past, size_t n, struct far *all)
{
    size_t used = 0;

    for (size_t i = 0; i < n; i++)
        if (past[i].high > 0 && past[i].came > 0)
            all[used++] = (struct far){log(past[i].came / past[i].high), 1};
    return used;
}

/* The quantile of draws and records together.  The draws stand for 1 / risk predictions, and as of
 * n alike values the next is the largest with probability 1 / (n + 1), one draw more counts as
 * beyond all.  So does one record more, as far as records count as compared with draws. */
static int both_quantile(const double *draws, size_t n, double risk,
                         const struct rc_past_prediction *past, size_t n_past,
                         struct rc_walltime *walltime, struct rc_error *error)
{
    struct far *all = calloc(n + n_past + 1, sizeof *all);
    double high = draws[(size_t)ceil(0.95 * (double)n) - 1];
    double as_many = 1 / risk, one = as_many / (double)(n + 1), score, next;
    size_t used;

    if (!all)
        return rc_error_no_memory(error);
    used = collect_past(past, n_past, all);
    walltime->n_past = used;
    if (used == 0) {
        free(all);
        return 0;
    }
    /* The largest draw stands for all that the tail has beyond. */
    for (size_t i = 0; i < n; i++)
        all[used++] = (struct far){
            log((i + 1 < n ? draws[i] : fmax(draws[i], walltime->own)) / high), one};
    next = (double)walltime->n_past / ((double)walltime->n_past + as_many);
    score = score_at(all, used, one + next, (double)walltime->n_past + as_many + next, risk);
    walltime->seconds = high * exp(score);
    free(all);
    return 0;
}

int rc_walltime_find(const double *draws, size_t n, double risk,
                     const struct rc_past_prediction *past, size_t n_past,
                     struct rc_walltime *walltime, struct rc_error *error)
{
    size_t ended = n;

    *walltime = (struct rc_walltime){.seconds = INFINITY, .own = INFINITY};
    while (ended > 0 && !isfinite(draws[ended - 1]))
        ended--;
    if (ended < n && (double)(n - ended) >= risk * (double)n)
        return 0;
    walltime->own = own_quantile(draws, ended, risk - (double)(n - ended) / (double)n,
                                 &walltime->continued);
    walltime->seconds = walltime->own;
    if (n_past > PAST_MOST) {
        past += n_past - PAST_MOST;
        n_past = PAST_MOST;
    }
    return n_past ? both_quantile(draws, ended, risk, past, n_past, walltime, error) : 0;
}

double rc_walltime_round(double seconds)
{
    return isfinite(seconds) ? 60 * ceil(seconds / 60 - 1e-9) : seconds;
}
