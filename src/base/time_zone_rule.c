// SPDX-License-Identifier: BSD-2-Clause
/* time_zone_rule.c - the rule of a time zone for all years. */
#include "base/time_zone_rule.h"

#include <string.h>

#include "base/timestamp.h"

enum { DAY = 86400, NAME_LEAST = 3, HOURS_OF_OFFSET = 24, HOURS_OF_CHANGE = 167 };

struct cursor {
    const char *at, *end;
};

static bool take(struct cursor *cursor, char c)
{
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool take_number(struct cursor *cursor, int least, int most, int *value)
{
    const char *begin = cursor->at;

    for (*value = 0; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9' &&
                     cursor->at < begin + 3;
         cursor->at++)
        *value = *value * 10 + (*cursor->at - '0');
    return cursor->at > begin && *value >= least && *value <= most;
}

/* "CET", "<+03>" */
static bool take_name(struct cursor *cursor)
{
    bool quoted = take(cursor, '<');
    const char *begin = cursor->at;
    size_t length;

    while (cursor->at < cursor->end &&
           (is_letter(*cursor->at) ||
            (quoted && (strchr("+-", *cursor->at) || (*cursor->at >= '0' && *cursor->at <= '9')))))
        cursor->at++;
    length = (size_t)(cursor->at - begin);
    return length >= NAME_LEAST && (!quoted || take(cursor, '>'));
}

/* "2", "-3:30", "+1:02:03" */
static bool take_time(struct cursor *cursor, int hours_most, int32_t *seconds)
{
    bool negative = take(cursor, '-');
    int hours, minutes = 0, rest = 0;

    if (!negative)
        take(cursor, '+');
    if (!take_number(cursor, 0, hours_most, &hours) ||
        (take(cursor, ':') && (!take_number(cursor, 0, 59, &minutes) ||
                               (take(cursor, ':') && !take_number(cursor, 0, 59, &rest)))))
        return false;
    *seconds = (negative ? -1 : 1) * (hours * 3600 + minutes * 60 + rest);
    return true;
}

/* "M3.5.0", "J60", "300", with a time such as "/3". */
static bool take_day(struct cursor *cursor, struct rc_time_zone_day *day)
{
    day->time = 2 * 3600;
    if (take(cursor, 'M')) {
        day->kind = RC_DAY_OF_WEEK;
        if (!take_number(cursor, 1, 12, &day->month) || !take(cursor, '.') ||
            !take_number(cursor, 1, 5, &day->week) || !take(cursor, '.') ||
            !take_number(cursor, 0, 6, &day->day))
            return false;
    } else {
        day->kind = take(cursor, 'J') ? RC_DAY_OF_365 : RC_DAY_OF_YEAR;
        if (!take_number(cursor, day->kind == RC_DAY_OF_365, 365, &day->day))
            return false;
    }
    return !take(cursor, '/') || take_time(cursor, HOURS_OF_CHANGE, &day->time);
}

int rc_time_zone_rule_parse(const char *text, size_t length, struct rc_time_zone_rule *rule)
{
    struct cursor cursor = {text, text + length};
    int32_t west;

    *rule = (struct rc_time_zone_rule){.changes = false};
    if (!take_name(&cursor) || !take_time(&cursor, HOURS_OF_OFFSET, &west))
        return -1;
    rule->standard = -west;
    rule->daylight = 3600 - west;
    if (cursor.at == cursor.end)
        return 0;
    rule->changes = true;
    if (!take_name(&cursor))
        return -1;
    if (cursor.at < cursor.end && *cursor.at != ',') {
        if (!take_time(&cursor, HOURS_OF_OFFSET, &west))
            return -1;
        rule->daylight = -west;
    }
    return take(&cursor, ',') && take_day(&cursor, &rule->begin) && take(&cursor, ',') &&
                   take_day(&cursor, &rule->end) && cursor.at == cursor.end
               ? 0
               : -1;
}

/* ---- days of a year ---- */

/* Days since 1970 of the day of the week of a rule. 1970 began on a Thursday. */
static int64_t find_weekday(const struct rc_time_zone_day *day, int64_t year)
{
    int64_t first = rc_timestamp_days(year, day->month, 1);
    int64_t next = day->month == 12 ? rc_timestamp_days(year + 1, 1, 1)
                                    : rc_timestamp_days(year, day->month + 1, 1);
    int weekday = (int)(((first + 4) % 7 + 7) % 7);
    int64_t found = first + (day->day - weekday + 7) % 7 + 7 * (day->week - 1);

    return found < next ? found : found - 7;
}

/* Seconds since 1970 in local time. */
static int64_t find_change(const struct rc_time_zone_day *day, int64_t year)
{
    int64_t first = rc_timestamp_days(year, 1, 1), found;
    bool leap = rc_timestamp_days(year + 1, 1, 1) - first == 366;

    if (day->kind == RC_DAY_OF_WEEK)
        found = find_weekday(day, year);
    else if (day->kind == RC_DAY_OF_365)
        found = first + day->day - 1 + (leap && day->day >= 60);
    else
        found = first + day->day;
    return found * DAY + day->time;
}

int32_t rc_time_zone_rule_offset(const struct rc_time_zone_rule *rule, int64_t utc)
{
    int64_t year, begin, end;

    if (!rule->changes)
        return rule->standard;
    year = rc_timestamp_year(utc + rule->standard);
    begin = find_change(&rule->begin, year) - rule->standard;
    end = find_change(&rule->end, year) - rule->daylight;
    if (begin < end)
        return utc >= begin && utc < end ? rule->daylight : rule->standard;
    return utc >= end && utc < begin ? rule->standard : rule->daylight;
}
