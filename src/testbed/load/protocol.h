// SPDX-License-Identifier: GPL-3.0-or-later
/* protocol.h - the messages between the two ends of a network load.
 *
 * The receiver sends a greeting, and the sender proves that it has the key (base/socket.h) and
 * sends the number of connections of the load.  Then the sender requests: take these bytes, take
 * these and confirm, send me so many.  When the sender has closed its side, the receiver reports
 * its counts. */
#ifndef RC_TESTBED_LOAD_PROTOCOL_H
#define RC_TESTBED_LOAD_PROTOCOL_H

#include <stdint.h>

#include "base/socket.h"
#include "testbed/load/load_processes.h"

/* ---- bytes: base/socket.h, for as long as the load goes on ---- */

/* Connects to a receiver within `seconds`, as rc_socket_connect() does. */
int rc_load_connect(const struct rc_peer *peer, double seconds, struct rc_error *error);

/* As rc_socket_send() and rc_socket_receive(), and where `worker` is not NULL only until the load
 * is over. */
ptrdiff_t rc_load_send(int fd, const void *data, size_t size, const struct rc_load_worker *worker,
                       double deadline, struct rc_error *error);
ptrdiff_t rc_load_receive(int fd, void *data, size_t size, const struct rc_load_worker *worker,
                          double deadline, bool *ended, struct rc_error *error);

/* Sends `size` bytes, or receives them, by as many parts of RC_LOAD_PART bytes in `part` as it
 * takes, and counts them in the worker's tally.  1: the load was over before, or the connection
 * ended (`*ended`); -1: it failed. */
enum { RC_LOAD_PART = 1 << 17 };
int rc_load_send_parts(int fd, const char part[RC_LOAD_PART], uint64_t size,
                       struct rc_load_worker *worker, struct rc_error *error);
int rc_load_receive_parts(int fd, char part[RC_LOAD_PART], uint64_t size,
                          struct rc_load_worker *worker, bool *ended, struct rc_error *error);

/* ---- requests ---- */

enum rc_load_request {
    RC_LOAD_PUSH = 1,          /* `size` bytes, the request among them, are for the receiver */
    RC_LOAD_PUSH_ACKNOWLEDGED, /* the same, and confirm their arrival */
    RC_LOAD_PULL,              /* the receiver sends `size` bytes */
    RC_LOAD_ACKNOWLEDGE, /* the receiver's answer to RC_LOAD_PUSH_ACKNOWLEDGED; `size` is all it has so far */
    RC_LOAD_TOTAL_IN, /* the receiver's last words: all that it received ... */
    RC_LOAD_TOTAL_OUT /* ... and sent */
};

enum { RC_LOAD_REQUEST_SIZE = 16, RC_LOAD_MESSAGE_MAX = 1 << 30, RC_LOAD_STREAMS_MAX = 256 };

/* The sender's side of the greeting. */
int rc_load_greet(int fd, const struct rc_peer *peer, int streams, struct rc_error *error);
/* The receiver's side; returns the number of connections, -1 where the other one has not the key.
 */
int rc_load_admit(int fd, const char *key, struct rc_error *error);

/* Writes a request as it goes over the network. */
void rc_load_request_write(unsigned char out[RC_LOAD_REQUEST_SIZE], enum rc_load_request request,
                           uint64_t size);
/* Sends one; 1: the load was over before; -1: it failed. */
int rc_load_request_send(int fd, enum rc_load_request request, uint64_t size,
                         const struct rc_load_worker *worker, struct rc_error *error);
/* -1 where these bytes are no request, or one of an impossible size. */
int rc_load_request_read(const unsigned char in[RC_LOAD_REQUEST_SIZE],
                         enum rc_load_request *request, uint64_t *size);

/* Reads the number of connections, an int, that the sender's greeting has; -1 where it is none. */
int rc_load_streams_read(void *data, const char *words);

#endif
