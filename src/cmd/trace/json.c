// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_json.c - what is known of a trace, for programs to read. */
#include <math.h>
#include <stdlib.h>

#include "cmd/trace/trace.h"

static json_t *count_json(uint64_t count)
{
    return count <= INT64_MAX ? json_integer((json_int_t)count) : json_real((double)count);
}

static json_t *kinds_json(const struct rc_profile_rank *rank)
{
    json_t *list = json_array();
    unsigned kinds[RC_PROFILE_KINDS];
    size_t n = rc_trace_profile_kinds(rank, kinds);

    for (size_t i = 0; i < n; i++) {
        const struct rc_profile_kind *kind = &rank->kinds[kinds[i]];
        json_t *object = json_object();

        rc_json_set(object, "call", rc_json_text(rc_trace_profile_kind_name(kinds[i])));
        rc_json_set(object, "calls", count_json(kind->calls));
        rc_json_set(object, "seconds", rc_json_number(kind->seconds));
        rc_json_set(object, "bytes", rc_json_number(kind->bytes));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *sizes_json(const struct rc_profile_rank *rank)
{
    json_t *list = json_array();

    for (int i = 0; i < RC_TRAFFIC_SIZES; i++) {
        json_t *object;

        if (rank->sent[i].messages == 0 && rank->given[i].messages == 0)
            continue;
        object = json_object();
        rc_json_set(object, "least", rc_json_number(i > 0 ? ldexp(1, i - 1) : 0));
        rc_json_set(object, "below", rc_json_number(ldexp(1, i)));
        rc_json_set(object, "messages", count_json(rank->sent[i].messages));
        rc_json_set(object, "bytes", rc_json_number(rank->sent[i].bytes));
        rc_json_set(object, "collective_calls", count_json(rank->given[i].messages));
        rc_json_set(object, "collective_bytes", rc_json_number(rank->given[i].bytes));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *line_json(const struct rc_profile_rank *rank)
{
    json_t *list = json_array();

    for (int i = 0; i < RC_PROFILE_BINS; i++) {
        double parts[RC_DOINGS];
        bool known = rc_trace_profile_line(rank, i, i + 1, parts);

        json_array_append_new(list, known ? rc_json_number(
                                                round(parts[RC_DOING_COMMUNICATING] * 1e4) / 1e4)
                                          : json_null());
    }
    return list;
}

static void set_times(json_t *object, const struct rc_profile_rank *rank)
{
    rc_json_set(object, "computing", rc_json_number(rank->computing));
    rc_json_set(object, "communicating", rc_json_number(rank->communicating));
    rc_json_set(object, "files", rc_json_number(rank->files));
    rc_json_set(object, "other", rc_json_number(rank->other));
    rc_json_set(object, "share", rc_json_number(rc_trace_profile_share(rank)));
    rc_json_set(object, "cpu", rc_json_number(rank->cpu));
    rc_json_set(object, "cpu_measured_over", rc_json_number(rank->measured));
    rc_json_set(object, "calls", count_json(rank->calls));
}

static json_t *rank_json(const struct rc_profile *profile, uint32_t number, bool alone)
{
    const struct rc_profile_rank *rank = &profile->ranks[number];
    const struct rc_trace_set_file *file = rc_trace_set_rank(profile->set, number);
    json_t *object = json_object();

    rc_json_set(object, "rank", json_integer(number));
    rc_json_set(object, "host",
                file && file->has_header ? rc_json_text(file->header.host) : json_null());
    rc_json_set(object, "begins", rc_json_number(rank->begins));
    rc_json_set(object, "seconds", rc_json_number(rank->length));
    set_times(object, rank);
    rc_json_set(object, "ready", rc_json_number(rank->closing));
    rc_json_set(object, "closing_wait", rc_json_number(rank->waited));
    rc_json_set(object, "closing_call",
                rank->closing_kind < 0
                    ? json_null()
                    : rc_json_text(rc_trace_profile_kind_name((unsigned)rank->closing_kind)));
    rc_json_set(object, "line", line_json(rank));
    if (!alone)
        rc_json_set(object, "kinds", kinds_json(rank));
    return object;
}

static json_t *links_json(const struct rc_profile *profile, int64_t wanted)
{
    size_t n;
    struct rc_profile_link *links = rc_trace_profile_links(profile, &n);
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        const struct rc_profile_link *link = &links[i];
        json_t *object;

        if (wanted >= 0 && wanted != (int64_t)link->from && wanted != (int64_t)link->to)
            continue;
        object = json_object();
        rc_json_set(object, "from", json_integer(link->from));
        rc_json_set(object, "to", json_integer(link->to));
        rc_json_set(object, "messages", count_json(link->messages));
        rc_json_set(object, "bytes", rc_json_number(link->bytes));
        rc_json_set(object, "collective_bytes", rc_json_number(link->collective));
        json_array_append_new(list, object);
    }
    free(links);
    return list;
}

static void set_about(json_t *object, const struct rc_trace_set *set)
{
    char *hosts = rc_cmd_trace_hosts(set);

    rc_json_set(object, "directory", rc_json_text(set->directory));
    rc_json_set(object, "command",
                set->about.command ? rc_json_text(set->about.command) : json_null());
    rc_json_set(object, "ranks", json_integer(set->ranks));
    rc_json_set(object, "hosts", hosts ? rc_json_text(hosts) : json_null());
    rc_json_set(object, "began",
                set->earliest < UINT64_MAX ? rc_json_number((double)set->earliest * 1e-9)
                                           : json_null());
    free(hosts);
}

void rc_cmd_trace_json(const struct rc_profile *profile, int64_t rank)
{
    const struct rc_profile_rank *shown = rank < 0 ? &profile->total : &profile->ranks[rank];
    json_t *object = json_object(), *ranks = json_array();

    set_about(object, profile->set);
    rc_json_set(object, "whole", json_boolean(profile->whole));
    rc_json_set(object, "seconds", rc_json_number(profile->length));
    rc_json_set(object, "imbalance", rc_json_number(profile->imbalance));
    set_times(object, shown);
    for (uint32_t i = 0; i < profile->n_ranks; i++)
        if (profile->ranks[i].there && (rank < 0 || rank == (int64_t)i))
            json_array_append_new(ranks, rank_json(profile, i, rank >= 0));
    rc_json_set(object, "by_rank", ranks);
    rc_json_set(object, "kinds", kinds_json(shown));
    rc_json_set(object, "sizes", sizes_json(shown));
    rc_json_set(object, "links", links_json(profile, rank));
    rc_json_write(stdout, object, true);
    json_decref(object);
}
