// SPDX-License-Identifier: GPL-3.0-or-later
/* watch_fields.c - the fields of hosts and links that were watched. */
#include "answer/watch_fields.h"

#include <math.h>
#include <stdlib.h>

/* ---- hosts ---- */

#define HOST struct rc_answer_watch_host
static const char *state_of(const void *host)
{
    return rc_watch_state_name(((const HOST *)host)->info.state);
}

static json_t *state_json(const void *host)
{
    return json_string(state_of(host));
}

static void state_text(const void *host, char *text, size_t size)
{
    snprintf(text, size, "%s", state_of(host));
}

/* Why it is lost; that of one that is back is of no interest in a table. */
static void reason_text(const void *host, char *text, size_t size)
{
    const HOST *it = host;

    snprintf(text, size, "%s", it->info.state == RC_WATCH_LOST ? it->info.reason : "");
}

const struct rc_field rc_answer_watch_host[] = {
    {RC_FIELD(HOST, TEXT, info.name), .key = "host", .title = "host"},
    {.kind = RC_AS_COMPUTED,
     .key = "state",
     .title = "state",
     .json = state_json,
     .text = state_text},
    {RC_FIELD(HOST, CHARS, info.reason), .key = "reason"},
    {RC_FIELD(HOST, INT, info.cores), .key = "cores", .zero_is_null = true},
    {RC_FIELD(HOST, UINT64, info.messages), .key = "messages"},
    {RC_FIELD(HOST, NUMBER, info.cpu), .title = "cpu", .digits = 2},
    {RC_FIELD(HOST, BYTES, info.memory), .title = "memory"},
    {RC_FIELD(HOST, SECONDS, age), .title = "age"},
    {RC_FIELD(HOST, SECONDS, info.offset), .title = "offset"},
    {RC_FIELD(HOST, UINT64, info.samples), .key = "samples", .title = "samples"},
    {RC_FIELD(HOST, UINT64, info.losses), .key = "losses", .title = "times lost"},
    {RC_FIELD(HOST, UINT64, info.faults), .key = "faults"},
    {RC_FIELD(HOST, NUMBER, info.heard), .key = "heard"},
    {RC_FIELD(HOST, NUMBER, info.cpu), .key = "cpu"},
    {RC_FIELD(HOST, NUMBER, info.memory), .key = "memory"},
    {RC_FIELD(HOST, NUMBER, info.offset), .key = "offset"},
    {RC_FIELD(HOST, NUMBER, info.round_trip), .key = "round_trip"},
    {RC_FIELD(HOST, NUMBER, info.drift), .key = "drift"},
    {.kind = RC_AS_COMPUTED, .title = "remark", .text = reason_text},
    RC_FIELDS_END};

HOST rc_answer_watch_host_make(const struct rc_watch_host *host, double now)
{
    double age = now - host->heard;

    return (HOST){*host, isnan(age) ? age : fmax(0, round(age))};
}

/* ---- links ---- */

#define LINK struct rc_answer_watch_link
static void link_text(const void *link, char *text, size_t size)
{
    snprintf(text, size, "%s:%s", ((const LINK *)link)->from, ((const LINK *)link)->to);
}

const struct rc_field rc_answer_watch_link[] = {
    {.kind = RC_AS_COMPUTED, .title = "link", .text = link_text},
    {RC_FIELD(LINK, TEXT, from), .key = "from"},
    {RC_FIELD(LINK, TEXT, to), .key = "to"},
    {RC_FIELD(LINK, UINT64, info.probes), .key = "probes", .title = "probes"},
    {RC_FIELD(LINK, UINT64, info.failures), .key = "failures", .title = "failed"},
    {RC_FIELD(LINK, UINT64, info.too_short), .key = "too_short", .title = "too short"},
    {RC_FIELD(LINK, NUMBER, info.every), .key = "every"},
    {RC_FIELD(LINK, BYTES, info.bytes), .key = "bytes", .title = "sent"},
    {RC_FIELD(LINK, RATE, info.bandwidth), .key = "bandwidth", .title = "bandwidth"},
    {RC_FIELD(LINK, SECONDS, info.latency), .key = "latency", .title = "latency"},
    {RC_FIELD(LINK, CHARS, info.reason), .key = "reason", .title = "remark"},
    RC_FIELDS_END};

/* ---- all of it ---- */

#define WATCH struct rc_answer_watch
static json_t *lost_json(const void *watch)
{
    const struct rc_watch_db_info *stored = &((const WATCH *)watch)->stored;

    return json_integer((json_int_t)(stored->dropped + stored->waiting));
}

const struct rc_field rc_answer_watch[] = {
    {RC_FIELD(WATCH, NUMBER, seconds), .key = "seconds"},
    {RC_FIELD(WATCH, BOOL, interrupted), .key = "interrupted"},
    {RC_FIELD(WATCH, UINT64, stored.stored), .key = "stored"},
    {RC_FIELD(WATCH, SIZE, stored.series), .key = "series"},
    {RC_FIELD(WATCH, UINT64, stored.known), .key = "there_already"},
    {.kind = RC_AS_COMPUTED, .key = "lost", .json = lost_json},
    {RC_FIELD_LIST_OF(WATCH, hosts, n_hosts), .key = "hosts", .fields = rc_answer_watch_host},
    {RC_FIELD_LIST_OF(WATCH, links, n_links), .key = "links", .fields = rc_answer_watch_link},
    RC_FIELDS_END};

int rc_answer_watch_make(WATCH *answer, struct rc_watch *watch)
{
    double now = rc_watch_now(watch);

    answer->hosts = calloc(rc_watch_n_hosts(watch) + 1, sizeof *answer->hosts);
    answer->links = calloc(rc_watch_n_links(watch) + 1, sizeof *answer->links);
    if (!answer->hosts || !answer->links)
        return -1;
    for (; answer->n_hosts < rc_watch_n_hosts(watch); answer->n_hosts++)
        answer->hosts[answer->n_hosts] =
            rc_answer_watch_host_make(rc_watch_host(watch, answer->n_hosts), now);
    for (; answer->n_links < rc_watch_n_links(watch); answer->n_links++) {
        const struct rc_watch_link_info *link = rc_watch_link(watch, answer->n_links);

        answer->links[answer->n_links] = (LINK){*link, rc_watch_host(watch, link->from)->name,
                                                rc_watch_host(watch, link->to)->name};
    }
    return 0;
}

void rc_answer_watch_free(WATCH *answer)
{
    free(answer->hosts);
    free(answer->links);
}
