// SPDX-License-Identifier: GPL-3.0-or-later
/* jacobi3d.c - Laplace's equation in a cube by Jacobi iteration with seven points, on a Cartesian
 * arrangement of ranks in three dimensions, the six faces exchanged without blocking.
 *
 * It is poisson.c in three dimensions: no paper describes it, but G. Romanazzi and P. K. Jimack
 * ("Parallel performance prediction for numerical codes in a multi-cluster environment", 2008,
 * section VI) name codes in 3-d and other partitions than strips as the next to be predicted.  The
 * n x n x n inner points are cut into boxes, as many as there are ranks, by MPI_Dims_create and
 * MPI_Cart_create.  In each iteration a rank sends the six faces of its box to its neighbours and
 * receives theirs (MPI_Irecv, MPI_Isend); it does the inner points meanwhile and the outermost
 * layer when all is there.
 *
 * On the surface u is x y z, which fulfils the discrete equation too.  What is added to it at the
 * start, sin(pi x) sin(pi y) sin(pi z), keeps its shape, and every iteration leaves cos(pi h) times
 * of it: the exact result is known. */
#include "app.h"

#include <limits.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

struct box {
    long n;
    long first[3], count[3]; /* first + 1 .. first + count of 1 .. n; the third lies together */
    double *now, *next;      /* count + 2 in each dimension */
    int neighbour[6];        /* before and behind in the first dimension, the second, the third */
    double *send[6], *receive[6]; /* where the work is only charged, there is no grid */
};

struct range {
    long from[3], to[3];
};

static long place(const struct box *box, long i, long j, long k)
{
    return (i * (box->count[1] + 2) + j) * (box->count[2] + 2) + k;
}

/* The number of points of a face across dimension d. */
static long face_points(const struct box *box, int d)
{
    return box->count[(d + 1) % 3] * box->count[(d + 2) % 3];
}

static void sweep(const struct box *box, const struct range *range)
{
    const long step = box->count[2] + 2, leap = step * (box->count[1] + 2);

    for (long i = range->from[0]; i <= range->to[0]; i++)
        for (long j = range->from[1]; j <= range->to[1]; j++) {
            const double *at = box->now + place(box, i, j, 0);
            double *out = box->next + place(box, i, j, 0);

            for (long k = range->from[2]; k <= range->to[2]; k++)
                out[k] = 1.0 / 6 *
                         (at[k - leap] + at[k + leap] + at[k - step] + at[k + step] + at[k - 1] +
                          at[k + 1]);
        }
}

/* The outermost layer, every point once: the faces across the first dimension are whole, those
 * across the others lack what was done already. */
static void sweep_layer(const struct box *box)
{
    for (int d = 0; d < 3; d++)
        for (int behind = 0; behind < (box->count[d] > 1 ? 2 : 1); behind++) {
            struct range range;

            for (int e = 0; e < 3; e++) {
                range.from[e] = e < d ? 2 : 1;
                range.to[e] = e < d ? box->count[e] - 1 : box->count[e];
            }
            range.from[d] = range.to[d] = behind ? box->count[d] : 1;
            sweep(box, &range);
        }
}

/* ---- the exchange of faces ---- */

/* Layer `index` across dimension d to `face`, or back. */
static void copy_face(const struct box *box, int d, long index, double *face, bool back)
{
    struct range range = {{1, 1, 1}, {box->count[0], box->count[1], box->count[2]}};

    range.from[d] = range.to[d] = index;
    for (long i = range.from[0]; i <= range.to[0]; i++)
        for (long j = range.from[1]; j <= range.to[1]; j++)
            for (long k = range.from[2]; k <= range.to[2]; k++, face++) {
                if (back)
                    box->now[place(box, i, j, k)] = *face;
                else
                    *face = box->now[place(box, i, j, k)];
            }
}

static void exchange_begin(const struct box *box, MPI_Comm ranks, bool real,
                           MPI_Request requests[12])
{
    for (int side = 0; side < 6; side++)
        MPI_Irecv(box->receive[side], (int)face_points(box, side / 2), MPI_DOUBLE,
                  box->neighbour[side], side ^ 1, ranks, &requests[side]);
    for (int side = 0; side < 6; side++) {
        if (real)
            copy_face(box, side / 2, side % 2 ? box->count[side / 2] : 1, box->send[side], false);
        MPI_Isend(box->send[side], (int)face_points(box, side / 2), MPI_DOUBLE,
                  box->neighbour[side], side, ranks, &requests[6 + side]);
    }
}

static void exchange_end(const struct box *box, bool real, MPI_Request requests[12])
{
    MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; real && side < 6; side++)
        if (box->neighbour[side] != MPI_PROC_NULL)
            copy_face(box, side / 2, side % 2 ? box->count[side / 2] + 1 : 0, box->receive[side],
                      true);
}

