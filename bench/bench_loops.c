// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_loops.c - folding strings into loops: seconds and memory for kinds of strings, and how both
 * grow when the string is twice as long.
 *
 * usage: bench-loops [SYMBOLS], of the longer strings; 10000000 unless told. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "model/skeleton/loops/loops.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fill_one_symbol(uint32_t *string, size_t n, struct rc_random *random)
{
    (void)random;
    for (size_t i = 0; i < n; i++)
        string[i] = 7;
}

static void fill_random(uint32_t *string, size_t n, struct rc_random *random, uint64_t symbols)
{
    for (size_t i = 0; i < n; i++)
        string[i] = (uint32_t)rc_random_below(random, symbols);
}

static void fill_two(uint32_t *string, size_t n, struct rc_random *random)
{
    fill_random(string, n, random, 2);
}

static void fill_hundred(uint32_t *string, size_t n, struct rc_random *random)
{
    fill_random(string, n, random, 100);
}

static void fill_distinct(uint32_t *string, size_t n, struct rc_random *random)
{
    (void)random;
    for (size_t i = 0; i < n; i++)
        string[i] = (uint32_t)i;
}

/* Each word is the last followed by the one before: runs of all sizes, everywhere. */
static void fill_fibonacci(uint32_t *string, size_t n, struct rc_random *random)
{
    size_t shorter = 1, longer = 2;

    (void)random;
    string[0] = 0;
    string[1] = 1;
    while (longer < n) {
        size_t more = shorter < n - longer ? shorter : n - longer;

        for (size_t i = 0; i < more; i++)
            string[longer + i] = string[i];
        shorter = longer;
        longer += more;
    }
}

/* No three equal blocks in a row, but pairs of all sizes of powers of two. */
static void fill_thue_morse(uint32_t *string, size_t n, struct rc_random *random)
{
    (void)random;
    for (size_t i = 0; i < n; i++)
        string[i] = (uint32_t)__builtin_popcountll(i) & 1;
}

/* Time steps of 4 exchanges of 12 calls, a reduction in each, a norm every 20. */
static size_t nest_step(uint32_t *string, size_t n, size_t step)
{
    size_t at = 0;

    for (uint32_t exchange = 0; exchange < 4; exchange++)
        for (uint32_t call = 0; call < 12 && at < n; call++)
            string[at++] = 10 + call / 3;
    if (at < n)
        string[at++] = 1;
    if (step % 20 == 19 && at < n)
        string[at++] = 2;
    return at;
}

static void fill_nest(uint32_t *string, size_t n, struct rc_random *random)
{
    (void)random;
    for (size_t at = 0, step = 0; at < n; step++)
        at += nest_step(string + at, n - at, step);
}

/* The same, with a call that does not belong about every 3000. */
static void fill_broken_nest(uint32_t *string, size_t n, struct rc_random *random)
{
    fill_nest(string, n, random);
    for (size_t at = 0; at < n; at += 1 + rc_random_below(random, 6000))
        string[at] = 100 + (uint32_t)rc_random_below(random, 5);
}

/* As NPB LU: in each time step two sweeps over 100 planes, each with two receives and two sends, an
 * exchange of faces, and norms every 50 steps. */
static size_t lu_step(uint32_t *string, size_t n, size_t step)
{
    size_t at = 0;

    for (uint32_t sweep = 0; sweep < 2; sweep++)
        for (uint32_t call = 0; call < 400 && at < n; call++)
            string[at++] = 10 * (1 + sweep) + call % 4;
    for (uint32_t call = 0; call < 12 && at < n; call++)
        string[at++] = 30 + call % 6;
    for (uint32_t call = 0; step % 50 == 49 && call < 5 && at < n; call++)
        string[at++] = 40;
    return at;
}

static void fill_lu(uint32_t *string, size_t n, struct rc_random *random)
{
    (void)random;
    for (size_t at = 0, step = 0; at < n; step++)
        at += lu_step(string + at, n - at, step);
}

/* Loops in loops, up to `depth` deep, of up to 8 items and 9 times; at most `room` symbols. */
static size_t put_nest(uint32_t *string, size_t room, struct rc_random *random, int depth)
{
    size_t at = 0;

    for (uint64_t items = 1 + rc_random_below(random, 8); items > 0 && at < room; items--) {
        size_t times = 2 + rc_random_below(random, 8), body;

        if (depth == 0 || rc_random_below(random, 2) || (room - at) / times == 0) {
            string[at++] = (uint32_t)rc_random_below(random, 10);
            continue;
        }
        body = put_nest(string + at, (room - at) / times, random, depth - 1);
        for (size_t i = body; i < body * times; i++)
            string[at + i] = string[at + i - body];
        at += body * times;
    }
    return at;
}

static void fill_nests(uint32_t *string, size_t n, struct rc_random *random)
{
    for (size_t at = 0; at < n;)
        at += put_nest(string + at, n - at, random, 6);
}

/* A shift register with feedback, of 27 bits (taps 27, 26, 25 and 22): each word of 27 symbols but
 * one occurs once in its period, as in a de Bruijn word. */
static void fill_register(uint32_t *string, size_t n, struct rc_random *random)
{
    uint32_t bits = 1;

    (void)random;
    for (size_t i = 0; i < n; i++) {
        string[i] = bits & 1;
        bits = bits >> 1 | ((bits ^ bits >> 1 ^ bits >> 2 ^ bits >> 5) & 1) << 26;
    }
}

/* A symbol twice, once, three times, ...: as often as its place can be halved. */
static void fill_ruler(uint32_t *string, size_t n, struct rc_random *random)
{
    (void)random;
    for (size_t i = 0; i < n; i++)
        string[i] = (uint32_t)__builtin_ctzll(i + 1) & 1;
}

