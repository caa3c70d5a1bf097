// SPDX-License-Identifier: BSD-2-Clause
/* rank_speed.c - the speed and the place of a rank that is not simulated (else: simulated.c). */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/preload/recorder_internal.h"
#include "base/compute_kernel.h"
#include "mpi/trace/compute_notes.h"

enum {
    SAMPLE = 32768, /* units: some 50 us */
    WARM = 2048,    /* units before that: code and clock are far from the core after computing */
    ENOUGH = 16     /* samples */
};

static struct {
    uint64_t moments; /* up to the last sample */
    uint64_t samples;
    uint64_t spent; /* ns of CPU time */
} speed;

/* The thread's CPU clock after it. */
static uint64_t take_sample(void)
{
    uint64_t first, start, end, reading;

    kernel_spin(WARM);
    first = rc_preload_clock(CLOCK_THREAD_CPUTIME_ID);
    start = rc_preload_clock(CLOCK_THREAD_CPUTIME_ID);
    kernel_spin(SAMPLE);
    end = rc_preload_clock(CLOCK_THREAD_CPUTIME_ID);
    reading = start - first;
    speed.spent += end - start > 2 * reading ? end - start - reading : end - start;
    speed.samples++;
    return end;
}

void rc_preload_speed_sample(struct rc_preload_thread *thread, uint64_t now)
{
    uint64_t moments = 1 + (now - rc_preload_began) / RC_PRELOAD_SPEED_EVERY;

    if (moments == speed.moments)
        return;
    speed.moments = moments;
    thread->cpu = take_sample();
    thread->cpu_at = rc_preload_now();
}

/* Lines a second, once that memory has been gone over. */
static double measure_lines(uint64_t *memory, uint64_t bytes)
{
    uint64_t lines = bytes / 64, start;

    kernel_sweep(memory, bytes, lines);
    start = rc_preload_clock(CLOCK_THREAD_CPUTIME_ID);
    kernel_sweep(memory, bytes, lines);
    return (double)lines /
           (1e-9 * (double)(rc_preload_clock(CLOCK_THREAD_CPUTIME_ID) - start) + 1e-9);
}

/* Up to the first size that is no smaller than the footprint. */
static void measure_memory(struct rc_trace_speed *found, uint64_t footprint)
{
    uint64_t most = RC_TRACE_SPEED_LEAST, bytes = RC_TRACE_SPEED_LEAST;
    uint64_t *memory;
    int sizes = 1;

    for (; most < footprint && sizes < RC_TRACE_SPEED_SIZES; sizes++)
        most *= RC_TRACE_SPEED_STEP;
    memory = malloc(most);
    if (!memory)
        return;
    memset(memory, 0, most);
    for (int i = 0; i < sizes; i++, bytes *= RC_TRACE_SPEED_STEP)
        found->lines[i] = measure_lines(memory, bytes);
    free(memory);
}

void rc_preload_speed_write(struct rc_trace_writer *writer, uint64_t footprint)
{
    struct rc_trace_speed found = {0};

    while (speed.samples < ENOUGH)
        take_sample();
    if (speed.spent == 0)
        return; /* the clock stands still */
    found.samples = speed.samples;
    found.units = (double)speed.samples * SAMPLE / (1e-9 * (double)speed.spent);
    if (footprint > 0)
        measure_memory(&found, footprint);
    rc_trace_writer_speed(writer, &found);
}

/* ---- where a program runs, and by which clock ---- */

void rc_preload_place(struct rc_trace_header *header)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    snprintf(header->clock, sizeof header->clock, "CLOCK_MONOTONIC");
    if (gethostname(header->host, sizeof header->host - 1) != 0)
        header->host[0] = '\0';
    path[length > 0 ? length : 0] = '\0';
    snprintf(header->program, sizeof header->program, "%.255s", path);
}
