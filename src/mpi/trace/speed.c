// SPDX-License-Identifier: BSD-2-Clause
/* speed.c - the speed of cores, as bytes. */
#include "mpi/trace/speed.h"

void rc_trace_speed_put(struct rc_bytes_out *out, const struct rc_trace_speed *speed)
{
    rc_trace_put_small(out, speed->samples);
    rc_trace_put_double(out, speed->units);
    rc_trace_put_small(out, RC_TRACE_SPEED_SIZES);
    for (int i = 0; i < RC_TRACE_SPEED_SIZES; i++)
        rc_trace_put_double(out, speed->lines[i]);
}

/* A speed of any machine there is or will be. */
static bool is_speed(double speed)
{
    return speed > 1 && speed < 1e15;
}

int rc_trace_speed_get(const uint8_t *bytes, size_t length, struct rc_trace_speed *speed)
{
    struct rc_bytes_in in = {.at = bytes, .end = bytes + length};
    uint64_t sizes;

    speed->samples = rc_trace_get_small(&in);
    speed->units = rc_trace_get_double(&in);
    sizes = rc_trace_get_up_to(&in, RC_TRACE_SPEED_SIZES);
    for (uint64_t i = 0; i < RC_TRACE_SPEED_SIZES; i++) {
        speed->lines[i] = i < sizes ? rc_trace_get_double(&in) : 0;
        in.bad |= speed->lines[i] != 0 && !is_speed(speed->lines[i]);
    }
    if (!in.bad && is_speed(speed->units))
        return 0;
    *speed = (struct rc_trace_speed){0};
    return -1;
}
