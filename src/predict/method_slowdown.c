// SPDX-License-Identifier: GPL-3.0-or-later
/* method_slowdown.c - slowdown: the dedicated run time, and the slowdown by the usual load of
 * hosts.
 *
 * The dedicated run time is that of runs of this size and number of processes on idle hosts or,
 * where there are none, what the regression model predicts for idle hosts.  The competing processes
 * are not known by name: as many that compute as make each host as busy as it was in the last 7
 * days (usual_load.h), in shares that vary as much as that did. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "db/run_param.h"
#include "model/slowdown/calibration.h"
#include "model/slowdown/run_time.h"
#include "model/slowdown/usual_load.h"
#include "predict/method.h"
#include "predict/regression_prediction.h"

enum {
    COMPETITORS_MAX = 32, /* where it takes more to make a host that busy, each counts more */
    ALONE_MAX = 1000,
    PLAYED_MAX = 200 /* simulated runs: they take long, and more add little */
};
static const double alone_least = 0.95; /* CPU that a run had which had its hosts to itself */
static const double spread_least =
    0.02; /* of the times of such runs; few runs have little information about it */
static const double speed_alike = 0.02;  /* by which speeds may differ */
static const double method_error = 0.05; /* of slowdown models */

struct state {
    struct rc_method_setup setup;
    struct rc_run_model run_model; /* where there is a model of runs */
    struct rc_calibration calibration;
    bool calibrated;
    double *dedicated; /* samples of the dedicated run time */
};

static enum rc_method_result open_method(const struct rc_method_setup *setup, void **out,
                                         struct rc_error *error)
{
    const char *platform = setup->platform_file ? setup->platform_file->name : setup->platform;
    struct state *state = calloc(1, sizeof *state);
    int found = 0;

    *out = state;
    if (!state || !(state->dedicated = calloc(setup->options->samples, sizeof *state->dedicated))) {
        rc_error_no_memory(error);
        return RC_METHOD_ERROR;
    }
    state->setup = *setup;
    if (rc_predict_shared_runs(setup, error) == RC_METHOD_ERROR)
        return RC_METHOD_ERROR;
    rc_predict_run_model_init(&state->run_model, setup->db, &setup->runs->source);
    if (platform)
        found = rc_slowdown_calibration_find(setup->db, platform, &state->calibration, error);
    state->calibrated = found > 0;
    return found < 0 ? RC_METHOD_ERROR : RC_METHOD_ANSWERED;
}

/* ---- how fast hosts are ---- */

static const struct rc_regression_speeds *speeds_of(const struct state *state)
{
    const struct rc_regression_speeds *learnt = &state->setup.runs->source.hosts.speeds;

    return learnt->n ? learnt : &state->setup.runs->speeds;
}

static double least_weight(const struct state *state, const struct rc_question *question)
{
    double least = INFINITY;

    for (size_t i = 0; i < question->n_hosts; i++)
        least = fmin(least, rc_regression_speeds_weight(speeds_of(state), question->hosts[i]));
    return least;
}

/* ---- the dedicated time ---- */

struct alone {
    double sum, squares; /* of logarithms */
    size_t n;
};

static bool is_alone(const struct rc_run *run, const struct rc_question *question)
{
    double cpu = isnan(run->cpu_avgmin) ? run->cpu_minavg : run->cpu_avgmin;

    for (size_t i = 0; i < question->n_params; i++)
        if (rc_db_run_param(run, question->params[i].name) != question->params[i].value)
            return false;
    return cpu >= alone_least && !(run->start + run->seconds > question->start);
}

/* Whether a run was on hosts as fast as these, as far as is known. */
static bool is_as_fast(const struct rc_regression_speeds *speeds, const char *hosts, double weight)
{
    double had = rc_regression_speeds_least(speeds, hosts);

    return isnan(had) || fabs(had / weight - 1) <= speed_alike;
}

static int find_alone(const struct state *state, const struct rc_question *question,
                      struct alone *alone, struct rc_error *error)
{
    double weight = least_weight(state, question);
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got = 0;

    rc_db_run_filter_init(&filter);
    filter.app = question->app;
    filter.platform = question->platform;
    filter.procs = (struct rc_range){(double)question->procs, (double)question->procs};
    filter.size = (struct rc_range){question->size, question->size};
    filter.status = RC_RUN_OK;
    filter.last = ALONE_MAX;
    cursor = rc_db_run_find(state->setup.db, &filter,
                            RC_FIELD_SECONDS | RC_FIELD_START | RC_FIELD_CPU_AVGMIN |
                                RC_FIELD_CPU_MINAVG | RC_FIELD_PARAMS | RC_FIELD_HOSTS,
                            error);
    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0)
        if (is_alone(&run, question) && is_as_fast(speeds_of(state), run.hosts, weight)) {
            double log_seconds = log(run.seconds);

            alone->sum += log_seconds;
            alone->squares += log_seconds * log_seconds;
            alone->n++;
        }
    rc_db_run_cursor_close(cursor);
    return cursor && got == 0 ? 0 : -1;
}

