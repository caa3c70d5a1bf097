// SPDX-License-Identifier: GPL-3.0-or-later
/* nbody.c - bodies that attract each other in a walled square: master and slaves, assigned work.
 *
 * In each time step (iteration) rank 0, the master, sends all n bodies to each slave in turn, and
 * then which of them, its sector, it shall do; it does a sector itself too.  A rank moves all
 * bodies (velocity Verlet with the forces they came with), adds up the pulls of all on those of
 * its sector (n for each, exactly, softened so that none is without bounds), and sends these
 * back.  The master receives the sectors in the order of the ranks and sorts the bodies by their
 * new places.  Sectors are by --split, or all alike.
 *
 * Known to be right: no body is lost; the momentum of the bodies, together with what they have
 * given to the walls, stays what it was but for rounding, which holds only where all ranks saw
 * all bodies at the same time; the energy stays what it was but for the error of the time step
 * (most of it made where a body bounces off a wall); and the forces that some bodies came back
 * with are those at their places.  Since the order of the bodies does not depend on the ranks,
 * nor does the result, to the bit.
 *
 * Source: Schopf 1998, sections 2.D.3 and 3.D.1, figure 2.7; a body is as large as in its table
 * 3.22, 208 bytes. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASTER = 0, TRACK = 8, SAMPLES = 64 };
enum { ALL_BODIES = 1, SECTOR, SECTOR_DONE }; /* tags */

static const double STEP = 2.5e-4, SOFTENING = 0.1;
static const double MOMENTUM_TOLERANCE = 1e-12, FORCE_TOLERANCE = 1e-12;
static const double ENERGY_TOLERANCE = 1e-2;
/* Operations: to move a body, for a pull, to end the step of a body (and keep its track). */
static const double MOVE = 13, PULL = 14, END = 5 + 2 * TRACK;

struct body {
    double number, mass;
    double place[2], velocity[2], force[2];
    double wall[2];         /* momentum given to the walls */
    double track[TRACK][2]; /* where it was, newest first */
};
enum { NUMBERS = sizeof(struct body) / sizeof(double) };
_Static_assert(sizeof(struct body) == 208, "a body has 208 bytes");

struct system {
    struct body *bodies; /* n on every rank */
    long *sector;        /* first and count, as sent */
};

struct state {
    double momentum[2], kinetic, potential;
    double scale; /* all momenta, whatever their direction */
};

/* ---- one step of the bodies ---- */

static void push(struct body *body)
{
    double factor = 0.5 * STEP / body->mass;

    for (int d = 0; d < 2; d++)
        body->velocity[d] += factor * body->force[d];
}

static void move_all(struct body *bodies, long n)
{
    for (struct body *body = bodies; body < bodies + n; body++) {
        push(body);
        for (int d = 0; d < 2; d++) {
            double wall = body->velocity[d] < 0 ? 0 : 1;
            double place = body->place[d] + STEP * body->velocity[d];

            if (place < 0 || place > 1) {
                place = 2 * wall - place;
                body->wall[d] += 2 * body->mass * body->velocity[d];
                body->velocity[d] = -body->velocity[d];
            }
            body->place[d] = place;
        }
    }
}

static void add_pulls(struct body *body, const struct body *bodies, long n)
{
    double x = body->place[0], y = body->place[1], force_x = 0, force_y = 0;

    for (long j = 0; j < n; j++) {
        double dx = bodies[j].place[0] - x, dy = bodies[j].place[1] - y;
        double square = dx * dx + dy * dy + SOFTENING * SOFTENING;
        double pull = bodies[j].mass / (square * sqrt(square));

        force_x += pull * dx;
        force_y += pull * dy;
    }
    body->force[0] = body->mass * force_x;
    body->force[1] = body->mass * force_y;
}

static void end_step(struct body *body)
{
    push(body);
    memmove(body->track[1], body->track[0], (TRACK - 1) * sizeof body->track[0]);
    memcpy(body->track[0], body->place, sizeof body->place);
}

static void do_sector(struct app *app, struct system *system, long first, long count)
{
    double n = (double)app->n;

    if (!app->charged) {
        move_all(system->bodies, app->n);
        for (long i = first; i < first + count; i++)
            add_pulls(&system->bodies[i], system->bodies, app->n);
        for (long i = first; i < first + count; i++)
            end_step(&system->bodies[i]);
    }
    app_work(app, MOVE * n + (PULL * n + END) * (double)count);
}

/* ---- master and slave ---- */

static int compare_numbers(const void *left, const void *right)
{
    const struct body *a = left, *b = right;

    return (a->number > b->number) - (a->number < b->number);
}

static int compare_places(const void *left, const void *right)
{
    const struct body *a = left, *b = right;

    if (a->place[0] != b->place[0])
        return a->place[0] < b->place[0] ? -1 : 1;
    return compare_numbers(left, right);
}

