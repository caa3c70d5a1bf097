// SPDX-License-Identifier: GPL-3.0-or-later
/* microbenchmark.c - what hosts and the network between them take for the smallest things: one
 * arithmetic operation, one byte sent, one message begun and packed.  'runcast model measure'
 * starts it.
 *
 *     microbenchmark [--what operations,bandwidth,message,startup] [--bytes B] [--repeats R]
 *
 * After J. M. Schopf, "Performance prediction and scheduling for parallel applications on
 * multi-user clusters" (dissertation, UC San Diego, 1998), section 3.A.4, point 3, and Tables 3.2,
 * 3.4 and 3.5.
 *
 *  operations  seconds for one, from R runs of a million of each kind: c[i] = a[i] op b[i] over
 *              arrays that stay in the first cache.  That is what the loops of programs do.  A
 *              chain in which each operation waits for the one before would tell how long one
 *              takes to pass through the processor, and operations in registers alone how many it
 *              could start: loops over arrays get neither.  What the compiler makes of the loop, it
 *              makes of the programs built with the same options, too.
 *  bandwidth   bytes per second from x to y: 100 messages of B bytes, then one byte back.
 *  message     seconds for one message of B bytes that finds the network idle: half of a round trip.
 *              (Links let the beginning of a message pass at once, or hold up all of it: on its
 *              own, one may take less or more than its part of a hundred.)
 *  startup     a + b n seconds for a message of n bytes, without its way through the network: half
 *              of the round trip of one byte, MPI_Pack of n bytes on x and MPI_Unpack on y, for
 *              several n, and the line through these by least squares of relative errors, with a
 *              and b of at least 0.  (Between the dissertation's first two machines b is 1/25 of
 *              what a byte takes by the bandwidth: it is of packing alone.)
 *
 * One host, or one pair, is measured at a time; meanwhile the others sleep, and look for their turn
 * every millisecond.  From a process to itself messages are copies in memory.  Where computing is
 * charged (SMPI) an operation is one flop, and packing takes no time.
 *
 * Rank 0 prints one JSON line.  It has no "seconds": the program is not there to be predicted. */
#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BLOCK = 1000,   /* numbers in an array */
    PASSES = 1000,  /* over it in a run */
    MESSAGES = 100, /* for a bandwidth */
    TRIPS = 10,     /* there and back, for a latency */
    PACKINGS = 16,  /* of one length, for a time that the clock can tell */
    REPEATS_MAX = 100000
};

static const long lengths[] = {8, 1024, 4096, 16384, 65536, 262144}; /* that are packed */
enum { LENGTHS = sizeof lengths / sizeof *lengths, LONGEST = 262144 };

struct figure {
    double mean, sd;
};

/* ---- operations ---- */

struct arrays {
    double x[BLOCK], y[BLOCK], z[BLOCK];
    unsigned i[BLOCK], j[BLOCK], k[BLOCK];
};

/* The clobber keeps the compiler from making one pass of many. */
#define PASS(name, a, symbol, b, c)                                                                \
    static void name(struct arrays *at)                                                            \
    {                                                                                              \
        for (int n = 0; n < BLOCK; n++)                                                            \
            at->c[n] = at->a[n] symbol at->b[n];                                                   \
        __asm__ volatile("" : : "r"(at) : "memory");                                               \
    }
PASS(add_reals, x, +, y, z)
PASS(multiply_reals, x, *, y, z)
PASS(divide_reals, x, /, y, z)
PASS(add_integers, i, +, j, k)
PASS(multiply_integers, i, *, j, k)

