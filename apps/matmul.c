// SPDX-License-Identifier: GPL-3.0-or-later
/* matmul.c - dense matrix multiplication C = A B, rows split over the ranks, blocks of B passed
 * round a ring.
 *
 * A, B and C are n x n.  Each rank has the same rows of A and C, --split of them or as many as the
 * others; of B it always has as many, so that in each step of the ring all ranks have their share
 * of work.  In each of p steps it multiplies its rows of A, at the columns that match, with the block
 * of B that it holds, and meanwhile sends that block to the rank before it and receives the next
 * from the rank after it, without blocking: p - 1 messages of a block each way.  The product is the
 * B of the next iteration, so that k iterations give A^k B; A is scaled to keep that near 1.  With
 * --split, its rows first go to where they belong in B (all-to-all).
 *
 * A^k (B x), of vectors only, must be (A^k B) x for a random x.
 *
 * Matrix multiplication is a workload of Figueira and Berman (2001), section 4. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct part {
    long first, rows; /* rows first .. first + rows - 1 of n */
};

struct transfer {
    int *counts, *starts; /* of each rank, in entries */
};

struct matrices {
    long n;
    struct part mine, held;    /* of this rank: of A and C, and of B */
    double *a;                 /* its rows of A, only for real computing */
    double *b, *c;             /* its rows of B and of C */
    double *passing[2];        /* blocks of B from other ranks: one in use, one arriving */
    struct transfer give, get; /* of C, to B; only with --split */
    double *x, *y, *own;       /* for the check: two vectors, and this rank's part of one */
};

static struct part part_of_b(const struct app *app, int rank, long n)
{
    long least = n / app->size, more = n % app->size;

    return (struct part){least * rank + (rank < more ? rank : more), least + (rank < more)};
}

static struct part part_of_c(const struct app *app, int rank, long n)
{
    struct part part;

    app_share(app, rank, n, &part.first, &part.rows);
    return part;
}

/* C += (columns from .. from + count - 1 of A) (block of `count` rows of B), some rows of the block
 * at a time, which stay in the cache for all rows of C. */
static void add_product(const struct matrices *m, long from, long count, const double *block)
{
    const long some = 32;

    for (long start = 0; start < count; start += some) {
        long end = start + some < count ? start + some : count;

        for (long i = 0; i < m->mine.rows; i++) {
            double *restrict c = m->c + i * m->n;

            for (long k = start; k < end; k++) {
                const double *restrict b = block + k * m->n;
                double a = m->a[i * m->n + from + k];

                for (long j = 0; j < m->n; j++)
                    c[j] += a * b[j];
            }
        }
    }
}

