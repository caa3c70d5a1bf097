// SPDX-License-Identifier: GPL-3.0-or-later
/* futures.c - predicts simulated runs as one could have when they started, in several ways.
 *
 * usage: evaluate-futures STORE APP SINCE BANDWIDTH random|recorded|idle
 *                         [REFERENCE IDLE-REFERENCE IDLE-TARGET]
 *
 * Models are fitted to the app's runs in STORE that started before SINCE (seconds since 1970);
 * those that started later are predicted, one after the other, with draws that $RUNCAST_SEED
 * changes (default: 1).  BANDWIDTH (bytes/s) is what a free link gives.  With three more stores the
 * models are fitted to all of the app's runs in REFERENCE, and are made to fit by runs on idle
 * clusters.  For each run a line of CSV:
 *   single, multiple   the paper's criterion, load known: the best model after training, and the
 *                      one that is on top of the list after all runs before
 *   known              by default, load known
 *   forecast           by default, from the load before the start
 *   oracle             the same with scenarios drawn as the load is (random only)
 *   last, average      the same with a load that stays as it was last, or as it was on average in
 *                      the four hours before
 * The last five have also the ends of a 90 % interval.  They are the numbers with the least expected
 * percentage error of their distributions, since the tables compare percentage errors.  On an idle
 * cluster there is nothing to forecast, and only `known` is told. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "testbed/load/platform_load.h"
#include "oracle.h"
#include "platform/hostlist.h"
#include "predict/run_time_distribution.h"
#include "predict/scenario_run_time.h"
#include "model/regression/fit.h"
#include "model/regression/platform_porting.h"
#include "stats/series/load_statistics.h"
#include "db/series.h"

enum { DRAWS = RC_PREDICT_DRAWS, HOSTS_MAX = 64, SEED = 1 };
static const double HISTORY = 4 * 3600.0;
static const double LEAST_CPU = .25, LEAST_LINK = .3; /* of the load `random` */

struct test {
    struct rc_run run; /* of which the texts are not kept */
    char hosts[256];
};

struct world {
    const char *app;
    struct rc_db *store;
    double bandwidth;
    bool is_random, is_idle;
    struct rc_regression_table table;
    struct test *tests;
    size_t n_tests, capacity;
    struct rc_regression_model *model, *single; /* by default, and the paper's */
    struct rc_regression_learner *several;      /* NULL where the models are another cluster's */
};

/* ---- reading ---- */

static int add_test(struct world *world, const struct rc_run *run, struct rc_error *error)
{
    struct test *test;

    if (world->n_tests == world->capacity) {
        size_t capacity = world->capacity ? 2 * world->capacity : 128;
        struct test *more = realloc(world->tests, capacity * sizeof *more);

        if (!more)
            return rc_error_no_memory(error);
        world->tests = more;
        world->capacity = capacity;
    }
    test = &world->tests[world->n_tests++];
    *test = (struct test){.run = *run};
    snprintf(test->hosts, sizeof test->hosts, "%s", run->hosts);
    test->run.app = test->run.platform = test->run.hosts = "";
    test->run.params = NULL;
    test->run.n_params = 0;
    return 0;
}

static int by_start(const void *left, const void *right)
{
    const struct test *a = left, *b = right;

    return (a->run.start > b->run.start) - (a->run.start < b->run.start);
}

/* Runs that started before `since` go to the table, the others are to be predicted. */
static int read_runs(struct world *world, struct rc_db *store, double since,
                     struct rc_regression_table *table, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got, status = 0;

    rc_db_run_filter_init(&filter);
    filter.app = world->app;
    cursor = rc_db_run_find(store, &filter, RC_FIELD_ALL & ~(unsigned)RC_FIELD_TIMES, error);
    if (!cursor)
        return -1;
    while (status == 0 && (got = rc_db_run_next(cursor, &run, error)) != 0) {
        if (got < 0)
            status = -1;
        else
            status = run.start < since ? rc_regression_table_add(table, &run, error)
                                       : add_test(world, &run, error);
    }
    rc_db_run_cursor_close(cursor);
    return status;
}

/* The runs of another store, only those before `since`. */
static int read_store(struct world *world, const char *path, double since,
                      struct rc_regression_table *table, struct rc_error *error)
{
    struct rc_db *store = rc_db_open(path, RC_DB_READ, NULL, error);
    size_t n_tests = world->n_tests;
    int status = store ? read_runs(world, store, since, table, error) : -1;

