// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_clusters.c - calls as symbols: seconds for kinds of traces, at several thresholds.
 *
 * usage: bench-clusters [CALLS], of the trace with few kinds; 10000000 unless told.  The others,
 * in which hardly two calls are the same, have a tenth of that. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "model/skeleton/shrink/call_symbols.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Time steps of 24 exchanges with 6 neighbours, each of 4 sizes, and a reduction. */
static struct rc_cluster_call few_kinds(size_t i, struct rc_random *random)
{
    size_t call = i % 25;

    (void)random;
    if (call == 24)
        return (struct rc_cluster_call){.kind = 2, .peers = {-1, -1}, .bytes = {40, 40}};
    return (struct rc_cluster_call){.kind = 1,
                                    .peers = {(int32_t)(call / 4), -1},
                                    .bytes = {1000 * (1 + call % 4), 0}};
}

/* The sizes of messages grow a little each time. */
static struct rc_cluster_call rising_sizes(size_t i, struct rc_random *random)
{
    (void)random;
    return (struct rc_cluster_call){.kind = 1, .peers = {1, -1}, .bytes = {1000 + i, 0}};
}

/* Two sizes of all orders: hardly any is within reach of another. */
static struct rc_cluster_call two_sizes(size_t i, struct rc_random *random)
{
    struct rc_cluster_call call = {.kind = 1, .peers = {1, 2}};

    (void)i;
    for (int side = 0; side < 2; side++)
        call.bytes[side] = rc_random_below(random, UINT64_C(1) << rc_random_below(random, 50));
    return call;
}

/* As of one rank among many that sends to all of them. */
static struct rc_cluster_call many_peers(size_t i, struct rc_random *random)
{
    struct rc_cluster_call call = {.kind = 1, .peers = {(int32_t)i, -1}};

    call.bytes[0] = rc_random_below(random, 100000);
    return call;
}

/* All sizes are about the same, and no two are. */
static struct rc_cluster_call close_sizes(size_t i, struct rc_random *random)
{
    struct rc_cluster_call call = {.kind = 1, .peers = {1, 2}};

    (void)i;
    for (int side = 0; side < 2; side++)
        call.bytes[side] = 1000000 + rc_random_below(random, 1000000);
    return call;
}

static const struct kind {
    const char *name;
    struct rc_cluster_call (*call)(size_t i, struct rc_random *random);
    size_t fewer; /* calls, by this factor */
} KINDS[] = {
    {"few kinds", few_kinds, 1},          {"rising sizes", rising_sizes, 10},
    {"two sizes each", two_sizes, 10},    {"a peer for each", many_peers, 10},
    {"two close sizes", close_sizes, 10},
};

static int measure(const struct rc_cluster_call *calls, size_t n)
{
    static const double THRESHOLDS[] = {0, 0.02, 0.2};
    double begun;

    for (size_t k = 0; k < sizeof THRESHOLDS / sizeof *THRESHOLDS; k++) {
        struct rc_clusters clusters;

        begun = now();
        if (rc_skeleton_clusters_find(calls, n, THRESHOLDS[k], &clusters, NULL))
            return -1;
        printf(" %8.2f %8u", now() - begun, clusters.n_symbols);
        rc_skeleton_clusters_free(&clusters);
    }
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    size_t most = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 10000000;
    struct rc_cluster_call *calls = malloc((most + 1) * sizeof *calls);
    int failed = !calls;

    printf("Clustering calls: seconds and symbols, by threshold\n");
    printf("  %-16s %9s %17s %17s %17s\n", "trace", "calls", "0", "0.02", "0.2");
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS && !failed; k++) {
        struct rc_random *random = rc_random_create(1, 0);
        size_t n = most / KINDS[k].fewer;

        for (size_t i = 0; i < n; i++)
            calls[i] = KINDS[k].call(i, random);
        printf("  %-16s %9zu", KINDS[k].name, n);
        failed = measure(calls, n);
        rc_random_destroy(random);
    }
    free(calls);
    return failed ? 1 : 0;
}
