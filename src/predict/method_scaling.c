// SPDX-License-Identifier: GPL-3.0-or-later
/* method_scaling.c - scaling: the large run from small ones, by the scaling models of the database.
 *
 * The mesh is the one of a run with this size and these parameters (samples.h): a square by
 * default.
 *
 * The models are of idle hosts.  Under load, computation takes 1 / CPU availability as long, and
 * communication, both its latency and its transfer, as much longer as the bandwidth is lower than
 * that of the network in the platform file.  A run is followed along load scenarios, as in
 * regression: at each instant it proceeds at the pace of its slowest host. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "predict/host_forecast.h"
#include "predict/method.h"
#include "model/scaling/models.h"
#include "model/scaling/run_groups.h"

struct state {
    struct rc_method_setup setup;
    struct rc_scaling_models book;
    struct rc_host_forecast *forecast; /* of the latest question; NULL: its load is constant */
};

/* Scaling models are of a platform, whose file has the hosts of each cluster. */
static enum rc_method_result open_method(const struct rc_method_setup *setup, void **out,
                                         struct rc_error *error)
{
    const struct rc_platform *platform = setup->platform_file;
    struct state *state = calloc(1, sizeof *state);
    int found;

    *out = state;
    if (!state) {
        rc_error_no_memory(error);
        return RC_METHOD_ERROR;
    }
    state->setup = *setup;
    if (!platform) {
        rc_error_set(error, "no platform file");
        rc_error_code(error, "predict.no-platform-file", NULL);
        return RC_METHOD_UNAVAILABLE;
    }
    found = rc_scaling_models_load(setup->db, setup->app, platform->name, &state->book, error);
    if (found != 0)
        return found > 0 ? RC_METHOD_ANSWERED : RC_METHOD_ERROR;
    rc_error_set(error, "no scaling model of '%s' on '%s'", setup->app, platform->name);
    rc_error_code(error, "predict.no-scaling-model", NULL);
    return RC_METHOD_UNAVAILABLE;
}

/* The mesh, the cluster and the network of the run. */
static int lay_out(const struct rc_question *question, struct rc_scaling_run *out,
                   struct rc_error *error)
{
    const struct rc_platform *platform = question->platform_file;
    char *hosts = question->n_hosts
                      ? rc_platform_hostlist_compress(question->hosts, question->n_hosts, error)
                      : NULL;
    int status =
        question->n_hosts && !hosts
            ? -1
            : rc_scaling_run_layout(question->size, question->procs, hosts, question->params,
                                    question->n_params, platform, out, error);

    free(hosts);
    if (status)
        return -1;
    if (out->cluster == RC_SCALING_CLUSTER_UNSAID)
        out->cluster = 0;
    if (out->cluster == RC_SCALING_CLUSTER_NONE) {
        rc_error_set(error, "the hosts are in several clusters");
        return rc_error_code(error, "predict.several-clusters", NULL);
    }
    if (out->per_host == 0)
        out->per_host = (int)question->ranks_per_node;
    out->network = out->network ? out->network : 1;
    if ((size_t)out->network > platform->clusters[out->cluster].n_networks)
        return rc_error_set(error, "the cluster has no network number %d", out->network);
    return 0;
}

/* By default, the mesh is decomposed as in the small runs. */
static const struct rc_scaling_model *find_model(const struct state *state,
                                                 const struct rc_question *question,
                                                 const struct rc_scaling_run *run,
                                                 struct rc_error *error)
{
    struct rc_scaling_question asked = {.app = question->app,
                                        .cluster = &question->platform_file->clusters[run->cluster],
                                        .network = (size_t)run->network - 1,
                                        .per_host = run->per_host,
                                        .cut = run->cut,
                                        .mesh = &run->mesh,
                                        .procs = run->procs};
    const struct rc_scaling_model *model = rc_scaling_models_answering(&state->book, &asked, error);

    for (asked.cut = 2; !model && isnan(rc_predict_question_param(question, "cut")) &&
                        asked.cut <= RC_MESH_DIRECTIONS;
         asked.cut++)
        model = rc_scaling_models_answering(&state->book, &asked, NULL);
    return model;
}

