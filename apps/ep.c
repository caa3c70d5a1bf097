// SPDX-License-Identifier: GPL-3.0-or-later
/* ep.c - Gaussian random numbers, counted: ranks that have nothing to say to each other.
 *
 * The size n is an exponent: 2^n pairs of random numbers are drawn in each iteration, other ones
 * in each.  Those that fall into the unit circle are turned into two Gaussian numbers by the
 * polar method, and counted by the square ring that these fall into: the whole part of the
 * larger.  The pairs are split over the ranks (by --split, or all alike); a pair depends on its
 * number alone, so that the counts are the same for any number of ranks.  Only at the end are the
 * counts and sums of all ranks added up on rank 0: two small reductions.
 *
 * Which pairs fall into the circle depends on the numbers; pi / 4 of them are expected to, and
 * that is what is counted as operations.
 *
 * Known to be right: the numbers of all pairs drawn sum to what they must; each rank finds the
 * same for some of its left neighbour's pairs, by another formula; what arrives on rank 0 is the
 * sum of what the ranks have, added another way; and the counts and the two sums of the Gaussian
 * numbers are within six standard deviations of what probability says.
 *
 * Source: Schopf 1998, sections 2.E.4 and 3.D.5, of the NAS benchmark of this name, but for the
 * random numbers. */
#include "app.h"

#include <math.h>

enum { MASTER = 0, RINGS = 10, LARGEST = 48 };
static const long SAMPLE = 10000;
static const double DEVIATIONS = 6, WRONG = 1e6;
/* Operations: to draw two random numbers, scale, square and compare them; to make and count two
 * Gaussian numbers of them. */
static const double DRAW = 2 * 13 + 8, GAUSS = 14;

/* What is counted: the pairs in each ring, and the numbers of all pairs, summed modulo 2^64. */
enum { NUMBERS = RINGS, COUNTS };

struct tally {
    double sum[2];
    uint64_t count[COUNTS];
};

static void draw_pair(const struct app *app, uint64_t number, double *x, double *y)
{
    *x = 2 * app_random(app, 2 * number) - 1;
    *y = 2 * app_random(app, 2 * number + 1) - 1;
}

static void count_pairs(const struct app *app, struct tally *tally, uint64_t from, uint64_t to)
{
    uint64_t numbers = 0;

    for (uint64_t number = from; number < to; number++) {
        double x, y, square, factor;
        int ring;

        draw_pair(app, number, &x, &y);
        numbers += number;
        square = x * x + y * y;
        if (square > 1 || square == 0)
            continue;
        factor = sqrt(-2 * log(square) / square);
        x *= factor;
        y *= factor;
        ring = (int)fmax(fabs(x), fabs(y));
        tally->count[ring < RINGS ? ring : RINGS - 1]++;
        tally->sum[0] += x;
        tally->sum[1] += y;
    }
    tally->count[NUMBERS] += numbers;
}

/* ---- check ---- */

/* As count_pairs(), with the circle's radius and the direction in it. */
static void count_again(const struct app *app, struct tally *tally, uint64_t from, uint64_t to)
{
    for (uint64_t number = from; number < to; number++) {
        double x, y, radius, far;
        int ring = 0;

        draw_pair(app, number, &x, &y);
        radius = hypot(x, y);
        tally->count[NUMBERS] += number;
        if (!(radius > 0 && radius <= 1))
            continue;
        far = 2 * sqrt(-log(radius));
        x = far * cos(atan2(y, x));
        y = far * (y / radius);
        while (ring < RINGS - 1 && (fabs(x) >= ring + 1 || fabs(y) >= ring + 1))
            ring++;
        tally->count[ring]++;
        tally->sum[0] += x;
        tally->sum[1] += y;
    }
}

/* How many of the first pairs of a rank are looked at twice. */
static long sample_size(long count)
{
    return count < SAMPLE ? count : SAMPLE;
}

/* Sends the tally of the first pairs to the right, and counts those of the left again.  Returns how
 * far off they are, the sums in parts of what they may be. */
