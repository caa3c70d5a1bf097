// SPDX-License-Identifier: GPL-3.0-or-later
/* contention_sim.c - the contest for the cores of some hosts, played out.
 *
 * From event to event (a competitor ends a phase, comes or goes) everybody goes on at a constant
 * rate.  On a host whose program waits for another host, the cores that it leaves are shared by the
 * competitors.
 *
 * A phase of computing lasts until its work is done, or for its time where the competitor is
 * steady; other phases last for their time.  Cycles are from 0.5 to 1.5 of their mean, and begin
 * anywhere.  Where they are much shorter than the run they are stretched to a part of it, which
 * changes nothing on average, and gives the answer a little more width than it should have; so are
 * times of coming and going.  How long the run is tells a first run that counts for nothing. */
#include "model/slowdown/contention_sim.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/monitor.h"
#include "base/random.h"

enum { CYCLES_MOST = 400, CYCLES_LEAST = 8, FIRST_STREAM = 1 };
#define WORK_MOST 6e7 /* steps of all draws together, about, if nobody were slowed down */
#define SLOWEST 1e15  /* no run is slower */
#define WORK_LONGER 2 /* so many times as many are all right where everybody is */

enum phase { COMPUTING, COMMUNICATING, RESTING, PHASES };

struct player {
    const struct rc_competitor *who;
    double part[PHASES]; /* of a cycle */
    double scale;        /* seconds of this cycle, alone */
    enum phase phase;
    double left; /* work or seconds of the phase */
    double rate; /* at which `left` falls */
    bool there;
    double change;  /* seconds until it leaves or comes back */
    double stretch; /* of its stays, where they are much shorter than the run */
};

/* A host during one run. */
struct field {
    const struct rc_contention_host *host;
    struct player *players;
    double *weights, *shares; /* room for the program and all players */
    double pace;              /* of the program: work done in a second */
    double left;              /* work of the program */
};

struct game {
    const struct rc_contention_sim *sim;
    struct rc_random *random;
    struct field *fields;
    struct player *players;
    double *room;
    double cycle_least; /* seconds */
    double work, most;  /* looks at players in a run, and how many there may be */
};

/* ---- sharing ---- */

/* The slowdown that memory used by others adds to computing that waits for it. */
static double memory_slowdown(const struct rc_local_host *local, double users)
{
    const struct rc_memory_curve *curve = local->memory_curve;
    double most = fmin(local->cores - 1, curve ? (double)curve->n : 0), low, high;
    size_t below;

    if (!(local->memory > 0 && most >= 1 && users > 0))
        return 0;
    users = fmin(users, most);
    below = (size_t)users;
    low = below ? curve->slowdown[below - 1] : 1;
    high = below < (size_t)most ? curve->slowdown[below] : low;
    return local->memory * (low + (users - (double)below) * (high - low) - 1);
}

/* What those that are there do at present, besides who computes. */
struct others {
    double memory;
    double delay;
    double sending; /* the part of its rate at which each communicates */
};

static struct others look_around(const struct field *field)
{
    const struct rc_local_host *local = &field->host->local;
    struct others others = {0};
    size_t communicating = 0;

    for (size_t i = 0; i < local->n_competitors; i++) {
        const struct player *player = &field->players[i];

        if (player->there && player->phase == COMPUTING)
            others.memory += player->who->memory;
        communicating += player->there && player->phase == COMMUNICATING;
    }
    others.sending = local->shared_link && communicating > 0 ? 1 / (double)communicating : 1;
    others.delay = local->delay
                       ? rc_slowdown_delay_at(local->delay, communicating, local->bandwidth, NULL)
                       : 0;
    return others;
}

/* Shares `cores` out to those who compute; `own` processes of the program are first. */
static void share_out(struct field *field, double cores, size_t own, struct others others)
{
    size_t n = own > 0, taken = n;

    field->weights[0] = 1; /* of each of the program's processes, which stand together */
    for (size_t i = 0; i < field->host->local.n_competitors; i++)
        if (field->players[i].there && field->players[i].phase == COMPUTING)
            field->weights[n++] = field->players[i].who->weight;
    rc_slowdown_core_shares(field->weights, own > 0 ? (double)own : 1, n, cores, field->shares);
    for (size_t i = 0; i < field->host->local.n_competitors; i++) {
        struct player *player = &field->players[i];

        player->rate = player->there ? 1 : 0;
        if (player->there && player->phase == COMPUTING && !player->who->steady)
            player->rate = 1 / (1 / field->shares[taken] + others.delay);
        if (player->there && player->phase == COMMUNICATING && !player->who->steady)
            player->rate = others.sending;
        taken += player->there && player->phase == COMPUTING;
    }
}