static void iterate(struct app *app, struct box *box, MPI_Comm ranks)
{
    const double point = 6; /* operations */
    const struct range inside = {{2, 2, 2},
                                 {box->count[0] - 1, box->count[1] - 1, box->count[2] - 1}};
    double all = 1, inner = 1, *swap;
    MPI_Request requests[12];

    for (int d = 0; d < 3; d++) {
        all *= (double)box->count[d];
        inner *= box->count[d] > 2 ? (double)(box->count[d] - 2) : 0;
    }
    exchange_begin(box, ranks, !app->charged, requests);
    if (!app->charged)
        sweep(box, &inside);
    app_work(app, point * inner);
    exchange_end(box, !app->charged, requests);
    if (!app->charged)
        sweep_layer(box);
    app_work(app, point * (all - inner));
    swap = box->now;
    box->now = box->next;
    box->next = swap;
}

/* ---- what is known of the result ---- */

/* x y z and `factor` times the mode at a point of the box. */
static double known(const struct box *box, const long at[3], double factor)
{
    double product = 1, mode = factor;

    for (int d = 0; d < 3; d++) {
        double x = (double)(box->first[d] + at[d]) / (double)(box->n + 1);

        product *= x;
        mode *= sin(PI * x);
    }
    return product + mode;
}

/* Sets both grids, surface and all, to what is known, or tells how far the first is from it. */
static double known_everywhere(const struct box *box, double factor, bool set)
{
    const long out = set ? 1 : 0;
    double worst = 0;
    long at[3];

    for (at[0] = 1 - out; at[0] <= box->count[0] + out; at[0]++)
        for (at[1] = 1 - out; at[1] <= box->count[1] + out; at[1]++)
            for (at[2] = 1 - out; at[2] <= box->count[2] + out; at[2]++) {
                long here = place(box, at[0], at[1], at[2]);

                if (set)
                    box->now[here] = box->next[here] = known(box, at, factor);
                else
                    worst = fmax(worst, fabs(box->now[here] - known(box, at, factor)));
            }
    return worst;
}

/* ---- all together ---- */

static MPI_Comm divide(const struct app *app, struct box *box)
{
    int parts[3] = {0, 0, 0}, periods[3] = {0, 0, 0}, coordinates[3];
    MPI_Comm ranks;

    MPI_Dims_create(app->size, 3, parts);
    MPI_Cart_create(MPI_COMM_WORLD, 3, parts, periods, 0, &ranks);
    MPI_Cart_coords(ranks, app->rank, 3, coordinates);
    box->n = app->n;
    for (int d = 0; d < 3; d++) {
        struct app line = {.size = parts[d]}; /* the ranks along this dimension */

        if (app->n < parts[d])
            app_fail(app, "a grid of %ld points a side is too small for %d x %d x %d ranks", app->n,
                     parts[0], parts[1], parts[2]);
        app_share(&line, coordinates[d], app->n, &box->first[d], &box->count[d]);
        MPI_Cart_shift(ranks, d, 1, &box->neighbour[2 * d], &box->neighbour[2 * d + 1]);
    }
    for (int d = 0; d < 3; d++)
        if (box->neighbour[2 * d] != box->neighbour[2 * d + 1] && face_points(box, d) > INT_MAX)
            app_fail(app, "faces of %ld points are too large for one message", face_points(box, d));
    return ranks;
}

static struct app_state state(const struct box *box, size_t size)
{
    return (struct app_state){{{box->now, size * sizeof *box->now}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct box box;
    MPI_Comm ranks;
    double error = 0;
    size_t size = 1;

    app_begin(&app, &argc, &argv, "jacobi3d", 128, 50);
    if (app.split)
        app_fail(&app, "--split has no meaning here: all three dimensions are divided");
    ranks = divide(&app, &box);
    for (int d = 0; d < 3; d++)
        size *= (size_t)(box.count[d] + 2);
    box.now = app_data(&app, size, sizeof *box.now);
    box.next = app_data(&app, size, sizeof *box.next);
    for (int side = 0; side < 6; side++) {
        box.send[side] = app_buffer(&app, (size_t)face_points(&box, side / 2), sizeof(double));
        box.receive[side] = app_buffer(&app, (size_t)face_points(&box, side / 2), sizeof(double));
    }
    if (!app.charged)
        known_everywhere(&box, 1, true);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&box, size)); k <= app.iterations; k++) {
        iterate(&app, &box, ranks);
        app_checkpoint(&app, k, state(&box, size));
    }
    app_stop(&app);
    if (!app.charged)
        error = app_max(known_everywhere(
            &box, pow(cos(PI / (double)(app.n + 1)), (double)app.iterations), false));
    app_free(&app, box.now);
    app_free(&app, box.next);
    for (int side = 0; side < 6; side++) {
        app_free(&app, box.send[side]);
        app_free(&app, box.receive[side]);
    }
    MPI_Comm_free(&ranks);
    return app_end(&app, error, 1e-10);
}
