// SPDX-License-Identifier: GPL-3.0-or-later
/* eigen.c - all eigenvalues and eigenvectors of a dense symmetric matrix by one-sided block Jacobi,
 * blocks of columns moving round a ring.
 *
 * A pair of columns is rotated into two that are orthogonal.  A sweep does so with all pairs; after
 * some sweeps all n columns of W = A V, with V the product of the rotations, are orthogonal.  If A
 * is positive definite, as here, their lengths are its eigenvalues and their directions its
 * eigenvectors, and V need not be kept.
 *
 * The columns are in 2 p blocks, two on each rank.  In each of the 2 p - 1 steps of a sweep a rank
 * rotates all pairs of columns of which one is in each of its blocks, and in the first step of a
 * sweep also those within them.  Then all blocks but one move on round a ring, which goes through
 * the upper places of ranks 1 .. p - 1 and back through the lower places of p - 1 .. 0 (Brent and
 * Luk, SIAM J. Sci. Stat. Comput. 6, 1985): each rank sends a block to the rank after it and one to
 * the rank before it, without blocking.  Each rotation is done and counted, whether needed or not.
 *
 * The matrix is made from eigenvalues 1/n, 2/n .. 1 in random order and the sine vectors.  W W^T
 * must be A^2 at any time, tried on a random vector; after 6 + log2 n sweeps or more, which is
 * more than it was seen to need, the columns must be the known eigenvalues and eigenvectors.
 * Stands for workload 1 of Sanjay and Vadhiyar (2008), section 4, ScaLAPACK's PDSYEV. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UPPER = 0, LOWER = 1 };

static const double PI = 3.14159265358979323846;

struct ring {
    long n, most;       /* columns, and those of the largest block */
    int *at;            /* which block is where: 2 r + UPPER and 2 r + LOWER are of rank r */
    double *now, *next; /* two blocks of `most` columns each, and those that arrive */
};

/* ---- the blocks ---- */

/* The first column of a block; block 2 p is where the columns end. */
static long first_of(const struct app *app, long which)
{
    return app->n / (2 * app->size) * which + app->n % (2 * app->size) * which / (2 * app->size);
}

static long columns_at(const struct app *app, const struct ring *ring, int place)
{
    return first_of(app, ring->at[place] + 1) - first_of(app, ring->at[place]);
}

static int numbers_at(const struct app *app, const struct ring *ring, int place)
{
    return (int)(columns_at(app, ring, place) * ring->n);
}

static double *block(const struct ring *ring, double *blocks, int which)
{
    return blocks + (size_t)which * (size_t)ring->most * (size_t)ring->n;
}

/* One step of all blocks round the ring: the upper of rank 0 stays. */
static void turn_ring(const struct app *app, struct ring *ring)
{
    int last = app->size - 1, *at = ring->at, out = at[2 * last + UPPER];

    for (int r = last; r > 1; r--)
        at[2 * r + UPPER] = at[2 * (r - 1) + UPPER];
    at[2 * 1 + UPPER] = at[2 * 0 + LOWER];
    for (int r = 0; r < last; r++)
        at[2 * r + LOWER] = at[2 * (r + 1) + LOWER];
    at[2 * last + LOWER] = out;
}

