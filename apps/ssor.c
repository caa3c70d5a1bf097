// SPDX-License-Identifier: GPL-3.0-or-later
/* ssor.c - Laplace's equation on a square by symmetric successive over-relaxation, red and black,
 * on a Cartesian arrangement of ranks.
 *
 * H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid scheduling"
 * (J. Parallel Distrib. Comput. 68, 2008), section 4, list it: red-black ordering, Cartesian
 * topology, five-point stencil; the rest is chosen here.  The grid of n x n inner points is cut
 * into blocks, as many as there are ranks, by MPI_Dims_create and MPI_Cart_create.  An iteration is
 * a forward sweep, red then black, and a backward one, black then red.  The edges of a block go to
 * its four neighbours (MPI_Sendrecv, in both directions along the columns and then along the rows)
 * after the forward red and after the backward black points.  Nothing need be sent between the two
 * sweeps: the second begins with the colour that the first ended with, whose neighbours have not
 * changed.
 *
 * On the edge u is x y, which fulfils the discrete equation too.  What is added to it at the start,
 * sin(pi x) sin(pi y), keeps its shape, with one factor r for the red points and one, b, for the
 * black ones.  With mu = cos(pi h), a red half of a sweep turns r into (1 - w) r + w mu b, and a
 * black one b likewise: the exact result is known. */
#include "app.h"

#include <limits.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
static const double FACTOR = 1.2; /* of over-relaxation */

enum colour { RED, BLACK };

struct block {
    long n;
    long first[2], count[2]; /* rows and columns: first + 1 .. first + count of 1 .. n */
    double *u;               /* count[0] + 2 rows of count[1] + 2 */
    double *send, *receive;  /* an edge each: where the work is only charged, there is no u */
    MPI_Comm ranks;
};

static double *row(const struct block *block, long i)
{
    return block->u + i * (block->count[1] + 2);
}

/* The first column of row i of the block that has the colour: row + column is even where red. */
static long first_column(const struct block *block, enum colour colour, long i)
{
    return (block->first[0] + i + block->first[1] + 1) % 2 == (long)colour ? 1 : 2;
}

static void relax(const struct block *block, enum colour colour)
{
    for (long i = 1; i <= block->count[0]; i++) {
        const double *up = row(block, i - 1), *down = row(block, i + 1);
        double *at = row(block, i);

        for (long j = first_column(block, colour, i); j <= block->count[1]; j += 2)
            at[j] = (1 - FACTOR) * at[j] + FACTOR / 4 * (up[j] + down[j] + at[j - 1] + at[j + 1]);
    }
}

static void half_sweep(struct app *app, const struct block *block, enum colour colour)
{
    const double point = 6; /* operations */
    long all = block->count[0] * block->count[1];
    long coloured = all / 2 + (all % 2 && first_column(block, colour, 1) == 1 ? 1 : 0);

    if (!app->charged)
        relax(block, colour);
    app_work(app, point * (double)coloured);
}

/* ---- the exchange of edges ---- */

/* Row `index` (direction 0) or column `index` (direction 1) of the block to `edge`, or back. */
static void copy_edge(const struct block *block, int direction, long index, double *edge, bool back)
{
    for (long k = 1; k <= block->count[1 - direction]; k++) {
        double *at = direction == 0 ? row(block, index) + k : row(block, k) + index;

        if (back)
            *at = edge[k - 1];
        else
            edge[k - 1] = *at;
    }
}

static void exchange(const struct app *app, const struct block *block)
{
    for (int direction = 0; direction < 2; direction++)
        for (int onward = 0; onward < 2; onward++) {
            const long last = block->count[direction];
            const int length = (int)block->count[1 - direction];
            int from, to;

            MPI_Cart_shift(block->ranks, direction, onward ? 1 : -1, &from, &to);
            if (!app->charged)
                copy_edge(block, direction, onward ? last : 1, block->send, false);
            MPI_Sendrecv(block->send, length, MPI_DOUBLE, to, onward, block->receive, length,
                         MPI_DOUBLE, from, onward, block->ranks, MPI_STATUS_IGNORE);
            if (!app->charged && from != MPI_PROC_NULL)
                copy_edge(block, direction, onward ? 0 : last + 1, block->receive, true);
        }
}

