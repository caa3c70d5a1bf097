// SPDX-License-Identifier: BSD-2-Clause
/* timestamp.c - points in time as text.
 *
 * Days are counted by the proleptic Gregorian calendar in whole 400-year eras that start on
 * 1 March, so that the leap day is the last day of a year and needs no special case. */
#include "base/timestamp.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/unit.h"

enum { ERA_DAYS = 146097, DAYS_TO_1970 = 719468 };

int64_t rc_timestamp_days(int64_t year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - DAYS_TO_1970;
}

static void date_from_days(int64_t days, int64_t *year, int *month, int *day)
{
    int64_t shifted = days + DAYS_TO_1970;
    int64_t era = (shifted >= 0 ? shifted : shifted - ERA_DAYS + 1) / ERA_DAYS;
    int64_t of_era = shifted - era * ERA_DAYS;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t m = (5 * of_year + 2) / 153;

    *day = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = years + era * 400 + (*month <= 2);
}

int64_t rc_timestamp_year(int64_t seconds)
{
    int64_t year;
    int month, day;

    date_from_days((seconds >= 0 ? seconds : seconds - 86399) / 86400, &year, &month, &day);
    return year;
}

static int days_in_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap);
}

/* Reads exactly `digits` digits. */
static bool take(const char **at, const char *end, int digits, int *value)
{
    *value = 0;
    for (; digits > 0; digits--, (*at)++) {
        if (*at >= end || **at < '0' || **at > '9')
            return false;
        *value = *value * 10 + (**at - '0');
    }
    return true;
}

static bool take_char(const char **at, const char *end, char c)
{
    if (*at >= end || **at != c)
        return false;
    (*at)++;
    return true;
}

static bool parse_zone(const char **at, const char *end, int *minutes, bool *is_local)
{
    int hours, rest = 0;
    bool west;

    *minutes = 0;
    *is_local = *at == end;
    if (*is_local || take_char(at, end, 'Z'))
        return true;
    west = **at == '-';
    if (!west && **at != '+')
        return false;
    (*at)++;
    if (!take(at, end, 2, &hours) || hours > 23)
        return false;
    take_char(at, end, ':');
    if (*at < end && (!take(at, end, 2, &rest) || rest > 59))
        return false;
    *minutes = (west ? -1 : 1) * (hours * 60 + rest);
    return true;
}

static bool parse_date(const char *text, size_t length, double *seconds, bool *is_local)
{
    const char *at = text, *end = text + length;
    int year, month, day, hour = 0, minute = 0, second = 0, zone = 0;
    double fraction = 0;
    size_t taken;

    if (!take(&at, end, 4, &year) || !take_char(&at, end, '-') || !take(&at, end, 2, &month) ||
        !take_char(&at, end, '-') || !take(&at, end, 2, &day))
        return false;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    *is_local = true;
    if (at < end) {
        if (!take_char(&at, end, 'T') && !take_char(&at, end, ' '))
            return false;
        if (!take(&at, end, 2, &hour) || !take_char(&at, end, ':') || !take(&at, end, 2, &minute))
            return false;
        if (take_char(&at, end, ':')) {
            if (!take(&at, end, 2, &second))
                return false;
            if (at < end && *at == '.') {
                taken = 1;
                while (at + taken < end && at[taken] >= '0' && at[taken] <= '9')
                    taken++;
                if (taken < 2 || rc_number_parse(at, taken, &fraction))
                    return false;
                at += taken;
            }
        }
        take_char(&at, end, ' ');
        if (hour > 23 || minute > 59 || second > 60 || !parse_zone(&at, end, &zone, is_local))
            return false;
    }
    if (at != end)
        return false;
    *seconds = (double)(rc_timestamp_days(year, month, day) * 86400 + hour * 3600 +
                        (minute - zone) * 60 + second) +
               fraction;
    return true;
}

int rc_timestamp_parse(const char *text, size_t length, double *seconds, struct rc_error *error)
{
    bool is_local;

    return rc_timestamp_parse_local(text, length, seconds, &is_local, error);
}

int rc_timestamp_parse_local(const char *text, size_t length, double *seconds, bool *is_local,
                             struct rc_error *error)
{
    *is_local = false;
    if (rc_number_parse(text, length, seconds) == 0 || parse_date(text, length, seconds, is_local))
        return 0;
    return rc_error_set(error,
                        "'%.*s' is not a time such as 2026-11-15T09:30:00Z, 2026-11-15 or "
                        "seconds since 1970",
                        (int)(length < 200 ? length : 200), text);
}

int rc_timestamp_parse_since(const char *text, double now, double *seconds, struct rc_error *error)
{
    double ago;
    size_t length = strlen(text);

    if (rc_timestamp_parse(text, length, seconds, NULL) == 0)
        return 0;
    if (rc_unit_parse(text, length, RC_SECONDS, &ago, NULL) == 0 && ago >= 0) {
        *seconds = now - ago;
        return 0;
    }
    return rc_error_set(error,
                        "'%s' is not a time such as 2026-11-15T09:30, 2026-11-15, or 7d for "
                        "seven days ago",
                        text);
}

size_t rc_timestamp_format(double seconds, char text[RC_TIME_SIZE])
{
    int64_t whole, days, of_day, year;
    int month, day, length;
    long micro;

    if (isnan(seconds))
        return (size_t)snprintf(text, RC_TIME_SIZE, "-");
    if (!(seconds >= -62135596800.0 && seconds < 253402300799.5))
        return rc_number_format(seconds, text);
    whole = (int64_t)floor(seconds);
    micro = lround((seconds - (double)whole) * 1e6);
    if (micro == 1000000) {
        whole++;
        micro = 0;
    }
    days = (whole >= 0 ? whole : whole - 86399) / 86400;
    of_day = whole - days * 86400;
    date_from_days(days, &year, &month, &day);
    length = snprintf(text, RC_TIME_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d", (int)year, month, day,
                      (int)(of_day / 3600), (int)(of_day / 60 % 60), (int)(of_day % 60));
    if (micro) {
        length += snprintf(text + length, RC_TIME_SIZE - (size_t)length, ".%06ld", micro);
        while (text[length - 1] == '0')
            length--;
    }
    text[length++] = 'Z';
    text[length] = '\0';
    return (size_t)length;
}
