// SPDX-License-Identifier: GPL-3.0-or-later
/* ga.c - a genetic algorithm for the travelling salesman: master and slaves, assigned work.
 *
 * The population is n tours of a fixed number of cities.  In each generation (iteration) rank 0,
 * the master, broadcasts the whole population; every rank, the master too, makes its share of n
 * children (by --split, or all alike): it picks two parents, crosses them in order, swaps two
 * cities now and then, makes the best exchange of two edges that there is, and measures the tour.
 * The master gathers the children, sorts them together with their parents and selects the better
 * half, taking tours of the same length once only while there are others.
 *
 * The work of a child does not depend on the tours but for the reversal of one part, which is
 * counted as if it were always half of the longest.
 *
 * The random numbers depend on the generation and the child alone, so that the result is the same
 * bits for any number of ranks.  Known to be right: every tour visits each city once and is as
 * long as it says, the best never gets worse, and some of the last children of every rank, made
 * again by the master from the parents it sent, come out the same.
 *
 * Source: Schopf 1998, sections 2.D.1 and 3.B, figures 2.5 and 3.1.  The paper's problem size is
 * the size of the population too; how it crosses parents it does not say. */
#include "app.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CITIES = 100, MASTER = 0, SAMPLES = 8 };

struct tour {
    double length;
    int city[CITIES];
};

struct map {
    double x[CITIES], y[CITIES];
};

struct key {
    double length;
    long which; /* of the parents, then of the children; -1 once it is taken */
};

struct ga {
    struct map map;
    struct tour *population; /* n on every rank, the best first */
    struct tour *children;   /* of this rank */
    struct tour *gathered;   /* n; this and what follows on the master only */
    struct tour *next;       /* n: the next generation while it is made, then the one before */
    struct key *keys;        /* 2 n */
    int *bytes, *starts;     /* of the children of each rank, in bytes */
    long first, mine;        /* children of this rank */
    long faults;
};

/* ---- making a child ---- */

/* Number k of those that belong to a child, from 0 to below - 1. */
static int draw(const struct app *app, long generation, long child, int k, int below)
{
    uint64_t index = ((uint64_t)generation * (uint64_t)app->n + (uint64_t)child) * CITIES;

    return (int)(app_random(app, index + (uint64_t)k) * below);
}

static double distance(const struct map *map, int a, int b)
{
    double x = map->x[a] - map->x[b], y = map->y[a] - map->y[b];

    return sqrt(x * x + y * y);
}

static void measure(const struct map *map, struct tour *tour)
{
    tour->length = distance(map, tour->city[CITIES - 1], tour->city[0]);
    for (int i = 0; i + 1 < CITIES; i++)
        tour->length += distance(map, tour->city[i], tour->city[i + 1]);
}

/* Cities from .. to - 1 where the mother has them, the others in the father's order. */
static void cross(struct tour *child, const struct tour *mother, const struct tour *father,
                  int from, int to)
{
    bool used[CITIES] = {false};
    int place = 0;

    for (int i = from; i < to; i++) {
        child->city[i] = mother->city[i];
        used[child->city[i]] = true;
    }
    for (int i = 0; i < CITIES; i++) {
        if (place == from)
            place = to;
        if (!used[father->city[i]] && place < CITIES)
            child->city[place++] = father->city[i];
    }
}

static void reverse(struct tour *tour, int from, int to)
{
    for (; from < to; from++, to--) {
        int swap = tour->city[from];

        tour->city[from] = tour->city[to];
        tour->city[to] = swap;
    }
}

/* Of all exchanges of two edges makes the one that shortens the tour most. */
static void improve(const struct map *map, struct tour *tour)
{
    const int *city = tour->city;
    double edge[CITIES], best = 0;
    int from = 0, to = 0;

    for (int i = 0; i < CITIES; i++)
        edge[i] = distance(map, city[i], city[(i + 1) % CITIES]);
    for (int i = 0; i + 2 < CITIES; i++)
        for (int j = i + 2; j < CITIES - (i == 0); j++) {
            double gain = edge[i] + edge[j] - distance(map, city[i], city[j]) -
                          distance(map, city[i + 1], city[(j + 1) % CITIES]);

            if (gain > best) {
                best = gain;
                from = i + 1;
                to = j;
            }
        }
    reverse(tour, from, to);
}

