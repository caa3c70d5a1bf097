// SPDX-License-Identifier: GPL-3.0-or-later
/* ehl.c - a lubricated bearing with an elastic surface by multilevel methods: the finer the mesh,
 * the more work for each byte of memory.
 *
 * A wedge slides over a surface that yields.  The pressure P in the film between them, 0 around the
 * unit square, or with --rows a part of it, follows Reynolds' equation, and the film is thicker
 * where pressure is near:
 *
 *     div (H^3 grad P) = 6 dH/dx        H = 2 - x + COMPLIANCE * integral of P(x', y') / distance
 *
 * An iteration is a multigrid V-cycle for P with H as it is, and then H anew from P by multilevel
 * multi-integration (A. Brandt and A. A. Lubrecht, J. Comput. Phys. 90, 1990): P is brought to ever
 * coarser meshes by the transpose of cubic interpolation, summed directly on one of about n points,
 * and the sums are interpolated back.  On each level they are corrected for what lies within
 * `reach` points, where 1 / distance is not smooth enough to be interpolated; reach grows as log n.
 * So n^2 points of memory take about n^2 log^2 n work.
 *
 * Like the code of Goodyer and Berzins (2007) in Table III of G. Romanazzi and P. K. Jimack,
 * "Parallel performance prediction for numerical codes in a multi-cluster environment" (2008):
 * multigrid for Reynolds' equation and multi-integration for the elastic surface, by turns; work
 * that does not grow in proportion to memory.  Unlike it: viscosity and density are constant; the
 * wedge only narrows, so nothing cavitates; no load is to be balanced; the surface is so stiff that
 * plain V-cycles converge.
 *
 * The paper does not say how that code is split.  Here rows are split over the ranks on the finest
 * level, evenly or by --split, and coincide on coarser ones.  Neighbours exchange 1 to 3 rows at a
 * time in the V-cycle, and `reach` and 2 for the sums, without blocking.  From the level on where
 * some rank would have less than `reach` rows, all ranks have all rows (MPI_Allgatherv); there each
 * does the whole V-cycle, as the others do, and its rows of the sums.
 *
 * The result is right if k iterations left at most FIRST * log n * SLOWEST^k of Reynolds' equation,
 * with the P and H of the end, and if the integral, at points of the first and last row of each
 * rank, is to INTEGRAL what adding up all n^2 pressures gives.  The error reported is the larger of
 * the two, in parts of what is allowed. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64, MARGIN = 2 /* points around a mesh that interpolation reaches */ };
enum { PRESSURE, SOURCE, RESIDUAL, CUBE /* of H */, BEND /* integral / mesh */, LOAD, ARRAYS };

static const double COMPLIANCE = 0.2;
static const double FIRST = 1.1, SLOWEST = 0.1, INTEGRAL = 6e-4; /* allowed */
static const double CUBIC[2][4] = {{0, 1, 0, 0}, {-1.0 / 16, 9.0 / 16, 9.0 / 16, -1.0 / 16}};
static const double UP = 12.5; /* operations of that for a point: 2, 8, 8 or 32 */

struct rows {
    long from, to;
};

struct level {
    long cells, tall; /* across and along: points 0 .. cells of rows 0 .. tall, and MARGIN around */
    struct rows mine; /* of -MARGIN .. tall + MARGIN */
    bool split;       /* or all rows are every rank's */
    long reach;       /* zeros on all sides of it */
    long width;       /* of a row with them */
    size_t size;      /* of each of: */
    double *x[ARRAYS];
};

struct bearing {
    struct level level[LEVELS];
    int levels, bottom; /* bottom: where the sum is direct */
    long reach;
    double *missed[4]; /* by the next coarser sum; for even and odd rows, even and odd columns */
    int neighbour[2];
    double *edges;        /* reach rows to send, twice, and to receive, twice */
    double *part, *whole; /* rows of a level that is not split */
    int *counts, *starts; /* of the parts of all ranks in the whole */
};

