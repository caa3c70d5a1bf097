// SPDX-License-Identifier: BSD-2-Clause
/* rank_outline.c - when a rank did what, without unfolding its loops. */
#include "mpi/trace/rank_outline.h"

#include <stdlib.h>
#include <string.h>

/* What may be computed after the closing wait, as a part of the rank's time. */
static const double AFTERWARDS = 0.01;

void rc_trace_outline_init(struct rc_outline *outline)
{
    memset(outline, 0, sizeof *outline);
    rc_trace_timeline_init(&outline->timeline);
}

void rc_trace_outline_free(struct rc_outline *outline)
{
    free(outline->nodes);
    outline->nodes = NULL;
}

/* ---- what is outermost, as nodes ---- */

static struct rc_outline_node *add_node(struct rc_outline *outline)
{
    struct rc_outline_node *more;
    uint32_t room;

    if (outline->n == outline->room) {
        room = outline->room > 0 ? 2 * outline->room : 64;
        more = realloc(outline->nodes, room * sizeof *more);
        if (!more) {
            outline->failed = true;
            return NULL;
        }
        outline->nodes = more;
        outline->room = room;
    }
    more = &outline->nodes[outline->n++];
    memset(more, 0, sizeof *more);
    more->end = outline->n;
    return more;
}

static double length_of(const double times[RC_DOINGS])
{
    double length = 0;

    for (int i = 0; i < RC_DOINGS; i++)
        length += times[i];
    return length;
}

/* ---- the time line ---- */

static void spread_call(struct rc_outline *outline, const struct rc_outline_node *node,
                        double start)
{
    double computing[RC_DOINGS] = {[RC_DOING_COMPUTING] = node->before};
    double inside[RC_DOINGS];

    memcpy(inside, node->times, sizeof inside);
    inside[RC_DOING_COMPUTING] = 0;
    rc_trace_timeline_add(&outline->timeline, start, node->before, computing);
    rc_trace_timeline_add(&outline->timeline, start + node->before, length_of(inside), inside);
}

static void spread(struct rc_outline *outline, uint32_t number, double start)
{
    const struct rc_outline_node *node = &outline->nodes[number];
    double length = length_of(node->times);

    if (node->count == 0 && length > outline->timeline.width) {
        spread_call(outline, node, start);
        return;
    }
    if (node->count == 0 || length / (double)node->count <= outline->timeline.width) {
        rc_trace_timeline_add(&outline->timeline, start, length, node->times);
        return;
    }
    for (uint64_t round = 0; round < node->count; round++)
        for (uint32_t i = number + 1; i < node->end; i = outline->nodes[i].end) {
            spread(outline, i, start);
            start += length_of(outline->nodes[i].times);
        }
}

/* ---- calls that may be the closing wait ---- */

static void note(struct rc_outline *outline, const struct rc_outline_node *node, double end,
                 double computed)
{
    double inside = length_of(node->last) - node->last[RC_DOING_COMPUTING];

    if (node->waits)
        outline->closings[outline->n_closings++ % RC_CLOSINGS] = (struct rc_closing){
            .start = end - inside, .length = inside, .computed = computed, .kind = node->kind};
}

/* Those in the last round of a node that ends at `end`, with so much computed until then. */
static void note_last(struct rc_outline *outline, uint32_t number, double end, double computed)
{
    const struct rc_outline_node *node = &outline->nodes[number], *child;

    if (node->count == 0) {
        note(outline, node, end, computed);
        return;
    }
    end -= length_of(node->last);
    computed -= node->last[RC_DOING_COMPUTING];
    for (uint32_t i = number + 1; i < node->end; i = child->end) {
        const double *times;

        child = &outline->nodes[i];
        times = child->count > 0 ? child->times : child->last;
        end += length_of(times);
        computed += times[RC_DOING_COMPUTING];
        note_last(outline, i, end, computed);
    }
}

/* An outermost call or loop is complete. */
static void take(struct rc_outline *outline)
{
    double length = length_of(outline->nodes[0].times);

    rc_trace_timeline_reach(&outline->timeline, outline->start + length);
    spread(outline, 0, outline->start);
    outline->computed += outline->nodes[0].times[RC_DOING_COMPUTING];
    outline->end = outline->start + length;
    note_last(outline, 0, outline->end, outline->computed);
    outline->n = 0;
}

/* ---- the walk ---- */

void rc_trace_outline_call(struct rc_outline *outline, const struct rc_trace_position *position,
                           bool waits)
{
    double n = (double)position->n;
    bool first = outline->n == outline->depth; /* nothing but loops that have just begun */
    struct rc_outline_node *node = outline->failed ? NULL : add_node(outline);

    if (!node)
        return;
    node->kind = position->call->kind;
    node->waits = waits;
    node->before = (double)position->times->before.sum / n;
    node->times[rc_trace_doing_of(node->kind)] = (double)position->times->inside.sum / n;
    node->times[RC_DOING_COMPUTING] = node->before;
    memcpy(node->last, node->times, sizeof node->last);
    if (position->samples) {
        node->last[rc_trace_doing_of(node->kind)] =
            (double)position->samples[position->n - 1].inside;
        node->last[RC_DOING_COMPUTING] = (double)position->samples[position->n - 1].before;
    }
    if (first)
        outline->start = (double)position->time;
    if (outline->depth == 0)
        take(outline);
}

void rc_trace_outline_loop_begin(struct rc_outline *outline, uint64_t count)
{
    struct rc_outline_node *node = outline->failed ? NULL : add_node(outline);

    outline->failed |= outline->depth >= RC_OUTLINE_DEPTH;
    if (!node || outline->failed)
        return;
    node->count = count;
    outline->open[outline->depth++] = outline->n - 1;
}

void rc_trace_outline_loop_end(struct rc_outline *outline)
{
    struct rc_outline_node *node;
    uint32_t number;

    if (outline->failed || outline->depth == 0)
        return;
    number = outline->open[--outline->depth];
    node = &outline->nodes[number];
    node->end = outline->n;
    for (uint32_t i = number + 1; i < node->end; i = outline->nodes[i].end)
        for (int j = 0; j < RC_DOINGS; j++) {
            const struct rc_outline_node *child = &outline->nodes[i];

            node->times[j] += (double)node->count * child->times[j];
            node->last[j] += child->count > 0 ? child->times[j] : child->last[j];
        }
    if (outline->depth == 0)
        take(outline);
}

/* ---- the answer ---- */

struct rc_closing rc_trace_outline_closing(const struct rc_outline *outline)
{
    struct rc_closing best = {.start = outline->end, .computed = outline->computed};
    uint64_t n = outline->n_closings < RC_CLOSINGS ? outline->n_closings : RC_CLOSINGS;

    best.kind = RC_TRACE_KIND_COUNT;
    for (uint64_t i = 0; i < n; i++) {
        const struct rc_closing *closing = &outline->closings[i];

        if (outline->computed - closing->computed <= AFTERWARDS * outline->end &&
            closing->length > best.length)
            best = *closing;
    }
    return best;
}
