// SPDX-License-Identifier: GPL-3.0-or-later
/* receiver.h - receiver of a network load.
 *
 * It listens until all connections of one load are there, and no longer; it ends with them.
 * Senders without the key are refused. */
#ifndef RC_TESTBED_LOAD_RECEIVER_H
#define RC_TESTBED_LOAD_RECEIVER_H

#include "testbed/load/protocol.h"

struct rc_load_receiver {
    int listener;
    int port;
    char key[RC_KEY_SIZE];
    unsigned refused; /* connections without the key */
};

/* Listens; `key` NULL: makes one.  Close with rc_load_receiver_close(). */
int rc_load_receiver_open(struct rc_load_receiver *receiver, const char *address, int port,
                          const char *key, struct rc_error *error);
void rc_load_receiver_close(struct rc_load_receiver *receiver);

/* Waits for a load, at most `seconds` until it begins, and serves it to its end.  The team has a
 * process for each connection; its tallies have what was received and sent.  NULL where none came,
 * or where the monitor cancelled first.  A load that broke off is no failure: error->text is then
 * other than "". */
struct rc_load_team *rc_load_receiver_serve(struct rc_load_receiver *receiver, double seconds,
                                            const struct rc_monitor *monitor,
                                            struct rc_error *error);

#endif
