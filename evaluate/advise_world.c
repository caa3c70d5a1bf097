// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_world.c - hosts under a drawn load, and a program of a known law on them. */
#include "advise_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "testbed/load/platform_load.h"
#include "testbed/load/load_pattern.h"
#include "oracle.h"
#include "model/regression/fit.h"

enum { TRUE_CELLS = 4000, PAST_STEP = 10, RUNS = 60, CELLS = 1000 };
static const double past = 86400, size = 1000;
static const double longest = 5; /* no run takes so many times what it does on an idle host */

/* ---- the program ---- */

static double law(const struct world *world, double p, double n, double cpu)
{
    return world->work * (n / size) * (n / size) / (p * cpu) + world->each * p;
}

/* Runs of the program on 1 to 8 processes, of many sizes and loads. */
static int fit(struct world *world, struct rc_error *error)
{
    struct rc_regression_table table = {0};
    int status = 0;

    for (int i = 0; i < RUNS && status == 0; i++) {
        struct rc_run run;

        rc_db_run_init(&run);
        run.id = i + 1;
        run.n = size * (0.3 + 1.2 * rc_random_uniform(world->random));
        run.p = 1 << i % 4;
        run.cpu_avgmin = 0.3 + 0.7 * rc_random_uniform(world->random);
        run.cpu_minavg = fmin(1, run.cpu_avgmin * (1 + 0.3 * rc_random_uniform(world->random)));
        run.seconds = law(world, (double)run.p, run.n, run.cpu_avgmin) *
                      exp(rc_random_normal(world->random, 0, world->noise));
        status = rc_regression_table_add(&table, &run, error);
    }
    world->model = status == 0 ? rc_regression_fit(&table, RC_REGRESSION_DEFAULT, error) : NULL;
    rc_regression_table_free(&table);
    return world->model ? 0 : -1;
}

int world_begin(struct world *world, double work, double each, double noise, uint64_t seed,
                struct rc_error *error)
{
    *world = (struct world){.work = work,
                            .each = each,
                            .noise = noise,
                            .n = size,
                            .seed = seed,
                            .random = rc_random_create(seed, 0)};
    return world->random ? fit(world, error) : rc_error_no_memory(error);
}

void world_end(struct world *world)
{
    rc_regression_model_destroy(world->model);
    rc_random_destroy(world->random);
}

/* ---- a moment ---- */

static double true_step(const struct world *world)
{
    return longest * world->work / TRUE_CELLS;
}

/* The past of a host goes to the forecast, and what comes is kept. */
static int load_host(struct moment *moment, size_t host, struct rc_error *error)
{
    size_t n = (size_t)(past / PAST_STEP) + 1;
    struct rc_sample *samples = calloc(n, sizeof *samples);
    struct rc_load_steps steps = {0};
    int status = samples ? 0 : rc_error_no_memory(error);

    if (status == 0)
        status = rc_load_draw(RC_LOAD_RANDOM, RC_LOAD_CPU, moment->world->seed, moment->names[host],
                              moment->at - past, moment->at + longest * moment->world->work, &steps,
                              error);
    for (size_t i = 0; i < n && status == 0; i++) {
        double t = moment->at - PAST_STEP * (double)(n - 1 - i);

        samples[i] = (struct rc_sample){.t = t, .value = rc_load_at(&steps, t)};
    }
    if (status == 0 && rc_predict_host_forecast_many_add(
                           moment->forecast, host, RC_HOST_FORECAST_CPU, samples, n, error) < 0)
        status = -1;
    for (size_t j = 0; j < TRUE_CELLS && status == 0; j++)
        moment->true_values[host * TRUE_CELLS + j] =
            rc_load_at(&steps, moment->at + ((double)j + 0.5) * true_step(moment->world));
    rc_load_steps_free(&steps);
    free(samples);
    return status;
}

int moment_begin(struct moment *moment, struct world *world, size_t n_hosts, uint64_t number,
                 struct rc_error *error)
{
    static const double even[WORLD_HOSTS] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct rc_timing_regress_setup setup = {
        .model = world->model, .weights = even, .n_hosts = n_hosts, .seed = 1};
    int status = 0;

    *moment = (struct moment){.world = world, .n_hosts = n_hosts};
    moment->at = past + floor(1000 * 3600 * rc_random_uniform(world->random)) / 1000;
    moment->forecast = rc_predict_host_forecast_many_create(n_hosts, moment->at, error);
    moment->true_values = calloc(n_hosts * TRUE_CELLS, sizeof *moment->true_values);
    if (!moment->forecast || !moment->true_values)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n_hosts && status == 0; i++) {
        snprintf(moment->names[i], sizeof moment->names[i], "m%llu-%zu", (unsigned long long)number,
                 i);
        moment->hosts[i] = moment->names[i];
        status = load_host(moment, i, error);
    }
    setup.forecast = moment->forecast;
    setup.question = (struct rc_regression_question){.n = world->n, .p = 1, .bytes = NAN};
    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        setup.question.params[i] = NAN;
    moment->timing = status == 0 ? rc_place_timing_regress_create(&setup, error) : NULL;
    return moment->timing ? 0 : -1;
}

