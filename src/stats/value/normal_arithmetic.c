// SPDX-License-Identifier: GPL-3.0-or-later
/* normal_arithmetic.c - arithmetic over normal distributions.
 *
 * A normal is kept as mean + sum of c_k e_k + rest, where e_k is the standard deviate of variable k
 * and the rest is independent of everything.  Sums of such are exact, whatever they share.
 * Products have the exact mean and variance of jointly normal factors (with covariance c):
 *
 *     E = ab + c        Var = a² sb² + b² sa² + 2abc + sa² sb² + c²
 *
 * and are then taken for normal, which they are not; what of the variance is not linear in the
 * variables goes to the rest.  Smooth functions are expanded to second order.  Under the rules of
 * the dissertation, Table 4.1 is followed to the letter instead, and no variable is remembered. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "base/error.h"
#include "stats/value/internal.h"

/* A divisor (or an argument of a logarithm) must be this many sd away from 0, or the expansion is
 * worth nothing: quotients of normals have no mean at all. */
static const double SAFE_DISTANCE = 3;

static double covariance(const struct rc_value *a, const struct rc_value *b)
{
    double sum = 0;
    size_t i = 0, j = 0;

    while (i < a->n_terms && j < b->n_terms) {
        if (a->terms[i].variable == b->terms[j].variable)
            sum += a->terms[i++].coefficient * b->terms[j++].coefficient;
        else if (a->terms[i].variable < b->terms[j].variable)
            i++;
        else
            j++;
    }
    return sum;
}

static int by_size(const void *a, const void *b)
{
    double left = fabs(((const struct rc_term *)a)->coefficient);
    double right = fabs(((const struct rc_term *)b)->coefficient);

    return (left < right) - (left > right);
}

static int by_variable(const void *a, const void *b)
{
    uint64_t left = ((const struct rc_term *)a)->variable;
    uint64_t right = ((const struct rc_term *)b)->variable;

    return (left > right) - (left < right);
}

/* Forgets the variables that matter least; their variance stays. */
static void forget_small(struct rc_value *value)
{
    if (value->n_terms <= RC_VALUE_TERMS_MAX)
        return;
    qsort(value->terms, value->n_terms, sizeof *value->terms, by_size);
    for (size_t i = RC_VALUE_TERMS_MAX; i < value->n_terms; i++)
        value->rest += value->terms[i].coefficient * value->terms[i].coefficient;
    value->n_terms = RC_VALUE_TERMS_MAX;
    qsort(value->terms, value->n_terms, sizeof *value->terms, by_variable);
}

/* The normal of that mean whose deviation is fa times that of a plus fb times that of b, and whose
 * variance has `more` besides.  b may be NULL. */
static struct rc_value *combine(double mean, const struct rc_value *a, double fa,
                                const struct rc_value *b, double fb, double more,
                                struct rc_error *error)
{
    static const struct rc_value nothing = {.n_terms = 0};
    struct rc_value *result = rc_value_normal(mean, 0, 0, error);
    double variance;
    size_t i = 0, j = 0, n = 0;

    if (!result)
        return NULL;
    if (!b)
        b = &nothing;
    result->terms = malloc((a->n_terms + b->n_terms + 1) * sizeof *result->terms);
    if (!result->terms) {
        rc_value_drop(result);
        rc_error_no_memory(error);
        return NULL;
    }
    while (i < a->n_terms || j < b->n_terms) {
        struct rc_term term = {0, 0};

        if (j == b->n_terms || (i < a->n_terms && a->terms[i].variable <= b->terms[j].variable))
            term = (struct rc_term){a->terms[i].variable, fa * a->terms[i].coefficient};
        if (i == a->n_terms || (j < b->n_terms && b->terms[j].variable <= a->terms[i].variable)) {
            term.variable = b->terms[j].variable;
            term.coefficient += fb * b->terms[j++].coefficient;
        }
        i += i < a->n_terms && a->terms[i].variable == term.variable;
        assert(n == 0 || result->terms[n - 1].variable < term.variable);
        if (term.coefficient != 0)
            result->terms[n++] = term;
    }
    result->n_terms = n;
    result->rest = fa * fa * a->rest + fb * fb * b->rest + more;
    variance = result->rest;
    for (size_t k = 0; k < n; k++)
        variance += result->terms[k].coefficient * result->terms[k].coefficient;
    forget_small(result);
    if (!isfinite(mean) || !isfinite(variance)) {
        rc_value_drop(result);
        rc_error_set(error, "the result is too large");
        return NULL;
    }
    result->sd = sqrt(variance);
    if (result->sd > 0) {
        result->low = -INFINITY;
        result->high = INFINITY;
    }
    return result;
}

