// SPDX-License-Identifier: GPL-3.0-or-later
/* socket.h - TCP between the two ends of a load: addresses, connecting, and not waiting for ever.
 */
#ifndef RC_LOAD_SOCKET_H
#define RC_LOAD_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "load/team.h"
#include "runcast.h"

enum { RC_LOAD_HOST_SIZE = 256, RC_LOAD_KEY_SIZE = 33 };

/* Where the far end is, and the key to it. */
struct rc_load_peer {
    char host[RC_LOAD_HOST_SIZE];
    int port; /* 0: not known yet */
    char key[RC_LOAD_KEY_SIZE];
};

/* Reads HOST, HOST:PORT, an IPv6 address, or [IPv6]:PORT; the port stays as it was where there is
 * none. */
int rc_load_peer_parse(const char *text, struct rc_load_peer *peer, struct rc_error *error);

/* Connects within `seconds`.  The descriptor does not block; -1 on failure. */
int rc_load_connect(const struct rc_load_peer *peer, double seconds, struct rc_error *error);

/* Listens on `port` (0: any that is free, told in `*port`) of `address` (NULL: all of this machine,
 * IPv6 and IPv4). */
int rc_load_listen(const char *address, int *port, struct rc_error *error);

/* Takes a connection from a listening socket; as rc_load_connect() leaves it.  -1 where there is
 * none now. */
int rc_load_accept(int listener);

/* Sends or receives all of `size` bytes unless the time `deadline` comes or (where `seat` is not
 * NULL) the load is over before.  Returns how many there were; fewer also where the connection
 * ended
 * (`*ended` is then true).  -1 with the error set where it broke. */
ptrdiff_t rc_load_send(int fd, const void *data, size_t size, const struct rc_load_seat *seat,
                       double deadline, struct rc_error *error);
ptrdiff_t rc_load_receive(int fd, void *data, size_t size, const struct rc_load_seat *seat,
                          double deadline, bool *ended, struct rc_error *error);

#endif
