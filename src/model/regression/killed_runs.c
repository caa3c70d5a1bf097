// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.c - the times that killed runs would have had. */
#include "model/regression/killed_runs.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "base/error.h"
#include "model/regression/residuals.h"

enum { STEPS = 100 };
static const double enough = 1e-6; /* a change of center and spread, in spreads, to end with */
static const double far = 2.5;     /* completed runs further off count as this far, in spreads */
/* Beyond this, the tail of a normal is as good as exponential. */
static const double deep = 30;
static const double longest = 100; /* times the time after which a run was killed */

double rc_regression_normal_above(double bound, double part)
{
    if (bound > deep)
        return bound - log1p(-part) / bound;
    return gsl_cdf_ugaussian_Qinv((1 - part) * gsl_cdf_ugaussian_Q(bound));
}

double rc_regression_killed_part(size_t i)
{
    double at = 0.5 + 0.6180339887498949 * (double)i; /* the golden ratio */

    return fmin(fmax(at - floor(at), 1e-6), 1 - 1e-6);
}

/* The mean of the standard normal values above `bound`. */
static double mean_above(double bound)
{
    return bound > deep ? bound + 1 / bound
                        : gsl_ran_ugaussian_pdf(bound) / gsl_cdf_ugaussian_Q(bound);
}

/* The EM algorithm: what a bound stands for has a known mean and variance. */
void rc_regression_fit_normal(const double *values, const bool *is_bound, size_t n, double *center,
                              double *spread)
{
    for (int step = 0; step < STEPS; step++) {
        double sum = 0, squares = 0, was = *center, wide = *spread;

        for (size_t i = 0; i < n; i++) {
            double z = (values[i] - was) / wide;

            if (is_bound[i]) {
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

/* ---- of a view ---- */

static double evenness(const double *noise, const struct rc_regression_run *run)
{
    return noise[rc_regression_class(run->p)];
}

int rc_regression_killed_estimate(struct rc_regression_view *view,
                                  const struct rc_regression_ensemble *ensemble,
                                  const double *noise, struct rc_error *error)
{
    double *off, center = 0, spread = fmax(ensemble->sigma, RC_REGRESSION_ERROR_FLOOR);
    bool *is_bound;
    int status;

    if (view->n_killed == 0)
        return 0;
    off = malloc((view->n + 1) * sizeof *off);
    is_bound = malloc((view->n + 1) * sizeof *is_bound);
    status = off && is_bound ? 0 : rc_error_no_memory(error);
    for (size_t i = 0; i < view->n && status == 0; i++) {
        const struct rc_regression_run *run = view->runs[i];

        is_bound[i] = run->at_least > 0;
        off[i] = rc_regression_errors_off(is_bound[i] ? run->at_least : run->seconds,
                                          ensemble->held_out[i]) /
                 evenness(noise, run);
    }
    if (status == 0)
        rc_regression_fit_normal(off, is_bound, view->n, &center, &spread);
    for (size_t i = 0; i < view->n && status == 0; i++) {
        struct rc_regression_run *run;
        double z, had;

        if (!is_bound[i])
            continue;
        run = &view->killed[view->runs[i] - view->killed];
        had = run->seconds;
        z = rc_regression_normal_above((off[i] - center) / spread,
                                       rc_regression_killed_part((size_t)(run - view->killed)));
        run->seconds = ensemble->held_out[i] * exp((center + spread * z) * evenness(noise, run));
        run->seconds = fmin(fmax(run->seconds, run->at_least), longest * run->at_least);
        run->bytes *= run->seconds / had; /* input and output go on as before */
    }
    free(off);
    free(is_bound);
    return status;
}
