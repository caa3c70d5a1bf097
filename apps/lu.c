// SPDX-License-Identifier: GPL-3.0-or-later
/* lu.c - a block system on a cube by symmetric relaxation: a wavefront with many small messages.
 *
 * After the LU benchmark of the NAS Parallel Benchmarks as Schopf describes it (1998, sections
 * 2.E.2 and 3.D.3).  Each of the n^3 points has 5 unknowns and is coupled to its 6 neighbours by
 * constant 5 x 5 blocks; the rows are scaled so that the blocks on the diagonal are 1:
 * A = 1 - L - U, with L the neighbours behind (smaller x, y, z) and U those ahead.  An iteration is
 *
 *     d = f - A u;  solve (1 - L) d' = d;  solve (1 - U) d'' = d';  u = u + d''
 *
 * The x-y plane is split over a grid of ranks, as near a square as can be (halved in x and y in
 * turn where the ranks are a power of two); each rank has all of z.  Sent are, in each iteration,
 * the faces of u, without blocking, and then, for each plane of z in each of the two solves, a
 * small message to each of the two next ranks with 5 words for each point of the edge: from one
 * corner of the plane to the opposite one for L, the planes from bottom to top, and back for U,
 * from top to bottom.  An edge goes when all of the plane that is here is done, so that the number
 * of messages is in proportion to n, as in the paper's model (table 3.31).
 *
 * The result is known twice.  (1) f = A u* for a given u*, and each solve leaves at most COUPLING
 * times the largest error, so that |u - u*| <= COUPLING^(2 K) after K iterations from u = 0.  (2)
 * The iterates from which the K steps start are summed up to s; since every step is linear,
 * (1 - L)(1 - U) u = K f - A s, whatever K is, which is tried by multiplying. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { UNKNOWNS = 5, SIDES = 4, DIRECTIONS = 6 };
enum field { U, F, D, SUM, FIELDS };
enum { RESIDUAL_WORK = 6 * 50 + 5, SUM_WORK = 5, SOLVE_WORK = 3 * 50, UPDATE_WORK = 5 };

static const double COUPLING = 0.6; /* no sum of a row of |L| + |U| is larger */

/* Directions are 2 * axis, behind, and 2 * axis + 1, ahead; those of x and y are the sides. */
struct block {
    long n, first[2], count[2]; /* points along z; of this rank along x and y */
    long stride[3];             /* in doubles, from a point to the next along x, y, z */
    int neighbour[SIDES];
    double coupling[DIRECTIONS][UNKNOWNS][UNKNOWNS];
    double *field[FIELDS];                /* with one layer of points around: 0, or a neighbour's */
    double *send[SIDES], *receive[SIDES]; /* a face; for an edge its beginning is used */
};

static size_t words_of_field(const struct block *block)
{
    return (size_t)(block->count[0] + 2) * (size_t)(block->count[1] + 2) * (size_t)(block->n + 2) *
           UNKNOWNS;
}

static double *at(const struct block *block, enum field field, long i, long j, long k)
{
    return block->field[field] + (i + 1) * block->stride[0] + (j + 1) * block->stride[1] +
           (k + 1) * block->stride[2];
}

/* to += factor * (the neighbours of `from` in directions first, first + step .., coupled) */
static inline void add_coupled(const struct block *block, double *to, double factor,
                               const double *from, int first, int step)
{
    for (int direction = first; direction < DIRECTIONS; direction += step) {
        long stride = block->stride[direction / 2];
        const double *near = direction % 2 ? from + stride : from - stride;

        for (int a = 0; a < UNKNOWNS; a++) {
            double sum = 0;

            for (int b = 0; b < UNKNOWNS; b++)
                sum += block->coupling[direction][a][b] * near[b];
            to[a] += factor * sum;
        }
    }
}

/* ---- one iteration ---- */

/* Copies between a field and the edge of one plane: to `edge` from the points of the block that lie
 * there if `take`, else from `edge` to those of the layer around the block. */
static void copy_edge(const struct block *block, enum field field, int side, long k, double *edge,
                      bool take)
{
    int along = 1 - side / 2;
    long last = block->count[1 - along] - 1;
    long across = side % 2 ? (take ? last : last + 1) : (take ? 0 : -1);

    for (long m = 0; m < block->count[along]; m++, edge += UNKNOWNS) {
        double *point = at(block, field, along ? across : m, along ? m : across, k);

        memcpy(take ? edge : point, take ? point : edge, UNKNOWNS * sizeof *edge);
    }
}

static int edge_words(const struct block *block, int side)
{
    return (int)block->count[1 - side / 2] * UNKNOWNS;
}

