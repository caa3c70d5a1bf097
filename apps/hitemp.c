// SPDX-License-Identifier: GPL-3.0-or-later
/* hitemp.c - inverses of small matrices from a pool of jobs: master and slaves, requested work.
 *
 * A job is a chain of 100 to 199 sites, each with an energy of its own, that act on each other
 * with the inverse square of their distance.  The matrix of these, full and symmetric, is
 * inverted (Gauss and Jordan, with pivots) and the diagonal of the inverse is the result.  The
 * size n is the number of jobs in the pool, and an iteration empties the pool once; how many
 * sites a job has depends on the job alone, their energies on the iteration too.
 *
 * Rank 0, the master, holds the pool.  A slave asks for a job (an empty message); the master
 * draws the energies of the next and sends them; the slave does the job and sends the result,
 * which asks for the next job; when the pool is empty the master says so (an empty message), and
 * all wait for each other before the next iteration.  So a faster slave does more jobs.  With one
 * rank the master does the jobs itself.  Messages are small beside the work, as in the paper's
 * table 3.25.  The numbers of operations and of messages, and their sizes, are the same whoever
 * does which job.
 *
 * Known to be right: every job was done once in each iteration, by the master's book and by the
 * slaves' count; each inverse times its matrix is the identity, as a random vector sees it; and
 * of each result of the last iteration one entry is what the method of conjugate gradients finds.
 *
 * Source: Schopf 1998, sections 2.D.2 and 3.D.2, figures 2.4 and 2.6. */
#include "app.h"

#include <math.h>
#include <string.h>

enum { MASTER = 0, LEAST = 100, MOST = 199 };
enum { ASK = 1, JOB, RESULT, POOL_EMPTY }; /* tags */

static const double BEYOND = 1e300; /* an error without bounds, or not a number */

struct pool {
    double *message;       /* the energies of a job, or its result: at most MOST */
    double *matrix;        /* MOST x MOST */
    double done, residual; /* jobs of this rank, and the worst of their residuals */
    /* On the master only: the results one after the other, and where that of each job starts; */
    double *results;
    size_t *start;
    long *given, *counted; /* the job that each rank has, how often each was done */
};

/* ---- a job ---- */

static int sites_of_job(const struct app *app, long job)
{
    return LEAST + (int)(app_random(app, UINT64_MAX / 2 + (uint64_t)job) * (MOST - LEAST + 1));
}

static void draw_energies(const struct app *app, long iteration, long job, int sites,
                          double *energies)
{
    uint64_t number = (uint64_t)(iteration - 1) * (uint64_t)app->n + (uint64_t)job;

    for (int i = 0; i < sites; i++)
        energies[i] = 4 + 4 * app_random(app, number * MOST + (uint64_t)i);
}

/* Each row sums to less than twice its diagonal, so the matrix is positive definite. */
static double entry(const double *energies, int i, int j)
{
    return i == j ? energies[i] : 1 / (double)((i - j) * (i - j));
}

static void swap_numbers(double *a, double *b, int count, int stride)
{
    for (int i = 0; i < count * stride; i += stride) {
        double swap = a[i];

        a[i] = b[i];
        b[i] = swap;
    }
}

/* Brings the largest entry of column k from row k on to row k, and tells where it was. */
static int pivot(double *a, int rows, int k)
{
    int best = k;

    for (int i = k + 1; i < rows; i++)
        if (fabs(a[i * rows + k]) > fabs(a[best * rows + k]))
            best = i;
    if (best != k)
        swap_numbers(a + best * rows, a + k * rows, rows, 1);
    return best;
}

/* In place: each step puts a column of the inverse where a column of the matrix was. */
static void invert(double *a, int rows)
{
    int from[MOST];

    for (int k = 0; k < rows; k++) {
        double *top = a + k * rows, factor;

        from[k] = pivot(a, rows, k);
        factor = 1 / top[k];
        top[k] = 1;
        for (int j = 0; j < rows; j++)
            top[j] *= factor;
        for (int i = 0; i < rows; i++) {
            double *row = a + i * rows;

            if (i == k)
                continue;
            factor = row[k];
            row[k] = 0;
            for (int j = 0; j < rows; j++)
                row[j] -= factor * top[j];
        }
    }
    for (int k = rows - 1; k >= 0; k--)
        if (from[k] != k)
            swap_numbers(a + k, a + from[k], rows, rows);
}

