// SPDX-License-Identifier: BSD-2-Clause
/* number.c - decimal numbers as text, the same in every locale.
 *
 * Tables of a million rows are read and written through these functions, so the usual cases avoid
 * strtod() and printf().  Reading is exact there: a decimal of at most 15 digits is a double, and
 * so is 10^k for k <= 22, so that one multiplication or division rounds correctly. */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts are not numbers that anyone wrote. */
enum { DIGITS_MAX = 400 };

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int slow_scan(const char *text, size_t length, double *value)
{
    char copy[DIGITS_MAX + 1];

    if (length > DIGITS_MAX)
        return -1;
    memcpy(copy, text, length);
    copy[length] = '\0';
    pthread_once(&c_locale_once, make_c_locale);
    *value = c_locale ? strtod_l(copy, NULL, c_locale) : strtod(copy, NULL);
    return isfinite(*value) ? 0 : -1;
}

size_t rc_number_scan(const char *text, size_t length, double *value)
{
    uint64_t mantissa = 0;
    int significant = 0, exponent = 0, scale = 0;
    size_t i = 0, after_exponent;
    bool negative = false, any = false, exponent_negative;

    if (i < length && (text[i] == '-' || text[i] == '+'))
        negative = text[i++] == '-';
    for (; i < length && is_digit(text[i]); i++) {
        any = true;
        if (significant < 19)
            mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
        significant += mantissa != 0;
    }
    if (i < length && text[i] == '.') {
        size_t point = i;

        for (i++; i < length && is_digit(text[i]); i++) {
            any = true;
            if (significant < 19) {
                mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
                scale--;
            }
            significant += mantissa != 0;
        }
        if (!any)
            i = point;
    }
    if (!any)
        return 0;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        after_exponent = i + 1;
        exponent_negative = false;
        if (after_exponent < length && (text[after_exponent] == '-' || text[after_exponent] == '+'))
            exponent_negative = text[after_exponent++] == '-';
        if (after_exponent < length && is_digit(text[after_exponent])) {
            for (i = after_exponent; i < length && is_digit(text[i]); i++)
                if (exponent < 10000)
                    exponent = exponent * 10 + (text[i] - '0');
            if (exponent_negative)
                exponent = -exponent;
        }
    }
    exponent += scale;
    if (significant <= 15 && exponent >= -22 && exponent <= 22) {
        *value = exponent < 0 ? (double)mantissa / power_of_ten[-exponent]
                              : (double)mantissa * power_of_ten[exponent];
        if (negative)
            *value = -*value;
        return i;
    }
    return slow_scan(text, i, value) == 0 ? i : 0;
}

int rc_number_parse(const char *text, size_t length, double *value)
{
    return length > 0 && rc_number_scan(text, length, value) == length ? 0 : -1;
}

bool rc_number_has_comma(const char *text, size_t length)
{
    const char *comma = memchr(text, ',', length), *end = text + length;
    double fraction;

    for (const char *at = text; comma && at < comma; at++)
        if (!(*at >= '0' && *at <= '9') && *at != '.' && (at > text || (*at != '-' && *at != '+')))
            return false;
    return comma && comma + 1 < end && comma[1] >= '0' && comma[1] <= '9' &&
           rc_number_parse(comma + 1, (size_t)(end - comma - 1), &fraction) == 0;
}

int rc_number_parse_integer(const char *text, size_t length, int64_t *value)
{
    bool negative = length > 0 && text[0] == '-';
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
    int64_t result = 0;

    if (i == length)
        return -1;
    for (; i < length; i++) {
        if (!is_digit(text[i]) || __builtin_mul_overflow(result, 10, &result) ||
            __builtin_sub_overflow(result, text[i] - '0', &result))
            return -1; /* counts downwards, so that INT64_MIN can be read */
    }
    if (!negative && result == INT64_MIN)
        return -1;
    *value = negative ? result : -result;
    return 0;
}

static size_t write_unsigned(uint64_t number, char *text)
{
    char reversed[20];
    size_t length = 0;

    do
        reversed[length++] = (char)('0' + number % 10);
    while (number /= 10);
    for (size_t i = 0; i < length; i++)
        text[i] = reversed[length - 1 - i];
    return length;
}

static bool write_whole(double value, char text[RC_NUMBER_SIZE], size_t *length)
{
    size_t sign = value < 0;

    if (!(fabs(value) < 1e15) || value != floor(value))
        return false;
    text[0] = '-';
    *length = sign + write_unsigned((uint64_t)fabs(value), text + sign);
    text[*length] = '\0';
    return true;
}

static size_t print(char text[RC_NUMBER_SIZE], int digits, double value)
{
    locale_t before;
    int length;

    pthread_once(&c_locale_once, make_c_locale);
    before = c_locale ? uselocale(c_locale) : (locale_t)0;
    length = snprintf(text, RC_NUMBER_SIZE, "%.*g", digits, value);
    if (before)
        uselocale(before);
    return length < 0 ? 0 : (size_t)length;
}

/* Writes `value`, 1e-5 <= |value| < 1e15, rounded to `decimals` places, without trailing zeros.
 * False if the scaled value has more digits than a double. */
static bool write_fixed(double value, int decimals, char text[RC_NUMBER_SIZE], size_t *length)
{
    double scaled = round(fabs(value) * power_of_ten[decimals]);
    uint64_t digits, whole, part, unit = (uint64_t)power_of_ten[decimals];
    size_t at = 0;

    if (!(scaled < 9e15))
        return false;
    digits = (uint64_t)scaled;
    whole = digits / unit;
    part = digits % unit;
    if (value < 0 && digits)
        text[at++] = '-';
    at += write_unsigned(whole, text + at);
    if (part) {
        text[at++] = '.';
        while (part) {
            unit /= 10;
            text[at++] = (char)('0' + part / unit);
            part %= unit;
        }
    }
    text[at] = '\0';
    *length = at;
    return true;
}

size_t rc_number_format(double value, char text[RC_NUMBER_SIZE])
{
    size_t length;
    double back;

    if (write_whole(value, text, &length))
        return length;
    if (!isfinite(value))
        return print(text, 6, value);
    /* Most measured numbers have few decimals; try them before the general way. */
    if (fabs(value) < 1e9 && fabs(value) >= 1e-4)
        for (int decimals = 3; decimals <= 9; decimals += 3)
            if (write_fixed(value, decimals, text, &length) &&
                rc_number_parse(text, length, &back) == 0 && back == value)
                return length;
    for (int digits = 15; digits <= 17; digits++) {
        length = print(text, digits, value);
        if (rc_number_parse(text, length, &back) == 0 && back == value)
            break;
    }
    return length;
}

size_t rc_number_format_short(double value, int digits, char text[RC_NUMBER_SIZE])
{
    size_t length;
    double size = fabs(value);
    int before_point = 0;

    if (write_whole(value, text, &length))
        return length;
    if (size >= 1e-4 && size < 1e15) {
        while (before_point < 15 && size >= power_of_ten[before_point])
            before_point++;
        if (size < 1) /* leading zeros after the point are not significant */
            for (double s = size; s < 0.1; s *= 10)
                before_point--;
        if (write_fixed(value, digits > before_point ? digits - before_point : 0, text, &length))
            return length;
    }
    return print(text, digits, value);
}
