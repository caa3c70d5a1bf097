// SPDX-License-Identifier: GPL-3.0-or-later
/* contention_sim.c - simulation of the contention for the cores of some hosts.
 *
 * Between events (a competitor ends a phase, comes or goes), all rates are constant.  If the
 * program on a host waits for another host, competitors share its cores.
 *
 * A phase of computing lasts until its work is done or, for steady competitors, for its time;
 * other phases last for their time.  Cycles are from 0.5 to 1.5 of their mean, and begin at a
 * random time. Cycles that are much shorter than the run are stretched to a part of it, which
 * does not change the mean, and slightly increases the variation; the same for times of coming
 * and going.  A first run, which is discarded, gives the length of the run. */
#include "model/slowdown/contention_sim.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/random.h"

enum { CYCLES_MOST = 400, CYCLES_LEAST = 8, FIRST_STREAM = 1 };
#define WORK_MOST 6e7 /* rough number of steps of all samples, without contention */
#define SLOWEST 1e15  /* no run is slower */
#define WORK_LONGER 2 /* allowed factor of WORK_MOST under contention */

enum phase { COMPUTING, COMMUNICATING, RESTING, PHASES };

struct job {
    const struct rc_competitor *who;
    double part[PHASES]; /* of a cycle */
    double scale;        /* seconds of this cycle, alone */
    enum phase phase;
    double left; /* work or seconds of the phase */
    double rate; /* at which `left` falls */
    bool there;
    double change;  /* seconds until it leaves or comes back */
    double stretch; /* of its stays, if they are much shorter than the run */
};

/* A host during one run. */
struct node {
    const struct rc_contention_host *host;
    struct job *jobs;
    double *weights, *shares; /* room for the program and all jobs */
    double speed;             /* of the program: work done in a second */
    double left;              /* work of the program */
};

struct state {
    const struct rc_contention_sim *sim;
    struct rc_random *random;
    struct node *nodes;
    struct job *jobs;
    double *room;
    double cycle_least; /* seconds */
    double work, most;  /* updates of jobs in a run, and their limit */
};

/* ---- sharing ---- */

/* Of the first there are `first`, and of the others one each. */
static double count_of(size_t i, double first)
{
    return i == 0 ? first : 1;
}

void rc_slowdown_core_shares(const double *weights, double first, size_t n, double cores,
                             double *shares)
{
    double left = cores, sum = 0;
    bool more = true;

    for (size_t i = 0; i < n; i++)
        shares[i] = -1;
    /* A process with more than a core gets one, and the others share the rest.  Their sum is
     * computed again, since small weights are lost in the sum with a large one. */
    while (more) {
        double least;

        sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += shares[i] < 0 ? weights[i] * count_of(i, first) : 0;
        least = left / sum;
        more = false;
        for (size_t i = 0; i < n; i++)
            if (shares[i] < 0 && weights[i] * least >= 1) {
                shares[i] = 1;
                left -= count_of(i, first);
                more = true;
            }
    }
    for (size_t i = 0; i < n; i++)
        if (shares[i] < 0)
            shares[i] = fmax(weights[i] * left / sum, 0);
}

/* The slowdown of computing that waits for memory. */
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

/* The current activities of the present competitors. */
struct others {
    double memory;
    double delay;
    double sending; /* the rate of each, as a part of its full rate */
};

static struct others look_at_others(const struct node *node)
{
    const struct rc_local_host *local = &node->host->local;
    struct others others = {0};
    size_t communicating = 0;

    for (size_t i = 0; i < local->n_competitors; i++) {
        const struct job *job = &node->jobs[i];

        if (job->there && job->phase == COMPUTING)
            others.memory += job->who->memory;
        communicating += job->there && job->phase == COMMUNICATING;
    }
    others.sending = local->shared_link && communicating > 0 ? 1 / (double)communicating : 1;
    others.delay = local->delay
                       ? rc_slowdown_delay_at(local->delay, communicating, local->bandwidth, NULL)
                       : 0;
    return others;
}

