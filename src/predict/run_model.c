// SPDX-License-Identifier: GPL-3.0-or-later
/* run_model.c - predictions from a regression model of an app's runs. */
#include "predict/run_model.h"

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
    run_model->looked = false;
    run_model->facts =
        (struct rc_predict_host_forecast_facts){.newest = NAN, .cpu = NAN, .bw = NAN};
}

void rc_predict_run_model_free(struct rc_run_model *run_model)
{
    forget(run_model);
    rc_predict_source_free(&run_model->source);
}

int rc_predict_run_model_open(struct rc_db *store, const char *app, const char *platform,
                              const struct rc_regression_speeds *speeds,
                              enum rc_regression_criterion criterion, bool parts,
                              struct rc_run_model *run_model, struct rc_error *error)
{
    *run_model = (struct rc_run_model){.criterion = criterion, .by_parts = parts};
    return rc_predict_source_near(store, app, platform, speeds, criterion, parts,
                                  &run_model->source, error);
}

const char *rc_predict_run_model_family(const struct rc_run_model *run_model)
{
    return run_model->by_parts ? rc_predict_parts_family(run_model->criterion)
                               : rc_predict_family(run_model->criterion);
}

/* How fast the hosts are by what the model refers to, and by the slowest of them. */
static int weigh(struct rc_run_model *run_model, const struct rc_run_model_place *place,
                 struct rc_error *error)
{
    const struct rc_regression_speeds *speeds = &run_model->source.hosts.speeds;
    double least = INFINITY;

    if (speeds->n == 0 || place->n_hosts == 0)
        return 0;
    run_model->weights = calloc(place->n_hosts, sizeof *run_model->weights);
    if (!run_model->weights)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < place->n_hosts; i++) {
        run_model->weights[i] = rc_regression_speeds_weight(speeds, place->hosts[i]);
        least = fmin(least, run_model->weights[i]);
    }
    for (size_t i = 0; i < place->n_hosts; i++)
        run_model->weights[i] /= least;
    run_model->pace = least;
    return 0;
}

static int ask_parts(struct rc_run_model *run_model, const struct rc_run *run,
                     struct rc_error *error)
{
    if (rc_predict_parts_ask(run_model->source.parts, run, &run_model->asked, error))
        return -1;
    for (size_t i = 0; i < run_model->asked.n; i++)
        run_model->asked.parts[i].question.pace = run_model->pace;
    return 0;
}

/* What is asked of the model, and the load as far as it is given. */
static int ask(struct rc_run_model *run_model, const struct rc_run *run,
               struct rc_predict_load *load, struct rc_error *error)
{
    const struct rc_regression_model *model = run_model->source.model;

    run_model->load = isnan(run->cpu_avgmin) && isnan(run->bw_avgmin) ? RC_RUN_MODEL_DEDICATED
                                                                      : RC_RUN_MODEL_GIVEN;
    if (run_model->by_parts)
        return ask_parts(run_model, run, error);
    run_model->model = model;
    rc_predict_run(model, run, &run_model->question, load);
    run_model->question.pace = run_model->pace;
    rc_predict_load_complete(model, load);
    rc_regression_beyond(model, &run_model->question, &run_model->beyond);
    return rc_regression_question_check(model, &run_model->question, error);
}

/* The forecast, where the load is to be foreseen and something is known of it; -1 where reading
 * fails. */
static int look(struct rc_run_model *run_model, const struct rc_run_model_place *place,
                struct rc_host_forecast **forecast, struct rc_error *error)
{
    *forecast = place->forecast;
    if (run_model->load != RC_RUN_MODEL_DEDICATED || place->idle ||
        (!*forecast && place->n_hosts == 0)) {
        *forecast = NULL;
        return 0;
    }
    if (!*forecast) {
        *forecast = run_model->forecast =
            rc_predict_host_forecast_create(place->store, place->hosts, place->n_hosts,
                                            place->start, error);
        if (!*forecast)
            return -1;
    }
    if (rc_predict_host_forecast_weigh(*forecast, run_model->weights, error))
        return -1;
    run_model->looked = true;
    rc_predict_host_forecast_facts(*forecast, &run_model->facts);
    if (run_model->facts.cpu_series + run_model->facts.bw_series > 0)
        run_model->load = RC_RUN_MODEL_FORECAST;
    return 0;
}

static int answer_ahead(struct rc_run_model *run_model, struct rc_host_forecast *forecast,
                        const struct rc_predict_load *load, struct rc_random *random, double *draws,
                        size_t n_draws, struct rc_predict_summary *summary, struct rc_error *error)
{
    int status = run_model->by_parts
                     ? rc_predict_parts_ahead(&run_model->asked, forecast, random, draws, n_draws,
                                              summary, error)
                     : rc_predict_ahead(run_model->source.model, &run_model->question, forecast,
                                        load, random, draws, n_draws, summary, error);

    rc_predict_host_forecast_facts(forecast, &run_model->facts);
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

int rc_predict_run_model_ask(struct rc_run_model *run_model, const struct rc_run *run,
                             const struct rc_run_model_place *place, struct rc_random *random,
                             double *draws, size_t n_draws, struct rc_predict_summary *summary,
                             struct rc_error *error)
{
    struct rc_predict_load load;
    struct rc_host_forecast *forecast;

    forget(run_model);
    if (weigh(run_model, place, error))
        return -1;
    if (ask(run_model, run, &load, error))
        return 0;
    if (look(run_model, place, &forecast, error))
        return -1;
    if (run_model->load == RC_RUN_MODEL_FORECAST) {
        if (answer_ahead(run_model, forecast, &load, random, draws, n_draws, summary, error))
            return 0;
    } else if (run_model->by_parts) {
        rc_predict_parts_at_load(&run_model->asked, random, draws, n_draws, summary);
    } else {
        rc_predict_at_load(run_model->source.model, &run_model->question, &load, random, draws,
                           n_draws, summary);
    }
    if (run_model->by_parts)
        choose_lead(run_model);
    return 1;
}

int rc_predict_run_model_keep(struct rc_run_model *run_model, struct rc_db *store, const char *app,
                              const char *platform, struct rc_error *error)
{
    struct rc_predict_source *source = &run_model->source;

    if (!rc_predict_source_is_new(source))
        return 0;
    platform = rc_predict_source_platform(source, platform);
    return run_model->by_parts ? rc_predict_parts_keep(store, app, platform, source->parts,
                                                       &source->hosts, &source->id, error)
                               : rc_predict_model_keep(store, app, platform, source->model,
                                                       &source->hosts, &source->id, error);
}