/* -1 where a process needs more memory than it may have. */
static int check_memory(const struct rc_question *question, const struct rc_scaling_run *run,
                        const struct rc_scaling_model *model, struct rc_error *error)
{
    struct rc_cluster cluster = question->platform_file->clusters[run->cluster];
    struct rc_mesh block;

    if (model->setting.per_host > 0)
        cluster.per_host = model->setting.per_host;
    if (rc_scaling_mesh_block(&run->mesh, run->procs, model->setting.cut, &block, error))
        return -1;
    if (!(rc_scaling_memory(model, &block) >
          rc_platform_cluster_memory_per_process(&cluster, run->procs)))
        return 0;
    rc_error_set(error, "the run does not fit into memory");
    return rc_error_code(error, "predict.too-little-memory", NULL);
}

/* ---- under load ---- */

/* The samples of an estimate for idle hosts, and the load. */
struct loaded {
    const double *seconds, *computing, *communicating;
    size_t n;
    double cpu, bandwidth; /* of idle hosts; bandwidth NAN: unknown */
    struct rc_host_forecast *forecast;
    struct rc_random *random;
};

static struct loaded loaded_of(const struct rc_scaling_estimate *estimate, double bandwidth,
                               struct rc_random *random)
{
    struct loaded loaded = {.cpu = 1,
                            .bandwidth = bandwidth > 0 ? bandwidth : (double)NAN,
                            .random = random};

    loaded.seconds = rc_value_draws(estimate->seconds, &loaded.n);
    loaded.computing = rc_value_draws(estimate->computing, &loaded.n);
    loaded.communicating = rc_value_draws(estimate->communicating, &loaded.n);
    return loaded;
}

/* Sample i as work; its own noise is the factor. */
static void work_of(const struct loaded *loaded, size_t i, struct rc_regression_work *work,
                    double *factor)
{
    double computing = fmax(loaded->computing[i], 0), communicating = loaded->communicating[i];
    double mean = computing + fmax(communicating, 0);

    *work = (struct rc_regression_work){.cpu = computing, .stat = RC_REGRESSION_AVGMIN};
    if (isnan(loaded->bandwidth))
        work->width[0] = fmax(communicating, 0);
    else
        work->width[RC_REGRESSION_WIDTH_BW] = fmax(communicating, 0) * loaded->bandwidth;
    *factor = mean > 0 ? rc_predict_as_time(loaded->seconds[i]) / mean : 1;
}

static size_t draw_times(void *data, double *draws, size_t n_draws,
                         struct rc_predict_summary *summary)
{
    const struct loaded *loaded = data;
    size_t ended = 0;

    summary->cpu = summary->bw = 0;
    for (size_t i = 0; i < n_draws; i++) {
        struct rc_predict_future scenario;
        struct rc_predict_end end;
        struct rc_regression_work work;
        double factor;

        work_of(loaded, i % loaded->n, &work, &factor);
        rc_predict_host_forecast_draw(loaded->forecast, loaded->random, loaded->cpu,
                                      isnan(loaded->bandwidth) ? 1 : loaded->bandwidth, &scenario);
        rc_predict_follow(&work, factor, &scenario, &end);
        if (!isfinite(end.seconds))
            continue;
        draws[ended++] = rc_predict_as_time(end.seconds);
        summary->cpu += (end.cpu - summary->cpu) / (double)ended;
        summary->bw += (end.bw - summary->bw) / (double)ended;
    }
    return ended;
}

/* Of the two statistics, the one that is known. */
static double either(double one, double other, double otherwise)
{
    return !isnan(one) ? one : !isnan(other) ? other : otherwise;
}

/* Under a load that does not change: given, or that of idle hosts. */
static void answer_constant(const struct loaded *loaded, const struct rc_given_load *given,
                            struct rc_method_answer *answer)
{
    double cpu = either(given->cpu_avgmin, given->cpu_minavg, 1);
    double bandwidth = either(given->bw_avgmin, given->bw_minavg,
                              isnan(loaded->bandwidth) ? 1 : loaded->bandwidth);

