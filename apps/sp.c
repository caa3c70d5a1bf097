// SPDX-License-Identifier: GPL-3.0-or-later
/* sp.c - line solves along x, y and z of a cube that is split so that all ranks have work in each.
 *
 * After the SP benchmark of the NAS Parallel Benchmarks as Schopf describes it (1998, sections
 * 2.E.3 and 3.D.4), with one unknown at each of the n^3 points.  With T = (-1, 2, -1) along one
 * axis, 0 outside, and S = ALPHA T + BETA T^2 (diffusion, and damping of the fourth order), which
 * has five diagonals, an iteration is a step by alternating directions:
 *
 *     d = f - (Sx + Sy + Sz) u;  solve (1 + Sx)(1 + Sy)(1 + Sz) d' = d;  u = u + d'
 *
 * It runs on q^2 ranks.  The cube is cut into q^3 cells, and of each layer of cells across any axis
 * every rank has one: rank (i, j) has the cells (i + c, j + c, c) modulo q.  In a solve along an
 * axis all ranks thus eliminate in their cells of the first layer, pass the ends of the lines on,
 * go to those of the second and so on, and come back with the solution; all cells that come next to
 * a rank's cells along an axis are one rank's.  Sent are, in each iteration, the two outer layers
 * of points of all cells to the 6 neighbours (12 requests, one wait), and for each axis q - 1
 * messages forth, of 6 words for each line, and q - 1 back, of 2 words.  The factors are computed
 * and sent for every line, as if the coefficients changed from line to line as they do in SP.
 *
 * The result is known: products of sines are eigenvectors of Sx, Sy and Sz alike.  f is chosen so
 * that one of them stands still, and another is added to it at the start, of which an iteration
 * leaves 1 - (sx + sy + sz) / ((1 + sx)(1 + sy)(1 + sz)) times, the s being the eigenvalues. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { HALO = 2, DIRECTIONS = 6, MOST_CELLS = 64 };
enum { RESIDUAL_WORK = 24, UPDATE_WORK = 1 }; /* operations at a point */
enum field { U, F, D, P, S, FIELDS };         /* P and S: factors of the next points of a line */

static const double PI = 3.14159265358979323846, ALPHA = 0.5, BETA = 0.05;
/* of a solve, forth and back: operations at a point, words at the end of a line */
static const int SOLVE_WORK[2] = {16, 4}, END_WORDS[2] = {6, 2};
/* how many half waves there are along x, y, z: in what stands still and in what fades */
static const int STILL[3] = {1, 2, 3}, FADING[3] = {5, 6, 4};

struct cell {
    int place[3];            /* among the cells, along x, y, z */
    long first[3], count[3]; /* points */
    long lines[3];           /* along each axis */
    long origin, stride[3];  /* in each field: the first point, and from one to the next */
};

struct part {
    long n;
    int q, neighbour[DIRECTIONS];  /* ranks: 2 * axis behind, 2 * axis + 1 ahead */
    struct cell cells[MOST_CELLS]; /* q of this rank, by their place along z */
    long words;                    /* of a field: all cells, with HALO points around each */
    double *field[FIELDS];
    double *send[DIRECTIONS], *receive[DIRECTIONS]; /* layers of points */
    double *ends, *next_ends;                       /* of the lines of a cell */
};

static long index_of(const struct cell *cell, const long at[3])
{
    return cell->origin + at[0] + at[1] * cell->stride[1] + at[2] * cell->stride[2];
}

/* ---- the right hand side ---- */

/* Copies between `faces` and two layers of points of u, those at one side of a cell if `take`, else
 * those around it, for all cells that have one of that neighbour beside them; returns the number of
 * words.  Without data it only counts. */
static int copy_faces(const struct part *part, int direction, double *faces, bool take)
{
    int axis = direction / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    long words = 0;

    for (const struct cell *cell = part->cells; cell < part->cells + part->q; cell++) {
        long inner = direction % 2 ? cell->count[axis] - HALO : 0;
        long outer = direction % 2 ? cell->count[axis] : -HALO, at[3];

        if (cell->place[axis] == (direction % 2 ? part->q - 1 : 0))
            continue;
        for (long m = 0; part->field[U] && m < HALO * cell->lines[axis]; m++) {
            double *face = faces + words + m, *point;

            at[axis] = (take ? inner : outer) + m / cell->lines[axis];
            at[b] = m / cell->count[a] % cell->count[b];
            at[a] = m % cell->count[a];
            point = part->field[U] + index_of(cell, at);
            *(take ? face : point) = *(take ? point : face);
        }
        words += HALO * cell->lines[axis];
    }
    return (int)words;
}

