// SPDX-License-Identifier: GPL-3.0-or-later
/* growth_curves.c - the forms that times may take. */
#include "model/scaling/growth_curves.h"

#include <math.h>
#include <stdio.h>

double rc_scaling_growth(double k, double procs)
{
    /* (e^x - 1) / x loses no digits near k = 0 */
    double x = k * log(procs);

    return x == 0 ? log2(procs) : expm1(x) / x * log2(procs);
}

/* What a form is of processes, and of work. */
static const struct {
    double k;
    const char *growth, *work;
} forms[RC_FORMS] = {
    [RC_FORM_LINEAR] = {1, "np", "w"},
    [RC_FORM_LOG2] = {0, "log2 np", "w log w"},
    [RC_FORM_SQRT] = {0.5, "sqrt(np)", "sqrt(w)"},
    [RC_FORM_CONSTANT] = {NAN, "constant", "constant"},
    [RC_FORM_POWER] = {NAN, "np^e", "w^e"},
};

double rc_scaling_form_k(enum rc_scaling_form form)
{
    return forms[form].k;
}

const char *rc_scaling_growth_name(enum rc_scaling_form form)
{
    return forms[form].growth;
}

const char *rc_scaling_work_form_name(enum rc_scaling_form form, double exponent,
                                      char text[RC_FORM_TEXT])
{
    if (form == RC_FORM_POWER)
        snprintf(text, RC_FORM_TEXT, "w^%.2f", exponent);
    else
        snprintf(text, RC_FORM_TEXT, "%s", forms[form].work);
    return text;
}

double rc_scaling_line(const double *x, const double *y, const double *weight, size_t n, double *a,
                       double *b)
{
    double sum = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0, left = 0;

    for (size_t i = 0; i < n; i++) {
        double w = weight ? weight[i] : 1;

        sum += w;
        mean_x += w * x[i];
        mean_y += w * y[i];
    }
    mean_x /= sum;
    mean_y /= sum;
    for (size_t i = 0; i < n; i++) {
        double w = weight ? weight[i] : 1;

        xx += w * (x[i] - mean_x) * (x[i] - mean_x);
        xy += w * (x[i] - mean_x) * (y[i] - mean_y);
    }
    *b = xx > 0 ? xy / xx : 0;
    *a = mean_y - *b * mean_x;
    for (size_t i = 0; i < n; i++) {
        double off = y[i] - *a - *b * x[i];

        left += (weight ? weight[i] : 1) * off * off;
    }
    return left;
}

/* With two bounds, the best lies on one of them unless it is within both. */
double rc_scaling_line_rising(const double *x, const double *y, const double *weight, size_t n,
                              double *a, double *b)
{
    double left = rc_scaling_line(x, y, weight, n, a, b), sum = 0, mean = 0, xx = 0, xy = 0;
    double level = 0, through = 0, slope;

    if (*a >= 0 && *b >= 0)
        return left;
    for (size_t i = 0; i < n; i++) {
        double w = weight ? weight[i] : 1;

        sum += w;
        mean += w * y[i];
        xx += w * x[i] * x[i];
        xy += w * x[i] * y[i];
    }
    mean = fmax(mean / sum, 0);
    slope = xx > 0 ? fmax(xy / xx, 0) : 0;
    for (size_t i = 0; i < n; i++) {
        double w = weight ? weight[i] : 1;

        level += w * (y[i] - mean) * (y[i] - mean);
        through += w * (y[i] - slope * x[i]) * (y[i] - slope * x[i]);
    }
    *a = level <= through ? mean : 0;
    *b = level <= through ? 0 : slope;
    return fmin(level, through);
}

bool rc_scaling_shows_line(const double *x, size_t n)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < n; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    return most >= 2 * least;
}

void rc_scaling_memory_line(const double *cells, const double *bytes, size_t n, double *per_cell,
                            double *base)
{
    double most = 0;

    *per_cell = NAN;
    *base = 0;
    for (size_t i = 0; i < n; i++)
        if (cells[i] > most || (cells[i] == most && bytes[i] / most > *per_cell)) {
            most = cells[i];
            *per_cell = bytes[i] / most;
        }
    if (rc_scaling_shows_line(cells, n))
        rc_scaling_line_rising(cells, bytes, NULL, n, base, per_cell);
}

/* The squares that are left by a + b (x / unit)^e. */
static double squares_left(const double *x, double unit, const double *y, const double *weight,
                           size_t n, double e)
{
    double power[RC_FORM_POINTS_MAX], a, b;

    for (size_t i = 0; i < n; i++)
        power[i] = pow(x[i] / unit, e);
    return rc_scaling_line(power, y, weight, n, &a, &b);
}

/* Over a grid first, since there may be several valleys, and then between its neighbours. */
double rc_scaling_exponent(const double *x, const double *y, const double *weight, size_t n)
{
    const double step = 0.05, golden = 0.6180339887498949;
    double best = 1, least = INFINITY, unit = 0, low, high;

    for (size_t i = 0; i < n; i++)
        unit = fmax(unit, x[i]);
    for (int i = 1; i <= 80; i++) {
        double squares = squares_left(x, unit, y, weight, n, step * i);

        if (squares < least) {
            least = squares;
            best = step * i;
        }
    }
    low = fmax(best - step, step / 2);
    high = best + step;
    for (int i = 0; i < 80; i++) {
        double p = high - golden * (high - low), q = low + golden * (high - low);

        if (squares_left(x, unit, y, weight, n, p) < squares_left(x, unit, y, weight, n, q))
            high = q;
        else
            low = p;
    }
    return (low + high) / 2;
}
