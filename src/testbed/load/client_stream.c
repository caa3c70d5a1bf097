// SPDX-License-Identifier: GPL-3.0-or-later
/* client_stream.c - one connection of a load, as the end that decides uses it. */
#include "testbed/load/client_stream.h"

#include <math.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "testbed/load/send_credit.h"

#define CONNECT_SECONDS 10.0
#define FINISH_SECONDS 5.0

static char part[RC_LOAD_PART]; /* what messages are made of, and where they end */

int rc_load_stream_prepare(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct rc_load_stream *stream = data;

    (void)worker;
    stream->fd = rc_load_connect(&stream->peer, CONNECT_SECONDS, error);
    if (stream->fd < 0)
        return -1;
    return rc_load_greet(stream->fd, &stream->peer, stream->streams, error);
}

int rc_load_stream_push(struct rc_load_stream *stream, struct rc_load_worker *worker,
                        enum rc_load_request request, uint64_t size, struct rc_error *error)
{
    int status;

    rc_load_request_write((unsigned char *)part, request, size);
    status = rc_load_send_parts(stream->fd, part, size, worker, error);
    worker->tally->messages += status == 0;
    return status;
}

int rc_load_stream_pull(struct rc_load_stream *stream, struct rc_load_worker *worker, uint64_t size,
                        struct rc_error *error)
{
    return rc_load_request_send(stream->fd, RC_LOAD_PULL, size, worker, error);
}

int rc_load_stream_take(struct rc_load_stream *stream, struct rc_load_worker *worker, uint64_t size,
                        struct rc_error *error)
{
    bool ended;
    int status = rc_load_receive_parts(stream->fd, part, size, worker, &ended, error);

    if (ended)
        return rc_error_set(error, "the other host closed the connection");
    worker->tally->messages += status == 0;
    return status;
}

int rc_load_stream_await(struct rc_load_stream *stream, struct rc_load_worker *worker,
                         struct rc_error *error)
{
    unsigned char bytes[RC_LOAD_REQUEST_SIZE];
    enum rc_load_request request;
    uint64_t size;
    bool ended;
    ptrdiff_t got =
        rc_load_receive(stream->fd, bytes, sizeof bytes, worker, INFINITY, &ended, error);

    if (got < 0)
        return -1;
    if (ended)
        return rc_error_set(error, "the other host closed the connection");
    if (got < (ptrdiff_t)sizeof bytes)
        return 1;
    return rc_load_request_read(bytes, &request, &size) || request != RC_LOAD_ACKNOWLEDGE
               ? rc_error_set(error, "unexpected answer from the receiver")
               : 0;
}

/* Reads the receiver's counts, after pending answers.  False if they do not arrive. */
static bool read_totals(int fd, struct rc_load_tally *tally, double deadline)
{
    unsigned char bytes[RC_LOAD_REQUEST_SIZE];
    enum rc_load_request request;
    uint64_t size;
    bool ended;

    for (;;) {
        if (rc_load_receive(fd, bytes, sizeof bytes, NULL, deadline, &ended, NULL) !=
                (ptrdiff_t)sizeof bytes ||
            rc_load_request_read(bytes, &request, &size))
            return false;
        if (request == RC_LOAD_TOTAL_IN)
            tally->peer_received = size;
        if (request == RC_LOAD_TOTAL_OUT) {
            tally->peer_sent = size;
            return true;
        }
    }
}

void rc_load_stream_finish(struct rc_load_stream *stream, struct rc_load_worker *worker,
                           uint64_t owed)
{
    double deadline = rc_load_now() + FINISH_SECONDS;
    bool ended;
    ptrdiff_t got = 1;

    shutdown(stream->fd, SHUT_WR);
    while (owed > 0 && got > 0) {
        got = rc_load_receive(stream->fd, part, owed < RC_LOAD_PART ? (size_t)owed : RC_LOAD_PART,
                              NULL, deadline, &ended, NULL);
        if (got > 0) {
            owed -= (uint64_t)got;
            worker->tally->received += (uint64_t)got;
        }
    }
    if (owed == 0 && read_totals(stream->fd, worker->tally, deadline))
        worker->tally->drained = rc_load_now() - worker->begin;
    close(stream->fd);
}

