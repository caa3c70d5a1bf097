// SPDX-License-Identifier: GPL-3.0-or-later
/* matmul.c - dense matrix multiplication C = A B, rows split over the ranks, blocks of B passed
 * round a ring.
 *
 * A, B and C are n x n.  Each rank has the same rows of all three, --split of them or as many as
 * the others.  In each of p steps it multiplies its rows of A, at the columns that match, with the
 * block of B that it holds, and meanwhile sends that block to the rank before it and receives the
 * next from the rank after it, without blocking: p - 1 messages of a block each way.  The product
 * is the B of the next iteration, so that k iterations give A^k B; A is scaled to keep that near 1.
 *
 * A^k (B x), of vectors only, must be (A^k B) x for a random x.
 *
 * Matrix multiplication is a workload of Figueira and Berman (2001), section 4. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct matrices {
    long n, first, rows; /* of this rank: rows first .. first + rows - 1 of n */
    double *a;           /* its rows of A, only for real computing */
    double *b, *c;       /* its rows of B and of C */
    double *passing[2];  /* blocks of B from other ranks: one in use, one arriving */
    double *x, *y, *own; /* for the check: two vectors, and this rank's part of one */
};

/* C += (columns from .. from + count - 1 of A) (block of `count` rows of B), some rows of the block
 * at a time, which stay in the cache for all rows of C. */
static void add_product(const struct matrices *m, long from, long count, const double *block)
{
    const long some = 32;

    for (long start = 0; start < count; start += some) {
        long end = start + some < count ? start + some : count;

        for (long i = 0; i < m->rows; i++) {
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
    long first, rows;

    app_share(app, (owner + 1) % app->size, m->n, &first, &rows);
    MPI_Irecv(next, (int)(rows * m->n), MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &requests[0]);
    app_share(app, owner, m->n, &first, &rows);
    MPI_Isend(block, (int)(rows * m->n), MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[1]);
    return 2;
}

static void multiply(struct app *app, struct matrices *m)
{
    double *block = m->b;

    if (!app->charged)
        memset(m->c, 0, (size_t)m->rows * (size_t)m->n * sizeof *m->c);
    for (int step = 0; step < app->size; step++) {
        int owner = (app->rank + step) % app->size, waiting = 0;
        double *next = m->passing[step % 2];
        MPI_Request requests[2];
        long first, rows;

        if (step + 1 < app->size)
            waiting = pass_on(app, m, owner, block, next, requests);
        app_share(app, owner, m->n, &first, &rows);
        if (!app->charged)
            add_product(m, first, rows, block);
        app_work(app, 2 * (double)m->rows * (double)rows * (double)m->n);
        MPI_Waitall(waiting, requests, MPI_STATUSES_IGNORE);
        block = next;
    }
    block = m->b;
    m->b = m->c;
    m->c = block;
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

    for (long i = 0; i < m->rows * m->n; i++) {
        m->a[i] = scale * random_entry(app, 0, m->first * m->n + i);
        m->b[i] = random_entry(app, 1, m->first * m->n + i);
    }
}

/* `own` = the rank's rows of a matrix times a whole vector. */
static void apply(const struct matrices *m, const double *matrix, const double *vector, double *own)
{
    for (long i = 0; i < m->rows; i++) {
        own[i] = 0;
        for (long j = 0; j < m->n; j++)
            own[i] += matrix[i * m->n + j] * vector[j];
    }
}

/* Makes a vector whole, of which each rank knows its own rows, by adding it up. */
static void complete(const struct matrices *m, const double *own, double *vector)
{
    memset(vector, 0, (size_t)m->n * sizeof *vector);
    memcpy(vector + m->first, own, (size_t)m->rows * sizeof *vector);
    MPI_Allreduce(MPI_IN_PLACE, vector, (int)m->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* How far A^k (B x) is from (A^k B) x, relative to its largest part.  The product is in m->b, and
 * m->c is free: B is made again there. */
static double difference(const struct app *app, const struct matrices *m)
{
    double *x = m->x, *y = m->y, *own = m->own, worst = 0, largest = 0;

    for (long j = 0; j < m->n; j++)
        x[j] = random_entry(app, 2, j);
    for (long i = 0; i < m->rows * m->n; i++)
        m->c[i] = random_entry(app, 1, m->first * m->n + i);
    apply(m, m->c, x, own);
    for (long k = 0; k < app->iterations; k++) {
        complete(m, own, y);
        apply(m, m->a, y, own);
    }
    apply(m, m->b, x, y);
    for (long i = 0; i < m->rows; i++) {
        worst = app_worse(worst, fabs(own[i] - y[i]));
        largest = fmax(largest, fabs(own[i]));
    }
    return app_max(worst) / app_max(largest);
}

static void create(struct app *app, struct matrices *m)
{
    size_t entries, most;

    m->n = app->n;
    app_share(app, app->rank, m->n, &m->first, &m->rows);
    if (app_max(m->rows < 1) > 0)
        app_fail(app, "a matrix of %ld rows is too small for %d ranks", m->n, app->size);
    entries = (size_t)m->rows * (size_t)m->n;
    most = (size_t)app_max((double)m->rows) * (size_t)m->n;
    if (m->n > INT_MAX || (app->size > 1 && most > INT_MAX))
        app_fail(app, "a matrix of %ld rows is too large for messages of %d ranks", m->n,
                 app->size);
    m->a = app_data(app, entries, sizeof *m->a);
    m->b = app_buffer(app, entries, sizeof *m->b);
    m->c = app_buffer(app, entries, sizeof *m->c);
    for (int k = 0; k < 2; k++)
        m->passing[k] = app_buffer(app, app->size > 1 ? most : 0, sizeof(double));
    m->x = app_data(app, (size_t)m->n, sizeof *m->x);
    m->y = app_data(app, (size_t)m->n, sizeof *m->y);
    m->own = app_data(app, (size_t)m->rows, sizeof *m->own);
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
    app_free(app, m->x);
    app_free(app, m->y);
    app_free(app, m->own);
}

static struct app_state state(const struct matrices *m)
{
    return (struct app_state){{{m->b, (size_t)m->rows * (size_t)m->n * sizeof *m->b}}};
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