static double operations_of_child(void)
{
    const double c = CITIES, pairs = c * (c - 3) / 2;

    return 3 * c        /* cross: copied, looked at, put */
           + 6 * c      /* improve: the edges there are, */
           + 16 * pairs /* two distances, three sums and a comparison for each two, */
           + c / 2      /* and the reversal */
           + 7 * c;     /* measure */
}

static void make_child(const struct app *app, const struct ga *ga, const struct tour *parents,
                       long generation, long which, struct tour *child)
{
    int size = (int)app->n, mother = draw(app, generation, which, 0, size);
    int father = draw(app, generation, which, 1, size);
    int from = draw(app, generation, which, 2, CITIES);
    int to = from + draw(app, generation, which, 3, CITIES + 1 - from);

    cross(child, &parents[mother], &parents[father], from, to);
    if (draw(app, generation, which, 4, 2)) {
        int a = draw(app, generation, which, 5, CITIES);
        int b = draw(app, generation, which, 6, CITIES);
        int swap = child->city[a];

        child->city[a] = child->city[b];
        child->city[b] = swap;
    }
    improve(&ga->map, child);
    measure(&ga->map, child);
}

/* ---- the master's part ---- */

static int compare_keys(const void *left, const void *right)
{
    const struct key *a = left, *b = right;

    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return (a->which > b->which) - (a->which < b->which);
}

static void take(struct ga *ga, long n, struct key *key, struct tour *place)
{
    *place = key->which < n ? ga->population[key->which] : ga->gathered[key->which - n];
    key->which = -1;
}

static void select_next(struct ga *ga, long n)
{
    double longest = 0; /* taken so far */
    long taken = 0;

    for (long i = 0; i < n; i++) {
        ga->keys[i] = (struct key){ga->population[i].length, i};
        ga->keys[n + i] = (struct key){ga->gathered[i].length, n + i};
    }
    qsort(ga->keys, 2 * (size_t)n, sizeof *ga->keys, compare_keys);
    for (long i = 0; i < 2 * n && taken < n; i++)
        if (ga->keys[i].length > longest * (1 + 1e-12)) {
            longest = ga->keys[i].length;
            take(ga, n, &ga->keys[i], &ga->next[taken++]);
        }
    for (long i = 0; i < 2 * n && taken < n; i++)
        if (ga->keys[i].which >= 0)
            take(ga, n, &ga->keys[i], &ga->next[taken++]);
    if (ga->next[0].length > ga->population[0].length)
        ga->faults++;
}

static void generation(struct app *app, struct ga *ga, long number)
{
    double all = 2 * (double)app->n;
    struct tour *swap;

    MPI_Bcast(ga->population, (int)app->n * (int)sizeof(struct tour), MPI_BYTE, MASTER,
              MPI_COMM_WORLD);
    for (long i = 0; !app->charged && i < ga->mine; i++)
        make_child(app, ga, ga->population, number, ga->first + i, &ga->children[i]);
    app_work(app, operations_of_child() * (double)ga->mine);
    MPI_Gatherv(ga->children, (int)ga->mine * (int)sizeof(struct tour), MPI_BYTE, ga->gathered,
                ga->bytes, ga->starts, MPI_BYTE, MASTER, MPI_COMM_WORLD);
    if (app->rank != MASTER)
        return;
    if (!app->charged)
        select_next(ga, app->n);
    /* Comparisons; and the words of a tour, for those that are copied. */
    app_work(app, all * log2(all) + (double)app->n * sizeof(struct tour) / sizeof(double));
    swap = ga->population;
    ga->population = ga->next;
    ga->next = swap;
}

/* ---- set-up and check ---- */

static void first_population(const struct app *app, struct ga *ga)
{
    for (long i = 0; i < app->n; i++) {
        struct tour *tour = &ga->population[i];

        for (int k = 0; k < CITIES; k++) {
            int other = draw(app, 0, i, k, k + 1);

            tour->city[k] = tour->city[other];
            tour->city[other] = k;
        }
        measure(&ga->map, tour);
    }
}