/* Log-normal, as wide as the runs differ. */
static void draw_alone(const struct alone *alone, struct rc_random *random, double *times, size_t n)
{
    double count = (double)alone->n, mean = alone->sum / count;
    double variance = alone->n > 1 ? (alone->squares - count * mean * mean) / (count - 1) : 0;
    double sd = fmax(sqrt(fmax(variance, 0)) * sqrt(1 + 1 / count), spread_least);

    for (size_t i = 0; i < n; i++)
        times[i] = exp(rc_random_normal(random, mean, sd));
}

/* What the model of runs predicts for idle hosts, in no order. */
static int draw_predicted(struct state *state, const struct rc_question *question,
                          struct rc_random *random, double *times, size_t n, struct rc_error *error)
{
    struct rc_question idle = *question;
    struct rc_predict_summary summary;

    idle.idle = true;
    if (rc_predict_run_model_ask(&state->run_model, &idle, random, times, n, &summary, error))
        return -1;
    for (size_t i = n; i > 1; i--) {
        size_t other = rc_random_below(random, i);
        double time = times[i - 1];

        times[i - 1] = times[other];
        times[other] = time;
    }
    return 0;
}

static enum rc_method_result draw_dedicated(struct state *state, const struct rc_question *question,
                                            struct rc_random *random, size_t n, bool *predicted,
                                            struct rc_error *error)
{
    struct alone alone = {0};

    if (find_alone(state, question, &alone, error))
        return rc_predict_method_failed(error);
    *predicted = alone.n == 0;
    if (alone.n > 0)
        draw_alone(&alone, random, state->dedicated, n);
    else if (!state->setup.runs->there) {
        rc_error_set(error, "unknown dedicated run time: no run on idle hosts, and no regression "
                            "model");
        rc_error_code(error, "predict.no-idle-run", NULL);
        return RC_METHOD_UNAVAILABLE;
    } else if (draw_predicted(state, question, random, state->dedicated, n, error))
        return rc_predict_method_failed(error);
    return RC_METHOD_ANSWERED;
}

/* ---- the competitors ---- */

/* Hosts with their competitors. */
struct field {
    struct rc_contention_host *hosts;
    struct rc_competitor (*competitors)[COMPETITORS_MAX];
};

/* 0: unknown. */
static int cores_of(const struct state *state, const char *host)
{
    const struct rc_slowdown_calibration_host *known =
        state->calibrated ? rc_slowdown_calibration_host(&state->calibration, host) : NULL;
    const struct rc_host *found =
        state->setup.platform_file ? rc_platform_find_host(state->setup.platform_file, host, NULL)
                                   : NULL;

    if (known && known->cores > 0)
        return known->cores;
    return found ? found->cores : 0;
}

/* As many that compute as it takes to make the host as busy as it was. */
static size_t fill_competitors(const struct rc_usual_load *usual, int cores,
                               struct rc_competitor competitors[COMPETITORS_MAX])
{
    double missing;
    size_t n = 0;

    do {
        competitors[n] = (struct rc_competitor)RC_COMPETITOR_INIT;
        competitors[n].unknown = true;
        n++;
    } while (n < COMPETITORS_MAX &&
             rc_observe_competitors_missing(competitors, n, cores, usual) > 0);
    missing = rc_observe_competitors_missing(competitors, n, cores, usual);
    rc_observe_competitors_fill(competitors, n, cores, usual);
    for (size_t i = 0; i < n && missing > 0; i++)
        competitors[i].weight = 1 + missing / (double)n;
    return n;
}

static int processes_on_host(const struct rc_question *question)
{
    int64_t n = (int64_t)question->n_hosts;

    return (int)(question->ranks_per_node > 0 ? question->ranks_per_node
                                              : (question->procs + n - 1) / n);
}