static void exchange_faces(const struct part *part)
{
    MPI_Request requests[2 * DIRECTIONS];

    if (part->q == 1)
        return;
    for (int m = 0; m < DIRECTIONS; m++) {
        int words = copy_faces(part, m, part->send[m], true);

        MPI_Irecv(part->receive[m], words, MPI_DOUBLE, part->neighbour[m], m ^ 1, MPI_COMM_WORLD,
                  &requests[m]);
        MPI_Isend(part->send[m], words, MPI_DOUBLE, part->neighbour[m], m, MPI_COMM_WORLD,
                  &requests[DIRECTIONS + m]);
    }
    MPI_Waitall(2 * DIRECTIONS, requests, MPI_STATUSES_IGNORE);
    for (int m = 0; m < DIRECTIONS; m++)
        copy_faces(part, m, part->receive[m], false);
}

/* Of S.  T^2 has 5 instead of 6 on the diagonal at both ends of a line. */
static double diagonal(long n, long point)
{
    return 2 * ALPHA + (6 - (point == 0) - (point == n - 1)) * BETA;
}

static void residual(const struct part *part, const struct cell *cell)
{
    long at[3];

    for (at[2] = 0; at[2] < cell->count[2]; at[2]++)
        for (at[1] = 0; at[1] < cell->count[1]; at[1]++)
            for (at[0] = 0; at[0] < cell->count[0]; at[0]++) {
                const double *u = part->field[U] + index_of(cell, at);
                double sum = part->field[F][index_of(cell, at)];

                for (int axis = 0; axis < 3; axis++) {
                    long step = cell->stride[axis];

                    sum -= diagonal(part->n, cell->first[axis] + at[axis]) * u[0] -
                           (ALPHA + 4 * BETA) * (u[-step] + u[step]) +
                           BETA * (u[-2 * step] + u[2 * step]);
                }
                part->field[D][index_of(cell, at)] = sum;
            }
}

/* ---- the line solves ---- */

/* Makes x[i] + p[i] x[i + 1] + s[i] x[i + 2] = d[i] of the piece of a line that is in a cell.
 * `end` has p, s and d of the two points before it, the nearer first, and gets the last two. */
static void eliminate(const struct part *part, const struct cell *cell, int axis, long index,
                      double *end)
{
    double *d = part->field[D], *p = part->field[P], *s = part->field[S];

    for (long i = 0; i < cell->count[axis]; i++, index += cell->stride[axis]) {
        double middle = 1 + diagonal(part->n, cell->first[axis] + i) - BETA * end[4];
        double near = -ALPHA - 4 * BETA - BETA * end[3];
        double scale = 1 / (middle - near * end[0]);

        p[index] = (-ALPHA - 4 * BETA - near * end[1]) * scale;
        s[index] = BETA * scale;
        d[index] = (d[index] - BETA * end[5] - near * end[2]) * scale;
        memcpy(end + 3, end, 3 * sizeof *end);
        memcpy(end, (double[]){p[index], s[index], d[index]}, 3 * sizeof *end);
    }
}

/* Puts x in d; `end` has x of the two points after the piece, and gets that of its first two. */
static void substitute(const struct part *part, const struct cell *cell, int axis, long index,
                       double *end)
{
    double *d = part->field[D], *p = part->field[P], *s = part->field[S];

    index += cell->count[axis] * cell->stride[axis];
    for (long i = 0; i < cell->count[axis]; i++) {
        index -= cell->stride[axis];
        d[index] -= p[index] * end[0] + s[index] * end[1];
        end[1] = end[0];
        end[0] = d[index];
    }
}

