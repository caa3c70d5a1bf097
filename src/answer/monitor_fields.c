// SPDX-License-Identifier: GPL-3.0-or-later
/* monitor_fields.c - the fields of samples, and of monitored hosts and links. */
#include "answer/monitor_fields.h"

#include <math.h>
#include <stdlib.h>

/* ---- samples of this host ---- */

#define SAMPLE struct rc_sense_sample
const struct rc_field rc_answer_monitor_sample[] = {
    {RC_FIELD(SAMPLE, TIME, time), .key = "time"},
    {RC_FIELD(SAMPLE, NUMBER, cpu), .key = "cpu"},
    {RC_FIELD(SAMPLE, NUMBER, memory), .key = "memory_bytes"},
    {RC_FIELD(SAMPLE, NUMBER, load1), .key = "load1"},
    {RC_FIELD(SAMPLE, NUMBER, load5), .key = "load5"},
    {RC_FIELD(SAMPLE, NUMBER, load15), .key = "load15"},
    {RC_FIELD(SAMPLE, NUMBER, in), .key = "in_bytes_per_s"},
    {RC_FIELD(SAMPLE, NUMBER, out), .key = "out_bytes_per_s"},
    RC_FIELDS_END};

/* ---- hosts ---- */

#define HOST struct rc_answer_monitor_host
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

/* Why it is lost.  A table omits the reason of a host that is back. */
static void reason_text(const void *host, char *text, size_t size)
{
    const HOST *it = host;

    snprintf(text, size, "%s", it->info.state == RC_WATCH_LOST ? it->info.reason : "");
}

const struct rc_field rc_answer_monitor_host[] = {
    {RC_FIELD(HOST, TEXT, info.name), .key = "host", .title = "host"},
    {.kind = RC_AS_COMPUTED,
     .key = "state",
     .title = "state",
     .type = "string",
     .json = state_json,
     .text = state_text},
    {RC_FIELD(HOST, CHARS, info.reason), .key = "reason"},
    {RC_FIELD(HOST, INT, info.cores), .key = "core_count", .zero_is_null = true},
    {RC_FIELD(HOST, UINT64, info.messages), .key = "messages"},
    {RC_FIELD(HOST, NUMBER, info.cpu), .title = "CPU availability", .digits = 2},
    {RC_FIELD(HOST, BYTES, info.memory), .title = "memory"},
    {RC_FIELD(HOST, SECONDS, age), .title = "age"},
    {RC_FIELD(HOST, SECONDS, info.offset), .title = "clock offset"},
    {RC_FIELD(HOST, UINT64, info.samples), .key = "sample_count", .title = "samples"},
    {RC_FIELD(HOST, UINT64, info.losses), .key = "losses", .title = "losses"},
    {RC_FIELD(HOST, UINT64, info.faults), .key = "invalid_lines"},
    {RC_FIELD(HOST, TIME, info.heard), .key = "last_sample"},
    {RC_FIELD(HOST, NUMBER, info.cpu), .key = "cpu_availability"},
    {RC_FIELD(HOST, NUMBER, info.memory), .key = "available_memory_bytes"},
    {RC_FIELD(HOST, NUMBER, info.offset), .key = "clock_offset_s"},
    {RC_FIELD(HOST, NUMBER, info.round_trip), .key = "round_trip_s"},
    {RC_FIELD(HOST, NUMBER, info.drift), .key = "clock_drift"},
    {.kind = RC_AS_COMPUTED, .title = "note", .text = reason_text},
    RC_FIELDS_END};

HOST rc_answer_monitor_host_make(const struct rc_watch_host *host, double now)
{
    double age = now - host->heard;

    return (HOST){*host, isnan(age) ? age : fmax(0, round(age))};
}

/* ---- links ---- */

#define LINK struct rc_answer_monitor_link
static void link_text(const void *link, char *text, size_t size)
{
    snprintf(text, size, "%s:%s", ((const LINK *)link)->from, ((const LINK *)link)->to);
}

const struct rc_field rc_answer_monitor_link[] = {
    {.kind = RC_AS_COMPUTED, .title = "link", .text = link_text},
    {RC_FIELD(LINK, TEXT, from), .key = "from"},
    {RC_FIELD(LINK, TEXT, to), .key = "to"},
    {RC_FIELD(LINK, UINT64, info.probes), .key = "probes", .title = "probes"},
    {RC_FIELD(LINK, UINT64, info.failures), .key = "failed_probes", .title = "failed"},
    {RC_FIELD(LINK, UINT64, info.too_short), .key = "short_probes", .title = "too short"},
    {RC_FIELD(LINK, NUMBER, info.interval), .key = "probe_interval_s"},
    {RC_FIELD(LINK, BYTES, info.bytes), .key = "sent_bytes", .title = "sent"},
    {RC_FIELD(LINK, RATE, info.bandwidth), .key = "bandwidth_bytes_per_s", .title = "bandwidth"},
    {RC_FIELD(LINK, SECONDS, info.latency), .key = "latency_s", .title = "latency"},
    {RC_FIELD(LINK, CHARS, info.reason), .key = "reason", .title = "note"},
    RC_FIELDS_END};

/* ---- the summary ---- */

#define MONITOR struct rc_answer_monitor
static json_t *lost_json(const void *monitor)
{
    const struct rc_watch_db_info *stored = &((const MONITOR *)monitor)->stored;

    return json_integer((json_int_t)(stored->dropped + stored->waiting));
}

const struct rc_field rc_answer_monitor[] = {
    {RC_FIELD(MONITOR, NUMBER, seconds), .key = "duration_s"},
    {RC_FIELD(MONITOR, BOOL, interrupted), .key = "interrupted"},
    {RC_FIELD(MONITOR, UINT64, stored.stored), .key = "samples_stored"},
    {RC_FIELD(MONITOR, SIZE, stored.series), .key = "series_count"},
    {RC_FIELD(MONITOR, UINT64, stored.known), .key = "samples_known"},
    {.kind = RC_AS_COMPUTED, .key = "samples_lost", .json = lost_json, .type = "integer"},
    {RC_FIELD_LIST_OF(MONITOR, hosts, n_hosts), .key = "hosts", .fields = rc_answer_monitor_host},
    {RC_FIELD_LIST_OF(MONITOR, links, n_links), .key = "links", .fields = rc_answer_monitor_link},
    {RC_FIELD(MONITOR, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

int rc_answer_monitor_make(MONITOR *answer, struct rc_watch *watch)
{
    double now = rc_watch_now(watch);

    answer->hosts = calloc(rc_watch_n_hosts(watch) + 1, sizeof *answer->hosts);
    answer->links = calloc(rc_watch_n_links(watch) + 1, sizeof *answer->links);
    if (!answer->hosts || !answer->links)
        return -1;
    for (; answer->n_hosts < rc_watch_n_hosts(watch); answer->n_hosts++)
        answer->hosts[answer->n_hosts] =
            rc_answer_monitor_host_make(rc_watch_host(watch, answer->n_hosts), now);
    for (; answer->n_links < rc_watch_n_links(watch); answer->n_links++) {
        const struct rc_watch_link_info *link = rc_watch_link(watch, answer->n_links);

        answer->links[answer->n_links] = (LINK){*link, rc_watch_host(watch, link->from)->name,
                                                rc_watch_host(watch, link->to)->name};
    }
    return 0;
}

void rc_answer_monitor_free(MONITOR *answer)
{
    free(answer->hosts);
    free(answer->links);
}
