// SPDX-License-Identifier: GPL-3.0-or-later
/* cg.c - conjugate gradients, preconditioned by the diagonal, on a sparse symmetric positive
 * definite matrix, rows split over the ranks.
 *
 * The matrix has n rows and, beside its diagonal, PAIRS pairs of diagonals at random distances
 * (wrapped round at n), filled with random weights in (-1, 0]: 2 PAIRS + 1 entries in each row,
 * which any rank can tell without asking another.  The diagonal is so much larger than the rest of
 * its row that the eigenvalues of the preconditioned matrix are in [GAP, 2 - GAP].
 *
 * Each rank has some rows, --split of them or as many as the others, and the same part of each
 * vector.  The columns lie anywhere, so each iteration gathers the whole direction on all ranks
 * (MPI_Allgatherv), and adds up two scalar products (MPI_Allreduce of one number).
 *
 * The right-hand side is made from a known solution.  The residual by recurrence must be the one
 * that is computed anew at the end, with a vector that came another way, and the error must have
 * fallen as far as the theory says: in the norm of the matrix to at most 2 q^k of what it was, with
 * q = (sqrt(c) - 1) / (sqrt(c) + 1), where c is the condition number of the preconditioned matrix.
 * The last direction must be conjugate to the one before it.
 *
 * Workload 3 of Sanjay and Vadhiyar (2008), section 4. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 8, ENTRIES = 2 * PAIRS };

static const double GAP = 0.05;

struct matrix {
    long n, first, rows; /* of this rank: rows first .. first + rows - 1 of n */
    int *column;         /* of the entries beside the diagonal, ENTRIES a row */
    double *value;
    double *diagonal;
    int *counts, *offsets; /* rows of each rank, for gathering */
};

/* Parts of vectors, `rows` long, and one vector that is whole. */
struct vectors {
    double *solution, *right;  /* x and b of A x = b */
    double *residual, *scaled; /* r and D^-1 r */
    double *product;           /* A p */
    double *direction;         /* p: all n, of which only this rank's part is up to date */
    double rho;                /* r . D^-1 r */
    double curvature;          /* p . A p, of the last direction but one */
};

/* ---- the problem ---- */

static long distance(const struct app *app, int pair)
{
    return 1 + (long)(app_random_bits(app, (uint64_t)pair) % (uint64_t)(app->n - 1));
}

/* The entry of row i that is `pair`'s distance after the diagonal. */
static double entry(const struct app *app, long i, int pair)
{
    return -app_random(app, PAIRS + (uint64_t)i * PAIRS + (uint64_t)pair);
}

static double known_solution(const struct app *app, long i)
{
    return app_random(app, (UINT64_C(1) << 62) + (uint64_t)i) - 0.5;
}

/* Fills row `first + i`, and the right-hand side there. */
static void fill_row(const struct app *app, struct matrix *a, struct vectors *v, long i)
{
    long at = a->first + i;
    double sum = 0;

    v->right[i] = 0;
    for (int k = 0; k < PAIRS; k++) {
        long step = distance(app, k);
        long after = (at + step) % a->n, before = (at + a->n - step) % a->n;

        a->column[i * ENTRIES + 2 * k] = (int)after;
        a->value[i * ENTRIES + 2 * k] = entry(app, at, k);
        a->column[i * ENTRIES + 2 * k + 1] = (int)before;
        a->value[i * ENTRIES + 2 * k + 1] = entry(app, before, k);
    }
    for (long e = i * ENTRIES; e < (i + 1) * ENTRIES; e++) {
        sum -= a->value[e];
        v->right[i] += a->value[e] * known_solution(app, a->column[e]);
    }
    a->diagonal[i] = sum / (1 - GAP);
    v->right[i] += a->diagonal[i] * known_solution(app, at);
}

/* ---- the solver ---- */