static double *row(const struct level *level, int what, long i)
{
    return level->x[what] + (i - level->mine.from + level->reach) * level->width + level->reach +
           MARGIN;
}

static long across(const struct level *level)
{
    return level->cells + 1 + 2 * MARGIN;
}

static double points(struct rows rows, long columns)
{
    return rows.to < rows.from ? 0 : (double)(rows.to - rows.from + 1) * (double)columns;
}

/* Downwards, below 0 too. */
static long half(long i)
{
    return (i - (i & 1)) / 2;
}

/* Rows of this rank where the pressure is unknown. */
static struct rows inner(const struct level *level)
{
    struct rows rows = level->mine;

    rows.from = rows.from < 1 ? 1 : rows.from;
    rows.to = rows.to < level->tall ? rows.to : level->tall - 1;
    return rows;
}

/* Rows of a level that are a rank's because they coincide with what it has on the finest. */
static struct rows own_rows(const struct app *app, const struct bearing *b, int index, int rank)
{
    long first, count;

    app_share(app, rank, b->level[0].tall, &first, &count);
    return (struct rows){rank == 0 ? -MARGIN : (first >> index) + 1,
                         rank + 1 == app->size ? b->level[index].tall + MARGIN
                                               : (first + count) >> index};
}

/* Rows of a level that this rank makes from the next finer one. */
static struct rows rows_to_make(const struct app *app, const struct bearing *b, int index)
{
    return b->level[index - 1].split ? own_rows(app, b, index, app->rank) : b->level[index].mine;
}

/* ---- messages ---- */

static void pack(const struct level *level, int what, struct rows rows, double *packed, bool back)
{
    const size_t bytes = (size_t)across(level) * sizeof *packed;

    for (long i = rows.from; i <= rows.to; i++, packed += across(level)) {
        double *at = row(level, what, i) - MARGIN;

        memcpy(back ? at : packed, back ? packed : at, bytes);
    }
}