static void set_up(struct app *app, struct ga *ga)
{
    size_t n = (size_t)app->n, ranks = (size_t)app->size;

    *ga = (struct ga){.faults = 0};
    app_share(app, app->rank, app->n, &ga->first, &ga->mine);
    for (int i = 0; i < CITIES; i++) {
        ga->map.x[i] = app_random(app, UINT64_MAX / 2 - (uint64_t)i);
        ga->map.y[i] = app_random(app, UINT64_MAX / 2 - CITIES - (uint64_t)i);
    }
    ga->population = app_buffer(app, n, sizeof *ga->population);
    ga->children = app_buffer(app, (size_t)ga->mine, sizeof *ga->children);
    if (app->rank != MASTER)
        return;
    ga->gathered = app_buffer(app, n, sizeof *ga->gathered);
    ga->next = app_buffer(app, n, sizeof *ga->next);
    ga->keys = app_data(app, 2 * n, sizeof *ga->keys);
    ga->bytes = calloc(ranks, sizeof *ga->bytes);
    ga->starts = calloc(ranks, sizeof *ga->starts);
    if (!ga->bytes || !ga->starts)
        app_fail(app, "out of memory");
    for (int i = 0; i < app->size; i++) {
        long first, count;

        app_share(app, i, app->n, &first, &count);
        ga->starts[i] = (int)first * (int)sizeof(struct tour);
        ga->bytes[i] = (int)count * (int)sizeof(struct tour);
    }
    if (!app->charged)
        first_population(app, ga);
}

/* Whether it visits each city once and is as long as it says, measured the other way round. */
static bool is_tour(const struct map *map, const struct tour *tour)
{
    bool seen[CITIES] = {false};
    double length = 0;

    for (int i = CITIES - 1; i >= 0; i--) {
        int a = tour->city[i], b = tour->city[i ? i - 1 : CITIES - 1];

        if (a < 0 || a >= CITIES || b < 0 || b >= CITIES || seen[a])
            return false;
        seen[a] = true;
        length += hypot(map->x[a] - map->x[b], map->y[a] - map->y[b]);
    }
    return fabs(length - tour->length) <= 1e-12 * length;
}

/* The number of faults that the master finds. */
static long count_faults(const struct app *app, const struct ga *ga)
{
    long faults = ga->faults;

    for (long i = 0; i < app->n; i++)
        faults += !is_tour(&ga->map, &ga->population[i]) + !is_tour(&ga->map, &ga->gathered[i]);
    for (int rank = 0; rank < app->size; rank++) {
        long first, count;

        app_share(app, rank, app->n, &first, &count);
        for (long i = first; i < first + count; i += count / SAMPLES + 1) {
            struct tour again;

            make_child(app, ga, ga->next, app->iterations, i, &again);
            faults += memcmp(&again, &ga->gathered[i], sizeof again) != 0;
        }
    }
    return faults;
}

static void tear_down(const struct app *app, struct ga *ga)
{
    app_free(app, ga->population);
    app_free(app, ga->children);
    app_free(app, ga->gathered);
    app_free(app, ga->next);
    app_free(app, ga->keys);
    free(ga->bytes);
    free(ga->starts);
}

/* The master sends the slaves all they need, so that they have none. */
static struct app_state state(const struct app *app, struct ga *ga)
{
    const size_t bytes = (size_t)app->n * sizeof(struct tour);

    if (app->rank != MASTER)
        return (struct app_state){{{NULL, 0}}};
    return (struct app_state){{{ga->population, bytes},
                               {ga->gathered, bytes},
                               {ga->next, bytes},
                               {&ga->faults, sizeof ga->faults}}};
}

int main(int argc, char **argv)
{
    struct app app;
    struct ga ga;
    double error = 0;

    app_begin(&app, &argc, &argv, "ga", 400, 30);
    if (app.n > INT_MAX / (long)sizeof(struct tour))
        app_fail(&app, "a population of %ld tours is too large for one message", app.n);
    set_up(&app, &ga);
    app_start(&app);
    for (long k = 1 + app_resume(&app, state(&app, &ga)); k <= app.iterations; k++) {
        generation(&app, &ga, k);
        app_checkpoint(&app, k, state(&app, &ga));
    }
    app_stop(&app);
    if (!app.charged)
        error = app_max(app.rank == MASTER ? (double)count_faults(&app, &ga) : 0);
    tear_down(&app, &ga);
    return app_end(&app, error, 0);
}
