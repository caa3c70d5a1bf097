// SPDX-License-Identifier: GPL-3.0-or-later
/* regression_prediction.c - predictions from a regression model of an app's runs. */
#include "predict/regression_prediction.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* Forgets the latest question. */
static void forget(struct rc_run_model *run_model)
{
    rc_predict_host_forecast_destroy(run_model->forecast);
    rc_predict_parts_free(&run_model->asked);
    free(run_model->weights);
    run_model->forecast = NULL;
    run_model->weights = NULL;
    run_model->pace = 0;
    run_model->facts =
        (struct rc_predict_host_forecast_facts){.newest = NAN, .cpu = NAN, .bw = NAN};
}

void rc_predict_run_model_init(struct rc_run_model *run_model, struct rc_db *db,
                               struct rc_predict_source *source)
{
    *run_model = (struct rc_run_model){.db = db, .source = source};
}

void rc_predict_run_model_free(struct rc_run_model *run_model)
{
    forget(run_model);
}

/* How fast the hosts are by what the model refers to, and by the slowest of them. */
static int weigh(struct rc_run_model *run_model, const struct rc_question *question,
                 struct rc_error *error)
{
    const struct rc_regression_speeds *speeds = &run_model->source->hosts.speeds;
    double least = INFINITY;

    if (speeds->n == 0 || question->n_hosts == 0)
        return 0;
    run_model->weights = calloc(question->n_hosts, sizeof *run_model->weights);
    if (!run_model->weights)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < question->n_hosts; i++) {
        run_model->weights[i] = rc_regression_speeds_weight(speeds, question->hosts[i]);
        least = fmin(least, run_model->weights[i]);
    }
    for (size_t i = 0; i < question->n_hosts; i++)
        run_model->weights[i] /= least;
    run_model->pace = least;
    return 0;
}

static int ask_parts(struct rc_run_model *run_model, const struct rc_question *question,
                     struct rc_error *error)
{
    if (rc_predict_parts_ask(run_model->source->parts, question, &run_model->asked, error))
        return -1;
    for (size_t i = 0; i < run_model->asked.n; i++)
        run_model->asked.parts[i].question.pace = run_model->pace;
    return 0;
}

static const struct rc_regression_model *present_model(const struct rc_run_model *run_model)
{
    return run_model->learnt ? run_model->learnt : run_model->source->model;
}

/* What is asked of the model, and the load as far as it is given. */
static int ask(struct rc_run_model *run_model, const struct rc_question *question,
               struct rc_predict_load *load, struct rc_error *error)
{
    const struct rc_regression_model *model = present_model(run_model);

    run_model->load =
        rc_predict_question_is_given(question) ? RC_RUN_MODEL_GIVEN : RC_RUN_MODEL_DEDICATED;
    if (run_model->source->parts)
        return ask_parts(run_model, question, error);
    run_model->model = model;
    rc_predict_ask_model(model, question, &run_model->question, load);
    run_model->question.pace = run_model->pace;
    rc_predict_load_complete(model, load);
    rc_regression_beyond(model, &run_model->question, &run_model->beyond);
    return rc_regression_question_check(model, &run_model->question, error);
}

/* Reads the forecast, where the load is to be forecast. */
static int look(struct rc_run_model *run_model, const struct rc_question *question,
                struct rc_error *error)
{
    if (run_model->load == RC_RUN_MODEL_GIVEN || question->idle || question->n_hosts == 0)
        return 0;
    run_model->forecast =
        rc_predict_host_forecast_create(run_model->db, question->hosts, question->n_hosts,
                                        question->start, error);
    if (!run_model->forecast ||
        rc_predict_host_forecast_weigh(run_model->forecast, run_model->weights, error))
        return -1;
    rc_predict_host_forecast_facts(run_model->forecast, &run_model->facts);
    if (run_model->facts.cpu_series + run_model->facts.bw_series > 0)
        run_model->load = RC_RUN_MODEL_FORECAST;
    return 0;
}

static int answer_ahead(struct rc_run_model *run_model, const struct rc_predict_load *load,
                        struct rc_random *random, double *samples, size_t n_samples,
                        struct rc_predict_summary *summary, struct rc_error *error)
{
    int status =
        run_model->source->parts
            ? rc_predict_parts_ahead(&run_model->asked, run_model->forecast, random, samples,
                                     n_samples, summary, error)
            : rc_predict_ahead(present_model(run_model), &run_model->question, run_model->forecast,
                               load, random, samples, n_samples, summary, error);

    rc_predict_host_forecast_facts(run_model->forecast, &run_model->facts);
    return status;
}

/* Of parts, the one with the largest share stands for all. */
static void choose_lead(struct rc_run_model *run_model)
{
    const struct rc_predict_part *lead = run_model->asked.parts;

    for (size_t i = 1; i < run_model->asked.n; i++)
        if (run_model->asked.parts[i].share > lead->share)
            lead = &run_model->asked.parts[i];
    run_model->model = lead->part->model;
    run_model->question = lead->question;
    rc_regression_beyond(run_model->model, &run_model->question, &run_model->beyond);
}

int rc_predict_run_model_ask(struct rc_run_model *run_model, const struct rc_question *question,
                             struct rc_random *random, double *samples, size_t n_samples,
                             struct rc_predict_summary *summary, struct rc_error *error)
{
    struct rc_predict_load load;

    forget(run_model);
    if (weigh(run_model, question, error) || ask(run_model, question, &load, error) ||
        look(run_model, question, error))
        return -1;
    if (run_model->load == RC_RUN_MODEL_FORECAST) {
        if (answer_ahead(run_model, &load, random, samples, n_samples, summary, error))
            return -1;
    } else if (run_model->source->parts) {
        rc_predict_parts_at_load(&run_model->asked, random, samples, n_samples, summary);
    } else {
        rc_predict_at_load(present_model(run_model), &run_model->question, &load, random, samples,
                           n_samples, summary);
    }
    if (run_model->source->parts)
        choose_lead(run_model);
    return 0;
}
