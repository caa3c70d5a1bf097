// SPDX-License-Identifier: GPL-3.0-or-later
/* fft.c - a Fourier transform of n complex numbers in one dimension, forward and back, by the
 * transpose method; FFTW does the transforms within a rank.
 *
 * n = n1 n2, with n1 the largest factor up to the square root.  The numbers are an n1 x n2 matrix,
 * rows split over the ranks, --split of them or as many as the others.  A transform is: transpose,
 * transform the rows (of n1), multiply by the twiddle factors, transpose, transform the rows (of
 * n2), transpose.  Its result is in natural order, as an n2 x n1 matrix; the inverse does the same
 * with n1 and n2 exchanged.  A transpose sends a block to each rank (MPI_Alltoallv): six of them in
 * an iteration.
 *
 * Between the transform and its inverse, frequency k is multiplied by exp(-2 pi i k / n), which
 * moves the numbers on by one place: after some iterations they must be the random ones of the
 * start, that many places further.  No frequency may be in another's place for that, and the last
 * spectrum must have the energy of the numbers (Parseval).
 *
 * Workload 2 of Sanjay and Vadhiyar (2008), section 4, which has FFTW do all of it. */
#include "app.h"

#include <complex.h>
#include <fftw3.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

struct transform {
    long n1, n2;
    double complex *now, *other;   /* this rank's rows, and where they are moved to */
    double complex *fine, *coarse; /* exp(-2 pi i m / n) for m < n2, and for m = n2 k, k < n1 */
    fftw_plan plans[2][2];         /* forward and back, of rows of n1 and of n2 */
    int *send_count, *send_offset, *receive_count, *receive_offset; /* of each rank */
    double energy; /* of this rank's part of the last spectrum, over n */
};

static long share(const struct app *app, long total)
{
    long first, count;

    app_share(app, app->rank, total, &first, &count);
    return count;
}

/* ---- transposing ---- */

/* out, columns x rows, from in, rows x columns; a square that fits the cache at a time. */
static void transpose_local(const double complex *in, double complex *out, long rows, long columns)
{
    const long side = 32;

    for (long i0 = 0; i0 < rows; i0 += side)
        for (long j0 = 0; j0 < columns; j0 += side)
            for (long i = i0; i < rows && i < i0 + side; i++)
                for (long j = j0; j < columns && j < j0 + side; j++)
                    out[j * rows + i] = in[i * columns + j];
}

/* Puts the blocks of all ranks, each `mine` x its rows, beside each other. */
static void join_blocks(const struct app *app, struct transform *t, long rows, long mine)
{
    for (int rank = 0; rank < app->size; rank++) {
        const double complex *block = t->now + t->receive_offset[rank];
        long first, count;

        app_share(app, rank, rows, &first, &count);
        for (long i = 0; i < mine; i++)
            memcpy(t->other + i * rows + first, block + i * count, (size_t)count * sizeof *block);
    }
}

