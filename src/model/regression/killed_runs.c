// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.c - the times that killed runs would have had. */
#include "model/regression/killed_runs.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "base/error.h"
#include "base/random.h"
#include "model/regression/residuals.h"

enum { STEPS = 100 };
static const double tail_share = 0.3; /* of the runs are in the tail */
static const double enough = 1e-6;    /* a change of center and spread, in spreads, to end with */
static const double far = 2.5;        /* completed runs further off count as this far, in spreads */
/* Beyond this, the tail of a normal is as good as exponential. */
static const double deep = 30;
static const double longest = 100; /* times the time after which a run was killed */

double rc_regression_normal_above(double bound, double part)
{
    if (bound > deep)
        return bound - log1p(-part) / bound;
    return gsl_cdf_ugaussian_Qinv((1 - part) * gsl_cdf_ugaussian_Q(bound));
}

/* The mean of the standard normal values above `bound`. */
static double mean_above(double bound)
{
    return bound > deep ? bound + 1 / bound
                        : gsl_ran_ugaussian_pdf(bound) / gsl_cdf_ugaussian_Q(bound);
}

/* ---- of a view ---- */

/* An error of a run, as a logarithm over the noise of its class; of a killed run, its bound. */
struct off {
    double value;
    bool is_bound;
    struct rc_regression_run *run; /* the killed one */
    double predicted, noise;
    double survival; /* the share of runs with a larger error (Kaplan and Meier) */
};

/* Center and spread with the largest likelihood, by the EM algorithm: what a bound stands for has a
 * known mean and variance. */
static void fit_normal(const struct off *offs, size_t n, double *center, double *spread)
{
    for (int step = 0; step < STEPS; step++) {
        double sum = 0, squares = 0, was = *center, wide = *spread;

        for (size_t i = 0; i < n; i++) {
            double z = (offs[i].value - was) / wide;

            if (offs[i].is_bound) {
                double mean = mean_above(z);

                sum += mean;
                squares += fmax(1 + z * mean, mean * mean); /* the mean of the squares */
            } else {
                z = fmin(fmax(z, -far), far);
                sum += z;
                squares += z * z;
            }
        }
        sum /= (double)n;
        *center = was + sum * wide;
        *spread = wide * sqrt(fmax(squares / (double)n - sum * sum, 1e-12));
        if (fabs(sum) < enough && fabs(*spread / wide - 1) < enough)
            return;
    }
}

/* Of equal ones, the completed first: a run is at risk at its own time. */
static int by_value(const void *left, const void *right)
{
    const struct off *a = left, *b = right;

    return a->value != b->value ? (a->value > b->value) - (a->value < b->value)
                                : (int)a->is_bound - (int)b->is_bound;
}

/* Returns the place of the last completed run. */
static size_t fill_survival(struct off *offs, size_t n)
{
    double survival = 1;
    size_t last = 0;

    for (size_t i = 0; i < n; i++) {
        if (!offs[i].is_bound) {
            survival *= 1 - 1 / (double)(n - i);
            last = i;
        }
        offs[i].survival = survival;
    }
    return last;
}

/* The mean distance of the largest errors from the one that begins them; with few of them, pooled
 * with what it is for a normal distribution. */
static double tail_of(const struct off *offs, size_t n, double spread)
{
    double sum = RC_REGRESSION_TAIL_POOLED * RC_REGRESSION_NORMAL_EXCESS * spread;
    size_t completed = RC_REGRESSION_TAIL_POOLED, from = 0;

    while (from + 1 < n && offs[from].survival > tail_share)
        from++;
    for (size_t i = from + 1; i < n; i++) {
        sum += offs[i].value - offs[from].value;
        completed += !offs[i].is_bound;
    }
    return sum / (double)completed;
}

/* The error that a killed run would have had: by the completed runs beyond its bound, and beyond
 * all of them by an exponential tail. */
static double draw_beyond(const struct off *offs, size_t i, size_t last, double part, double tail)
{
    double survival = (1 - part) * offs[i].survival, left;

    if (survival >= offs[last].survival)
        for (size_t k = i + 1; k <= last; k++)
            if (!offs[k].is_bound && offs[k].survival <= survival)
                return offs[k].value;
    left = survival / fmin(offs[last].survival, offs[i].survival);
    return fmax(offs[i].value, offs[last].value) - tail * log(fmax(left, 1e-9));
}

static void fill_offs(const struct rc_regression_view *view,
                      const struct rc_regression_ensemble *ensemble, const double *noise,
                      struct off *offs)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct rc_regression_run *run = view->runs[i];
        struct off *off = &offs[i];

        *off = (struct off){.is_bound = run->at_least > 0,
                            .predicted = ensemble->held_out[i],
                            .noise = noise[rc_regression_class(run->p)]};
        off->value =
            rc_regression_errors_off(off->is_bound ? run->at_least : run->seconds, off->predicted) /
            off->noise;
        if (off->is_bound)
            off->run = &view->killed[run - view->killed];
    }
}

int rc_regression_killed_estimate(struct rc_regression_view *view,
                                  const struct rc_regression_ensemble *ensemble,
                                  const double *noise, struct rc_error *error)
{
    double center = 0, spread = fmax(ensemble->sigma, RC_REGRESSION_ERROR_FLOOR);
    struct off *offs;
    double tail;
    size_t last;

    if (view->n_killed == 0)
        return 0;
    offs = malloc((view->n + 1) * sizeof *offs);
    if (!offs)
        return rc_error_no_memory(error);
    fill_offs(view, ensemble, noise, offs);
    qsort(offs, view->n, sizeof *offs, by_value);
    fit_normal(offs, view->n, &center, &spread);
    last = fill_survival(offs, view->n);
    tail = tail_of(offs, view->n, spread);
    for (size_t i = 0; i < view->n; i++) {
        struct rc_regression_run *run = offs[i].run;
        double had, part;

        if (!run)
            continue;
        had = run->seconds;
        part = rc_random_evenly((uint64_t)(run - view->killed));
        run->seconds =
            offs[i].predicted * exp(draw_beyond(offs, i, last, part, tail) * offs[i].noise);
        run->seconds = fmin(fmax(run->seconds, run->at_least), longest * run->at_least);
        run->bytes *= run->seconds / had; /* input and output go on as before */
    }
    free(offs);
    return 0;
}
