// SPDX-License-Identifier: GPL-3.0-or-later
/* mg.c - Poisson's equation on a square by multigrid V-cycles, split by rows, neighbours exchanged
 * without blocking on every level.
 *
 * G. Romanazzi and P. K. Jimack, "Parallel performance prediction for numerical codes in a
 * multi-cluster environment" (2008), section III: finite differences on a mesh of n x n cells, of
 * which each processor has contiguous rows, and a series of non-blocking sends and receives.  With
 * --rows there are fewer or more rows than n, as in the runs that their predictions are made from
 * (section IV): the messages of a large mesh with the work of a small one.  The
 * smoother (red-black Gauss-Seidel, twice before and once after the coarser level), full weighting
 * and bilinear interpolation are chosen here.  The three arrays of each level are 32 bytes a point
 * in all, which is what the memory in Table I comes to.  An iteration is a V-cycle.
 *
 * Rows are split on the finest level, evenly or by --split; on coarser ones a rank has the rows
 * that coincide with its own.  On each level it exchanges its outer rows with the ranks before and
 * behind after every half sweep, for the residual and after the interpolation.  The paper does not
 * say what becomes of levels on which some processor would have no row.  Here the coarsest level on
 * which all have one is gathered on rank 0 (MPI_Gatherv), which does it and those below alone while
 * the others wait for the correction (MPI_Scatterv): the same arithmetic on any number of ranks.
 *
 * The solution x (1 - x) y (1 - y) fulfils the discrete equation too.  The start is random; each
 * cycle must leave at most SLOWEST of the error, down to rounding.  Wrong rows from a neighbour on
 * the finest level leave a wrong solution, on coarser ones they spoil the convergence. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64, BEFORE = 2, AFTER = 1, COARSEST = 16 };

static const double SLOWEST = 0.085, ROUNDING = 1e-12;

struct level {
    long rows, columns; /* of cells, in all: unknowns are at 1 .. rows - 1, 1 .. columns - 1 */
    long first, count;  /* of this rank: rows first + 1 .. first + count of unknowns */
    bool alone;         /* not split, but all on rank 0 */
    size_t size;        /* count + 2 rows of columns + 1 */
    double *u, *f, *r;  /* unknowns, right-hand side, residual; these two times the mesh squared */
};

struct multigrid {
    struct level level[LEVELS];
    int levels, meeting;  /* the level that is gathered, to be the next one; -1: none */
    int neighbour[2];     /* before and behind */
    double *edges;        /* two rows to send, two received */
    double *part, *whole; /* of the meeting level */
    int *counts, *starts; /* of the part of each rank in the whole */
};

static double *row(const struct level *level, double *x, long i)
{
    return x + i * (level->columns + 1);
}

static double unknowns(const struct level *level)
{
    return (double)level->count * (double)(level->columns - 1);
}

