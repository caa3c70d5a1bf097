// SPDX-License-Identifier: GPL-3.0-or-later
/* call_arguments.c - what each kind of call is called with. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"
#include "mpi/trace/trace.h"

/* Arguments: c communicator, r root, n slot of the request, f file;
 * p, t, b: peer, tag and bytes of what is sent; q, u, d: of what is received;
 * s: bytes of one rank's part; e: the same of a reduction; l: place of the list in `numbers`;
 * m: its length; x: bytes of an element in a list of a reduction; h: whether it is held. */
#define CALL(name, arguments)                                                                      \
    {                                                                                              \
        RC_TRACE_##name, 0, #name, arguments                                                       \
    }
#define BOTH(name, other, arguments) CALL(name, arguments), CALL(other, arguments "n")
static const struct emit_pattern patterns[] = {
    CALL(Send, "cptb"),
    CALL(Ssend, "cptb"),
    CALL(Isend, "cptbn"),
    CALL(Issend, "cptbn"),
    CALL(Bsend, "cptb"),
    CALL(Ibsend, "cptb"),
    CALL(Recv, "cqud"),
    CALL(Irecv, "cqudn"),
    CALL(Probe, "cqu"),
    CALL(Iprobe, "cqu"),
    CALL(Sendrecv, "cptbqud"),
    CALL(Sendrecv_replace, "cptbqu"),
    {RC_TRACE_Start, RC_TRACE_Send_init, "Start_send", "cptbn"},
    {RC_TRACE_Start, RC_TRACE_Ssend_init, "Start_ssend", "cptbn"},
    {RC_TRACE_Start, RC_TRACE_Recv_init, "Start_recv", "cqudn"},
    {RC_TRACE_Startall, RC_TRACE_Send_init, "Startall_send", "cptbnh"},
    {RC_TRACE_Startall, RC_TRACE_Ssend_init, "Startall_ssend", "cptbnh"},
    {RC_TRACE_Startall, RC_TRACE_Recv_init, "Startall_recv", "cqudnh"},
    CALL(Wait, "n"),
    CALL(Waitany, "n"),
    CALL(Test, "n"),
    CALL(Testany, "n"),
    CALL(Waitall, "lm"),
    CALL(Waitsome, "lm"),
    CALL(Testall, "lm"),
    CALL(Testsome, "lm"),
    BOTH(Barrier, Ibarrier, "c"),
    BOTH(Bcast, Ibcast, "crs"),
    BOTH(Gather, Igather, "crs"),
    BOTH(Gatherv, Igatherv, "crbl"),
    BOTH(Scatter, Iscatter, "crs"),
    BOTH(Scatterv, Iscatterv, "crdl"),
    BOTH(Reduce, Ireduce, "cre"),
    BOTH(Allgather, Iallgather, "cs"),
    BOTH(Allgatherv, Iallgatherv, "cbl"),
    BOTH(Alltoall, Ialltoall, "cs"),
    BOTH(Alltoallv, Ialltoallv, "cl"),
    BOTH(Allreduce, Iallreduce, "ce"),
    BOTH(Reduce_scatter, Ireduce_scatter, "clx"),
    BOTH(Reduce_scatter_block, Ireduce_scatter_block, "ce"),
    BOTH(Scan, Iscan, "ce"),
    BOTH(Exscan, Iexscan, "ce"),
    BOTH(Neighbor_allgather, Ineighbor_allgather, "cbd"),
    BOTH(Neighbor_allgatherv, Ineighbor_allgatherv, "cbl"),
    BOTH(Neighbor_alltoall, Ineighbor_alltoall, "cbd"),
    BOTH(Neighbor_alltoallv, Ineighbor_alltoallv, "cl"),
    CALL(Comm_dup, "c"),
    CALL(File_read_at, "fs"),
    CALL(File_read_at_all, "fs"),
    CALL(File_write_at, "fs"),
    CALL(File_write_at_all, "fs"),
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns };

