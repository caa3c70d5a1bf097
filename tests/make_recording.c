// SPDX-License-Identifier: GPL-3.0-or-later
/* make_recording.c - a recording of a made-up program, for tests of commands and to look at.
 *
 * usage: make-recording DIR [RANKS [ROUNDS [GROWTH]]]
 *
 * A solver on a ring: rank 0 reads and hands out its input; each round exchanges borders with both
 * neighbours, computes, and every 25 rounds all look at the residual; later ranks compute longer,
 * so that the first ones wait at the end.  In the middle, rank 0 gathers by messages from any
 * source, in a separate communicator.  Borders grow by GROWTH numbers in each round. */
#include "recording.h"

enum { BORDER = 1024, MS = 1000000, US = 1000 };

static void exchange(struct maker *maker, int32_t rank, int32_t ranks, int32_t border,
                     uint64_t compute)
{
    static const int32_t both[] = {0, 1, 2, 3};
    int32_t left = rank > 0 ? rank - 1 : RC_TRACE_NULL;
    int32_t right = rank + 1 < ranks ? rank + 1 : RC_TRACE_NULL;

    make_message(maker, RC_TRACE_Irecv, left, border, 0, 2 * US, US);
    make_message(maker, RC_TRACE_Irecv, right, border, 1, US, US);
    make_message(maker, RC_TRACE_Isend, left, border, 2, US, 3 * US);
    make_message(maker, RC_TRACE_Isend, right, border, 3, US, 3 * US);
    make_list(maker, RC_TRACE_Waitall, both, 4, RC_TRACE_NONE, compute, 300 * US);
}

static void gather_by_messages(struct maker *maker, int32_t rank, int32_t ranks)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Recv);
    int32_t *members = calloc((size_t)ranks, sizeof *members);

    if (!members)
        make_fail("no memory");
    for (int32_t i = 0; i < ranks; i++)
        members[i] = ranks - 1 - i;
    make_list(maker, RC_TRACE_Comm_split, members, (uint32_t)ranks, 3, 10 * US, 200 * US);
    call.communicator = 3;
    call.message = (struct rc_trace_message){.count = 4096, .size = 8, .tag = 1};
    if (rank > 0) {
        call.kind = RC_TRACE_Send;
        call.message.peer = ranks - 1; /* rank 0 there */
        make_call(maker, &call, 5 * US, 800 * US);
    }
    for (int32_t i = 1; rank == 0 && i < ranks; i++) {
        call.flags = RC_TRACE_ANY_SOURCE;
        call.message.peer = ranks - 1 - i;
        make_call(maker, &call, 5 * US, 400 * US);
    }
    free(members);
}

static void make_rank(const char *directory, int32_t rank, int32_t ranks, int rounds, int growth)
{
    struct maker maker = make_begin(directory, (uint32_t)rank, (uint32_t)ranks);
    uint64_t compute = (uint64_t)(2 * MS + rank * MS / 4);
    uint64_t slowest = (uint64_t)(2 * MS + (ranks - 1) * MS / 4);

    make_plain(&maker, RC_TRACE_Init, 3 * MS, 40 * MS);
    make_collective(&maker, RC_TRACE_Bcast, 0, 16, rank == 0 ? 60 * MS : US,
                    rank == 0 ? 50 * US : 60 * MS + 49 * US);
    make_collective(&maker, RC_TRACE_Scatter, 0, rank == 0 ? 65536 : 0, 100 * US, 5 * MS);
    for (int round = 0; round < rounds; round++) {
        if (round == rounds / 2)
            gather_by_messages(&maker, rank, ranks);
        exchange(&maker, rank, ranks, BORDER + round * growth,
                 compute + (uint64_t)(round * 7919 % 13) * 10 * US);
        if (round % 25 == 24)
            make_collective(&maker, RC_TRACE_Allreduce, RC_TRACE_NONE, 1, 20 * US,
                            150 * US + 25 * (slowest - compute) / 2);
    }
    make_collective(&maker, RC_TRACE_Reduce, 0, 8, 50 * US,
                    100 * US + (uint64_t)rounds * (slowest - compute) / 2);
    make_plain(&maker, RC_TRACE_Finalize, 100 * US, 8 * MS);
    make_end(&maker, MS);
}

int main(int argc, char **argv)
{
    int ranks = argc > 2 ? atoi(argv[2]) : 4, rounds = argc > 3 ? atoi(argv[3]) : 200;
    int growth = argc > 4 ? atoi(argv[4]) : 0;

    if (argc < 2 || ranks < 1 || ranks > 10000 || rounds < 0 || growth < 0 || growth > 1000) {
        fprintf(stderr, "usage: make-recording DIR [RANKS [ROUNDS [GROWTH]]]\n");
        return 2;
    }
    for (int32_t rank = 0; rank < ranks; rank++)
        make_rank(argv[1], rank, ranks, rounds, growth);
    return 0;
}
