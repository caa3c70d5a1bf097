// SPDX-License-Identifier: BSD-2-Clause
/* call_table.c - a number for each different call: a hash table with open places, each found call
 * compared in full. */
#include "mpi/trace/call_table.h"

#include <string.h>

static uint64_t pair(int32_t low, int32_t high)
{
    return (uint32_t)low | (uint64_t)(uint32_t)high << 32;
}

static void pack(const struct rc_trace_call *call, uint64_t words[RC_TRACE_WORDS])
{
    words[0] = (call->kind & 0xffff) | (call->flags & 0xffff) << 16 |
               (uint64_t)(uint32_t)call->communicator << 32;
    words[1] = pair(call->message.peer, call->message.tag);
    words[2] = call->message.count;
    words[3] = pair((int32_t)call->message.size, call->root);
    words[4] = pair(call->from.peer, call->from.tag);
    words[5] = call->from.count;
    words[6] = pair((int32_t)call->from.size, call->request);
}

static int32_t low(uint64_t word)
{
    return (int32_t)(uint32_t)word;
}

static int32_t high(uint64_t word)
{
    return (int32_t)(uint32_t)(word >> 32);
}

void rc_trace_symbols_call(const struct rc_trace_symbols *symbols, uint32_t number,
                           struct rc_trace_call *call)
{
    const struct rc_trace_symbol *symbol = &symbols->items[number];
    const uint64_t *words = symbol->words;

    call->kind = words[0] & 0xffff;
    call->flags = words[0] >> 16 & 0xffff;
    call->communicator = high(words[0]);
    call->message.peer = low(words[1]);
    call->message.tag = high(words[1]);
    call->message.count = words[2];
    call->message.size = (uint32_t)low(words[3]);
    call->root = high(words[3]);
    call->from.peer = low(words[4]);
    call->from.tag = high(words[4]);
    call->from.count = words[5];
    call->from.size = (uint32_t)low(words[6]);
    call->request = high(words[6]);
    call->list_length = symbol->list_length;
    call->list = symbol->list_length > 0 ? symbols->lists + symbol->list : NULL;
}

static uint64_t hash_of(const uint64_t words[RC_TRACE_WORDS], const int32_t *list, uint32_t length)
{
    uint64_t hash = length;

    /* Each word is spread by an odd number of its own, so that a swap of two shows. */
    for (unsigned i = 0; i < RC_TRACE_WORDS; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (uint32_t)list[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
    return rc_trace_mix(hash);
}

static int is(const struct rc_trace_symbols *symbols, const struct rc_trace_symbol *symbol,
              const uint64_t words[RC_TRACE_WORDS], const int32_t *list, uint32_t length)
{
    uint64_t differences = symbol->list_length ^ length;

    for (unsigned i = 0; i < RC_TRACE_WORDS; i++)
        differences |= symbol->words[i] ^ words[i];
    return differences == 0 &&
           (length == 0 || memcmp(symbols->lists + symbol->list, list, length * sizeof *list) == 0);
}

unsigned rc_trace_symbols_slot_bits(uint32_t symbols)
{
    unsigned bits = 4;

    while (bits < 31 && 1u << bits < 2 * (uint64_t)symbols)
        bits++;
    return bits;
}

/* Remembers what came after the last one. */
static uint32_t follow(struct rc_trace_symbols *symbols, uint32_t number)
{
    symbols->items[symbols->last].next = number;
    symbols->last = number;
    return number;
}

int64_t rc_trace_symbols_find(struct rc_trace_symbols *symbols, const struct rc_trace_call *call)
{
    uint32_t length = call->list_length < RC_TRACE_LIST_MAX ? call->list_length : RC_TRACE_LIST_MAX;
    uint32_t mask = (1u << symbols->slot_bits) - 1, slot;
    struct rc_trace_symbol *symbol;
    uint64_t words[RC_TRACE_WORDS], hash;
    uint32_t expected = symbols->items[symbols->last].next;

    pack(call, words);
    if (symbols->count > 0 && is(symbols, &symbols->items[expected], words, call->list, length))
        return follow(symbols, expected);
    hash = hash_of(words, call->list, length);
    for (slot = hash & mask; symbols->slots[slot] > 0; slot = (slot + 1) & mask) {
        symbol = &symbols->items[symbols->slots[slot] - 1];
        if (symbol->hash == hash && is(symbols, symbol, words, call->list, length))
            return follow(symbols, symbols->slots[slot] - 1);
    }
    if (symbols->count == symbols->maximum || length > symbols->list_maximum - symbols->list_used)
        return -1;
    symbol = &symbols->items[symbols->count];
    memcpy(symbol->words, words, sizeof symbol->words);
    symbol->hash = hash;
    symbol->list = symbols->list_used;
    symbol->list_length = length;
    symbol->block = 0;
    symbol->next = symbols->count;
    if (length > 0)
        memcpy(symbols->lists + symbols->list_used, call->list, length * sizeof *call->list);
    symbols->list_used += length;
    symbols->slots[slot] = ++symbols->count;
    return follow(symbols, symbols->count - 1);
}

void rc_trace_symbols_clear(struct rc_trace_symbols *symbols)
{
    symbols->count = symbols->list_used = symbols->last = 0;
    memset(symbols->slots, 0, sizeof *symbols->slots << symbols->slot_bits);
}
