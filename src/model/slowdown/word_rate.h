// SPDX-License-Identifier: GPL-3.0-or-later
/* word_rate.h - rates as the paper gives them, in words a second, and delays by name. */
#ifndef RC_MODEL_SLOWDOWN_WORD_RATE_H
#define RC_MODEL_SLOWDOWN_WORD_RATE_H

#include "model/slowdown/delay.h"

enum { RC_WORD_BYTES = 4 }; /* where nobody says; the paper does not */

/* Reads a rate above 0: as base/unit.h takes it, or "0.45Mw/s", "450kw/s", "2w/s" in words of
 * word_bytes.  In bytes/s. */
int rc_slowdown_word_rate_parse(const char *text, double word_bytes, double *rate,
                                struct rc_error *error);

/* Whether a text (or NULL) is a number without a unit: bytes/s. */
bool rc_slowdown_rate_is_bare(const char *text);

/* Whether a text (or NULL) is a rate in words. */
bool rc_slowdown_word_rate_is(const char *text);

/* Reads a delay: a number >= 0 (or a percentage) that stands for any number of competitors and any
 * bandwidth, or "alpha-farm", the curves of the paper (rc_slowdown_delay_paper()).  1: it was one; 0: it is
 * neither, and may be the name of a file. */
int rc_slowdown_delay_parse(const char *text, double word_bytes, struct rc_delay *delay,
                            struct rc_error *error);

/* Whether the answer of a delay depends on the bandwidth. */
bool rc_slowdown_delay_wants_bandwidth(const struct rc_delay *delay);

#endif
