// SPDX-License-Identifier: GPL-3.0-or-later
/* socket.h - TCP between the two ends of a load: base/socket.h, for as long as the load goes on. */
#ifndef RC_TESTBED_LOAD_SOCKET_H
#define RC_TESTBED_LOAD_SOCKET_H

#include "base/socket.h"
#include "testbed/load/team.h"
#include "runcast.h"

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

#endif
