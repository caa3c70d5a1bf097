// SPDX-License-Identifier: GPL-3.0-or-later
/* probe_schedule.c - which link is probed when, and how people name links.
 *
 * The bound on bytes needs no book-keeping for one watcher.  Probes of a link begin at least
 * `every` seconds apart, so that any hour sees the beginnings of at most floor(3600 / every) + 1 of
 * them, and one more that began before it and still goes on: each may send the bound divided by
 * that number.  Since a probe is over in 32 s, they also are no more than begin in 3632 s.
 * What several watchers send together is counted in their database (message_dispatch.c). */
#include "host/watch/probe_schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

#define HOUR 3600.0

double rc_watch_probe_bytes(double link_every, double link_bytes)
{
    double most = fmin(floor(HOUR / link_every) + 2,
                       ceil((HOUR + RC_WATCH_PROBE_OVER) / link_every * (1 - 1e-12)));

    return floor(link_bytes / fmax(most, 1));
}

double rc_watch_probe_every(double link_every, double link_bytes, double wanted)
{
    double most = floor(link_bytes / wanted);

    if (rc_watch_probe_bytes(link_every, link_bytes) >= wanted)
        return link_every;
    return most < 1 ? (double)INFINITY : fmax(link_every, (HOUR + RC_WATCH_PROBE_OVER) / most);
}

/* ---- the schedule ---- */

int rc_watch_schedule_init(struct rc_watch_schedule *schedule, const struct rc_watch_link *links,
                           size_t n_links, size_t n_hosts, double every, double now,
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
                                                 .every = every};
        slot->due = now + every * (double)i / (double)n_links;
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
    slot->due = now + slot->info.every;
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

/* ---- as people write them ---- */

struct reading {
    const char *const *hosts;
    size_t n_hosts;
    struct rc_watch_link *links;
    size_t n, capacity;
    struct rc_error *error;
};

static int add(struct reading *reading, size_t from, size_t to)
{
    if (reading->n == RC_WATCH_LINKS_MAX)
        return rc_error_set(reading->error, "there are more than %d links", RC_WATCH_LINKS_MAX);
    if (rc_array_room(&reading->links, reading->n + 1, &reading->capacity, sizeof *reading->links,
                      reading->error))
        return -1;
    reading->links[reading->n++] = (struct rc_watch_link){from, to};
    return 0;
}

static int find_host(const struct reading *reading, const char *name, size_t length, size_t *host)
{
    for (size_t i = 0; i < reading->n_hosts; i++)
        if (strlen(reading->hosts[i]) == length && memcmp(reading->hosts[i], name, length) == 0) {
            *host = i;
            return 0;
        }
    return rc_error_set(reading->error, "'%.*s' is none of the hosts",
                        (int)(length < 100 ? length : 100), name);
}

/* a1:a2 or, where a name has a colon in it, a1>a2 */
static int add_pair(struct reading *reading, const char *text, size_t length)
{
    const char *sign = memchr(text, '>', length), *rest;
    size_t from = 0, to = 0;

    if (!sign)
        sign = memchr(text, ':', length);
    if (!sign)
        return rc_error_set(reading->error, "'%.*s' is no link: write a1:a2",
                            (int)(length < 100 ? length : 100), text);
    rest = sign + 1;
    if (find_host(reading, text, (size_t)(sign - text), &from) ||
        find_host(reading, rest, (size_t)(text + length - rest), &to))
        return -1;
    if (from == to)
        return rc_error_set(reading->error, "a link from %s to itself says nothing",
                            reading->hosts[from]);
    for (size_t i = 0; i < reading->n; i++)
        if (reading->links[i].from == from && reading->links[i].to == to)
            return rc_error_set(reading->error, "the link %s:%s comes twice", reading->hosts[from],
                                reading->hosts[to]);
    return add(reading, from, to);
}

static int add_list(struct reading *reading, const char *text)
{
    for (const char *end; *text; text = *end ? end + 1 : end) {
        size_t length;

        end = strchrnul(text, ',');
        length = (size_t)(end - text);
        while (length > 0 && *text == ' ')
            text++, length--;
        while (length > 0 && text[length - 1] == ' ')
            length--;
        if (add_pair(reading, text, length))
            return -1;
    }
    return reading->n ? 0 : rc_error_set(reading->error, "the list of links is empty");
}

static int add_ring(struct reading *reading)
{
    for (size_t i = 0; i < reading->n_hosts; i++)
        if (add(reading, i, (i + 1) % reading->n_hosts))
            return -1;
    return 0;
}

/* In rounds, in each of which every host is near end once and far end once: probes that follow one
 * another then seldom want the same host. */
static int add_all(struct reading *reading)
{
    size_t n = reading->n_hosts;

    if (n * (n - 1) > RC_WATCH_LINKS_MAX)
        return rc_error_set(reading->error, "%zu hosts have more than %d links", n,
                            RC_WATCH_LINKS_MAX);
    for (size_t step = 1; step < n; step++)
        for (size_t i = 0; i < n; i++)
            if (add(reading, i, (i + step) % n))
                return -1;
    return 0;
}

int rc_watch_links_parse(const char *text, const char *const *hosts, size_t n_hosts,
                         struct rc_watch_link **links, size_t *n_links, struct rc_error *error)
{
    struct reading reading = {.hosts = hosts, .n_hosts = n_hosts, .error = error};
    bool ring = strcmp(text, "ring") == 0, all = strcmp(text, "all") == 0;
    int status;

    *links = NULL;
    *n_links = 0;
    if ((ring || all) && n_hosts < 2)
        return rc_error_set(error, "links need two hosts at least");
    status = ring ? add_ring(&reading) : all ? add_all(&reading) : add_list(&reading, text);
    if (status) {
        free(reading.links);
        return -1;
    }
    *links = reading.links;
    *n_links = reading.n;
    return 0;
}