static void master_step(struct app *app, struct system *system)
{
    long first, count;

    for (int slave = 1; slave < app->size; slave++) {
        MPI_Send(system->bodies, (int)app->n * NUMBERS, MPI_DOUBLE, slave, ALL_BODIES,
                 MPI_COMM_WORLD);
        if (!app->charged)
            app_share(app, slave, app->n, &system->sector[0], &system->sector[1]);
        MPI_Send(system->sector, 2, MPI_LONG, slave, SECTOR, MPI_COMM_WORLD);
    }
    app_share(app, MASTER, app->n, &first, &count);
    do_sector(app, system, first, count);
    for (int slave = 1; slave < app->size; slave++) {
        app_share(app, slave, app->n, &first, &count);
        MPI_Recv(system->bodies + first, (int)count * NUMBERS, MPI_DOUBLE, slave, SECTOR_DONE,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (!app->charged)
        qsort(system->bodies, (size_t)app->n, sizeof *system->bodies, compare_places);
    app_work(app, (double)app->n * log2((double)app->n));
}

static void slave_step(struct app *app, struct system *system)
{
    long first, count;

    MPI_Recv(system->bodies, (int)app->n * NUMBERS, MPI_DOUBLE, MASTER, ALL_BODIES, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Recv(system->sector, 2, MPI_LONG, MASTER, SECTOR, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (app->charged) {
        app_share(app, app->rank, app->n, &first, &count);
    } else {
        first = system->sector[0];
        count = system->sector[1];
    }
    do_sector(app, system, first, count);
    MPI_Send(system->bodies + first, (int)count * NUMBERS, MPI_DOUBLE, MASTER, SECTOR_DONE,
             MPI_COMM_WORLD);
}

/* ---- set-up and check, on the master ---- */

static void make_bodies(const struct app *app, struct system *system)
{
    for (long i = 0; i < app->n; i++) {
        uint64_t index = 5 * (uint64_t)i;
        struct body *body = &system->bodies[i];

        body->number = (double)i;
        body->mass = (0.5 + app_random(app, index)) / (double)app->n;
        for (unsigned d = 0; d < 2; d++) {
            body->place[d] = app_random(app, index + 1 + d);
            body->velocity[d] = app_random(app, index + 3 + d) - 0.5;
        }
    }
    for (long i = 0; i < app->n; i++)
        add_pulls(&system->bodies[i], system->bodies, app->n);
}

static struct state look(const struct body *bodies, long n)
{
    struct state state = {.kinetic = 0};

    for (long i = 0; i < n; i++) {
        const struct body *a = &bodies[i];
        double depth = 0;

        for (int d = 0; d < 2; d++) {
            state.kinetic += 0.5 * a->mass * a->velocity[d] * a->velocity[d];
            state.momentum[d] += a->mass * a->velocity[d] + a->wall[d];
            state.scale += fabs(a->mass * a->velocity[d]);
        }
        for (long j = 0; j < i; j++)
            depth += bodies[j].mass / hypot(hypot(a->place[0] - bodies[j].place[0],
                                                  a->place[1] - bodies[j].place[1]),
                                            SOFTENING);
        state.potential -= a->mass * depth;
    }
    return state;
}

/* Bodies that are missing, there twice, or beyond the walls.  Sorts them by their numbers. */
static long count_lost(struct body *bodies, long n)
{
    long lost = 0;

    qsort(bodies, (size_t)n, sizeof *bodies, compare_numbers);
    for (long i = 0; i < n; i++) {
        const double *place = bodies[i].place;
        bool inside = place[0] >= 0 && place[0] <= 1 && place[1] >= 0 && place[1] <= 1;

        if (!inside || bodies[i].number != (double)i)
            lost++;
    }
    return lost;
}

/* How far the forces of some bodies are from what they are where the bodies have come to be. */
static double force_error(const struct body *bodies, long n)
{
    double worst = 0;

    for (long i = 0; i < n; i += n / SAMPLES + 1) {
        double x = 0, y = 0, all = 0;

        for (long j = n - 1; j >= 0; j--) {
            double dx = bodies[j].place[0] - bodies[i].place[0];
            double dy = bodies[j].place[1] - bodies[i].place[1];
            double apart = hypot(hypot(dx, dy), SOFTENING);
            double pull = bodies[i].mass * bodies[j].mass / pow(apart, 3);

            x += pull * dx;
            y += pull * dy;
            all += pull * apart;
        }
        worst = app_worse(worst, hypot(x - bodies[i].force[0], y - bodies[i].force[1]) / all);
    }
    return worst;
}

/* How far off the result is, where 1 is as far as may be. */
static double judge(const struct app *app, const struct system *system, const struct state *before)
{
    struct state after = look(system->bodies, app->n);
    double off =
        hypot(after.momentum[0] - before->momentum[0], after.momentum[1] - before->momentum[1]) /
        after.scale;
    double drift = fabs(after.kinetic + after.potential - before->kinetic - before->potential) /
                   (after.kinetic - after.potential);

    double worst = app_worse(off / MOMENTUM_TOLERANCE, drift / ENERGY_TOLERANCE);

    worst = app_worse(worst, force_error(system->bodies, app->n) / FORCE_TOLERANCE);
    return app_worse(worst, 2 * (double)count_lost(system->bodies, app->n));
}

/* The master sends the slaves all they need, so that they have none. */
static struct app_state state(const struct app *app, const struct system *system)
{
    size_t bodies = app->rank == MASTER ? (size_t)app->n : 0;

    return (struct app_state){{{system->bodies, bodies * sizeof *system->bodies}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct system system;
    struct state before = {.kinetic = 0};
    double error = 0;

    app_begin(&app, &argc, &argv, "nbody", 750, 60);
    if (app.n > INT_MAX / NUMBERS || app.n < 2)
        app_fail(&app, "%ld bodies are too %s", app.n, app.n < 2 ? "few" : "many");
    system.bodies = app_buffer(&app, (size_t)app.n, sizeof *system.bodies);
    system.sector = app_buffer(&app, 2, sizeof *system.sector);
    if (app.rank == MASTER && !app.charged) {
        make_bodies(&app, &system);
        before = look(system.bodies, app.n);
    }
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&app, &system)); k <= app.iterations; k++) {
        if (app.rank == MASTER)
            master_step(&app, &system);
        else
            slave_step(&app, &system);
        app_checkpoint(&app, k, state(&app, &system));
    }
    app_stop(&app);
    if (!app.charged)
        error = app_max(app.rank == MASTER ? judge(&app, &system, &before) : 0);
    app_free(&app, system.bodies);
    app_free(&app, system.sector);
    return app_end(&app, error, 1);
}
