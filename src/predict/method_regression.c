// SPDX-License-Identifier: GPL-3.0-or-later
/* method_regression.c - regression: a model of the app's runs. */
#include <stdlib.h>

#include "base/error.h"
#include "predict/method.h"
#include "predict/regression_prediction.h"

struct state {
    struct rc_method_setup setup;
    struct rc_run_model run_model;
    struct rc_regression_learner *learner; /* NULL: nothing was learned from outside the database */
    struct rc_regression_table row;        /* a run on its way to the learner */
};

const struct rc_run_model *rc_predict_method_run_model(const void *state)
{
    return &((const struct state *)state)->run_model;
}

static const char *stored_as(const struct rc_predict_options *options)
{
    return rc_predict_source_stored_as(options->criterion, options->parts);
}

enum rc_method_result rc_predict_shared_runs(const struct rc_method_setup *setup,
                                             struct rc_error *error)
{
    struct rc_shared_runs *runs = setup->runs;
    const struct rc_predict_options *options = setup->options;

    if (!runs->tried) {
        if (rc_predict_speeds(setup->db, setup->platform_file, setup->platform, &runs->speeds,
                              error))
            return RC_METHOD_ERROR;
        runs->there = rc_predict_source_near(setup->db, setup->app, setup->platform, &runs->speeds,
                                             options->criterion, options->parts, &runs->source,
                                             &runs->missing) == 0;
        runs->tried = runs->there || (runs->source.missing && !runs->missing.system);
    }
    if (runs->there)
        return RC_METHOD_ANSWERED;
    *error = runs->missing;
    return runs->tried ? RC_METHOD_UNAVAILABLE : RC_METHOD_ERROR;
}

static enum rc_method_result open_method(const struct rc_method_setup *setup, void **out,
                                         struct rc_error *error)
{
    enum rc_method_result result = rc_predict_shared_runs(setup, error);
    struct state *state = result == RC_METHOD_ANSWERED ? calloc(1, sizeof *state) : NULL;

    if (result != RC_METHOD_ANSWERED)
        return result;
    if (!state) {
        rc_error_no_memory(error);
        return RC_METHOD_ERROR;
    }
    state->setup = *setup;
    rc_predict_run_model_init(&state->run_model, setup->db, &setup->runs->source);
    *out = state;
    return RC_METHOD_ANSWERED;
}

static enum rc_method_result ask(void *data, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error)
{
    struct state *state = data;

    if (rc_predict_run_model_ask(&state->run_model, question, random, answer->samples,
                                 answer->n_samples, &answer->summary, error))
        return rc_predict_method_failed(error);
    answer->learns = true;
    return RC_METHOD_ANSWERED;
}

static int64_t model_id(const void *state)
{
    return ((const struct state *)state)->run_model.source->id;
}

/* The learner goes on from the model, which is left as it is. */
static int begin_learning(struct state *state, struct rc_error *error)
{
    const struct rc_predict_source *source = state->run_model.source;
    const char *platform = rc_predict_source_platform(source, state->setup.platform);

    for (size_t i = 0; i < source->model->n_params; i++)
        state->row.params[i] = source->model->params[i];
    state->row.n_params = source->model->n_params;
    state->learner = rc_predict_learner(state->setup.db, state->setup.app, platform, source, error);
    return state->learner ? 0 : -1;
}

static int learn(void *data, const struct rc_run *run, struct rc_error *error)
{
    struct state *state = data;
    struct rc_regression_run *row;

    if (!state->run_model.source->model) /* by parts, all is fitted anew */
        return rc_error_set(error, "models of phases and processes do not learn run by run");
    if (!state->learner && begin_learning(state, error))
        return -1;
    state->row.n_runs = state->row.n_killed = 0;
    if (rc_regression_table_add(&state->row, run, error))
        return -1;
    row = state->row.n_runs ? state->row.runs : state->row.killed;
    rc_regression_speeds_scale(&state->run_model.source->hosts.speeds, NULL, run, row->cpu);
    if (rc_regression_learner_add(state->learner, row, error))
        return -1;
    state->run_model.learnt = rc_regression_learner_model(state->learner);
    return 0;
}

static void close_method(void *data)
{
    struct state *state = data;

    if (!state)
        return;
    rc_predict_run_model_free(&state->run_model);
    rc_regression_learner_destroy(state->learner);
    free(state->row.runs);
    free(state->row.killed);
    free(state);
}

const struct rc_method_ops rc_method_regression = {.name = "regression",
                                                   .from_model = true,
                                                   .knows_given_load = true,
                                                   .knows_idle = true,
                                                   .stored_as = stored_as,
                                                   .open = open_method,
                                                   .ask = ask,
                                                   .close = close_method,
                                                   .model_id = model_id,
                                                   .learn = learn};
