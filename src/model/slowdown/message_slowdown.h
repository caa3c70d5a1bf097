// SPDX-License-Identifier: GPL-3.0-or-later
/* message_slowdown.h - communication slowdown: how much longer messages take on links that are shared.
 *
 * Eq. 3 of Figueira and Berman: the bandwidth of the idle link by the bandwidth at present, as
 * measured by a burst of messages and a word back.  Section 5.1 shows that it must be a burst like
 * the program's: small ones hardly feel what large ones suffer from.  So bandwidths are kept by
 * burst, and asked for by burst. */
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

/* Whether such a text counts in words. */
bool rc_slowdown_burst_in_words(const char *text);

/* A link when nobody else uses it. */
struct rc_slowdown_burst_rate {
    struct rc_burst burst;
    double rate; /* bytes/s */
};
struct rc_burst_table {
    struct rc_slowdown_burst_rate *items;
    size_t n;
};

/* That burst in the table; NULL where it was not measured. */
const struct rc_slowdown_burst_rate *rc_slowdown_burst_find(const struct rc_burst_table *table,
                                                            double messages, double bytes);

/* The rate of such a burst, between those that were measured.  The nearest ones answer where it is
 * outside of them all (rc_slowdown_burst_cover()).  NAN where the table is empty. */
double rc_slowdown_burst_rate(const struct rc_burst_table *table, struct rc_burst burst);

/* How much the answer for a burst rests on. */
enum rc_slowdown_burst_cover {
    RC_BURST_WITHIN, /* all bursts around it were measured, or it was itself */
    RC_BURST_GAPS,   /* not all of them: some took too long, or were not asked for */
    RC_BURST_OUTSIDE /* it has fewer or more messages, or smaller or larger ones, than any that was
                        measured; so is any burst for a table that is empty */
};
enum rc_slowdown_burst_cover rc_slowdown_burst_cover(const struct rc_burst_table *table,
                                                     struct rc_burst burst);

/* Eq. 3.  Both > 0. */
double rc_slowdown_burst_slowdown(double idle, double now);

#endif
