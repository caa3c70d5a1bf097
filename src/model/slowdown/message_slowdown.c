// SPDX-License-Identifier: GPL-3.0-or-later
/* message_slowdown.c - communication slowdown.
 *
 * Between bursts that were measured, the time of a burst is taken to grow linearly with its
 * messages and, for as many of them, with their bytes: exact where a burst takes some time to
 * start, some for each message and some for each byte.  So the four measured bursts around the
 * one in question answer where the table is a full grid there; otherwise the nearest ones do,
 * the nearer the more. */
#include "model/slowdown/message_slowdown.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"

#define MESSAGES_MAX 1e9
#define BYTES_MAX 1e12

/* ---- reading ---- */

/* Bytes, or words where a 'w' ends it. */
static int parse_bytes(const char *text, double word_bytes, double *bytes, struct rc_error *error)
{
    size_t length = strlen(text);
    bool words = length > 1 && rc_slowdown_burst_in_words(text);

    if (rc_unit_parse(text, words ? length - 1 : length, words ? RC_COUNT : RC_BYTES, bytes, error))
        return -1;
    if (words)
        *bytes *= word_bytes;
    return 0;
}

int rc_slowdown_burst_parse(const char *text, double word_bytes, struct rc_burst *burst,
                            struct rc_error *error)
{
    size_t split = strcspn(text, "x/");

    if (!text[split] || split == 0 ||
        rc_unit_parse(text, split, RC_COUNT, &burst->messages, NULL) ||
        parse_bytes(text + split + 1, word_bytes, &burst->bytes, NULL)) {
        rc_error_set(error, "invalid burst '%.100s'", text);
        return rc_error_hint(error, "write messages x size, such as 1000x4096, 100x4KiB or "
                                    "1000x1000w (words)");
    }
    if (!(burst->messages >= 1 && burst->messages <= MESSAGES_MAX &&
          burst->messages == floor(burst->messages)))
        return rc_error_set(error, "'%.100s': number of messages must be whole, and at least 1",
                            text);
    if (!(burst->bytes >= 1 && burst->bytes * burst->messages <= BYTES_MAX))
        return rc_error_set(error,
                            "'%.100s': messages need at least 1 byte, and bursts at most 1 TB",
                            text);
    return 0;
}

/* ---- looking up ---- */

struct place {
    double messages, bytes; /* logarithms */
};

static struct place place_of(struct rc_burst burst)
{
    return (struct place){log(burst.messages), log(burst.bytes)};
}

static double seconds_of(const struct rc_slowdown_burst_rate *item)
{
    return item->burst.messages * item->burst.bytes / item->rate;
}

const struct rc_slowdown_burst_rate *rc_slowdown_burst_find(const struct rc_burst_table *table,
                                                            double messages, double bytes)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->items[i].burst.messages == messages && table->items[i].burst.bytes == bytes)
            return &table->items[i];
    return NULL;
}

/* The nearest measured numbers or sizes of messages at or below, and at or above, `x`. */
static void around(const struct rc_burst_table *table, bool of_bytes, double x, double *below,
                   double *above)
{
    *below = -INFINITY;
    *above = INFINITY;
    for (size_t i = 0; i < table->n; i++) {
        const struct rc_burst *burst = &table->items[i].burst;
        double value = of_bytes ? burst->bytes : burst->messages;

        if (value <= x)
            *below = fmax(*below, value);
        if (value >= x)
            *above = fmin(*above, value);
    }
}

static double fraction(double low, double high, double x)
{
    return high > low ? (x - low) / (high - low) : 0;
}

/* From the four around it; NAN if one is missing. */
static double by_grid(const struct rc_burst_table *table, struct rc_burst burst)
{
    double m[2], b[2], sum = 0, tm, tb;

    around(table, false, burst.messages, &m[0], &m[1]);
    around(table, true, burst.bytes, &b[0], &b[1]);
    if (!isfinite(m[0] + m[1] + b[0] + b[1]))
        return NAN;
    tm = fraction(m[0], m[1], burst.messages);
    tb = fraction(b[0], b[1], burst.bytes);
    for (int i = 0; i < 4; i++) {
        const struct rc_slowdown_burst_rate *item =
            rc_slowdown_burst_find(table, m[i / 2], b[i % 2]);

        if (!item)
            return NAN;
        sum += (i / 2 ? tm : 1 - tm) * (i % 2 ? tb : 1 - tb) * seconds_of(item);
    }
    return burst.messages * burst.bytes / sum;
}

/* From all of them, weighted by the inverse square of their distance. */
static double by_nearest(const struct rc_burst_table *table, struct rc_burst burst)
{
    struct place here = place_of(burst);
    double weights = 0, sum = 0;

    for (size_t i = 0; i < table->n; i++) {
        struct place there = place_of(table->items[i].burst);
        double far = hypot(here.messages - there.messages, here.bytes - there.bytes), weight;

        if (far < 1e-9)
            return table->items[i].rate;
        weight = pow(far, -4);
        weights += weight;
        sum += weight * log(table->items[i].rate);
    }
    return exp(sum / weights);
}

double rc_slowdown_burst_rate(const struct rc_burst_table *table, struct rc_burst burst)
{
    double rate = table->n > 0 ? by_grid(table, burst) : NAN;

    return table->n > 0 && isnan(rate) ? by_nearest(table, burst) : rate;
}

enum rc_slowdown_burst_cover rc_slowdown_burst_cover(const struct rc_burst_table *table,
                                                     struct rc_burst burst)
{
    double m[2], b[2];

    around(table, false, burst.messages, &m[0], &m[1]);
    around(table, true, burst.bytes, &b[0], &b[1]);
    if (!isfinite(m[0] + m[1] + b[0] + b[1]))
        return RC_BURST_OUTSIDE;
    return isnan(by_grid(table, burst)) ? RC_BURST_GAPS : RC_BURST_WITHIN;
}

bool rc_slowdown_burst_in_words(const char *text)
{
    size_t length = strlen(text);

    return length > 0 && text[length - 1] == 'w';
}

double rc_slowdown_burst_slowdown(double idle_rate, double current_rate)
{
    return idle_rate / current_rate;
}