/* Sets the rates of all on a host. */
static void set_pace(struct field *field)
{
    const struct rc_local_host *local = &field->host->local;
    struct others others = look_around(field);
    double alone = fmin(1, (double)local->cores / local->processes);

    share_out(field, local->cores, (size_t)local->processes, others);
    field->pace =
        1 / (alone / field->shares[0] + others.delay + memory_slowdown(local, others.memory));
}

/* The program goes at `pace`, which is less than it could: others get what it leaves. */
static void yield_to_others(struct field *field, double pace)
{
    const struct rc_local_host *local = &field->host->local;
    double used = pace / field->pace * field->shares[0] * local->processes;

    share_out(field, fmax(local->cores - used, 1e-9), 0, look_around(field));
}

/* ---- competitors ---- */

static double draw_wait(struct game *game, double mean)
{
    return mean > 0 && isfinite(mean) ? rc_random_exponential(game->random, mean) : INFINITY;
}

/* Begins a phase; those of no length are passed over, and one that is all of the cycle has no
 * end. */
static void enter_phase(struct game *game, struct player *player, enum phase phase)
{
    for (int i = 0; i < PHASES && player->part[phase] <= 0; i++)
        phase = (phase + 1) % PHASES;
    if (phase <= player->phase) {
        double cycle = fmax(player->who->cycle, game->cycle_least);

        player->scale = cycle * (0.5 + rc_random_uniform(game->random));
    }
    player->phase = phase;
    player->left = player->part[phase] >= 1 ? INFINITY : player->part[phase] * player->scale;
}

static double draw_share(struct game *game, struct rc_share share)
{
    return share.low + (share.high - share.low) * rc_random_uniform(game->random);
}

/* At a moment of its cycle that is like any other. */
static void enter(struct game *game, struct player *player, const struct rc_competitor *who)
{
    double moment = rc_random_uniform(game->random);
    enum phase phase = COMPUTING;

    player->who = who;
    player->part[COMPUTING] = draw_share(game, who->compute);
    player->part[COMMUNICATING] =
        fmin(draw_share(game, who->communicate), 1 - player->part[COMPUTING]);
    player->part[RESTING] = 1 - player->part[COMPUTING] - player->part[COMMUNICATING];
    if (player->part[RESTING] < 1e-9)
        player->part[RESTING] = 0;
    while (phase < RESTING && moment >= player->part[phase])
        moment -= player->part[phase++];
    player->phase = RESTING; /* so that a new cycle is drawn */
    enter_phase(game, player, phase);
    if (isfinite(player->left))
        player->left = fmax(player->left - moment * player->scale, 0);
    player->there = true;
    player->stretch = who->away > 0 ? fmax(1, game->cycle_least / (who->stay + who->away)) : 1;
    player->change = draw_wait(game, player->stretch * who->stay);
}

static void end_phase(struct game *game, struct player *player)
{
    enter_phase(game, player, (player->phase + 1) % PHASES);
}

static void come_or_go(struct game *game, struct player *player)
{
    player->there = !player->there;
    player->change =
        draw_wait(game, player->stretch * (player->there ? player->who->stay : player->who->away));
}

/* ---- one run ---- */

/* Seconds to the next event of a host, at most `limit`. */
static double next_event(const struct field *field, double limit)
{
    for (size_t i = 0; i < field->host->local.n_competitors; i++) {
        const struct player *player = &field->players[i];

        if (player->rate > 0)
            limit = fmin(limit, player->left / player->rate);
        limit = fmin(limit, player->change);
    }
    return limit;
}

