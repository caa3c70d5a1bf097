// SPDX-License-Identifier: GPL-3.0-or-later
/* emit_internal.h - what the parts of emit.c share.
 *
 * Ranks of one shape, the same loops and kinds of call, are a *group* with one function.  What a
 * call is called with are its *arguments*; where the ranks of a group differ in one, it is in a
 * *row*: its value for each of them. */
#ifndef RC_MODEL_SKELETON_EMIT_EMIT_INTERNAL_H
#define RC_MODEL_SKELETON_EMIT_EMIT_INTERNAL_H

#include <stdbool.h>

#include "model/skeleton/emit/emit.h"
#include "model/skeleton/compose/plan_calls.h"

enum { EMIT_ARGUMENTS = 7 };

/* How a call is written: its function, and a letter for each argument (see call_arguments.c). */
struct emit_pattern {
    unsigned kind, started; /* enum rc_trace_kind */
    const char *name, *arguments;
};

struct emit_group {
    uint32_t *ranks;
    uint32_t n;
    bool whole_table; /* nothing of it is written as code */
};

/* Things of equal size, each kept once; found again by their bytes. */
struct emit_set_entry;
struct emit_set {
    struct emit_set_entry *entries;
    size_t n; /* places that are taken */
};

struct emit {
    const struct rc_plan *plan;
    const struct rc_emit_options *options;
    struct rc_error *error;
    struct rc_buffer *out;
    bool failed; /* memory ran out, or `out` is full */

    struct emit_group *groups;
    uint32_t n_groups;
    uint32_t *group_of, *index_of; /* of a rank: its group, and its place in it */
    uint32_t *rank_in;             /* [communicator][rank]; UINT32_MAX: no member */

    bool used[RC_TRACE_KIND_COUNT];
    bool starts[2][3]; /* by Start and Startall: of Send_init, Ssend_init, Recv_init */
    bool requests, awaits_lists, extents, large, reductions, sends, neighbours, spreads_used;
    bool footprints, file_bytes, file_calls, table;
    uint32_t slots, most_awaited, n_large;
    int32_t *tags; /* sorted, where they are numbered anew */
    size_t n_tags;

    struct emit_set lists; /* texts of numbers; entries have their places in `numbers` */
    struct rc_buffer numbers, places;
    size_t n_numbers;
    struct emit_set work_set, spread_set, call_set, row_set;
    struct rc_buffer works; /* of struct emit_work */
    struct rc_buffer spreads, calls, rows, items, programs;
    size_t n_items;
};

/* The memory that computing goes over: whole lines of it, or none. */
static inline uint64_t rc_skeleton_emit_footprint(const struct rc_plan_work *work)
{
    return work->footprint >= 64 && work->seconds > 0 ? work->footprint : 0;
}

/* Whether Start or Startall (`kind`) is used for requests that `started` made. */
static inline bool *rc_skeleton_emit_starts(struct emit *emit, unsigned kind, unsigned started)
{
    return &emit->starts[kind == RC_TRACE_Startall][started == RC_TRACE_Send_init    ? 0
                                                    : started == RC_TRACE_Ssend_init ? 1
                                                                                     : 2];
}

/* One line of the table of works. */
struct emit_work {
    struct rc_plan_work work;
    uint64_t times;
    uint32_t spread;
};

/* emit_output.c: adds formatted text; sets `failed` where memory runs out or the buffer is full. */
void rc_skeleton_emit_add(struct emit *emit, struct rc_buffer *to, const char *format, ...)
    RC_PRINTF(3, 4);
/* The same to the program itself. */
#define EMIT(emit, ...) rc_skeleton_emit_add(emit, (emit)->out, __VA_ARGS__)
/* Adds one of the texts of program/ to it, as lines up to a NULL. */
void rc_skeleton_emit_text(struct emit *emit, const char *const *lines);

/* The place of `size` bytes of `key` in a set, of which each takes `room` places;
 * `*is_new` where it was not there.  -1 where memory runs out. */
int64_t rc_skeleton_emit_place(struct emit *emit, struct emit_set *set, const void *key,
                               size_t size, size_t room, bool *is_new);
void rc_skeleton_emit_set_free(struct emit_set *set);

/* rank_groups.c: ranks of one shape become groups. */
int rc_skeleton_emit_find_groups(struct emit *emit);

/* call_arguments.c */
const struct emit_pattern *rc_skeleton_emit_pattern(const struct rc_skeleton_plan_op *op);
/* The value of an argument; -1 with the error set where MPI cannot take it. */
int rc_skeleton_emit_argument(struct emit *emit, uint32_t rank,
                              const struct rc_skeleton_plan_op *op, char letter, int64_t *value);
void rc_skeleton_emit_value(struct emit *emit, struct rc_buffer *to, char letter, int64_t value);
/* The value of an argument in bytes: of the letters b, d and s. */
uint64_t rc_skeleton_emit_bytes_argument(const struct rc_skeleton_plan_op *op, char letter);
/* The order of tags, for qsort() and bsearch(). */
int rc_skeleton_emit_compare_tags(const void *a, const void *b);
/* The names of functions for tables of calls, and the function that makes such a call. */
void rc_skeleton_emit_functions(struct emit *emit);
void rc_skeleton_emit_perform(struct emit *emit);

/* used_features.c: what is used by the calls of the plan. */
int rc_skeleton_emit_find_features(struct emit *emit);

/* compute_table.c: the place in the table of works of what the ranks of a group compute before the
 * item; `*differs` where each has its own. */
int64_t rc_skeleton_emit_work(struct emit *emit, const struct emit_group *group,
                              const struct rc_plan_work *const *works, uint64_t times,
                              bool *differs);
void rc_skeleton_emit_works(struct emit *emit);

/* emit_program.c: fills `programs`, `calls`, `rows` and `items`, and the works. */
int rc_skeleton_emit_programs(struct emit *emit);

/* emit_buffers.c: tables of how much memory is needed, and of files. */
int rc_skeleton_emit_buffers(struct emit *emit);

#endif
