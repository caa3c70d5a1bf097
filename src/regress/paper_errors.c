// SPDX-License-Identifier: GPL-3.0-or-later
/* paper_errors.c - how far off a model by the paper was on runs that it had not seen.
 *
 * Least squares of seconds care for long runs: a program that mostly communicates, say, can be far
 * off on one process, where it is quick.  So the spread of all errors is taken from their middle,
 * which such runs do not move, and each class of numbers of processes has its own noise. */
#include "regress/paper_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double furthest_off = 100;
static const double normal_spread = 1.4826; /* of a median distance, were they normal */
static const double drawn_to_all = 4;       /* runs of average noise, added to each class */
enum {
    STRIDE = 101 /* through the errors when they are full: what they begin with may be sorted, and
                    must not go from one end */
};

void rc_rg_errors_begin(struct rc_rg_errors *errors, const struct rc_rg_model *model)
{
    unsigned low = rc_rg_class(model->p.low), classes = rc_rg_class(model->p.high) - low + 1;

    *errors = (struct rc_rg_errors){.n = model->n_residuals};
    for (size_t i = 0; i < errors->n; i++) {
        errors->class[i] = (unsigned char)(low + i % classes);
        errors->off[i] = model->residuals[i] * model->noise[errors->class[i]];
    }
}

double rc_rg_errors_off(double seconds, double foretold)
{
    double most = log(furthest_off);

    if (!(foretold > 0))
        return most;
    return fmax(-most, fmin(most, log(seconds / foretold)));
}

void rc_rg_errors_add(struct rc_rg_errors *errors, double p, double seconds, double foretold)
{
    if (errors->n < RC_RG_RESIDUALS_MAX)
        errors->next = errors->n++;
    else
        errors->next = (errors->next + STRIDE) % RC_RG_RESIDUALS_MAX;
    errors->off[errors->next] = rc_rg_errors_off(seconds, foretold);
    errors->class[errors->next] = (unsigned char)rc_rg_class(p);
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static double spread_of(const struct rc_rg_errors *errors)
{
    double sizes[RC_RG_RESIDUALS_MAX], squares = 0;

    if (errors->n == 0)
        return 0;
    for (size_t i = 0; i < errors->n; i++) {
        sizes[i] = fabs(errors->off[i]);
        squares += sizes[i] * sizes[i];
    }
    qsort(sizes, errors->n, sizeof *sizes, by_value);
    return errors->n < 3 || sizes[errors->n / 2] == 0 ? sqrt(squares / (double)errors->n)
                                                      : normal_spread * sizes[errors->n / 2];
}

/* Classes that were not seen are like the one before them, or else like the first that was. */
static void find_noise(const struct rc_rg_errors *errors, double spread, double *noise)
{
    double squares[RC_RG_CLASSES] = {0}, counts[RC_RG_CLASSES] = {0}, last = 0;

    for (size_t i = 0; i < errors->n; i++) {
        squares[errors->class[i]] += errors->off[i] * errors->off[i] / (spread * spread);
        counts[errors->class[i]]++;
    }
    for (unsigned class = 0; class < RC_RG_CLASSES; class++) {
        if (counts[class] > 0)
            noise[class] = sqrt((squares[class] + drawn_to_all) / (counts[class] + drawn_to_all));
        else
            noise[class] = last;
        for (unsigned before = class; last == 0 && before-- > 0;)
            noise[before] = noise[class];
        last = noise[class];
    }
}

void rc_rg_errors_tell(const struct rc_rg_errors *errors, struct rc_rg_model *model)
{
    model->sigma = spread_of(errors);
    for (unsigned class = 0; class < RC_RG_CLASSES; class++)
        model->noise[class] = 1;
    if (model->sigma > 0)
        find_noise(errors, model->sigma, model->noise);
    model->n_residuals = errors->n;
    for (size_t i = 0; i < errors->n; i++)
        model->residuals[i] = errors->off[i] / model->noise[errors->class[i]];
    qsort(model->residuals, errors->n, sizeof *model->residuals, by_value);
}
