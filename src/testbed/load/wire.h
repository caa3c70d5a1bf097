// SPDX-License-Identifier: GPL-3.0-or-later
/* wire.h - what the two ends of a load on the network say to one another.
 *
 * The receiver greets, and the sender shows that it has the key (base/socket.h) and tells the
 * number of connections of the load.  Then the sender orders: take these bytes, take these and say
 * so, send me so many.  When the sender has closed its side, the receiver tells what it counted. */
#ifndef RC_TESTBED_LOAD_WIRE_H
#define RC_TESTBED_LOAD_WIRE_H

#include <stdint.h>

#include "testbed/load/socket.h"

enum rc_load_order {
    RC_LOAD_PUSH = 1,  /* `size` bytes, the order among them, are for the receiver */
    RC_LOAD_PUSH_TOLD, /* the same, and it says when it has them */
    RC_LOAD_PULL,      /* the receiver sends `size` bytes */
    RC_LOAD_HAVE,      /* the receiver's answer to RC_LOAD_PUSH_TOLD; `size` is all it has so far */
    RC_LOAD_TOTAL_IN,  /* the receiver's last words: all that it received ... */
    RC_LOAD_TOTAL_OUT  /* ... and sent */
};

enum { RC_LOAD_ORDER_SIZE = 16, RC_LOAD_MESSAGE_MAX = 1 << 30, RC_LOAD_STREAMS_MAX = 256 };

/* The sender's side of the greeting. */
int rc_load_greet(int fd, const struct rc_peer *peer, int streams, struct rc_error *error);
/* The receiver's side; returns the number of connections, -1 where the other one has not the key.
 */
int rc_load_admit(int fd, const char *key, struct rc_error *error);

void rc_load_order_write(unsigned char out[RC_LOAD_ORDER_SIZE], enum rc_load_order order,
                         uint64_t size);
/* -1 where these bytes are no order, or one of an impossible size. */
int rc_load_order_read(const unsigned char in[RC_LOAD_ORDER_SIZE], enum rc_load_order *order,
                       uint64_t *size);

/* Reads "DIGEST STREAMS", a line of the greeting; -1 where it is not that. */
int rc_load_answer_read(const char *line, char digest[65], int *streams);

#endif
