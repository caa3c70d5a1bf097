// SPDX-License-Identifier: GPL-3.0-or-later
/* used_features.c - what is used by the calls of the plan: a program has no more than that. */
#include <limits.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"
#include "mpi/trace/trace.h"

static void use_letters(struct emit *emit, const struct rc_skeleton_plan_op *op,
                        const char *letters)
{
    bool neighbours = rc_trace_kind_info(op->kind)->class == RC_TRACE_NEIGHBOURS;

    for (; *letters; letters++)
        switch (*letters) {
        case 'b':
        case 'd':
        case 's':
            emit->extents = emit->extents || !neighbours;
            if (rc_skeleton_emit_bytes_argument(op, *letters) > INT_MAX) {
                emit->large = true;
                emit->n_large++;
            }
            break;
        case 'e':
            emit->reductions = true;
            break;
        case 'n':
            emit->requests = true;
            if ((uint32_t)op->request >= emit->slots)
                emit->slots = (uint32_t)op->request + 1;
            break;
        case 'p':
            emit->sends = true;
            break;
        case 'f':
            emit->file_calls = true;
            break;
        default:
            break;
        }
    if (neighbours)
        emit->neighbours = emit->requests = true;
}

static void use_op(struct emit *emit, const struct rc_skeleton_plan_op *op)
{
    emit->used[op->kind] = true;
    if (rc_skeleton_plan_kind(op->kind).class == RC_PLAN_START)
        *rc_skeleton_emit_starts(emit, op->kind, op->started) = true;
    use_letters(emit, op, rc_skeleton_emit_pattern(op)->arguments);
    if (rc_skeleton_plan_kind(op->kind).class == RC_PLAN_WAIT &&
        !rc_skeleton_plan_kind(op->kind).one) {
        emit->requests = emit->awaits_lists = true;
        if (op->list_length > emit->most_awaited)
            emit->most_awaited = op->list_length;
        for (uint32_t i = 0; i < op->list_length; i++)
            if (emit->plan->lists[op->list + i] >= emit->slots)
                emit->slots = (uint32_t)emit->plan->lists[op->list + i] + 1;
    }
}

/* MPI promises tags up to 32767; where there are larger ones, all are numbered. */
static int number_tags(struct emit *emit)
{
    const struct rc_plan *plan = emit->plan;
    int32_t largest = 0;
    size_t n = 0;

    for (size_t i = 0; i < plan->n_ops; i++) {
        largest = plan->ops[i].out.tag > largest ? plan->ops[i].out.tag : largest;
        largest = plan->ops[i].in.tag > largest ? plan->ops[i].in.tag : largest;
    }
    if (largest <= 32767)
        return 0;
    emit->tags = malloc(2 * plan->n_ops * sizeof *emit->tags);
    if (!emit->tags)
        return rc_error_no_memory(emit->error);
    for (size_t i = 0; i < plan->n_ops; i++) {
        emit->tags[2 * i] = plan->ops[i].out.tag;
        emit->tags[2 * i + 1] = plan->ops[i].in.tag;
    }
    qsort(emit->tags, 2 * plan->n_ops, sizeof *emit->tags, rc_skeleton_emit_compare_tags);
    for (size_t i = 0; i < 2 * plan->n_ops; i++)
        if (emit->tags[i] >= 0 && (n == 0 || emit->tags[i] != emit->tags[n - 1]))
            emit->tags[n++] = emit->tags[i];
    emit->n_tags = n;
    if (n > 32768)
        return rc_error_set(emit->error, "there are %zu different tags", n);
    return 0;
}

int rc_skeleton_emit_find_features(struct emit *emit)
{
    const struct rc_plan *plan = emit->plan;
    bool with_lines = emit->options->speed.lines[0] > 0;

    for (uint32_t rank = 0; rank < plan->ranks; rank++)
        for (size_t i = 0; i < plan->rank[rank].n_steps; i++) {
            const struct rc_plan_work *work = &plan->works[plan->rank[rank].steps[i].work];

            if (plan->rank[rank].steps[i].op != RC_PLAN_NO_OP)
                use_op(emit, &plan->ops[plan->rank[rank].steps[i].op]);
            emit->file_bytes = emit->file_bytes || work->read > 0 || work->written > 0;
            emit->footprints =
                emit->footprints || (with_lines && rc_skeleton_emit_footprint(work) > 0);
        }
    if (emit->requests && emit->slots == 0)
        emit->slots = 1;
    return number_tags(emit);
}
