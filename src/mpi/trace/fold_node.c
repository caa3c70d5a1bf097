// SPDX-License-Identifier: BSD-2-Clause
/* fold_node.c - nodes of a folded string: where they are kept, and two made one. */
#include "mpi/trace/loop_folding.h"

static uint32_t take(struct rc_fold_pool *pool)
{
    uint32_t number = pool->free;

    if (number == 0)
        return pool->used++;
    pool->free = pool->links[number];
    pool->free_count--;
    return number;
}

static void give_back(struct rc_fold_pool *pool, uint32_t number)
{
    pool->links[number] = pool->free;
    pool->free = number;
    pool->free_count++;
}

uint32_t rc_trace_fold_node_take(struct rc_trace_fold *fold)
{
    return take(&fold->node_pool);
}

/* Gives back where the times of a call are. */
static void forget_times(struct rc_trace_fold *fold, const struct rc_fold_node *call)
{
    if (call->call.n > 1)
        give_back(call->call.n == RC_FOLD_MANY ? &fold->time_pool : &fold->sample_pool,
                  call->call.kept);
}

void rc_trace_fold_node_free(struct rc_trace_fold *fold, uint32_t node)
{
    struct rc_fold_node *it = &fold->nodes[node];

    if (it->depth == 0)
        forget_times(fold, it);
    else
        for (uint32_t child = it->loop.first, next; child > 0; child = next) {
            next = fold->nodes[child].next;
            rc_trace_fold_node_free(fold, child);
        }
    give_back(&fold->node_pool, node);
}

bool rc_trace_fold_node_same(const struct rc_trace_fold *fold, uint32_t a, uint32_t b)
{
    const struct rc_fold_node *x = &fold->nodes[a], *y = &fold->nodes[b];

    if (x->id != y->id || x->depth != y->depth)
        return false;
    if (x->depth == 0)
        return x->call.symbol == y->call.symbol;
    if (x->count != y->count || x->loop.length != y->loop.length)
        return false;
    a = x->loop.first;
    b = y->loop.first;
    for (; a > 0 && rc_trace_fold_node_same(fold, a, b); b = fold->nodes[b].next)
        a = fold->nodes[a].next;
    return a == 0;
}

/* ---- times ---- */

static const struct rc_trace_sample *samples_of(const struct rc_trace_fold *fold,
                                                const struct rc_fold_node *call)
{
    return call->call.n == 1 ? &call->call.one : fold->samples[call->call.kept].items;
}

static void add_to_times(struct rc_trace_times *times, const struct rc_trace_sample *sample)
{
    rc_trace_statistic_add(&times->before, sample->before);
    rc_trace_statistic_add(&times->inside, sample->inside);
    if (sample->cpu >= 0)
        rc_trace_statistic_add_times(&times->cpu, (uint64_t)sample->cpu, sample->also_for + 1u);
}

/* From samples to times. */
static void summarise(struct rc_trace_fold *fold, struct rc_fold_node *call)
{
    const struct rc_trace_sample *samples = samples_of(fold, call);
    uint32_t number = take(&fold->time_pool);
    struct rc_trace_times *times = &fold->times[number];

    times->before.n = times->inside.n = times->cpu.n = 0;
    for (uint32_t i = 0; i < call->call.n; i++)
        add_to_times(times, &samples[i]);
    forget_times(fold, call);
    call->call.n = RC_FOLD_MANY;
    call->call.kept = number;
}

void rc_trace_fold_node_add(struct rc_trace_fold *fold, struct rc_fold_node *call,
                            const struct rc_trace_sample *sample)
{
    if (call->call.n == RC_TRACE_SAMPLES)
        summarise(fold, call);
    if (call->call.n == RC_FOLD_MANY) {
        add_to_times(&fold->times[call->call.kept], sample);
        return;
    }
    if (call->call.n == 1) {
        call->call.kept = take(&fold->sample_pool);
        fold->samples[call->call.kept].items[0] = call->call.one;
    }
    fold->samples[call->call.kept].items[call->call.n++] = *sample;
}

static void merge_calls(struct rc_trace_fold *fold, struct rc_fold_node *call,
                        struct rc_fold_node *more)
{
    struct rc_trace_times *times, *others;
    const struct rc_trace_sample *samples;

    if (more->call.n == RC_FOLD_MANY) {
        if (call->call.n < RC_FOLD_MANY)
            summarise(fold, call);
        times = &fold->times[call->call.kept];
        others = &fold->times[more->call.kept];
        rc_trace_statistic_merge(&times->before, &others->before);
        rc_trace_statistic_merge(&times->inside, &others->inside);
        rc_trace_statistic_merge(&times->cpu, &others->cpu);
    } else {
        samples = samples_of(fold, more);
        for (uint32_t i = 0; i < more->call.n; i++)
            rc_trace_fold_node_add(fold, call, &samples[i]);
    }
    forget_times(fold, more);
}

void rc_trace_fold_node_merge(struct rc_trace_fold *fold, uint32_t node, uint32_t more)
{
    struct rc_fold_node *x = &fold->nodes[node], *y = &fold->nodes[more];

    if (x->depth == 0) {
        merge_calls(fold, x, y);
    } else {
        for (uint32_t a = x->loop.first, b = y->loop.first, next; a > 0; a = fold->nodes[a].next) {
            next = fold->nodes[b].next;
            rc_trace_fold_node_merge(fold, a, b);
            b = next;
        }
    }
    give_back(&fold->node_pool, more);
}
