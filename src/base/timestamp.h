// SPDX-License-Identifier: BSD-2-Clause
/* timestamp.h - points in time as text.  Everything is UTC. */
#ifndef RC_BASE_TIMESTAMP_H
#define RC_BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

/* Reads seconds since 1970 ("1763174841.5"), or a date with or without a time of day
 * ("2026-11-15", "2026-11-15T02:47:21.5Z", "2026-11-15 02:47", "…+01:00").  Without a zone it is
 * UTC. */
int rc_timestamp_parse(const char *text, size_t length, double *seconds, struct rc_error *error);

/* The same; `is_local` is whether the text is a date without a zone. */
int rc_timestamp_parse_local(const char *text, size_t length, double *seconds, bool *is_local,
                             struct rc_error *error);

/* Days from 1970-01-01 to a date of the Gregorian calendar, and the year of a number of seconds since
 * 1970. */
int64_t rc_timestamp_days(int64_t year, int month, int day);
int64_t rc_timestamp_year(int64_t seconds);

/* As rc_timestamp_parse(), and takes a length of time ("7d", "2h") as that long before `now`. */
int rc_timestamp_parse_since(const char *text, double now, double *seconds, struct rc_error *error);

enum { RC_TIME_SIZE = 40 };

/* Writes "2026-11-15T02:47:21Z", with fractions down to microseconds if there are any; "-" for NAN,
 * and a plain number outside of the years 1 to 9999. Returns the length. */
size_t rc_timestamp_format(double seconds, char text[RC_TIME_SIZE]);

#endif
