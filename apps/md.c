// SPDX-License-Identifier: GPL-3.0-or-later
/* md.c - molecular dynamics of a drop of n particles that attract and repel each other as Lennard
 * and Jones have it: a systolic ring.
 *
 * Every rank owns a part of the particles (by --split, or all alike).  The forces of all on all
 * are added up in p stages: in the first a rank's own particles act on each other, then their
 * places travel round the ring, to the right neighbour after each stage (p - 1 sends and receives
 * at once), and act on the particles of the rank that they have come to.  All pairs count,
 * however far, and each twice, once for either particle.  Velocity Verlet; K iterations take K +
 * 1 reckonings of the forces.  The particles start on a cubic lattice, a little warm, in empty
 * space.
 *
 * Known to be right: the sum of the momenta stays 0, the energy stays what it was but for the
 * error of the time step, and the forces and the potential energy at the end are what each rank
 * finds for its particles from the places of all, gathered without the ring.
 *
 * Source: Sanjay and Vadhiyar 2008, section 4, application 4. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STEP = 2e-3, SPACING = 1.1, WARMTH = 0.3;
static const double MOMENTUM_TOLERANCE = 1e-10, ENERGY_TOLERANCE = 1e-4, FORCE_TOLERANCE = 1e-10;
/* Operations: for a pair, and to move a particle before the forces and after. */
static const double PAIR = 26, MOVE = 12, END = 6;

typedef double vector[3];

struct drop {
    long first, mine;         /* particles of this rank */
    vector *place, *velocity; /* of which the one follows the other, to be kept together */
    vector *force;
    vector *visitors, *next; /* the travelling places */
    double potential;        /* of this rank's particles, each pair in full */
    double before;           /* their energy at the start */
};

/* ---- forces ---- */

/* What the visitors do to particle i; `skip` is the visitor that it is itself, or -1. */
static void act(struct drop *drop, long i, const vector *visitors, long count, long skip)
{
    const double x = drop->place[i][0], y = drop->place[i][1], z = drop->place[i][2];
    double fx = 0, fy = 0, fz = 0, potential = 0;

    for (long j = 0; j < count; j++) {
        double dx = x - visitors[j][0], dy = y - visitors[j][1], dz = z - visitors[j][2];
        double inverse = 1 / (dx * dx + dy * dy + dz * dz);
        double sixth = inverse * inverse * inverse;
        double force = 24 * inverse * sixth * (2 * sixth - 1);

        if (j == skip)
            continue;
        fx += force * dx;
        fy += force * dy;
        fz += force * dz;
        potential += 4 * sixth * (sixth - 1);
    }
    drop->force[i][0] += fx;
    drop->force[i][1] += fy;
    drop->force[i][2] += fz;
    drop->potential += potential;
}

/* How many particles travel with the visitors that are here in a stage. */
static long count_visitors(const struct app *app, int stage)
{
    long first, count;

    app_share(app, (app->rank - stage + app->size) % app->size, app->n, &first, &count);
    return count;
}

