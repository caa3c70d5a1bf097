// SPDX-License-Identifier: GPL-3.0-or-later
/* recorded_program.c - reads a trace.
 *
 * A trace file has loops of positions.  They are read as they are, with the times of each position,
 * and then unfolded into one number for each call that was made. */
#include "model/skeleton/match/recorded_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/skeleton/match/recorded_program_internal.h"
#include "model/skeleton/loops/hash_map.h"
#include "mpi/trace/reader.h"
#include "mpi/trace/trace_set.h"

/* A loop over the `value` nodes that follow it, or (count 0) a position.  `prologue` is the
 * position of the first of a loop's body in the first iteration, or RC_PROGRAM_NONE. */
struct node {
    uint64_t count;
    uint32_t value;
    uint32_t prologue;
};

enum { DEPTH_MAX = 64 };

struct loading {
    struct rc_program_rank *rank;
    struct node *nodes;
    size_t n_nodes, node_room, position_room, spread_room, call_room;
    size_t open[DEPTH_MAX]; /* loops that are not yet at their end */
    unsigned depth;
    struct rc_hash_map *interned; /* calls, by their content */
    struct rc_skeleton_work_measure measure;
    bool begun;      /* MPI_Init was seen */
    bool finished;   /* and MPI_Finalize */
    double began;    /* the end of MPI_Init, s */
    uint64_t failed; /* calls that did */
    struct rc_error *error;
};

/* ---- calls ---- */

static uint64_t message_key(uint64_t hash, const struct rc_trace_message *message)
{
    hash = rc_skeleton_hash(hash, (uint64_t)(uint32_t)message->peer << 32 | (uint32_t)message->tag);
    return rc_skeleton_hash(rc_skeleton_hash(hash, message->count), message->size);
}

static uint64_t call_key(const struct rc_trace_call *call)
{
    uint64_t hash = rc_skeleton_hash(call->kind, call->flags);

    hash =
        rc_skeleton_hash(hash, (uint64_t)(uint32_t)call->communicator << 32 | (uint32_t)call->root);
    hash = message_key(message_key(hash, &call->message), &call->from);
    hash = rc_skeleton_hash(hash, (uint64_t)(uint32_t)call->request << 32 | call->list_length);
    for (uint32_t i = 0; i < call->list_length; i++)
        hash = rc_skeleton_hash(hash, (uint32_t)call->list[i]);
    return hash;
}

/* The number of a call that is the same, which is added where there is none.  Two calls that
 * differ share a key once in 2^64. */
static int intern(struct loading *loading, const struct rc_trace_call *call, uint32_t *number)
{
    struct rc_program_rank *rank = loading->rank;
    uint64_t key = call_key(call);
    int32_t *list = NULL;

    if (rc_skeleton_map_find(loading->interned, key, number))
        return 0;
    *number = (uint32_t)rank->n_calls;
    if (rc_array_room(&rank->calls, rank->n_calls + 1, &loading->call_room, sizeof *rank->calls,
                      loading->error) ||
        rc_skeleton_map_add(loading->interned, key, *number, loading->error))
        return -1;
    if (call->list_length) {
        list = malloc(call->list_length * sizeof *list);
        if (!list)
            return rc_error_no_memory(loading->error);
        memcpy(list, call->list, call->list_length * sizeof *list);
    }
    rank->calls[rank->n_calls] = *call;
    rank->calls[rank->n_calls++].list = list;
    return 0;
}

/* ---- times ---- */

/* Where most gaps had their CPU time measured, or enough of them by chance, that is what is spread:
 * wall times are also long where the core was taken away.  Only that part of them counts that is
 * shortest. */
static int add_spread(struct loading *loading, const struct rc_trace_times *times, double part,
                      uint32_t *number)
{
    const struct rc_trace_statistic *statistic =
        rc_skeleton_work_is_measured(&loading->measure, times) ? &times->cpu : &times->before;
    struct rc_program_rank *rank = loading->rank;
    double *spread, sum = 0;

    *number = RC_PROGRAM_NONE;
    if (statistic->n < RC_PROGRAM_EIGHTHS || statistic->least == statistic->most)
        return 0;
    if (rc_array_room(&rank->spreads, rank->n_spreads + 1, &loading->spread_room,
                      sizeof *rank->spreads, loading->error))
        return -1;
    spread = rank->spreads[rank->n_spreads];
    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++) {
        spread[i] = rc_trace_statistic_quantile(statistic, part * (i + 0.5) / RC_PROGRAM_EIGHTHS);
        sum += spread[i] / RC_PROGRAM_EIGHTHS;
    }
    if (sum <= 0)
        return 0;
    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        spread[i] /= sum;
    *number = (uint32_t)rank->n_spreads++;
    return 0;
}

