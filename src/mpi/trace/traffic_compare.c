// SPDX-License-Identifier: BSD-2-Clause
/* traffic_compare.c - whether what the ranks of a trace did fits together. */
#include <inttypes.h>
#include <stdlib.h>

#include "mpi/trace/traffic_internal.h"

static int by_group_and_ranks(const void *a, const void *b)
{
    const struct rc_traffic_pair *one = a, *other = b;

    if (one->group != other->group)
        return one->group < other->group ? -1 : 1;
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->to < other->to ? -1 : one->to > other->to;
}

const struct rc_traffic_pair *rc_trace_traffic_pairs(struct rc_traffic *traffic, size_t *n)
{
    const struct rc_traffic_cell *cell;
    size_t i = 0;

    *n = HASH_COUNT(traffic->cells);
    free(traffic->sorted);
    traffic->sorted = malloc((*n + 1) * sizeof *traffic->sorted);
    if (!traffic->sorted) {
        *n = 0;
        return NULL;
    }
    for (cell = traffic->cells; cell; cell = cell->hh.next)
        traffic->sorted[i++] = cell->pair;
    qsort(traffic->sorted, *n, sizeof *traffic->sorted, by_group_and_ranks);
    return traffic->sorted;
}

static void compare_messages(struct rc_traffic *traffic, struct rc_faults *faults)
{
    size_t n;
    const struct rc_traffic_pair *pairs = rc_trace_traffic_pairs(traffic, &n);

    for (size_t i = 0; i < n; i++) {
        const struct rc_traffic_pair *pair = &pairs[i];

        if (pair->sent != pair->received)
            rc_trace_faults_add(faults,
                                "rank %" PRIu32 " sent %" PRIu64 " messages to rank %" PRIu32
                                ", which received %" PRIu64 "%s",
                                pair->from, pair->sent, pair->to, pair->received,
                                pair->group == RC_GROUP_WORLD
                                    ? ""
                                    : ", in a communicator of some ranks");
    }
}

static int by_key(const struct rc_traffic_together *a, const struct rc_traffic_together *b)
{
    if (a->key.group != b->key.group)
        return a->key.group < b->key.group ? -1 : 1;
    if (a->key.kind != b->key.kind)
        return a->key.kind < b->key.kind ? -1 : 1;
    return a->key.root < b->key.root ? -1 : a->key.root > b->key.root;
}

static void compare_calls(struct rc_traffic *traffic, struct rc_faults *faults)
{
    const struct rc_traffic_together *together;

    HASH_SORT(traffic->together, by_key);
    for (together = traffic->together; together; together = together->hh.next) {
        const struct rc_group *group = rc_trace_groups_get(traffic->groups, together->key.group);
        const char *name = rc_trace_kind_info((unsigned)together->key.kind)->name;
        uint32_t members = group->n + group->n_remote;

        if (together->other_n > 0)
            rc_trace_faults_add(faults,
                                "rank %" PRIu32 " called %s %" PRIu64 " times, and rank %" PRIu32
                                " %" PRIu64 " times, in a communicator of both",
                                together->first, name, together->n, together->other,
                                together->other_n);
        else if (together->seen < members)
            rc_trace_faults_add(faults,
                                "rank %" PRIu32 " called %s in a communicator of %" PRIu32
                                " ranks, and only %" PRIu32 " of them did",
                                together->first, name, members, together->seen);
    }
}

/* Why the ranks cannot be compared; NULL where they can. */
static const char *hindrance(const struct rc_traffic *traffic)
{
    if (traffic->ranks_added < traffic->ranks)
        return "ranks are missing";
    if (traffic->lost > 0)
        return "calls are missing";
    if (traffic->full)
        return "there are too many pairs of ranks";
    return NULL;
}

void rc_trace_traffic_compare(struct rc_traffic *traffic, struct rc_faults *faults,
                              struct rc_faults *notes)
{
    const char *why = hindrance(traffic);

    if (why) {
        rc_trace_faults_add(notes, "the calls of the ranks were not compared: %s", why);
        return;
    }
    if (traffic->failed > 0)
        rc_trace_faults_add(notes, "%" PRIu64 " calls failed: messages were not compared",
                            traffic->failed);
    else if (traffic->cancelled > 0)
        rc_trace_faults_add(notes,
                            "%" PRIu64 " requests were cancelled: messages were not compared",
                            traffic->cancelled);
    else if (traffic->unknown > 0)
        rc_trace_faults_add(notes,
                            "%" PRIu64 " messages have an unknown partner and were not compared",
                            traffic->unknown);
    else
        compare_messages(traffic, faults);
    if (traffic->apart > 0)
        rc_trace_faults_add(notes, "the participants of %" PRIu64 " collective calls are unknown",
                            traffic->apart);
    else if (traffic->failed == 0)
        compare_calls(traffic, faults);
}
