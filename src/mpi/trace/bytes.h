// SPDX-License-Identifier: BSD-2-Clause
/* bytes.h - numbers as bytes, into and out of memory of a given size.
 *
 * "Small" numbers take 7 bits a byte, lowest first, with the highest bit set in all but the last
 * byte; signed ones are counted 0, -1, 1, -2, 2, ... before that. */
#ifndef RC_MPI_TRACE_BYTES_H
#define RC_MPI_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RC_SMALL_MAX = 10 }; /* bytes of the largest small number */

/* What does not fit is left out, and sets `full`. */
struct rc_bytes_out {
    uint8_t *data;
    size_t length;
    size_t size;
    bool full;
};

/* Missing bytes read as 0, and set `bad`. */
struct rc_bytes_in {
    const uint8_t *at;
    const uint8_t *end;
    bool bad;
};

/* Adds bytes as they are. */
static inline void rc_trace_put_bytes(struct rc_bytes_out *out, const void *data, size_t length)
{
    if (length > out->size - out->length) {
        out->full = true;
        return;
    }
    if (length > 0)
        memcpy(out->data + out->length, data, length);
    out->length += length;
}

/* `bytes` (up to 8) of a number, lowest first. */
static inline void rc_trace_put_fixed(struct rc_bytes_out *out, uint64_t value, unsigned bytes)
{
    uint8_t data[8];

    for (unsigned i = 0; i < bytes; i++)
        data[i] = (uint8_t)(value >> 8 * i);
    rc_trace_put_bytes(out, data, bytes);
}

/* Adds a small number, 1 to RC_SMALL_MAX bytes. */
static inline void rc_trace_put_small(struct rc_bytes_out *out, uint64_t value)
{
    uint8_t data[RC_SMALL_MAX];
    unsigned n = 0;

    for (; value >= 128; value >>= 7)
        data[n++] = (uint8_t)(value | 128);
    data[n++] = (uint8_t)value;
    rc_trace_put_bytes(out, data, n);
}

/* Adds a signed one. */
static inline void rc_trace_put_signed(struct rc_bytes_out *out, int64_t value)
{
    rc_trace_put_small(out, (uint64_t)value << 1 ^ (uint64_t)(value < 0 ? -1 : 0));
}

/* Adds the 8 bytes of an IEEE 754 number. */
static inline void rc_trace_put_double(struct rc_bytes_out *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    rc_trace_put_fixed(out, bits, 8);
}

/* Reads what rc_trace_put_fixed() wrote. */
static inline uint64_t rc_trace_get_fixed(struct rc_bytes_in *in, unsigned bytes)
{
    uint64_t value = 0;

    if ((size_t)(in->end - in->at) < bytes) {
        in->bad = true;
        in->at = in->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)*in->at++ << 8 * i;
    return value;
}

/* Reads a small number; one that does not fit into 64 bits is bad. */
static inline uint64_t rc_trace_get_small(struct rc_bytes_in *in)
{
    uint64_t value = 0, part;

    for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        part = *in->at++;
        if (shift == 63 && part > 1)
            break;
        value |= (part & 127) << shift;
        if (part < 128)
            return value;
    }
    in->bad = true;
    return 0;
}

/* One that is at most `most`. */
static inline uint64_t rc_trace_get_up_to(struct rc_bytes_in *in, uint64_t most)
{
    uint64_t value = rc_trace_get_small(in);

    if (value <= most)
        return value;
    in->bad = true;
    return 0;
}

/* Reads a signed one of 32 bits; others are bad. */
static inline int32_t rc_trace_get_signed(struct rc_bytes_in *in)
{
    uint64_t value = rc_trace_get_up_to(in, UINT32_MAX);

    return (int32_t)((int64_t)(value >> 1) ^ -(int64_t)(value & 1));
}

/* Reads what rc_trace_put_double() wrote; may be any bits. */
static inline double rc_trace_get_double(struct rc_bytes_in *in)
{
    uint64_t bits = rc_trace_get_fixed(in, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
