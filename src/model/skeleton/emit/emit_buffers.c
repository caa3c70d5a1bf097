// SPDX-License-Identifier: GPL-3.0-or-later
/* emit_buffers.c - how much memory the calls of each rank send from and receive into, and which
 * files they use. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"
#include "mpi/trace/trace.h"

#define FILE_REGION_MAX ((uint64_t)64 << 20) /* of a rank in a file, unless one call has more */

struct needed {
    uint64_t given, got;
};

struct file {
    uint32_t communicator;
    bool used;
};

/* What a rank does to a file. */
struct file_use {
    bool reads;
    uint64_t largest, total; /* bytes of one call, and of all */
};

struct buffers {
    struct emit *emit;
    struct needed *ranks;
    uint64_t *footprints; /* of the computing of each rank */
    uint64_t *slots;      /* [rank][slot] */
    struct file *files;
    struct file_use *file_calls; /* [file][rank] */
    double *file_reads;          /* bytes that each rank reads while it computes */
    bool *file_uses;
};

static uint64_t sum(const struct emit *emit, const struct rc_skeleton_plan_op *op, uint32_t first,
                    uint32_t n)
{
    uint64_t bytes = 0;

    for (uint32_t i = first; i < first + n && i < op->list_length; i++)
        bytes += (uint64_t)emit->plan->lists[op->list + i];
    return bytes;
}

static struct needed collective_needs(const struct rc_skeleton_plan_op *op, uint64_t n,
                                      bool is_root)
{
    uint64_t part = rc_skeleton_plan_part(op);
    struct needed needed = {part, part};

    switch (rc_trace_kind_blocking(op->kind)) {
    case RC_TRACE_Scatter:
        needed.given = is_root ? n * part : 0;
        break;
    case RC_TRACE_Gather:
        needed.got = is_root ? n * part : 0;
        break;
    case RC_TRACE_Reduce_scatter_block:
        needed.given = n * part;
        break;
    case RC_TRACE_Alltoall:
        needed.given = needed.got = n * part;
        break;
    case RC_TRACE_Allgather:
        needed.got = n * part;
        break;
    default:
        break;
    }
    return needed;
}

static struct needed neighbour_needs(const struct emit *emit, const struct rc_skeleton_plan_op *op,
                                     uint32_t here)
{
    const struct rc_plan_communicator *c = &emit->plan->communicators[op->communicator];
    uint32_t to = rc_skeleton_plan_destinations(c, here), from = rc_skeleton_plan_sources(c, here);
    struct needed needed = {to * op->out.bytes, from * op->in.bytes};

    if (rc_skeleton_plan_kind(op->kind).class == RC_PLAN_NEIGHBOURS_V)
        needed.got = sum(emit, op, op->list_length - from, from);
    if (rc_skeleton_plan_kind(op->kind).lists_given)
        needed.given = sum(emit, op, 0, to);
    return needed;
}

static struct needed needed_by(const struct emit *emit, uint32_t rank,
                               const struct rc_skeleton_plan_op *op)
{
    uint32_t n = emit->plan->communicators[op->communicator].n;
    uint32_t here = emit->rank_in[op->communicator * emit->plan->ranks + rank];
    enum rc_plan_class class = rc_skeleton_plan_kind(op->kind).class;
    uint64_t all = sum(emit, op, 0, n);
    bool is_root = op->root == (int32_t)here;

    switch (class) {
    case RC_PLAN_COLLECT:
        return collective_needs(op, n, is_root);
    case RC_PLAN_GATHER_V:
        return (struct needed){op->out.bytes, is_root ? all : 0};
    case RC_PLAN_SCATTER_V:
        return (struct needed){is_root ? all : 0, op->in.bytes};
    case RC_PLAN_ALLGATHER_V:
        return (struct needed){op->out.bytes, all};
    case RC_PLAN_ALLTOALL_V:
        return (struct needed){all, sum(emit, op, n, n)};
    case RC_PLAN_REDUCE_SCATTER:
        return (struct needed){all, all};
    case RC_PLAN_NEIGHBOURS:
    case RC_PLAN_NEIGHBOURS_V:
        return neighbour_needs(emit, op, here);
    case RC_PLAN_WAIT:
        return (struct needed){0, 0};
    case RC_PLAN_FILE:
        return (struct needed){rc_skeleton_plan_part(op), rc_skeleton_plan_part(op)};
    default:
        break;
    }
    if (op->kind == RC_TRACE_Sendrecv_replace)
        return (struct needed){0, rc_skeleton_plan_part(op)};
    return (struct needed){op->out.bytes, op->in.bytes};
}

