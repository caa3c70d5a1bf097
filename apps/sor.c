// SPDX-License-Identifier: GPL-3.0-or-later
/* sor.c - Laplace's equation on a square by successive over-relaxation in red and black phases,
 * with blocking messages.
 *
 * J. M. Schopf, "Performance prediction and scheduling for parallel applications on multi-user
 * clusters" (dissertation, UC San Diego, 1998), sections 2.E.1 and 3.C.  The grid of n x n inner
 * points is cut into strips of columns, one for each rank, evenly or by --split.  After each phase
 * a rank sends its outer columns, n numbers each, to the ranks on its left and right, and receives
 * theirs.  The dissertation's messages (PVM) wait for nobody; where a send may block until it is
 * received, all sending first would hang, so here the left rank of a pair sends first and its right
 * one receives first; even ranks begin with the pair to the right, odd ones with that to the left.
 *
 * On the edge u is x y, which fulfils the discrete equation too.  What is added to it at the start,
 * sin(pi x) sin(pi y), keeps its shape, with one factor r for the red points and one, b, for the
 * black ones: with mu = cos(pi h),
 *
 *     r' = (1 - w) r + w mu b        b' = (1 - w) b + w mu r'
 *
 * so the exact result is known, and must be there in the columns received last too. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum colour { RED, BLACK };

struct strip {
    long n, first, columns; /* of this rank: columns first + 1 .. first + columns of 1 .. n */
    double factor;          /* of over-relaxation */
    double *u;              /* columns + 2 of n + 2 */
    double *send, *receive; /* a column each: where the work is only charged, there is no u */
    int neighbour[2];       /* left and right */
};

static double *column(const struct strip *strip, long j)
{
    return strip->u + j * (strip->n + 2);
}

/* The first row of column j of the strip that has the colour: row + column is even where red. */
static long first_row(const struct strip *strip, enum colour colour, long j)
{
    return (strip->first + j + 1) % 2 == (long)colour ? 1 : 2;
}

static void relax(const struct strip *strip, enum colour colour)
{
    const double keep = 1 - strip->factor, quarter = strip->factor / 4;

    for (long j = 1; j <= strip->columns; j++) {
        const double *left = column(strip, j - 1), *right = column(strip, j + 1);
        double *at = column(strip, j);

        for (long i = first_row(strip, colour, j); i <= strip->n; i += 2)
            at[i] = keep * at[i] + quarter * (left[i] + right[i] + at[i - 1] + at[i + 1]);
    }
}

static double points(const struct strip *strip, enum colour colour)
{
    long all = strip->columns * strip->n;

    return (double)(all / 2 + (all % 2 && first_row(strip, colour, 1) == 1 ? 1 : 0));
}

static void exchange_with(const struct app *app, const struct strip *strip, int side)
{
    const size_t bytes = (size_t)strip->n * sizeof(double);
    const int partner = strip->neighbour[side];

    if (!app->charged)
        memcpy(strip->send, column(strip, side ? strip->columns : 1) + 1, bytes);
    if (side == 1)
        MPI_Send(strip->send, (int)strip->n, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
    MPI_Recv(strip->receive, (int)strip->n, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (side == 0)
        MPI_Send(strip->send, (int)strip->n, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
    if (!app->charged)
        memcpy(column(strip, side ? strip->columns + 1 : 0) + 1, strip->receive, bytes);
}

static void phase(struct app *app, const struct strip *strip, enum colour colour)
{
    const double point = 6; /* operations */

    if (!app->charged)
        relax(strip, colour);
    app_work(app, point * points(strip, colour));
    for (int turn = 0; turn < 2; turn++) {
        int side = (app->rank + turn) % 2 == 0 ? 1 : 0;

        if (strip->neighbour[side] != MPI_PROC_NULL)
            exchange_with(app, strip, side);
    }
}

/* ---- what is known of the result ---- */

/* x y, and `amplitude` times the mode; i and j are counted from 0 on the edge. */
static double known(long n, long i, long j, double amplitude)
{
    double x = (double)j / (double)(n + 1), y = (double)i / (double)(n + 1);

    return x * y + amplitude * sin(PI * x) * sin(PI * y);
}

static void begin(const struct strip *strip)
{
    for (long j = 0; j <= strip->columns + 1; j++)
        for (long i = 0; i <= strip->n + 1; i++)
            column(strip, j)[i] = known(strip->n, i, strip->first + j, 1);
}

static double farthest(const struct strip *strip, long iterations)
{
    const double mu = cos(PI / (double)(strip->n + 1)), w = strip->factor;
    double amplitude[2] = {1, 1}, worst = 0;

    for (long k = 0; k < iterations; k++) {
        amplitude[RED] = (1 - w) * amplitude[RED] + w * mu * amplitude[BLACK];
        amplitude[BLACK] = (1 - w) * amplitude[BLACK] + w * mu * amplitude[RED];
    }
    for (long j = 0; j <= strip->columns + 1; j++)
        for (long i = 0; i <= strip->n + 1; i++)
            worst = fmax(worst,
                         fabs(column(strip, j)[i] - known(strip->n, i, strip->first + j,
                                                          amplitude[(strip->first + j + i) % 2])));
    return worst;
}

int main(int argc, char **argv)
{
    struct app app;
    struct strip strip;
    struct app_state state;
    double error = 0;
    size_t size;

    app_begin(&app, &argc, &argv, "sor", 1000, 100);
    if (app.n > INT_MAX)
        app_fail(&app, "columns of %ld points are too long for one message", app.n);
    strip.n = app.n;
    app_share(&app, app.rank, app.n, &strip.first, &strip.columns);
    if (app_max(strip.columns < 1) > 0)
        app_fail(&app, "a grid of %ld columns is too small for %d ranks", app.n, app.size);
    strip.factor = 2 / (1 + sin(PI / (double)(app.n + 1)));
    size = (size_t)(strip.columns + 2) * (size_t)(strip.n + 2);
    strip.u = app_data(&app, size, sizeof *strip.u);
    strip.send = app_buffer(&app, (size_t)strip.n, sizeof *strip.send);
    strip.receive = app_buffer(&app, (size_t)strip.n, sizeof *strip.receive);
    strip.neighbour[0] = app.rank > 0 ? app.rank - 1 : MPI_PROC_NULL;
    strip.neighbour[1] = app.rank + 1 < app.size ? app.rank + 1 : MPI_PROC_NULL;
    if (!app.charged)
        begin(&strip);
    state = (struct app_state){{{strip.u, size * sizeof *strip.u}}};
    app_start(&app);
    for (long k = 1 + app_resume(&app, state); k <= app.iterations; k++) {
        phase(&app, &strip, RED);
        phase(&app, &strip, BLACK);
        app_checkpoint(&app, k, state);
    }
    app_stop(&app);
    if (!app.charged)
        error = app_max(farthest(&strip, app.iterations));
    app_free(&app, strip.u);
    app_free(&app, strip.send);
    app_free(&app, strip.receive);
    return app_end(&app, error, 1e-10);
}