/* Sends the blocks that leave, receives those that come, and keeps the one that does neither. */
static void move_blocks(const struct app *app, struct ring *ring)
{
    int r = app->rank, last = app->size - 1, upper = 2 * r + UPPER, lower = 2 * r + LOWER;
    int before = r > 0 ? r - 1 : MPI_PROC_NULL, after = r < last ? r + 1 : MPI_PROC_NULL;
    int forth = r == 0 ? LOWER : UPPER, stays = r == 0 ? UPPER : LOWER;
    int going_after = numbers_at(app, ring, 2 * r + forth);
    int going_before = numbers_at(app, ring, lower);
    MPI_Request requests[4];
    double *swap;

    turn_ring(app, ring);
    MPI_Irecv(block(ring, ring->next, UPPER), numbers_at(app, ring, upper), MPI_DOUBLE, before, 0,
              MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(block(ring, ring->next, LOWER), numbers_at(app, ring, lower), MPI_DOUBLE, after, 1,
              MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(block(ring, ring->now, forth), going_after, MPI_DOUBLE, after, 0, MPI_COMM_WORLD,
              &requests[2]);
    MPI_Isend(block(ring, ring->now, LOWER), going_before, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
              &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (!app->charged && (r == 0 || r == last))
        memcpy(block(ring, ring->next, stays), block(ring, ring->now, UPPER),
               (size_t)ring->most * (size_t)ring->n * sizeof *ring->now);
    swap = ring->now;
    ring->now = ring->next;
    ring->next = swap;
}

/* ---- rotating ---- */

/* Makes x and y orthogonal, by the smaller of the two angles that do. */
static void rotate(double *restrict x, double *restrict y, long n)
{
    double xx = 0, yy = 0, xy = 0, c = 1, s = 0;

    for (long i = 0; i < n; i++) {
        xx += x[i] * x[i];
        yy += y[i] * y[i];
        xy += x[i] * y[i];
    }
    if (xy != 0) {
        double z = (yy - xx) / (2 * xy), t = copysign(1, z) / (fabs(z) + sqrt(1 + z * z));

        c = 1 / sqrt(1 + t * t);
        s = c * t;
    }
    for (long i = 0; i < n; i++) {
        double old = x[i];

        x[i] = c * old - s * y[i];
        y[i] = s * old + c * y[i];
    }
}

/* All pairs of one of some columns and one of others, or of two of some if these are the others. */
static void rotate_pairs(long n, double *some, long count, double *others, long other_count)
{
    for (long i = 0; i < count; i++)
        for (long j = some == others ? i + 1 : 0; j < other_count; j++)
            rotate(some + i * n, others + j * n, n);
}

static void sweep(struct app *app, struct ring *ring)
{
    double rotation = 12 * (double)ring->n + 14; /* operations */

    for (int step = 0; step < 2 * app->size - 1; step++) {
        long upper = columns_at(app, ring, 2 * app->rank + UPPER);
        long lower = columns_at(app, ring, 2 * app->rank + LOWER);
        double *up = block(ring, ring->now, UPPER), *low = block(ring, ring->now, LOWER);
        double pairs = (double)upper * (double)lower;

        if (step == 0)
            pairs += 0.5 * (double)(upper * (upper - 1) + lower * (lower - 1));
        if (!app->charged && step == 0) {
            rotate_pairs(ring->n, up, upper, up, upper);
            rotate_pairs(ring->n, low, lower, low, lower);
        }
        if (!app->charged)
            rotate_pairs(ring->n, up, upper, low, lower);
        app_work(app, rotation * pairs);
        if (app->size > 1)
            move_blocks(app, ring);
    }
}

/* ---- the matrix and the check ---- */

/* The matrix sum_k value_k s_k s_k^T of sine vectors s_k is of Toeplitz and Hankel form: entry
 * (i, j), from 1 on, is band[|i - j|] - band[i + j]. */
struct matrix {
    long n;
    long *order;  /* value_k = (order[k] + 1) / n, with order a random permutation of 0 .. n - 1 */
    double *band; /* 2 n + 1 */
    double *x;    /* for the check: three vectors, 0 at first */
};

static double sine(long n, long k, long i)
{
    return sqrt(2 / (double)(n + 1)) *
           sin(PI * (double)((i + 1) * (k + 1) % (2 * n + 2)) / (double)(n + 1));
}

/* A random permutation (Fisher and Yates), the same on all ranks. */
static void shuffle(const struct app *app, struct matrix *a)
{
    for (long k = 0; k < a->n; k++) {
        long other = (long)(app_random_bits(app, (uint64_t)k) % (uint64_t)(k + 1));

        a->order[k] = a->order[other];
        a->order[other] = k;
    }
}

static void fill(const struct app *app, const struct matrix *a, struct ring *ring)
{
    for (int which = 0; which < 2; which++) {
        int mine = 2 * app->rank + which;
        double *column = block(ring, ring->now, which);

        for (long j = first_of(app, mine); j < first_of(app, mine + 1); j++, column += a->n)
            for (long i = 0; i < a->n; i++)
                column[i] = a->band[i > j ? i - j : j - i] - a->band[i + j + 2];
    }
}

static void create_matrix(struct app *app, struct matrix *a, struct ring *ring)
{
    long n = app->n, round = 2 * n + 2;
    double *cosine = app_data(app, (size_t)round, sizeof *cosine);

    a->n = n;
    a->order = app_data(app, (size_t)n, sizeof *a->order);
    a->band = app_data(app, (size_t)(2 * n + 1), sizeof *a->band);
    a->x = app_data(app, 3 * (size_t)n, sizeof *a->x);
    if (app->charged)
        return;
    shuffle(app, a);
    for (long i = 0; i < round; i++)
        cosine[i] = cos(PI * (double)i / (double)(n + 1)) / ((double)n * (double)(n + 1));
    for (long i = 0; i <= 2 * n; i++)
        for (long k = 0; k < n; k++)
            a->band[i] += (double)(a->order[k] + 1) * cosine[i * (k + 1) % round];
    app_free(app, cosine);
    fill(app, a, ring);
}

/* out = W (W^T in), on all ranks; out is 0 before. */
static void apply_columns(const struct app *app, const struct ring *ring, const double *in,
                          double *out)
{
    for (int which = 0; which < 2; which++)
        for (long j = 0; j < columns_at(app, ring, 2 * app->rank + which); j++) {
            const double *column = block(ring, ring->now, which) + j * ring->n;
            double sum = 0;

            for (long i = 0; i < ring->n; i++)
                sum += column[i] * in[i];
            for (long i = 0; i < ring->n; i++)
                out[i] += column[i] * sum;
        }
    MPI_Allreduce(MPI_IN_PLACE, out, (int)ring->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* How far W (W^T x) is from A^2 x, for x of all sine vectors, relative to its largest part. */
static double product_error(const struct app *app, const struct matrix *a, const struct ring *ring)
{
    double *x = a->x, *expected = x + a->n, *found = expected + a->n, worst = 0, largest = 0;

    for (long k = 0; k < a->n; k++) {
        double much = app_random(app, (UINT64_C(1) << 62) + (uint64_t)k) - 0.5;
        double value = (double)(a->order[k] + 1) / (double)a->n;

        for (long i = 0; i < a->n; i++) {
            x[i] += much * sine(a->n, k, i);
            expected[i] += much * value * value * sine(a->n, k, i);
        }
    }
    apply_columns(app, ring, x, found);
    for (long i = 0; i < a->n; i++) {
        worst = app_worse(worst, fabs(found[i] - expected[i]));
        largest = fmax(largest, fabs(expected[i]));
    }
    return worst / largest;
}

/* How far a column is from the eigenvalue, its length, and the eigenvector that it should be. */
static double column_error(const struct matrix *a, const double *column)
{
    double squares = 0, sign = 0, length, worst;
    long order, k = 0;

    for (long i = 0; i < a->n; i++)
        squares += column[i] * column[i];
    length = sqrt(squares);
    if (!(length * (double)a->n >= 0.75 && length * (double)a->n <= (double)a->n + 0.25))
        return INFINITY;
    order = lround(length * (double)a->n) - 1;
    while (a->order[k] != order)
        k++;
    worst = fabs(length - (double)(order + 1) / (double)a->n);
    for (long i = 0; i < a->n; i++)
        sign += column[i] * sine(a->n, k, i);
    for (long i = 0; i < a->n; i++)
        worst = app_worse(worst, fabs(copysign(1, sign) * column[i] / length - sine(a->n, k, i)));
    return worst;
}

static double check(const struct app *app, const struct matrix *a, const struct ring *ring)
{
    double worst = product_error(app, a, ring);
    bool converged = (double)app->iterations >= 6 + log2((double)a->n);

    for (int which = 0; converged && which < 2; which++)
        for (long j = 0; j < columns_at(app, ring, 2 * app->rank + which); j++)
            worst = app_worse(worst, column_error(a, block(ring, ring->now, which) + j * a->n));
    return app_max(worst);
}

/* ---- set-up ---- */

static void create_ring(struct app *app, struct ring *ring)
{
    long blocks = 2 * app->size;
    size_t numbers;

    if (app->split)
        app_fail(app, "--split has no meaning here: all blocks come to all ranks");
    ring->n = app->n;
    ring->most = (ring->n + blocks - 1) / blocks;
    if (ring->n < blocks)
        app_fail(app, "%ld columns are too few for two blocks on each rank", ring->n);
    if (ring->n > INT_MAX || (app->size > 1 && ring->most * ring->n > INT_MAX))
        app_fail(app, "%ld columns are too many for messages of %d ranks", ring->n, app->size);
    numbers = 2 * (size_t)ring->most * (size_t)ring->n;
    ring->now = app_buffer(app, numbers, sizeof *ring->now);
    ring->next = app_buffer(app, app->size > 1 ? numbers : 0, sizeof *ring->next);
    ring->at = malloc((size_t)blocks * sizeof *ring->at);
    if (!ring->at)
        app_fail(app, "out of memory");
    for (int i = 0; i < blocks; i++)
        ring->at[i] = i;
}

static void destroy(const struct app *app, struct ring *ring, struct matrix *matrix)
{
    app_free(app, ring->now);
    app_free(app, ring->next);
    app_free(app, matrix->order);
    app_free(app, matrix->band);
    app_free(app, matrix->x);
    free(ring->at);
}

static struct app_state state(const struct app *app, const struct ring *ring)
{
    return (struct app_state){
        {{ring->now, 2 * (size_t)ring->most * (size_t)ring->n * sizeof *ring->now},
         {ring->at, 2 * (size_t)app->size * sizeof *ring->at}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct ring ring;
    struct matrix matrix;
    double error = 0;

    app_begin(&app, &argc, &argv, "eigen", 200, 14);
    create_ring(&app, &ring);
    create_matrix(&app, &matrix, &ring);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&app, &ring)); k <= app.iterations; k++) {
        sweep(&app, &ring);
        app_checkpoint(&app, k, state(&app, &ring));
    }
    app_stop(&app);
    if (!app.charged)
        error = check(&app, &matrix, &ring);
    destroy(&app, &ring, &matrix);
    return app_end(&app, error, 1e-10);
}