    world->n_tests = n_tests;
    rc_db_close(store);
    return status;
}

/* ---- answers ---- */

enum answer { KNOWN, FORECAST, ORACLE, LAST, AVERAGE, ANSWERS };

struct asked {
    const struct world *world;
    const struct rc_run *run;
    const struct rc_hostlist *hosts;
    struct rc_regression_question question;
    struct rc_predict_load otherwise; /* a dedicated machine */
    double draws[DRAWS];
    struct rc_predict_summary answers[ANSWERS]; /* `predicted` is NAN where there is none */
};

/* All answers to a question are from the same draws of the model.  A run is known by when it started:
 * its number in the store depends on which simulation was ready first. */
static struct rc_random *draws_of(const struct asked *asked)
{
    const char *seed = getenv("RUNCAST_SEED");
    uint64_t stream;

    memcpy(&stream, &asked->run->start, sizeof stream);
    return rc_random_create(seed ? (uint64_t)atoi(seed) : SEED, stream);
}

/* The number x with the least expected percentage error |x - T| / T, where T is one of the draws,
 * which rise: their median, each weighted by 1 / T. */
static void answer_for_score(struct asked *asked, enum answer answer)
{
    double total = 0, below = 0;
    size_t i = 0;

    for (size_t k = 0; k < DRAWS; k++)
        total += 1 / asked->draws[k];
    while (i + 1 < DRAWS && below + 1 / asked->draws[i] < 0.5 * total)
        below += 1 / asked->draws[i++];
    asked->answers[answer].predicted = asked->draws[i];
}

static int steady(struct asked *asked, const struct rc_predict_load *load, enum answer answer,
                  struct rc_error *error)
{
    struct rc_random *random = draws_of(asked);

    if (!random)
        return rc_error_no_memory(error);
    rc_predict_at_load(asked->world->model, &asked->question, load, random, asked->draws, DRAWS,
                       &asked->answers[answer]);
    answer_for_score(asked, answer);
    rc_random_destroy(random);
    return 0;
}

static int by_forecast(struct asked *asked, struct rc_error *error)
{
    struct rc_host_forecast *forecast =
        rc_predict_host_forecast_create(asked->world->store,
                                        (const char *const *)asked->hosts->names,
                                        asked->hosts->count, asked->run->start, error);
    struct rc_random *random = forecast ? draws_of(asked) : NULL;
    int status = -1;

    if (random)
        status =
            rc_predict_ahead(asked->world->model, &asked->question, forecast, &asked->otherwise,
                             random, asked->draws, DRAWS, &asked->answers[FORECAST], error);
    if (status == 0)
        answer_for_score(asked, FORECAST);
    rc_random_destroy(random);
    rc_predict_host_forecast_destroy(forecast);
    return status;
}

/* How long it may take, at most, under the heaviest load of the kind. */
static double longest(struct asked *asked, struct rc_error *error)
{
    const double bw = LEAST_LINK * asked->world->bandwidth;
    const struct rc_predict_load load = {{LEAST_CPU, LEAST_CPU}, {bw, bw}};

    if (steady(asked, &load, ORACLE, error))
        return NAN;
    return asked->answers[ORACLE].hi90;
}

static int by_oracle(struct asked *asked, struct rc_error *error)
{
    struct oracle *oracle =
        oracle_create((const char *const *)asked->hosts->names, asked->hosts->count, SEED,
                      asked->run->start - RC_LOAD_EPOCH, asked->world->bandwidth, error);
    struct rc_random *random = oracle ? draws_of(asked) : NULL;
    struct rc_predict_future future;
    struct rc_predict_end end;

    if (!random) {
        oracle_destroy(oracle);
        return -1;
    }
    oracle_look(oracle, longest(asked, error));
    for (size_t i = 0; i < DRAWS; i++) {
        struct rc_regression_work work;
        double factor;

        rc_regression_draw(asked->world->model, &asked->question, random, &work, &factor);
        oracle_draw(oracle, random, &future);
        rc_predict_follow(&work, factor, &future, &end);
        asked->draws[i] = end.seconds;
    }
    rc_predict_summarise(asked->draws, DRAWS, &asked->answers[ORACLE]);
    answer_for_score(asked, ORACLE);
    rc_random_destroy(random);
    oracle_destroy(oracle);
    return 0;
}