/* ---- positions and loops ---- */

static int add_node(struct loading *loading, uint64_t count, uint32_t value)
{
    if (rc_array_room(&loading->nodes, loading->n_nodes + 1, &loading->node_room,
                      sizeof *loading->nodes, loading->error))
        return -1;
    loading->nodes[loading->n_nodes++] =
        (struct node){.count = count, .value = value, .prologue = RC_PROGRAM_NONE};
    return 0;
}

/* Keeps a position; `*number` is its place. */
static int keep_position(struct loading *loading, const struct rc_trace_call *call,
                         const struct rc_program_position *position, uint32_t *number)
{
    struct rc_program_rank *rank = loading->rank;

    if (rc_array_room(&rank->positions, rank->n_positions + 1, &loading->position_room,
                      sizeof *rank->positions, loading->error))
        return -1;
    rank->positions[rank->n_positions] = *position;
    if (intern(loading, call, &rank->positions[rank->n_positions].call))
        return -1;
    *number = (uint32_t)rank->n_positions++;
    return 0;
}

static int add_position(struct loading *loading, const struct rc_trace_call *call,
                        const struct rc_program_position *position)
{
    uint32_t number = 0;

    return keep_position(loading, call, position, &number) || add_node(loading, 0, number) ? -1 : 0;
}

/* How often the loop goes round in whose body the next call is the first; 0 where it is in none. */
static uint64_t iterations_of(const struct loading *loading)
{
    size_t loop = loading->depth > 0 ? loading->open[loading->depth - 1] : 0;

    return loading->depth > 0 && loop + 1 == loading->n_nodes ? loading->nodes[loop].count : 0;
}

/* A position at the beginning of a loop, and another that stands for it in the first iteration. */
static int add_prologue(struct loading *loading, const struct rc_trace_call *call,
                        struct rc_program_position position, double share, uint64_t iterations)
{
    struct rc_program_position first = position;
    double more = 1 - share + share * (double)iterations, less = 1 - share;
    uint32_t number = 0;

    first.work *= more;
    first.wall *= more;
    first.spread = RC_PROGRAM_NONE;
    position.work *= less;
    position.wall *= less;
    if (keep_position(loading, call, &first, &number) || add_position(loading, call, &position))
        return -1;
    loading->nodes[loading->n_nodes - 1].prologue = number;
    return 0;
}

/* A Startall becomes one for each of its requests, so that every call begins one message at most;
 * the root of each is its place among them. */
static int add_starts(struct loading *loading, const struct rc_trace_call *call,
                      struct rc_program_position position)
{
    struct rc_trace_call start = RC_TRACE_CALL_INIT(RC_TRACE_Startall);

    position.inside /= call->list_length;
    for (uint32_t i = 0; i < call->list_length; i++) {
        start.request = call->list[i];
        start.root = (int32_t)i;
        if (add_position(loading, &start, &position))
            return -1;
        position.work = position.wall = position.read = position.written = 0;
        position.spread = RC_PROGRAM_NONE;
    }
    return 0;
}

static int visit_call(void *data, const struct rc_trace_position *recorded)
{
    struct loading *loading = data;
    struct rc_program_position position = {.spread = RC_PROGRAM_NONE};
    struct rc_prologue prologue = {.rest = 1};
    uint64_t iterations = iterations_of(loading);
    unsigned kind = recorded->call->kind;

    if (recorded->call->flags & RC_TRACE_FAILED) {
        loading->failed += recorded->n;
    } else if (kind == RC_TRACE_Init || kind == RC_TRACE_Init_thread) {
        loading->begun = true;
        loading->began = (double)recorded->time * 1e-9 +
                         rc_trace_statistic_mean(&recorded->times->before) * 1e-9 +
                         rc_trace_statistic_mean(&recorded->times->inside) * 1e-9;
        return 0;
    }
    position.work = rc_skeleton_work_mean(&loading->measure, recorded);
    position.wall = rc_trace_statistic_mean(&recorded->times->before) * 1e-9;
    position.inside = rc_trace_statistic_mean(&recorded->times->inside) * 1e-9;
    if (kind == RC_TRACE_Finalize && !(recorded->call->flags & RC_TRACE_FAILED)) {
        loading->finished = true;
        loading->rank->tail = position.work;
        loading->rank->seconds = (double)recorded->time * 1e-9 + position.wall - loading->began;
        return 0;
    }
    if (kind != RC_TRACE_Startall && iterations > 1)
        prologue = rc_skeleton_prologue_find(recorded, iterations);
    if (add_spread(loading, recorded->times, prologue.rest, &position.spread))
        return -1;
    if (kind == RC_TRACE_Startall && recorded->call->list_length)
        return add_starts(loading, recorded->call, position);
    if (prologue.share > 0)
        return add_prologue(loading, recorded->call, position, prologue.share, iterations);
    return add_position(loading, recorded->call, &position);
}