static void add_needed(struct buffers *buffers, uint32_t rank, const struct rc_skeleton_plan_op *op)
{
    struct needed needed = needed_by(buffers->emit, rank, op), *own = &buffers->ranks[rank];
    uint64_t *got = &own->got;

    if (rc_skeleton_plan_kind(op->kind).request)
        got = &buffers->slots[(size_t)rank * buffers->emit->slots + (size_t)op->request];
    if (needed.given > own->given)
        own->given = needed.given;
    if (needed.got > *got)
        *got = needed.got;
}

/* Before a number of a table, of which there are ten in a line. */
static const char *separator(size_t place)
{
    if (place == 0)
        return "";
    return place % 10 ? ", " : ",\n    ";
}

/* A table of numbers by rank, of which one is every `step`. */
static void print_by_rank(struct emit *emit, const char *name, const uint64_t *numbers, size_t step)
{
    EMIT(emit, "static const int64_t %s[RANKS] = {", name);
    for (uint32_t i = 0; i < emit->plan->ranks; i++)
        EMIT(emit, "%s%" PRIu64, separator(i), numbers[i * step]);
    EMIT(emit, "};\n");
}

/* ---- files ---- */

static int add_file(struct buffers *buffers, uint32_t rank, const struct rc_skeleton_plan_op *op,
                    uint64_t times)
{
    struct file *file = &buffers->files[op->file];
    struct file_use *use =
        &buffers->file_calls[(size_t)op->file * buffers->emit->plan->ranks + rank];
    uint64_t bytes = rc_skeleton_plan_part(op);

    if (file->used && file->communicator != op->communicator)
        return rc_error_set(buffers->emit->error,
                            "file %" PRId32 " is used with different communicators", op->file);
    file->used = true;
    file->communicator = op->communicator;
    use->reads =
        use->reads || op->kind == RC_TRACE_File_read_at || op->kind == RC_TRACE_File_read_at_all;
    if (bytes > use->largest)
        use->largest = bytes;
    use->total += bytes * times;
    return 0;
}

/* The calls of a rank from `first` to before `end`, which are made so many times. */
static int add_calls(struct buffers *buffers, uint32_t rank, size_t first, size_t end,
                     uint64_t times)
{
    const struct rc_plan *plan = buffers->emit->plan;
    const struct rc_plan_rank *r = &plan->rank[rank];

    for (size_t i = first; i < end; i++) {
        const struct rc_loops_item *item = &r->items[i];
        const struct rc_plan_work *work;
        const struct rc_skeleton_plan_op *op;

        if (item->times) {
            if (add_calls(buffers, rank, i + 1, i + 1 + item->value, times * item->times))
                return -1;
            i += item->value;
            continue;
        }
        work = &plan->works[r->steps[item->value].work];
        buffers->file_reads[rank] += work->read * (double)times;
        if (rc_skeleton_emit_footprint(work) > buffers->footprints[rank])
            buffers->footprints[rank] = rc_skeleton_emit_footprint(work);
        if (work->read > 0 || work->written > 0)
            buffers->file_uses[rank] = true;
        op = rc_skeleton_plan_op(plan, &r->steps[item->value]);
        if (!op)
            continue;
        add_needed(buffers, rank, op);
        if (op->file >= 0 && rc_skeleton_plan_kind(op->kind).class == RC_PLAN_FILE &&
            add_file(buffers, rank, op, times))
            return -1;
    }
    return 0;
}

/* A rank goes through a part of the file of its own again and again. */
static uint64_t region_of(const struct file_use *use)
{
    uint64_t region = use->total < FILE_REGION_MAX ? use->total : FILE_REGION_MAX;

    return region > use->largest ? region : use->largest;
}

static void print_files(const struct buffers *buffers)
{
    struct emit *emit = buffers->emit;
    uint32_t n = emit->plan->files, ranks = emit->plan->ranks;

    EMIT(emit,
         "\n/* Files: who opens them, the bytes of each rank's region, and whether it "
         "reads them. */\n#define FILES %" PRIu32 "\n"
         "static const int file_communicator[FILES] = {",
         n);
    for (uint32_t i = 0; i < n; i++)
        EMIT(emit, "%s%" PRIu32, i ? ", " : "", buffers->files[i].communicator);
    EMIT(emit, "};\n#ifndef SMPI_H\nstatic const int64_t file_regions[FILES * RANKS] = {");
    for (uint32_t i = 0; i < n * ranks; i++)
        EMIT(emit, "%s%" PRIu64, separator(i), region_of(&buffers->file_calls[i]));
    EMIT(emit, "};\nstatic const char is_read[FILES * RANKS] = {");
    for (uint32_t i = 0; i < n * ranks; i++)
        EMIT(emit, "%s%d", separator(i), buffers->file_calls[i].reads);
    EMIT(emit, "};\n#endif\n");
}