static void exchange_faces(const struct app *app, struct block *block, enum field field)
{
    MPI_Request requests[2 * SIDES];
    int used = 0;

    for (int side = 0; side < SIDES; side++) {
        int words = edge_words(block, side);

        if (block->neighbour[side] == MPI_PROC_NULL)
            continue;
        for (long k = 0; !app->charged && k < block->n; k++)
            copy_edge(block, field, side, k, block->send[side] + k * words, true);
        MPI_Irecv(block->receive[side], words * (int)block->n, MPI_DOUBLE, block->neighbour[side],
                  side ^ 1, MPI_COMM_WORLD, &requests[used++]);
        MPI_Isend(block->send[side], words * (int)block->n, MPI_DOUBLE, block->neighbour[side],
                  side, MPI_COMM_WORLD, &requests[used++]);
    }
    MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; !app->charged && side < SIDES; side++)
        for (long k = 0; block->neighbour[side] != MPI_PROC_NULL && k < block->n; k++)
            copy_edge(block, field, side, k, block->receive[side] + k * edge_words(block, side),
                      false);
}

/* to = (1 - L) from, (1 - U) from or A from, by the directions, for the points that are here. */
static void multiply(const struct block *block, enum field to, enum field from, int first, int step)
{
    for (long k = 0; k < block->n; k++)
        for (long j = 0; j < block->count[1]; j++)
            for (long i = 0; i < block->count[0]; i++) {
                const double *here = at(block, from, i, j, k);
                double *there = at(block, to, i, j, k);

                memcpy(there, here, UNKNOWNS * sizeof *there);
                add_coupled(block, there, -1, here, first, step);
            }
}

/* d = f - A u, and the sum takes u.  Layers around are done too, which is of no use and no harm:
 * they stay 0 or are received again before they are read. */
static void residual(const struct block *block)
{
    double *const *field = block->field;

    multiply(block, D, U, 0, 1);
    for (size_t m = 0; m < words_of_field(block); m++) {
        field[D][m] = field[F][m] - field[D][m];
        field[SUM][m] += field[U][m];
    }
}

/* Solves the part of a plane that is here, in place, from one corner to the other; `ahead` is 0 for
 * L, which couples to what is behind, and 1 for U. */
static void solve_plane(const struct block *block, int ahead, long k)
{
    long columns = block->count[0], rows = block->count[1];

    for (long b = 0; b < rows; b++)
        for (long a = 0; a < columns; a++) {
            long i = ahead ? columns - 1 - a : a, j = ahead ? rows - 1 - b : b;
            double *d = at(block, D, i, j, k);

            add_coupled(block, d, 1, d, ahead, 2);
        }
}

/* The same with what comes from the two ranks behind (or ahead) and goes on to the other two. */
static void pass_plane(struct app *app, struct block *block, int ahead, long k)
{
    for (int side = ahead; side < SIDES; side += 2) {
        if (block->neighbour[side] == MPI_PROC_NULL)
            continue;
        MPI_Recv(block->receive[side], edge_words(block, side), MPI_DOUBLE, block->neighbour[side],
                 side, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!app->charged)
            copy_edge(block, D, side, k, block->receive[side], false);
    }
    if (!app->charged)
        solve_plane(block, ahead, k);
    app_work(app, SOLVE_WORK * (double)block->count[0] * (double)block->count[1]);
    for (int side = 1 - ahead; side < SIDES; side += 2) {
        if (block->neighbour[side] == MPI_PROC_NULL)
            continue;
        if (!app->charged)
            copy_edge(block, D, side, k, block->send[side], true);
        MPI_Send(block->send[side], edge_words(block, side), MPI_DOUBLE, block->neighbour[side],
                 side ^ 1, MPI_COMM_WORLD);
    }
}

static void iterate(struct app *app, struct block *block)
{
    double points = (double)block->n * (double)block->count[0] * (double)block->count[1];

    exchange_faces(app, block, U);
    if (!app->charged)
        residual(block);
    app_work(app, (RESIDUAL_WORK + SUM_WORK) * points);
    for (long k = 0; k < block->n; k++)
        pass_plane(app, block, 0, k);
    for (long k = block->n - 1; k >= 0; k--)
        pass_plane(app, block, 1, k);
    for (size_t m = 0; !app->charged && m < words_of_field(block); m++)
        block->field[U][m] += block->field[D][m];
    app_work(app, UPDATE_WORK * points);
}

/* ---- set-up ---- */

/* As near a square as can be, not fewer ranks along x than along y. */
static void split_plane(const struct app *app, struct block *block)
{
    int ranks[2] = {app->size, 1}, place[2];

    if (app->split)
        app_fail(app, "--split has no meaning here: the grid is split in two directions");
    for (int y = 1; y <= app->size / y; y++)
        if (app->size % y == 0) {
            ranks[0] = app->size / y;
            ranks[1] = y;
        }
    if (ranks[0] > app->n || app->n > INT_MAX / UNKNOWNS / app->n)
        app_fail(app, "planes of %ld x %ld points are too %s for %d x %d ranks", app->n, app->n,
                 ranks[0] > app->n ? "small" : "large", ranks[0], ranks[1]);
    place[0] = app->rank % ranks[0];
    place[1] = app->rank / ranks[0];
    block->n = app->n;
    for (int axis = 0; axis < 2; axis++) {
        int step = axis ? ranks[0] : 1;

        block->first[axis] = app->n * place[axis] / ranks[axis];
        block->count[axis] = app->n * (place[axis] + 1) / ranks[axis] - block->first[axis];
        block->neighbour[2 * axis] = place[axis] > 0 ? app->rank - step : MPI_PROC_NULL;
        block->neighbour[2 * axis + 1] =
            place[axis] + 1 < ranks[axis] ? app->rank + step : MPI_PROC_NULL;
    }
}