/* Lets time pass on a host; whether anybody's phase or presence changed. */
static bool pass(struct game *game, struct field *field, double seconds)
{
    bool changed = false;

    game->work += (double)field->host->local.n_competitors;
    for (size_t i = 0; i < field->host->local.n_competitors; i++) {
        struct player *player = &field->players[i];

        player->left -= seconds * player->rate;
        player->change -= seconds;
        if (player->change <= 1e-12) {
            come_or_go(game, player);
            changed = true;
        } else if (player->there && player->left <= 1e-12 * game->sim->dedicated) {
            end_phase(game, player);
            changed = true;
        }
    }
    return changed;
}

/* Each host by itself: the run ends with the last one. */
static double run_loose(struct game *game)
{
    double longest = 0;

    for (size_t h = 0; h < game->sim->n_hosts; h++) {
        struct field *field = &game->fields[h];
        double now = 0;

        set_pace(field);
        while (field->left > 0 && game->work <= game->most) {
            double end = field->left / field->pace, step = next_event(field, end);

            now += step;
            field->left = step < end ? field->left - step * field->pace : 0;
            if (pass(game, field, step))
                set_pace(field);
        }
        longest = fmax(longest, now);
    }
    return longest;
}

/* All hosts at the pace of the slowest; progress is the part of the work that is done. */
static double run_tight(struct game *game)
{
    size_t n = game->sim->n_hosts;
    double now = 0, progress = 0;

    for (size_t h = 0; h < n; h++)
        set_pace(&game->fields[h]);
    while (progress < 1 && game->work <= game->most) {
        double pace = INFINITY, step;

        for (size_t h = 0; h < n; h++)
            if (game->fields[h].host->work > 0)
                pace = fmin(pace, game->fields[h].pace / game->fields[h].host->work);
        step = (1 - progress) / pace;
        for (size_t h = 0; h < n; h++) {
            struct field *field = &game->fields[h];

            if (pace * field->host->work < field->pace * (1 - 1e-9))
                yield_to_others(field, pace * field->host->work);
            step = next_event(field, step);
        }
        now += step;
        progress = step < (1 - progress) / pace ? progress + step * pace : 1;
        for (size_t h = 0; h < n; h++) {
            pass(game, &game->fields[h], step);
            set_pace(&game->fields[h]);
        }
    }
    return now;
}

static double play_once(struct game *game)
{
    const struct rc_contention_sim *sim = game->sim;
    double work = 0, seconds;

    game->work = 0;
    for (size_t h = 0; h < sim->n_hosts; h++) {
        struct field *field = &game->fields[h];

        field->left = field->host->work;
        work = fmax(work, field->left);
        for (size_t i = 0; i < field->host->local.n_competitors; i++)
            enter(game, &field->players[i], &field->host->local.competitors[i]);
    }
    seconds = sim->tight ? run_tight(game) : run_loose(game);
    return (sim->dedicated - work + seconds) / sim->dedicated;
}

/* ---- all runs ---- */

static int check_host(const struct rc_contention_sim *sim, size_t h, struct rc_error *error)
{
    const struct rc_contention_host *host = &sim->hosts[h];
    struct rc_local_host without = host->local;
    struct rc_local local;

    if (!(host->work >= 0 && host->work <= sim->dedicated * (1 + 1e-9)))
        return rc_error_set(error, "host %zu: the program computes there for %g s of its %g s",
                            h + 1, host->work, sim->dedicated);
    if (host->local.n_competitors > RC_CONTENTION_COMPETITORS_MAX)
        return rc_error_set(error, "host %zu has %zu competitors, and a contest takes %d at most",
                            h + 1, host->local.n_competitors, RC_CONTENTION_COMPETITORS_MAX);
    /* What makes no sense to an equation makes none here, but for weights. */
    without.n_competitors = 0;
    if (rc_slowdown_local_compute(&without, RC_LOCAL_PAPER, &local, error))
        return -1;
    rc_slowdown_local_free(&local);
    for (size_t i = 0; i < host->local.n_competitors; i++)
        if (rc_observe_competitor_check(&host->local.competitors[i], error))
            return -1;
    return 0;
}

