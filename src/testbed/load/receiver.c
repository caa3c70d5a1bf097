// SPDX-License-Identifier: GPL-3.0-or-later
/* receiver.c - receiver of a network load. */
#include "testbed/load/receiver.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/progress_monitor.h"

enum { TICK = 50 };

int rc_load_receiver_open(struct rc_load_receiver *receiver, const char *address, int port,
                          const char *key, struct rc_error *error)
{
    *receiver = (struct rc_load_receiver){.listener = -1, .port = port};
    if (key)
        snprintf(receiver->key, sizeof receiver->key, "%s", key);
    else if (rc_socket_make_key(receiver->key, error))
        return -1;
    receiver->listener = rc_socket_listen(address, &receiver->port, error);
    return receiver->listener < 0 ? -1 : 0;
}

void rc_load_receiver_close(struct rc_load_receiver *receiver)
{
    if (receiver->listener >= 0)
        close(receiver->listener);
    receiver->listener = -1;
}

/* ---- one connection, in a process of its own ---- */

static char part[RC_LOAD_PART];

/* 0: the request was carried out; 1: there are no more. */
static int carry_out(int fd, struct rc_load_worker *worker, struct rc_error *error)
{
    struct rc_load_tally *tally = worker->tally;
    unsigned char bytes[RC_LOAD_REQUEST_SIZE];
    enum rc_load_request request;
    uint64_t size;
    bool ended;
    int status;
    ptrdiff_t got = rc_load_receive(fd, bytes, sizeof bytes, worker, INFINITY, &ended, error);

    if (got < 0)
        return -1;
    if (got < (ptrdiff_t)sizeof bytes) {
        tally->received += (uint64_t)got;
        return 1;
    }
    if (rc_load_request_read(bytes, &request, &size) || request > RC_LOAD_PULL)
        return rc_error_set(error, "unexpected request from the sender");
    tally->messages++;
    if (request == RC_LOAD_PULL)
        return rc_load_send_parts(fd, part, size, worker, error);
    tally->received += RC_LOAD_REQUEST_SIZE;
    status = rc_load_receive_parts(fd, part, size - RC_LOAD_REQUEST_SIZE, worker, &ended, error);
    if (status == 0 && request == RC_LOAD_PUSH_ACKNOWLEDGED)
        status = rc_load_request_send(fd, RC_LOAD_ACKNOWLEDGE, tally->received, worker, error);
    return status;
}

static int serve_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    int fd = *(int *)data, status = 0;

    while (status == 0)
        status = carry_out(fd, worker, error);
    if (status < 0 || rc_load_over(worker))
        return status < 0 ? -1 : 0;
    if (rc_load_request_send(fd, RC_LOAD_TOTAL_IN, worker->tally->received, worker, error) < 0 ||
        rc_load_request_send(fd, RC_LOAD_TOTAL_OUT, worker->tally->sent, worker, error) < 0)
        return -1;
    close(fd);
    return 0;
}

/* ---- all of them ---- */

struct guests {
    int fds[RC_LOAD_STREAMS_MAX];
    int n, wanted; /* `wanted` is 0 until the first has come */
};

static void receive_guest(struct rc_load_receiver *receiver, struct guests *guests)
{
    int streams, fd = rc_socket_accept(receiver->listener);

    if (fd < 0)
        return;
    streams = rc_load_admit(fd, receiver->key, NULL);
    if (streams < 0 || (guests->wanted && streams != guests->wanted)) {
        receiver->refused++;
        close(fd);
        return;
    }
    guests->wanted = streams;
    guests->fds[guests->n++] = fd;
}

/* -1 where they do not all come. */
static int gather(struct rc_load_receiver *receiver, struct guests *guests, double seconds,
                  const struct rc_monitor *monitor, struct rc_error *error)
{
    double deadline = rc_load_now() + seconds;

    while (!guests->wanted || guests->n < guests->wanted) {
        struct pollfd p = {receiver->listener, POLLIN, 0};

        if (rc_progress_monitor_cancelled(monitor))
            return rc_error_set(error, "interrupted before a sender connected");
        if (rc_load_now() >= deadline)
            return rc_error_set(error, "no sender connected within %g s", seconds);
        rc_progress_monitor_advance(monitor, 0, 0);
        if (poll(&p, 1, TICK) > 0)
            receive_guest(receiver, guests);
    }
    rc_load_receiver_close(receiver);
    return 0;
}

static struct rc_load_team *start_workers(struct guests *guests, struct rc_error *error)
{
    struct rc_load_team *team = rc_load_team_create((size_t)guests->n, error);

    for (int i = 0; team && i < guests->n; i++) {
        const struct rc_load_task task = {
            .body = serve_body, .data = &guests->fds[i], .core = -1, .descriptor = guests->fds[i]};

        if (rc_load_team_add(team, &task, error)) {
            rc_load_team_destroy(team);
            return NULL;
        }
    }
    return team;
}

struct rc_load_team *rc_load_receiver_serve(struct rc_load_receiver *receiver, double seconds,
                                            const struct rc_monitor *monitor,
                                            struct rc_error *error)
{
    struct guests guests = {.n = 0};
    struct rc_load_team *team = NULL;

    if (gather(receiver, &guests, seconds, monitor, error) == 0)
        team = start_workers(&guests, error);
    for (int i = 0; i < guests.n; i++)
        close(guests.fds[i]);
    rc_load_receiver_close(receiver);
    if (team) {
        error->text[0] = '\0';
        rc_load_team_run(team, INFINITY, monitor, error);
    }
    return team;
}