static void pass_cell(const struct part *part, const struct cell *cell, int axis, int back)
{
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    double *end = part->ends;

    for (long y = 0; y < cell->count[b]; y++)
        for (long x = 0; x < cell->count[a]; x++, end += END_WORDS[back]) {
            long index = cell->origin + y * cell->stride[b] + x * cell->stride[a];

            (back ? substitute : eliminate)(part, cell, axis, index, end);
        }
}

/* Sends the ends of the lines of a cell on and receives those for the next one. */
static void pass_ends(struct part *part, int axis, int back, long lines, long next_lines)
{
    int words = END_WORDS[back], tag = DIRECTIONS + 2 * axis + back;
    double *swap = part->ends;
    MPI_Request requests[2];

    MPI_Isend(part->ends, (int)lines * words, MPI_DOUBLE, part->neighbour[2 * axis + 1 - back], tag,
              MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(part->next_ends, (int)next_lines * words, MPI_DOUBLE,
              part->neighbour[2 * axis + back], tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    part->ends = part->next_ends;
    part->next_ends = swap;
}

/* One way through all layers of cells: forth, eliminating, or back, substituting. */
static void pass_lines(struct app *app, struct part *part, int axis, int back)
{
    int q = part->q, step = back ? -1 : 1, layer = back ? q - 1 : 0;

    for (int stage = 0; stage < q; stage++, layer += step) {
        int c = (layer - part->cells[0].place[axis] + q) % q;
        const struct cell *cell = &part->cells[c];
        size_t words = (size_t)cell->lines[axis] * (size_t)END_WORDS[back];

        if (!app->charged && stage == 0)
            memset(part->ends, 0, words * sizeof *part->ends);
        if (!app->charged)
            pass_cell(part, cell, axis, back);
        app_work(app, SOLVE_WORK[back] * (double)(cell->lines[axis] * cell->count[axis]));
        if (stage + 1 < q)
            pass_ends(part, axis, back, cell->lines[axis],
                      part->cells[(c + step + q) % q].lines[axis]);
    }
}

static void iterate(struct app *app, struct part *part)
{
    double points = 0;

    exchange_faces(part);
    for (int c = 0; c < part->q; c++) {
        points += (double)(part->cells[c].lines[0] * part->cells[c].count[0]);
        if (!app->charged)
            residual(part, &part->cells[c]);
    }
    app_work(app, RESIDUAL_WORK * points);
    for (int axis = 0; axis < 3; axis++)
        for (int back = 0; back < 2; back++)
            pass_lines(app, part, axis, back);
    for (long m = 0; !app->charged && m < part->words; m++)
        part->field[U][m] += part->field[D][m];
    app_work(app, UPDATE_WORK * points);
}

/* ---- set-up and check ---- */

static void set_cell(struct part *part, struct cell *cell)
{
    long stride = 1;

    cell->origin = part->words;
    for (int axis = 0; axis < 3; axis++) {
        cell->first[axis] = part->n * cell->place[axis] / part->q;
        cell->count[axis] = part->n * (cell->place[axis] + 1) / part->q - cell->first[axis];
        cell->stride[axis] = stride;
        cell->origin += HALO * stride;
        stride *= cell->count[axis] + 2 * HALO;
    }
    for (int axis = 0; axis < 3; axis++)
        cell->lines[axis] = cell->count[(axis + 1) % 3] * cell->count[(axis + 2) % 3];
    part->words += stride;
}

static void split_cube(const struct app *app, struct part *part)
{
    int q = (int)lround(sqrt(app->size)), i = app->rank % q, j = app->rank / q;
    long side = app->n / q + 1;

    if (app->split)
        app_fail(app, "--split has no meaning here: all ranks have the same part of each layer");
    if (q * q != app->size || q > MOST_CELLS)
        app_fail(app, "%d is not a square number of ranks up to %d^2", app->size, MOST_CELLS);
    if (app->n < HALO * q || side > INT_MAX / (HALO * q + END_WORDS[0]) / side)
        app_fail(app, "a grid of %ld^3 points is too %s for %d^3 cells", app->n,
                 app->n < HALO * q ? "small" : "large", q);
    *part = (struct part){.n = app->n, .q = q};
    for (int c = 0; c < q; c++) {
        memcpy(part->cells[c].place, (int[]){(i + c) % q, (j + c) % q, c}, 3 * sizeof(int));
        set_cell(part, &part->cells[c]);
    }
    for (int m = 0; m < DIRECTIONS; m++) { /* whose is the cell next to (i, j, 0)? */
        int at[3] = {i, j, 0};

        at[m / 2] += m % 2 ? 1 : -1;
        part->neighbour[m] = (at[1] - at[2] + q) % q * q + (at[0] - at[2] + q) % q;
    }
}

/* All fields are in one piece, and all buffers in another. */
static void allocate(struct app *app, struct part *part, double **data, double **buffers)
{
    size_t lines = (size_t)(part->n / part->q + 1) * (size_t)(part->n / part->q + 1);
    size_t layers = (size_t)(part->q - 1) * HALO * lines, ends = (size_t)END_WORDS[0] * lines;

    *data = app_data(app, FIELDS * (size_t)part->words, sizeof **data);
    for (int m = 0; !app->charged && m < FIELDS; m++)
        part->field[m] = *data + m * part->words;
    *buffers = app_buffer(app, 2 * DIRECTIONS * layers + 2 * ends, sizeof **buffers);
    for (int m = 0; m < DIRECTIONS; m++) {
        part->send[m] = *buffers + 2 * (size_t)m * layers;
        part->receive[m] = part->send[m] + layers;
    }
    part->ends = *buffers + 2 * DIRECTIONS * layers;
    part->next_ends = part->ends + ends;
}

static double wave(long n, const struct cell *cell, const long at[3], const int half_waves[3])
{
    double product = 1;

    for (int axis = 0; axis < 3; axis++)
        product *= sin(PI * half_waves[axis] * (double)(cell->first[axis] + at[axis] + 1) /
                       (double)(n + 1));
    return product;
}

static double eigenvalue(long n, int half_waves)
{
    double t = 2 - 2 * cos(PI * half_waves / (double)(n + 1)); /* of T */

    return ALPHA * t + BETA * t * t;
}

/* How far u is in a cell from what it should be after some iterations; before the first, u and f
 * are put there. */
static double compare(const struct part *part, const struct cell *cell, long iterations)
{
    double worst = 0, f = 0, sum = 0, product = 1, fading;
    long at[3];

    for (int axis = 0; axis < 3; axis++) {
        f += eigenvalue(part->n, STILL[axis]);
        sum += eigenvalue(part->n, FADING[axis]);
        product *= 1 + eigenvalue(part->n, FADING[axis]);
    }
    fading = pow(1 - sum / product, (double)iterations);
    for (at[2] = 0; at[2] < cell->count[2]; at[2]++)
        for (at[1] = 0; at[1] < cell->count[1]; at[1]++)
            for (at[0] = 0; at[0] < cell->count[0]; at[0]++) {
                double still = wave(part->n, cell, at, STILL);
                double wanted = still + fading * wave(part->n, cell, at, FADING);
                double *u = part->field[U] + index_of(cell, at);

                if (iterations == 0) {
                    *u = wanted;
                    part->field[F][index_of(cell, at)] = f * still;
                }
                worst = isnan(*u) ? HUGE_VAL : fmax(worst, fabs(*u - wanted));
            }
    return worst;
}

int main(int argc, char **argv)
{
    struct app app;
    struct part part;
    struct app_state state;
    double error = 0, *data, *buffers;

    app_begin(&app, &argc, &argv, "sp", 64, 20);
    split_cube(&app, &part);
    allocate(&app, &part, &data, &buffers);
    for (int c = 0; !app.charged && c < part.q; c++)
        compare(&part, &part.cells[c], 0);
    state = (struct app_state){{{part.field[U], (size_t)part.words * sizeof(double)}}};
    app_start(&app);
    for (long k = 1 + app_resume(&app, state); k <= app.iterations; k++) {
        iterate(&app, &part);
        app_checkpoint(&app, k, state);
    }
    app_stop(&app);
    for (int c = 0; !app.charged && c < part.q; c++)
        error = fmax(error, compare(&part, &part.cells[c], app.iterations));
    error = app_max(error);
    app_free(&app, data);
    app_free(&app, buffers);
    return app_end(&app, error, 1e-10);
}
