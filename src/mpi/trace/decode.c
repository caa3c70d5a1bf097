// SPDX-License-Identifier: BSD-2-Clause
/* decode.c - the bytes of one block as calls and loops.  Nothing in them is trusted. */
#include "mpi/trace/decode.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* Sums of times and counts stay below this, so that two can be added. */
static const uint64_t sum_max = UINT64_MAX / 4;

struct decoder {
    struct rc_bytes_in in;
    struct rc_trace_content *content;
    bool no_memory;
};

/* Makes the array large enough for `more` items; false, and no more is read, where that fails. */
static bool make_room(struct decoder *decoder, void *items, size_t *room, size_t count, size_t more,
                      size_t size, size_t maximum)
{
    void **array = items, *grown;
    size_t wanted = *room > 0 ? *room : 64;

    if (more > maximum || count > maximum - more) {
        decoder->in.bad = true;
        return false;
    }
    if (count + more <= *room)
        return true;
    while (wanted < count + more)
        wanted *= 2;
    grown = realloc(*array, wanted * size);
    if (!grown) {
        decoder->no_memory = decoder->in.bad = true;
        return false;
    }
    *array = grown;
    *room = wanted;
    return true;
}

#define ROOM(decoder, what, more, maximum)                                                         \
    make_room(decoder, &(decoder)->content->what##s, &(decoder)->content->what##_room,             \
              (decoder)->content->what##_count, more, sizeof *(decoder)->content->what##s,         \
              maximum)

static void add_time(struct decoder *decoder, uint64_t time)
{
    if (time > sum_max - decoder->content->time)
        decoder->in.bad = true;
    else
        decoder->content->time += time;
}

/* ---- calls ---- */

static void get_message(struct rc_bytes_in *in, struct rc_trace_message *message)
{
    message->peer = rc_trace_get_signed(in);
    message->tag = rc_trace_get_signed(in);
    message->count = rc_trace_get_small(in);
    message->size = (uint32_t)rc_trace_get_up_to(in, UINT32_MAX);
}

static void get_list(struct decoder *decoder, struct rc_trace_call *call)
{
    struct rc_trace_content *content = decoder->content;
    uint32_t length = (uint32_t)rc_trace_get_up_to(&decoder->in, RC_TRACE_LIST_MAX);

    if (length == 0 || !ROOM(decoder, list, length, RC_TRACE_PAYLOAD_MAX)) {
        decoder->in.bad = true;
        return;
    }
    for (uint32_t i = 0; i < length && !decoder->in.bad; i++)
        content->lists[content->list_count++] = rc_trace_get_signed(&decoder->in);
    call->list_length = length;
}

static void get_call(struct decoder *decoder)
{
    struct rc_bytes_in *in = &decoder->in;
    struct rc_trace_call call =
        RC_TRACE_CALL_INIT((unsigned)rc_trace_get_up_to(in, RC_TRACE_KIND_MAX));
    unsigned fields = (unsigned)rc_trace_get_up_to(in, RC_TRACE_HAS_ALL);

    if (fields & RC_TRACE_HAS_FLAGS)
        call.flags = (unsigned)rc_trace_get_up_to(in, RC_TRACE_FLAGS);
    if (fields & RC_TRACE_HAS_COMMUNICATOR)
        call.communicator = rc_trace_get_signed(in);
    if (fields & RC_TRACE_HAS_ROOT)
        call.root = rc_trace_get_signed(in);
    if (fields & RC_TRACE_HAS_REQUEST)
        call.request = rc_trace_get_signed(in);
    if (fields & RC_TRACE_HAS_LIST)
        get_list(decoder, &call);
    if (fields & RC_TRACE_HAS_MESSAGE)
        get_message(in, &call.message);
    if (fields & RC_TRACE_HAS_FROM)
        get_message(in, &call.from);
    if (!in->bad && ROOM(decoder, call, 1, RC_TRACE_NODES_MAX))
        decoder->content->calls[decoder->content->call_count++] = call;
}

/* ---- times ---- */

static void get_samples(struct decoder *decoder, struct rc_trace_node *node)
{
    struct rc_trace_content *content = decoder->content;
    struct rc_trace_sample *sample;

    if (!ROOM(decoder, sample, RC_TRACE_SAMPLES, RC_TRACE_PAYLOAD_MAX))
        return;
    node->times = (uint32_t)content->sample_count;
    for (uint64_t i = 0; i < node->n; i++) {
        sample = &content->samples[content->sample_count++];
        sample->before = rc_trace_get_up_to(&decoder->in, sum_max);
        sample->inside = rc_trace_get_up_to(&decoder->in, RC_TRACE_TIME_MAX);
        sample->also_for = 0;
        sample->cpu = (int64_t)rc_trace_get_up_to(&decoder->in, sum_max) - 1;
        add_time(decoder, sample->before);
        add_time(decoder, sample->inside);
    }
}

static void get_bins(struct rc_bytes_in *in, struct rc_trace_statistic *statistic)
{
    uint64_t used = rc_trace_get_up_to(in, RC_TRACE_BINS), bin = rc_trace_bin(statistic->least);
    uint64_t sum = 0, count;

    for (uint64_t i = 0; i < used && !in->bad; i++) {
        bin += rc_trace_get_up_to(in, RC_TRACE_BINS);
        count = rc_trace_get_up_to(in, UINT32_MAX);
        sum += count;
        if (bin > rc_trace_bin(statistic->most) || count == 0 || sum > statistic->n) {
            in->bad = true;
            return;
        }
        statistic->bins[bin++] = (uint32_t)count;
    }
}