void moment_end(struct moment *moment)
{
    rc_place_timing_regress_destroy(moment->timing);
    rc_predict_host_forecast_many_destroy(moment->forecast);
    free(moment->true_values);
}

/* ---- along one future ---- */

/* The time of a run on p hosts of which the least at each instant is known. */
static double follow(const struct world *world, double p, const double *least, size_t n,
                     double step)
{
    double scratch[2];
    const struct rc_regression_work work = {.cpu = world->work / p,
                                            .width = {world->each * p},
                                            .stat = RC_REGRESSION_AVGMIN};
    const struct rc_predict_future future = {.cpu = {least, 1, n, step, 1, scratch},
                                             .bw = {.constant = 1}};
    struct rc_predict_end end;

    rc_predict_follow(&work, 1, &future, &end);
    return end.seconds;
}

/* The time on each set, along values of each host; `least` has room for those of all sets. */
static void follow_sets(const struct moment *moment, const double *values, size_t n, double step,
                        double *least, double *times)
{
    for (size_t set = 1; set < (size_t)1 << moment->n_hosts; set++) {
        size_t host = (size_t)__builtin_ctzl(set), rest = set & (set - 1);
        double *own = least + set * n;
        const double *other = least + rest * n, *one = values + host * n;

        for (size_t j = 0; j < n; j++)
            own[j] = rest && other[j] < one[j] ? other[j] : one[j];
        times[set] = follow(moment->world, (double)__builtin_popcountl(set), own, n, step);
    }
}

/* The time on all hosts, with noise; `least` has room for one. */
static double follow_all(const struct moment *moment, const double *values, size_t n, double step,
                         double *least, struct rc_random *random)
{
    memcpy(least, values, n * sizeof *least);
    for (size_t host = 1; host < moment->n_hosts; host++)
        for (size_t j = 0; j < n; j++)
            least[j] = fmin(least[j], values[host * n + j]);
    return follow(moment->world, (double)moment->n_hosts, least, n, step) *
           exp(rc_random_normal(random, 0, moment->world->noise));
}

static double *room_for(size_t sets, size_t n)
{
    double *room = malloc(sets * n * sizeof *room);

    if (!room)
        abort();
    return room;
}

void moment_true_times(const struct moment *moment, double *times)
{
    double *least = room_for((size_t)1 << moment->n_hosts, TRUE_CELLS);

    follow_sets(moment, moment->true_values, TRUE_CELLS, true_step(moment->world), least, times);
    free(least);
}

double moment_true_time(const struct moment *moment)
{
    double *least = room_for(1, TRUE_CELLS), time;

    time = follow_all(moment, moment->true_values, TRUE_CELLS, true_step(moment->world), least,
                      moment->world->random);
    free(least);
    return time;
}

double moment_now(const struct moment *moment, size_t host)
{
    return moment->true_values[host * TRUE_CELLS];
}

/* ---- along scenarios of the oracle ---- */

struct knowing {
    struct oracle *oracle;
    struct rc_random *random;
};

static int knowing_begin(struct knowing *knowing, const struct moment *moment,
                         struct rc_error *error)
{
    knowing->oracle =
        oracle_create(moment->hosts, moment->n_hosts, moment->world->seed, moment->at, 1, error);
    knowing->random = rc_random_create(moment->world->seed, 2);
    if (!knowing->oracle || !knowing->random)
        return rc_error_no_memory(error);
    oracle_look(knowing->oracle, longest * moment->world->work);
    return 0;
}

static void knowing_end(struct knowing *knowing)
{
    rc_random_destroy(knowing->random);
    oracle_destroy(knowing->oracle);
}

int moment_oracle_times(const struct moment *moment, size_t samples, double *sums,
                        struct rc_error *error)
{
    size_t sets = (size_t)1 << moment->n_hosts;
    double *least = room_for(sets, CELLS), times[WORLD_SETS];
    struct knowing knowing;
    int status = knowing_begin(&knowing, moment, error);

    for (size_t i = 0; i < samples && status == 0; i++) {
        struct rc_predict_future future;

        oracle_draw(knowing.oracle, knowing.random, &future);
        follow_sets(moment, future.cpu.values, future.cpu.n, future.cpu.step, least, times);
        for (size_t set = 1; set < sets; set++)
            sums[set] += times[set];
    }
    knowing_end(&knowing);
    free(least);
    return status;
}

int moment_oracle_samples(const struct moment *moment, double *samples, size_t n,
                          struct rc_error *error)
{
    double *least = room_for(1, CELLS);
    struct knowing knowing;
    int status = knowing_begin(&knowing, moment, error);

    for (size_t i = 0; i < n && status == 0; i++) {
        struct rc_predict_future future;

        oracle_draw(knowing.oracle, knowing.random, &future);
        samples[i] = follow_all(moment, future.cpu.values, future.cpu.n, future.cpu.step, least,
                                knowing.random);
    }
    knowing_end(&knowing);
    free(least);
    return status;
}