/* ---- the load before ---- */

struct before {
    double last, average[RC_REGRESSION_STATS];
};

/* Of one metric of the hosts. */
static int look_back(const struct world *world, const struct rc_hostlist *hosts, const char *metric,
                     double at, struct before *before, struct rc_error *error)
{
    struct rc_series_track tracks[HOSTS_MAX];
    struct rc_sample *samples[HOSTS_MAX] = {NULL};
    struct rc_series_load load = {NAN, NAN};
    int status = 0;

    before->last = INFINITY;
    for (size_t i = 0; i < hosts->count && status == 0; i++) {
        const struct rc_series_key key = {hosts->names[i], "", metric};

        status = rc_db_series_load(world->store, &key, at - HISTORY, at, &samples[i], &tracks[i].n,
                                   error);
        tracks[i].samples = samples[i];
        if (status == 0)
            before->last = fmin(before->last, samples[i][tracks[i].n - 1].value);
    }
    if (status == 0)
        status = rc_series_load_statistics(tracks, hosts->count, at - HISTORY, at, &load, error);
    before->average[RC_REGRESSION_MINAVG] = load.minavg;
    before->average[RC_REGRESSION_AVGMIN] = load.avgmin;
    for (size_t i = 0; i < hosts->count; i++)
        free(samples[i]);
    return status;
}

/* From the load before the start. */
static int by_history(struct asked *asked, struct rc_error *error)
{
    struct before cpu, bw;
    struct rc_predict_load last, average;

    if (look_back(asked->world, asked->hosts, "cpu", asked->run->start, &cpu, error) ||
        look_back(asked->world, asked->hosts, "bandwidth", asked->run->start, &bw, error))
        return -1;
    for (size_t i = 0; i < RC_REGRESSION_STATS; i++) {
        last.cpu[i] = cpu.last;
        last.bw[i] = bw.last;
        average.cpu[i] = cpu.average[i];
        average.bw[i] = bw.average[i];
    }
    return steady(asked, &last, LAST, error) || steady(asked, &average, AVERAGE, error) ? -1 : 0;
}

/* ---- one run ---- */

static void print(const struct asked *asked)
{
    const struct world *world = asked->world;
    const struct rc_run *run = asked->run;

    printf("%.17g,%lld,%.17g,%.17g,%.9g,", run->n, (long long)run->p, run->start, run->seconds,
           rc_regression_seconds(world->single, &asked->question, run->cpu_minavg, run->bw_minavg));
    if (world->several)
        printf("%.9g", rc_regression_seconds(rc_regression_learner_model(world->several),
                                             &asked->question, run->cpu_minavg, run->bw_minavg));
    for (size_t i = 0; i < ANSWERS; i++) {
        const struct rc_predict_summary *answer = &asked->answers[i];

        if (isnan(answer->predicted))
            printf(",,,");
        else
            printf(",%.9g,%.9g,%.9g", answer->predicted, answer->lo90, answer->hi90);
    }
    printf("\n");
    fflush(stdout);
}

static int predict_on(const struct world *world, const struct rc_run *run,
                      const struct rc_hostlist *hosts, struct rc_error *error)
{
    struct asked asked = {.world = world, .run = run, .hosts = hosts};
    const struct rc_predict_load known = {{run->cpu_minavg, run->cpu_avgmin},
                                          {run->bw_minavg, run->bw_avgmin}};

    asked.question =
        (struct rc_regression_question){.n = run->n, .p = (double)run->p, .bytes = NAN};
    asked.otherwise = (struct rc_predict_load){{1, 1}, {world->bandwidth, world->bandwidth}};
    for (size_t i = 0; i < ANSWERS; i++)
        asked.answers[i].predicted = NAN;
    if (steady(&asked, &known, KNOWN, error) ||
        (!world->is_idle && (by_forecast(&asked, error) || by_history(&asked, error))) ||
        (world->is_random && by_oracle(&asked, error)))
        return -1;
    print(&asked);
    return 0;
}

static int learn(struct world *world, const struct rc_run *run, struct rc_error *error)
{
    struct rc_regression_table one = {0};
    int status = rc_regression_table_add(&one, run, error);

    if (status == 0 && world->several)
        status = rc_regression_learner_add(world->several, &one.runs[0], error);
    rc_regression_table_free(&one);
    return status;
}