/* Divides `cores` among computing processes; `own` processes of the program are first. */
static void share_out(struct node *node, double cores, size_t own, struct others others)
{
    size_t n = own > 0, taken = n;

    node->weights[0] = 1; /* of each of the program's processes, which are one entry */
    for (size_t i = 0; i < node->host->local.n_competitors; i++)
        if (node->jobs[i].there && node->jobs[i].phase == COMPUTING)
            node->weights[n++] = node->jobs[i].who->weight;
    rc_slowdown_core_shares(node->weights, own > 0 ? (double)own : 1, n, cores, node->shares);
    for (size_t i = 0; i < node->host->local.n_competitors; i++) {
        struct job *job = &node->jobs[i];

        job->rate = job->there ? 1 : 0;
        if (job->there && job->phase == COMPUTING && !job->who->steady)
            job->rate = 1 / (1 / node->shares[taken] + others.delay);
        if (job->there && job->phase == COMMUNICATING && !job->who->steady)
            job->rate = others.sending;
        taken += job->there && job->phase == COMPUTING;
    }
}

/* Sets the rates of all on a host. */
static void set_speed(struct node *node)
{
    const struct rc_local_host *local = &node->host->local;
    struct others others = look_at_others(node);
    double alone = fmin(1, (double)local->cores / local->processes);

    share_out(node, local->cores, (size_t)local->processes, others);
    node->speed =
        1 / (alone / node->shares[0] + others.delay + memory_slowdown(local, others.memory));
}

/* The program runs at `pace`, below its possible rate; competitors get the rest. */
static void yield_to_others(struct node *node, double speed)
{
    const struct rc_local_host *local = &node->host->local;
    double used = speed / node->speed * node->shares[0] * local->processes;

    share_out(node, fmax(local->cores - used, 1e-9), 0, look_at_others(node));
}

/* ---- competitors ---- */

static double draw_wait(struct state *state, double mean)
{
    return mean > 0 && isfinite(mean) ? rc_random_exponential(state->random, mean) : INFINITY;
}

/* Begins a phase; empty ones are skipped, and one that is all of the cycle has no end. */
static void enter_phase(struct state *state, struct job *job, enum phase phase)
{
    for (int i = 0; i < PHASES && job->part[phase] <= 0; i++)
        phase = (phase + 1) % PHASES;
    if (phase <= job->phase) {
        double cycle = fmax(job->who->cycle, state->cycle_least);

        job->scale = cycle * (0.5 + rc_random_uniform(state->random));
    }
    job->phase = phase;
    job->left = job->part[phase] >= 1 ? INFINITY : job->part[phase] * job->scale;
}

static double draw_share(struct state *state, struct rc_share share)
{
    return share.low + (share.high - share.low) * rc_random_uniform(state->random);
}

/* At a random time of its cycle. */
static void enter(struct state *state, struct job *job, const struct rc_competitor *who)
{
    double moment = rc_random_uniform(state->random);
    enum phase phase = COMPUTING;

    job->who = who;
    job->part[COMPUTING] = draw_share(state, who->compute);
    job->part[COMMUNICATING] = fmin(draw_share(state, who->communicate), 1 - job->part[COMPUTING]);
    job->part[RESTING] = 1 - job->part[COMPUTING] - job->part[COMMUNICATING];
    if (job->part[RESTING] < 1e-9)
        job->part[RESTING] = 0;
    while (phase < RESTING && moment >= job->part[phase])
        moment -= job->part[phase++];
    job->phase = RESTING; /* to begin a new cycle */
    enter_phase(state, job, phase);
    if (isfinite(job->left))
        job->left = fmax(job->left - moment * job->scale, 0);
    job->there = true;
    job->stretch = who->away > 0 ? fmax(1, state->cycle_least / (who->stay + who->away)) : 1;
    job->change = draw_wait(state, job->stretch * who->stay);
}

static void come_or_go(struct state *state, struct job *job)
{
    job->there = !job->there;
    job->change = draw_wait(state, job->stretch * (job->there ? job->who->stay : job->who->away));
}

/* ---- one run ---- */

/* Seconds to the next event of a host, at most `limit`. */
static double next_event(const struct node *node, double limit)
{
    for (size_t i = 0; i < node->host->local.n_competitors; i++) {
        const struct job *job = &node->jobs[i];

        if (job->rate > 0)
            limit = fmin(limit, job->left / job->rate);
        limit = fmin(limit, job->change);
    }
    return limit;
}

