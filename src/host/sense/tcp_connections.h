// SPDX-License-Identifier: GPL-3.0-or-later
/* tcp_connections.h - how many bytes go through each TCP connection of this machine, and its owner.
 *
 * The kernel counts them for every connection, also within the machine, and reports them to every
 * user (inet_diag, by netlink).  Listing all connections takes long even where there are few, as
 * the kernel's table is large; asking for one that is known takes microseconds.  So all are listed
 * now and then, and active ones are read at every look.
 *
 * The owner of a connection is found in /proc/PID/fd, which can be read for the user's own
 * processes only, or for all of them by root. */
#ifndef RC_HOST_SENSE_TCP_CONNECTIONS_H
#define RC_HOST_SENSE_TCP_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runcast.h"

enum {
    RC_SOCKETS_MAX = 1 << 16,
    RC_SOCKETS_SPACES_MAX = 16, /* network namespaces that are looked into */
    RC_SOCKET_ID = 48           /* bytes by which the kernel knows a connection */
};

/* ---- what the kernel answers ---- */

enum rc_socket_answer_kind {
    RC_SOCKET_COUNTS, /* of one connection */
    RC_SOCKET_BARE,   /* one of which nothing is counted: it was closed, and lingers */
    RC_SOCKET_END,    /* that was all */
    RC_SOCKET_REFUSED /* there is no such connection any more, or another fault: see `fault` */
};

struct rc_socket_answer {
    enum rc_socket_answer_kind kind;
    uint32_t sequence; /* of the question */
    int fault;         /* an errno */
    int method;
    unsigned char id[RC_SOCKET_ID];
    uint32_t inode;          /* 0: no process has it any more */
    uint64_t sent, received; /* bytes that arrived at the other end, and here, so far */
    uint32_t segments;       /* in both ways; comes round */
    uint32_t queued;         /* bytes that were sent and have not arrived yet */
};

/* Reads the next message of a datagram at `*at`, which is moved on: 1; 0: there is none left; -1:
 * it is none that makes sense.  Messages of other kinds are passed over. */
int rc_sense_socket_answer_read(const void *data, size_t size, size_t *at,
                                struct rc_socket_answer *answer);

/* The number in the target of a link in /proc/PID/fd, "socket:[4711]"; 0: it is no socket. */
uint32_t rc_sense_socket_link_inode(const char *text);

/* ---- watching ---- */

struct rc_socket {
    int space, method;
    unsigned char id[RC_SOCKET_ID];
    uint32_t inode;
    int owner; /* a process; 0: not known (yet) */
    uint64_t sent, received;
    uint32_t segments;
    double moved;    /* bytes since rc_sense_sockets_forget_moved() */
    double pieces;   /* segments, too */
    bool under_way;  /* something that was sent has not arrived yet */
    unsigned still;  /* looks without any */
    unsigned sought; /* times that its owner was looked for */
    bool there;
};

struct rc_sockets {
    struct rc_socket *items; /* by inode */
    size_t n, room;
    struct {
        int fd;
        uint64_t inode; /* of the namespace */
    } spaces[RC_SOCKETS_SPACES_MAX];
    size_t n_spaces;
    uint32_t sequence;
    bool blind; /* there is a namespace that cannot be looked into */
    unsigned char *buffer;
};

/* Start from {0}.  -1 where the kernel does not report connections. */
int rc_sense_sockets_begin(struct rc_sockets *sockets, struct rc_error *error);
void rc_sense_sockets_end(struct rc_sockets *sockets);

/* Reads the network namespace of that process as well, if that is permitted; returns whether it
 * is. */
bool rc_sense_sockets_enter(struct rc_sockets *sockets, pid_t pid);

/* Asks for all connections; what a new one has moved so far does not count. */
int rc_sense_sockets_look(struct rc_sockets *sockets, struct rc_error *error);
/* Asks for those again on which something moved lately. */
int rc_sense_sockets_look_again(struct rc_sockets *sockets, struct rc_error *error);

/* Whether something moved on a connection whose owner is worth looking for. */
bool rc_sense_sockets_unowned(const struct rc_sockets *sockets);
/* Looks for the owners of such, among these processes; where several have one, the last. */
void rc_sense_sockets_find_owners(struct rc_sockets *sockets, const pid_t *pids, size_t n);

/* Counts `moved` and `pieces` of all connections from 0 again. */
void rc_sense_sockets_forget_moved(struct rc_sockets *sockets);

#endif