static void shift(const struct app *app, struct drop *drop, int stage)
{
    int right = (app->rank + 1) % app->size, left = (app->rank + app->size - 1) % app->size;
    int leaving = 3 * (int)count_visitors(app, stage);
    int coming = 3 * (int)count_visitors(app, stage + 1);
    vector *swap = drop->visitors;

    MPI_Sendrecv(drop->visitors, leaving, MPI_DOUBLE, right, stage, drop->next, coming, MPI_DOUBLE,
                 left, stage, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    drop->visitors = drop->next;
    drop->next = swap;
}

static void add_forces(struct app *app, struct drop *drop)
{
    drop->potential = 0;
    if (!app->charged) {
        memset(drop->force, 0, (size_t)drop->mine * sizeof *drop->force);
        memcpy(drop->visitors, drop->place, (size_t)drop->mine * sizeof *drop->place);
    }
    for (int stage = 0; stage < app->size; stage++) {
        long count = count_visitors(app, stage), others = stage == 0 ? count - 1 : count;

        for (long i = 0; !app->charged && i < drop->mine; i++)
            act(drop, i, drop->visitors, count, stage == 0 ? i : -1);
        app_work(app, PAIR * (double)drop->mine * (double)others);
        if (stage + 1 < app->size)
            shift(app, drop, stage);
    }
}

/* ---- a time step ---- */

static void push(struct drop *drop)
{
    for (long i = 0; i < drop->mine; i++)
        for (int d = 0; d < 3; d++)
            drop->velocity[i][d] += 0.5 * STEP * drop->force[i][d];
}

static void step(struct app *app, struct drop *drop)
{
    if (!app->charged) {
        push(drop);
        for (long i = 0; i < drop->mine; i++)
            for (int d = 0; d < 3; d++)
                drop->place[i][d] += STEP * drop->velocity[i][d];
    }
    app_work(app, MOVE * (double)drop->mine);
    add_forces(app, drop);
    if (!app->charged)
        push(drop);
    app_work(app, END * (double)drop->mine);
}

/* ---- set-up ---- */

static double warmth(const struct app *app, long number, int direction)
{
    uint64_t index = 3 * (uint64_t)number + (uint64_t)direction;

    return WARMTH * (2 * app_random(app, index) - 1);
}

static void place_particles(const struct app *app, struct drop *drop)
{
    long side = (long)ceil(cbrt((double)app->n) - 1e-9);
    vector mean = {0, 0, 0};

    for (long number = 0; number < app->n; number++)
        for (int d = 0; d < 3; d++)
            mean[d] += warmth(app, number, d) / (double)app->n;
    for (long i = 0; i < drop->mine; i++) {
        long number = drop->first + i;
        long at[3] = {number % side, number / side % side, number / side / side};

        for (int d = 0; d < 3; d++) {
            drop->place[i][d] = SPACING * (double)at[d];
            drop->velocity[i][d] = warmth(app, number, d) - mean[d];
        }
    }
}

static void set_up(struct app *app, struct drop *drop)
{
    long largest = 0;
    size_t mine, most;

    *drop = (struct drop){.potential = 0};
    for (int stage = 0; stage < app->size; stage++)
        largest = count_visitors(app, stage) > largest ? count_visitors(app, stage) : largest;
    app_share(app, app->rank, app->n, &drop->first, &drop->mine);
    mine = (size_t)drop->mine;
    most = (size_t)largest;
    drop->place = app_data(app, 2 * mine, sizeof *drop->place);
    drop->force = app_data(app, mine, sizeof *drop->force);
    drop->visitors = app_buffer(app, most, sizeof *drop->visitors);
    drop->next = app_buffer(app, most, sizeof *drop->next);
    if (app->charged)
        return;
    drop->velocity = drop->place + mine;
    place_particles(app, drop);
}

/* ---- check ---- */

/* Of this rank's particles, with half of each pair. */
static double energy(const struct drop *drop)
{
    double kinetic = 0;

    for (long i = 0; i < drop->mine; i++)
        for (int d = 0; d < 3; d++)
            kinetic += 0.5 * drop->velocity[i][d] * drop->velocity[i][d];
    return kinetic + 0.5 * drop->potential;
}

static double momentum_error(const struct drop *drop)
{
    double worst = 0;

    for (int d = 0; d < 3; d++) {
        double sum = 0, all = 0;

        for (long i = 0; i < drop->mine; i++) {
            sum += drop->velocity[i][d];
            all += fabs(drop->velocity[i][d]);
        }
        worst = app_worse(worst, fabs(app_sum(sum)) / (1e-300 + app_sum(all)));
    }
    return worst;
}

/* The places of all particles on every rank. */
static vector *gather_places(const struct app *app, const struct drop *drop)
{
    vector *all = calloc((size_t)app->n, sizeof *all);
    int *counts = calloc(2 * (size_t)app->size, sizeof *counts), *starts = counts + app->size;

    if (!all || !counts)
        app_fail(app, "out of memory");
    for (int i = 0; i < app->size; i++) {
        long first, count;

        app_share(app, i, app->n, &first, &count);
        starts[i] = 3 * (int)first;
        counts[i] = 3 * (int)count;
    }
    MPI_Allgatherv(drop->place, 3 * (int)drop->mine, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    free(counts);
    return all;
}

/* The largest difference of a force from what it is without the ring, over the largest pull or push
 * in it, and that of the potential. */
static double force_error(const struct app *app, const struct drop *drop)
{
    vector *all = gather_places(app, drop);
    double potential = 0, worst = 0;

    for (long i = 0; i < drop->mine; i++) {
        vector force = {0, 0, 0};
        double largest = 1e-300;

        for (long j = app->n - 1; j >= 0; j--) {
            vector apart;
            double square = 0, slope;

            for (int d = 0; d < 3; d++) {
                apart[d] = all[j][d] - drop->place[i][d];
                square += apart[d] * apart[d];
            }
            if (j == drop->first + i)
                continue;
            potential += 4 * (pow(square, -6) - pow(square, -3));
            slope = 24 * pow(square, -4) - 48 * pow(square, -7);
            largest = fmax(largest, fabs(slope) * sqrt(square));
            for (int d = 0; d < 3; d++)
                force[d] += slope * apart[d];
        }
        for (int d = 0; d < 3; d++)
            worst = app_worse(worst, fabs(force[d] - drop->force[i][d]) / largest);
    }
    free(all);
    potential = fabs(app_sum(drop->potential) - app_sum(potential)) / fabs(app_sum(potential));
    return app_max(app_worse(worst, potential));
}

/* How far off the result is, where 1 is as far as may be. */
static double judge(const struct app *app, const struct drop *drop)
{
    double drift = fabs(app_sum(energy(drop)) / app_sum(drop->before) - 1);
    double worst = app_worse(drift / ENERGY_TOLERANCE, momentum_error(drop) / MOMENTUM_TOLERANCE);

    return app_worse(worst, force_error(app, drop) / FORCE_TOLERANCE);
}

static struct app_state state(struct drop *drop)
{
    const size_t mine = (size_t)drop->mine;

    return (struct app_state){{{drop->place, 2 * mine * sizeof *drop->place},
                               {drop->force, mine * sizeof *drop->force},
                               {&drop->potential, sizeof drop->potential},
                               {&drop->before, sizeof drop->before}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct drop drop;
    double error = 0;
    long done;

    app_begin(&app, &argc, &argv, "md", 1000, 50);
    if (app.n > INT_MAX / 3 || app.n < 2)
        app_fail(&app, "%ld particles are too %s", app.n, app.n < 2 ? "few" : "many");
    set_up(&app, &drop);
    app_start(&app);
    done = app_resume(&app, state(&drop));
    if (done == 0)
        add_forces(&app, &drop);
    if (done == 0 && !app.charged)
        drop.before = energy(&drop);
    for (long k = 1 + done; k <= app.iterations; k++) {
        step(&app, &drop);
        app_checkpoint(&app, k, state(&drop));
    }
    app_stop(&app);
    if (!app.charged)
        error = judge(&app, &drop);
    app_free(&app, drop.place);
    app_free(&app, drop.force);
    app_free(&app, drop.visitors);
    app_free(&app, drop.next);
    return app_end(&app, error, 1);
}
