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

/* The samples of an estimate for idle hosts. */
struct idle {
    const double *seconds, *computing, *communicating;
    size_t n;
    double bandwidth; /* of the links; NAN: unknown */
};

static struct idle idle_of(const struct rc_scaling_estimate *estimate, double bandwidth)
{
    struct idle idle = {.bandwidth = bandwidth > 0 ? bandwidth : (double)NAN};

    idle.seconds = rc_value_draws(estimate->seconds, &idle.n);
    idle.computing = rc_value_draws(estimate->computing, &idle.n);
    idle.communicating = rc_value_draws(estimate->communicating, &idle.n);
    return idle;
}

/* A sample as work; its own noise is the factor. */
static void next_work(void *data, size_t i, size_t n, struct rc_regression_work *work,
                      double *factor)
{
    const struct idle *idle = data;
    size_t sample = i % idle->n;
    double computing = fmax(idle->computing[sample], 0);
    double communicating = fmax(idle->communicating[sample], 0);

    (void)n;
    *work = (struct rc_regression_work){.cpu = computing, .stat = RC_REGRESSION_AVGMIN};
    if (isnan(idle->bandwidth))
        work->width[0] = communicating;
    else
        work->width[RC_REGRESSION_WIDTH_BW] = communicating * idle->bandwidth;
    *factor = computing + communicating > 0
                  ? rc_predict_as_time(idle->seconds[sample]) / (computing + communicating)
                  : 1;
}

static void answer_idle(const struct idle *idle, struct rc_method_answer *answer)
{
    answer->n_samples = idle->n < answer->n_samples ? idle->n : answer->n_samples;
    for (size_t i = 0; i < answer->n_samples; i++)
        answer->samples[i] = rc_predict_as_time(idle->seconds[i]);
    rc_predict_summarise(answer->samples, answer->n_samples, &answer->summary);
}

/* Reads the forecast, if the question is about hosts with samples. */
static int look(struct state *state, const struct rc_question *question, struct rc_error *error)
{
    struct rc_predict_host_forecast_facts facts;

    rc_predict_host_forecast_destroy(state->forecast);
    state->forecast = NULL;
    if (question->idle || question->n_hosts == 0)
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

static int answer_ahead(struct state *state, struct idle *idle, struct rc_random *random,
                        struct rc_method_answer *answer, struct rc_error *error)
{
    struct rc_predict_host_forecast_facts facts;
    struct rc_predict_load otherwise = {.cpu = {1, 1}};
    double seconds = 0;

    rc_predict_host_forecast_facts(state->forecast, &facts);
    if (facts.bw > 0 && !isnan(idle->bandwidth)) /* a link may be faster than the file has it */
        idle->bandwidth = fmax(idle->bandwidth, facts.bw);
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++)
        otherwise.bw[stat] = isnan(idle->bandwidth) ? 1 : idle->bandwidth;
    for (size_t i = 0; i < idle->n; i++)
        seconds += idle->seconds[i] / (double)idle->n;
    if (!isnan(facts.cpu))
        seconds /= fmax(facts.cpu, 0.05);
    return rc_predict_works_ahead(next_work, idle, rc_predict_as_time(seconds), state->forecast,
                                  &otherwise, random, answer->samples, answer->n_samples,
                                  &answer->summary, error);
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
        struct idle idle = idle_of(&estimate, cluster->networks[run.network - 1].bandwidth);

        status = look(state, question, error);
        if (status == 0 && state->forecast)
            status = answer_ahead(state, &idle, random, answer, error);
        else if (status == 0)
            answer_idle(&idle, answer);
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
                                                .knows_idle = true,
                                                .open = open_method,
                                                .ask = ask,
                                                .close = close_method,
                                                .is_present = is_present};
