// SPDX-License-Identifier: GPL-3.0-or-later
/* probe_schedule.c - which link is probed when.
 *
 * The bound on bytes needs no book-keeping for one watcher.  Probes of a link begin at least
 * `every` seconds apart, so that any hour sees the beginnings of at most floor(3600 / every) + 1 of
 * them, and one more that began before it and still goes on: each may send the bound divided by
 * that number.  Since a probe is over in 32 s, they also are no more than begin in 3632 s.
 * What several watchers send together is counted in their database (message_dispatch.c). */
#include "host/watch/probe_schedule.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

#define HOUR 3600.0

double rc_watch_probe_bytes(double link_interval, double link_bytes)
{
    double most = fmin(floor(HOUR / link_interval) + 2,
                       ceil((HOUR + RC_WATCH_PROBE_OVER) / link_interval * (1 - 1e-12)));

    return floor(link_bytes / fmax(most, 1));
}

double rc_watch_probe_interval(double link_interval, double link_bytes, double wanted)
{
    double most = floor(link_bytes / wanted);

    if (rc_watch_probe_bytes(link_interval, link_bytes) >= wanted)
        return link_interval;
    return most < 1 ? (double)INFINITY : fmax(link_interval, (HOUR + RC_WATCH_PROBE_OVER) / most);
}

/* ---- the schedule ---- */

int rc_watch_schedule_init(struct rc_watch_schedule *schedule, const struct rc_watch_link *links,
                           size_t n_links, size_t n_hosts, double interval, double now,
                           struct rc_error *error)
{
    *schedule = (struct rc_watch_schedule){.n_links = n_links, .n_hosts = n_hosts};
    schedule->slots = calloc(n_links + 1, sizeof *schedule->slots);
    schedule->endpoints = calloc(n_hosts + 1, sizeof *schedule->endpoints);
    if (!schedule->slots || !schedule->endpoints)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n_links; i++) {
        struct rc_watch_slot *slot = &schedule->slots[i];

        slot->info = (struct rc_watch_link_info){.from = links[i].from,
                                                 .to = links[i].to,
                                                 .bandwidth = NAN,
                                                 .latency = NAN,
                                                 .interval = interval};
        slot->due = now + interval * (double)i / (double)n_links;
        slot->begun = slot->last = -INFINITY;
    }
    for (size_t i = 0; i < n_hosts; i++)
        schedule->endpoints[i] = (struct rc_watch_endpoint){SIZE_MAX, -INFINITY};
    return 0;
}

void rc_watch_schedule_free(struct rc_watch_schedule *schedule)
{
    free(schedule->slots);
    free(schedule->endpoints);
    *schedule = (struct rc_watch_schedule){.slots = NULL};
}

static bool is_free(const struct rc_watch_schedule *schedule, size_t host, double now)
{
    const struct rc_watch_endpoint *endpoint = &schedule->endpoints[host];

    return endpoint->link == SIZE_MAX && endpoint->free_at <= now;
}

size_t rc_watch_schedule_next(const struct rc_watch_schedule *schedule, double now,
                              bool (*up)(void *data, size_t host), void *data)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < schedule->n_links; i++) {
        const struct rc_watch_slot *slot = &schedule->slots[i];

        if (slot->phase == RC_WATCH_IDLE && slot->due <= now &&
            (found == SIZE_MAX || slot->due < schedule->slots[found].due) &&
            is_free(schedule, slot->info.from, now) && is_free(schedule, slot->info.to, now) &&
            up(data, slot->info.from) && up(data, slot->info.to))
            found = i;
    }
    return found;
}

void rc_watch_schedule_begin(struct rc_watch_schedule *schedule, size_t link, int64_t id,
                             double now)
{
    struct rc_watch_slot *slot = &schedule->slots[link];

    slot->phase = RC_WATCH_ASKED;
    slot->id = id;
    slot->begun = now;
    slot->due = now + slot->info.interval;
    slot->info.probes++;
    schedule->endpoints[slot->info.from].link = schedule->endpoints[slot->info.to].link = link;
}

void rc_watch_schedule_put_off(struct rc_watch_schedule *schedule, size_t link, double seconds,
                               double now)
{
    schedule->slots[link].due = now + seconds;
    schedule->slots[link].info.tried = true;
}

void rc_watch_schedule_end(struct rc_watch_schedule *schedule, size_t link, bool good, double now)
{
    struct rc_watch_slot *slot = &schedule->slots[link];
    struct rc_watch_endpoint *near = &schedule->endpoints[slot->info.from];
    struct rc_watch_endpoint *far = &schedule->endpoints[slot->info.to];

    slot->phase = RC_WATCH_IDLE;
    slot->info.tried = true;
    near->link = far->link = SIZE_MAX;
    if (good)
        return;
    slot->info.failures++;
    far->free_at = now + RC_WATCH_LISTEN_SECONDS;
}

size_t rc_watch_schedule_late(const struct rc_watch_schedule *schedule, double now)
{
    for (size_t i = 0; i < schedule->n_hosts; i++) {
        size_t link = schedule->endpoints[i].link;

        if (link != SIZE_MAX && schedule->slots[link].begun + RC_WATCH_PROBE_SECONDS <= now)
            return link;
    }
    return SIZE_MAX;
}

double rc_watch_schedule_wake(const struct rc_watch_schedule *schedule, double now)
{
    double wake = INFINITY;

    for (size_t i = 0; i < schedule->n_links; i++) {
        const struct rc_watch_slot *slot = &schedule->slots[i];
        double at = slot->due;

        if (slot->phase != RC_WATCH_IDLE)
            at = slot->begun + RC_WATCH_PROBE_SECONDS;
        else
            at = fmax(at, fmax(schedule->endpoints[slot->info.from].free_at,
                               schedule->endpoints[slot->info.to].free_at));
        /* What is due already waits for a host, and a host does not become free by time alone. */
        if (at > now && at < wake)
            wake = at;
    }
    return wake;
}
