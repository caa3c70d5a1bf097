// SPDX-License-Identifier: GPL-3.0-or-later
/* basis_functions.c - the functions that models are put together from: tables, and powers.
 *
 * Every function is x^a (log2 x)^b, but for three of the number of processes that count the others,
 * P - 1.  The paper describes its 77 functions of the problem size only as polynomials, logarithms
 * and mixtures.  Here they are the eleven functions 1 to 11 below, each alone, each with a
 * constant, and each pair: 11 + 11 + 55.
 *
 * Surprises are the logarithm of how much rarer a form is than the usual one.  They decide between
 * forms that the runs cannot tell apart: work that is split evenly (1/P), powers that are whole,
 * messages whose time is their length over the bandwidth. */
#include "model/regression/basis_functions.h"

#include <math.h>

struct function {
    const char *name;
    double power, log_power;
    double penalty;
};

static const struct {
    const char *name;
    double power, log_power;
    double computation, communication; /* prior penalties */
} sizes[RC_REGRESSION_SIZES] = {
    {"", 0, 0, 1, 0.5},
    {"log n", 0, 1, 4, 3},
    {"n^0.5", 0.5, 0, 4, 2.5},
    {"n^0.5 log n", 0.5, 1, 5, 5},
    {"n", 1, 0, 0, 0},
    {"n log n", 1, 1, 0.7, 2.5},
    {"n^1.5", 1.5, 0, 1.5, 2.5},
    {"n^2", 2, 0, 0, 0},
    {"n^2 log n", 2, 1, 1, 3},
    {"n^2.5", 2.5, 0, 2.5, 3.5},
    {"n^3", 3, 0, 0, 1},
    {"n^3 log n", 3, 1, 2.5, 5},
    /* ours */
    {"n^(1/3)", 1.0 / 3, 0, 5, 3.5},
    {"n^(2/3)", 2.0 / 3, 0, 4, 3},
    {"n^(4/3)", 4.0 / 3, 0, 3, 4},
    {"n^4", 4, 0, 2, 4},
    {"n log^2 n", 1, 2, 3, 5},
};

/* Of a divisor P^a (log P)^b; in formulas it is written below the line, above it, or both. */
static const struct {
    const char *above, *below;
    double power, log_power;
    double computation, communication; /* prior penalties */
} procs[RC_REGRESSION_PROCS] = {
    {"", "", 0, 0, 1, 0.5},
    {"", "P^0.5", 0.5, 0, 2.5, 1},
    {"", "P", 1, 0, 0, 0.5},
    {"", "P^1.5", 1.5, 0, 4, 3},
    {"", "P^2", 2, 0, 4, 3},
    {"", "P^2.5", 2.5, 0, 7, 7},
    {"", "P^3", 3, 0, 6, 6},
    {"", "log P", 0, 1, 5, 4},
    {"", "P log P", 1, 1, 5, 5},
    {"P^0.5", "", -0.5, 0, 5, 3},
    {"P", "", -1, 0, 4, 1},
    {"P^1.5", "", -1.5, 0, 7, 4.5},
    {"P^2", "", -2, 0, 6, 4},
    {"P^2.5", "", -2.5, 0, 9, 7},
    {"P^3", "", -3, 0, 9, 6},
    {"log P", "", 0, -1, 4, 0},
    {"P log P", "", -1, -1, 6, 2.5},
    /* ours */
    {"log P", "P", 1, -1, 3, 1.5},
    {"", "P^(2/3)", 2.0 / 3, 0, 4, 1.5},
    {"", "P^(1/3)", 1.0 / 3, 0, 4, 2.5},
    {"(P - 1)", "", 0, 0, 9, 1},
    {"(P - 1)", "P", 0, 0, 9, 1},
    {"P^(1/3)", "", -1.0 / 3, 0, 5, 4},
    {"(P - 1)", "P^2", 0, 0, 9, 0.7},
};
/* Messages to all others: whole ones; of a share for each; and of what each has, all with all. */
enum { OTHERS = 20, SHARE_OF_OTHERS = 21, ALL_WITH_ALL = 23 };

static const struct function widths[RC_REGRESSION_WIDTHS] = {
    {"", 0, 0, 1},         {"bw^0.5", 0.5, 0, 3}, {"bw", 1, 0, 0},
    {"bw^1.5", 1.5, 0, 4}, {"bw^2", 2, 0, 4},     {"bw^2.5", 2.5, 0, 6},
    {"bw^3", 3, 0, 6},     {"log bw", 0, 1, 6},   {"bw log bw", 1, 1, 6},
};

static const struct function factors[RC_REGRESSION_FACTORS] = {
    {"", 0, 0, 0.7},        {"%", 1, 0, 0},       {"%^0.5", 0.5, 0, 1.5}, {"%^2", 2, 0, 0.7},
    {"%^3", 3, 0, 1.5},     {"log %", 0, 1, 1},   {"% log %", 1, 1, 1.5}, {"%^-1", -1, 0, 1},
    {"%^-0.5", -0.5, 0, 2}, {"%^1.5", 1.5, 0, 2},
};

static double power(double x, double exponent)
{
    if (exponent == 0)
        return 1;
    if (exponent == 1)
        return x;
    if (exponent == 2)
        return x * x;
    if (exponent == 3)
        return x * x * x;
    if (exponent == 0.5)
        return sqrt(x);
    return pow(x, exponent);
}

static double value(double x, double exponent, double log_exponent)
{
    double result = power(x, exponent);

    return log_exponent == 0 ? result : result * power(log2(x), log_exponent);
}

const char *rc_regression_size_name(unsigned function)
{
    return sizes[function].name;
}

const char *rc_regression_procs_above(unsigned function)
{
    return procs[function].above;
}

const char *rc_regression_procs_below(unsigned function)
{
    return procs[function].below;
}

const char *rc_regression_width_name(unsigned function)
{
    return widths[function].name;
}

const char *rc_regression_factor_name(unsigned function)
{
    return factors[function].name;
}

double rc_regression_size(unsigned function, double n)
{
    return value(n, sizes[function].power, sizes[function].log_power);
}

double rc_regression_procs(unsigned function, double p)
{
    if (p <= 1)
        return 1;
    if (function == OTHERS)
        return 1 / (p - 1);
    if (function == SHARE_OF_OTHERS)
        return p / (p - 1);
    if (function == ALL_WITH_ALL)
        return p * p / (p - 1);
    return value(p, procs[function].power, procs[function].log_power);
}

double rc_regression_width(unsigned function, double bw)
{
    return value(bw, widths[function].power, widths[function].log_power);
}

double rc_regression_factor(unsigned function, double x)
{
    return value(x, factors[function].power, factors[function].log_power);
}

double rc_regression_size_penalty(unsigned function, bool computation)
{
    return computation ? sizes[function].computation : sizes[function].communication;
}

double rc_regression_size_degree(unsigned function)
{
    return sizes[function].power + 0.2 * sizes[function].log_power;
}

double rc_regression_procs_penalty(unsigned function, bool computation)
{
    return computation ? procs[function].computation : procs[function].communication;
}

double rc_regression_width_penalty(unsigned function)
{
    return widths[function].penalty;
}

double rc_regression_factor_penalty(unsigned function)
{
    return factors[function].penalty;
}
