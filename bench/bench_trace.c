// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_trace.c - what recording a call costs, in time, memory and bytes of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mpi/trace/reader.h"
#include "mpi/trace/writer.h"

static double now(void)
{
    struct rc_clock *clock = rc_clock_system();

    return clock->monotonic(clock);
}

struct program {
    struct rc_trace_writer *writer; /* or NULL, to see what making the calls up costs */
    uint64_t calls;
    uint64_t clock;
    uint64_t state;
};

static uint64_t draw(struct program *program)
{
    program->state ^= program->state << 13;
    program->state ^= program->state >> 7;
    program->state ^= program->state << 17;
    return program->state >> 20;
}

static void call(struct program *program, unsigned kind, int32_t peer, uint64_t count)
{
    struct rc_trace_call it = RC_TRACE_CALL_INIT(kind);
    uint64_t random = draw(program), start = program->clock + 400 + (random & 1023);

    it.message = (struct rc_trace_message){.count = count, .size = 8, .peer = peer, .tag = 5};
    program->clock = start + 600 + (random >> 12 & 2047);
    if (program->writer)
        rc_trace_writer_add(program->writer, &it, start, program->clock, random & 1 ? 400 : -1, 0);
    else
        __asm__ volatile("" : : "r"(&it) : "memory");
    program->calls++;
}

/* Each of these goes round once. */

static void one_call(struct program *program)
{
    call(program, RC_TRACE_Send, 1, 100);
}

static void like_lu(struct program *program)
{
    for (int k = 0; k < 31; k++) {
        call(program, RC_TRACE_Recv, 1, 165);
        call(program, RC_TRACE_Recv, 2, 165);
        call(program, RC_TRACE_Send, 3, 165);
    }
    for (int k = 0; k < 31; k++) {
        call(program, RC_TRACE_Recv, 3, 165);
        call(program, RC_TRACE_Send, 1, 165);
        call(program, RC_TRACE_Send, 2, 165);
    }
    for (int i = 0; i < 4; i++) {
        call(program, RC_TRACE_Irecv, i, 1000);
        call(program, RC_TRACE_Send, i, 1000);
        call(program, RC_TRACE_Wait, RC_TRACE_NONE, 0);
    }
    call(program, RC_TRACE_Allreduce, RC_TRACE_NONE, 5);
}

static void short_loops(struct program *program)
{
    call(program, RC_TRACE_Send, 1, 1);
    call(program, RC_TRACE_Send, 1, 1);
    call(program, RC_TRACE_Recv, 1, 1);
}

static void long_body(struct program *program)
{
    for (int i = 0; i < 2000; i++)
        call(program, RC_TRACE_Send, i, 1);
}

static void with_breaks(struct program *program)
{
    for (int i = 0; i < 37; i++)
        call(program, RC_TRACE_Send, i, 1);
    if (draw(program) % 10 == 0)
        call(program, RC_TRACE_Recv, 3, draw(program) % 1000);
}

static void random_peers(struct program *program)
{
    call(program, RC_TRACE_Send, (int32_t)(draw(program) % 20), 1);
}

static void random_sizes(struct program *program)
{
    call(program, RC_TRACE_Send, 1, draw(program) % (1 << 24));
}

static const struct {
    const char *name;
    void (*round)(struct program *program);
} programs[] = {
    {"one call, again and again", one_call},        {"like LU of the NAS benchmarks", like_lu},
    {"loops of two in a loop", short_loops},        {"a body of 2000 calls", long_body},
    {"37 calls, broken now and then", with_breaks}, {"random peers out of 20", random_peers},
    {"random sizes, never the same", random_sizes},
};

static double run(struct program *program, void (*round)(struct program *program), uint64_t calls)
{
    double start = now();

    program->state = 88172645463325252u;
    while (program->calls < calls)
        round(program);
    return (now() - start) / (double)program->calls;
}

static void measure(size_t which, uint64_t calls, const char *path)
{
    struct rc_trace_header header = {.rank = 0, .ranks = 4};
    struct program bare = {0}, recorded = {0};
    struct rc_trace_summary summary;
    struct rusage usage;
    struct rc_error error;
    double without, with;

    recorded.writer = rc_trace_writer_create(path, &header, NULL, &error);
    if (!recorded.writer) {
        puts(error.text);
        exit(1);
    }
    without = run(&bare, programs[which].round, calls);
    with = run(&recorded, programs[which].round, calls);
    getrusage(RUSAGE_SELF, &usage);
    if (rc_trace_writer_finish(recorded.writer, recorded.clock, &error) != 0 ||
        rc_trace_check(path, &summary, &error) != 0 || summary.calls != recorded.calls) {
        puts(error.text);
        exit(1);
    }
    printf("  %-30s %10.0e %9.1f %12llu %10.4f %8.1f\n", programs[which].name, (double)calls,
           (with - without) * 1e9, (unsigned long long)summary.bytes,
           (double)summary.bytes / (double)recorded.calls, (double)usage.ru_maxrss / 1024);
}

/* In a process of its own, for the memory. */
static int measure_apart(size_t which, uint64_t calls, const char *path)
{
    pid_t child;
    int status = 1;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        measure(which, calls, path);
        exit(0);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    unlink(path);
    return status;
}

int main(int argc, char **argv)
{
    const char *directory = getenv("TMPDIR");
    char path[256];
    double most = argc > 1 ? atof(argv[1]) : 1e7;
    int status = 0;

    snprintf(path, sizeof path, "%s/bench-trace.%ld", directory ? directory : "/tmp",
             (long)getpid());
    puts("Recording (our bars: 200 ns a call; LU-like, 10^5 calls, 64 KiB; 10^8 calls, 64 MiB)");
    printf("  %-30s %10s %9s %12s %10s %8s\n", "program", "calls", "ns/call", "bytes", "bytes/call",
           "MiB");
    for (size_t i = 0; i < sizeof programs / sizeof *programs && status == 0; i++)
        status = measure_apart(i, i < 4 ? (uint64_t)most : (uint64_t)(most / 4), path);
    if (status == 0)
        status = measure_apart(1, 100000, path);
    return status != 0;
}
