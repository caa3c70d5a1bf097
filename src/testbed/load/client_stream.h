// SPDX-License-Identifier: GPL-3.0-or-later
/* client_stream.h - one connection of a load, as the end that decides uses it. */
#ifndef RC_TESTBED_LOAD_CLIENT_STREAM_H
#define RC_TESTBED_LOAD_CLIENT_STREAM_H

#include "testbed/load/protocol.h"

enum rc_load_direction { RC_LOAD_SEND, RC_LOAD_RECEIVE, RC_LOAD_BOTH };

/* What a process does with the network.  The data of a task whose functions are
 * rc_load_stream_prepare() and rc_load_stream_body(). */
struct rc_load_stream {
    struct rc_peer peer;
    int streams;                                             /* connections of the whole load */
    enum rc_load_direction direction;                        /* of this one; not RC_LOAD_BOTH */
    double message;                                          /* bytes of one */
    double rate;                                             /* bytes/s */
    double (*rate_at)(const void *data, double since_begin); /* in place of `rate`; or NULL */
    const void *rate_data;
    int fd; /* from rc_load_stream_prepare() on */
};

/* Connects and greets. */
int rc_load_stream_prepare(struct rc_load_worker *worker, void *data, struct rc_error *error);
/* Sends or receives at the rate until the load is over. */
int rc_load_stream_body(struct rc_load_worker *worker, void *data, struct rc_error *error);

/* The rate in bytes/s that arrived, in one direction, as counted by the receiving end: bytes by
 * time.  If the receiver never reported it, the rate at which they were sent. */
double rc_load_stream_rate(const struct rc_load_tally *tally, enum rc_load_direction direction);

/* For other bodies on such a connection. */

/* Sends a message of `size` bytes, in parts where it is large.  1: the load was over before; -1: it
 * failed. */
int rc_load_stream_push(struct rc_load_stream *stream, struct rc_load_worker *worker,
                        enum rc_load_request request, uint64_t size, struct rc_error *error);
/* Asks for `size` bytes. */
int rc_load_stream_pull(struct rc_load_stream *stream, struct rc_load_worker *worker, uint64_t size,
                        struct rc_error *error);
/* Takes `size` bytes that were asked for; 1 and -1 as above. */
int rc_load_stream_take(struct rc_load_stream *stream, struct rc_load_worker *worker, uint64_t size,
                        struct rc_error *error);
/* Waits for RC_LOAD_ACKNOWLEDGE. */
int rc_load_stream_await(struct rc_load_stream *stream, struct rc_load_worker *worker,
                         struct rc_error *error);
/* Ends the stream, takes `owed` bytes that are still to come, and reads the receiver's counts.  A
 * slow receiver is no failure: tally->drained then stays 0. */
void rc_load_stream_finish(struct rc_load_stream *stream, struct rc_load_worker *worker,
                           uint64_t owed);

#endif
