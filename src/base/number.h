// SPDX-License-Identifier: BSD-2-Clause
/* number.h - decimal numbers as text, the same in every locale. */
#ifndef RC_BASE_NUMBER_H
#define RC_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough for any result of the functions below, with its NUL. */
enum { RC_NUMBER_SIZE = 32 };

/* Reads the longest decimal number ("12", "-1.5e3", ".5"; no hexadecimal, no "inf", no "nan") at
 * the start of `text` and returns its length, or 0 if there is none, or if it is too large for a
 * double. */
size_t rc_number_scan(const char *text, size_t length, double *value);

/* Reads all of `text` as one such number; -1 for anything else. */
int rc_number_parse(const char *text, size_t length, double *value);

/* Whether `text` looks like a number with a decimal comma: 1,5 or 1.234,5. */
bool rc_number_has_comma(const char *text, size_t length);

/* Reads all of `text` as a whole number in the range of int64_t; -1 for anything else. */
int rc_number_parse_integer(const char *text, size_t length, int64_t *value);

/* Writes the shortest decimal that reads back as exactly `value`; "nan", "inf" or "-inf" for what
 * is no number.  Returns the length. */
size_t rc_number_format(double value, char text[RC_NUMBER_SIZE]);

/* Writes `value` rounded to `digits` (1 to 15) significant digits: 12.5, 0.00041, 1048576, 2.5e+19.
 * Whole numbers below 10^15 are never rounded. Returns the length. */
size_t rc_number_format_short(double value, int digits, char text[RC_NUMBER_SIZE]);

#endif