/* Advances the time on a host; returns whether a phase or presence changed. */
static bool pass(struct state *state, struct node *node, double seconds)
{
    bool changed = false;

    state->work += (double)node->host->local.n_competitors;
    for (size_t i = 0; i < node->host->local.n_competitors; i++) {
        struct job *job = &node->jobs[i];

        job->left -= seconds * job->rate;
        job->change -= seconds;
        if (job->change <= 1e-12) {
            come_or_go(state, job);
            changed = true;
        } else if (job->there && job->left <= 1e-12 * state->sim->dedicated) {
            enter_phase(state, job, (job->phase + 1) % PHASES);
            changed = true;
        }
    }
    return changed;
}

/* Each host separately: the run ends with the last one. */
static double run_independent(struct state *state)
{
    double longest = 0;

    for (size_t h = 0; h < state->sim->n_hosts; h++) {
        struct node *node = &state->nodes[h];
        double now = 0;

        set_speed(node);
        while (node->left > 0 && state->work <= state->most) {
            double end = node->left / node->speed, step = next_event(node, end);

            now += step;
            node->left = step < end ? node->left - step * node->speed : 0;
            if (pass(state, node, step))
                set_speed(node);
        }
        longest = fmax(longest, now);
    }
    return longest;
}

/* All hosts at the pace of the slowest; progress is the completed part of the work. */
static double run_tight(struct state *state)
{
    size_t n = state->sim->n_hosts;
    double now = 0, progress = 0;

    for (size_t h = 0; h < n; h++)
        set_speed(&state->nodes[h]);
    while (progress < 1 && state->work <= state->most) {
        double speed = INFINITY, step;

        for (size_t h = 0; h < n; h++)
            if (state->nodes[h].host->work > 0)
                speed = fmin(speed, state->nodes[h].speed / state->nodes[h].host->work);
        step = (1 - progress) / speed;
        for (size_t h = 0; h < n; h++) {
            struct node *node = &state->nodes[h];

            if (speed * node->host->work < node->speed * (1 - 1e-9))
                yield_to_others(node, speed * node->host->work);
            step = next_event(node, step);
        }
        now += step;
        progress = step < (1 - progress) / speed ? progress + step * speed : 1;
        for (size_t h = 0; h < n; h++) {
            pass(state, &state->nodes[h], step);
            set_speed(&state->nodes[h]);
        }
    }
    return now;
}

static double simulate_run(struct state *state)
{
    const struct rc_contention_sim *sim = state->sim;
    double work = 0, seconds;

    state->work = 0;
    for (size_t h = 0; h < sim->n_hosts; h++) {
        struct node *node = &state->nodes[h];

        node->left = node->host->work;
        work = fmax(work, node->left);
        for (size_t i = 0; i < node->host->local.n_competitors; i++)
            enter(state, &node->jobs[i], &node->host->local.competitors[i]);
    }
    seconds = sim->tight ? run_tight(state) : run_independent(state);
    return (sim->dedicated - work + seconds) / sim->dedicated;
}

/* ---- all runs ---- */

static int check_host(const struct rc_contention_sim *sim, size_t h, struct rc_error *error)
{
    const struct rc_contention_host *host = &sim->hosts[h];
    struct rc_local_host without = host->local;
    struct rc_local local;

    if (!(host->work >= 0 && host->work <= sim->dedicated * (1 + 1e-9)))
        return rc_error_set(
            error,
            "host %zu: computing time %g s is not between 0 and the dedicated run time, %g s",
            h + 1, host->work, sim->dedicated);
    if (host->local.n_competitors > RC_CONTENTION_COMPETITORS_MAX)
        return rc_error_set(error, "host %zu has %zu competitors, and at most %d can be simulated",
                            h + 1, host->local.n_competitors, RC_CONTENTION_COMPETITORS_MAX);
    /* Except for weights, the equations have the same limits. */
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
        return rc_error_set(error, "dedicated run time %g s; it must be above 0", sim->dedicated);
    if (sim->n_hosts == 0 || sim->n_hosts > RC_CONTENTION_HOSTS_MAX)
        return rc_error_set(error, "number of hosts must be from 1 to %d", RC_CONTENTION_HOSTS_MAX);
    if (sim->samples == 0 || sim->samples > RC_CONTENTION_SAMPLES_MAX)
        return rc_error_set(error, "number of samples must be from 1 to %d",
                            RC_CONTENTION_SAMPLES_MAX);
    for (size_t h = 0; h < sim->n_hosts; h++)
        if (check_host(sim, h, error))
            return -1;
    return 0;
}

