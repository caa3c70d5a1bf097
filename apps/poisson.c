// SPDX-License-Identifier: GPL-3.0-or-later
/* poisson.c - Laplace's equation on a square by Jacobi iteration, rows split over the ranks,
 * neighbours exchanged without blocking while the inner rows are done.
 *
 * The grid has n x n inner points, or --rows x n, and 0 around.  It starts as a product of two half
 * waves, sin(pi i / (rows + 1)) sin(pi j / (n + 1)), of which every iteration leaves the mean of
 * cos(pi / (rows + 1)) and cos(pi / (n + 1)) times: the exact result is known. */
#include "app.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

struct grid {
    long n, height;     /* columns and rows in all */
    long first, rows;   /* of this rank: rows first .. first + rows - 1 */
    double *now, *next; /* rows + 2 of n + 2 */
};

static double *row(const struct grid *grid, double *u, long i)
{
    return u + i * (grid->n + 2);
}

static void sweep(const struct grid *grid, long from, long to)
{
    for (long i = from; i <= to; i++) {
        const double *up = row(grid, grid->now, i - 1), *at = row(grid, grid->now, i);
        const double *down = row(grid, grid->now, i + 1);
        double *out = row(grid, grid->next, i);

        for (long j = 1; j <= grid->n; j++)
            out[j] = 0.25 * (up[j] + down[j] + at[j - 1] + at[j + 1]);
    }
}

/* What the mode is at a point, counted from 0 on the edge. */
static double mode(const struct grid *grid, long i, long j)
{
    return sin(PI * (double)i / (double)(grid->height + 1)) *
           sin(PI * (double)j / (double)(grid->n + 1));
}

static double farthest(const struct grid *grid, long iterations)
{
    const double down = cos(PI / (double)(grid->height + 1));
    const double across = cos(PI / (double)(grid->n + 1));
    const double factor = pow((down + across) / 2, (double)iterations);
    double worst = 0;

    for (long i = 1; i <= grid->rows; i++)
        for (long j = 1; j <= grid->n; j++)
            worst = app_worse(worst, fabs(row(grid, grid->now, i)[j] -
                                          factor * mode(grid, grid->first + i, j)));
    return worst;
}

/* Edge rows in buffers of their own: where the work is only charged, there is no grid. */
struct edges {
    double *send[2], *receive[2]; /* up and down */
    int neighbour[2];
};

static void exchange_begin(const struct grid *grid, struct edges *edges, bool real,
                           MPI_Request requests[4])
{
    for (int k = 0; k < 2; k++) {
        if (real)
            for (long j = 1; j <= grid->n; j++)
                edges->send[k][j - 1] = row(grid, grid->now, k ? grid->rows : 1)[j];
        MPI_Irecv(edges->receive[k], (int)grid->n, MPI_DOUBLE, edges->neighbour[k], 1 - k,
                  MPI_COMM_WORLD, &requests[k]);
        MPI_Isend(edges->send[k], (int)grid->n, MPI_DOUBLE, edges->neighbour[k], k, MPI_COMM_WORLD,
                  &requests[2 + k]);
    }
}

static void exchange_end(const struct grid *grid, const struct edges *edges, bool real,
                         MPI_Request requests[4])
{
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; real && k < 2; k++)
        for (long j = 1; edges->neighbour[k] != MPI_PROC_NULL && j <= grid->n; j++)
            row(grid, grid->now, k ? grid->rows + 1 : 0)[j] = edges->receive[k][j - 1];
}

static void iterate(struct app *app, struct grid *grid, struct edges *edges)
{
    const double point = 4; /* operations */
    long inner = grid->rows > 2 ? grid->rows - 2 : 0;
    MPI_Request requests[4];
    double *swap;

    exchange_begin(grid, edges, !app->charged, requests);
    if (!app->charged)
        sweep(grid, 2, grid->rows - 1);
    app_work(app, point * (double)inner * (double)grid->n);
    exchange_end(grid, edges, !app->charged, requests);
    if (!app->charged) {
        sweep(grid, 1, 1);
        if (grid->rows > 1)
            sweep(grid, grid->rows, grid->rows);
    }
    app_work(app, point * (double)(grid->rows - inner) * (double)grid->n);
    swap = grid->now;
    grid->now = grid->next;
    grid->next = swap;
}

static struct app_state state(const struct grid *grid, size_t points)
{
    return (struct app_state){{{grid->now, points * sizeof *grid->now}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct grid grid;
    struct edges edges;
    double error = 0;
    size_t points;
    long rows = 0;
    const struct app_option own[] = {
        {"--rows", "rows of points; as many as columns, --size, where not given", &rows, 1}, {0}};

    app_begin_with(&app, &argc, &argv, "poisson", 1000, 100, own);
    rows = rows ? rows : app.n;
    grid.n = app.n;
    grid.height = rows;
    app_share(&app, app.rank, rows, &grid.first, &grid.rows);
    if (app_max(grid.rows < 1) > 0)
        app_fail(&app, "a grid of %ld rows is too small for %d ranks", rows, app.size);
    points = (size_t)(grid.rows + 2) * (size_t)(grid.n + 2);
    grid.now = app_data(&app, points, sizeof *grid.now);
    grid.next = app_data(&app, points, sizeof *grid.next);
    for (int k = 0; k < 2; k++) {
        edges.send[k] = app_buffer(&app, (size_t)grid.n, sizeof(double));
        edges.receive[k] = app_buffer(&app, (size_t)grid.n, sizeof(double));
    }
    edges.neighbour[0] = app.rank > 0 ? app.rank - 1 : MPI_PROC_NULL;
    edges.neighbour[1] = app.rank + 1 < app.size ? app.rank + 1 : MPI_PROC_NULL;
    for (long i = 1; !app.charged && i <= grid.rows; i++)
        for (long j = 1; j <= grid.n; j++)
            row(&grid, grid.now, i)[j] = mode(&grid, grid.first + i, j);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&grid, points)); k <= app.iterations; k++) {
        iterate(&app, &grid, &edges);
        app_checkpoint(&app, k, state(&grid, points));
    }
    app_stop(&app);
    if (!app.charged)
        error = app_max(farthest(&grid, app.iterations));
    app_free(&app, grid.now);
    app_free(&app, grid.next);
    for (int k = 0; k < 2; k++) {
        app_free(&app, edges.send[k]);
        app_free(&app, edges.receive[k]);
    }
    return app_end(&app, error, 1e-10);
}
