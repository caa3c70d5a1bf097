// SPDX-License-Identifier: BSD-2-Clause
/* time_zone.h - local times as points in time.
 *
 * Time zones are read from the files of the tz database, without the environment of the process
 * (setenv() and tzset() are not safe in a library). Source of the format: RFC 8536. */
#ifndef RC_BASE_TIME_ZONE_H
#define RC_BASE_TIME_ZONE_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_time_zone;

/* Opens "UTC", "Z", an offset such as "+02:00", "-0330" or "+2", or a zone of the tz database such
 * as "Europe/Berlin", from the directory $TZDIR or /usr/share/zoneinfo. */
struct rc_time_zone *rc_time_zone_open(const char *name, struct rc_error *error);

/* The same from the content of a file of the tz database; `name` is for errors. Leap seconds are
 * not supported. */
struct rc_time_zone *rc_time_zone_read(const void *bytes, size_t length, const char *name,
                                       struct rc_error *error);

/* Frees the zone; NULL is none. */
void rc_time_zone_close(struct rc_time_zone *zone);

/* Seconds east of UTC at this moment. */
int32_t rc_time_zone_offset(const struct rc_time_zone *zone, int64_t utc);

/* How often a local time occurs: when clocks are set back, some occur twice; when they are set
 * forward, some do not occur. */
enum rc_local_time { RC_LOCAL_ONCE, RC_LOCAL_TWICE, RC_LOCAL_NEVER };

/* Reads a time as rc_timestamp_parse() does. Without an offset, it is a local time of the zone. Of
 * one that occurs twice, the first is taken. One that does not occur is read with the offset before
 * the change, so that 02:30 becomes 03:30. */
int rc_time_zone_parse(const struct rc_time_zone *zone, const char *text, size_t length,
                       double *seconds, enum rc_local_time *occurs, struct rc_error *error);

#endif
