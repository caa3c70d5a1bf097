// SPDX-License-Identifier: BSD-2-Clause
/* time_zone.c - local times as points in time.
 *
 * A file of the tz database has two blocks of data, of which the second has times of 64 bits, and a
 * footer with the rule for times after the last change (RFC 8536, section 3). Invariants: changes
 * increase, and every index of a change is that of an offset. */
#include "base/time_zone.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/time_zone_rule.h"
#include "base/timestamp.h"

enum {
    FILE_MAX = 65536,
    CHANGES_MAX = 2000, /* as zic has */
    OFFSETS_MAX = 256,
    OFFSET_MOST = 26 * 3600, /* RFC 8536, section 3.2 */
    HEADER_BYTES = 44,
    DAY = 86400
};

struct rc_time_zone {
    int64_t *changes; /* seconds since 1970 */
    uint8_t *kinds;   /* the index of the offset from each change on */
    size_t n_changes;
    int32_t offsets[OFFSETS_MAX]; /* the first one is that before all changes */
    bool has_rule;                /* for times after the last change */
    struct rc_time_zone_rule rule;
};

/* ---- files ---- */

/* The numbers of items in a block, in the order of its header. */
struct counts {
    uint32_t ut_flags, standard_flags, leaps, changes, kinds, characters;
};