static void allocate(struct app *app, struct block *block)
{
    block->stride[0] = UNKNOWNS;
    block->stride[1] = block->stride[0] * (block->count[0] + 2);
    block->stride[2] = block->stride[1] * (block->count[1] + 2);
    for (int field = 0; field < FIELDS; field++)
        block->field[field] = app_data(app, words_of_field(block), sizeof(double));
    for (int side = 0; side < SIDES; side++) {
        bool used = block->neighbour[side] != MPI_PROC_NULL;
        size_t words = used ? (size_t)edge_words(block, side) * (size_t)block->n : 0;

        block->send[side] = app_buffer(app, words, sizeof(double));
        block->receive[side] = app_buffer(app, words, sizeof(double));
    }
}

/* u* */
static double wanted(const struct block *block, long i, long j, long k, int unknown)
{
    long x = block->first[0] + i, y = block->first[1] + j, n = block->n;
    double phase = 1.3 * (double)x + 2.9 * (double)y + 4.1 * (double)k;

    if (x < 0 || x >= n || y < 0 || y >= n || k < 0 || k >= n)
        return 0;
    return cos(unknown + phase / (double)n);
}

/* f = A u*, from u* alone: nothing is sent. */
static void set_system(struct block *block)
{
    for (int m = 0; m < DIRECTIONS; m++)
        for (int a = 0; a < UNKNOWNS; a++)
            for (int b = 0; b < UNKNOWNS; b++)
                block->coupling[m][a][b] =
                    COUPLING / DIRECTIONS * (a == b ? 0.6 : 0.1 * sin(1 + 7 * m + 5 * a + b));
    for (long k = -1; k <= block->n; k++)
        for (long j = -1; j <= block->count[1]; j++)
            for (long i = -1; i <= block->count[0]; i++)
                for (int a = 0; a < UNKNOWNS; a++)
                    at(block, U, i, j, k)[a] = wanted(block, i, j, k, a);
    multiply(block, F, U, 0, 1);
    memset(block->field[U], 0, words_of_field(block) * sizeof(double));
}

/* ---- check ---- */

static double larger(double worst, double x)
{
    return isnan(x) ? HUGE_VAL : fmax(worst, x);
}

/* The largest of |u - u*| */
static double distance(const struct block *block)
{
    double far = 0;

    for (long k = 0; k < block->n; k++)
        for (long j = 0; j < block->count[1]; j++)
            for (long i = 0; i < block->count[0]; i++)
                for (int a = 0; a < UNKNOWNS; a++)
                    far = larger(far, fabs(at(block, U, i, j, k)[a] - wanted(block, i, j, k, a)));
    return far;
}

/* The largest of |(1 - L)(1 - U) u - (K f - A s)| / K; u and d are lost. */
static double defect(const struct app *app, struct block *block)
{
    double off = 0, steps = (double)app->iterations;

    exchange_faces(app, block, U);
    multiply(block, D, U, 1, 2);
    exchange_faces(app, block, D);
    multiply(block, U, D, 0, 2);
    exchange_faces(app, block, SUM);
    multiply(block, D, SUM, 0, 1);
    for (long k = 0; k < block->n; k++)
        for (long j = 0; j < block->count[1]; j++)
            for (long i = 0; i < block->count[0]; i++)
                for (int a = 0; a < UNKNOWNS; a++) {
                    double product = at(block, U, i, j, k)[a], coupled = at(block, D, i, j, k)[a];

                    off = larger(off, fabs(product - steps * at(block, F, i, j, k)[a] + coupled));
                }
    return off / steps;
}

static struct app_state state(const struct block *block)
{
    const size_t bytes = words_of_field(block) * sizeof(double);

    return (struct app_state){{{block->field[U], bytes}, {block->field[SUM], bytes}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct block block;
    double error = 0;

    app_begin(&app, &argc, &argv, "lu", 40, 20);
    split_plane(&app, &block);
    allocate(&app, &block);
    if (!app.charged)
        set_system(&block);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&block)); k <= app.iterations; k++) {
        iterate(&app, &block);
        app_checkpoint(&app, k, state(&block));
    }
    app_stop(&app);
    if (!app.charged) {
        error = distance(&block) - pow(COUPLING, 2 * (double)app.iterations);
        error = app_max(fmax(error, defect(&app, &block)));
    }
    for (int field = 0; field < FIELDS; field++)
        app_free(&app, block.field[field]);
    for (int side = 0; side < SIDES; side++) {
        app_free(&app, block.send[side]);
        app_free(&app, block.receive[side]);
    }
    return app_end(&app, error, 1e-12);
}