static double check_neighbour(const struct app *app, const struct tally *own)
{
    int left = (app->rank + app->size - 1) % app->size, right = (app->rank + 1) % app->size;
    struct tally theirs, again = {.sum = {0}};
    long first, count;
    double worst = 0;

    MPI_Sendrecv(own, sizeof *own, MPI_BYTE, right, 0, &theirs, sizeof theirs, MPI_BYTE, left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    app_share(app, left, 1L << app->n, &first, &count);
    count_again(app, &again, (uint64_t)first, (uint64_t)(first + sample_size(count)));
    for (int i = 0; i < COUNTS; i++)
        worst = app_worse(worst, theirs.count[i] == again.count[i] ? 0 : WRONG);
    for (int i = 0; i < 2; i++)
        worst = app_worse(worst, fabs(theirs.sum[i] - again.sum[i]) / 1e-10);
    return worst;
}

/* How far the sums on the master are from those of the ranks added up without a reduction. */
static double check_sums(const struct app *app, const struct tally *mine, const struct tally *all)
{
    struct tally sum = {.sum = {0}}, part;
    double worst = 0;

    for (int rank = 0; rank < app->size; rank++) {
        part = *mine;
        MPI_Bcast(&part, sizeof part, MPI_BYTE, rank, MPI_COMM_WORLD);
        for (int i = 0; i < COUNTS; i++)
            sum.count[i] += part.count[i];
        for (int i = 0; i < 2; i++)
            sum.sum[i] += part.sum[i];
    }
    for (int i = 0; app->rank == MASTER && i < COUNTS; i++)
        worst = app_worse(worst, sum.count[i] == all->count[i] ? 0 : WRONG);
    for (int i = 0; app->rank == MASTER && i < 2; i++)
        worst = app_worse(worst, fabs(sum.sum[i] - all->sum[i]) / (1e-9 * (1 + fabs(sum.sum[i]))));
    return worst;
}

/* In standard deviations, of which there is one more where little is expected. */
static double deviation(double found, double expected)
{
    return fabs(found - expected) / (sqrt(expected) + 1);
}

static double check_counts(const struct app *app, const struct tally *all)
{
    double pairs = (double)app->iterations * exp2((double)app->n);
    double inside = pairs * atan(1), found = 0, worst = 0, below = 0;
    uint64_t n = (uint64_t)app->iterations << app->n;
    uint64_t numbers = n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1);

    for (int i = 0; i < RINGS; i++) {
        double within = i + 1 < RINGS ? pow(erf((i + 1) / sqrt(2)), 2) : 1;

        worst = app_worse(worst, deviation((double)all->count[i], inside * (within - below)));
        found += (double)all->count[i];
        below = within;
    }
    worst = app_worse(worst, deviation(found, inside));
    for (int i = 0; i < 2; i++)
        worst = app_worse(worst, fabs(all->sum[i]) / sqrt(inside));
    return app_worse(worst, all->count[NUMBERS] == numbers ? 0 : WRONG);
}

/* All the pairs of this rank; keeps what the first of them give in `sample`. */
static void work(struct app *app, struct tally *mine, struct tally *sample)
{
    const struct app_state state = {{{mine, sizeof *mine}, {sample, sizeof *sample}}};
    long first, count;

    app_share(app, app->rank, 1L << app->n, &first, &count);
    for (long k = 1 + app_resume(app, state); k <= app->iterations; k++) {
        uint64_t from = ((uint64_t)(k - 1) << app->n) + (uint64_t)first;
        uint64_t some = k == 1 ? (uint64_t)sample_size(count) : 0;

        if (!app->charged) {
            count_pairs(app, mine, from, from + some);
            if (k == 1)
                *sample = *mine;
            count_pairs(app, mine, from + some, from + (uint64_t)count);
        }
        app_work(app, (DRAW + GAUSS * atan(1)) * (double)count);
        app_checkpoint(app, k, state);
    }
}

int main(int argc, char **argv)
{
    struct app app;
    struct tally *mine, *all, sample = {.sum = {0}};
    double error = 0;

    app_begin(&app, &argc, &argv, "ep", 23, 1);
    if (app.n > LARGEST || app.iterations > 1000)
        app_fail(&app, "at most 1000 times 2^%d pairs can be numbered", LARGEST);
    mine = app_buffer(&app, 1, sizeof *mine);
    all = app_buffer(&app, 1, sizeof *all);
    app_start(&app);
    work(&app, mine, &sample);
    MPI_Reduce(mine->sum, all->sum, 2, MPI_DOUBLE, MPI_SUM, MASTER, MPI_COMM_WORLD);
    MPI_Reduce(mine->count, all->count, COUNTS, MPI_UINT64_T, MPI_SUM, MASTER, MPI_COMM_WORLD);
    app_stop(&app);
    if (!app.charged) {
        error = app_worse(check_neighbour(&app, &sample), check_sums(&app, mine, all));
        error = app_max(app_worse(error, app.rank == MASTER ? check_counts(&app, all) : 0));
    }
    app_free(&app, mine);
    app_free(&app, all);
    return app_end(&app, error, DEVIATIONS);
}