    answer->n_samples = loaded->n < answer->n_samples ? loaded->n : answer->n_samples;
    for (size_t i = 0; i < answer->n_samples; i++) {
        struct rc_regression_work work;
        double factor;

        work_of(loaded, i, &work, &factor);
        answer->samples[i] = rc_predict_as_time(
            factor * rc_regression_work_seconds(&work, fmax(cpu, RC_PREDICT_CPU_LEAST), bandwidth));
    }
    rc_predict_summarise(answer->samples, answer->n_samples, &answer->summary);
}

/* Reads the forecast, if the question is about hosts with samples. */
static int look(struct state *state, const struct rc_question *question, struct rc_error *error)
{
    struct rc_predict_host_forecast_facts facts;

    rc_predict_host_forecast_destroy(state->forecast);
    state->forecast = NULL;
    if (rc_predict_question_is_given(question) || question->idle || question->n_hosts == 0)
        return 0;
    state->forecast = rc_predict_host_forecast_create(state->setup.db, question->hosts,
                                                      question->n_hosts, question->start, error);
    if (!state->forecast || rc_predict_host_forecast_weigh(state->forecast, NULL, error))
        return -1;
    rc_predict_host_forecast_facts(state->forecast, &facts);
    if (facts.cpu_series + facts.bw_series == 0) {
        rc_predict_host_forecast_destroy(state->forecast);
        state->forecast = NULL;
    }
    return 0;
}

static int answer_loaded(struct state *state, const struct rc_question *question,
                         struct loaded *loaded, struct rc_method_answer *answer,
                         struct rc_error *error)
{
    struct rc_predict_host_forecast_facts facts;
    double cpu, idle = 0;

    if (look(state, question, error))
        return -1;
    if (!state->forecast) {
        answer_constant(loaded, &question->given, answer);
        return 0;
    }
    loaded->forecast = state->forecast;
    rc_predict_host_forecast_facts(state->forecast, &facts);
    if (facts.bw > 0 && !isnan(loaded->bandwidth)) /* a link may be faster than the file has it */
        loaded->bandwidth = fmax(loaded->bandwidth, facts.bw);
    for (size_t i = 0; i < loaded->n; i++)
        idle += loaded->seconds[i] / (double)loaded->n;
    cpu = fmax(either(facts.cpu, NAN, 1), 0.05);
    return rc_predict_draw_ahead(state->forecast, rc_predict_as_time(idle / cpu), draw_times,
                                 loaded, answer->samples, answer->n_samples, &answer->summary,
                                 error);
}

static enum rc_method_result ask(void *data, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error)
{
    struct state *state = data;
    struct rc_scaling_estimate estimate = {0};
    struct rc_scaling_mc *drawn = NULL;
    const struct rc_scaling_model *model;
    struct rc_scaling_run run;
    int status = -1;

    if (lay_out(question, &run, error) || !(model = find_model(state, question, &run, error)) ||
        check_memory(question, &run, model, error))
        return rc_predict_method_failed(error);
    drawn = rc_scaling_mc_create(model, 1, error);
    if (drawn)
        status = rc_scaling_estimate(model, drawn, &run.mesh, run.procs, &estimate, error);
    if (status == 0) {
        const struct rc_cluster *cluster = &question->platform_file->clusters[run.cluster];
        struct loaded loaded =
            loaded_of(&estimate, cluster->networks[run.network - 1].bandwidth, random);

        status = answer_loaded(state, question, &loaded, answer, error);
    }
    rc_scaling_estimate_free(&estimate);
    rc_scaling_mc_free(drawn);
    return status ? rc_predict_method_failed(error) : RC_METHOD_ANSWERED;
}

static bool is_present(const void *data, const struct rc_track_entry *entry)
{
    return entry->made >= ((const struct state *)data)->book.made;
}

static void close_method(void *data)
{
    struct state *state = data;

    if (!state)
        return;
    rc_predict_host_forecast_destroy(state->forecast);
    rc_scaling_models_free(&state->book);
    free(state);
}

const struct rc_method_ops rc_method_scaling = {.name = "scaling",
                                                .from_model = true,
                                                .knows_given_load = true,
                                                .knows_idle = true,
                                                .open = open_method,
                                                .ask = ask,
                                                .close = close_method,
                                                .is_present = is_present};