/* y = A x */
static void apply(const double *energies, int sites, const double *x, double *y)
{
    for (int i = 0; i < sites; i++) {
        y[i] = 0;
        for (int j = 0; j < sites; j++)
            y[i] += entry(energies, i, j) * x[j];
    }
}

/* The largest entry of (A inverse - I) x for a random x. */
static double residual(const struct app *app, const double *energies, const double *inverse,
                       int sites)
{
    double x[MOST], y[MOST] = {0}, back[MOST], worst = 0;

    for (int i = 0; i < sites; i++)
        x[i] = 2 * app_random(app, UINT64_MAX - (uint64_t)i) - 1;
    for (int i = 0; i < sites; i++)
        for (int j = 0; j < sites; j++)
            y[i] += inverse[i * sites + j] * x[j];
    apply(energies, sites, y, back);
    for (int i = 0; i < sites; i++)
        worst = app_worse(worst, fabs(back[i] - x[i]));
    return worst;
}

/* Takes the energies from the message and leaves the result there. */
static void do_job(struct app *app, struct pool *pool, int sites)
{
    double n = sites;

    if (!app->charged) {
        for (int k = 0; k < sites * sites; k++)
            pool->matrix[k] = entry(pool->message, k / sites, k % sites);
        invert(pool->matrix, sites);
        pool->residual =
            app_worse(pool->residual, residual(app, pool->message, pool->matrix, sites));
        for (int i = 0; i < sites; i++)
            pool->message[i] = pool->matrix[i * sites + i];
    }
    app_work(app, 3 * n * n                             /* the matrix */
                      + n * (1.5 * n + 2 * (n - 1) * n) /* pivot and scale; reduce */
                      + 7 * n * n);                     /* the residual */
    pool->done++;
}

/* ---- master and slaves ---- */

static void make_job(struct app *app, struct pool *pool, long iteration, long job, int sites)
{
    if (!app->charged)
        draw_energies(app, iteration, job, sites, pool->message);
    app_work(app, 15.0 * sites);
}

static void keep(const struct app *app, struct pool *pool, long job)
{
    if (app->charged)
        return;
    memcpy(pool->results + pool->start[job], pool->message,
           (size_t)sites_of_job(app, job) * sizeof *pool->message);
    pool->counted[job]++;
}

static void hand_out(struct app *app, struct pool *pool, long iteration)
{
    long next = 0;

    for (int working = app->size - 1; working > 0;) {
        MPI_Status status;
        int slave, sites;

        MPI_Recv(pool->message, MOST, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 &status);
        slave = status.MPI_SOURCE;
        if (status.MPI_TAG == RESULT && !app->charged)
            keep(app, pool, pool->given[slave]);
        if (next == app->n) {
            MPI_Send(pool->message, 0, MPI_DOUBLE, slave, POOL_EMPTY, MPI_COMM_WORLD);
            working--;
            continue;
        }
        sites = sites_of_job(app, next);
        make_job(app, pool, iteration, next, sites);
        MPI_Send(pool->message, sites, MPI_DOUBLE, slave, JOB, MPI_COMM_WORLD);
        if (!app->charged)
            pool->given[slave] = next;
        next++;
    }
}

static void work_for_master(struct app *app, struct pool *pool)
{
    MPI_Send(pool->message, 0, MPI_DOUBLE, MASTER, ASK, MPI_COMM_WORLD);
    for (;;) {
        MPI_Status status;
        int sites;

        MPI_Recv(pool->message, MOST, MPI_DOUBLE, MASTER, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == POOL_EMPTY)
            return;
        MPI_Get_count(&status, MPI_DOUBLE, &sites);
        do_job(app, pool, sites);
        MPI_Send(pool->message, sites, MPI_DOUBLE, MASTER, RESULT, MPI_COMM_WORLD);
    }
}

