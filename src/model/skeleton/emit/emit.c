// SPDX-License-Identifier: GPL-3.0-or-later
/* emit.c - puts a program together: an opening, tables, the texts of program/, and the ranks'
 * programs. */
#include "model/skeleton/emit/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <skeleton_texts.h>

#include "base/error.h"
#include "base/text.h"
#include "model/skeleton/shrink/shrink.h"
#include "model/skeleton/compose/plan_check.h"
#include "model/skeleton/emit/emit_internal.h"
#include "mpi/trace/trace.h"

/* ---- the opening ---- */

/* Text that ends no comment. */
static void comment_text(const char *text, char *clean, size_t size)
{
    snprintf(clean, size, "%s", text);
    rc_text_mend_cut(clean, size);
    rc_text_clean(clean, strlen(clean));
    for (char *at = clean; *at; at++)
        if (at[0] == '*' && at[1] == '/')
            at[0] = '?';
}

static void program_name(const char *text, size_t length, char name[RC_EMIT_NAME])
{
    snprintf(name, RC_EMIT_NAME, "%.*s", length < RC_EMIT_NAME ? (int)length : RC_EMIT_NAME, text);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            *at = '_';
    if (!*name)
        snprintf(name, RC_EMIT_NAME, "skeleton");
}

void rc_skeleton_emit_name(const char *path, char name[RC_EMIT_NAME])
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t length = strlen(file);

    program_name(file, length > 2 && strcmp(file + length - 2, ".c") == 0 ? length - 2 : length,
                 name);
}

static void add_notes(struct emit *emit)
{
    const char *at = emit->options->notes;
    char line[512], clean[512];

    while (at && *at) {
        size_t length = strcspn(at, "\n");

        snprintf(line, sizeof line, "%.*s", (int)length, at);
        comment_text(line, clean, sizeof clean);
        EMIT(emit, " * %s\n", clean);
        at += length + (at[length] == '\n');
    }
}

static void add_reproduced(struct emit *emit)
{
    EMIT(emit, " * Reproduced: MPI calls of each rank and their order, partners, and bytes;\n"
               " * computing time between calls");
    if (emit->spreads_used)
        EMIT(emit, ", and its distribution over the iterations");
    if (emit->footprints)
        EMIT(emit, ";\n * memory that it uses");
    if (emit->file_bytes || emit->file_calls)
        EMIT(emit, ";\n * bytes of files that are read and written");
    EMIT(emit,
         ".\n * Not reproduced: computed values and contents of messages; datatypes, operations, "
         "and addresses\n * of messages; behaviour that depends on timing.\n");
}

static void add_opening(struct emit *emit, const char *name)
{
    const struct rc_plan *plan = emit->plan;
    double seconds = plan->ratio > 0 ? plan->original_seconds / plan->ratio : 0;
    char program[256], mpi[256];

    comment_text(plan->program, program, sizeof program);
    comment_text(plan->mpi, mpi, sizeof mpi);
    EMIT(emit,
         "/* %s.c - " RC_EMIT_MARK " by runcast.\n *\n"
         " * Program: %s\n * Traced with: %s, %" PRIu32 " processes, %.6g s\n",
         name, program, mpi, plan->ranks, plan->original_seconds);
    EMIT(emit,
         " * Ratio K = %.6g: if the skeleton takes t seconds, the program takes about K * t.\n",
         plan->ratio);
    if (plan->shortest_seconds > 0)
        EMIT(emit,
             " * The shortest good skeleton takes about %.3g s: it has %d "
             "iterations of the main loop.\n * Target time of this one: %.3g s%s.\n",
             plan->shortest_seconds, RC_SHRINK_GOOD, seconds,
             rc_skeleton_shrink_is_short(seconds, plan->shortest_seconds)
                 ? ", too short to be reliable"
                 : "");
    EMIT(emit,
         " *\n *     mpicc -O2 -o %s %s.c       (SimGrid: smpicc)\n"
         " *     mpirun -np %" PRIu32 " ./%s    prints one line of JSON; see --help\n *\n",
         name, name, plan->ranks, name);
    add_reproduced(emit);
    add_notes(emit);
    EMIT(emit,
         " *\n * Made by runcast %s.  You may use it as you like, under the "
         "BSD-2-Clause licence of its\n * fixed parts.\n *\n"
         " * SPDX-License-Identifier: BSD-2-Clause */\n",
         RC_VERSION);
}

