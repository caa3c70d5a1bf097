// SPDX-License-Identifier: GPL-3.0-or-later
/* send_credit.h - sending at a rate: credit in bytes that grows with time and is spent by messages.
 *
 * Credit is carried from one message to the next, so that sleeping too long costs nothing and the
 * rate does not drift.  What a slow link could not take in RC_LOAD_ARREARS seconds is forgotten: a
 * load never goes faster than asked for long to make good for what it missed. */
#ifndef RC_TESTBED_LOAD_SEND_CREDIT_H
#define RC_TESTBED_LOAD_SEND_CREDIT_H

#include <stdint.h>

#define RC_LOAD_ARREARS 0.25 /* seconds */

struct rc_load_send_credit {
    double last;    /* time up to which credit was given */
    double bytes;   /* credit */
    double message; /* bytes of one */
    double wanted;  /* bytes that the rate came to so far */
};

/* No credit yet; messages have `message` bytes. */
void rc_load_send_credit_begin(struct rc_load_send_credit *credit, double now, double message);

/* Gives credit for the time until `now`, at `rate` bytes/s.  Returns how long to wait before there
 * is enough for a message: 0 where there is, INFINITY where the rate is 0. */
double rc_load_send_credit_wait(struct rc_load_send_credit *credit, double rate, double now);

/* A message was sent. */
void rc_load_send_credit_spend(struct rc_load_send_credit *credit);

/* How many bytes to have asked the receiver for at once.  It sends what it was asked for, however
 * long that takes: to ask for more than the link brings would only make the load end late. */
struct rc_load_window {
    double since;    /* when the time began in which arrivals are counted */
    uint64_t before; /* bytes that had arrived by then */
    double rate;     /* bytes/s that arrived in the time before that; 0: not known yet */
};

/* Nothing has arrived yet. */
void rc_load_window_begin(struct rc_load_window *window, double now);

/* The most bytes to be owed by the receiver: what arrives in RC_LOAD_ARREARS seconds, as far as is
 * known at `now`, when `arrived` have in all; two messages at the least. */
double rc_load_window_most(struct rc_load_window *window, double message, uint64_t arrived,
                           double now);

/* A size of messages that suits a rate: some hundred messages in a second, as far as possible. */
double rc_load_message_size(double rate);

#endif
