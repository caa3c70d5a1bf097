// SPDX-License-Identifier: GPL-3.0-or-later
/* compute_table.c - the table of computing. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"

/* The number of a distribution of times; 0 where all are alike. */
static uint32_t spread_of(struct emit *emit, const double *eighths)
{
    bool alike = true, is_new;
    int64_t place;

    for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
        alike = alike && eighths[i] > 0.9995 && eighths[i] < 1.0005;
    if (alike)
        return 0;
    place = rc_skeleton_emit_place(emit, &emit->spread_set, eighths,
                                   RC_PROGRAM_EIGHTHS * sizeof *eighths, 1, &is_new);
    if (is_new) {
        for (int i = 0; i < RC_PROGRAM_EIGHTHS; i++)
            rc_skeleton_emit_add(emit, &emit->spreads, "%s%.4g", i ? ", " : "    {", eighths[i]);
        rc_skeleton_emit_add(emit, &emit->spreads, "},\n");
    }
    emit->failed = emit->failed || place < 0;
    emit->spreads_used = true;
    return (uint32_t)place + 1;
}

static void add_work(struct emit *emit, const struct rc_plan_work *work)
{
    struct emit_work entry = {.work = *work};

    entry.spread = work->seconds > 0 ? spread_of(emit, work->spread) : 0;
    if (rc_buffer_add(&emit->works, &entry, sizeof entry))
        emit->failed = true;
}

int64_t rc_skeleton_emit_work(struct emit *emit, const struct emit_group *group,
                              const struct rc_plan_work *const *works, uint64_t times,
                              bool *differs)
{
    size_t size = sizeof(struct rc_plan_work);
    uint32_t n = 1;
    struct emit_work *entries;
    int64_t place;
    bool is_new;
    char *key;

    for (uint32_t i = 1; i < group->n; i++)
        if (memcmp(works[i], works[0], size) != 0)
            n = group->n;
    *differs = n > 1;
    key = malloc(sizeof group->ranks[0] + n * size);
    if (!key)
        return rc_error_no_memory(emit->error);
    memcpy(key, &group->ranks[0], sizeof group->ranks[0]); /* each group has its own */
    for (uint32_t i = 0; i < n; i++)
        memcpy(key + sizeof group->ranks[0] + i * size, works[i], size);
    place = rc_skeleton_emit_place(emit, &emit->work_set, key, sizeof group->ranks[0] + n * size, n,
                                   &is_new);
    free(key);
    for (uint32_t i = 0; place >= 0 && is_new && i < n; i++)
        add_work(emit, works[i]);
    if (place < 0 || emit->failed)
        return -1;
    entries = (struct emit_work *)(void *)emit->works.data;
    for (uint32_t i = 0; i < n; i++)
        entries[(size_t)place + 1 + i].times += times;
    return place + 1; /* the first is for what does nothing */
}

static void add_line(struct emit *emit, const struct emit_work *entry, size_t number)
{
    EMIT(emit, "    {%.9g", entry->work.seconds);
    if (emit->spreads_used)
        EMIT(emit, ", %u, %u", (unsigned)entry->spread,
             (unsigned)(entry->times > UINT32_MAX ? UINT32_MAX : entry->times));
    if (emit->footprints)
        EMIT(emit, ", %.0f", (double)rc_skeleton_emit_footprint(&entry->work));
    if (emit->file_bytes)
        EMIT(emit, ", %.9g, %.9g", entry->work.read, entry->work.written);
    EMIT(emit, "}, /* %zu */\n", number);
}

void rc_skeleton_emit_works(struct emit *emit)
{
    size_t n = emit->works.length / sizeof(struct emit_work);

    EMIT(emit,
         "\n/* Computing before calls%s. */\nstruct work {\n    double seconds; /* on "
         "the traced machine */\n",
         emit->spreads_used ? ", and the distribution of its times" : "");
    if (emit->spreads_used)
        EMIT(emit, "    int spread;     /* its line of `spreads`; 0: all are equal */\n"
                   "    uint32_t times; /* in one run */\n");
    if (emit->footprints)
        EMIT(emit, "    double footprint; /* bytes of memory; 0: unknown */\n");
    if (emit->file_bytes)
        EMIT(emit, "    double read, written; /* bytes of files */\n");
    EMIT(emit, "};\nstatic const struct work works[%zu] = {\n", n);
    for (size_t i = 0; i < n; i++)
        add_line(emit, (const struct emit_work *)(const void *)emit->works.data + i, i);
    EMIT(emit, "};\n");
    if (!emit->spreads_used)
        return;
    EMIT(emit,
         "\n/* Means of the eighths of the times, shortest first, relative to the "
         "mean of all. */\n"
         "static const double spreads[][8] = {\n    {1, 1, 1, 1, 1, 1, 1, 1},\n%s};\n"
         "\n/* State of the random order of times. */\nstatic struct {\n"
         "    uint32_t done, order;\n} orders[%zu];\n",
         emit->spreads.data, n);
}