static void exchange(const struct app *app, const struct multigrid *mg, const struct level *level,
                     double *x)
{
    const int length = (int)(level->columns - 1);
    const size_t bytes = (size_t)length * sizeof *x;
    double *send = mg->edges, *receive = mg->edges + 2 * length;
    MPI_Request requests[4];

    if (level->alone)
        return;
    for (int side = 0; side < 2; side++) {
        MPI_Irecv(receive + side * length, length, MPI_DOUBLE, mg->neighbour[side], 1 - side,
                  MPI_COMM_WORLD, &requests[side]);
        if (!app->charged)
            memcpy(send + side * length, row(level, x, side ? level->count : 1) + 1, bytes);
        MPI_Isend(send + side * length, length, MPI_DOUBLE, mg->neighbour[side], side,
                  MPI_COMM_WORLD, &requests[2 + side]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; !app->charged && side < 2; side++)
        if (mg->neighbour[side] != MPI_PROC_NULL)
            memcpy(row(level, x, side ? level->count + 1 : 0) + 1, receive + side * length, bytes);
}

/* ---- what is done on a level ---- */

static void relax(const struct level *level, int colour)
{
    const long width = level->columns + 1;

    for (long i = 1; i <= level->count; i++) {
        double *u = row(level, level->u, i);
        const double *f = row(level, level->f, i);

        for (long j = (level->first + i + colour) % 2 + 1; j < level->columns; j += 2)
            u[j] = 0.25 * (f[j] + u[j - width] + u[j + width] + u[j - 1] + u[j + 1]);
    }
}

static void smooth(struct app *app, struct multigrid *mg, struct level *level, long sweeps)
{
    const double point = 5; /* operations */

    for (long half = 0; half < 2 * sweeps; half++) {
        if (!app->charged)
            relax(level, (int)(half % 2));
        app_work(app, point * unknowns(level) / 2);
        exchange(app, mg, level, level->u);
    }
}

static void find_residual(struct app *app, struct multigrid *mg, struct level *level)
{
    const double point = 6; /* operations */
    const long width = level->columns + 1;

    for (long i = 1; !app->charged && i <= level->count; i++) {
        const double *u = row(level, level->u, i), *f = row(level, level->f, i);
        double *r = row(level, level->r, i);

        for (long j = 1; j < level->columns; j++)
            r[j] = f[j] + u[j - width] + u[j + width] + u[j - 1] + u[j + 1] - 4 * u[j];
    }
    app_work(app, point * unknowns(level));
    exchange(app, mg, level, level->r);
}

/* The residual is the right-hand side of the next level, whose unknown is the correction. */
static void restrict_residual(struct app *app, const struct level *fine, struct level *coarse)
{
    const double point = 10; /* operations */
    const long width = fine->columns + 1;

    for (long i = 1; !app->charged && i <= coarse->count; i++) {
        const double *r = row(fine, fine->r, 2 * (coarse->first + i) - fine->first) + 2;
        double *f = row(coarse, coarse->f, i);

        for (long j = 1; j < coarse->columns; j++, r += 2)
            f[j] = r[0] + 0.5 * (r[-width] + r[width] + r[-1] + r[1]) +
                   0.25 * (r[-width - 1] + r[-width + 1] + r[width - 1] + r[width + 1]);
    }
    if (!app->charged)
        memset(coarse->u, 0, coarse->size * sizeof *coarse->u);
    app_work(app, point * unknowns(coarse));
}

static void correct(struct app *app, struct multigrid *mg, struct level *fine,
                    const struct level *coarse)
{
    const double point = 5; /* operations */

    for (long i = 1; !app->charged && i <= fine->count; i++) {
        const double *low = row(coarse, coarse->u, (fine->first + i) / 2 - coarse->first);
        const double *high = row(coarse, coarse->u, (fine->first + i + 1) / 2 - coarse->first);
        double *at = row(fine, fine->u, i);

        for (long j = 1; j < fine->columns; j++)
            at[j] += 0.25 * (low[j / 2] + high[j / 2] + low[(j + 1) / 2] + high[(j + 1) / 2]);
    }
    app_work(app, point * unknowns(fine));
    exchange(app, mg, fine, fine->u);
}

/* ---- levels together ---- */

/* Inner rows of x to `packed`, or back. */
static void pack(const struct level *level, double *x, double *packed, bool back)
{
    const size_t width = (size_t)level->columns - 1;

    for (long i = 1; i <= level->count; i++, packed += width)
        memcpy(back ? row(level, x, i) + 1 : packed, back ? packed : row(level, x, i) + 1,
               width * sizeof *x);
}

static void cycle(struct app *app, struct multigrid *mg, int index);

static void solve_on_one(struct app *app, struct multigrid *mg, int index)
{
    struct level *mine = &mg->level[index], *all = mine + 1;
    const int count = mg->counts[app->rank];

    if (!app->charged)
        pack(mine, mine->f, mg->part, false);
    MPI_Gatherv(mg->part, count, MPI_DOUBLE, mg->whole, mg->counts, mg->starts, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    if (app->rank == 0) {
        if (!app->charged) {
            pack(all, all->f, mg->whole, true);
            memset(all->u, 0, all->size * sizeof *all->u);
        }
        cycle(app, mg, index + 1);
        if (!app->charged)
            pack(all, all->u, mg->whole, false);
    }
    MPI_Scatterv(mg->whole, mg->counts, mg->starts, MPI_DOUBLE, mg->part, count, MPI_DOUBLE, 0,
                 MPI_COMM_WORLD);
    if (!app->charged)
        pack(mine, mine->u, mg->part, true);
    exchange(app, mg, mine, mine->u);
}

static void cycle(struct app *app, struct multigrid *mg, int index)
{
    struct level *fine = &mg->level[index], *coarse = fine + 1;
    long side = fine->rows < fine->columns ? fine->rows : fine->columns;

    if (index == mg->meeting) {
        solve_on_one(app, mg, index);
    } else if (index + 1 == mg->levels) {
        smooth(app, mg, fine, side * side);
    } else {
        smooth(app, mg, fine, BEFORE);
        find_residual(app, mg, fine);
        restrict_residual(app, fine, coarse);
        cycle(app, mg, index + 1);
        correct(app, mg, fine, coarse);
        smooth(app, mg, fine, AFTER);
    }
}

/* ---- setting up ---- */

/* Which rows of a level a rank has, the level being so many times coarser than the finest. */
static void rows_of(const struct app *app, const struct level *level, int rank, int coarser,
                    long *first, long *count)
{
    long last;

    app_share(app, rank, level->rows << coarser, first, count);
    last = (*first + *count) >> coarser;
    *first >>= coarser;
    *count = (last < level->rows ? last : level->rows - 1) - *first;
}

static bool all_have_rows(const struct app *app, const struct level *level, int coarser)
{
    long first, count = 1;

    for (int rank = 0; count > 0 && rank < app->size; rank++)
        rows_of(app, level, rank, coarser, &first, &count);
    return count > 0;
}

static void add_level(struct app *app, struct multigrid *mg, struct level level)
{
    level.size = (size_t)(level.count + 2) * (size_t)(level.columns + 1);
    if (!level.alone || app->rank == 0) {
        level.u = app_data(app, level.size, sizeof *level.u);
        level.f = app_data(app, level.size, sizeof *level.f);
        level.r = app_data(app, level.size, sizeof *level.r);
    }
    mg->level[mg->levels++] = level;
}

static bool coarsen(struct level *level)
{
    if (level->rows % 2 || level->columns % 2 || level->rows < 4 || level->columns < 4)
        return false;
    level->rows /= 2;
    level->columns /= 2;
    return true;
}

static void add_levels(struct app *app, struct multigrid *mg, long rows, long columns)
{
    struct level level = {.rows = rows, .columns = columns}, next = level;

    for (int coarser = 0; all_have_rows(app, &next, coarser); coarser++) {
        level = next;
        rows_of(app, &level, app->rank, coarser, &level.first, &level.count);
        add_level(app, mg, level);
        if (!coarsen(&next))
            break;
    }
    mg->meeting = app->size > 1 ? mg->levels - 1 : -1;
    if (mg->meeting == 0 || mg->levels == 0)
        app_fail(app, "%ld rows are too few for %d ranks: each needs two", rows, app->size);
    for (bool more = app->size > 1; more; more = coarsen(&level)) {
        level.alone = true;
        level.first = 0;
        level.count = level.rows - 1;
        add_level(app, mg, level);
    }
    if (level.rows > COARSEST && level.columns > COARSEST)
        app_fail(app, "%ld and %ld are not powers of two, or at most %d times one", rows, columns,
                 COARSEST - 1);
}

static void add_buffers(struct app *app, struct multigrid *mg)
{
    const struct level *meeting = &mg->level[mg->meeting < 0 ? 0 : mg->meeting];
    const long width = meeting->columns - 1, rows = mg->meeting < 0 ? 0 : meeting->rows - 1;

    if (rows * width > INT_MAX || mg->level[0].columns > INT_MAX / 2)
        app_fail(app, "rows of %ld points are too long for messages", mg->level[0].columns);
    mg->neighbour[0] = app->rank > 0 ? app->rank - 1 : MPI_PROC_NULL;
    mg->neighbour[1] = app->rank + 1 < app->size ? app->rank + 1 : MPI_PROC_NULL;
    mg->edges = app_buffer(app, 4 * (size_t)(mg->level[0].columns - 1), sizeof(double));
    mg->part = app_buffer(app, rows ? (size_t)(meeting->count * width) : 0, sizeof(double));
    mg->whole = app_buffer(app, app->rank == 0 ? (size_t)(rows * width) : 0, sizeof(double));
    mg->counts = calloc(2 * (size_t)app->size, sizeof *mg->counts);
    if (!mg->counts)
        app_fail(app, "out of memory");
    mg->starts = mg->counts + app->size;
    for (int rank = 0; rows && rank < app->size; rank++) {
        long first, count;

        rows_of(app, meeting, rank, mg->meeting, &first, &count);
        mg->counts[rank] = (int)(count * width);
        mg->starts[rank] = (int)(first * width);
    }
}

static void free_all(struct app *app, struct multigrid *mg)
{
    for (int k = 0; k < mg->levels; k++) {
        app_free(app, mg->level[k].u);
        app_free(app, mg->level[k].f);
        app_free(app, mg->level[k].r);
    }
    app_free(app, mg->edges);
    app_free(app, mg->part);
    app_free(app, mg->whole);
    free(mg->counts);
}

/* ---- what is known of the result ---- */

/* Sets the right-hand side and a random start, or tells how far the solution is from what it should
 * be. */
static double known(const struct app *app, const struct level *level, bool set)
{
    const double mesh = 1 / (double)level->columns, height = mesh * (double)level->rows;
    double worst = 0;

    for (long i = set ? 0 : 1; i <= (set ? level->count + 1 : level->count); i++)
        for (long j = 1; j < level->columns; j++) {
            long global = level->first + i;
            double x = mesh * (double)j, y = mesh * (double)global;
            double across = x * (1 - x), along = y * (height - y);
            double *u = row(level, level->u, i) + j;

            if (set && global > 0 && global < level->rows) {
                *u = app_random(app, (uint64_t)(global * level->columns + j));
                row(level, level->f, i)[j] = 2 * mesh * mesh * (across + along);
            } else if (!set) {
                worst = fmax(worst, fabs(*u - across * along));
            }
        }
    return worst;
}

int main(int argc, char **argv)
{
    struct app app;
    struct multigrid mg = {.levels = 0};
    struct level *finest = &mg.level[0];
    double error = 0;
    long rows = 0;
    const struct app_option own[] = {
        {"--rows", "rows of cells; as many as columns, --size, where not given", &rows, 4}, {0}};
    struct app_state state;

    app_begin_with(&app, &argc, &argv, "mg", 1024, 10, own);
    rows = rows ? rows : app.n;
    if (app.n < 4 || rows < 4)
        app_fail(&app, "%ld cells a side are too few", app.n < rows ? app.n : rows);
    add_levels(&app, &mg, rows, app.n);
    add_buffers(&app, &mg);
    if (!app.charged)
        known(&app, finest, true);
    state = (struct app_state){{{finest->u, finest->size * sizeof *finest->u}}};
    app_start(&app);
    for (long k = 1 + app_resume(&app, state); k <= app.iterations; k++) {
        cycle(&app, &mg, 0);
        app_checkpoint(&app, k, state);
    }
    app_stop(&app);
    if (!app.charged)
        error = app_max(known(&app, finest, false));
    free_all(&app, &mg);
    return app_end(&app, error, pow(SLOWEST, (double)app.iterations) + ROUNDING);
}
