// SPDX-License-Identifier: GPL-3.0-or-later
/* link_list.c - parsing of a list of links: "ring", "all", or pairs of host names. */
#include "host/watch/watch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

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
        return rc_error_set(reading->error, "more than %d links", RC_WATCH_LINKS_MAX);
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
    return rc_error_set(reading->error, "'%.*s' is not one of the hosts",
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
        return rc_error_set(reading->error, "'%.*s' is not a link, such as a1:a2",
                            (int)(length < 100 ? length : 100), text);
    rest = sign + 1;
    if (find_host(reading, text, (size_t)(sign - text), &from) ||
        find_host(reading, rest, (size_t)(text + length - rest), &to))
        return -1;
    if (from == to)
        return rc_error_set(reading->error, "a link from %s to itself", reading->hosts[from]);
    for (size_t i = 0; i < reading->n; i++)
        if (reading->links[i].from == from && reading->links[i].to == to)
            return rc_error_set(reading->error, "link %s:%s is listed twice", reading->hosts[from],
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
    return reading->n ? 0 : rc_error_set(reading->error, "empty list of links");
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
        return rc_error_set(error, "links need at least two hosts");
    status = ring ? add_ring(&reading) : all ? add_all(&reading) : add_list(&reading, text);
    if (status) {
        free(reading.links);
        return -1;
    }
    *links = reading.links;
    *n_links = reading.n;
    return 0;
}