static void add_includes(struct emit *emit)
{
    EMIT(emit,
         "#define _XOPEN_SOURCE 700\n#include <mpi.h>\n\n%s#include <limits.h>\n"
         "#include <stdarg.h>\n#include <stdint.h>\n"
         "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n%s\n"
         "#ifndef __OPTIMIZE__\n#error \"compile with -O2: the speed of the kernel is that of "
         "optimised code\"\n#endif\n\n",
         emit->file_bytes ? "#include <errno.h>\n" : "",
         emit->file_bytes || emit->file_calls ? "#include <unistd.h>\n" : "");
}

static void add_constants(struct emit *emit, const char *name)
{
    const struct rc_emit_options *options = emit->options;

    EMIT(emit,
         "#define NAME \"%s\"\n#define RANKS %" PRIu32 "\n#define RATIO (double)%.10g\n"
         "#define ORIGINAL (double)%.10g /* s, the program itself */\n"
         "#define SHORTEST (double)%.10g /* s, the shortest good skeleton; 0: unknown */\n",
         name, emit->plan->ranks, emit->plan->ratio, emit->plan->original_seconds,
         emit->plan->shortest_seconds);
    EMIT(emit,
         "\n/* Speed of the traced machine: units of the kernel below per second%s. */\n#define "
         "UNITS_PER_SECOND %.6g\n",
         emit->footprints ? ",\n * and lines of memory, by footprint: LEAST_FOOTPRINT, and "
                            "each twice the one before"
                          : "",
         options->speed.units);
    EMIT(emit,
         "/* For SimGrid, where nothing is computed, in flop/s. */\n"
         "#ifndef SKELETON_FLOPS\n#define SKELETON_FLOPS %.10g\n#endif\n"
         "static double flops = SKELETON_FLOPS;\n",
         options->flops > 0 ? options->flops : RC_EMIT_FLOPS);
    if (!emit->footprints)
        return;
    EMIT(emit,
         "#ifndef SMPI_H\n#define LEAST_FOOTPRINT %.0f\n#define FOOTPRINTS %d\n"
         "static const double footprint_speeds[FOOTPRINTS] = {",
         RC_KERNEL_LEAST_FOOTPRINT, RC_KERNEL_FOOTPRINTS);
    for (int i = 0; i < RC_KERNEL_FOOTPRINTS; i++)
        EMIT(emit, "%s%.4g", i == 0 ? "\n    " : i % 8 ? ", " : ",\n    ", options->speed.lines[i]);
    EMIT(emit, "};\n#endif\n");
}

/* ---- tables ---- */

static void add_kinds(struct emit *emit)
{
    size_t n = 0;

    EMIT(emit, "\nenum kind {\n");
    for (int i = 0; i < RC_TRACE_KIND_COUNT; i++)
        if (emit->used[i]) {
            EMIT(emit, "    K_%s,\n", rc_trace_kind_info((unsigned)i)->name + 4);
            n++;
        }
    if (n == 0)
        EMIT(emit, "    K_none,\n");
    EMIT(emit, "};\nstatic const char *const kind_names[] = {\n");
    for (int i = 0; i < RC_TRACE_KIND_COUNT; i++)
        if (emit->used[i])
            EMIT(emit, "    \"%s\",\n", rc_trace_kind_info((unsigned)i)->name);
    if (n == 0)
        EMIT(emit, "    \"none\",\n");
    EMIT(emit, "};\n#define KINDS %zu\n", n ? n : 1);
}

static void add_list(struct emit *emit, const uint32_t *numbers, uint32_t n, size_t *written)
{
    for (uint32_t i = 0; i < n; i++, ++*written) {
        EMIT(emit, "%s", *written == 0 ? "" : *written % 20 ? ", " : ",\n    ");
        if (numbers[i] == (uint32_t)RC_TRACE_NULL)
            EMIT(emit, "MPI_PROC_NULL");
        else
            EMIT(emit, "%" PRIu32, numbers[i]);
    }
}

static void add_communicators(struct emit *emit)
{
    const struct rc_plan *plan = emit->plan;
    uint32_t place = 0;
    size_t written = 0;

    EMIT(emit,
         "\n/* The members of communicator c are the ranks at member_first[c] and "
         "on. */\n#define COMMUNICATORS %zu\nstatic const int members[] = {",
         plan->n_communicators);
    for (size_t i = 0; i < plan->n_communicators; i++)
        add_list(emit, plan->communicators[i].members, plan->communicators[i].n, &written);
    EMIT(emit, "};\nstatic const int member_first[] = {");
    written = 0;
    add_list(emit, &place, 1, &written);
    for (size_t i = 0; i < plan->n_communicators; i++) {
        place += plan->communicators[i].n;
        add_list(emit, &place, 1, &written);
    }
    EMIT(emit, "};\n");
}