const struct emit_pattern *rc_skeleton_emit_pattern(const struct rc_skeleton_plan_op *op)
{
    for (size_t i = 0; i < N_PATTERNS; i++)
        if (patterns[i].kind == op->kind &&
            (!patterns[i].started || patterns[i].started == op->started))
            return &patterns[i];
    return NULL;
}

/* ---- lists ---- */

static int unit_of(const struct rc_plan *plan, const struct rc_skeleton_plan_op *op)
{
    for (uint32_t i = 0; i < op->list_length; i++)
        if (plan->lists[op->list + i] % 8 != 0)
            return 1;
    return 8;
}

static int add_numbers(struct emit *emit, const int64_t *list, uint32_t n, uint32_t second,
                       int unit)
{
    int64_t place = 0;

    for (uint32_t i = 0; i < n; i++) {
        const char *end = (emit->n_numbers + i) % 12 == 11 ? ",\n    " : ", ";

        if (i == second)
            place = 0;
        if (list[i] > INT_MAX || place > INT_MAX)
            return rc_error_set(emit->error,
                                "a call with different counts has more than 2 GiB in all");
        rc_skeleton_emit_add(emit, &emit->numbers, "%" PRId64 "%s", list[i] / unit, end);
        rc_skeleton_emit_add(emit, &emit->places, "%" PRId64 "%s", place, end);
        place += list[i];
    }
    emit->n_numbers += n;
    return 0;
}

/* Where the list of a call is in `numbers`: it is put there if it is not. */
static int place_list(struct emit *emit, uint32_t rank, const struct rc_skeleton_plan_op *op,
                      int64_t *place)
{
    const struct rc_plan_communicator *c = &emit->plan->communicators[op->communicator];
    const int64_t *list = emit->plan->lists + op->list;
    enum rc_plan_class class = rc_skeleton_plan_kind(op->kind).class;
    uint32_t n = op->list_length, here = emit->rank_in[op->communicator * emit->plan->ranks + rank];
    uint32_t second = class == RC_PLAN_ALLTOALL_V ? c->n : n;
    int unit = class == RC_PLAN_REDUCE_SCATTER ? unit_of(emit->plan, op) : 1;
    bool is_new;

    if (rc_skeleton_plan_kind(op->kind).lists_given) {
        second = rc_skeleton_plan_destinations(c, here);
    } else if (class == RC_PLAN_NEIGHBOURS_V) {
        list += n - rc_skeleton_plan_sources(c, here);
        n = second = rc_skeleton_plan_sources(c, here);
    }
    *place = 0;
    if (n == 0)
        return 0;
    if (unit == 1 && second == n) {
        *place = rc_skeleton_emit_place(emit, &emit->lists, list, n * sizeof *list, n, &is_new);
    } else { /* is not kept once, since the same numbers may stand for something else */
        int64_t *key = malloc((n + 2) * sizeof *key);

        if (!key)
            return rc_error_no_memory(emit->error);
        memcpy(key + 2, list, n * sizeof *list);
        key[0] = -unit; /* no list has a negative number */
        key[1] = -(int64_t)second;
        *place = rc_skeleton_emit_place(emit, &emit->lists, key, (n + 2) * sizeof *key, n, &is_new);
        free(key);
    }
    if (*place < 0)
        return -1;
    return is_new ? add_numbers(emit, list, n, second, unit) : 0;
}

/* ---- arguments ---- */