static void work_alone(struct app *app, struct pool *pool, long iteration)
{
    for (long job = 0; job < app->n; job++) {
        int sites = sites_of_job(app, job);

        make_job(app, pool, iteration, job, sites);
        do_job(app, pool, sites);
        keep(app, pool, job);
    }
}

/* ---- set-up and check ---- */

/* Returns the number of entries of all results. */
static size_t set_up(struct app *app, struct pool *pool)
{
    size_t n = (size_t)app->n, all = 0;

    *pool = (struct pool){.done = 0};
    pool->message = app_buffer(app, MOST, sizeof *pool->message);
    if (app->rank != MASTER || app->size == 1)
        pool->matrix = app_data(app, MOST * MOST, sizeof *pool->matrix);
    if (app->rank != MASTER)
        return 0;
    pool->start = app_data(app, n, sizeof *pool->start);
    pool->counted = app_data(app, n, sizeof *pool->counted);
    pool->given = app_data(app, (size_t)app->size, sizeof *pool->given);
    for (long job = 0; job < app->n; job++) {
        if (!app->charged)
            pool->start[job] = all;
        all += (size_t)sites_of_job(app, job);
    }
    pool->results = app_data(app, all, sizeof *pool->results);
    return all;
}

static double dot(const double *x, const double *y, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Entry (k, k) of the inverse, by conjugate gradients for A x = unit vector k. */
static double diagonal_of_inverse(const double *energies, int sites, int k)
{
    double x[MOST] = {0}, rest[MOST] = {0}, way[MOST] = {0}, turned[MOST], square = 1;

    rest[k] = way[k] = 1;
    for (int step = 0; step < sites && square > 1e-28; step++) {
        double before = square, length;

        apply(energies, sites, way, turned);
        length = square / dot(way, turned, sites);
        for (int i = 0; i < sites; i++) {
            x[i] += length * way[i];
            rest[i] -= length * turned[i];
        }
        square = dot(rest, rest, sites);
        for (int i = 0; i < sites; i++)
            way[i] = rest[i] + square / before * way[i];
    }
    return x[k];
}

static double judge(const struct app *app, const struct pool *pool)
{
    double worst = 0;

    for (long job = 0; job < app->n; job++) {
        double energies[MOST];
        int sites = sites_of_job(app, job), k = (int)(job % sites);

        if (pool->counted[job] != app->iterations)
            return BEYOND;
        draw_energies(app, app->iterations, job, sites, energies);
        worst = app_worse(worst, fabs(pool->results[pool->start[job] + (size_t)k] -
                                      diagonal_of_inverse(energies, sites, k)));
    }
    return worst;
}

/* `all` is the number of entries of all results, on the master only. */
static struct app_state state(const struct app *app, struct pool *pool, size_t all)
{
    const size_t jobs = app->rank == MASTER ? (size_t)app->n : 0;

    return (struct app_state){{{&pool->done, sizeof pool->done},
                               {&pool->residual, sizeof pool->residual},
                               {pool->results, all * sizeof *pool->results},
                               {pool->counted, jobs * sizeof *pool->counted}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct pool pool;
    size_t all;
    double error = 0;

    app_begin(&app, &argc, &argv, "hitemp", 200, 1);
    if (app.split)
        app_fail(&app, "--split has no meaning here: slaves ask for work when they are free");
    all = set_up(&app, &pool);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&app, &pool, all)); k <= app.iterations; k++) {
        if (app.size == 1)
            work_alone(&app, &pool, k);
        else if (app.rank == MASTER)
            hand_out(&app, &pool, k);
        else
            work_for_master(&app, &pool);
        app_checkpoint(&app, k, state(&app, &pool, all));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    app_stop(&app);
    if (!app.charged) {
        error = app_max(app_worse(pool.residual, app.rank == MASTER ? judge(&app, &pool) : 0));
        if (app_sum(pool.done) != (double)app.n * (double)app.iterations)
            error = BEYOND;
    }
    app_free(&app, pool.message);
    app_free(&app, pool.matrix);
    app_free(&app, pool.results);
    app_free(&app, pool.start);
    app_free(&app, pool.given);
    app_free(&app, pool.counted);
    return app_end(&app, error, 1e-12);
}
