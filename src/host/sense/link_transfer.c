// SPDX-License-Identifier: GPL-3.0-or-later
/* link_transfer.c - bandwidth and latency between two hosts, by a short transfer. */
#include "host/sense/link_transfer.h"

#include <errno.h>
#include <linux/sockios.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/sort.h"

#define GREETING "runcast-link 1"
#define ENOUGH 0.1 /* seconds of bursts that are enough for a result */
/* Seconds of bursts that a result needs at least: in shorter ones, what buffers on the way take at
 * once, or a link lets through before it begins to limit, is a large part. */
#define LEAST 0.03
#define WANTED 0.05 /* seconds of bursts to ask for where they were too few */
#define PINGS_SECONDS 0.1
#define LONGEST 3.0    /* seconds after which a burst is cut short */
#define LEAST_PART 0.1 /* of a burst's time is the transfer itself */

enum { PINGS = 16, BURSTS_MAX = 4096, WORD = 8, PART = 1 << 17, GUESTS = 8 };

void rc_sense_link_header_write(unsigned char header[8], uint64_t size)
{
    for (int i = 0; i < 8; i++)
        header[i] = (unsigned char)(size >> (56 - 8 * i));
}

int rc_sense_link_header_read(const unsigned char header[8], uint64_t *size)
{
    *size = 0;
    for (int i = 0; i < 8; i++)
        *size = *size << 8 | header[i];
    return *size < RC_LINK_MESSAGE_LEAST || *size > RC_LINK_MESSAGE_MOST ? -1 : 0;
}

/* ---- the side that waits ---- */

static int any_words(void *data, const char *words)
{
    (void)data;
    (void)words;
    return 0;
}

/* 0: a message was received and answered; 1: the far end has no more; -1: it broke. */
static int serve_message(int fd, char *part, double deadline, struct rc_error *error)
{
    unsigned char header[8];
    uint64_t size;
    bool ended;
    ptrdiff_t got = rc_socket_receive(fd, header, sizeof header, NULL, deadline, &ended, error);

    if (got < 0 || (got == 0 && ended))
        return got < 0 ? -1 : 1;
    if (got < (ptrdiff_t)sizeof header || rc_sense_link_header_read(header, &size))
        return rc_error_set(error, "unexpected message from the other host of the link");
    for (size -= sizeof header; size > 0; size -= (uint64_t)got) {
        size_t length = size < PART ? (size_t)size : PART;

        got = rc_socket_receive(fd, part, length, NULL, deadline, &ended, error);
        if (got < 0)
            return -1;
        if ((size_t)got < length)
            return 1; /* it was cut short */
    }
    got = rc_socket_send(fd, header, WORD, NULL, deadline, error);
    return got < 0 ? -1 : got < WORD;
}

/* Those that came and have not shown the key yet. */
struct lobby {
    struct rc_guest guests[GUESTS];
    size_t n;
};

static void leave(struct lobby *lobby, size_t which)
{
    close(lobby->guests[which].fd);
    memmove(lobby->guests + which, lobby->guests + which + 1,
            (lobby->n - which - 1) * sizeof *lobby->guests);
    lobby->n--;
}

/* The connection that has been silent for longest is dropped for a new one: strangers cannot keep
 * out the client that has the key. */
static void welcome(struct lobby *lobby, int listener)
{
    int fd = rc_socket_accept(listener);

    if (fd < 0)
        return;
    if (lobby->n == GUESTS)
        leave(lobby, 0);
    if (rc_socket_guest_begin(&lobby->guests[lobby->n], fd, GREETING, NULL))
        close(fd);
    else
        lobby->n++;
}

/* Waits a while for the key; the descriptor of a connection with the right one, or -1. */
static int attend(struct lobby *lobby, int listener, const char *key, double seconds)
{
    struct pollfd wait[GUESTS + 1] = {{listener, POLLIN, 0}};

    for (size_t i = 0; i < lobby->n; i++)
        wait[i + 1] = (struct pollfd){lobby->guests[i].fd, POLLIN, 0};
    if (poll(wait, lobby->n + 1, (int)ceil(seconds * 1e3)) <= 0)
        return -1;
    for (size_t i = lobby->n; i-- > 0;) {
        int fd = lobby->guests[i].fd, status;

        if (!wait[i + 1].revents)
            continue;
        status = rc_socket_guest_hear(&lobby->guests[i], key, any_words, NULL, NULL);
        if (status > 0) {
            lobby->guests[i].fd = -1;
            return fd;
        }
        if (status < 0)
            leave(lobby, i);
    }
    if (wait[0].revents)
        welcome(lobby, listener);
    return -1;
}

static int await_guest(int listener, const char *key, double deadline, struct rc_error *error)
{
    struct lobby lobby = {.n = 0};
    double left;
    int fd = -1;

    while (fd < 0 && (left = deadline - rc_clock_now()) > 0)
        fd = attend(&lobby, listener, key, left);
    for (size_t i = 0; i < lobby.n; i++)
        if (lobby.guests[i].fd >= 0)
            close(lobby.guests[i].fd);
    return fd >= 0 ? fd : rc_error_set(error, "no probe came in time");
}

int rc_sense_link_serve(int listener, const char *key, double seconds, struct rc_error *error)
{
    double deadline = rc_clock_now() + seconds;
    int fd = await_guest(listener, key, deadline, error), status = 0;
    char *part = malloc(PART);

    close(listener);
    if (!part && fd >= 0)
        status = rc_error_no_memory(error);
    while (fd >= 0 && status == 0)
        status = serve_message(fd, part, deadline, error);
    if (fd >= 0)
        close(fd);
    free(part);
    return fd < 0 || status < 0 ? -1 : 0;
}

/* ---- the side that comes ---- */