static void print_file_bytes(const struct buffers *buffers)
{
    struct emit *emit = buffers->emit;

    EMIT(emit,
         "\n/* Does each rank use a separate file, and bytes that it "
         "reads of it. */\n#ifndef SMPI_H\n#define FILE_BYTES_MAX %" PRIu64 "\n"
         "static const int uses_file[RANKS] = {",
         FILE_REGION_MAX);
    for (uint32_t i = 0; i < emit->plan->ranks; i++)
        EMIT(emit, "%s%d", i ? ", " : "", buffers->file_uses[i]);
    EMIT(emit, "};\nstatic const int64_t file_bytes_read[RANKS] = {");
    for (uint32_t i = 0; i < emit->plan->ranks; i++)
        EMIT(emit, "%s%.0f", i ? ", " : "", buffers->file_reads[i]);
    EMIT(emit, "};\n#endif\n");
}

/* ---- tables ---- */

static void print_slots(const struct buffers *buffers)
{
    struct emit *emit = buffers->emit;
    struct rc_buffer index = RC_BUFFER_INIT(SIZE_MAX / 2);
    struct emit_set rows = {.n = 0};
    bool is_new;

    EMIT(emit,
         "\n/* What is received into each slot at most, for kinds of ranks. */\n"
         "#define SLOTS %" PRIu32 "\n"
         "static const int64_t slot_bytes[][SLOTS] = {\n",
         emit->slots);
    for (uint32_t i = 0; i < emit->plan->ranks; i++) {
        const uint64_t *row = buffers->slots + (size_t)i * emit->slots;
        int64_t place =
            rc_skeleton_emit_place(emit, &rows, row, emit->slots * sizeof *row, 1, &is_new);

        emit->failed = emit->failed || place < 0;
        rc_skeleton_emit_add(emit, &index, "%s%" PRId64,
                             i == 0   ? ""
                             : i % 20 ? ", "
                                      : ",\n    ",
                             place);
        for (uint32_t j = 0; is_new && j < emit->slots; j++)
            EMIT(emit, "%s%" PRIu64, j == 0 ? "    {" : j % 12 ? ", " : ",\n     ", row[j]);
        if (is_new)
            EMIT(emit, "},\n");
    }
    EMIT(emit, "};\nstatic const int slot_row[RANKS] = {%s};\n", index.data ? index.data : "");
    rc_skeleton_emit_set_free(&rows);
    rc_buffer_free(&index);
}

static void print_buffers(const struct buffers *buffers)
{
    struct emit *emit = buffers->emit;

    EMIT(emit, "\n/* Bytes that each rank gives and gets at once, at most. */\n");
    print_by_rank(emit, "most_given", &buffers->ranks->given, 2);
    print_by_rank(emit, "most_got", &buffers->ranks->got, 2);
    if (emit->footprints) {
        EMIT(emit, "#ifndef SMPI_H\n/* And of memory that it goes over. */\n");
        print_by_rank(emit, "most_footprint", buffers->footprints, 1);
        EMIT(emit, "#endif\n");
    }
    if (emit->requests)
        print_slots(buffers);
    if (emit->file_calls)
        print_files(buffers);
    if (emit->file_bytes)
        print_file_bytes(buffers);
}

int rc_skeleton_emit_buffers(struct emit *emit)
{
    const struct rc_plan *plan = emit->plan;
    struct buffers buffers = {.emit = emit};
    int status = -1;

    buffers.ranks = calloc(plan->ranks, sizeof *buffers.ranks);
    buffers.footprints = calloc(plan->ranks, sizeof *buffers.footprints);
    buffers.slots = calloc((size_t)plan->ranks * emit->slots + 1, sizeof *buffers.slots);
    buffers.files = calloc((size_t)plan->files + 1, sizeof *buffers.files);
    buffers.file_calls = calloc((size_t)plan->files * plan->ranks + 1, sizeof *buffers.file_calls);
    buffers.file_reads = calloc(plan->ranks, sizeof *buffers.file_reads);
    buffers.file_uses = calloc(plan->ranks, sizeof *buffers.file_uses);
    if (!buffers.ranks || !buffers.footprints || !buffers.slots || !buffers.files ||
        !buffers.file_calls || !buffers.file_reads || !buffers.file_uses)
        rc_error_no_memory(emit->error);
    else
        status = 0;
    for (uint32_t i = 0; status == 0 && i < plan->ranks; i++)
        status = add_calls(&buffers, i, 0, plan->rank[i].n_items, 1);
    if (status == 0)
        print_buffers(&buffers);
    free(buffers.ranks);
    free(buffers.footprints);
    free(buffers.slots);
    free(buffers.files);
    free(buffers.file_calls);
    free(buffers.file_reads);
    free(buffers.file_uses);
    return status;
}