/* Updates of jobs in one cycle of all. */
static double steps_of(const struct rc_contention_sim *sim)
{
    double steps = 0;

    for (size_t h = 0; h < sim->n_hosts; h++) {
        double n = (double)sim->hosts[h].local.n_competitors;

        steps += PHASES * n * (n + 1) * (sim->tight ? (double)sim->n_hosts : 1);
    }
    return steps;
}

/* The shortest possible cycles: longer with many competitors, and if a slow run would have too
 * many. */
static int find_cycles(struct state *state, struct rc_error *error)
{
    const struct rc_contention_sim *sim = state->sim;
    double steps = steps_of(sim), cycles = WORK_MOST / (steps * (double)sim->samples + 1);
    struct rc_random *kept = state->random;

    state->random = rc_random_create(sim->seed, FIRST_STREAM);
    if (!state->random) {
        state->random = kept;
        return rc_error_no_memory(error);
    }
    state->cycle_least = sim->dedicated / fmax(CYCLES_LEAST, fmin(cycles, CYCLES_MOST));
    state->most = fmax(WORK_LONGER * WORK_MOST / (double)sim->samples, 4 * CYCLES_LEAST * steps);
    simulate_run(state);
    while (state->work > state->most && state->cycle_least < sim->dedicated * SLOWEST) {
        state->cycle_least *= 4;
        simulate_run(state);
    }
    state->most = INFINITY;
    rc_random_destroy(state->random);
    state->random = kept;
    return 0;
}

static int begin(struct state *state, const struct rc_contention_sim *sim, struct rc_error *error)
{
    size_t jobs = 0, room = 0;

    *state = (struct state){.sim = sim,
                            .random = rc_random_create(sim->seed, 0),
                            .nodes = calloc(sim->n_hosts, sizeof *state->nodes)};
    for (size_t h = 0; h < sim->n_hosts; h++) {
        jobs += sim->hosts[h].local.n_competitors;
        room += 2 * (sim->hosts[h].local.n_competitors + 1);
    }
    state->jobs = calloc(jobs + 1, sizeof *state->jobs);
    state->room = calloc(room + 1, sizeof *state->room);
    if (!state->random || !state->nodes || !state->jobs || !state->room)
        return rc_error_no_memory(error);
    jobs = room = 0;
    for (size_t h = 0; h < sim->n_hosts; h++) {
        const struct rc_local_host *local = &sim->hosts[h].local;
        size_t n = local->n_competitors + 1;

        state->nodes[h] = (struct node){.host = &sim->hosts[h],
                                        .jobs = state->jobs + jobs,
                                        .weights = state->room + room,
                                        .shares = state->room + room + n};
        jobs += local->n_competitors;
        room += 2 * n;
    }
    return 0;
}

struct rc_value *rc_slowdown_contention_simulate(const struct rc_contention_sim *sim,
                                                 const struct rc_monitor *monitor,
                                                 struct rc_error *error)
{
    struct rc_value *value = NULL;
    struct state state;
    double *slowdowns = NULL;
    int status;

    if (check(sim, error))
        return NULL;
    status = begin(&state, sim, error);
    if (!status)
        status = find_cycles(&state, error);
    if (!status && !(slowdowns = malloc(sim->samples * sizeof *slowdowns)))
        status = rc_error_no_memory(error);
    for (size_t i = 0; i < sim->samples && !status; i++) {
        slowdowns[i] = simulate_run(&state);
        rc_progress_monitor_advance(monitor, i + 1, sim->samples);
        status = rc_progress_monitor_check(monitor, error);
    }
    if (!status)
        value = rc_value_sample(slowdowns, sim->samples, error);
    free(slowdowns);
    rc_random_destroy(state.random);
    free(state.nodes);
    free(state.jobs);
    free(state.room);
    return value;
}
