// SPDX-License-Identifier: GPL-3.0-or-later
/* communication_delay.c - delay of computing by communicating competitors.
 *
 * Fitting: both lines follow from running sums for every possible break between two bandwidths;
 * the break with the least sum of squares is used.  Each piece has at least three points, so
 * that none is fitted to noise alone.  An F test decides whether two pieces are worth three more
 * parameters (two of a line, one for the break). */
#include "model/slowdown/communication_delay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"
#include "base/number.h"
#include "base/unit.h"

enum { PIECE_LEAST = 3 };
#define SIGNIFICANT 0.05

/* ---- asking ---- */

static double curve_at(const struct rc_delay_curve *curve, double k, unsigned *notes)
{
    int piece = k >= curve->at;
    double delay = curve->intercept[piece] + curve->slope[piece] * k;

    if (k < curve->low || k > curve->high)
        *notes |= RC_DELAY_OUTSIDE;
    if (delay >= 0)
        return delay;
    *notes |= RC_DELAY_CLAMPED;
    return 0;
}

double rc_slowdown_delay_at(const struct rc_delay *delay, size_t i, double k, unsigned *notes)
{
    unsigned ignored = 0;
    double last, step;

    if (!notes)
        notes = &ignored;
    if (i == 0)
        return 0;
    if (delay->n == 0)
        return delay->constant;
    if (i <= delay->n)
        return curve_at(&delay->curves[i - 1], k, notes);
    *notes |= RC_DELAY_MORE;
    last = curve_at(&delay->curves[delay->n - 1], k, notes);
    step = delay->n > 1 ? last - curve_at(&delay->curves[delay->n - 2], k, notes) : last;
    return last + (double)(i - delay->n) * fmax(step, 0);
}

void rc_slowdown_delay_line(const struct rc_delay *delay, size_t i, double x[RC_DELAY_LINE],
                            double y[RC_DELAY_LINE])
{
    enum { STEPS = RC_DELAY_LINE / 2 };
    const struct rc_delay_curve *curve = &delay->curves[i - 1];
    double high = isfinite(curve->high) ? curve->high : 2 * curve->at;
    double at = isfinite(curve->at) ? curve->at : high;
    double ends[] = {isfinite(curve->low) ? curve->low : 0, at, high};

    x[STEPS] = y[STEPS] = NAN;
    for (int s = 0; s < 2 * STEPS; s++) {
        int piece = s / STEPS, step = s % STEPS, place = s + piece;
        double from = ends[piece], to = ends[piece + 1];

        /* The last is just below the end, where another piece may begin. */
        x[place] =
            step == STEPS - 1 ? nextafter(to, from) : from + (to - from) * step / (STEPS - 1);
        y[place] = rc_slowdown_delay_at(delay, i, x[place], NULL);
    }
}

void rc_slowdown_delay_paper(double word_bytes, struct rc_delay *delay)
{
    const double unit = 1e6 * word_bytes;

    *delay = (struct rc_delay){.curves = {{.at = 2.37 * unit,
                                           .intercept = {-0.20, 1.38},
                                           .slope = {0.49 / unit, -0.06 / unit},
                                           .low = NAN,
                                           .high = NAN},
                                          {.at = 1.74 * unit,
                                           .intercept = {-0.50, 2.48},
                                           .slope = {1.37 / unit, 0},
                                           .low = NAN,
                                           .high = NAN}},
                               .n = 2};
}

/* ---- fitting ---- */

/* Sums over points, for the line with the least sum of squares. */
struct line_sums {
    double n, x, y, xx, xy, yy;
};

static void sums_add(struct line_sums *sums, const struct rc_delay_point *point, double sign)
{
    sums->n += sign;
    sums->x += sign * point->k;
    sums->y += sign * point->delay;
    sums->xx += sign * point->k * point->k;
    sums->xy += sign * point->k * point->delay;
    sums->yy += sign * point->delay * point->delay;
}

/* Returns the residual sum of squares. */
static double line_of(const struct line_sums *sums, double *intercept, double *slope)
{
    double xx = sums->xx - sums->x * sums->x / sums->n, xy = sums->xy - sums->x * sums->y / sums->n,
           yy = sums->yy - sums->y * sums->y / sums->n;

    *slope = xx > 1e-12 * sums->xx ? xy / xx : 0;
    *intercept = (sums->y - *slope * sums->x) / sums->n;
    return fmax(yy - *slope * xy, 0);
}

static int by_bandwidth(const void *a, const void *b)
{
    const struct rc_delay_point *p = a, *q = b;

    return (p->k > q->k) - (p->k < q->k);
}

/* The best curve of two pieces; returns its sum of squares, INFINITY if there is none. */
static double two_pieces(const struct rc_delay_point *points, size_t n, const struct line_sums *all,
                         struct rc_delay_curve *best)
{
    struct line_sums left = {0}, right = *all;
    double least = INFINITY;

    for (size_t i = 0; i + 1 < n; i++) {
        struct rc_delay_curve curve;
        double squares;

        sums_add(&left, &points[i], 1);
        sums_add(&right, &points[i], -1);
        if (i + 1 < PIECE_LEAST || n - i - 1 < PIECE_LEAST || !(points[i].k < points[i + 1].k))
            continue;
        squares = line_of(&left, &curve.intercept[0], &curve.slope[0]) +
                  line_of(&right, &curve.intercept[1], &curve.slope[1]);
        curve.at = (points[i].k + points[i + 1].k) / 2;
        if (squares < least) {
            least = squares;
            *best = curve;
        }
    }
    return least;
}

