// SPDX-License-Identifier: GPL-3.0-or-later
/* fuzz_time_zone.c - any bytes as a file of a time zone. */
#include <math.h>
#include <stdint.h>

#include "base/time_zone.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char local[] = "2026-03-29 02:30";
    struct rc_error error = {0};
    struct rc_time_zone *zone = rc_time_zone_read(data, size, "fuzz", &error);
    enum rc_local_time occurs;
    double seconds;

    if (!zone) {
        must(error.text[0]);
        return 0;
    }
    for (int64_t t = -70000000000; t < 260000000000; t += 9999999999)
        must(rc_time_zone_offset(zone, t) >= -26 * 3600 &&
             rc_time_zone_offset(zone, t) <= 26 * 3600);
    must(rc_time_zone_parse(zone, local, sizeof local - 1, &seconds, &occurs, &error) == 0);
    must(fabs(seconds - 1774751400) <= 26 * 3600);
    rc_time_zone_close(zone);
    return 0;
}
