// SPDX-License-Identifier: BSD-2-Clause
/* socket.h - TCP between two runcast processes: addresses, connections, keys and deadlines.
 *
 * The listening side sends a number that is used once. The other side answers with a digest of it
 * and the key, so the key is never sent over the network. */
#ifndef RC_BASE_SOCKET_H
#define RC_BASE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_PEER_HOST_SIZE = 256, RC_KEY_SIZE = 33 };

/* Address and key of the other side. */
struct rc_peer {
    char host[RC_PEER_HOST_SIZE];
    int port; /* 0: not known yet */
    char key[RC_KEY_SIZE];
};

/* Reads HOST, HOST:PORT, an IPv6 address, or [IPv6]:PORT; the port is unchanged if none is given. */
int rc_socket_parse_peer(const char *text, struct rc_peer *peer, struct rc_error *error);

/* Connects within `seconds`.  The descriptor does not block; -1, with errno, on failure. */
int rc_socket_connect(const struct rc_peer *peer, double seconds, struct rc_error *error);

/* Listens on `port` (0: any free one, stored in `*port`) of `address` (NULL: all addresses of this
 * machine, IPv6 and IPv4). */
int rc_socket_listen(const char *address, int *port, struct rc_error *error);

/* Accepts a connection on a listening socket; its settings are those of rc_socket_connect(). -1 if
 * there is none now. */
int rc_socket_accept(int listener);

/* A reason to give up waiting, besides time; NULL in place of it: none. */
struct rc_give_up {
    bool (*now)(const void *data);
    const void *data;
};

/* Sends or receives all of `size` bytes until the time `deadline` (monotonic), or until it is
 * cancelled. Returns the number of bytes; fewer also if the connection ended (`*ended` is then
 * true). -1 with the error set if it broke. */
ptrdiff_t rc_socket_send(int fd, const void *data, size_t size, const struct rc_give_up *give_up,
                         double deadline, struct rc_error *error);
ptrdiff_t rc_socket_receive(int fd, void *data, size_t size, const struct rc_give_up *give_up,
                            double deadline, bool *ended, struct rc_error *error);

/* ---- keys ---- */

/* Makes a new key of 128 random bits. */
int rc_socket_make_key(char key[RC_KEY_SIZE], struct rc_error *error);
/* Whether it is 16 to 32 letters and digits. */
bool rc_socket_is_key(const char *text);

enum { RC_GREETING_WORDS = 32, RC_GREETING_LINE = 128 };

/* The connecting side: to one that greets by `name`, with words (no line ends, shorter than
 * RC_GREETING_WORDS) that contain the request. Sets `*refused` if the other side has another key. */
int rc_socket_greet(int fd, const char *name, const struct rc_peer *peer, const char *words,
                    bool *refused, struct rc_error *error);

/* The listening side; -1 if the other side has not the key, is silent for 5 s, or `check` refuses
 * its words. */
int rc_socket_admit(int fd, const char *name, const char *key,
                    int (*check)(void *data, const char *words), void *data,
                    struct rc_error *error);

/* The same without waiting, for one that listens to several at a time. */
struct rc_guest {
    int fd; /* the caller's, from rc_socket_accept() */
    char number[RC_KEY_SIZE], line[RC_GREETING_LINE];
    size_t length; /* of what came of the line */
};
int rc_socket_guest_begin(struct rc_guest *guest, int fd, const char *name, struct rc_error *error);
/* Takes what came.  1: it has the key, and knows that it is welcome; 0: there is more to come; -1:
 * it is not to be let in. */
int rc_socket_guest_hear(struct rc_guest *guest, const char *key,
                         int (*check)(void *data, const char *words), void *data,
                         struct rc_error *error);

/* Splits "DIGEST WORDS", a line of the greeting; -1 if it is malformed. */
int rc_socket_greeting_read(const char *line, char digest[65], const char **words);

#endif
