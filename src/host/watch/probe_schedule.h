// SPDX-License-Identifier: GPL-3.0-or-later
/* probe_schedule.h - which link is probed when.
 *
 * Of the links that are due, the one that waits longest goes first, provided that neither of its
 * hosts has another probe.  A probe has two parts: the far end is asked to listen, then the near
 * end to send.  The watcher sends the messages; here are only the times. */
#ifndef RC_HOST_WATCH_PROBE_SCHEDULE_H
#define RC_HOST_WATCH_PROBE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/watch/watch.h"

#define RC_WATCH_PROBE_BYTES "probe_bytes" /* the metric of the bytes that probes of a link sent */
/* Seconds after the beginning of a probe at which it sends nothing more: its requests may take as
 * long as RC_WATCH_PROBE_SECONDS, and the listener ends shortly after RC_LINK_SECONDS. */
#define RC_WATCH_PROBE_OVER 32.0
#define RC_WATCH_LISTEN_SECONDS 10.0 /* that a sensor listens at most */
#define RC_WATCH_PROBE_SECONDS 20.0  /* after which nothing more is expected of a probe */

enum rc_watch_phase {
    RC_WATCH_IDLE,
    RC_WATCH_ASKED,  /* the far end was asked to listen */
    RC_WATCH_PROBING /* the near end was asked to send */
};

struct rc_watch_slot {
    struct rc_watch_link_info info;
    enum rc_watch_phase phase;
    int64_t id;   /* of the probe that goes on */
    double due;   /* monotonic; when the next probe may begin */
    double begun; /* ... and when the last one did */
    double last;  /* time of the last sample, on the base; -INFINITY: none */
    double most;  /* bytes that a probe may send; 0: as many as its part of an hour's */
    double taken; /* when its bytes were taken from the budget, on the base */
};

struct rc_watch_endpoint {
    size_t link;    /* whose probe it takes part in; SIZE_MAX: none */
    double free_at; /* monotonic; not before this does another one begin */
};

struct rc_watch_schedule {
    struct rc_watch_slot *slots;         /* one for each link */
    struct rc_watch_endpoint *endpoints; /* one for each host */
    size_t n_links, n_hosts;
};

/* The links become due one after the other within the first `every` seconds from `now`.  Free with
 * rc_watch_schedule_free() in any case. */
int rc_watch_schedule_init(struct rc_watch_schedule *schedule, const struct rc_watch_link *links,
                           size_t n_links, size_t n_hosts, double interval, double now,
                           struct rc_error *error);
void rc_watch_schedule_free(struct rc_watch_schedule *schedule);

/* The link to probe now, or SIZE_MAX.  `up` returns whether a host can take part. */
size_t rc_watch_schedule_next(const struct rc_watch_schedule *schedule, double now,
                              bool (*up)(void *data, size_t host), void *data);
/* Its probe begins: both hosts are taken, and it is due again after the link's `every` seconds. */
void rc_watch_schedule_begin(struct rc_watch_schedule *schedule, size_t link, int64_t id,
                             double now);
/* It cannot be probed for the next `seconds`. */
void rc_watch_schedule_put_off(struct rc_watch_schedule *schedule, size_t link, double seconds,
                               double now);
/* Its probe has ended.  After a good one both hosts are free; after another one the far end may
 * still listen for a while, and is left alone for as long. */
void rc_watch_schedule_end(struct rc_watch_schedule *schedule, size_t link, bool good, double now);
/* A probe whose time is up, or SIZE_MAX. */
size_t rc_watch_schedule_late(const struct rc_watch_schedule *schedule, double now);
/* When `next` or `late` may have an answer that they have not now; INFINITY: never by time alone.
 * */
double rc_watch_schedule_wake(const struct rc_watch_schedule *schedule, double now);

#endif