static int check(const struct rc_contention_sim *sim, struct rc_error *error)
{
    if (!(sim->dedicated > 0 && isfinite(sim->dedicated)))
        return rc_error_set(error, "a run takes some time: %g s", sim->dedicated);
    if (sim->n_hosts == 0 || sim->n_hosts > RC_CONTENTION_HOSTS_MAX)
        return rc_error_set(error, "a program has from 1 to %d hosts", RC_CONTENTION_HOSTS_MAX);
    if (sim->draws == 0 || sim->draws > RC_CONTENTION_DRAWS_MAX)
        return rc_error_set(error, "there are from 1 to %d draws", RC_CONTENTION_DRAWS_MAX);
    for (size_t h = 0; h < sim->n_hosts; h++)
        if (check_host(sim, h, error))
            return -1;
    return 0;
}

/* Looks at players in one cycle of all. */
static double steps_of(const struct rc_contention_sim *sim)
{
    double steps = 0;

    for (size_t h = 0; h < sim->n_hosts; h++) {
        double n = (double)sim->hosts[h].local.n_competitors;

        steps += PHASES * n * (n + 1) * (sim->tight ? (double)sim->n_hosts : 1);
    }
    return steps;
}

/* How short cycles may be: fewer to a run where it has many competitors, and where it is so slow
 * that it would meet too many, the longer. */
static int find_cycles(struct game *game, struct rc_error *error)
{
    const struct rc_contention_sim *sim = game->sim;
    double steps = steps_of(sim), cycles = WORK_MOST / (steps * (double)sim->draws + 1);
    struct rc_random *kept = game->random;

    game->random = rc_random_create(sim->seed, FIRST_STREAM);
    if (!game->random) {
        game->random = kept;
        return rc_error_no_memory(error);
    }
    game->cycle_least = sim->dedicated / fmax(CYCLES_LEAST, fmin(cycles, CYCLES_MOST));
    game->most = fmax(WORK_LONGER * WORK_MOST / (double)sim->draws, 4 * CYCLES_LEAST * steps);
    play_once(game);
    while (game->work > game->most && game->cycle_least < sim->dedicated * SLOWEST) {
        game->cycle_least *= 4;
        play_once(game);
    }
    game->most = INFINITY;
    rc_random_destroy(game->random);
    game->random = kept;
    return 0;
}

static int begin(struct game *game, const struct rc_contention_sim *sim, struct rc_error *error)
{
    size_t players = 0, room = 0;

    *game = (struct game){.sim = sim,
                          .random = rc_random_create(sim->seed, 0),
                          .fields = calloc(sim->n_hosts, sizeof *game->fields)};
    for (size_t h = 0; h < sim->n_hosts; h++) {
        players += sim->hosts[h].local.n_competitors;
        room += 2 * (sim->hosts[h].local.n_competitors + 1);
    }
    game->players = calloc(players + 1, sizeof *game->players);
    game->room = calloc(room + 1, sizeof *game->room);
    if (!game->random || !game->fields || !game->players || !game->room)
        return rc_error_no_memory(error);
    players = room = 0;
    for (size_t h = 0; h < sim->n_hosts; h++) {
        const struct rc_local_host *local = &sim->hosts[h].local;
        size_t n = local->n_competitors + 1;

        game->fields[h] = (struct field){.host = &sim->hosts[h],
                                         .players = game->players + players,
                                         .weights = game->room + room,
                                         .shares = game->room + room + n};
        players += local->n_competitors;
        room += 2 * n;
    }
    return 0;
}

struct rc_value *rc_slowdown_contention_simulate(const struct rc_contention_sim *sim,
                                                 const struct rc_monitor *monitor,
                                                 struct rc_error *error)
{
    struct rc_value *value = NULL;
    struct game game;
    double *draws = NULL;
    int status;

    if (check(sim, error))
        return NULL;
    status = begin(&game, sim, error);
    if (!status)
        status = find_cycles(&game, error);
    if (!status && !(draws = malloc(sim->draws * sizeof *draws)))
        status = rc_error_no_memory(error);
    for (size_t i = 0; i < sim->draws && !status; i++) {
        draws[i] = play_once(&game);
        rc_monitor_advance(monitor, i + 1, sim->draws);
        status = rc_monitor_check(monitor, error);
    }
    if (!status)
        value = rc_value_sample(draws, sim->draws, error);
    free(draws);
    rc_random_destroy(game.random);
    free(game.fields);
    free(game.players);
    free(game.room);
    return value;
}