/* For each rank its destinations and then its sources. */
static void add_neighbours(struct emit *emit)
{
    const struct rc_plan *plan = emit->plan;
    struct rc_buffer first = RC_BUFFER_INIT(SIZE_MAX / 2), at = RC_BUFFER_INIT(SIZE_MAX / 2);
    size_t written = 0, n_first = 0;

    EMIT(emit, "\n/* The destinations of rank r of communicator c, and then its sources, "
               "are at\n * neighbour_first[neighbour_place[c] + 2 * r] and on. */\n"
               "static const int neighbours[] = {");
    for (size_t i = 0; i < plan->n_communicators; i++) {
        const struct rc_plan_communicator *c = &plan->communicators[i];

        rc_skeleton_emit_add(emit, &at, "%s%d", i ? ", " : "", c->source_first ? (int)n_first : -1);
        for (uint32_t j = 0; c->source_first && j < c->n; j++) {
            rc_skeleton_emit_add(emit, &first, "%zu, ", written);
            add_list(emit, c->destinations + c->destination_first[j],
                     rc_skeleton_plan_destinations(c, j), &written);
            rc_skeleton_emit_add(emit, &first, "%zu,%s", written, j % 8 == 7 ? "\n    " : " ");
            add_list(emit, c->sources + c->source_first[j], rc_skeleton_plan_sources(c, j),
                     &written);
            n_first += 2;
        }
        if (c->source_first) {
            rc_skeleton_emit_add(emit, &first, "%zu,\n    ", written);
            n_first++;
        }
    }
    EMIT(emit,
         "%s};\nstatic const int neighbour_first[] = {\n    %s};\n"
         "static const int neighbour_place[] = {%s};\n",
         written ? "" : "0", first.data ? first.data : "0", at.data ? at.data : "");
    rc_buffer_free(&first);
    rc_buffer_free(&at);
}

static void add_numbers(struct emit *emit)
{
    bool places = false;

    if (emit->n_numbers == 0 && !emit->most_awaited) /* lists of others may all be empty */
        rc_skeleton_emit_add(emit, &emit->numbers, "0");
    for (int i = 0; i < RC_TRACE_KIND_COUNT; i++) {
        enum rc_plan_class class = rc_skeleton_plan_kind((unsigned)i).class;

        if (emit->used[i])
            places = places || class == RC_PLAN_GATHER_V || class == RC_PLAN_SCATTER_V ||
                     class == RC_PLAN_ALLGATHER_V || class == RC_PLAN_ALLTOALL_V ||
                     class == RC_PLAN_NEIGHBOURS_V;
    }
    if (!places && !emit->awaits_lists && !emit->used[RC_TRACE_Reduce_scatter] &&
        !emit->used[RC_TRACE_Ireduce_scatter])
        return;
    EMIT(emit,
         "\n/* Lists: slots of MPI_Waitall and the like; bytes for each rank%s. "
         "*/\nstatic const int numbers[] = {\n    %s};\n",
         places ? ", and their places" : "", emit->n_numbers ? emit->numbers.data : "0");
    if (places)
        EMIT(emit, "static const int places[] = {\n    %s};\n",
             emit->n_numbers ? emit->places.data : "0");
    if (emit->awaits_lists)
        EMIT(emit, "#define MOST_AWAITED %" PRIu32 "\n",
             emit->most_awaited ? emit->most_awaited : 1);
}

static void add_long_programs(struct emit *emit)
{
    if (!emit->table)
        return;
    rc_skeleton_emit_functions(emit);
    EMIT(emit,
         "struct call {\n    enum function function;\n"
         "    int64_t arguments[%d];\n};\nstatic const struct call calls[] = {\n",
         EMIT_ARGUMENTS);
    EMIT(emit,
         "%s};\n\nstruct item {\n    int times, value, value_differs, work, "
         "work_differs;\n};\nstatic const struct item items[] = {\n",
         emit->calls.data ? emit->calls.data : "");
    EMIT(emit, "%s};\n\n", emit->items.data ? emit->items.data : "");
    rc_skeleton_emit_perform(emit);
    rc_skeleton_emit_text(emit, text_table);
}