/* n is known. */
static void get_statistic(struct decoder *decoder, struct rc_trace_statistic *statistic)
{
    struct rc_bytes_in *in = &decoder->in;
    uint64_t n = statistic->n, range, extra = 0;
    double variance = 0;

    statistic->least = rc_trace_get_up_to(in, sum_max / n);
    range = rc_trace_get_up_to(in, sum_max);
    statistic->most = statistic->least + range;
    memset(statistic->bins, 0, sizeof statistic->bins);
    if (range > 0) {
        extra = rc_trace_get_up_to(in, sum_max);
        variance = rc_trace_get_double(in);
        if (!isfinite(variance) || variance < 0 || (double)extra > (double)n * (double)range)
            in->bad = true;
        get_bins(in, statistic);
    } else {
        statistic->bins[rc_trace_bin(statistic->least)] = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    }
    statistic->sum = n * statistic->least + extra;
    statistic->shift = rc_trace_statistic_mean(statistic);
    statistic->squares = in->bad ? 0 : variance * (double)(n - 1);
}

static void get_times(struct decoder *decoder, struct rc_trace_node *node)
{
    struct rc_trace_content *content = decoder->content;
    struct rc_trace_times *times;

    if (!ROOM(decoder, time, 1, RC_TRACE_TIMES_MAX))
        return;
    node->times = (uint32_t)content->time_count;
    times = &content->times[content->time_count++];
    times->before.n = times->inside.n = node->n;
    get_statistic(decoder, &times->before);
    get_statistic(decoder, &times->inside);
    times->cpu.n = rc_trace_get_up_to(&decoder->in, node->n);
    if (times->cpu.n > 0)
        get_statistic(decoder, &times->cpu);
    add_time(decoder, times->before.sum);
    add_time(decoder, times->inside.sum);
}

/* ---- nodes ---- */

static void get_node(struct decoder *decoder, uint64_t n, unsigned depth);

static void get_loop(struct decoder *decoder, struct rc_trace_node *node, unsigned depth)
{
    struct rc_trace_content *content = decoder->content;
    size_t number;

    node->count = rc_trace_get_small(&decoder->in);
    if (node->count < 2 || node->count > sum_max / node->n || node->length == 0 ||
        depth >= RC_TRACE_DEPTH_MAX)
        decoder->in.bad = true;
    if (decoder->in.bad || !ROOM(decoder, node, 1, RC_TRACE_NODES_MAX))
        return;
    number = content->node_count++;
    content->nodes[number] = *node;
    for (uint32_t i = 0; i < node->length && !decoder->in.bad; i++)
        get_node(decoder, node->n * node->count, depth + 1);
    content->nodes[number].end = (uint32_t)content->node_count;
}

static void get_node(struct decoder *decoder, uint64_t n, unsigned depth)
{
    struct rc_trace_content *content = decoder->content;
    uint64_t tag = rc_trace_get_up_to(&decoder->in, 2 * RC_TRACE_NODES_MAX + 1);
    struct rc_trace_node node = {.n = n};

    if (tag & 1) {
        node.length = (uint32_t)(tag >> 1);
        get_loop(decoder, &node, depth);
        return;
    }
    node.symbol = (uint32_t)(tag >> 1);
    if (node.symbol == content->call_count)
        get_call(decoder);
    if (node.symbol >= content->call_count || n > sum_max - content->total ||
        !ROOM(decoder, node, 1, RC_TRACE_NODES_MAX)) {
        decoder->in.bad = true;
        return;
    }
    if (n <= RC_TRACE_SAMPLES)
        get_samples(decoder, &node);
    else
        get_times(decoder, &node);
    content->total += n;
    node.end = (uint32_t)content->node_count + 1;
    content->nodes[content->node_count++] = node;
}

int rc_trace_decode(const uint8_t *payload, size_t length, struct rc_trace_content *content,
                    struct rc_error *error)
{
    struct decoder decoder = {.in = {.at = payload, .end = payload + length}, .content = content};
    size_t list = 0;

    content->node_count = content->call_count = content->list_count = 0;
    content->sample_count = content->time_count = 0;
    content->total = content->time = 0;
    while (!decoder.in.bad && decoder.in.at < decoder.in.end)
        get_node(&decoder, 1, 0);
    if (decoder.no_memory)
        return rc_error_no_memory(error);
    if (decoder.in.bad)
        return rc_error_set(error, "invalid content");
    /* Only now: the lists have moved while they grew. */
    for (size_t i = 0; i < content->call_count; i++)
        if (content->calls[i].list_length > 0) {
            content->calls[i].list = content->lists + list;
            list += content->calls[i].list_length;
        }
    return 0;
}

void rc_trace_content_free(struct rc_trace_content *content)
{
    free(content->nodes);
    free(content->calls);
    free(content->lists);
    free(content->samples);
    free(content->times);
    memset(content, 0, sizeof *content);
}
