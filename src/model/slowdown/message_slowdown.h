// SPDX-License-Identifier: GPL-3.0-or-later
/* message_slowdown.h - slowdown of messages on a shared link.
 *
 * Eq. 3 of Figueira and Berman: the rate of the idle link divided by the current rate, both
 * measured by a burst of messages and a word back.  It must be a burst like the program's
 * (section 5.1), since contention slows down large bursts more than small ones.  So rates are
 * stored for each burst. */
#ifndef RC_MODEL_SLOWDOWN_MESSAGE_SLOWDOWN_H
#define RC_MODEL_SLOWDOWN_MESSAGE_SLOWDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_BURSTS_MAX = 1024 };

struct rc_burst {
    double messages; /* >= 1 */
    double bytes;    /* of each, > 0 */
};

/* "1000x4096", "1000/4KiB", "100x1000w" (words of word_bytes). */
int rc_slowdown_burst_parse(const char *text, double word_bytes, struct rc_burst *burst,
                            struct rc_error *error);

/* Whether such a text is in words. */
bool rc_slowdown_burst_in_words(const char *text);

/* The rate of a burst on an idle link. */
struct rc_slowdown_burst_rate {
    struct rc_burst burst;
    double rate; /* bytes/s */
};
struct rc_burst_table {
    struct rc_slowdown_burst_rate *items;
    size_t n;
};

/* That burst in the table; NULL if it was not measured. */
const struct rc_slowdown_burst_rate *rc_slowdown_burst_find(const struct rc_burst_table *table,
                                                            double messages, double bytes);

/* The rate of a burst, interpolated between measured ones, or from the nearest ones outside of
 * their range (rc_slowdown_burst_cover()).  NAN if the table is empty. */
double rc_slowdown_burst_rate(const struct rc_burst_table *table, struct rc_burst burst);

/* How well measured bursts cover a burst. */
enum rc_slowdown_burst_cover {
    RC_BURST_WITHIN, /* all bursts around it, or the burst itself, were measured */
    RC_BURST_GAPS,   /* only some of them */
    RC_BURST_OUTSIDE /* its number or size of messages is outside of the measured range, or the
                        table is empty */
};
enum rc_slowdown_burst_cover rc_slowdown_burst_cover(const struct rc_burst_table *table,
                                                     struct rc_burst burst);

/* Eq. 3.  Both > 0. */
double rc_slowdown_burst_slowdown(double idle_rate, double current_rate);

#endif