int rc_skeleton_emit_compare_tags(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static int64_t tag_of(const struct emit *emit, const struct rc_plan_message *message)
{
    const int32_t *found;

    if (message->peer == RC_TRACE_NULL || message->tag < 0)
        return 0;
    if (!emit->tags)
        return message->tag;
    found = bsearch(&message->tag, emit->tags, emit->n_tags, sizeof *emit->tags,
                    rc_skeleton_emit_compare_tags);
    return found ? found - emit->tags : 0;
}

static int reduced_bytes(struct emit *emit, const struct rc_skeleton_plan_op *op, int64_t *value)
{
    uint64_t bytes = rc_skeleton_plan_part(op);

    *value = (int64_t)bytes;
    if (bytes / (bytes % 8 ? 1 : 8) > INT_MAX)
        return rc_error_set(emit->error, "a %s of %" PRIu64 " bytes is more than MPI can count",
                            rc_trace_kind_info(op->kind)->name, bytes);
    return 0;
}

/* What may be negative, and needs no work. */
static int64_t plain_argument(const struct emit *emit, const struct rc_skeleton_plan_op *op,
                              char letter)
{
    switch (letter) {
    case 'c':
        return op->communicator;
    case 'r':
        return op->root;
    case 'n':
        return op->request;
    case 'f':
        return op->file;
    case 'p':
        return op->out.peer;
    case 'q':
        return op->in.peer;
    case 't':
        return tag_of(emit, &op->out);
    case 'u':
        return tag_of(emit, &op->in);
    case 'm':
        return op->list_length;
    case 'h':
        return op->held;
    default:
        return unit_of(emit->plan, op);
    }
}

uint64_t rc_skeleton_emit_bytes_argument(const struct rc_skeleton_plan_op *op, char letter)
{
    return letter == 'b' ? op->out.bytes : letter == 'd' ? op->in.bytes : rc_skeleton_plan_part(op);
}

int rc_skeleton_emit_argument(struct emit *emit, uint32_t rank,
                              const struct rc_skeleton_plan_op *op, char letter, int64_t *value)
{
    enum rc_plan_class class = rc_skeleton_plan_kind(op->kind).class;

    if (letter == 'e')
        return reduced_bytes(emit, op, value);
    if (letter == 'l')
        return place_list(emit, rank, op, value);
    if (!strchr("bds", letter)) {
        *value = plain_argument(emit, op, letter);
        return 0;
    }
    *value = (int64_t)rc_skeleton_emit_bytes_argument(op, letter);
    if (*value < 0 ||
        (*value > INT_MAX && (class == RC_PLAN_NEIGHBOURS || class == RC_PLAN_NEIGHBOURS_V)))
        return rc_error_set(emit->error, "a %s is of more than MPI can count",
                            rc_trace_kind_info(op->kind)->name);
    return 0;
}

void rc_skeleton_emit_value(struct emit *emit, struct rc_buffer *to, char letter, int64_t value)
{
    if ((letter == 'p' || letter == 'q') && value == RC_TRACE_NULL)
        rc_skeleton_emit_add(emit, to, "MPI_PROC_NULL");
    else
        rc_skeleton_emit_add(emit, to, "%" PRId64, value);
}

/* ---- the functions that are called ---- */

static bool is_used(struct emit *emit, const struct emit_pattern *pattern)
{
    return emit->used[pattern->kind] &&
           (!pattern->started || *rc_skeleton_emit_starts(emit, pattern->kind, pattern->started));
}

void rc_skeleton_emit_perform(struct emit *emit)
{
    EMIT(emit, "static void perform(const struct call *call)\n{\n"
               "    const int64_t *a = call->arguments;\n\n"
               "    switch (call->function) {\n");
    for (size_t i = 0; i < N_PATTERNS; i++) {
        const struct emit_pattern *p = &patterns[i];

        if (!is_used(emit, p))
            continue;
        EMIT(emit, "    case F_%s:\n        %s(", p->name, p->name);
        for (size_t j = 0; p->arguments[j]; j++)
            EMIT(emit, "%s%sa[%zu]", j ? ", " : "", strchr("bdse", p->arguments[j]) ? "" : "(int)",
                 j);
        EMIT(emit, ");\n        break;\n");
    }
    EMIT(emit, "    }\n}\n\n");
}

void rc_skeleton_emit_functions(struct emit *emit)
{
    EMIT(emit, "enum function {\n");
    for (size_t i = 0; i < N_PATTERNS; i++)
        if (is_used(emit, &patterns[i]))
            EMIT(emit, "    F_%s,\n", patterns[i].name);
    EMIT(emit, "};\n");
}
