// SPDX-License-Identifier: GPL-3.0-or-later
/* interval_arithmetic.c - arithmetic over intervals: the dissertation's Tables 4.2 to 4.4.
 *
 * The tables pick the two products (quotients) that are the ends by the signs of the operands.
 * Taking the least and the greatest of all four comes to the same, without the slip in Table 4.4
 * (x around 0 and y > 0: the upper end is high(x)/low(y)). */
#include <math.h>

#include "base/error.h"
#include "stats/value/internal.h"

static void ends_of(const double *candidates, int count, double result[2])
{
    result[0] = result[1] = candidates[0];
    for (int i = 1; i < count; i++) {
        if (candidates[i] < result[0])
            result[0] = candidates[i];
        if (candidates[i] > result[1])
            result[1] = candidates[i];
    }
}

static int power(const double a[2], const double b[2], double result[2], struct rc_error *error)
{
    double candidates[4];
    int count = 0;

    /* A whole exponent takes any base (but 0 to a negative one); others only positive bases. */
    if (b[0] == b[1] && b[0] == floor(b[0])) {
        if (b[0] < 0 && a[0] <= 0 && a[1] >= 0)
            return rc_error_set(error, "negative power of a value that may be 0");
        candidates[count++] = pow(a[0], b[0]);
        candidates[count++] = pow(a[1], b[0]);
        if (a[0] < 0 && a[1] > 0)
            candidates[count++] = pow(0, b[0]); /* the turning point of an even power */
    } else {
        if (a[0] < 0 || (a[0] == 0 && b[0] < 0))
            return rc_error_set(error, "power of a value that may be negative");
        for (int i = 0; i < 4; i++) /* y log x is linear in each: the ends are at the corners */
            candidates[count++] = pow(a[i & 1], b[i >> 1]);
    }
    ends_of(candidates, count, result);
    return 0;
}

int rc_value_interval_binary(enum rc_binary operation, const double a[2], const double b[2],
                             double result[2], struct rc_error *error)
{
    double candidates[4];

    switch (operation) {
    case RC_ADD:
        result[0] = a[0] + b[0];
        result[1] = a[1] + b[1];
        break;
    case RC_SUBTRACT:
        result[0] = a[0] - b[1];
        result[1] = a[1] - b[0];
        break;
    case RC_DIVIDE:
        if (b[0] <= 0 && b[1] >= 0) {
            rc_error_set(error, "division by a value that may be 0 (from %g to %g)", b[0], b[1]);
            return -1;
        }
        for (int i = 0; i < 4; i++)
            candidates[i] = a[i & 1] / b[i >> 1];
        ends_of(candidates, 4, result);
        break;
    case RC_MULTIPLY:
        for (int i = 0; i < 4; i++)
            candidates[i] = a[i & 1] * b[i >> 1];
        ends_of(candidates, 4, result);
        break;
    default:
        if (power(a, b, result, error))
            return -1;
    }
    return isfinite(result[0]) && isfinite(result[1])
               ? 0
               : rc_error_set(error, "the result is too large");
}

int rc_value_interval_unary(enum rc_unary operation, const double a[2], double result[2],
                            struct rc_error *error)
{
    switch (operation) {
    case RC_NEGATE:
        result[0] = -a[1];
        result[1] = -a[0];
        break;
    case RC_LOG:
        if (a[0] <= 0)
            return rc_error_set(error, "logarithm of a value that may be 0 or negative (from %g)",
                                a[0]);
        result[0] = log(a[0]);
        result[1] = log(a[1]);
        break;
    case RC_SQRT:
        if (a[0] < 0)
            return rc_error_set(error, "square root of a value that may be negative (from %g)",
                                a[0]);
        result[0] = sqrt(a[0]);
        result[1] = sqrt(a[1]);
        break;
    case RC_EXP:
        result[0] = exp(a[0]);
        result[1] = exp(a[1]);
        break;
    default: /* absolute value */
        result[0] = a[0] <= 0 && a[1] >= 0 ? 0 : fmin(fabs(a[0]), fabs(a[1]));
        result[1] = fmax(fabs(a[0]), fabs(a[1]));
    }
    return isfinite(result[0]) && isfinite(result[1])
               ? 0
               : rc_error_set(error, "the result is too large");
}
