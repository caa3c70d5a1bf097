// SPDX-License-Identifier: GPL-3.0-or-later
/* residuals.c - errors of a model for held-out runs, and the variation of runs.
 *
 * Runs on many processes often vary more than those on one, and a model can have large errors for
 * one kind of them: least squares of seconds fit long runs, so a program that mostly communicates
 * may be badly predicted on one process, where it is quick.  So the spread of all errors comes from
 * their median, and each class of numbers of processes has its own noise. */
#include "model/regression/residuals.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static const double furthest_off = 100;
static const double normal_spread = 1.4826; /* of a median distance, were they normal */
static const double drawn_to_all = 3;       /* runs of average noise, added to each class */
static const double most_counted = 4;       /* spreads; what is further off counts as this much */
static const double least_spread = 0.001;   /* no machine is more even */
enum {
    STRIDE = 101 /* through the errors when they are full: what they begin with is sorted, and must
                    not go from one end */
};

/* ---- classes ---- */

void rc_regression_uneven_add(struct rc_regression_unevenness *uneven, double p, double off)
{
    unsigned class = rc_regression_class(p);

    uneven->squares[class] += fmin(off * off, most_counted * most_counted);
    uneven->counts[class]++;
}

void rc_regression_uneven_tell(const struct rc_regression_unevenness *uneven, double *noise)
{
    double last = 1;

    for (unsigned class = 0; class < RC_REGRESSION_CLASSES; class ++) {
        if (uneven->counts[class] > 0)
            last = sqrt((uneven->squares[class] + drawn_to_all) /
                        (uneven->counts[class] + drawn_to_all));
        noise[class] = last;
    }
}

/* ---- the latest errors ---- */

void rc_regression_errors_begin(struct rc_regression_errors *errors,
                                const struct rc_regression_model *model)
{
    *errors = (struct rc_regression_errors){.n = model->n_residuals};
    for (size_t i = 0; i < errors->n; i++) {
        errors->class[i] = model->classes[i];
        errors->off[i] =
            model->residuals[i] * rc_regression_noise_of_class(model, model->classes[i]);
    }
}

double rc_regression_errors_off(double seconds, double predicted)
{
    double most = log(furthest_off);

    if (!(predicted > 0))
        return most;
    return fmax(-most, fmin(most, log(seconds / predicted)));
}

void rc_regression_errors_add(struct rc_regression_errors *errors, double p, double seconds,
                              double predicted)
{
    if (errors->n < RC_REGRESSION_RESIDUALS_MAX)
        errors->next = errors->n++;
    else
        errors->next = (errors->next + STRIDE) % RC_REGRESSION_RESIDUALS_MAX;
    errors->off[errors->next] = rc_regression_errors_off(seconds, predicted);
    errors->class[errors->next] = (unsigned char)rc_regression_class(p);
}

double rc_regression_robust_spread(double *magnitudes, size_t n)
{
    if (n == 0)
        return 0;
    gsl_sort(magnitudes, 1, n);
    return normal_spread *
           (n % 2 ? magnitudes[n / 2] : 0.5 * (magnitudes[n / 2 - 1] + magnitudes[n / 2]));
}

static double spread_of(const struct rc_regression_errors *errors)
{
    double magnitudes[RC_REGRESSION_RESIDUALS_MAX], squares = 0, spread;

    for (size_t i = 0; i < errors->n; i++) {
        magnitudes[i] = fabs(errors->off[i]);
        squares += magnitudes[i] * magnitudes[i];
    }
    spread = rc_regression_robust_spread(magnitudes, errors->n);
    return errors->n > 0 && (errors->n < 3 || spread == 0) ? sqrt(squares / (double)errors->n)
                                                           : spread;
}

/* A few runs that happen to lie on one curve do not prove that all do: 5 % for four runs, nothing
 * from 20 on. */
static double spread_of_few(size_t n_runs)
{
    return n_runs < 20 ? 0.05 * (double)(20 - n_runs) / 16 : 0;
}

/* ---- into a model ---- */

struct residual {
    double off;
    unsigned char class;
};

static int by_off(const void *left, const void *right)
{
    const struct residual *a = left, *b = right;

    return (a->off > b->off) - (a->off < b->off);
}

void rc_regression_errors_tell(const struct rc_regression_errors *errors, double wider,
                               struct rc_regression_model *model)
{
    struct residual residuals[RC_REGRESSION_RESIDUALS_MAX];
    struct rc_regression_unevenness uneven = {0};
    double spread = fmax(spread_of(errors), least_spread);

    for (size_t i = 0; i < errors->n; i++)
        rc_regression_uneven_add(&uneven, ldexp(1, errors->class[i]), errors->off[i] / spread);
    rc_regression_uneven_tell(&uneven, model->noise);
    for (size_t i = 0; i < errors->n; i++)
        residuals[i] = (struct residual){wider * errors->off[i] / model->noise[errors->class[i]],
                                         errors->class[i]};
    qsort(residuals, errors->n, sizeof *residuals, by_off);
    for (size_t i = 0; i < errors->n; i++) {
        model->residuals[i] = residuals[i].off;
        model->classes[i] = residuals[i].class;
    }
    model->n_residuals = errors->n;
    model->sigma = fmax(spread, spread_of_few(errors->n));
}

struct rc_regression_error_summary
rc_regression_errors_summary(const struct rc_regression_model *model)
{
    struct rc_regression_error_summary summary = {.n = model->n_residuals,
                                                  .median = NAN,
                                                  .most = NAN};
    double off[RC_REGRESSION_RESIDUALS_MAX];

    for (size_t i = 0; i < summary.n; i++)
        off[i] = fabs(
            expm1(model->residuals[i] * rc_regression_noise_of_class(model, model->classes[i])));
    gsl_sort(off, 1, summary.n);
    if (summary.n) {
        summary.median = off[summary.n / 2];
        summary.most = off[summary.n * 9 / 10];
    }
    return summary;
}
