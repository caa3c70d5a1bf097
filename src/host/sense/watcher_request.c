// SPDX-License-Identifier: GPL-3.0-or-later
/* watcher_request.c - what a sensor is asked by the one that watches it. */
#include "host/sense/watcher_request.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

enum { WORDS_MAX = 7 };

struct words {
    char text[RC_SENSE_LINE_MAX];
    const char *items[WORDS_MAX];
    size_t n;
};

static int split(const char *line, struct words *words)
{
    char *at = words->text;

    words->n = 0;
    if (strlen(line) >= sizeof words->text)
        return -1;
    memcpy(words->text, line, strlen(line) + 1);
    for (char *blank; at; at = blank) {
        blank = strchr(at, ' ');
        if (blank)
            *blank++ = '\0';
        if (words->n == WORDS_MAX || !*at)
            return -1;
        words->items[words->n++] = at;
    }
    return 0;
}

static int read_host(const char *text, struct rc_peer *peer)
{
    if (!*text || *text == '-' || strlen(text) >= sizeof peer->host)
        return -1;
    snprintf(peer->host, sizeof peer->host, "%s", text);
    return 0;
}

static int read_bytes(const char *text, double *bytes)
{
    return rc_number_parse(text, strlen(text), bytes) || !(*bytes >= 1 && *bytes <= 1e15) ? -1 : 0;
}

static int read_listen(const struct words *words, struct rc_sense_request *request)
{
    request->kind = RC_SENSE_LISTEN;
    if (words->n != 3)
        return -1;
    return strcmp(words->items[2], "*") == 0 ? 0 : read_host(words->items[2], &request->peer);
}

static int read_probe(const struct words *words, struct rc_sense_request *request)
{
    int64_t port;

    request->kind = RC_SENSE_PROBE;
    if (words->n != 7 || read_host(words->items[2], &request->peer) ||
        rc_number_parse_integer(words->items[3], strlen(words->items[3]), &port) || port < 1 ||
        port > 65535 || !rc_socket_is_key(words->items[4]) ||
        read_bytes(words->items[5], &request->burst) || read_bytes(words->items[6], &request->most))
        return -1;
    request->peer.port = (int)port;
    snprintf(request->peer.key, sizeof request->peer.key, "%s", words->items[4]);
    return 0;
}

int rc_sense_request_read(const char *line, struct rc_sense_request *request,
                          struct rc_error *error)
{
    struct words words;
    int status = -1;

    *request = (struct rc_sense_request){.id = 0};
    if (split(line, &words) || words.n < 2 ||
        rc_number_parse_integer(words.items[1], strlen(words.items[1]), &request->id))
        return rc_error_set(error, "no order");
    if (strcmp(words.items[0], "clock") == 0)
        status = words.n == 2 ? 0 : -1;
    else if (strcmp(words.items[0], "listen") == 0)
        status = read_listen(&words, request);
    else if (strcmp(words.items[0], "probe") == 0)
        status = read_probe(&words, request);
    return status ? rc_error_set(error, "invalid order") : 0;
}