static int visit_loop_begin(void *data, uint64_t count, uint32_t length)
{
    struct loading *loading = data;

    (void)length;
    if (loading->depth == DEPTH_MAX)
        return rc_error_set(loading->error, "loops are nested too deeply");
    loading->open[loading->depth++] = loading->n_nodes;
    return add_node(loading, count, 0);
}

static int visit_loop_end(void *data)
{
    struct loading *loading = data;
    size_t begin = loading->open[--loading->depth];

    loading->nodes[begin].value = (uint32_t)(loading->n_nodes - begin - 1);
    return 0;
}

/* ---- unfolding ---- */

/* How many calls the nodes stand for; beyond the maximum it does not matter how many. */
static size_t unfolded_length(const struct node *nodes, size_t n)
{
    size_t length = 0;

    for (size_t i = 0; i < n && length <= RC_PROGRAM_EVENTS_MAX; i++) {
        if (nodes[i].count) {
            size_t body = unfolded_length(nodes + i + 1, nodes[i].value);

            if (body && nodes[i].count > RC_PROGRAM_EVENTS_MAX / body)
                return RC_PROGRAM_EVENTS_MAX + 1;
            length += body * (size_t)nodes[i].count;
            i += nodes[i].value;
        } else {
            length++;
        }
    }
    return length;
}

static uint32_t *unfold(const struct node *nodes, size_t n, uint32_t *events)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t *begin = events;

        if (!nodes[i].count) {
            *events++ = nodes[i].value;
            continue;
        }
        events = unfold(nodes + i + 1, nodes[i].value, events);
        for (uint64_t round = 1, body = (uint64_t)(events - begin); round < nodes[i].count; round++)
            events = (uint32_t *)memcpy(events, begin, body * sizeof *events) + body;
        if (nodes[i].value > 0 && nodes[i + 1].prologue != RC_PROGRAM_NONE)
            *begin = nodes[i + 1].prologue;
        i += nodes[i].value;
    }
    return events;
}

static int unfold_all(struct loading *loading, size_t room)
{
    struct rc_program_rank *rank = loading->rank;
    size_t length = unfolded_length(loading->nodes, loading->n_nodes);

    if (length > room) {
        rc_error_set(loading->error, "the program makes more than %zu calls, too many",
                     RC_PROGRAM_EVENTS_MAX);
        return rc_error_hint(loading->error, "trace a run with fewer iterations");
    }
    rank->events = malloc((length + 1) * sizeof *rank->events);
    if (!rank->events)
        return rc_error_no_memory(loading->error);
    unfold(loading->nodes, loading->n_nodes, rank->events);
    rank->n_events = length;
    return 0;
}

/* ---- ranks ---- */

static int read_rank(struct rc_program *program, uint32_t number, struct rc_trace *trace,
                     struct rc_error *error)
{
    struct loading loading = {.rank = program->rank + number,
                              .interned = rc_skeleton_map_create(error),
                              .error = error};
    struct rc_trace_visitor visitor = {.call = visit_call,
                                       .loop_begin = visit_loop_begin,
                                       .loop_end = visit_loop_end,
                                       .data = &loading};
    int result = loading.interned ? rc_skeleton_work_measure(trace, &loading.measure, error) : -1;
    const struct rc_trace_note *notes;
    size_t unsuccessful = 0, n_notes;

