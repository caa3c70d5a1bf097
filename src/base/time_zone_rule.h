// SPDX-License-Identifier: BSD-2-Clause
/* time_zone_rule.h - the rule of a time zone for all years, such as "CET-1CEST,M3.5.0,M10.5.0/3".
 *
 * Source: POSIX.1-2017, section 8.3, variable TZ; RFC 8536, section 3.3.1, for hours of -167 to 167.
 */
#ifndef RC_BASE_TIME_ZONE_RULE_H
#define RC_BASE_TIME_ZONE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A day of a year, and the seconds after its midnight. */
struct rc_time_zone_day {
    enum { RC_DAY_OF_365, RC_DAY_OF_YEAR, RC_DAY_OF_WEEK } kind;
    int month, week; /* 1 to 12, 1 to 5: week 5 is the last one */
    int day;         /* 1 to 365 (without 29 February), 0 to 365, or 0 (Sunday) to 6 */
    int32_t time;
};

struct rc_time_zone_rule {
    int32_t standard, daylight; /* seconds east of UTC */
    bool changes;               /* there is daylight saving time */
    struct rc_time_zone_day begin, end;
};

/* -1: the text is no such rule. A rule with daylight saving time has the days of its change. */
int rc_time_zone_rule_parse(const char *text, size_t length, struct rc_time_zone_rule *rule);

/* Seconds east of UTC at this moment. */
int32_t rc_time_zone_rule_offset(const struct rc_time_zone_rule *rule, int64_t utc);

#endif
