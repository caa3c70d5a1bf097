// SPDX-License-Identifier: BSD-2-Clause
/* socket_authentication.c - keys, and showing that one has them. */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/socket.h"

#define GREETING_SECONDS 5.0 /* that either side may take */

enum { LINE_SIZE = RC_GREETING_LINE, RANDOM_BYTES = 16 };

int rc_socket_make_key(char key[RC_KEY_SIZE], struct rc_error *error)
{
    unsigned char bytes[RANDOM_BYTES];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return rc_error_errno(error, errno, "cannot get random bytes");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(key + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

bool rc_socket_is_key(const char *text)
{
    size_t length = strlen(text);

    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c))
            return false;
    return length >= 16 && length < RC_KEY_SIZE;
}

static void digest_of(const char *key, const char *number, char digest[RC_DIGEST_TEXT_SIZE])
{
    struct rc_digest d;

    rc_digest_begin(&d);
    rc_digest_add(&d, key, strlen(key) + 1);
    rc_digest_add(&d, number, strlen(number));
    rc_digest_end(&d, digest);
}

static double deadline(void)
{
    return rc_clock_now() + GREETING_SECONDS;
}

static int send_line(int fd, const char *line, struct rc_error *error)
{
    size_t length = strlen(line);
    ptrdiff_t sent = rc_socket_send(fd, line, length, NULL, deadline(), error);

    if (sent < 0)
        return -1;
    return (size_t)sent == length ? 0 : rc_error_set(error, "the other host accepts no data");
}

/* A line without its end, byte by byte: what follows belongs to somebody else. */
static int receive_line(int fd, char line[LINE_SIZE], struct rc_error *error)
{
    double until = deadline();
    bool ended;

    for (size_t n = 0; n < LINE_SIZE; n++) {
        ptrdiff_t got = rc_socket_receive(fd, line + n, 1, NULL, until, &ended, error);

        if (got < 0)
            return -1;
        if (got == 0)
            return rc_error_set(error, ended ? "the other host closed the connection"
                                             : "the other host does not answer");
        if (line[n] == '\n') {
            line[n] = '\0';
            return 0;
        }
    }
    return rc_error_set(error, "the other program is not a runcast receiver");
}

int rc_socket_greet(int fd, const char *name, const struct rc_peer *peer, const char *words,
                    bool *refused, struct rc_error *error)
{
    char line[LINE_SIZE], digest[RC_DIGEST_TEXT_SIZE];
    size_t length = strlen(name);

    *refused = false;
    if (receive_line(fd, line, error))
        return -1;
    if (strncmp(line, name, length) != 0 || line[length] != ' ')
        return rc_error_set(error, "the program on %s port %d is not a runcast receiver",
                            peer->host, peer->port);
    digest_of(peer->key, line + length + 1, digest);
    snprintf(line, sizeof line, "%s %s\n", digest, words);
    if (send_line(fd, line, error) || receive_line(fd, line, error))
        return -1;
    if (strcmp(line, "welcome") == 0)
        return 0;
    *refused = true;
    return rc_error_set(error, "%s port %d refused the connection: wrong key", peer->host,
                        peer->port);
}

int rc_socket_greeting_read(const char *line, char digest[65], const char **words)
{
    const char *blank = strchr(line, ' ');

    if (!blank || blank - line != 64)
        return -1;
    memcpy(digest, line, 64);
    digest[64] = '\0';
    *words = blank + 1;
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

int rc_socket_guest_begin(struct rc_guest *guest, int fd, const char *name, struct rc_error *error)
{
    char line[LINE_SIZE];
    int length;

    *guest = (struct rc_guest){.fd = fd};
    if (rc_socket_make_key(guest->number, error))
        return -1;
    length = snprintf(line, sizeof line, "%s %s\n", name, guest->number);
    /* Nothing was sent on this connection before, so that there is room. */
    return rc_socket_send(fd, line, (size_t)length, NULL, 0, error) == length
               ? 0
               : rc_error_set(error, "the other host accepts no data");
}

/* Whether the line that came has the key in it. */
static int judge(const struct rc_guest *guest, const char *key,
                 int (*check)(void *data, const char *words), void *data, struct rc_error *error)
{
    char wanted[RC_DIGEST_TEXT_SIZE], given[65];
    const char *words;

    digest_of(key, guest->number, wanted);
    if (rc_socket_greeting_read(guest->line, given, &words) || !same_digest(given, wanted) ||
        check(data, words)) {
        rc_socket_send(guest->fd, "refused\n", 8, NULL, 0, NULL);
        return rc_error_set(error, "refused a connection without the key");
    }
    return rc_socket_send(guest->fd, "welcome\n", 8, NULL, 0, error) == 8
               ? 1
               : rc_error_set(error, "the other host accepts no data");
}

int rc_socket_guest_hear(struct rc_guest *guest, const char *key,
                         int (*check)(void *data, const char *words), void *data,
                         struct rc_error *error)
{
    bool ended;

    while (guest->length < sizeof guest->line) {
        char *next = guest->line + guest->length;
        ptrdiff_t got = rc_socket_receive(guest->fd, next, 1, NULL, 0, &ended, error);

        if (got < 0)
            return -1;
        if (got == 0)
            return ended ? rc_error_set(error, "the other host closed the connection") : 0;
        if (*next == '\n') {
            *next = '\0';
            return judge(guest, key, check, data, error);
        }
        guest->length++;
    }
    return rc_error_set(error, "the other program is not a runcast sender");
}

int rc_socket_admit(int fd, const char *name, const char *key,
                    int (*check)(void *data, const char *words), void *data, struct rc_error *error)
{
    double until = deadline(), left;
    struct rc_guest guest;
    int status = rc_socket_guest_begin(&guest, fd, name, error);

    while (status == 0 && (status = rc_socket_guest_hear(&guest, key, check, data, error)) == 0) {
        struct pollfd wait = {fd, POLLIN, 0};

        left = until - rc_clock_now();
        if (left <= 0)
            return rc_error_set(error, "the other host does not answer");
        poll(&wait, 1, (int)(left * 1e3) + 1);
    }
    return status < 0 ? -1 : 0;
}
