// SPDX-License-Identifier: BSD-2-Clause
/* encode.c - a folded string of calls as the bytes of blocks.
 *
 * A block is complete in itself: it has all its calls, each where it first occurs. */
#include "mpi/trace/encode.h"

#include "mpi/trace/format.h"

void rc_trace_encoder_begin(struct rc_trace_encoder *encoder)
{
    encoder->out.length = 0;
    encoder->out.full = false;
    encoder->stamp++;
    encoder->symbol_count = 0;
    encoder->calls = encoder->time = 0;
}

static bool is_there(const struct rc_trace_message *message)
{
    return message->count != 0 || message->size != 0 || message->peer != RC_TRACE_NONE ||
           message->tag != RC_TRACE_NONE;
}

static void put_message(struct rc_bytes_out *out, const struct rc_trace_message *message)
{
    rc_trace_put_signed(out, message->peer);
    rc_trace_put_signed(out, message->tag);
    rc_trace_put_small(out, message->count);
    rc_trace_put_small(out, message->size);
}

static unsigned fields_of(const struct rc_trace_call *call)
{
    return (call->flags != 0 ? RC_TRACE_HAS_FLAGS : 0u) |
           (call->communicator != 0 ? RC_TRACE_HAS_COMMUNICATOR : 0u) |
           (call->root != RC_TRACE_NONE ? RC_TRACE_HAS_ROOT : 0u) |
           (call->request != RC_TRACE_NONE ? RC_TRACE_HAS_REQUEST : 0u) |
           (call->list_length > 0 ? RC_TRACE_HAS_LIST : 0u) |
           (is_there(&call->message) ? RC_TRACE_HAS_MESSAGE : 0u) |
           (is_there(&call->from) ? RC_TRACE_HAS_FROM : 0u);
}

static void put_call(struct rc_bytes_out *out, const struct rc_trace_call *call)
{
    unsigned fields = fields_of(call);

    rc_trace_put_small(out, call->kind);
    rc_trace_put_small(out, fields);
    if (fields & RC_TRACE_HAS_FLAGS)
        rc_trace_put_small(out, call->flags);
    if (fields & RC_TRACE_HAS_COMMUNICATOR)
        rc_trace_put_signed(out, call->communicator);
    if (fields & RC_TRACE_HAS_ROOT)
        rc_trace_put_signed(out, call->root);
    if (fields & RC_TRACE_HAS_REQUEST)
        rc_trace_put_signed(out, call->request);
    if (fields & RC_TRACE_HAS_LIST) {
        rc_trace_put_small(out, call->list_length);
        for (uint32_t i = 0; i < call->list_length; i++)
            rc_trace_put_signed(out, call->list[i]);
    }
    if (fields & RC_TRACE_HAS_MESSAGE)
        put_message(out, &call->message);
    if (fields & RC_TRACE_HAS_FROM)
        put_message(out, &call->from);
}

static void put_bins(struct rc_bytes_out *out, const struct rc_trace_statistic *statistic)
{
    unsigned first = rc_trace_bin(statistic->least), last = rc_trace_bin(statistic->most);
    unsigned used = 0, next = first;

    for (unsigned i = first; i <= last; i++)
        used += statistic->bins[i] > 0;
    rc_trace_put_small(out, used);
    for (unsigned i = first; i <= last; i++)
        if (statistic->bins[i] > 0) {
            rc_trace_put_small(out, i - next);
            rc_trace_put_small(out, statistic->bins[i]);
            next = i + 1;
        }
}

static void put_statistic(struct rc_trace_encoder *encoder,
                          const struct rc_trace_statistic *statistic)
{
    struct rc_bytes_out *out = &encoder->out;

    rc_trace_put_small(out, statistic->least);
    rc_trace_put_small(out, statistic->most - statistic->least);
    if (statistic->most == statistic->least)
        return;
    rc_trace_put_small(out, statistic->sum - statistic->n * statistic->least);
    rc_trace_put_double(out, rc_trace_statistic_variance(statistic));
    if (encoder->without_bins)
        rc_trace_put_small(out, 0);
    else
        put_bins(out, statistic);
}

static void put_times(struct rc_trace_encoder *encoder, const struct rc_trace_times *times)
{
    struct rc_trace_statistic cpu = times->cpu;

    put_statistic(encoder, &times->before);
    put_statistic(encoder, &times->inside);
    /* Some may stand for others that were at another position. */
    if (cpu.n > times->before.n)
        rc_trace_statistic_limit(&cpu, times->before.n);
    rc_trace_put_small(&encoder->out, cpu.n);
    if (cpu.n > 0)
        put_statistic(encoder, &cpu);
    encoder->time += times->before.sum + times->inside.sum;
}

static void put_samples(struct rc_trace_encoder *encoder, const struct rc_trace_sample *samples,
                        uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        rc_trace_put_small(&encoder->out, samples[i].before);
        rc_trace_put_small(&encoder->out, samples[i].inside);
        rc_trace_put_small(&encoder->out, (uint64_t)(samples[i].cpu + 1));
        encoder->time += samples[i].before + samples[i].inside;
    }
}

static void put_symbol(struct rc_trace_encoder *encoder, uint32_t number)
{
    struct rc_trace_symbol *symbol = &encoder->symbols->items[number];
    struct rc_trace_call call;

    if (symbol->block == encoder->stamp) {
        rc_trace_put_small(&encoder->out, (uint64_t)symbol->number << 1);
        return;
    }
    symbol->block = encoder->stamp;
    symbol->number = encoder->symbol_count++;
    rc_trace_put_small(&encoder->out, (uint64_t)symbol->number << 1);
    rc_trace_symbols_call(encoder->symbols, number, &call);
    put_call(&encoder->out, &call);
}

static void put_node(struct rc_trace_encoder *encoder, const struct rc_fold_node *node,
                     uint64_t repetitions)
{
    const struct rc_trace_fold *fold = encoder->fold;

    if (node->depth > 0) {
        rc_trace_put_small(&encoder->out, (uint64_t)node->loop.length << 1 | 1);
        rc_trace_put_small(&encoder->out, node->count);
        for (uint32_t child = node->loop.first; child > 0 && !encoder->out.full;
             child = fold->nodes[child].next)
            put_node(encoder, &fold->nodes[child], repetitions * node->count);
        return;
    }
    put_symbol(encoder, node->call.symbol);
    if (node->call.n == RC_FOLD_MANY)
        put_times(encoder, &fold->times[node->call.kept]);
    else if (node->call.n == 1)
        put_samples(encoder, &node->call.one, 1);
    else
        put_samples(encoder, fold->samples[node->call.kept].items, node->call.n);
    encoder->calls += repetitions;
}

int rc_trace_encoder_add(struct rc_trace_encoder *encoder, uint32_t node)
{
    size_t length = encoder->out.length;
    uint64_t calls = encoder->calls, time = encoder->time;

    put_node(encoder, &encoder->fold->nodes[node], 1);
    if (!encoder->out.full)
        return 0;
    encoder->out.length = length;
    encoder->calls = calls;
    encoder->time = time;
    return -1;
}