double rc_load_stream_rate(const struct rc_load_tally *tally, enum rc_load_direction direction)
{
    bool back = direction == RC_LOAD_RECEIVE, told = tally->drained > 0;
    double seconds = back ? tally->in_time : told ? tally->drained : tally->wall;
    uint64_t bytes = back ? tally->arrived : told ? tally->peer_received : tally->sent;

    return seconds > 0 ? (double)bytes / seconds : 0;
}

static double rate_now(const struct rc_load_stream *stream, double since_begin)
{
    return stream->rate_at ? stream->rate_at(stream->rate_data, since_begin) : stream->rate;
}

static int send_paced(struct rc_load_stream *stream, struct rc_load_worker *worker,
                      struct rc_load_send_credit *credit, struct rc_error *error)
{
    int status = 0;

    while (status == 0 && !rc_load_over(worker)) {
        double now = rc_load_now();
        double wait = rc_load_send_credit_wait(credit, rate_now(stream, now - worker->begin), now);

        if (wait > 0) {
            rc_load_sleep_until(worker, now + fmin(wait, 0.05)); /* the rate may change */
            continue;
        }
        status =
            rc_load_stream_push(stream, worker, RC_LOAD_PUSH, (uint64_t)stream->message, error);
        rc_load_send_credit_spend(credit);
    }
    return status;
}

/* Reads what has arrived, for at most `seconds`.  -1 if the receiver has closed the connection. */
static int take_some(struct rc_load_stream *stream, struct rc_load_worker *worker, uint64_t *owed,
                     double seconds, struct rc_error *error)
{
    double deadline = rc_load_now() + seconds;
    bool ended;
    size_t most = *owed < RC_LOAD_PART ? (size_t)*owed : RC_LOAD_PART;
    ptrdiff_t got = rc_load_receive(stream->fd, part, most, worker, deadline, &ended, error);

    if (got < 0)
        return -1;
    worker->tally->received += (uint64_t)got;
    *owed -= (uint64_t)got;
    return ended ? rc_error_set(error, "the other host closed the connection") : 0;
}

/* The receiver sends what is requested; the requests have the rate. */
static int receive_paced(struct rc_load_stream *stream, struct rc_load_worker *worker,
                         struct rc_load_send_credit *credit, uint64_t *owed, struct rc_error *error)
{
    struct rc_load_tally *tally = worker->tally;
    struct rc_load_window window;
    int status = 0;

    rc_load_window_begin(&window, worker->begin);
    while (status == 0 && !rc_load_over(worker)) {
        double now = rc_load_now();
        double wait = rc_load_send_credit_wait(credit, rate_now(stream, now - worker->begin), now);
        double most = rc_load_window_most(&window, stream->message, tally->received, now);

        if (wait == 0 && (double)*owed < most) {
            status = rc_load_stream_pull(stream, worker, (uint64_t)stream->message, error);
            *owed += status == 0 ? (uint64_t)stream->message : 0;
            tally->messages++;
            rc_load_send_credit_spend(credit);
        } else if (*owed > 0) {
            status = take_some(stream, worker, owed, wait > 0 ? fmin(wait, 0.05) : 0.01, error);
        } else {
            rc_load_sleep_until(worker, now + fmin(wait, 0.05));
        }
    }
    tally->arrived = tally->received;
    tally->in_time = rc_load_now() - worker->begin;
    return status;
}

int rc_load_stream_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct rc_load_stream *stream = data;
    struct rc_load_send_credit credit;
    uint64_t owed = 0;
    int status;

    rc_load_send_credit_begin(&credit, worker->begin, stream->message);
    status = stream->direction == RC_LOAD_SEND
                 ? send_paced(stream, worker, &credit, error)
                 : receive_paced(stream, worker, &credit, &owed, error);
    worker->tally->wanted = credit.wanted;
    if (status >= 0)
        rc_load_stream_finish(stream, worker, owed);
    return status < 0 ? -1 : 0;
}