static int64_t read_integer(const uint8_t *bytes, int size)
{
    uint64_t value = bytes[0] & 0x80 ? UINT64_MAX : 0;

    for (int i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return (int64_t)value;
}

static bool read_header(const uint8_t *bytes, size_t length, struct counts *counts)
{
    uint32_t *const fields[] = {&counts->ut_flags, &counts->standard_flags, &counts->leaps,
                                &counts->changes,  &counts->kinds,          &counts->characters};

    if (length < HEADER_BYTES || memcmp(bytes, "TZif", 4) != 0)
        return false;
    for (int i = 0; i < 6; i++)
        *fields[i] = (uint32_t)read_integer(bytes + 20 + 4 * i, 4);
    return true;
}

/* Bytes of a block after its header, with times of `size` bytes. */
static uint64_t block_bytes(const struct counts *counts, unsigned size)
{
    return (uint64_t)counts->changes * (size + 1) + (uint64_t)counts->kinds * 6 +
           counts->characters + (uint64_t)counts->leaps * (size + 4) + counts->standard_flags +
           counts->ut_flags;
}

static bool read_offsets(struct rc_time_zone *zone, const uint8_t *bytes,
                         const struct counts *counts)
{
    for (uint32_t i = 0; i < counts->kinds; i++, bytes += 6) {
        int64_t offset = read_integer(bytes, 4);

        if (offset < -OFFSET_MOST || offset > OFFSET_MOST || bytes[4] > 1 ||
            bytes[5] >= counts->characters)
            return false;
        zone->offsets[i] = (int32_t)offset;
    }
    return true;
}

static bool read_changes(struct rc_time_zone *zone, const uint8_t *times,
                         const struct counts *counts)
{
    const uint8_t *kinds = times + (size_t)8 * counts->changes;

    for (uint32_t i = 0; i < counts->changes; i++) {
        zone->changes[i] = read_integer(times + (size_t)8 * i, 8);
        zone->kinds[i] = kinds[i];
        if (kinds[i] >= counts->kinds || (i > 0 && zone->changes[i] <= zone->changes[i - 1]))
            return false;
    }
    zone->n_changes = counts->changes;
    return true;
}

static bool read_footer(struct rc_time_zone *zone, const uint8_t *bytes, size_t length)
{
    if (length < 2 || bytes[0] != '\n' || bytes[length - 1] != '\n')
        return false;
    zone->has_rule = length > 2;
    return !zone->has_rule ||
           rc_time_zone_rule_parse((const char *)bytes + 1, length - 2, &zone->rule) == 0;
}

/* Fills in the zone from a whole file; false if it is damaged. */
static bool read_file(struct rc_time_zone *zone, const uint8_t *bytes, size_t length)
{
    struct counts counts;
    uint64_t size;

    if (!read_header(bytes, length, &counts) || bytes[4] < '2')
        return false;
    size = HEADER_BYTES + block_bytes(&counts, 4);
    if (size > length || !read_header(bytes + size, length - size, &counts))
        return false;
    bytes += size + HEADER_BYTES;
    length -= size + HEADER_BYTES;
    size = block_bytes(&counts, 8);
    if (size > length || counts.kinds == 0 || counts.kinds > OFFSETS_MAX || counts.leaps > 0 ||
        counts.changes > CHANGES_MAX)
        return false;
    zone->changes = calloc(counts.changes + 1, sizeof *zone->changes);
    zone->kinds = calloc(counts.changes + 1, sizeof *zone->kinds);
    return zone->changes && zone->kinds && read_changes(zone, bytes, &counts) &&
           read_offsets(zone, bytes + (size_t)9 * counts.changes, &counts) &&
           read_footer(zone, bytes + size, length - size);
}

struct rc_time_zone *rc_time_zone_read(const void *bytes, size_t length, const char *name,
                                       struct rc_error *error)
{
    struct rc_time_zone *zone = calloc(1, sizeof *zone);

    if (!zone)
        return rc_error_null(rc_error_no_memory(error));
    if (read_file(zone, bytes, length))
        return zone;
    rc_time_zone_close(zone);
    return rc_error_null(rc_error_set_code(error, "base.damaged-time-zone",
                                           "the file of the time zone '%.80s' is damaged, or of a "
                                           "kind that runcast does not read",
                                           name));
}

void rc_time_zone_close(struct rc_time_zone *zone)
{
    if (!zone)
        return;
    free(zone->changes);
    free(zone->kinds);
    free(zone);
}

/* ---- names ---- */

static struct rc_time_zone *make_fixed(int32_t offset, struct rc_error *error)
{
    struct rc_time_zone *zone = calloc(1, sizeof *zone);

    if (!zone)
        return rc_error_null(rc_error_no_memory(error));
    zone->offsets[0] = offset;
    return zone;
}

/* "+02:00", "-0330", "+2"; false if the text is no offset. */
static bool parse_offset(const char *text, int32_t *offset)
{
    int hours = 0, minutes = 0, length = 0;

    if ((text[0] != '+' && text[0] != '-') || strspn(text + 1, "0123456789:") != strlen(text + 1))
        return false;
    if ((sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &length) < 2 || text[1 + length]) &&
        (sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &length) < 2 || text[1 + length])) {
        minutes = 0;
        if (sscanf(text + 1, "%2d%n", &hours, &length) < 1 || text[1 + length])
            return false;
    }
    *offset = (text[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    return hours < 24 && minutes < 60;
}

/* Names lead to files below one directory, and to no other. */
static bool is_name(const char *name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";

    return *name && *name != '/' && strlen(name) < 100 && strspn(name, allowed) == strlen(name);
}

static struct rc_time_zone *fail_unknown(const char *directory, const char *name,
                                         struct rc_error *error)
{
    if (access(directory, X_OK)) {
        rc_error_set(error, "no time zones in %.200s", directory);
        rc_error_code(error, "base.no-time-zones", NULL);
    } else {
        rc_error_set(error, "unknown time zone '%.80s'", name);
        rc_error_code(error, "base.unknown-time-zone", "%s", directory);
    }
    return NULL;
}

struct rc_time_zone *rc_time_zone_open(const char *name, struct rc_error *error)
{
    const char *chosen = getenv("TZDIR");
    const char *directory = chosen && *chosen ? chosen : "/usr/share/zoneinfo";
    char path[512];
    uint8_t *bytes;
    size_t length = 0;
    struct rc_time_zone *zone = NULL;
    int32_t offset;
    FILE *in;

    if (strcmp(name, "UTC") == 0 || strcmp(name, "Z") == 0)
        return make_fixed(0, error);
    if (parse_offset(name, &offset))
        return make_fixed(offset, error);
    if (!is_name(name) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path ||
        !(in = fopen(path, "re")))
        return fail_unknown(directory, name, error);
    bytes = malloc(FILE_MAX);
    if (!bytes)
        rc_error_no_memory(error);
    else if (errno = 0, (length = fread(bytes, 1, FILE_MAX, in)) == 0)
        fail_unknown(directory, name, error); /* a directory, such as "Europe" */
    else
        zone = rc_time_zone_read(bytes, length, name, error);
    free(bytes);
    fclose(in);
    return zone;
}

/* ---- times ---- */

int32_t rc_time_zone_offset(const struct rc_time_zone *zone, int64_t utc)
{
    size_t low = 0, high = zone->n_changes;

    if (zone->has_rule && (high == 0 || utc >= zone->changes[high - 1]))
        return rc_time_zone_rule_offset(&zone->rule, utc);
    if (high == 0 || utc < zone->changes[0])
        return zone->offsets[0];
    while (high - low > 1) { /* changes[low] <= utc < changes[high] */
        size_t middle = (low + high) / 2;

        if (zone->changes[middle] <= utc)
            low = middle;
        else
            high = middle;
    }
    assert(zone->changes[low] <= utc);
    return zone->offsets[zone->kinds[low]];
}

/* The offset of a local time, in seconds since 1970 on a clock of the zone. Offsets are below a day,
 * and zones do not change theirs twice within two days. */
static int32_t find_offset(const struct rc_time_zone *zone, int64_t local,
                           enum rc_local_time *occurs)
{
    int32_t before = rc_time_zone_offset(zone, local - DAY);
    int32_t after = rc_time_zone_offset(zone, local + DAY);
    bool fits_before = rc_time_zone_offset(zone, local - before) == before;
    bool fits_after = rc_time_zone_offset(zone, local - after) == after;

    *occurs = RC_LOCAL_ONCE;
    if (before == after)
        return before;
    if (fits_before && fits_after)
        *occurs = RC_LOCAL_TWICE;
    else if (!fits_before && !fits_after)
        *occurs = RC_LOCAL_NEVER;
    return fits_after && !fits_before ? after : before;
}

int rc_time_zone_parse(const struct rc_time_zone *zone, const char *text, size_t length,
                       double *seconds, enum rc_local_time *occurs, struct rc_error *error)
{
    bool is_local;

    *occurs = RC_LOCAL_ONCE;
    if (rc_timestamp_parse_local(text, length, seconds, &is_local, error))
        return -1;
    if (is_local)
        *seconds -= find_offset(zone, (int64_t)floor(*seconds), occurs);
    return 0;
}