    if (!result)
        result = rc_trace_walk(trace, &visitor, error);
    if (!result && !rc_trace_summary(trace)->ended)
        result = rc_error_set(error, "the trace of rank %u is not complete", number);
    if (!result && !loading.begun)
        result = rc_error_set(error, "the trace of rank %u does not begin with MPI_Init", number);
    /* A program may end without MPI_Finalize. */
    if (!loading.finished)
        loading.rank->seconds = (double)rc_trace_summary(trace)->end * 1e-9 - loading.began;
    if (!result)
        result = unfold_all(&loading, RC_PROGRAM_EVENTS_MAX - program->events);
    if (!result && (notes = rc_trace_notes(trace, &n_notes)))
        result = rc_skeleton_program_apply_notes(loading.rank, notes, n_notes, error);
    if (!result)
        result = rc_skeleton_program_drop_unsuccessful(loading.rank, &unsuccessful, error);
    loading.rank->speed = *rc_trace_speed(trace);
    rc_skeleton_map_destroy(loading.interned);
    free(loading.nodes);
    program->events += loading.rank->n_events;
    program->failed += loading.failed;
    program->unsuccessful += unsuccessful;
    program->seconds = fmax(program->seconds, loading.rank->seconds);
    return result;
}

static int open_rank(struct rc_program *program, const struct rc_trace_set *set, uint32_t number,
                     struct rc_error *error)
{
    struct rc_trace *trace = rc_trace_open(rc_trace_set_rank(set, number)->path, error);
    int result;

    if (!trace)
        return -1;
    result = read_rank(program, number, trace, error);
    rc_trace_close(trace);
    return result;
}

/* Calls of several threads come in no order that a skeleton could keep. */
static int check_threads(const struct rc_trace_set *set, struct rc_error *error)
{
    for (size_t i = 0; i < set->n_files; i++)
        if (set->files[i].thread != 0) {
            rc_error_set(error, "rank %u made MPI calls in more than one thread",
                         set->files[i].rank);
            return rc_error_hint(error, "skeletons support one thread that calls MPI");
        }
    return 0;
}

/* From the speeds of all ranks that of the program, and each rank's pace: means of the time that a
 * unit or a line takes. */
static void average_speed(struct rc_program *program)
{
    struct rc_trace_speed mean = {.samples = UINT64_MAX};
    double units = 0, lines[RC_TRACE_SPEED_SIZES] = {0};

    for (uint32_t i = 0; i < program->ranks; i++) {
        const struct rc_trace_speed *speed = &program->rank[i].speed;

        program->rank[i].speed_ratio = 1;
        mean.samples = speed->samples < mean.samples ? speed->samples : mean.samples;
        units += speed->samples ? 1 / speed->units : 0;
        for (int k = 0; k < RC_TRACE_SPEED_SIZES; k++)
            lines[k] += 1 / speed->lines[k]; /* infinite where it is not known of one */
    }
    if (mean.samples == 0)
        return;
    mean.units = program->ranks / units;
    for (int k = 0; k < RC_TRACE_SPEED_SIZES; k++)
        mean.lines[k] = program->ranks / lines[k];
    for (uint32_t i = 0; i < program->ranks; i++)
        program->rank[i].speed_ratio = program->rank[i].speed.units / mean.units;
    program->speed = mean;
}

static int read_all(struct rc_program *program, const struct rc_trace_set *set,
                    struct rc_error *error)
{
    const struct rc_trace_header *header;

    if (rc_trace_set_whole(set, error) || check_threads(set, error))
        return -1;
    header = &rc_trace_set_rank(set, 0)->header;
    memcpy(program->name, header->program, sizeof program->name);
    memcpy(program->mpi, header->mpi, sizeof program->mpi);
    program->status = set->about.status;
    program->rank = calloc(set->ranks, sizeof *program->rank);
    if (!program->rank)
        return rc_error_no_memory(error);
    program->ranks = set->ranks;
    for (uint32_t i = 0; i < program->ranks; i++)
        if (open_rank(program, set, i, error))
            return -1;
    average_speed(program);
    return rc_skeleton_program_share_footprints(program, error);
}

struct rc_program *rc_skeleton_program_read(const char *directory, struct rc_error *error)
{
    struct rc_trace_set *set = rc_trace_set_open(directory, error);
    struct rc_program *program;

    if (!set)
        return NULL;
    program = calloc(1, sizeof *program);
    if (!program) {
        rc_error_no_memory(error);
    } else if (read_all(program, set, error)) {
        rc_skeleton_program_destroy(program);
        program = NULL;
    }
    rc_trace_set_close(set);
    return program;
}

void rc_skeleton_program_destroy(struct rc_program *program)
{
    if (!program)
        return;
    for (uint32_t i = 0; program->rank && i < program->ranks; i++) {
        struct rc_program_rank *rank = program->rank + i;

        for (size_t c = 0; c < rank->n_calls; c++)
            free((void *)(uintptr_t)rank->calls[c].list);
        free(rank->calls);
        free(rank->positions);
        free(rank->spreads);
        free(rank->events);
    }
    free(program->rank);
    free(program);
}
