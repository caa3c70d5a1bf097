// SPDX-License-Identifier: BSD-2-Clause
/* call_table.h - a number for each different call. */
#ifndef RC_MPI_TRACE_CALL_TABLE_H
#define RC_MPI_TRACE_CALL_TABLE_H

#include <stdint.h>

#include "mpi/trace/format.h"
#include "mpi/trace/trace.h"

enum { RC_TRACE_WORDS = 7 };

/* A call, packed without gaps. */
struct rc_trace_symbol {
    uint64_t words[RC_TRACE_WORDS];
    uint64_t hash;        /* of all of it; equal for equal calls */
    uint32_t list;        /* where its list begins */
    uint32_t list_length; /* of RC_TRACE_LIST_MAX at most */
    uint32_t block;       /* for the encoder: the last block that it was in, */
    uint32_t number;      /* and its number there */
    uint32_t next;        /* the one that was looked for after it, the last time: loops repeat */
};

struct rc_trace_symbols {
    struct rc_trace_symbol *items;
    uint32_t count;
    uint32_t maximum;
    uint32_t *slots; /* number + 1; 0 where free.  Twice as many as symbols, or more */
    unsigned slot_bits;
    int32_t *lists;
    uint32_t list_used;
    uint32_t list_maximum;
    uint32_t last; /* the one that was looked for last */
};

/* How many slots there are for so many symbols, as a power of two. */
unsigned rc_trace_symbols_slot_bits(uint32_t symbols);

/* The number of `call`, or -1 where it is new and the table is full. */
int64_t rc_trace_symbols_find(struct rc_trace_symbols *symbols, const struct rc_trace_call *call);

/* The call of a number; its list stays in the table. */
void rc_trace_symbols_call(const struct rc_trace_symbols *symbols, uint32_t number,
                           struct rc_trace_call *call);

/* Forgets all. */
void rc_trace_symbols_clear(struct rc_trace_symbols *symbols);

/* Spreads bits (the finaliser of splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014). */
static inline uint64_t rc_trace_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
