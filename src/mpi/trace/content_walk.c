// SPDX-License-Identifier: BSD-2-Clause
/* content_walk.c - over the content of one block: its loops and calls, or all calls one by one. */
#include "mpi/trace/content_walk.h"

#include <string.h>

/* ---- loops and calls ---- */

struct walker {
    const struct rc_trace_content *content;
    const struct rc_trace_visitor *visitor;
    uint64_t time;               /* at the beginning of what stands outermost */
    struct rc_trace_times times; /* of samples */
};

/* The times of a call, all of its samples together. */
static const struct rc_trace_times *times_of(struct walker *walker,
                                             const struct rc_trace_node *node)
{
    const struct rc_trace_sample *samples;

    if (node->n > RC_TRACE_SAMPLES)
        return &walker->content->times[node->times];
    samples = walker->content->samples + node->times;
    memset(&walker->times, 0, sizeof walker->times);
    for (uint64_t i = 0; i < node->n; i++) {
        rc_trace_statistic_add(&walker->times.before, samples[i].before);
        rc_trace_statistic_add(&walker->times.inside, samples[i].inside);
        if (samples[i].cpu >= 0)
            rc_trace_statistic_add(&walker->times.cpu, (uint64_t)samples[i].cpu);
    }
    return &walker->times;
}

/* `passed` is what this takes, all repetitions together. */
static int walk_call(struct walker *walker, const struct rc_trace_node *node, unsigned depth,
                     uint64_t *passed)
{
    struct rc_trace_position position = {.call = &walker->content->calls[node->symbol],
                                         .n = node->n,
                                         .depth = depth,
                                         .time = walker->time,
                                         .times = times_of(walker, node)};

    *passed += position.times->before.sum + position.times->inside.sum;
    if (node->n <= RC_TRACE_SAMPLES)
        position.samples = walker->content->samples + node->times;
    return walker->visitor->call ? walker->visitor->call(walker->visitor->data, &position) : 0;
}

static int walk_node(struct walker *walker, uint32_t number, unsigned depth, uint64_t *passed)
{
    const struct rc_trace_node *node = &walker->content->nodes[number];
    const struct rc_trace_visitor *visitor = walker->visitor;
    int status = 0;

    if (node->count == 0)
        return walk_call(walker, node, depth, passed);
    if (visitor->loop_begin)
        status = visitor->loop_begin(visitor->data, node->count, node->length);
    for (uint32_t i = number + 1; i < node->end && status == 0; i = walker->content->nodes[i].end)
        status = walk_node(walker, i, depth + 1, passed);
    return status == 0 && visitor->loop_end ? visitor->loop_end(visitor->data) : status;
}

int rc_trace_content_walk(const struct rc_trace_content *content, uint64_t time,
                          const struct rc_trace_visitor *visitor)
{
    struct walker walker = {.content = content, .visitor = visitor, .time = time};
    int status = 0;

    for (uint32_t i = 0; i < content->node_count && status == 0; i = content->nodes[i].end) {
        uint64_t passed = 0;

        status = walk_node(&walker, i, 0, &passed);
        walker.time += passed;
    }
    return status;
}

/* ---- all calls ---- */

struct expander {
    struct rc_trace_content *content;
    int (*visit)(void *data, const struct rc_trace_event *event);
    void *data;
    uint64_t time;
};

/* The share of number i of n in a sum: whole numbers that add up to it. */
static uint64_t share(uint64_t sum, uint64_t i, uint64_t n)
{
    return sum / n + (i < sum % n);
}

/* How many of the first i of n are among `some`, evenly spread. */
static uint64_t chosen(uint64_t some, uint64_t i, uint64_t n)
{
    __extension__ typedef unsigned __int128 wide;

    return (uint64_t)((wide)some * i / n);
}

static struct rc_trace_sample sample_of(const struct rc_trace_content *content,
                                        const struct rc_trace_node *node, uint64_t i)
{
    const struct rc_trace_times *times;
    struct rc_trace_sample sample;
    uint64_t measured;

    if (node->n <= RC_TRACE_SAMPLES)
        return content->samples[node->times + i];
    times = &content->times[node->times];
    sample.before = share(times->before.sum, i, node->n);
    sample.inside = share(times->inside.sum, i, node->n);
    sample.cpu = -1;
    if (times->cpu.n > 0) {
        measured = chosen(times->cpu.n, i, node->n);
        if (chosen(times->cpu.n, i + 1, node->n) > measured)
            sample.cpu = (int64_t)share(times->cpu.sum, measured, times->cpu.n);
    }
    return sample;
}

static int expand_node(struct expander *expander, uint32_t number)
{
    struct rc_trace_node *node = &expander->content->nodes[number];
    struct rc_trace_sample sample;
    struct rc_trace_event event;
    int status = 0;

    if (node->count == 0) {
        sample = sample_of(expander->content, node, node->made++);
        event.call = &expander->content->calls[node->symbol];
        event.before = sample.before;
        event.cpu = sample.cpu;
        event.start = expander->time + sample.before;
        event.end = expander->time = event.start + sample.inside;
        return expander->visit(expander->data, &event);
    }
    for (uint64_t round = 0; round < node->count && status == 0; round++)
        for (uint32_t i = number + 1; i < node->end && status == 0;
             i = expander->content->nodes[i].end)
            status = expand_node(expander, i);
    return status;
}

int rc_trace_content_expand(struct rc_trace_content *content, uint64_t time,
                            int (*visit)(void *data, const struct rc_trace_event *event),
                            void *data)
{
    struct expander expander = {.content = content, .visit = visit, .data = data, .time = time};
    int status = 0;

    for (uint32_t i = 0; i < content->node_count && status == 0; i = content->nodes[i].end)
        status = expand_node(&expander, i);
    return status;
}
