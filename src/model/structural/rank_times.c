// SPDX-License-Identifier: GPL-3.0-or-later
/* rank_times.c - what a rank of a traced program spent its time on. */
#include "model/structural/traced_internal.h"

#include <string.h>

#include "base/error.h"

#define NS 1e-9
enum { DEPTH_MAX = 64 }; /* of loops, as the reader has it */

/* A loop that is being walked over. */
struct loop {
    uint64_t count;
    bool fresh;     /* none of its calls was met yet */
    unsigned first; /* the kind of the first call of its body, */
    double wrapped; /* and the computing before it in all rounds but the first, in ns */
};

struct walk {
    struct rc_rank_times *times;
    struct loop loops[DEPTH_MAX];
    size_t depth;
    unsigned last; /* the kind of the call before; RC_TIMES_NOTHING at first */
};

bool rc_structural_times_outside(unsigned kind)
{
    return kind == RC_TRACE_Init || kind == RC_TRACE_Init_thread || kind == RC_TRACE_Finalize ||
           kind == RC_TRACE_Abort;
}

static void add_gap(struct rc_rank_times *times, unsigned before, unsigned after, double ns)
{
    if (after == RC_TRACE_Init || after == RC_TRACE_Init_thread || ns <= 0)
        return;
    times->gaps[before][after] += ns * NS;
    times->seconds += ns * NS;
}

/* ---- the first call of a body ---- */

/* How many of the innermost loops begin with the call that is met now. */
static size_t fresh_loops(const struct walk *walk)
{
    size_t n = 0;

    while (n < walk->depth && walk->loops[walk->depth - 1 - n].fresh)
        n++;
    return n;
}

/* Spreads one time, or all of them together, over the ways to get to the call: number `round` of
 * all rounds where each is known. */
static double from_before(struct walk *walk, size_t n_fresh, uint64_t round, double ns)
{
    for (size_t i = 0; i < n_fresh; i++) {
        struct loop *loop = &walk->loops[walk->depth - 1 - i];

        if (round % loop->count != 0) {
            loop->wrapped += ns;
            return 0;
        }
        round /= loop->count;
    }
    return ns;
}

static double from_before_on_average(struct walk *walk, size_t n_fresh, double ns)
{
    for (size_t i = 0; i < n_fresh; i++) {
        struct loop *loop = &walk->loops[walk->depth - 1 - i];
        double entering = ns / (double)loop->count;

        loop->wrapped += ns - entering;
        ns = entering;
    }
    return ns;
}

/* ---- the visitor ---- */

static int take_call(void *data, const struct rc_trace_position *position)
{
    struct walk *walk = data;
    unsigned kind =
        position->call->kind < RC_TRACE_KIND_COUNT ? position->call->kind : RC_TRACE_KIND_COUNT;
    double inside = (double)position->times->inside.sum, before = 0;
    size_t n_fresh = fresh_loops(walk);

    if (position->samples)
        for (uint64_t i = 0; i < position->n; i++)
            before += from_before(walk, n_fresh, i, (double)position->samples[i].before);
    else
        before = from_before_on_average(walk, n_fresh, (double)position->times->before.sum);
    for (size_t i = 0; i < n_fresh; i++) {
        walk->loops[walk->depth - 1 - i].fresh = false;
        walk->loops[walk->depth - 1 - i].first = kind;
    }
    add_gap(walk->times, walk->last, kind, before);
    if (!rc_structural_times_outside(kind)) {
        walk->times->inside[kind] += inside * NS;
        walk->times->seconds += inside * NS;
    }
    walk->last = kind;
    return 0;
}

static int begin_loop(void *data, uint64_t count, uint32_t length)
{
    struct walk *walk = data;

    (void)length;
    if (walk->depth == DEPTH_MAX)
        return 1;
    walk->loops[walk->depth++] = (struct loop){.count = count > 0 ? count : 1, .fresh = true};
    return 0;
}

static int end_loop(void *data)
{
    struct walk *walk = data;
    struct loop *loop = &walk->loops[--walk->depth];

    if (!loop->fresh)
        add_gap(walk->times, walk->last, loop->first, loop->wrapped);
    return 0;
}

int rc_structural_rank_times_read(struct rc_rank_times *times, const struct rc_trace_set_file *file,
                                  struct rc_error *error)
{
    struct walk walk = {.times = times, .last = RC_TIMES_NOTHING};
    struct rc_trace_visitor visitor = {take_call, begin_loop, end_loop, NULL, &walk};
    struct rc_trace *trace = rc_trace_open(file->path, error);
    int status;

    memset(times, 0, sizeof *times);
    if (!trace)
        return -1;
    status = rc_trace_walk(trace, &visitor, error);
    rc_trace_close(trace);
    return status > 0 ? rc_error_set(error, "%s: loops are nested too deeply", file->path) : status;
}
