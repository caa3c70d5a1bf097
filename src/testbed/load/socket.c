// SPDX-License-Identifier: GPL-3.0-or-later
/* socket.c - TCP between the two ends of a load. */
#include "testbed/load/socket.h"

#include <errno.h>

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
