// SPDX-License-Identifier: GPL-3.0-or-later
/* modal.c - modal values: mixtures of normal distributions.
 *
 * J. M. Schopf's dissertation (UC San Diego, 1998), section 4.B.3: data such as the CPU available on
 * a workstation gather around several modes, each of which is close to normal.  The dissertation
 * then reduces them to one normal, by the aggregate mean (Eq. 4.10) and the aggregate standard
 * deviation (Eq. 4.11).  Here the modes stay, and that normal is one of the kinds that a modal value
 * can be turned into. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"
#include "stats/value/internal.h"

static int by_mean(const void *a, const void *b)
{
    double left = ((const struct rc_mode *)a)->mean, right = ((const struct rc_mode *)b)->mean;

    return (left > right) - (left < right);
}

/* Mean, sd and ends from the modes. */
static void summarize(struct rc_value *value)
{
    double squares = 0;

    value->mean = 0;
    for (size_t i = 0; i < value->n_modes; i++)
        value->mean += value->modes[i].p * value->modes[i].mean;
    value->low = value->modes[0].mean;
    value->high = value->modes[value->n_modes - 1].mean;
    for (size_t i = 0; i < value->n_modes; i++) {
        const struct rc_mode *mode = &value->modes[i];

        squares += mode->p * (mode->sd * mode->sd + pow(mode->mean - value->mean, 2));
        if (mode->sd > 0) {
            value->low = -INFINITY;
            value->high = INFINITY;
        }
    }
    value->sd = sqrt(squares);
}

struct rc_value *rc_value_modal(const struct rc_mode *modes, size_t n_modes, struct rc_error *error)
{
    struct rc_value *value;
    double sum = 0;

    if (n_modes == 0 || n_modes > RC_VALUE_MODES_MAX)
        return rc_error_null(
            rc_error_set(error, "the number of modes must be from 1 to %d", RC_VALUE_MODES_MAX));
    for (size_t i = 0; i < n_modes; i++) {
        if (!isfinite(modes[i].mean) || !isfinite(modes[i].sd) || modes[i].sd < 0 ||
            !(modes[i].p >= 0 && modes[i].p <= 1))
            return rc_error_null(rc_error_set(error,
                                              "mode %zu needs a finite mean, a standard deviation "
                                              "of at least 0 and a probability from 0 to 1",
                                              i + 1));
        sum += modes[i].p;
    }
    if (!(fabs(sum - 1) <= 1e-6))
        return rc_error_null(
            rc_error_set(error, "the probabilities of modes sum to %.9g, not to 1", sum));
    value = rc_value_new(RC_MODAL, error);
    if (!value)
        return NULL;
    value->modes = malloc(n_modes * sizeof *value->modes);
    if (!value->modes) {
        rc_value_drop(value);
        return rc_error_null(rc_error_no_memory(error));
    }
    for (size_t i = 0; i < n_modes; i++)
        if (modes[i].p > 0)
            value->modes[value->n_modes++] =
                (struct rc_mode){modes[i].mean, modes[i].sd, modes[i].p / sum};
    qsort(value->modes, value->n_modes, sizeof *value->modes, by_mean);
    summarize(value);
    return value;
}

const struct rc_mode *rc_value_modes(const struct rc_value *value, size_t *n_modes)
{
    *n_modes = value->n_modes;
    return value->modes;
}

/* ---- asking ---- */

double rc_value_modal_cdf(const struct rc_value *value, double x)
{
    double sum = 0;

    for (size_t i = 0; i < value->n_modes; i++) {
        const struct rc_mode *mode = &value->modes[i];

        sum += mode->p *
               (mode->sd > 0 ? gsl_cdf_ugaussian_P((x - mode->mean) / mode->sd) : x >= mode->mean);
    }
    return fmin(sum, 1);
}

double rc_value_modal_exceeds(const struct rc_value *value, double x)
{
    double sum = 0;

    for (size_t i = 0; i < value->n_modes; i++) {
        const struct rc_mode *mode = &value->modes[i];

        sum += mode->p *
               (mode->sd > 0 ? gsl_cdf_ugaussian_Q((x - mode->mean) / mode->sd) : x < mode->mean);
    }
    return fmin(sum, 1);
}

/* The p-quantile lies between the least and the greatest of those of the modes. */
double rc_value_modal_quantile(const struct rc_value *value, double p)
{
    double low = INFINITY, high = -INFINITY;

    if (p == 0 || p == 1)
        return p == 0 ? value->low : value->high;
    for (size_t i = 0; i < value->n_modes; i++) {
        double x = value->modes[i].mean + value->modes[i].sd * gsl_cdf_ugaussian_Pinv(p);

        low = fmin(low, x);
        high = fmax(high, x);
    }
    for (int step = 0; step < 200 && low < high; step++) {
        double middle = low + (high - low) / 2;

        if (middle <= low || middle >= high)
            break;
        if (rc_value_modal_cdf(value, middle) >= p)
            high = middle;
        else
            low = middle;
    }
    return rc_value_modal_cdf(value, low) >= p ? low : high;
}

/* ---- what it becomes ---- */

double rc_value_modal_normal_sd(const struct rc_value *value, const struct rc_value_rules *rules)
{
    double sum = 0;

    if (!rules->dissertation)
        return value->sd;
    for (size_t i = 0; i < value->n_modes; i++)
        sum += value->modes[i].p * value->modes[i].sd;
    return sum;
}

void rc_value_modal_ends(const struct rc_value *value, const struct rc_value_rules *rules,
                         double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < value->n_modes; i++) {
        double reach = rules->normal_width * value->modes[i].sd;

        *low = fmin(*low, value->modes[i].mean - reach);
        *high = fmax(*high, value->modes[i].mean + reach);
    }
}
