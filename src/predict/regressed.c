// SPDX-License-Identifier: GPL-3.0-or-later
/* regressed.c - predictions from a regression model of an app's runs. */
#include "predict/regressed.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* Forgets the latest question. */
static void forget(struct rc_regressed *regressed)
{
    rc_predict_outlook_destroy(regressed->outlook);
    rc_predict_parts_free(&regressed->asked);
    free(regressed->weights);
    regressed->outlook = NULL;
    regressed->weights = NULL;
    regressed->pace = 0;
    regressed->looked = false;
    regressed->facts = (struct rc_predict_outlook_facts){.newest = NAN, .cpu = NAN, .bw = NAN};
}

void rc_predict_regressed_free(struct rc_regressed *regressed)
{
    forget(regressed);
    rc_predict_source_free(&regressed->source);
}

int rc_predict_regressed_open(struct rc_db *store, const char *app, const char *platform,
                              const struct rc_regression_speeds *speeds,
                              enum rc_regression_criterion criterion, bool parts,
                              struct rc_regressed *regressed, struct rc_error *error)
{
    *regressed = (struct rc_regressed){.criterion = criterion, .by_parts = parts};
    return rc_predict_source_near(store, app, platform, speeds, criterion, parts,
                                  &regressed->source, error);
}

const char *rc_predict_regressed_family(const struct rc_regressed *regressed)
{
    return regressed->by_parts ? rc_predict_parts_family(regressed->criterion)
                               : rc_predict_family(regressed->criterion);
}

/* How fast the hosts are by what the model refers to, and by the slowest of them. */
static int weigh(struct rc_regressed *regressed, const struct rc_regressed_place *place,
                 struct rc_error *error)
{
    const struct rc_regression_speeds *speeds = &regressed->source.hosts.speeds;
    double least = INFINITY;

    if (speeds->n == 0 || place->n_hosts == 0)
        return 0;
    regressed->weights = calloc(place->n_hosts, sizeof *regressed->weights);
    if (!regressed->weights)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < place->n_hosts; i++) {
        regressed->weights[i] = rc_regression_speeds_weight(speeds, place->hosts[i]);
        least = fmin(least, regressed->weights[i]);
    }
    for (size_t i = 0; i < place->n_hosts; i++)
        regressed->weights[i] /= least;
    regressed->pace = least;
    return 0;
}

static int ask_parts(struct rc_regressed *regressed, const struct rc_run *run,
                     struct rc_error *error)
{
    if (rc_predict_parts_ask(regressed->source.parts, run, &regressed->asked, error))
        return -1;
    for (size_t i = 0; i < regressed->asked.n; i++)
        regressed->asked.parts[i].question.pace = regressed->pace;
    return 0;
}

/* What is asked of the model, and the load as far as it is given. */
static int ask(struct rc_regressed *regressed, const struct rc_run *run,
               struct rc_predict_load *load, struct rc_error *error)
{
    const struct rc_regression_model *model = regressed->source.model;

    regressed->load = isnan(run->cpu_avgmin) && isnan(run->bw_avgmin) ? RC_REGRESSED_DEDICATED
                                                                      : RC_REGRESSED_GIVEN;
    if (regressed->by_parts)
        return ask_parts(regressed, run, error);
    regressed->model = model;
    rc_predict_run(model, run, &regressed->question, load);
    regressed->question.pace = regressed->pace;
    rc_predict_load_complete(model, load);
    rc_regression_beyond(model, &regressed->question, &regressed->beyond);
    return rc_regression_question_check(model, &regressed->question, error);
}

/* The outlook, where the load is to be foreseen and something is known of it; -1 where reading
 * fails. */
static int look(struct rc_regressed *regressed, const struct rc_regressed_place *place,
                struct rc_outlook **outlook, struct rc_error *error)
{
    *outlook = place->outlook;
    if (regressed->load != RC_REGRESSED_DEDICATED || place->idle ||
        (!*outlook && place->n_hosts == 0)) {
        *outlook = NULL;
        return 0;
    }
    if (!*outlook) {
        *outlook = regressed->outlook =
            rc_predict_outlook_create(place->store, place->hosts, place->n_hosts, place->start,
                                      error);
        if (!*outlook)
            return -1;
    }
    if (rc_predict_outlook_weigh(*outlook, regressed->weights, error))
        return -1;
    regressed->looked = true;
    rc_predict_outlook_facts(*outlook, &regressed->facts);
    if (regressed->facts.cpu_series + regressed->facts.bw_series > 0)
        regressed->load = RC_REGRESSED_FORECAST;
    return 0;
}

static int answer_ahead(struct rc_regressed *regressed, struct rc_outlook *outlook,
                        const struct rc_predict_load *load, struct rc_random *random, double *draws,
                        size_t n_draws, struct rc_predict_summary *summary, struct rc_error *error)
{
    int status = regressed->by_parts
                     ? rc_predict_parts_ahead(&regressed->asked, outlook, random, draws, n_draws,
                                              summary, error)
                     : rc_predict_ahead(regressed->source.model, &regressed->question, outlook,
                                        load, random, draws, n_draws, summary, error);

    rc_predict_outlook_facts(outlook, &regressed->facts);
    return status;
}

/* Of parts, the one with the largest share stands for all. */
static void choose_lead(struct rc_regressed *regressed)
{
    const struct rc_predict_part *lead = regressed->asked.parts;

    for (size_t i = 1; i < regressed->asked.n; i++)
        if (regressed->asked.parts[i].share > lead->share)
            lead = &regressed->asked.parts[i];
    regressed->model = lead->part->model;
    regressed->question = lead->question;
    rc_regression_beyond(regressed->model, &regressed->question, &regressed->beyond);
}

int rc_predict_regressed_ask(struct rc_regressed *regressed, const struct rc_run *run,
                             const struct rc_regressed_place *place, struct rc_random *random,
                             double *draws, size_t n_draws, struct rc_predict_summary *summary,
                             struct rc_error *error)
{
    struct rc_predict_load load;
    struct rc_outlook *outlook;

    forget(regressed);
    if (weigh(regressed, place, error))
        return -1;
    if (ask(regressed, run, &load, error))
        return 0;
    if (look(regressed, place, &outlook, error))
        return -1;
    if (regressed->load == RC_REGRESSED_FORECAST) {
        if (answer_ahead(regressed, outlook, &load, random, draws, n_draws, summary, error))
            return 0;
    } else if (regressed->by_parts) {
        rc_predict_parts_at_load(&regressed->asked, random, draws, n_draws, summary);
    } else {
        rc_predict_at_load(regressed->source.model, &regressed->question, &load, random, draws,
                           n_draws, summary);
    }
    if (regressed->by_parts)
        choose_lead(regressed);
    return 1;
}

int rc_predict_regressed_keep(struct rc_regressed *regressed, struct rc_db *store, const char *app,
                              const char *platform, struct rc_error *error)
{
    struct rc_predict_source *source = &regressed->source;

    if (!rc_predict_source_is_new(source))
        return 0;
    platform = rc_predict_source_platform(source, platform);
    return regressed->by_parts ? rc_predict_parts_keep(store, app, platform, source->parts,
                                                       &source->hosts, &source->id, error)
                               : rc_predict_model_keep(store, app, platform, source->model,
                                                       &source->hosts, &source->id, error);
}