/* Whether five parameters are significantly better than two. */
static bool pays(double two, double five, size_t n)
{
    double free = (double)n - 5, f;

    if (!(five < two))
        return false;
    if (free < 1 || five <= 1e-15 * two)
        return free >= 0;
    f = (two - five) / 3 / (five / free);
    return gsl_cdf_fdist_Q(f, 3, free) < SIGNIFICANT;
}

/* Bandwidths are divided by the largest one, so that squares of 1e9 lose no digits. */
static void fit_sorted(struct rc_delay_point *points, size_t n, struct rc_delay_curve *curve,
                       double *error_sd)
{
    struct line_sums all = {0};
    struct rc_delay_curve broken;
    double unit = points[n - 1].k, squares, less;
    size_t parameters = 2;

    for (size_t i = 0; i < n; i++) {
        points[i].k /= unit;
        sums_add(&all, &points[i], 1);
    }
    curve->at = INFINITY;
    squares = line_of(&all, &curve->intercept[0], &curve->slope[0]);
    less = two_pieces(points, n, &all, &broken);
    if (pays(squares, less, n)) {
        *curve = broken;
        squares = less;
        parameters = 5;
    } else {
        curve->intercept[1] = curve->intercept[0];
        curve->slope[1] = curve->slope[0];
    }
    curve->at *= unit;
    curve->slope[0] /= unit;
    curve->slope[1] /= unit;
    curve->low = points[0].k * unit;
    curve->high = points[n - 1].k * unit;
    if (error_sd)
        *error_sd = n > parameters ? sqrt(squares / (double)(n - parameters)) : 0;
}

int rc_slowdown_delay_fit(const struct rc_delay_point *points, size_t n,
                          struct rc_delay_curve *curve, double *error_sd, struct rc_error *error)
{
    struct rc_delay_point *sorted;

    if (n == 0 || n > RC_DELAY_POINTS_MAX)
        return rc_error_set(error, "a delay curve needs from 1 to %d points, not %zu",
                            RC_DELAY_POINTS_MAX, n);
    for (size_t i = 0; i < n; i++)
        if (!(points[i].k > 0 && isfinite(points[i].k) && isfinite(points[i].delay)))
            return rc_error_set(error, "point %zu: bandwidth must be above 0, and delay finite",
                                i + 1);
    sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        sorted[i] = points[i];
    qsort(sorted, n, sizeof *sorted, by_bandwidth);
    fit_sorted(sorted, n, curve, error_sd);
    free(sorted);
    return 0;
}

/* ---- rates in words/s, and delays by name ---- */

static const struct {
    const char *text;
    double factor;
} word_suffixes[] = {
    {"w/s", 1}, {"kw/s", 1e3}, {"Mw/s", 1e6}, {"Gw/s", 1e9}, {"Kiw/s", 1024}, {"Miw/s", 1048576},
};

/* Whether it is a number of words; its bytes in *rate. */
static bool read_words(const char *text, double word_bytes, double *rate)
{
    size_t length = strlen(text), at = rc_number_scan(text, length, rate);

    if (at == 0)
        return false;
    while (text[at] == ' ')
        at++;
    for (size_t i = 0; i < sizeof word_suffixes / sizeof *word_suffixes; i++)
        if (strcmp(text + at, word_suffixes[i].text) == 0) {
            *rate *= word_suffixes[i].factor * word_bytes;
            return true;
        }
    return false;
}

bool rc_slowdown_rate_is_bare(const char *text)
{
    double rate;

    return text && rc_number_parse(text, strlen(text), &rate) == 0;
}

bool rc_slowdown_word_rate_is(const char *text)
{
    double rate;

    return text && read_words(text, 1, &rate);
}

int rc_slowdown_word_rate_parse(const char *text, double word_bytes, double *rate,
                                struct rc_error *error)
{
    double found;

    if (!read_words(text, word_bytes, &found) &&
        rc_unit_parse(text, strlen(text), RC_RATE, &found, error))
        return error && error->hint[0]
                   ? -1
                   : rc_error_hint(error, "write a rate such as 12.5MB/s, 100Mbit/s or 0.45Mw/s");
    if (!(found > 0) || isinf(found))
        return rc_error_set(error, "bandwidth '%.100s' must be above 0", text);
    *rate = found;
    return 0;
}

int rc_slowdown_delay_parse(const char *text, double word_bytes, struct rc_delay *delay,
                            struct rc_error *error)
{
    size_t length = strlen(text);
    double constant;

    if (strcmp(text, "alpha-farm") == 0) {
        rc_slowdown_delay_paper(word_bytes, delay);
        return 1;
    }
    if (rc_unit_parse(text, length, RC_FRACTION, &constant, NULL))
        return 0;
    if (!(constant >= 0))
        return rc_error_set(error, "delay %.100s must be at least 0", text);
    memset(delay, 0, sizeof *delay);
    delay->constant = constant;
    return 1;
}