struct probing {
    int fd;
    char *part;
    double deadline;
    struct rc_link_result *result;
};

/* Sends one message; returns how much of it went off before the time was up, or -1. */
static ptrdiff_t send_message(struct probing *probing, uint64_t size, double deadline,
                              struct rc_error *error)
{
    ptrdiff_t done = 0;

    rc_sense_link_header_write((unsigned char *)probing->part, size);
    while ((uint64_t)done < size) {
        uint64_t left = size - (uint64_t)done;
        size_t length = left < PART ? (size_t)left : PART;
        ptrdiff_t sent = rc_socket_send(probing->fd, probing->part, length, NULL, deadline, error);

        if (sent < 0)
            return -1;
        done += sent;
        probing->result->bytes += (double)sent;
        if ((size_t)sent < length)
            break;
    }
    return done;
}

static int await_word(struct probing *probing, double deadline, struct rc_error *error)
{
    char word[WORD];
    bool ended;
    ptrdiff_t got =
        rc_socket_receive(probing->fd, word, sizeof word, NULL, deadline, &ended, error);

    if (got < 0)
        return -1;
    if (ended)
        return rc_error_set(error, "the other host of the link closed the connection");
    return got < WORD; /* 1: not in time */
}

/* Round-trip times of short messages: `*least`, and the median, of which the latency is half. */
static int ping(struct probing *probing, double *least, struct rc_error *error)
{
    double times[PINGS], begin = rc_clock_now();
    size_t n = 0;

    while (n < PINGS && (n == 0 || rc_clock_now() < begin + PINGS_SECONDS)) {
        double sent = rc_clock_now();
        int status;

        if (send_message(probing, RC_LINK_MESSAGE_LEAST, probing->deadline, error) < 0)
            return -1;
        status = await_word(probing, probing->deadline, error);
        if (status)
            return status < 0 ? -1
                              : rc_error_set(error, "the other host of the link does not answer");
        times[n++] = rc_clock_now() - sent;
    }
    rc_sort_doubles(times, n);
    *least = times[0];
    probing->result->latency = times[n / 2] / 2;
    return 0;
}

double rc_sense_link_bandwidth(double burst, const double *times, size_t n, double round_trip)
{
    double sum = 0, way;
    size_t first = n / 2;

    for (size_t i = first; i < n; i++)
        sum += times[i];
    way = round_trip * (double)(n - first);
    return burst * (double)(n - first) / fmax(sum - way, LEAST_PART * sum);
}

bool rc_sense_link_tells(double seconds, size_t n)
{
    return seconds >= LEAST || n >= BURSTS_MAX;
}

double rc_sense_link_wants(double burst, double seconds, size_t n)
{
    double bursts = ceil((double)n * WANTED / fmax(seconds, 1e-6));

    return burst * fmax(bursts, 1) + PINGS * RC_LINK_MESSAGE_LEAST;
}

/* The bandwidth of a burst that does not end follows from what has left this machine. */
static void take_cut(struct probing *probing, ptrdiff_t sent, double seconds)
{
    int queued = 0;

    ioctl(probing->fd, SIOCOUTQ, &queued);
    probing->result->bandwidth = fmax((double)sent - queued, 0) / seconds;
}

static int send_bursts(struct probing *probing, double burst, double most, double round_trip,
                       struct rc_error *error)
{
    double times[BURSTS_MAX], begin = rc_clock_now(), took;
    size_t n = 0;

    probing->result->wants = rc_sense_link_wants(burst, WANTED, 1);
    do {
        double sent = rc_clock_now();
        ptrdiff_t went = send_message(probing, (uint64_t)burst, sent + LONGEST, error);
        int status = went < 0 ? -1 : await_word(probing, sent + LONGEST, error);

        if (status < 0)
            return -1;
        if (status > 0) {
            take_cut(probing, went, rc_clock_now() - sent);
            return 0;
        }
        times[n++] = rc_clock_now() - sent;
    } while (n < BURSTS_MAX && rc_clock_now() < begin + ENOUGH &&
             probing->result->bytes + burst <= most);
    took = rc_clock_now() - begin;
    probing->result->wants = rc_sense_link_wants(burst, took, n);
    if (rc_sense_link_tells(took, n))
        probing->result->bandwidth = rc_sense_link_bandwidth(burst, times, n, round_trip);
    return 0;
}

int rc_sense_link_probe(const struct rc_peer *peer, double burst, double most,
                        struct rc_link_result *result, struct rc_error *error)
{
    struct probing probing = {-1, calloc(1, PART), rc_clock_now() + RC_LINK_SECONDS, result};
    double begin = rc_clock_now(), round_trip = 0;
    bool refused;
    int status = -1;

    *result = (struct rc_link_result){.bandwidth = NAN};
    burst = fmin(fmax(floor(burst), RC_LINK_MESSAGE_LEAST), RC_LINK_MESSAGE_MOST);
    most -= PINGS * RC_LINK_MESSAGE_LEAST;
    if (!probing.part)
        rc_error_no_memory(error);
    else if (!(burst <= most))
        rc_error_set(error, "a burst of %.0f bytes exceeds the limit of the probe", burst);
    else
        probing.fd = rc_socket_connect(peer, RC_LINK_SECONDS / 2, error);
    if (probing.fd >= 0 &&
        rc_socket_greet(probing.fd, GREETING, peer, "probe", &refused, error) == 0 &&
        ping(&probing, &round_trip, error) == 0)
        status =
            send_bursts(&probing, burst, most + PINGS * RC_LINK_MESSAGE_LEAST, round_trip, error);
    if (probing.fd >= 0)
        close(probing.fd);
    free(probing.part);
    result->seconds = rc_clock_now() - begin;
    return status;
}