/* Gets `halo` rows before and behind its own from the neighbours. */
static void exchange(const struct app *app, const struct bearing *b, int index, int what, long halo)
{
    const struct level *level = &b->level[index];
    const long first = level->mine.from, last = level->mine.to;
    const struct rows out[2] = {{first, first + halo - 1}, {last - halo + 1, last}};
    const struct rows in[2] = {{first - halo, first - 1}, {last + 1, last + halo}};
    const int length = (int)(halo * across(level));
    double *send = b->edges, *receive = b->edges + 2 * length;
    MPI_Request requests[4];

    if (!level->split)
        return;
    for (int side = 0; side < 2; side++) {
        MPI_Irecv(receive + side * length, length, MPI_DOUBLE, b->neighbour[side], 1 - side,
                  MPI_COMM_WORLD, &requests[side]);
        if (!app->charged)
            pack(level, what, out[side], send + side * length, false);
        MPI_Isend(send + side * length, length, MPI_DOUBLE, b->neighbour[side], side,
                  MPI_COMM_WORLD, &requests[2 + side]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; !app->charged && side < 2; side++)
        if (b->neighbour[side] != MPI_PROC_NULL)
            pack(level, what, in[side], receive + side * length, true);
}

/* Gets all rows of a level that is not split, from the ranks whose own they are. */
static void gather(const struct app *app, const struct bearing *b, int index, int what)
{
    const struct level *level = &b->level[index];

    for (int rank = 0; rank < app->size; rank++) {
        struct rows rows = own_rows(app, b, index, rank);

        b->counts[rank] = (int)points(rows, across(level));
        b->starts[rank] = (int)((rows.from + MARGIN) * across(level));
    }
    if (!app->charged)
        pack(level, what, own_rows(app, b, index, app->rank), b->part, false);
    MPI_Allgatherv(b->part, b->counts[app->rank], MPI_DOUBLE, b->whole, b->counts, b->starts,
                   MPI_DOUBLE, MPI_COMM_WORLD);
    if (!app->charged)
        pack(level, what, level->mine, b->whole, true);
}

/* Each rank did its own rows; now it gets what it needs of the others. */
static void complete(const struct app *app, const struct bearing *b, int index, int what, long halo)
{
    if (!b->level[index].split)
        gather(app, b, index, what);
    else if (halo > 0)
        exchange(app, b, index, what, halo);
}

/* ---- between levels, by cubic interpolation ---- */

/* From x of a finer level to y of `index`, by the transpose; then `halo` rows of y around its own,
 * or all. */
static void bring_down(struct app *app, const struct bearing *b, int index, int x, int y, long halo)
{
    static const int offset[5] = {-3, -1, 0, 1, 3};
    static const double weight[5] = {-1.0 / 16, 9.0 / 16, 1, 9.0 / 16, -1.0 / 16};
    const struct level *coarse = &b->level[index], *fine = coarse - 1;
    const struct rows rows = rows_to_make(app, b, index);
    const double point = 50; /* operations */

    for (long i = rows.from; !app->charged && i <= rows.to; i++)
        for (long j = -MARGIN; j <= coarse->cells + MARGIN; j++) {
            double sum = 0;

            for (int k = 0; k < 25; k++)
                sum += weight[k / 5] * weight[k % 5] *
                       row(fine, x, 2 * i + offset[k / 5])[2 * j + offset[k % 5]];
            row(coarse, y, i)[j] = sum;
        }
    app_work(app, point * points(rows, across(coarse)));
    if (fine->split)
        complete(app, b, index, y, halo);
}

/* Adds what is interpolated from the next coarser level to points from .. to of row i. */
static void bring_up(const struct level *fine, int what, long i, long from, long to)
{
    double *out = row(fine, what, i);

    for (long j = from; j <= to; j++)
        for (int k = 0; k < 16; k++) {
            const double weight = CUBIC[i & 1][k / 4] * CUBIC[j & 1][k % 4];

            if (weight != 0)
                out[j] += weight * row(fine + 1, what, half(i) + k / 4 - 1)[half(j) + k % 4 - 1];
        }
}

/* ---- Reynolds' equation: source = sum of (cube + cube there) (pressure - pressure there) ---- */

/* What is left of it at all points (colour -1), as the residual; or at those of a colour, where the
 * pressure is changed so that nothing is left. */
static void relax(const struct level *level, int colour)
{
    const struct rows rows = inner(level);
    const long step = colour < 0 ? 1 : 2, w = level->width;

    for (long i = rows.from; i <= rows.to; i++)
        for (long j = colour < 0 ? 1 : (i + colour) % 2 + 1; j < level->cells; j += step) {
            double *p = row(level, PRESSURE, i) + j, *c = row(level, CUBE, i) + j;
            double up = c[0] + c[-w], down = c[0] + c[w], left = c[0] + c[-1], right = c[0] + c[1];
            double rest = row(level, SOURCE, i)[j] - up * (p[0] - p[-w]) - down * (p[0] - p[w]) -
                          left * (p[0] - p[-1]) - right * (p[0] - p[1]);

            if (colour < 0)
                row(level, RESIDUAL, i)[j] = rest;
            else
                p[0] += rest / (up + down + left + right);
        }
}

static void smooth(struct app *app, const struct bearing *b, int index, int sweeps)
{
    const struct level *level = &b->level[index];
    const double point = 21; /* operations */

    for (int k = 0; k < 2 * sweeps; k++) {
        if (!app->charged)
            relax(level, k % 2);
        app_work(app, point * points(inner(level), level->cells - 1) / 2);
        exchange(app, b, index, PRESSURE, 1);
    }
}

static void cycle(struct app *app, const struct bearing *b, int index)
{
    const struct level *fine = &b->level[index], *coarse = fine + 1;
    const struct rows rows = inner(fine);
    const double residual_point = 16; /* operations */

    smooth(app, b, index, 2);
    if (index + 1 == b->levels)
        return;
    if (!app->charged)
        relax(fine, -1);
    app_work(app, residual_point * points(rows, fine->cells - 1));
    exchange(app, b, index, RESIDUAL, 3);
    bring_down(app, b, index + 1, RESIDUAL, SOURCE, 0);
    if (!app->charged)
        memset(coarse->x[PRESSURE], 0, coarse->size * sizeof(double));
    cycle(app, b, index + 1);
    exchange(app, b, index + 1, PRESSURE, MARGIN);
    for (long i = rows.from; !app->charged && i <= rows.to; i++)
        bring_up(fine, PRESSURE, i, 1, fine->cells - 1);
    app_work(app, UP * points(rows, fine->cells - 1));
    exchange(app, b, index, PRESSURE, 1);
    smooth(app, b, index, 1);
}

/* ---- the integral, by sums on all levels down to the bottom ---- */

/* 1 / distance, over a square of side 1 where there is none. */
static double kernel(long rows, long columns)
{
    const double square = (double)(rows * rows + columns * columns);

    return square > 0 ? 1 / sqrt(square) : 4 * log(1 + sqrt(2));
}

/* What the sum on the next coarser level, whose kernel is half as large, misses so far away from a
 * point of an even or odd row and column. */
static double find_missed(int odd_row, int odd_column, long rows, long columns)
{
    const long i = odd_row + rows, j = odd_column + columns;
    double sum = 0;

    for (int k = 0; k < 256; k++)
        sum += CUBIC[odd_row][k / 64] * CUBIC[odd_column][k / 16 % 4] * CUBIC[i & 1][k / 4 % 4] *
               CUBIC[j & 1][k % 4] *
               kernel(half(i) + k / 4 % 4 - k / 64, half(j) + k % 4 - k / 16 % 4);
    return kernel(rows, columns) - 0.5 * sum;
}

static void sum_directly(const struct bearing *b, const struct level *level, long i)
{
    const double scale = (double)level->cells / (double)b->level[0].cells;

    for (long j = -MARGIN; j <= level->cells + MARGIN; j++) {
        double sum = 0;

        for (long k = -MARGIN; k <= level->tall + MARGIN; k++)
            for (long l = -MARGIN; l <= level->cells + MARGIN; l++)
                sum += row(level, LOAD, k)[l] * kernel(k - i, l - j);
        row(level, BEND, i)[j] = scale * sum;
    }
}

static void sum_from_coarser(const struct bearing *b, const struct level *level, long i)
{
    const double scale = (double)level->cells / (double)b->level[0].cells;
    const long side = 2 * b->reach + 1, end = level->cells + MARGIN;
    double *out = row(level, BEND, i);

    memset(out - MARGIN, 0, (size_t)across(level) * sizeof *out);
    bring_up(level, BEND, i, -MARGIN, end);
    for (long k = 0; k < 2 * side * side; k++) {
        const long odd = k % 2, down = k / 2 / side - b->reach, right = k / 2 % side - b->reach;
        const double missed = scale * b->missed[2 * (i & 1) + odd][k / 2];
        const double *load = row(level, LOAD, i + down) + right;

        for (long j = odd - MARGIN; j <= end; j += 2)
            out[j] += missed * load[j];
    }
}

static void sum_up(struct app *app, const struct bearing *b, int index)
{
    const struct level *level = &b->level[index];
    const struct rows rows = own_rows(app, b, index, app->rank);
    const double side = (double)(2 * b->reach + 1), all = points(level->mine, across(level));

    for (long i = rows.from; !app->charged && i <= rows.to; i++)
        (index == b->bottom ? sum_directly : sum_from_coarser)(b, level, i);
    app_work(app, points(rows, across(level)) * /* operations: */
                      (index == b->bottom ? 7 * all : UP + 2 * side * side));
    complete(app, b, index, BEND, MARGIN);
}

/* ---- all together ---- */

/* H^3 and the source on the finest level, from the integral; H^3 on the others. */
static void set_film(struct app *app, const struct bearing *b)
{
    const struct level *level = &b->level[0];
    const struct rows rows = {inner(level).from - 1, inner(level).to + 1};
    const double mesh = 1 / (double)level->cells, give = COMPLIANCE * mesh, point = 8;

    for (long i = rows.from; !app->charged && i <= rows.to; i++)
        for (long j = 0; j <= level->cells; j++) {
            const double *bend = row(level, BEND, i) + j;
            double film = 2 - mesh * (double)j + give * bend[0];

            row(level, CUBE, i)[j] = film * film * film;
            row(level, SOURCE, i)[j] = -6 * mesh * (give * (bend[1] - bend[-1]) - 2 * mesh);
        }
    app_work(app, point * points(rows, level->cells + 1));
    for (int index = 1; index < b->levels; index++) {
        const struct rows coarse = rows_to_make(app, b, index);

        level++;
        for (long i = coarse.from; !app->charged && i <= coarse.to; i++)
            for (long j = 0; j <= level->cells; j++)
                row(level, CUBE, i)[j] = row(level - 1, CUBE, 2 * i)[2 * j];
        if (level[-1].split)
            complete(app, b, index, CUBE, 1);
    }
}

static void iterate(struct app *app, const struct bearing *b)
{
    cycle(app, b, 0);
    exchange(app, b, 0, LOAD, b->reach);
    for (int index = 1; index <= b->bottom; index++)
        bring_down(app, b, index, LOAD, LOAD, b->reach);
    for (int index = b->bottom; index >= 0; index--)
        sum_up(app, b, index);
    set_film(app, b);
}

static void add_level(struct app *app, struct bearing *b, long cells, long tall)
{
    const int index = b->levels++;
    struct level *level = &b->level[index];

    *level = (struct level){
        .cells = cells, .tall = tall, .mine = {-MARGIN, tall + MARGIN}, .reach = b->reach};
    if (cells * tall > app->n)
        b->bottom = index + 1;
    level->split = b->bottom > index;
    for (int rank = 0; rank < app->size; rank++)
        if (points(own_rows(app, b, index, rank), 1) < (double)b->reach)
            level->split = false;
    if (level->split)
        level->mine = own_rows(app, b, index, app->rank);
    else if (index == 0)
        app_fail(app, "%ld rows are too few for %d ranks: each needs %ld", tall, app->size,
                 b->reach);
    level->width = across(level) + 2 * b->reach;
    level->size = (size_t)((level->mine.to - level->mine.from + 1 + 2 * b->reach) * level->width);
    for (int what = 0; what < ARRAYS; what++)
        level->x[what] = index == 0 && what == LOAD ? level->x[PRESSURE]
                                                    : app_data(app, level->size, sizeof(double));
}

static void begin(struct app *app, struct bearing *b, long rows)
{
    const long side = 2 * b->reach + 1;
    size_t whole = 0, edge;

    for (long cells = app->n, tall = rows; cells >= 2 && tall >= 2; cells /= 2, tall /= 2)
        add_level(app, b, cells, tall);
    for (int index = b->levels - 1; !b->level[index].split; index--)
        whole = (size_t)points(b->level[index].mine, across(&b->level[index]));
    edge = (size_t)(b->reach * across(&b->level[0]));
    if (whole > INT_MAX || edge > INT_MAX / 2)
        app_fail(app, "rows of %ld points are too long for messages", app->n);
    b->part = app_buffer(app, whole, sizeof(double));
    b->whole = app_buffer(app, whole, sizeof(double));
    b->edges = app_buffer(app, 4 * edge, sizeof(double));
    b->counts = calloc(2 * (size_t)app->size, sizeof *b->counts);
    if (!b->counts)
        app_fail(app, "out of memory");
    b->starts = b->counts + app->size;
    b->neighbour[0] = app->rank > 0 ? app->rank - 1 : MPI_PROC_NULL;
    b->neighbour[1] = app->rank + 1 < app->size ? app->rank + 1 : MPI_PROC_NULL;
    for (int k = 0; k < 4; k++) {
        b->missed[k] = app_data(app, (size_t)(side * side), sizeof(double));
        for (long i = 0; !app->charged && i < side * side; i++)
            b->missed[k][i] = find_missed(k / 2, k % 2, i / side - b->reach, i % side - b->reach);
    }
}

static void end(const struct app *app, struct bearing *b)
{
    b->level[0].x[LOAD] = NULL;
    for (int index = 0; index < b->levels; index++)
        for (int what = 0; what < ARRAYS; what++)
            app_free(app, b->level[index].x[what]);
    for (int k = 0; k < 4; k++)
        app_free(app, b->missed[k]);
    app_free(app, b->edges);
    app_free(app, b->part);
    app_free(app, b->whole);
    free(b->counts);
}

/* ---- what is known of the result ---- */

/* What is left of Reynolds' equation, on the average, in parts of its right-hand side at first. */
static double left_over(const struct level *level)
{
    const struct rows rows = inner(level);
    double sum = 0;

    relax(level, -1);
    for (long i = rows.from; i <= rows.to; i++)
        for (long j = 1; j < level->cells; j++)
            sum += fabs(row(level, RESIDUAL, i)[j]);
    /* The source is 12 / cells^2 at first. */
    return app_sum(sum) / (12 * (double)level->tall / (double)level->cells);
}

/* How far the integral at a point is from the sum over all pressures. */
static double integral_error(const struct level *level, long y, long x)
{
    const struct rows rows = inner(level);
    double direct = 0;

    for (long i = rows.from; i <= rows.to; i++)
        for (long j = 1; j < level->cells; j++)
            direct += row(level, PRESSURE, i)[j] * kernel(i - y, j - x);
    direct = app_sum(direct);
    return fabs(app_sum(y >= rows.from && y <= rows.to ? row(level, BEND, y)[x] : 0) / direct - 1);
}

static double check(const struct app *app, const struct bearing *b)
{
    const struct level *level = &b->level[0];
    const double rounding = 1e-16 * (double)level->cells * (double)level->cells;
    double error;

    exchange(app, b, 0, PRESSURE, 1);
    exchange(app, b, 0, CUBE, 1);
    error = left_over(level) /
            (FIRST * log((double)app->n) * pow(SLOWEST, (double)app->iterations) + rounding);
    for (int k = 0; k < 6 * app->size; k++) {
        struct rows rows = own_rows(app, b, 0, k / 6);
        long y = k % 2 ? rows.to : rows.from, x = level->cells / 16 * (1 + 7 * (k / 2 % 3));

        y = y < 1 ? 1 : y < level->tall ? y : level->tall - 1;
        error = fmax(error, integral_error(level, y, x) / INTEGRAL);
    }
    return error;
}

static struct app_state state(const struct level *finest)
{
    const size_t bytes = finest->size * sizeof(double);

    return (struct app_state){{{finest->x[PRESSURE], bytes}, {finest->x[BEND], bytes}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct bearing bearing = {.levels = 0};
    struct level *finest = &bearing.level[0];
    double error = 0;
    long rows = 0, done;
    const struct app_option own[] = {
        {"--rows", "rows of cells, at most --size; as many where not given", &rows, 32}, {0}};

    app_begin_with(&app, &argc, &argv, "ehl", 256, 10, own);
    rows = rows ? rows : app.n;
    if (app.n < 32 || (app.n & (app.n - 1)) != 0 || (rows & (rows - 1)) != 0)
        app_fail(&app, "%ld x %ld are not powers of two from 32 on", rows, app.n);
    if (rows > app.n)
        app_fail(&app, "%ld rows are more than %ld columns: it yields too much", rows, app.n);
    bearing.reach = 3 + (long)ceil(log((double)app.n));
    begin(&app, &bearing, rows);
    set_film(&app, &bearing);
    app_start(&app);
    done = app_resume(&app, state(finest));
    if (done > 0)
        set_film(&app, &bearing); /* from what was read */
    for (long k = 1 + done; k <= app.iterations; k++) {
        iterate(&app, &bearing);
        app_checkpoint(&app, k, state(finest));
    }
    app_stop(&app);
    if (!app.charged)
        error = check(&app, &bearing);
    end(&app, &bearing);
    return app_end(&app, error, 1);
}