static int predict(struct world *world, const struct test *test, struct rc_error *error)
{
    struct rc_hostlist hosts = {0};
    int status;

    if (rc_platform_hostlist_expand(test->hosts, strlen(test->hosts), HOSTS_MAX, &hosts, error))
        return -1;
    status = predict_on(world, &test->run, &hosts, error);
    rc_platform_hostlist_free(&hosts);
    return status ? -1 : learn(world, &test->run, error);
}

/* ---- models ---- */

static int fit(struct world *world, struct rc_error *error)
{
    world->model = rc_regression_fit(&world->table, RC_REGRESSION_DEFAULT, error);
    world->single =
        world->model ? rc_regression_fit(&world->table, RC_REGRESSION_PAPER, error) : NULL;
    return world->single ? 0 : -1;
}

static int port_one(struct rc_regression_model **model, const struct rc_regression_table *reference,
                    const struct rc_regression_table *target, struct rc_error *error)
{
    struct rc_regression_port port;
    struct rc_regression_model *ported;

    if (rc_regression_port_find(*model, reference, target, &port, error))
        return -1;
    ported = rc_regression_port_model(*model, reference, target, &port, error);
    if (!ported)
        return -1;
    fprintf(stderr, "Rcpu %.4f Rbw %.4f\n", port.r_cpu, port.r_bw);
    rc_regression_model_destroy(*model);
    *model = ported;
    return 0;
}

/* Takes the models of another cluster, and makes them fit by runs on both when they were idle. */
static int fit_and_port(struct world *world, char **stores, double since, struct rc_error *error)
{
    struct rc_regression_table target = {0};
    int status = read_store(world, stores[0], INFINITY, &world->table, error);

    if (status == 0)
        status = fit(world, error);
    if (status == 0)
        status = read_store(world, stores[1], INFINITY, &world->table, error) ||
                         read_store(world, stores[2], since, &target, error) ||
                         port_one(&world->model, &world->table, &target, error) ||
                         port_one(&world->single, &world->table, &target, error)
                     ? -1
                     : 0;
    rc_regression_table_free(&target);
    return status;
}

static int prepare(struct world *world, double since, char **stores, struct rc_error *error)
{
    struct rc_regression_table unused = {0};
    int status = read_runs(world, world->store, since, stores ? &unused : &world->table, error);

    rc_regression_table_free(&unused);
    if (world->n_tests > 0)
        qsort(world->tests, world->n_tests, sizeof *world->tests, by_start);
    if (status)
        return -1;
    if (stores)
        return fit_and_port(world, stores, since, error);
    if (fit(world, error))
        return -1;
    world->several =
        rc_regression_learner_create(&world->table, world->single, RC_REGRESSION_PAPER, error);
    return world->several ? 0 : -1;
}

/* ---- all of them ---- */

static void free_world(struct world *world)
{
    rc_regression_learner_destroy(world->several);
    rc_regression_model_destroy(world->single);
    rc_regression_model_destroy(world->model);
    rc_regression_table_free(&world->table);
    free(world->tests);
    rc_db_close(world->store);
}

int main(int argc, char **argv)
{
    struct world world = {0};
    struct rc_error error = {0};
    int status = 0;

    if (argc != 6 && argc != 9) {
        fprintf(stderr, "usage: evaluate-futures STORE APP SINCE BANDWIDTH random|recorded|idle "
                        "[REFERENCE IDLE-REFERENCE IDLE-TARGET]\n");
        return 2;
    }
    world.app = argv[2];
    world.bandwidth = atof(argv[4]);
    world.is_random = strcmp(argv[5], "random") == 0;
    world.is_idle = strcmp(argv[5], "idle") == 0;
    world.store = rc_db_open(argv[1], RC_DB_READ, NULL, &error);
    if (!world.store || prepare(&world, atof(argv[3]), argc == 9 ? argv + 6 : NULL, &error))
        status = 1;
    if (status == 0)
        printf("n,p,start,seconds,single,multiple,known,known_low,known_high,forecast,forecast_low,"
               "forecast_high,oracle,oracle_low,oracle_high,last,last_low,last_high,average,"
               "average_low,average_high\n");
    for (size_t i = 0; i < world.n_tests && status == 0; i++)
        status = predict(&world, &world.tests[i], &error) ? 1 : 0;
    if (status)
        fprintf(stderr, "evaluate-futures: %s\n", error.text);
    free_world(&world);
    return status;
}