/* ---- Table 4.1 ---- */

static struct rc_value *by_table(enum rc_binary operation, const struct rc_value *a,
                                 const struct rc_value *b, bool correlated, struct rc_error *error)
{
    double m = a->mean, n = b->mean, s = a->sd, t = b->sd, mean, sd;

    if (operation == RC_SUBTRACT)
        n = -n; /* "the same form as addition, only with a negative value" */
    if (operation == RC_DIVIDE) {
        if (n == 0)
            return rc_error_null(rc_error_set(error, "division by a normal value with mean 0"));
        /* The footnote to Eq. 4.8 would invert the standard deviation, too; a relative deviation
         * is the same for y and 1/y. */
        t = t / (n * n);
        n = 1 / n;
    }
    if (operation == RC_ADD || operation == RC_SUBTRACT) {
        mean = m + n;
        sd = correlated ? s + t : sqrt(s * s + t * t);
    } else if (s == 0 || t == 0) { /* a point: P(m, sd) = (Pm, P sd) */
        mean = m * n;
        sd = fabs(s * n) + fabs(m * t);
    } else if (correlated) {
        mean = m * n;
        sd = fabs(s * n + t * m + s * t);
    } else if (m == 0 || n == 0) { /* "we define their product to be zero" */
        mean = sd = 0;
    } else {
        mean = m * n;
        sd = fabs(m * n) * sqrt(s / m * (s / m) + t / n * (t / n));
    }
    return rc_value_normal(mean, sd, 0, error);
}

/* ---- functions, to second order ---- */

/* f(a), given f, f' and f'' at the mean: E = f + f'' s²/2, Var = f'² s² + f''² s⁴/2.  Exact for
 * squares. */
static struct rc_value *expand(const struct rc_value *a, double f, double slope, double bend,
                               struct rc_error *error)
{
    double variance = a->sd * a->sd;

    return combine(f + bend * variance / 2, a, slope, NULL, 0,
                   bend * bend * variance * variance / 2, error);
}

static int keep_away_from_zero(const struct rc_value *a, bool positive, const char *what,
                               struct rc_error *error)
{
    if ((positive ? a->mean : fabs(a->mean)) > SAFE_DISTANCE * a->sd)
        return 0;
    rc_error_set(error, "%s (mean %g, sd %g)", what, a->mean, a->sd);
    return rc_error_hint(error, "a histogram or a sample can represent the result");
}

static struct rc_value *multiply(const struct rc_value *a, const struct rc_value *b,
                                 struct rc_error *error)
{
    double c = covariance(a, b);

    return combine(a->mean * b->mean + c, a, b->mean, b, a->mean,
                   a->sd * a->sd * b->sd * b->sd + c * c, error);
}

static struct rc_value *divide(const struct rc_value *a, const struct rc_value *b,
                               struct rc_error *error)
{
    double m = b->mean;
    struct rc_value *inverse, *result;

    if (keep_away_from_zero(b, false, "division by a normal value that may be 0", error))
        return NULL;
    inverse = expand(b, 1 / m, -1 / (m * m), 2 / (m * m * m), error);
    if (!inverse)
        return NULL;
    result = multiply(a, inverse, error);
    rc_value_drop(inverse);
    return result;
}

static struct rc_value *power(const struct rc_value *a, const struct rc_value *b,
                              struct rc_error *error)
{
    double m = a->mean, k = b->mean;
    struct rc_value *logarithm, *product, *result = NULL;

    if (b->sd == 0) {
        bool whole = k == floor(k) && k >= 0;

        if (!whole && keep_away_from_zero(
                          a, true, "power of a normal value that may be 0 or negative", error))
            return NULL;
        return expand(a, pow(m, k), k == 0 ? 0 : k * pow(m, k - 1),
                      k == 0 || k == 1 ? 0 : k * (k - 1) * pow(m, k - 2), error);
    }
    logarithm = rc_value_normal_unary(RC_LOG, a, error);
    product = logarithm ? multiply(logarithm, b, error) : NULL;
    if (product)
        result = rc_value_normal_unary(RC_EXP, product, error);
    rc_value_drop(logarithm);
    rc_value_drop(product);
    return result;
}