/* Lets `block`, of rank `owner`, go and the one after it come; returns how many requests wait. */
static int pass_on(const struct app *app, const struct matrices *m, int owner, const double *block,
                   double *next, MPI_Request requests[2])
{
    int before = (app->rank + app->size - 1) % app->size, after = (app->rank + 1) % app->size;
    int coming = (int)(part_of_b(app, (owner + 1) % app->size, m->n).rows * m->n);
    int going = (int)(part_of_b(app, owner, m->n).rows * m->n);

    MPI_Irecv(next, coming, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(block, going, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[1]);
    return 2;
}

/* The product becomes B. */
static void hand_over(const struct app *app, struct matrices *m)
{
    double *product = m->c;

    if (app->split) {
        MPI_Alltoallv(m->c, m->give.counts, m->give.starts, MPI_DOUBLE, m->b, m->get.counts,
                      m->get.starts, MPI_DOUBLE, MPI_COMM_WORLD);
        return;
    }
    m->c = m->b;
    m->b = product;
}

static void multiply(struct app *app, struct matrices *m)
{
    double *block = m->b;

    if (!app->charged)
        memset(m->c, 0, (size_t)m->mine.rows * (size_t)m->n * sizeof *m->c);
    for (int step = 0; step < app->size; step++) {
        int owner = (app->rank + step) % app->size, waiting = 0;
        double *next = m->passing[step % 2];
        struct part part = part_of_b(app, owner, m->n);
        MPI_Request requests[2];

        if (step + 1 < app->size)
            waiting = pass_on(app, m, owner, block, next, requests);
        if (!app->charged)
            add_product(m, part.first, part.rows, block);
        app_work(app, 2 * (double)m->mine.rows * (double)part.rows * (double)m->n);
        MPI_Waitall(waiting, requests, MPI_STATUSES_IGNORE);
        block = next;
    }
    hand_over(app, m);
}

/* Entry i of A, of B and of x: three ranges of random numbers. */
static double random_entry(const struct app *app, int which, long i)
{
    uint64_t square = (uint64_t)app->n * (uint64_t)app->n;

    return app_random(app, (uint64_t)which * square + (uint64_t)i) - 0.5;
}

static void fill(const struct app *app, struct matrices *m)
{
    double scale = sqrt(12 / (double)m->n); /* variance 1/n: the spectral radius of A is about 1 */

    for (long i = 0; i < m->mine.rows * m->n; i++)
        m->a[i] = scale * random_entry(app, 0, m->mine.first * m->n + i);
    for (long i = 0; i < m->held.rows * m->n; i++)
        m->b[i] = random_entry(app, 1, m->held.first * m->n + i);
}

/* `own` = some rows of a matrix times a whole vector. */
static void apply(const struct matrices *m, const double *matrix, long rows, const double *vector,
                  double *own)
{
    for (long i = 0; i < rows; i++) {
        own[i] = 0;
        for (long j = 0; j < m->n; j++)
            own[i] += matrix[i * m->n + j] * vector[j];
    }
}

/* Makes a vector whole, of which each rank knows its own rows, by adding it up. */
static void complete(const struct matrices *m, const double *own, double *vector)
{
    memset(vector, 0, (size_t)m->n * sizeof *vector);
    memcpy(vector + m->mine.first, own, (size_t)m->mine.rows * sizeof *vector);
    MPI_Allreduce(MPI_IN_PLACE, vector, (int)m->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* How far A^k (B x) is from (A^k B) x, relative to its largest part.  The product is in m->b, and
 * m->c is free: B is made again there. */
static double difference(const struct app *app, const struct matrices *m)
{
    double *x = m->x, *y = m->y, *own = m->own, worst = 0, largest = 0;

    for (long j = 0; j < m->n; j++)
        x[j] = random_entry(app, 2, j);
    for (long i = 0; i < m->mine.rows * m->n; i++)
        m->c[i] = random_entry(app, 1, m->mine.first * m->n + i);
    apply(m, m->c, m->mine.rows, x, own);
    complete(m, own, y);
    for (long k = 0; k < app->iterations; k++) {
        apply(m, m->a, m->mine.rows, y, own);
        complete(m, own, y);
    }
    apply(m, m->b, m->held.rows, x, own);
    for (long i = 0; i < m->held.rows; i++) {
        worst = app_worse(worst, fabs(own[i] - y[m->held.first + i]));
        largest = fmax(largest, fabs(own[i]));
    }
    return app_max(worst) / app_max(largest);
}

/* How many rows two parts share. */
static long common(struct part a, struct part b)
{
    long from = a.first > b.first ? a.first : b.first;
    long a_end = a.first + a.rows, b_end = b.first + b.rows, to = a_end < b_end ? a_end : b_end;

    return to > from ? to - from : 0;
}

/* Entries that go between this rank, which has `own`, and each, which has part_of(rank). */
static struct transfer plan(const struct app *app, long n, struct part own,
                            struct part (*part_of)(const struct app *, int, long))
{
    struct transfer it = {malloc((size_t)app->size * sizeof *it.counts),
                          malloc((size_t)app->size * sizeof *it.starts)};
    int before = 0;

    if (!it.counts || !it.starts)
        app_fail(app, "out of memory");
    for (int rank = 0; rank < app->size; rank++) {
        it.counts[rank] = (int)(common(own, part_of(app, rank, n)) * n);
        it.starts[rank] = before;
        before += it.counts[rank];
    }
    return it;
}

static void create(struct app *app, struct matrices *m)
{
    size_t entries, most;

    m->n = app->n;
    m->mine = part_of_c(app, app->rank, m->n);
    m->held = part_of_b(app, app->rank, m->n);
    if (app_max(m->mine.rows < 1) > 0)
        app_fail(app, "a matrix of %ld rows is too small for %d ranks", m->n, app->size);
    entries = (size_t)m->mine.rows * (size_t)m->n;
    most = (size_t)app_max((double)m->mine.rows) * (size_t)m->n;
    if (m->n > INT_MAX || (app->size > 1 && most > INT_MAX))
        app_fail(app, "a matrix of %ld rows is too large for messages of %d ranks", m->n,
                 app->size);
    most = (size_t)part_of_b(app, 0, m->n).rows * (size_t)m->n;
    m->a = app_data(app, entries, sizeof *m->a);
    m->b = app_buffer(app, (size_t)m->held.rows * (size_t)m->n, sizeof *m->b);
    m->c = app_buffer(app, entries, sizeof *m->c);
    m->give = m->get = (struct transfer){0};
    if (app->split) {
        m->give = plan(app, m->n, m->mine, part_of_b);
        m->get = plan(app, m->n, m->held, part_of_c);
    }
    for (int k = 0; k < 2; k++)
        m->passing[k] = app_buffer(app, app->size > 1 ? most : 0, sizeof(double));
    m->x = app_data(app, (size_t)m->n, sizeof *m->x);
    m->y = app_data(app, (size_t)m->n, sizeof *m->y);
    m->own = app_data(app, (size_t)m->n, sizeof *m->own);
    if (!app->charged)
        fill(app, m);
}

static void destroy(const struct app *app, struct matrices *m)
{
    app_free(app, m->a);
    app_free(app, m->b);
    app_free(app, m->c);
    app_free(app, m->passing[0]);
    app_free(app, m->passing[1]);
    free(m->give.counts);
    free(m->give.starts);
    free(m->get.counts);
    free(m->get.starts);
    app_free(app, m->x);
    app_free(app, m->y);
    app_free(app, m->own);
}

static struct app_state state(const struct matrices *m)
{
    return (struct app_state){{{m->b, (size_t)m->held.rows * (size_t)m->n * sizeof *m->b}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct matrices m;
    double error = 0;

    app_begin(&app, &argc, &argv, "matmul", 500, 3);
    create(&app, &m);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&m)); k <= app.iterations; k++) {
        multiply(&app, &m);
        app_checkpoint(&app, k, state(&m));
    }
    app_stop(&app);
    if (!app.charged)
        error = difference(&app, &m);
    destroy(&app, &m);
    return app_end(&app, error, 1e-11);
}
