// SPDX-License-Identifier: GPL-3.0-or-later
/* call_descriptions.c - what is clustered: messages and collective calls with all who take part,
 * and calls that read or write files. */
#include "model/skeleton/shrink/call_descriptions.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

#define COLLECTIVE ((uint32_t)1 << 31) /* set in the kind of collective calls */
#define OF_FILE ((uint32_t)1 << 30)    /* and of calls that read or write files */

double rc_skeleton_cluster_collective_bytes(const struct rc_trace_call *call)
{
    unsigned kind = rc_trace_kind_blocking(call->kind);
    bool to_each = kind == RC_TRACE_Alltoallv || kind == RC_TRACE_Alltoallw;
    uint32_t n = to_each ? call->list_length / 2 : call->list_length;
    double sum = 0;

    if (!to_each && kind != RC_TRACE_Scatterv)
        return (double)call->message.count * call->message.size;
    for (uint32_t i = 0; i < n; i++)
        sum += (double)call->list[i] * call->message.size;
    return sum;
}

static uint32_t root_of(const struct rc_match *match, const struct rc_match_collective *collective,
                        const struct rc_trace_call *call)
{
    const struct rc_match_communicator *group = match->communicators + collective->communicator;

    return call->root >= 0 && (uint32_t)call->root < group->n ? group->members[call->root]
                                                              : RC_PROGRAM_NONE;
}

static struct rc_cluster_call describe_collective(const struct rc_loop_tree *tree, size_t number)
{
    const struct rc_match *match = &tree->match;
    const struct rc_match_collective *collective = match->collectives + number;
    const struct rc_match_communicator *group = match->communicators + collective->communicator;
    struct rc_cluster_call described = {.kind = collective->kind | COLLECTIVE,
                                        .group = collective->communicator,
                                        .peers = {-1, -1}};
    double sum = 0, most = 0;

    for (uint32_t m = 0; m < group->n; m++) {
        const struct rc_trace_call *call =
            rc_skeleton_program_call(tree->program->rank + group->members[m],
                                     match->members[collective->first + m]);
        double bytes = rc_skeleton_cluster_collective_bytes(call);

        sum += bytes;
        most = fmax(most, bytes);
        if (m == 0)
            described.peers[0] = (int32_t)root_of(match, collective, call);
    }
    described.bytes[0] = (uint64_t)sum;
    described.bytes[1] = (uint64_t)most;
    return described;
}

static struct rc_cluster_call describe_message(const struct rc_loop_tree *tree, size_t number)
{
    const struct rc_match_message *message = tree->match.messages + number;
    struct rc_cluster_call described = {.group = message->communicator,
                                        .peers = {(int32_t)message->sender,
                                                  (int32_t)message->receiver},
                                        .bytes = {message->bytes, 0}};

    if (message->send == RC_PROGRAM_NONE || message->receive == RC_PROGRAM_NONE)
        return described;
    described.kind =
        rc_skeleton_program_call(tree->program->rank + message->sender, message->send)->kind << 12 |
        rc_skeleton_program_call(tree->program->rank + message->receiver, message->receive)->kind;
    return described;
}

static bool is_of_file(const struct rc_trace_call *call)
{
    return rc_trace_kind_info(call->kind)->class == RC_TRACE_FILES && call->message.count > 0;
}

static uint64_t file_key(uint32_t rank, size_t event)
{
    return (uint64_t)rank << 32 | (event + 1); /* 0 is no key */
}

static int add_file_call(struct rc_cluster_calls *calls, uint32_t rank, size_t event,
                         const struct rc_trace_call *call, struct rc_error *error)
{
    struct rc_cluster_call described = {.kind = call->kind | OF_FILE,
                                        .group = (uint32_t)call->root,
                                        .peers = {(int32_t)rank, -1},
                                        .bytes = {call->message.count * call->message.size, 0}};

    if (rc_array_room(&calls->all, calls->n + 1, &calls->room, sizeof *calls->all, error) ||
        rc_skeleton_map_add(calls->files, file_key(rank, event), (uint32_t)calls->n, error))
        return -1;
    calls->all[calls->n++] = described;
    calls->has_files = true;
    return 0;
}

static int add_file_calls(struct rc_cluster_calls *calls, const struct rc_program *program,
                          struct rc_error *error)
{
    calls->files = rc_skeleton_map_create(error);
    if (!calls->files)
        return -1;
    for (uint32_t r = 0; r < program->ranks; r++)
        for (size_t e = 0; e < program->rank[r].n_events; e++) {
            const struct rc_trace_call *call = rc_skeleton_program_call(program->rank + r, e);

            if (is_of_file(call) && add_file_call(calls, r, e, call, error))
                return -1;
        }
    return 0;
}

int rc_skeleton_cluster_calls_find(const struct rc_loop_tree *tree, struct rc_cluster_calls *calls,
                                   struct rc_error *error)
{
    const struct rc_match *match = &tree->match;

    *calls = (struct rc_cluster_calls){.n = match->n_messages + match->n_collectives};
    if (rc_array_room(&calls->all, calls->n + 1, &calls->room, sizeof *calls->all, error))
        return -1;
    for (size_t i = 0; i < match->n_messages; i++)
        calls->all[i] = describe_message(tree, i);
    for (size_t i = 0; i < match->n_collectives; i++)
        calls->all[match->n_messages + i] = describe_collective(tree, i);
    return add_file_calls(calls, tree->program, error);
}

void rc_skeleton_cluster_calls_free(struct rc_cluster_calls *calls)
{
    rc_skeleton_map_destroy(calls->files);
    free(calls->all);
    *calls = (struct rc_cluster_calls){0};
}

uint32_t rc_skeleton_cluster_file_call(const struct rc_cluster_calls *calls, uint32_t rank,
                                       uint32_t event)
{
    uint32_t number;

    return calls->has_files && rc_skeleton_map_find(calls->files, file_key(rank, event), &number)
               ? number
               : RC_PROGRAM_NONE;
}
