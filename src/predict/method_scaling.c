// SPDX-License-Identifier: GPL-3.0-or-later
/* method_scaling.c - scaling: the large run from small ones, by the scaling models of the database.
 *
 * The mesh is the one of a run with this size and these parameters (samples.h): a square by
 * default.  It ignores the load of the hosts. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "predict/method.h"
#include "model/scaling/models.h"
#include "model/scaling/run_groups.h"

struct state {
    struct rc_method_setup setup;
    struct rc_scaling_models book;
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

static enum rc_method_result ask(void *data, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error)
{
    struct state *state = data;
    struct rc_scaling_estimate estimate = {0};
    struct rc_scaling_mc *drawn = NULL;
    const struct rc_scaling_model *model;
    struct rc_scaling_run run;
    const double *seconds;
    size_t n = 0;
    int status = -1;

    (void)random; /* the samples of a model are the same in every question */
    if (lay_out(question, &run, error) || !(model = find_model(state, question, &run, error)) ||
        check_memory(question, &run, model, error))
        return rc_predict_method_failed(error);
    drawn = rc_scaling_mc_create(model, 1, error);
    if (drawn &&
        (status = rc_scaling_estimate(model, drawn, &run.mesh, run.procs, &estimate, error)) == 0) {
        seconds = rc_value_draws(estimate.seconds, &n);
        answer->n_samples = n < answer->n_samples ? n : answer->n_samples;
        for (size_t i = 0; i < answer->n_samples; i++)
            answer->samples[i] = rc_predict_as_time(seconds[i]);
        rc_predict_summarise(answer->samples, answer->n_samples, &answer->summary);
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

    if (state)
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