static enum rc_method_result fill_host(const struct state *state,
                                       const struct rc_question *question, size_t i,
                                       const struct field *field, struct rc_error *error)
{
    const char *name = question->hosts[i];
    struct rc_local_host *local = &field->hosts[i].local;
    int processes = processes_on_host(question);
    int cores = cores_of(state, name);
    struct rc_usual_load usual;

    if (rc_slowdown_usual_load_find(state->setup.db, name, question->start, cores, processes,
                                    &usual, error))
        return rc_predict_method_failed(error);
    if (usual.samples == 0) {
        rc_error_set(error, "no CPU samples of %s in the last 7 days", name);
        rc_error_code(error, "predict.no-samples", NULL);
        return RC_METHOD_UNAVAILABLE;
    }
    if (cores == 0 && processes > 1) {
        rc_error_set(error, "unknown number of cores of %s, which %d processes share", name,
                     processes);
        rc_error_code(error, "predict.no-cores", NULL);
        return RC_METHOD_UNAVAILABLE;
    }
    *local = (struct rc_local_host){.cores = cores > 0 ? cores : 1,
                                    .processes = processes,
                                    .bandwidth = NAN,
                                    .competitors = field->competitors[i]};
    local->n_competitors = fill_competitors(&usual, local->cores, field->competitors[i]);
    /* A host that is faster than the slowest is done sooner, and waits. */
    field->hosts[i].work =
        least_weight(state, question) / rc_regression_speeds_weight(speeds_of(state), name);
    return RC_METHOD_ANSWERED;
}

/* Draws of the slowdown, into `draws`. */
static int play(const struct field *field, const struct rc_question *question, double *draws,
                size_t n_draws, struct rc_error *error)
{
    const struct rc_slowdown_question asked = {.sim = {.hosts = field->hosts,
                                                       .n_hosts = question->n_hosts,
                                                       .dedicated = 1,
                                                       .tight = true,
                                                       .samples = n_draws < PLAYED_MAX ? n_draws
                                                                                       : PLAYED_MAX,
                                                       .seed = question->seed},
                                               .dedicated = 1,
                                               .link = 1,
                                               .model_error = method_error};
    struct rc_slowdown_answer answer;
    const double *drawn;
    size_t n;

    if (rc_slowdown_ask(&asked, NULL, &answer, error))
        return -1;
    drawn = rc_value_draws(answer.seconds, &n);
    for (size_t i = 0; i < n_draws; i++)
        draws[i] = drawn ? drawn[i % n]
                         : rc_value_quantile(answer.seconds, ((double)i + 0.5) / (double)n_draws);
    rc_slowdown_answer_drop(&answer);
    return 0;
}

/* ---- both ---- */

static enum rc_method_result slow_down(const struct state *state,
                                       const struct rc_question *question, double *samples,
                                       size_t n, struct rc_error *error)
{
    struct field field = {calloc(question->n_hosts, sizeof *field.hosts),
                          calloc(question->n_hosts, sizeof *field.competitors)};
    enum rc_method_result result = RC_METHOD_ANSWERED;

    if (!field.hosts || !field.competitors) {
        rc_error_no_memory(error);
        result = RC_METHOD_ERROR;
    }
    for (size_t i = 0; i < question->n_hosts && result == RC_METHOD_ANSWERED; i++)
        result = fill_host(state, question, i, &field, error);
    if (result == RC_METHOD_ANSWERED && play(&field, question, samples, n, error))
        result = rc_predict_method_failed(error);
    free(field.hosts);
    free(field.competitors);
    return result;
}

static enum rc_method_result ask(void *data, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error)
{
    struct state *state = data;
    size_t n = answer->n_samples;
    enum rc_method_result result;

    if (question->n_hosts == 0) {
        rc_error_set(error, "no hosts given");
        rc_error_code(error, "predict.no-hosts", NULL);
        return RC_METHOD_UNAVAILABLE;
    }
    result = slow_down(state, question, answer->samples, n, error);
    if (result == RC_METHOD_ANSWERED)
        result = draw_dedicated(state, question, random, n, &answer->learns, error);
    if (result != RC_METHOD_ANSWERED)
        return result;
    for (size_t i = 0; i < n; i++)
        answer->samples[i] = rc_predict_as_time(answer->samples[i] * state->dedicated[i]);
    rc_predict_summarise(answer->samples, n, &answer->summary);
    return RC_METHOD_ANSWERED;
}

static void close_method(void *data)
{
    struct state *state = data;

    if (!state)
        return;
    rc_predict_run_model_free(&state->run_model);
    rc_slowdown_calibration_free(&state->calibration);
    free(state->dedicated);
    free(state);
}

/* Without its factor its mean absolute percentage error is 22 % (21 % with another seed), where the
 * best of the other methods has 8 %: nearly 3 times as much. */
const struct rc_method_ops rc_method_slowdown = {
    .name = "slowdown", .prior = 3, .open = open_method, .ask = ask, .close = close_method};