struct rc_value *rc_value_normal_binary(enum rc_binary operation, const struct rc_value *a,
                                        const struct rc_value *b,
                                        const struct rc_value_rules *rules, struct rc_error *error)
{
    if (rules->dissertation && operation != RC_POWER)
        return by_table(operation, a, b, rules->correlated, error);
    switch (operation) {
    case RC_ADD:
        return combine(a->mean + b->mean, a, 1, b, 1, 0, error);
    case RC_SUBTRACT:
        return combine(a->mean - b->mean, a, 1, b, -1, 0, error);
    case RC_MULTIPLY:
        return multiply(a, b, error);
    case RC_DIVIDE:
        return divide(a, b, error);
    default:
        return power(a, b, error);
    }
}

struct rc_value *rc_value_normal_unary(enum rc_unary operation, const struct rc_value *a,
                                       struct rc_error *error)
{
    double m = a->mean, root;

    switch (operation) {
    case RC_NEGATE:
        return combine(-m, a, -1, NULL, 0, 0, error);
    case RC_LOG:
        if (keep_away_from_zero(a, true, "logarithm of a normal value that may be 0 or negative",
                                error))
            return NULL;
        return expand(a, log(m), 1 / m, -1 / (m * m), error);
    case RC_SQRT:
        if (keep_away_from_zero(a, true, "square root of a normal value that may be negative",
                                error))
            return NULL;
        root = sqrt(m);
        return expand(a, root, 1 / (2 * root), -1 / (4 * m * root), error);
    case RC_EXP: {
        /* The moments of the log-normal are known. */
        double v = a->sd * a->sd, mean = exp(m + v / 2);

        return combine(mean, a, mean, NULL, 0, mean * mean * (expm1(v) - v), error);
    }
    default:
        if (fabs(m) > SAFE_DISTANCE * a->sd)
            return combine(fabs(m), a, m < 0 ? -1 : 1, NULL, 0, 0, error);
        {
            /* The folded normal: E|X|, and E|X|² = E X². */
            double z = m / a->sd;
            double mean =
                a->sd * 2 * gsl_ran_ugaussian_pdf(z) + m * (1 - 2 * gsl_cdf_ugaussian_P(-z));
            double variance = m * m + a->sd * a->sd - mean * mean;

            return rc_value_normal(mean, sqrt(variance > 0 ? variance : 0), 0, error);
        }
    }
}

/* C. E. Clark, "The greatest of a finite set of random variables", Operations Research 9 (1961):
 * mean and variance of the larger of two jointly normal values, and how it goes with what they are
 * made of. */
struct rc_value *rc_value_normal_max(const struct rc_value *a, const struct rc_value *b,
                                     struct rc_error *error)
{
    double spread = a->sd * a->sd + b->sd * b->sd - 2 * covariance(a, b);
    double s, z, first, second, density, mean, square, linear;
    struct rc_value *result;

    /* Less than rounding leaves over: they differ by a constant. */
    if (spread <= 1e-14 * (a->sd * a->sd + b->sd * b->sd))
        return rc_value_keep(a->mean >= b->mean ? a : b);
    s = sqrt(spread);
    z = (a->mean - b->mean) / s;
    first = gsl_cdf_ugaussian_P(z);
    second = gsl_cdf_ugaussian_Q(z);
    density = gsl_ran_ugaussian_pdf(z);
    mean = a->mean * first + b->mean * second + s * density;
    square = (a->mean * a->mean + a->sd * a->sd) * first +
             (b->mean * b->mean + b->sd * b->sd) * second + (a->mean + b->mean) * s * density;
    result = combine(mean, a, first, b, second, 0, error);
    if (!result)
        return NULL;
    linear = result->sd * result->sd;
    square -= mean * mean; /* the variance */
    if (square > linear) {
        result->rest += square - linear;
        result->sd = sqrt(square);
    }
    if (result->sd > 0) {
        result->low = -INFINITY;
        result->high = INFINITY;
    }
    return result;
}

/* min(a, b) = -max(-a, -b), which keeps what normals remember. */
struct rc_value *rc_value_normal_extreme(const struct rc_value *a, const struct rc_value *b,
                                         bool max, struct rc_error *error)
{
    struct rc_value *x, *y, *most, *result = NULL;

    if (max)
        return rc_value_normal_max(a, b, error);
    x = rc_value_normal_unary(RC_NEGATE, a, error);
    y = rc_value_normal_unary(RC_NEGATE, b, error);
    most = x && y ? rc_value_normal_max(x, y, error) : NULL;
    if (most)
        result = rc_value_normal_unary(RC_NEGATE, most, error);
    rc_value_drop(x);
    rc_value_drop(y);
    rc_value_drop(most);
    return result;
}
