// SPDX-License-Identifier: GPL-3.0-or-later
/* protocol.c - the messages between the two ends of a network load. */
#include "testbed/load/protocol.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

#define GREETING "runcast-load 1"

static const unsigned char magic[4] = {'R', 'C', 'L', '1'};

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
