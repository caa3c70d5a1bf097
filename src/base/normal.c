// SPDX-License-Identifier: GPL-3.0-or-later
/* normal.c - the tail of the standard normal distribution. */
#include "base/normal.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_erf.h>

static const double deep = 30; /* beyond this, the tail is as good as exponential */

double rc_normal_above(double bound, double part)
{
    if (bound > deep)
        return bound - log1p(-part) / bound;
    return gsl_cdf_ugaussian_Qinv((1 - part) * gsl_cdf_ugaussian_Q(bound));
}

double rc_normal_mean_above(double bound)
{
    return bound > deep ? bound + 1 / bound
                        : gsl_ran_ugaussian_pdf(bound) / gsl_cdf_ugaussian_Q(bound);
}

double rc_normal_log_below(double bound)
{
    return gsl_sf_log_erfc(-bound / M_SQRT2) - M_LN2;
}