static const struct operation {
    const char *name; /* as models call it */
    void (*pass)(struct arrays *at);
} operations[] = {
    {"real-add", add_reals},
    {"real-multiply", multiply_reals},
    {"real-divide", divide_reals},
    {"integer-add", add_integers},
    {"integer-multiply", multiply_integers},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* ---- all that is measured ---- */

struct pair {
    struct figure bandwidth, message, a, b;
};

struct microbenchmark {
    struct app app;
    bool operations, bandwidth, message, startup;
    long bytes, repeats;
    struct figure operation[OPERATIONS]; /* of this rank */
    struct pair *pairs;                  /* from this rank, to each */
    char *send, *receive;
    double *times; /* of the repeats; and then as many */
};

static struct figure summary(const double *times, long n)
{
    struct figure figure = {0, 0};

    for (long i = 0; i < n; i++)
        figure.mean += times[i] / (double)n;
    for (long i = 0; i < n && n > 1; i++)
        figure.sd += (times[i] - figure.mean) * (times[i] - figure.mean) / (double)(n - 1);
    figure.sd = sqrt(figure.sd);
    return figure;
}

static void measure_operations(struct microbenchmark *self)
{
    struct arrays *at = calloc(1, sizeof *at);

    if (!at)
        app_fail(&self->app, "out of memory");
    for (int n = 0; n < BLOCK; n++) {
        at->x[n] = 1 + n / 7.0;
        at->y[n] = 3 + n / 11.0;
        at->i[n] = 3 * (unsigned)n + 1;
        at->j[n] = 5 * (unsigned)n + 2;
    }
    for (int o = 0; o < OPERATIONS; o++) {
        for (long r = -1; r < self->repeats; r++) { /* the first one warms up */
            double begun = MPI_Wtime();

            for (int n = 0; n < PASSES && !self->app.charged; n++)
                operations[o].pass(at);
            app_work(&self->app, (double)BLOCK * PASSES);
            if (r >= 0)
                self->times[r] = (MPI_Wtime() - begun) / ((double)BLOCK * PASSES);
        }
        self->operation[o] = summary(self->times, self->repeats);
    }
    free(at);
}

/* ---- messages ---- */

enum tag { BATON = 1, BEGIN, READY, DATA, BACK, DONE };

static void hand(int to, enum tag tag)
{
    MPI_Send(NULL, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/* Waits without taking the processor from whoever is measured. */
static void await(const struct microbenchmark *self, int from, enum tag tag)
{
    const struct timespec millisecond = {0, 1000000};
    int there = self->app.charged;

    while (!there) {
        MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (!there)
            nanosleep(&millisecond, NULL);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_to(int to, const void *data, long bytes, enum tag tag)
{
    MPI_Send(data, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static void receive_from(int from, void *data, long bytes, enum tag tag)
{
    MPI_Recv(data, (int)bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* To itself: a process cannot wait for its own answer. */
static void to_itself(const struct microbenchmark *self, long bytes)
{
    MPI_Sendrecv(self->send, (int)bytes, MPI_BYTE, self->app.rank, DATA, self->receive, (int)bytes,
                 MPI_BYTE, self->app.rank, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- bandwidth ---- */

static void lead_bandwidth(struct microbenchmark *self, int to)
{
    for (long r = -1; r < self->repeats; r++) {
        double begun = MPI_Wtime();

        for (int i = 0; i < MESSAGES; i++)
            if (to == self->app.rank)
                to_itself(self, self->bytes);
            else
                send_to(to, self->send, self->bytes, DATA);
        if (to != self->app.rank)
            receive_from(to, self->receive, 1, BACK);
        if (r >= 0)
            self->times[r] = (double)self->bytes * MESSAGES / (MPI_Wtime() - begun);
    }
    self->pairs[to].bandwidth = summary(self->times, self->repeats);
}

static void follow_bandwidth(const struct microbenchmark *self, int from)
{
    for (long r = -1; r < self->repeats; r++) {
        for (int i = 0; i < MESSAGES; i++)
            receive_from(from, self->receive, self->bytes, DATA);
        send_to(from, self->send, 1, BACK);
    }
}

/* ---- one message ---- */

/* Seconds of one way. */
static double lead_trips(const struct microbenchmark *self, int to, long bytes)
{
    double begun = MPI_Wtime();

    for (int i = 0; i < TRIPS; i++) {
        if (to == self->app.rank) {
            to_itself(self, bytes);
            to_itself(self, bytes);
            continue;
        }
        send_to(to, self->send, bytes, DATA);
        receive_from(to, self->receive, bytes, BACK);
    }
    return (MPI_Wtime() - begun) / (2 * TRIPS);
}

static void follow_trips(const struct microbenchmark *self, int from, long bytes)
{
    for (int i = 0; i < TRIPS; i++) {
        receive_from(from, self->receive, bytes, DATA);
        send_to(from, self->send, bytes, BACK);
    }
}

static void lead_message(struct microbenchmark *self, int to)
{
    for (long r = -1; r < self->repeats; r++) {
        double seconds = lead_trips(self, to, self->bytes);

        if (r >= 0)
            self->times[r] = seconds;
    }
    self->pairs[to].message = summary(self->times, self->repeats);
}

static void follow_message(const struct microbenchmark *self, int from)
{
    for (long r = -1; r < self->repeats; r++)
        follow_trips(self, from, self->bytes);
}

/* ---- start-up ---- */

static double packing(const struct microbenchmark *self, long bytes)
{
    double begun = MPI_Wtime();

    for (int i = 0; i < PACKINGS; i++) {
        int at = 0;

        MPI_Pack(self->send, (int)(bytes / 8), MPI_DOUBLE, self->receive, LONGEST, &at,
                 MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begun) / PACKINGS;
}

static double unpacking(const struct microbenchmark *self, long bytes)
{
    double begun = MPI_Wtime();

    for (int i = 0; i < PACKINGS; i++) {
        int at = 0;

        MPI_Unpack(self->receive, LONGEST, &at, self->send, (int)(bytes / 8), MPI_DOUBLE,
                   MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begun) / PACKINGS;
}

/* The line a + b n that is nearest to the times, by the squares of relative errors. */
static void fit_line(const double times[LENGTHS], double *a, double *b)
{
    double w = 0, n = 0, nn = 0, t = 0, nt = 0, determinant;

    for (int i = 0; i < LENGTHS; i++) {
        double weight = 1 / fmax(times[i] * times[i], 1e-24), length = (double)lengths[i];

        w += weight;
        n += weight * length;
        nn += weight * length * length;
        t += weight * times[i];
        nt += weight * length * times[i];
    }
    determinant = w * nn - n * n;
    *b = determinant > 0 ? (w * nt - n * t) / determinant : 0;
    *a = (t - *b * n) / w;
    if (*b < 0) {
        *b = 0;
        *a = t / w;
    } else if (*a < 0) {
        *a = 0;
        *b = nt / nn;
    }
}

static void lead_startup(struct microbenchmark *self, int to)
{
    double *slopes = self->times + self->repeats;
    double times[LENGTHS], there;

    for (long r = -1; r < self->repeats; r++) {
        double trip = lead_trips(self, to, 1), a, b;

        for (int i = 0; i < LENGTHS; i++) {
            times[i] = trip + packing(self, lengths[i]);
            if (to == self->app.rank)
                there = unpacking(self, lengths[i]);
            else
                receive_from(to, &there, sizeof there, BACK);
            times[i] += there;
        }
        fit_line(times, &a, &b);
        if (r >= 0) {
            self->times[r] = a;
            slopes[r] = b;
        }
    }
    self->pairs[to].a = summary(self->times, self->repeats);
    self->pairs[to].b = summary(slopes, self->repeats);
}

static void follow_startup(const struct microbenchmark *self, int from)
{
    for (long r = -1; r < self->repeats; r++) {
        follow_trips(self, from, 1);
        for (int i = 0; i < LENGTHS; i++) {
            double there = unpacking(self, lengths[i]);

            send_to(from, &there, sizeof there, BACK);
        }
    }
}

/* ---- turns ---- */

static void lead(struct microbenchmark *self, int to)
{
    if (self->operations && to == self->app.rank)
        measure_operations(self);
    if (self->bandwidth)
        lead_bandwidth(self, to);
    if (self->message)
        lead_message(self, to);
    if (self->startup)
        lead_startup(self, to);
}

static void follow(const struct microbenchmark *self, int from)
{
    if (self->bandwidth)
        follow_bandwidth(self, from);
    if (self->message)
        follow_message(self, from);
    if (self->startup)
        follow_startup(self, from);
}

/* From x to y, after the turn of `before` (-1: it is the first). */
static void take_turn(struct microbenchmark *self, int before, int x, int y)
{
    if (self->app.rank == before && x != before)
        hand(x, BATON);
    if (self->app.rank == x) {
        if (before >= 0 && before != x)
            await(self, before, BATON);
        if (x != y) {
            hand(y, BEGIN);
            await(self, y, READY);
        }
        lead(self, y);
    } else if (self->app.rank == y) {
        await(self, x, BEGIN);
        hand(x, READY);
        follow(self, x);
    }
}

static void take_turns(struct microbenchmark *self)
{
    int before = -1, last = self->app.size - 1;

    for (int x = 0; x < self->app.size; x++)
        for (int y = 0; y < self->app.size; y++) {
            if (x != y && !self->bandwidth && !self->message && !self->startup)
                continue;
            take_turn(self, before, x, y);
            before = x;
        }
    if (self->app.rank != last)
        await(self, last, DONE);
    for (int to = 0; to < last && self->app.rank == last; to++)
        hand(to, DONE);
}

/* ---- the report ---- */

static void print_figure(const char *before, const char *name, struct figure figure)
{
    printf("%s\"%s\": {\"mean\": %.9g, \"sd\": %.9g}", before, name, figure.mean, figure.sd);
}

static void print_rank(const struct microbenchmark *self, int rank, const char *host,
                       const struct figure *figures)
{
    printf("%s{\"rank\": %d, \"host\": \"", rank ? ", " : "", rank);
    for (; *host; host++)
        putchar(*host < ' ' || *host == '"' || *host == '\\' || *host > '~' ? '?' : *host);
    printf("\"");
    for (int o = 0; o < OPERATIONS && self->operations; o++)
        print_figure(o ? ", " : ", \"operations\": {", operations[o].name, figures[o]);
    printf("%s}", self->operations ? "}" : "");
}

static void print_pair(const struct microbenchmark *self, int x, int y, const struct pair *pair)
{
    printf("%s{\"from\": %d, \"to\": %d", x || y ? ", " : "", x, y);
    if (self->bandwidth)
        print_figure(", ", "bandwidth", pair->bandwidth);
    if (self->message)
        print_figure(", ", "message", pair->message);
    if (self->startup) {
        print_figure(", ", "a", pair->a);
        print_figure(", ", "b", pair->b);
    }
    printf("}");
}

static void report(const struct microbenchmark *self, const char *hosts,
                   const struct figure *figures, const struct pair *pairs)
{
    int size = self->app.size;

    printf("{\"microbenchmark\": 1, \"p\": %d, \"repeats\": %ld, \"count\": %d, \"bytes\": %ld, "
           "\"messages\": %d, \"processes\": [",
           size, self->repeats, BLOCK * PASSES, self->bytes, MESSAGES);
    for (int x = 0; x < size; x++)
        print_rank(self, x, hosts + x * MPI_MAX_PROCESSOR_NAME, figures + x * OPERATIONS);
    printf("]");
    if (self->bandwidth || self->message || self->startup) {
        printf(", \"pairs\": [");
        for (int x = 0; x < size; x++)
            for (int y = 0; y < size; y++)
                print_pair(self, x, y, &pairs[x * size + y]);
        printf("]");
    }
    printf("}\n");
    fflush(stdout);
}

static void gather(struct microbenchmark *self)
{
    const int size = self->app.size, row = size * (int)(sizeof(struct pair) / sizeof(double));
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    char *hosts = calloc((size_t)size, MPI_MAX_PROCESSOR_NAME);
    struct figure *figures = calloc((size_t)size * OPERATIONS, sizeof *figures);
    struct pair *pairs = calloc((size_t)size * (size_t)size, sizeof *pairs);
    int length;

    if (!hosts || !figures || !pairs)
        app_fail(&self->app, "out of memory");
    MPI_Get_processor_name(host, &length);
    MPI_Gather(host, sizeof host, MPI_BYTE, hosts, sizeof host, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Gather(self->operation, 2 * OPERATIONS, MPI_DOUBLE, figures, 2 * OPERATIONS, MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
    MPI_Gather(self->pairs, row, MPI_DOUBLE, pairs, row, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (self->app.rank == 0)
        report(self, hosts, figures, pairs);
    free(hosts);
    free(figures);
    free(pairs);
}

/* ---- options ---- */

static void read_what(struct microbenchmark *self, const char *text)
{
    const struct {
        const char *word;
        bool *flag;
    } words[] = {{"operations", &self->operations},
                 {"bandwidth", &self->bandwidth},
                 {"message", &self->message},
                 {"startup", &self->startup}};
    const size_t n = sizeof words / sizeof *words;

    self->operations = self->bandwidth = self->message = self->startup = false;
    while (*text) {
        size_t length = strcspn(text, ","), i = 0;

        while (i < n &&
               (strlen(words[i].word) != length || strncmp(text, words[i].word, length) != 0))
            i++;
        if (i == n)
            app_fail(&self->app,
                     "--what: '%.*s' is none of operations, bandwidth, message and startup",
                     (int)length, text);
        *words[i].flag = true;
        text += length + (text[length] == ',');
    }
}

static long read_number(const struct microbenchmark *self, const char *name, const char *text,
                        long most)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    if (errno || *end || end == text || value < 1 || value > most)
        app_fail(&self->app, "%s: '%s' is no whole number from 1 to %ld", name, text, most);
    return value;
}

static void read_options(struct microbenchmark *self, int argc, char **argv)
{
    const long most = 1L << 30;

    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            app_fail(&self->app,
                     "usage: microbenchmark [--what operations,bandwidth,message,startup] "
                     "[--bytes B] [--repeats R]");
        if (strcmp(argv[i], "--what") == 0)
            read_what(self, argv[i + 1]);
        else if (strcmp(argv[i], "--bytes") == 0)
            self->bytes = read_number(self, argv[i], argv[i + 1], most);
        else if (strcmp(argv[i], "--repeats") == 0)
            self->repeats = read_number(self, argv[i], argv[i + 1], REPEATS_MAX);
        else
            app_fail(&self->app, "unknown option '%s'", argv[i]);
    }
}

int main(int argc, char **argv)
{
    struct microbenchmark self = {.app = {.name = "microbenchmark"},
                                  .operations = true,
                                  .bandwidth = true,
                                  .message = true,
                                  .startup = true,
                                  .bytes = 65536,
                                  .repeats = 25};
    size_t room;

#ifdef APP_SMPI
    self.app.charged = true;
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.app.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.app.size);
    read_options(&self, argc, argv);
    room = self.bytes > LONGEST ? (size_t)self.bytes : LONGEST;
    self.send = calloc(1, room);
    self.receive = calloc(1, room);
    self.pairs = calloc((size_t)self.app.size, sizeof *self.pairs);
    self.times = calloc(2 * (size_t)self.repeats, sizeof *self.times);
    if (!self.send || !self.receive || !self.pairs || !self.times)
        app_fail(&self.app, "out of memory");
    take_turns(&self);
    gather(&self);
    free(self.send);
    free(self.receive);
    free(self.pairs);
    free(self.times);
    MPI_Finalize();
    return 0;
}