/* Makes this rank's rows of a rows x columns matrix into its rows of the transposed one. */
static void transpose(struct app *app, struct transform *t, long rows, long columns)
{
    long had = share(app, rows), mine = share(app, columns);
    double complex *swap;

    for (int rank = 0; rank < app->size; rank++) {
        long first, count;

        app_share(app, rank, columns, &first, &count);
        t->send_count[rank] = (int)(had * count);
        t->send_offset[rank] = (int)(had * first);
        app_share(app, rank, rows, &first, &count);
        t->receive_count[rank] = (int)(mine * count);
        t->receive_offset[rank] = (int)(mine * first);
    }
    if (!app->charged)
        transpose_local(t->now, t->other, had, columns);
    else /* what stays here takes no simulated time, and need not be copied */
        t->send_count[app->rank] = t->receive_count[app->rank] = 0;
    app_work(app, 2 * (double)had * (double)columns);
    MPI_Alltoallv(t->other, t->send_count, t->send_offset, MPI_C_DOUBLE_COMPLEX, t->now,
                  t->receive_count, t->receive_offset, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
    if (!app->charged)
        join_blocks(app, t, rows, mine);
    app_work(app, 2 * (double)mine * (double)rows);
    swap = t->now;
    t->now = t->other;
    t->other = swap;
}

/* ---- transforming ---- */

/* Multiplies number j of `count` by w^(start + j step), w = exp(-2 pi i / n), or its conjugate. */
static void turn(const struct transform *t, double complex *numbers, long count, long start,
                 long step, bool back)
{
    long coarse = start / t->n2, fine = start % t->n2;

    for (long j = 0; j < count; j++) {
        double complex w = t->coarse[coarse] * t->fine[fine];

        numbers[j] *= back ? conj(w) : w;
        coarse += step / t->n2;
        fine += step % t->n2;
        if (fine >= t->n2) {
            fine -= t->n2;
            coarse++;
        }
    }
}

static void transform_rows(struct app *app, struct transform *t, long length, long rows, bool back)
{
    if (!app->charged)
        fftw_execute_dft(t->plans[back][length == t->n1 ? 0 : 1], t->now, t->now);
    app_work(app, 5 * (double)rows * (double)length * log2((double)length));
}

/* From rows of n2 to rows of n1 or, back, the other way. */
static void transform(struct app *app, struct transform *t, bool back)
{
    long a = back ? t->n2 : t->n1, b = back ? t->n1 : t->n2, first, rows;

    transpose(app, t, a, b);
    app_share(app, app->rank, b, &first, &rows);
    transform_rows(app, t, a, rows, back);
    for (long i = 0; !app->charged && i < rows; i++)
        turn(t, t->now + i * a, a, 0, first + i, back);
    app_work(app, (6 + 6) * (double)rows * (double)a);
    transpose(app, t, b, a);
    transform_rows(app, t, b, share(app, a), back);
    transpose(app, t, a, b);
}

/* Moves the numbers on by one place, by what that does to their spectrum; takes the energy, and
 * divides by n what the inverse will add up. */
static void move_on(struct app *app, struct transform *t)
{
    double n = (double)app->n, part;
    long first, rows, count;

    app_share(app, app->rank, t->n2, &first, &rows);
    count = rows * t->n1;
    part = (double)count;
    t->energy = 0;
    if (!app->charged) {
        turn(t, t->now, count, first * t->n1, 1, false);
        for (long j = 0; j < count; j++) {
            t->now[j] /= n;
            t->energy +=
                n * (creal(t->now[j]) * creal(t->now[j]) + cimag(t->now[j]) * cimag(t->now[j]));
        }
    }
    app_work(app, (6 + 6 + 2 + 5) * part);
}

/* ---- the check ---- */

static double complex number_at_start(const struct app *app, long j)
{
    return app_random(app, 2 * (uint64_t)j) - 0.5 +
           (app_random(app, 2 * (uint64_t)j + 1) - 0.5) * I;
}

static double check(const struct app *app, const struct transform *t)
{
    long first, rows, moved = app->iterations % app->n;
    double worst = 0, energy = 0, energies;

    app_share(app, app->rank, t->n1, &first, &rows);
    for (long i = 0; i < rows * t->n2; i++) {
        long from = (first * t->n2 + i + app->n - moved) % app->n;
        double complex expected = number_at_start(app, from);
        double off = cabs(t->now[i] - expected);

        worst = app_worse(worst, off);
        energy += creal(expected * conj(expected));
    }
    energies = fabs(app_sum(t->energy) / app_sum(energy) - 1);
    return fmax(app_max(worst), isfinite(energies) ? energies : INFINITY);
}

/* ---- set-up ---- */

static void choose_factors(struct app *app, struct transform *t)
{
    t->n1 = (long)sqrt((double)app->n);
    while (app->n % t->n1 != 0)
        t->n1--;
    t->n2 = app->n / t->n1;
    if (t->n2 > INT_MAX || app_max((double)share(app, t->n1) * (double)t->n2) > INT_MAX ||
        app_max((double)share(app, t->n2) * (double)t->n1) > INT_MAX)
        app_fail(app, "%ld = %ld x %ld numbers are too many for %d ranks", app->n, t->n1, t->n2,
                 app->size);
    if (app_max(share(app, t->n1) < 1 || share(app, t->n2) < 1) > 0)
        app_fail(app, "a matrix of %ld x %ld = %ld numbers is too small for %d ranks", t->n1, t->n2,
                 app->n, app->size);
}

static fftw_plan plan_rows(const struct transform *t, long length, long rows, int direction)
{
    int size = (int)length;

    return fftw_plan_many_dft(1, &size, (int)rows, t->now, NULL, 1, size, t->now, NULL, 1, size,
                              direction, FFTW_ESTIMATE);
}

/* Plans, tables and the numbers of the start: what only real computing needs. */
static void prepare(struct app *app, struct transform *t)
{
    double angle = -2 * PI / (double)app->n;
    long first, rows;

    for (int back = 0; back < 2; back++) {
        int direction = back ? FFTW_BACKWARD : FFTW_FORWARD;

        t->plans[back][0] = plan_rows(t, t->n1, share(app, t->n2), direction);
        t->plans[back][1] = plan_rows(t, t->n2, share(app, t->n1), direction);
        if (!t->plans[back][0] || !t->plans[back][1])
            app_fail(app, "FFTW has no plan for %ld x %ld numbers", t->n1, t->n2);
    }
    for (long m = 0; m < t->n2; m++)
        t->fine[m] = cexp(angle * (double)m * I);
    for (long m = 0; m < t->n1; m++)
        t->coarse[m] = cexp(angle * (double)(m * t->n2) * I);
    app_share(app, app->rank, t->n1, &first, &rows);
    for (long i = 0; i < rows * t->n2; i++)
        t->now[i] = number_at_start(app, first * t->n2 + i);
}

static void create(struct app *app, struct transform *t)
{
    long most;

    choose_factors(app, t);
    most = share(app, t->n1) * t->n2;
    if (share(app, t->n2) * t->n1 > most)
        most = share(app, t->n2) * t->n1;
    t->now = app_buffer(app, (size_t)most, sizeof *t->now);
    t->other = app_buffer(app, (size_t)most, sizeof *t->other);
    t->fine = app_data(app, (size_t)t->n2, sizeof *t->fine);
    t->coarse = app_data(app, (size_t)t->n1, sizeof *t->coarse);
    t->send_count = malloc(4 * (size_t)app->size * sizeof *t->send_count);
    if (!t->send_count)
        app_fail(app, "out of memory");
    t->send_offset = t->send_count + app->size;
    t->receive_count = t->send_offset + app->size;
    t->receive_offset = t->receive_count + app->size;
    if (!app->charged)
        prepare(app, t);
}

static void destroy(const struct app *app, struct transform *t)
{
    for (int k = 0; !app->charged && k < 4; k++)
        fftw_destroy_plan(t->plans[k / 2][k % 2]);
    app_free(app, t->now);
    app_free(app, t->other);
    app_free(app, t->fine);
    app_free(app, t->coarse);
    free(t->send_count);
}

static struct app_state state(const struct app *app, struct transform *t)
{
    return (struct app_state){{{t->now, (size_t)(share(app, t->n1) * t->n2) * sizeof *t->now},
                               {&t->energy, sizeof t->energy}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct transform t;
    double error = 0;

    app_begin(&app, &argc, &argv, "fft", 1 << 20, 5);
    create(&app, &t);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&app, &t)); k <= app.iterations; k++) {
        transform(&app, &t, false);
        move_on(&app, &t);
        transform(&app, &t, true);
        app_checkpoint(&app, k, state(&app, &t));
    }
    app_stop(&app);
    if (!app.charged)
        error = check(&app, &t);
    destroy(&app, &t);
    return app_end(&app, error, 1e-10);
}