/* Three words of the last level and one of its own symbol: repeats in repeats in repeats, whose
 * borders do not match. */
static void fill_levels(uint32_t *string, size_t n, struct rc_random *random)
{
    size_t length = 1;

    string[0] = 0;
    while (length < n) {
        size_t end = 3 * length < n ? 3 * length : n;

        for (size_t i = length; i < end; i++)
            string[i] = string[i - length];
        for (length = end; length < n && length < end + 2; length++)
            string[length] = (uint32_t)rc_random_below(random, 2);
    }
}

/* a b aa b aaa b ...: loops that grow. */
static void fill_growing(uint32_t *string, size_t n, struct rc_random *random)
{
    (void)random;
    for (size_t at = 0, run = 1; at < n; run++)
        for (size_t i = 0; i <= run && at < n; i++)
            string[at++] = i == run;
}

/* Bodies of hundreds of thousands of calls, which themselves are random: four times. */
static void fill_long_bodies(uint32_t *string, size_t n, struct rc_random *random)
{
    size_t body = n / 4;

    fill_random(string, body < n ? body : n, random, 100);
    for (size_t i = body; i < n; i++)
        string[i] = string[i - body];
}

/* Bodies of 60 calls, each of them three times, and none like another. */
static void fill_many_bodies(uint32_t *string, size_t n, struct rc_random *random)
{
    enum { BODY = 60 };

    for (size_t i = 0; i < n; i++)
        string[i] = i / BODY % 3 ? string[i - BODY] : (uint32_t)rc_random_below(random, 3);
}

/* The same with bodies of 50 to 2000 calls, each of them twice to five times, and a rest. */
static void fill_mixed_bodies(uint32_t *string, size_t n, struct rc_random *random)
{
    for (size_t at = 0; at < n;) {
        size_t body = 50 + rc_random_below(random, 1950);
        size_t length = body * 2 + rc_random_below(random, body * 3);

        for (size_t i = 0; i < length && at < n; i++, at++)
            string[at] = i < body ? (uint32_t)rc_random_below(random, 2) : string[at - body];
    }
}

static const struct kind {
    const char *name;
    void (*fill)(uint32_t *string, size_t n, struct rc_random *random);
} KINDS[] = {
    {"one symbol", fill_one_symbol},
    {"all symbols distinct", fill_distinct},
    {"random, of 2 symbols", fill_two},
    {"random, of 100 symbols", fill_hundred},
    {"Fibonacci word", fill_fibonacci},
    {"Thue-Morse word", fill_thue_morse},
    {"shift register", fill_register},
    {"ruler", fill_ruler},
    {"levels of three", fill_levels},
    {"growing loops", fill_growing},
    {"loop nest", fill_nest},
    {"loop nest with breaks", fill_broken_nest},
    {"nest like NPB LU", fill_lu},
    {"random nests", fill_nests},
    {"a random body, 4 times", fill_long_bodies},
    {"many bodies, 3 times each", fill_many_bodies},
    {"bodies of all lengths", fill_mixed_bodies},
};

struct outcome {
    double seconds;
    size_t symbols;
    long kib; /* at most, the string included */
};

static int measure(const struct kind *kind, size_t n, struct outcome *outcome)
{
    uint32_t *string = malloc(n * sizeof *string);
    struct rc_random *random = rc_random_create(1, 0);
    struct rusage usage;
    struct rc_loops loops;
    double begun;

    if (!string || !random)
        return -1;
    kind->fill(string, n, random);
    begun = now();
    if (rc_skeleton_loops_find(string, n, &loops, NULL))
        return -1;
    outcome->seconds = now() - begun;
    outcome->symbols = loops.symbols;
    getrusage(RUSAGE_SELF, &usage);
    outcome->kib = usage.ru_maxrss;
    rc_skeleton_loops_free(&loops);
    rc_random_destroy(random);
    free(string);
    return 0;
}

/* In a process of its own, so that its memory is its own. */
static int measure_apart(const struct kind *kind, size_t n, struct outcome *outcome)
{
    int ends[2], status;
    pid_t child;
    ssize_t got;

    if (pipe(ends))
        return -1;
    child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        int failed = measure(kind, n, outcome) ||
                     write(ends[1], outcome, sizeof *outcome) != (ssize_t)sizeof *outcome;

        _exit(failed);
    }
    close(ends[1]);
    got = read(ends[0], outcome, sizeof *outcome);
    close(ends[0]);
    if (waitpid(child, &status, 0) != child || status != 0)
        return -1;
    return got == (ssize_t)sizeof *outcome ? 0 : -1;
}

static int better(const struct kind *kind, size_t n, struct outcome *best)
{
    struct outcome outcome;

    if (measure_apart(kind, n, &outcome))
        return -1;
    if (best->kib == 0 || outcome.seconds < best->seconds)
        *best = outcome;
    return 0;
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 3 };
    size_t n = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 10000000;

    if (n < 8)
        return 2;
    printf("Folding strings into loops; the best of %d rounds, in turn\n", ROUNDS);
    printf("  %-26s %10s %8s %9s %7s %10s\n", "string", "symbols", "seconds", "of half", "MiB",
           "folded");
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        struct outcome half = {0}, whole = {0};

        for (int round = 0; round < ROUNDS; round++)
            if (better(KINDS + k, n / 2, &half) || better(KINDS + k, n, &whole)) {
                printf("  %s: failed\n", KINDS[k].name);
                return 1;
            }
        printf("  %-26s %10zu %8.2f %8.2fx %7ld %10zu\n", KINDS[k].name, n, whole.seconds,
               whole.seconds / half.seconds, whole.kib / 1024, whole.symbols);
    }
    return 0;
}
