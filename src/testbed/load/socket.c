// SPDX-License-Identifier: GPL-3.0-or-later
/* socket.c - TCP between the two ends of a load. */
#include "testbed/load/socket.h"

#include <errno.h>
#include <math.h>

#include "base/error.h"

int rc_load_connect(const struct rc_peer *peer, double seconds, struct rc_error *error)
{
    int fd = rc_socket_connect(peer, seconds, error);

    if (fd < 0 && errno == ECONNREFUSED)
        rc_error_code(error, "load.nobody-listens", NULL);
    return fd;
}

static bool is_over(const void *data)
{
    return rc_load_over(data);
}

ptrdiff_t rc_load_send(int fd, const void *data, size_t size, const struct rc_load_worker *worker,
                       double deadline, struct rc_error *error)
{
    const struct rc_give_up over = {is_over, worker};

    return rc_socket_send(fd, data, size, worker ? &over : NULL, deadline, error);
}

ptrdiff_t rc_load_receive(int fd, void *data, size_t size, const struct rc_load_worker *worker,
                          double deadline, bool *ended, struct rc_error *error)
{
    const struct rc_give_up over = {is_over, worker};

    return rc_socket_receive(fd, data, size, worker ? &over : NULL, deadline, ended, error);
}

int rc_load_send_parts(int fd, const char part[RC_LOAD_PART], uint64_t size,
                       struct rc_load_worker *worker, struct rc_error *error)
{
    while (size > 0) {
        size_t length = size < RC_LOAD_PART ? (size_t)size : RC_LOAD_PART;
        ptrdiff_t sent = rc_load_send(fd, part, length, worker, INFINITY, error);

        if (sent < 0)
            return -1;
        worker->tally->sent += (uint64_t)sent;
        if ((size_t)sent < length)
            return 1;
        size -= length;
    }
    return 0;
}

int rc_load_receive_parts(int fd, char part[RC_LOAD_PART], uint64_t size,
                          struct rc_load_worker *worker, bool *ended, struct rc_error *error)
{
    *ended = false;
    while (size > 0) {
        size_t length = size < RC_LOAD_PART ? (size_t)size : RC_LOAD_PART;
        ptrdiff_t got = rc_load_receive(fd, part, length, worker, INFINITY, ended, error);

        if (got < 0)
            return -1;
        worker->tally->received += (uint64_t)got;
        if ((size_t)got < length)
            return 1;
        size -= length;
    }
    return 0;
}
