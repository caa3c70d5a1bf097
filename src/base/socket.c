// SPDX-License-Identifier: BSD-2-Clause
/* socket.c - TCP between two ends of runcast. */
#include "base/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"

enum { TICK = 50, BACKLOG = 64, UNSENT_MAX = 1 << 17 };

int rc_socket_parse_peer(const char *text, struct rc_peer *peer, struct rc_error *error)
{
    const char *colon = strrchr(text, ':'), *host = text, *end = text + strlen(text);
    int64_t port;

    if (text[0] == '[') {
        host = text + 1;
        end = strchr(host, ']');
        if (!end || (end[1] && end[1] != ':'))
            return rc_error_set(error, "'%s' is not [ADDRESS]:PORT", text);
        colon = end[1] ? end + 1 : NULL;
    } else if (colon && strchr(text, ':') != colon) {
        colon = NULL; /* an IPv6 address */
    } else if (colon) {
        end = colon;
    }
    if (colon &&
        (rc_number_parse_integer(colon + 1, strlen(colon + 1), &port) || port < 1 || port > 65535))
        return rc_error_set(error, "'%s' is not a port from 1 to 65535", colon + 1);
    if (end == host || *host == '-' || (size_t)(end - host) >= sizeof peer->host)
        return rc_error_set(error, "no host in '%s'", text);
    if (colon)
        peer->port = (int)port;
    memcpy(peer->host, host, (size_t)(end - host));
    peer->host[end - host] = '\0';
    return 0;
}

static void tune(int fd)
{
    const int yes = 1, idle = 10, interval = 5, count = 3, unsent = UNSENT_MAX;
    const unsigned timeout = 20000; /* ms until a far end that vanished is given up */

    fcntl(fd, F_SETFL, O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
    /* What has not left this machine when the work ends must not take long to leave it. */
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
}

/* Whether the socket can be used before the deadline, or it is to be given up. */
static bool wait_for(int fd, short events, const struct rc_give_up *give_up, double deadline)
{
    for (;;) {
        struct pollfd p = {fd, events, 0};
        double left = ceil((deadline - rc_clock_now()) * 1e3);

        if (left <= 0 || (give_up && give_up->now(give_up->data)))
            return false;
        if (poll(&p, 1, (int)fmin(left, TICK)) > 0)
            return true;
    }
}

static int connect_one(const struct addrinfo *info, double deadline)
{
    int fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int number = 0;
    socklen_t size = sizeof number;

    if (fd < 0)
        return -1;
    if (connect(fd, info->ai_addr, info->ai_addrlen)) {
        number = errno;
        if (number == EINPROGRESS && !wait_for(fd, POLLOUT, NULL, deadline))
            number = ETIMEDOUT;
        else if (number == EINPROGRESS)
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size);
    }
    if (number == 0) {
        tune(fd);
        return fd;
    }
    close(fd);
    errno = number;
    return -1;
}

static int look_up(const char *host, int port, int flags, struct addrinfo **found,
                   struct rc_error *error)
{
    const struct addrinfo want = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
    char service[8];
    int status;

    snprintf(service, sizeof service, "%d", port);
    status = getaddrinfo(host, service, &want, found);
    return status ? rc_error_set(error, "no address for '%s': %s", host,
                                 status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status))
                  : 0;
}

int rc_socket_connect(const struct rc_peer *peer, double seconds, struct rc_error *error)
{
    double deadline = rc_clock_now() + seconds;
    struct addrinfo *found;
    int fd = -1, number = 0;

    if (look_up(peer->host, peer->port, 0, &found, error)) {
        errno = EADDRNOTAVAIL;
        return -1;
    }
    for (const struct addrinfo *info = found; info && fd < 0; info = info->ai_next) {
        fd = connect_one(info, deadline);
        number = errno;
    }
    freeaddrinfo(found);
    if (fd < 0) {
        rc_error_errno(error, number, "cannot connect to %s port %d", peer->host, peer->port);
        errno = number;
    }
    return fd;
}

static int listen_on(const struct addrinfo *info)
{
    const int yes = 1, no = 0;
    int number, fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (info->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    number = errno;
    close(fd);
    errno = number;
    return -1;
}

static int port_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    socklen_t size = sizeof address;

    if (getsockname(fd, &address.any, &size))
        return 0;
    return ntohs(address.any.sa_family == AF_INET6 ? address.six.sin6_port : address.four.sin_port);
}

int rc_socket_listen(const char *address, int *port, struct rc_error *error)
{
    struct addrinfo *found;
    int fd = -1, number = EADDRNOTAVAIL;

    /* "::" takes IPv4 as well; a machine without IPv6 has 0.0.0.0 alone. */
    if (look_up(address ? address : "::", *port, AI_PASSIVE, &found, error))
        return -1;
    for (const struct addrinfo *info = found; info && fd < 0; info = info->ai_next) {
        fd = listen_on(info);
        number = errno;
    }
    freeaddrinfo(found);
    if (fd < 0 && !address && (number == EAFNOSUPPORT || number == EADDRNOTAVAIL))
        return rc_socket_listen("0.0.0.0", port, error);
    if (fd < 0) {
        rc_error_errno(error, number, "cannot listen on port %d", *port);
        if (number == EADDRINUSE)
            rc_error_hint(error, "port 0 chooses a free port");
        return -1;
    }
    *port = port_of(fd);
    return fd;
}

int rc_socket_accept(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd >= 0)
        tune(fd);
    return fd;
}

ptrdiff_t rc_socket_send(int fd, const void *data, size_t size, const struct rc_give_up *give_up,
                         double deadline, struct rc_error *error)
{
    size_t done = 0;

    while (done < size) {
        ssize_t n = send(fd, (const char *)data + done, size - done, MSG_NOSIGNAL);

        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EAGAIN && errno != EINTR)
            return rc_error_errno(error, errno, "the other host closed the connection");
        else if (!wait_for(fd, POLLOUT, give_up, deadline))
            break;
    }
    return (ptrdiff_t)done;
}

ptrdiff_t rc_socket_receive(int fd, void *data, size_t size, const struct rc_give_up *give_up,
                            double deadline, bool *ended, struct rc_error *error)
{
    size_t done = 0;

    *ended = false;
    while (done < size) {
        ssize_t n = recv(fd, (char *)data + done, size - done, 0);

        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0) {
            *ended = true;
            break;
        } else if (errno != EAGAIN && errno != EINTR) {
            return rc_error_errno(error, errno, "the other host closed the connection");
        } else if (!wait_for(fd, POLLIN, give_up, deadline)) {
            break;
        }
    }
    return (ptrdiff_t)done;
}