static double dot(const double *x, const double *y, long count)
{
    double sum = 0;

    for (long i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

static void apply(const struct matrix *a, const double *whole, double *out)
{
    for (long i = 0; i < a->rows; i++) {
        double sum = a->diagonal[i] * whole[a->first + i];

        for (long e = i * ENTRIES; e < (i + 1) * ENTRIES; e++)
            sum += a->value[e] * whole[a->column[e]];
        out[i] = sum;
    }
}

/* 0 where nothing is left to divide: the iterations are as many as were asked for, even if the
 * residual has vanished before. */
static double ratio(double x, double y)
{
    return y > 0 ? x / y : 0;
}

/* x += alpha p, r -= alpha A p, and D^-1 r. */
static void advance(const struct matrix *a, struct vectors *v, double alpha)
{
    const double *direction = v->direction + a->first;

    for (long i = 0; i < a->rows; i++) {
        v->solution[i] += alpha * direction[i];
        v->residual[i] -= alpha * v->product[i];
        v->scaled[i] = v->residual[i] / a->diagonal[i];
    }
}

static void turn(const struct matrix *a, struct vectors *v, double beta)
{
    double *direction = v->direction + a->first;

    for (long i = 0; i < a->rows; i++)
        direction[i] = v->scaled[i] + beta * direction[i];
}

static void iterate(struct app *app, const struct matrix *a, struct vectors *v)
{
    double rows = (double)a->rows, sum = 0, before = v->rho;

    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v->direction, a->counts, a->offsets,
                   MPI_DOUBLE, MPI_COMM_WORLD);
    if (!app->charged) {
        apply(a, v->direction, v->product);
        sum = dot(v->direction + a->first, v->product, a->rows);
    }
    app_work(app, (2 * ENTRIES + 1 + 2) * rows);
    v->curvature = app_sum(sum);
    if (!app->charged) {
        advance(a, v, ratio(before, v->curvature));
        sum = dot(v->residual, v->scaled, a->rows);
    }
    app_work(app, (2 + 2 + 1 + 2) * rows);
    v->rho = app_sum(sum);
    if (!app->charged)
        turn(a, v, ratio(v->rho, before));
    app_work(app, 2 * rows);
}

/* ---- the check ---- */

/* How far the last direction is from conjugate to the one before it, of which the product is kept;
 * where both have vanished, so have the digits that would tell. */
static double direction_error(const struct matrix *a, const struct vectors *v)
{
    double both = app_sum(dot(v->direction + a->first, v->product, a->rows));

    return v->curvature < 1e-250 ? 0 : fabs(both) / v->curvature;
}

/* How far the residual by recurrence is from b - A x, relative to b. */
static double residual_error(const struct matrix *a, const struct vectors *v)
{
    double *whole = v->direction, off = 0, right = dot(v->right, v->right, a->rows);

    memset(whole, 0, (size_t)a->n * sizeof *whole);
    memcpy(whole + a->first, v->solution, (size_t)a->rows * sizeof *whole);
    MPI_Allreduce(MPI_IN_PLACE, whole, (int)a->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    apply(a, whole, v->product);
    for (long i = 0; i < a->rows; i++)
        off += pow(v->right[i] - v->product[i] - v->residual[i], 2);
    return sqrt(app_sum(off) / app_sum(right));
}

/* By how much the error has fallen less than it must have, relative to what it was.  It is taken in
 * the norm of the diagonal, which is in [1 / (2 - GAP), 1 / GAP] of the matrix's, squared. */
static double solution_error(const struct app *app, const struct matrix *a, const struct vectors *v)
{
    double condition = (2 - GAP) / GAP, was = 0, is = 0, bound;

    for (long i = 0; i < a->rows; i++) {
        double known = known_solution(app, a->first + i);

        was += a->diagonal[i] * known * known;
        is += a->diagonal[i] * pow(v->solution[i] - known, 2);
    }
    bound = 2 * sqrt(condition) *
            pow((sqrt(condition) - 1) / (sqrt(condition) + 1), (double)app->iterations);
    is = sqrt(app_sum(is) / app_sum(was));
    return is > bound ? is - bound : 0;
}

static double check(const struct app *app, const struct matrix *a, const struct vectors *v)
{
    double direction = direction_error(a, v), residual = residual_error(a, v);
    double solution = solution_error(app, a, v), sum = direction + residual + solution;

    return isfinite(sum) ? fmax(direction, fmax(residual, solution)) : INFINITY;
}

/* ---- set-up ---- */

static void create_matrix(struct app *app, struct matrix *a)
{
    a->n = app->n;
    app_share(app, app->rank, a->n, &a->first, &a->rows);
    if (a->n > INT_MAX)
        app_fail(app, "%ld rows are more than %d", a->n, INT_MAX);
    if (a->n < 2 || app_max(a->rows < 1) > 0)
        app_fail(app, "a matrix of %ld rows is too small for %d ranks", a->n, app->size);
    a->column = app_data(app, (size_t)a->rows * ENTRIES, sizeof *a->column);
    a->value = app_data(app, (size_t)a->rows * ENTRIES, sizeof *a->value);
    a->diagonal = app_data(app, (size_t)a->rows, sizeof *a->diagonal);
    a->counts = malloc((size_t)app->size * sizeof *a->counts);
    a->offsets = malloc((size_t)app->size * sizeof *a->offsets);
    if (!a->counts || !a->offsets)
        app_fail(app, "out of memory");
    for (int i = 0; i < app->size; i++) {
        long first, count;

        app_share(app, i, a->n, &first, &count);
        a->counts[i] = (int)count;
        a->offsets[i] = (int)first;
    }
}

/* The matrix, and the vectors of the start at x = 0. */
static void create(struct app *app, struct matrix *a, struct vectors *v)
{
    create_matrix(app, a);
    v->solution = app_data(app, (size_t)a->rows, sizeof(double));
    v->right = app_data(app, (size_t)a->rows, sizeof(double));
    v->residual = app_data(app, (size_t)a->rows, sizeof(double));
    v->scaled = app_data(app, (size_t)a->rows, sizeof(double));
    v->product = app_data(app, (size_t)a->rows, sizeof(double));
    v->direction = app_buffer(app, (size_t)a->n, sizeof(double));
    v->rho = v->curvature = 0;
    if (app->charged)
        return;
    for (long i = 0; i < a->rows; i++) {
        fill_row(app, a, v, i);
        v->residual[i] = v->right[i];
        v->scaled[i] = v->residual[i] / a->diagonal[i];
        v->direction[a->first + i] = v->scaled[i];
    }
    v->rho = app_sum(dot(v->residual, v->scaled, a->rows));
}

static void destroy(const struct app *app, struct matrix *a, struct vectors *v)
{
    app_free(app, a->column);
    app_free(app, a->value);
    app_free(app, a->diagonal);
    app_free(app, v->solution);
    app_free(app, v->right);
    app_free(app, v->residual);
    app_free(app, v->scaled);
    app_free(app, v->product);
    app_free(app, v->direction);
    free(a->counts);
    free(a->offsets);
}

static struct app_state state(const struct matrix *a, struct vectors *v)
{
    const size_t bytes = (size_t)a->rows * sizeof(double);

    return (struct app_state){{{v->solution, bytes},
                               {v->residual, bytes},
                               {v->scaled, bytes},
                               {v->product, bytes},
                               {v->direction + a->first, bytes},
                               {&v->rho, sizeof v->rho},
                               {&v->curvature, sizeof v->curvature}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct matrix matrix;
    struct vectors vectors;
    double error = 0;

    app_begin(&app, &argc, &argv, "cg", 200000, 30);
    create(&app, &matrix, &vectors);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&matrix, &vectors)); k <= app.iterations; k++) {
        iterate(&app, &matrix, &vectors);
        app_checkpoint(&app, k, state(&matrix, &vectors));
    }
    app_stop(&app);
    if (!app.charged)
        error = check(&app, &matrix, &vectors);
    destroy(&app, &matrix, &vectors);
    return app_end(&app, error, 1e-10);
}
