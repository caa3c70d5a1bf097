// SPDX-License-Identifier: GPL-3.0-or-later
/* protocol.c - the messages between the two ends of a network load. */
#include "testbed/load/protocol.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

#define GREETING "runcast-load 1"

static const unsigned char magic[4] = {'R', 'C', 'L', '1'};

int rc_load_connect(const struct rc_peer *peer, double seconds, struct rc_error *error)
{
    int fd = rc_socket_connect(peer, seconds, error);

    if (fd < 0 && errno == ECONNREFUSED)
        rc_error_code(error, "load.not-listening", NULL);
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

int rc_load_greet(int fd, const struct rc_peer *peer, int streams, struct rc_error *error)
{
    char words[RC_GREETING_WORDS];
    bool refused;

    snprintf(words, sizeof words, "%d", streams);
    if (rc_socket_greet(fd, GREETING, peer, words, &refused, error) == 0)
        return 0;
    if (refused)
        rc_error_code(error, "load.refused-key", NULL);
    return -1;
}

int rc_load_streams_read(void *data, const char *words)
{
    int64_t number;

    if (rc_number_parse_integer(words, strlen(words), &number) || number < 1 ||
        number > RC_LOAD_STREAMS_MAX)
        return -1;
    *(int *)data = (int)number;
    return 0;
}

int rc_load_admit(int fd, const char *key, struct rc_error *error)
{
    int streams;

    return rc_socket_admit(fd, GREETING, key, rc_load_streams_read, &streams, error) ? -1 : streams;
}

void rc_load_request_write(unsigned char out[RC_LOAD_REQUEST_SIZE], enum rc_load_request request,
                           uint64_t size)
{
    memcpy(out, magic, 4);
    for (int i = 0; i < 4; i++)
        out[4 + i] = (unsigned char)((unsigned)request >> (24 - 8 * i));
    for (int i = 0; i < 8; i++)
        out[8 + i] = (unsigned char)(size >> (56 - 8 * i));
}

int rc_load_request_send(int fd, enum rc_load_request request, uint64_t size,
                         const struct rc_load_worker *worker, struct rc_error *error)
{
    unsigned char bytes[RC_LOAD_REQUEST_SIZE];
    ptrdiff_t sent;

    rc_load_request_write(bytes, request, size);
    sent = rc_load_send(fd, bytes, sizeof bytes, worker, INFINITY, error);
    return sent < 0 ? -1 : sent < (ptrdiff_t)sizeof bytes;
}

int rc_load_request_read(const unsigned char in[RC_LOAD_REQUEST_SIZE],
                         enum rc_load_request *request, uint64_t *size)
{
    uint64_t kind = 0, length = 0;

    for (int i = 0; i < 4; i++)
        kind = kind << 8 | in[4 + i];
    for (int i = 0; i < 8; i++)
        length = length << 8 | in[8 + i];
    if (memcmp(in, magic, 4) != 0 || kind < RC_LOAD_PUSH || kind > RC_LOAD_TOTAL_OUT)
        return -1;
    if (kind <= RC_LOAD_PULL && (length < RC_LOAD_REQUEST_SIZE || length > RC_LOAD_MESSAGE_MAX))
        return -1;
    *request = (enum rc_load_request)kind;
    *size = length;
    return 0;
}
