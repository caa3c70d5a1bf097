// SPDX-License-Identifier: GPL-3.0-or-later
/* wire.c - what the two ends of a load on the network say to one another. */
#include "load/wire.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/number.h"

#define GREETING "runcast-load 1 "
#define GREETING_SECONDS 5.0 /* that either side may take */

enum { LINE_SIZE = 128, RANDOM_BYTES = 16 };

static const unsigned char magic[4] = {'R', 'C', 'L', '1'};

static int make_text(char text[RC_LOAD_KEY_SIZE], struct rc_error *error)
{
    unsigned char bytes[RANDOM_BYTES];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return rc_error_errno(error, errno, "cannot get random bytes");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

int rc_load_key_make(char key[RC_LOAD_KEY_SIZE], struct rc_error *error)
{
    return make_text(key, error);
}

bool rc_load_key_is(const char *text)
{
    size_t length = strlen(text);

    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c))
            return false;
    return length >= 16 && length < RC_LOAD_KEY_SIZE;
}

static void digest_of(const char *key, const char *number, char digest[RC_DIGEST_TEXT_SIZE])
{
    struct rc_digest d;

    rc_digest_begin(&d);
    rc_digest_add(&d, key, strlen(key) + 1);
    rc_digest_add(&d, number, strlen(number));
    rc_digest_end(&d, digest);
}

static int send_line(int fd, const char *line, struct rc_error *error)
{
    size_t length = strlen(line);
    ptrdiff_t sent = rc_load_send(fd, line, length, NULL, rc_load_now() + GREETING_SECONDS, error);

    if (sent < 0)
        return -1;
    return (size_t)sent == length ? 0 : rc_error_set(error, "the far end takes nothing");
}

/* A line without its end, byte by byte: what follows belongs to somebody else. */
static int receive_line(int fd, char line[LINE_SIZE], struct rc_error *error)
{
    double deadline = rc_load_now() + GREETING_SECONDS;
    bool ended;

    for (size_t n = 0; n < LINE_SIZE; n++) {
        ptrdiff_t got = rc_load_receive(fd, line + n, 1, NULL, deadline, &ended, error);

        if (got < 0)
            return -1;
        if (got == 0)
            return rc_error_set(error, ended ? "the far end closed the connection"
                                             : "the far end says nothing");
        if (line[n] == '\n') {
            line[n] = '\0';
            return 0;
        }
    }
    return rc_error_set(error, "the far end is no receiver of runcast");
}

int rc_load_greet(int fd, const struct rc_load_peer *peer, int streams, struct rc_error *error)
{
    char line[LINE_SIZE], digest[RC_DIGEST_TEXT_SIZE];

    if (receive_line(fd, line, error))
        return -1;
    if (strncmp(line, GREETING, strlen(GREETING)) != 0)
        return rc_error_set(error, "what listens on %s port %d is no receiver of runcast",
                            peer->host, peer->port);
    digest_of(peer->key, line + strlen(GREETING), digest);
    snprintf(line, sizeof line, "%s %d\n", digest, streams);
    if (send_line(fd, line, error) || receive_line(fd, line, error))
        return -1;
    if (strcmp(line, "welcome") == 0)
        return 0;
    rc_error_set(error, "%s port %d refused: the key is not the receiver's", peer->host,
                 peer->port);
    return rc_error_hint(error, "give --key KEY as 'runcast load net --listen' printed it");
}

int rc_load_answer_read(const char *line, char digest[65], int *streams)
{
    const char *blank = strchr(line, ' ');
    int64_t number;

    if (!blank || blank - line != 64 || rc_integer_parse(blank + 1, strlen(blank + 1), &number) ||
        number < 1 || number > RC_LOAD_STREAMS_MAX)
        return -1;
    memcpy(digest, line, 64);
    digest[64] = '\0';
    *streams = (int)number;
    return 0;
}

/* Takes as long wherever the first difference is. */
static bool same_digest(const char *a, const char *b)
{
    unsigned char difference = 0;

    for (int i = 0; i < 64; i++)
        difference |= (unsigned char)(a[i] ^ b[i]);
    return difference == 0;
}

int rc_load_admit(int fd, const char *key, struct rc_error *error)
{
    char number[RC_LOAD_KEY_SIZE], line[LINE_SIZE], wanted[RC_DIGEST_TEXT_SIZE], given[65];
    int streams;

    if (make_text(number, error))
        return -1;
    snprintf(line, sizeof line, GREETING "%s\n", number);
    if (send_line(fd, line, error) || receive_line(fd, line, error))
        return -1;
    digest_of(key, number, wanted);
    if (rc_load_answer_read(line, given, &streams) || !same_digest(given, wanted)) {
        send_line(fd, "refused\n", NULL);
        return rc_error_set(error, "a connection without the key was refused");
    }
    return send_line(fd, "welcome\n", error) ? -1 : streams;
}

void rc_load_order_write(unsigned char out[RC_LOAD_ORDER_SIZE], enum rc_load_order order,
                         uint64_t size)
{
    memcpy(out, magic, 4);
    for (int i = 0; i < 4; i++)
        out[4 + i] = (unsigned char)((unsigned)order >> (24 - 8 * i));
    for (int i = 0; i < 8; i++)
        out[8 + i] = (unsigned char)(size >> (56 - 8 * i));
}

int rc_load_order_read(const unsigned char in[RC_LOAD_ORDER_SIZE], enum rc_load_order *order,
                       uint64_t *size)
{
    uint64_t kind = 0, length = 0;

    for (int i = 0; i < 4; i++)
        kind = kind << 8 | in[4 + i];
    for (int i = 0; i < 8; i++)
        length = length << 8 | in[8 + i];
    if (memcmp(in, magic, 4) != 0 || kind < RC_LOAD_PUSH || kind > RC_LOAD_TOTAL_OUT)
        return -1;
    if (kind <= RC_LOAD_PULL && (length < RC_LOAD_ORDER_SIZE || length > RC_LOAD_MESSAGE_MAX))
        return -1;
    *order = (enum rc_load_order)kind;
    *size = length;
    return 0;
}