static void iterate(struct app *app, const struct block *block)
{
    half_sweep(app, block, RED);
    exchange(app, block);
    half_sweep(app, block, BLACK);
    half_sweep(app, block, BLACK);
    exchange(app, block);
    half_sweep(app, block, RED);
}

/* ---- what is known of the result ---- */

/* x y, and `amplitude` times the mode; i and j are counted from 0 on the edge. */
static double known(long n, long i, long j, double amplitude)
{
    double x = (double)j / (double)(n + 1), y = (double)i / (double)(n + 1);

    return x * y + amplitude * sin(PI * x) * sin(PI * y);
}

static void begin(const struct block *block)
{
    for (long i = 0; i <= block->count[0] + 1; i++)
        for (long j = 0; j <= block->count[1] + 1; j++)
            row(block, i)[j] = known(block->n, block->first[0] + i, block->first[1] + j, 1);
}

static double farthest(const struct block *block, long iterations)
{
    static const enum colour order[4] = {RED, BLACK, BLACK, RED};
    const double mu = cos(PI / (double)(block->n + 1));
    double amplitude[2] = {1, 1}, worst = 0;

    for (long k = 0; k < 4 * iterations; k++) {
        enum colour c = order[k % 4];

        amplitude[c] = (1 - FACTOR) * amplitude[c] + FACTOR * mu * amplitude[1 - c];
    }
    for (long i = 1; i <= block->count[0]; i++)
        for (long j = 1; j <= block->count[1]; j++) {
            long y = block->first[0] + i, x = block->first[1] + j;

            worst =
                fmax(worst, fabs(row(block, i)[j] - known(block->n, y, x, amplitude[(x + y) % 2])));
        }
    return worst;
}

/* ---- all together ---- */

static void divide(const struct app *app, struct block *block)
{
    int parts[2] = {0, 0}, periods[2] = {0, 0}, place[2];

    MPI_Dims_create(app->size, 2, parts);
    MPI_Cart_create(MPI_COMM_WORLD, 2, parts, periods, 0, &block->ranks);
    MPI_Cart_coords(block->ranks, app->rank, 2, place);
    if (app->n < parts[0] || app->n < parts[1])
        app_fail(app, "a grid of %ld x %ld points is too small for %d x %d ranks", app->n, app->n,
                 parts[0], parts[1]);
    block->n = app->n;
    for (int direction = 0; direction < 2; direction++) {
        struct app line = {.size = parts[direction]}; /* the ranks along this direction */

        app_share(&line, place[direction], app->n, &block->first[direction],
                  &block->count[direction]);
    }
}

int main(int argc, char **argv)
{
    struct app app;
    struct block block;
    struct app_state state;
    double error = 0;
    size_t size, edge;

    app_begin(&app, &argc, &argv, "ssor", 1000, 50);
    if (app.split)
        app_fail(&app, "--split has no meaning here: rows and columns are both divided");
    if (app.n > INT_MAX)
        app_fail(&app, "edges of %ld points are too long for one message", app.n);
    divide(&app, &block);
    size = (size_t)(block.count[0] + 2) * (size_t)(block.count[1] + 2);
    edge = (size_t)(block.count[0] > block.count[1] ? block.count[0] : block.count[1]);
    block.u = app_data(&app, size, sizeof *block.u);
    block.send = app_buffer(&app, edge, sizeof *block.send);
    block.receive = app_buffer(&app, edge, sizeof *block.receive);
    if (!app.charged)
        begin(&block);
    state = (struct app_state){{{block.u, size * sizeof *block.u}}};
    app_start(&app);
    for (long k = 1 + app_resume(&app, state); k <= app.iterations; k++) {
        iterate(&app, &block);
        app_checkpoint(&app, k, state);
    }
    app_stop(&app);
    if (!app.charged)
        error = app_max(farthest(&block, app.iterations));
    app_free(&app, block.u);
    app_free(&app, block.send);
    app_free(&app, block.receive);
    MPI_Comm_free(&block.ranks);
    return app_end(&app, error, 1e-10);
}