static void add_choice(struct emit *emit)
{
    EMIT(emit, "static void run_program(void)\n{\n    switch (rank) {\n");
    for (uint32_t i = 0; i < emit->n_groups; i++) {
        const struct emit_group *group = &emit->groups[i];

        for (uint32_t j = 0; j < group->n; j++)
            EMIT(emit,
                 "    case %" PRIu32 ":\n        me = %" PRIu32 ";\n"
                 "        program_%" PRIu32 "();\n        break;\n",
                 group->ranks[j], j, i);
    }
    EMIT(emit, "    }\n}\n");
}

/* ---- all of it ---- */

static int find_ranks(struct emit *emit)
{
    const struct rc_plan *plan = emit->plan;

    emit->rank_in = malloc(plan->n_communicators * plan->ranks * sizeof *emit->rank_in);
    if (!emit->rank_in)
        return rc_error_no_memory(emit->error);
    memset(emit->rank_in, 0xff, plan->n_communicators * plan->ranks * sizeof *emit->rank_in);
    for (size_t i = 0; i < plan->n_communicators; i++)
        for (uint32_t j = 0; j < plan->communicators[i].n; j++)
            emit->rank_in[i * plan->ranks + plan->communicators[i].members[j]] = j;
    return 0;
}

static int put_together(struct emit *emit)
{
    char name[RC_EMIT_NAME];

    program_name(emit->options->name ? emit->options->name : "", RC_EMIT_NAME, name);
    add_opening(emit, name);
    add_includes(emit);
    add_constants(emit, name);
    add_kinds(emit);
    add_communicators(emit);
    if (emit->neighbours)
        add_neighbours(emit);
    add_numbers(emit);
    if (emit->large)
        EMIT(emit, "#define LARGE_SIZES %" PRIu32 "\n", emit->n_large);
    if (rc_skeleton_emit_buffers(emit))
        return -1;
    rc_skeleton_emit_works(emit);
    EMIT(emit, "\n#ifndef SMPI_H");
    rc_skeleton_emit_text(emit, text_compute_kernel);
    EMIT(emit, "#endif\n");
    rc_skeleton_emit_text(emit, text_files);
    rc_skeleton_emit_text(emit, text_runtime);
    rc_skeleton_emit_text(emit, text_computing);
    rc_skeleton_emit_text(emit, text_point_to_point);
    rc_skeleton_emit_text(emit, text_collectives);
    if (emit->neighbours)
        rc_skeleton_emit_text(emit, text_neighbours);
    EMIT(emit, "/* ---- the programs of the ranks ---- */\n\n");
    if (emit->rows.length > 0)
        EMIT(emit, "/* Values that differ between ranks. */\n");
    EMIT(emit, "%s\n", emit->rows.data ? emit->rows.data : "");
    add_long_programs(emit);
    EMIT(emit, "%s", emit->programs.data ? emit->programs.data : "");
    add_choice(emit);
    rc_skeleton_emit_text(emit, text_main);
    return 0;
}

static void clean_up(struct emit *emit)
{
    for (uint32_t i = 0; emit->groups && i < emit->n_groups; i++)
        free(emit->groups[i].ranks);
    free(emit->groups);
    free(emit->group_of);
    free(emit->index_of);
    free(emit->rank_in);
    free(emit->tags);
    rc_skeleton_emit_set_free(&emit->lists);
    rc_skeleton_emit_set_free(&emit->work_set);
    rc_skeleton_emit_set_free(&emit->spread_set);
    rc_skeleton_emit_set_free(&emit->call_set);
    rc_skeleton_emit_set_free(&emit->row_set);
}

int rc_skeleton_plan_emit(const struct rc_plan *plan, const struct rc_emit_options *options,
                          struct rc_buffer *out, struct rc_error *error)
{
    struct emit emit = {.plan = plan, .options = options, .error = error, .out = out};
    struct rc_buffer *const own[] = {&emit.numbers, &emit.places, &emit.works, &emit.spreads,
                                     &emit.calls,   &emit.rows,   &emit.items, &emit.programs};
    int status = -1;

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        own[i]->maximum = SIZE_MAX / 2;
    if (rc_skeleton_plan_well_formed(plan, error))
        return -1;
    if (find_ranks(&emit) == 0 && rc_skeleton_emit_find_features(&emit) == 0 &&
        rc_skeleton_emit_find_groups(&emit) == 0 && rc_skeleton_emit_programs(&emit) == 0)
        status = put_together(&emit);
    if (status == 0 && emit.failed)
        status = rc_error_set(error, "the program is too long, or out of memory");
    clean_up(&emit);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        rc_buffer_free(own[i]);
    return status;
}
