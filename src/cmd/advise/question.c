// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_question.c - what 'runcast advise' is asked: its options, the platform, the store. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/advise/advise.h"
#include "report/plot.h"
#include "run/template.h"
#include "platform/platform.h"
#include "platform/hostlist.h"
#include "predict/predict.h"

#define CONFIDENCE 0.95 /* where nobody says it */

/* ---- whether it makes sense ---- */

static int check_probe(const struct rc_invocation *invocation,
                       const struct rc_cmd_advise_options *options)
{
    if (!options->probe && (options->recording || options->skeleton))
        return rc_cmd_usage_text(invocation, "--recording and --skeleton belong to --probe");
    if (!options->probe)
        return RC_EXIT_OK;
    if (!options->recording || !options->skeleton)
        return rc_cmd_usage_text(invocation, "--probe wants the recording and its skeleton: "
                                             "--recording DIR --skeleton PROGRAM");
    if (!rc_run_template_has(options->probe, "skeleton") ||
        !rc_run_template_has(options->probe, "hosts"))
        return rc_cmd_usage_text(invocation, "--probe: a command with {skeleton} and {hosts} in "
                                             "it, such as 'mpirun -np {procs} -host {hosts} "
                                             "{skeleton}'");
    if (options->procs)
        return rc_cmd_usage_text(invocation, "--procs: a skeleton has the processes of its "
                                             "recording");
    return RC_EXIT_OK;
}

static bool is_probability(double value)
{
    return value > 0 && value < 1;
}

int rc_cmd_advise_check(const struct rc_invocation *invocation,
                        const struct rc_cmd_advise_options *options)
{
    struct rc_error error;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "say which program: --app NAME");
    if (!(options->size > 0))
        return rc_cmd_usage_text(invocation, "say which run: --size N, above 0");
    if (!options->platform)
        return rc_cmd_usage_text(invocation, "say where it may run: --platform FILE");
    if (!isnan(options->deadline) && !(options->deadline > 0))
        return rc_cmd_usage_text(invocation, "--deadline: a time above 0");
    if (!isnan(options->confidence) && isnan(options->deadline))
        return rc_cmd_usage_text(invocation, "--confidence is how surely --deadline T is to be "
                                             "met: say which");
    if (!isnan(options->confidence) && !is_probability(options->confidence))
        return rc_cmd_usage_text(invocation, "--confidence: a probability between 0 and 1");
    if (!is_probability(options->walltime_risk))
        return rc_cmd_usage_text(invocation, "--walltime-risk: a probability between 0 and 1");
    if (!isnan(options->memory) && !(options->memory > 0))
        return rc_cmd_usage_text(invocation, "--memory: above 0");
    if (options->shortlist > RC_SEARCH_SHORTLIST_MAX)
        return rc_cmd_usage_text(invocation, "--shortlist: at most %d", RC_SEARCH_SHORTLIST_MAX);
    if (options->draws > RC_PREDICT_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_PREDICT_DRAWS_MAX);
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return check_probe(invocation, options);
}

/* ---- the platform ---- */

static int check_prices(const struct rc_cmd_advise *asked, struct rc_error *error)
{
    if (isnan(asked->budget))
        return 0;
    for (size_t i = 0; i < asked->n_hosts; i++)
        if (!isnan(asked->clusters[asked->hosts[i].cluster].price))
            return 0;
    rc_error_set(error, "--budget: the platform says no price%s",
                 asked->options->hosts ? " of these hosts" : "");
    return rc_error_hint(error,
                         "add 'price: NUMBER', of one core for one hour, to the clusters "
                         "in %s",
                         asked->options->platform);
}

static int read_named(const char *hosts, struct rc_hostlist *named, struct rc_error *error)
{
    struct rc_error inner;

    if (!hosts ||
        rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, named, &inner) == 0)
        return 0;
    return rc_error_set(error, "--hosts: '%.100s': %.300s", hosts, inner.text);
}

int rc_cmd_advise_read(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_cmd_advise_options *options = asked->options;
    struct rc_hostlist named = {0};
    int status;

    if (rc_cmd_advise_read_procs(asked, error) ||
        rc_cmd_params_read(&options->params, asked->param_names, asked->params, &asked->n_params,
                           error) ||
        rc_cmd_advise_read_budget(asked, error) || read_named(options->hosts, &named, error))
        return RC_EXIT_USAGE;
    status = rc_cmd_advise_load(asked, error);
    if (status == 0)
        status = rc_cmd_advise_take_hosts(asked, &named, error);
    rc_platform_hostlist_free(&named);
    if (status == 0)
        status = check_prices(asked, error) || rc_cmd_advise_check_budget(asked, error) ? -1 : 0;
    asked->original = NAN;
    if (status == 0 && options->probe)
        status = rc_cmd_advise_recording(asked, error);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

/* ---- the model ---- */

/* Without runs, other models have all times, or the time of the trace stands for one. */
static int open_others(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_error *lacking = rc_predict_lacking(asked->predictor, RC_METHOD_REGRESSION);

    asked->by_recording = !isnan(asked->original);
    asked->by_model = !asked->by_recording && rc_predict_open_models(asked->predictor) != 0;
    if (!asked->by_recording && !asked->by_model) {
        *error = *lacking;
        return -1;
    }
    rc_cmd_note(asked->by_model ? "%s: all times are those of other models"
                                : "%s: until the skeleton has run, sets of hosts are compared by "
                                  "the time of the recording",
                lacking->text);
    asked->learnt_from = asked->platform->name;
    asked->model = asked->plain =
        rc_place_timing_plain_model(asked->by_model ? 1 : asked->original, error);
    return asked->plain ? 0 : -1;
}

/* The model by which candidates are ranked: of runs on this platform or, where there are none, on
 * any. */
static int open_model(struct rc_cmd_advise *asked, struct rc_db *store, struct rc_error *error)
{
    if (rc_cmd_advise_open(asked, store, error))
        return -1;
    asked->runs = rc_predict_runs(asked->predictor);
    if (!asked->runs)
        return open_others(asked, error);
    asked->model = asked->runs->model;
    asked->learnt_from = rc_predict_source_platform(asked->runs, asked->platform->name);
    return 0;
}

static int ask_model(struct rc_cmd_advise *asked, struct rc_timing_regress_setup *setup,
                     struct rc_error *error)
{
    struct rc_question question = asked->template;
    struct rc_predict_load load;

    question.procs = 1;
    setup->model = asked->model;
    rc_predict_ask_model(setup->model, &question, &setup->question, &load);
    return rc_regression_question_check(setup->model, &setup->question, error);
}

/* ---- the load ---- */

/* Hosts of which nothing is known may be down: they are left out, unless that is all of them. */
static void set_scores(struct rc_cmd_advise *asked)
{
    size_t known = rc_predict_host_forecast_many_cpus(asked->forecast);

    for (size_t i = 0; i < asked->n_hosts; i++) {
        struct rc_host_forecast_host facts;

        rc_predict_host_forecast_many_host(asked->forecast, i, &facts);
        asked->hosts[i].score = asked->weights[i] * facts.lately;
        asked->usual[i] = asked->weights[i] * facts.mean;
        asked->hosts[i].out = known > 0 && !facts.known;
        if (!facts.known && asked->n_unknown++ == 0)
            asked->unknown = asked->names[i];
    }
}

/* As the model has it or, where that knows nothing of speeds, the platform. */
static int find_weights(struct rc_cmd_advise *asked, struct rc_db *store, struct rc_error *error)
{
    const struct rc_regression_speeds *speeds = asked->runs ? &asked->runs->hosts.speeds : NULL;

    if (!speeds || speeds->n == 0)
        return rc_predict_weights_of(store, asked->options->app, asked->learnt_from,
                                     asked->platform, asked->names, asked->n_hosts, asked->weights,
                                     &asked->weights_from, error);
    rc_predict_weights_by(speeds, asked->names, asked->n_hosts, asked->weights,
                          &asked->weights_from);
    return 0;
}

static int read_load(struct rc_cmd_advise *asked, struct rc_db *store, struct rc_error *error)
{
    asked->forecast = rc_predict_host_forecast_many_create(asked->n_hosts, asked->at, error);
    if (!asked->forecast ||
        rc_predict_host_forecast_many_read(asked->forecast, store, asked->names, error) ||
        rc_forecast_freshness_find(store, asked->names, asked->n_hosts, asked->at,
                                   &asked->freshness, error) ||
        find_weights(asked, store, error))
        return -1;
    set_scores(asked);
    return 0;
}

/* ---- the question ---- */

static enum rc_objective objective_of(const char *name)
{
    return strcmp(name, "price") == 0  ? RC_OBJECTIVE_PRICE
           : strcmp(name, "risk") == 0 ? RC_OBJECTIVE_RISK
                                       : RC_OBJECTIVE_TIME;
}

static void set_question(struct rc_cmd_advise *asked)
{
    const struct rc_cmd_advise_options *options = asked->options;

    asked->question = (struct rc_search_question){
        .hosts = asked->hosts,
        .usual = asked->usual,
        .n_hosts = asked->n_hosts,
        .clusters = asked->clusters,
        .n_clusters = asked->platform->n_clusters,
        .procs = options->probe ? &asked->ranks : asked->procs,
        .n_procs = options->probe ? 1 : asked->n_procs,
        .further = options->probe != NULL,
        .apart = options->probe != NULL,
        .whole_hosts = options->whole_hosts,
        .aim = {objective_of(options->objective), options->deadline,
                isnan(options->confidence) ? CONFIDENCE : options->confidence, asked->budget,
                asked->platform->currency},
        .shortlist = (size_t)options->shortlist,
        .draws = (size_t)options->draws};
}

int rc_cmd_advise_prepare(struct rc_cmd_advise *asked, struct rc_db *store, struct rc_error *error)
{
    struct rc_timing_regress_setup setup = {.n_hosts = asked->n_hosts,
                                            .weights = asked->weights,
                                            .seed = (uint64_t)asked->options->seed};

    if (open_model(asked, store, error) || ask_model(asked, &setup, error) ||
        read_load(asked, store, error))
        return -1;
    setup.forecast = asked->forecast;
    set_question(asked);
    asked->ranking = rc_place_timing_regress_create(&setup, error);
    if (!asked->ranking)
        return -1;
    if (asked->by_model)
        return rc_cmd_advise_ask_models(asked, error);
    asked->timing = asked->ranking;
    return 0;
}

void rc_cmd_advise_free(struct rc_cmd_advise *asked)
{
    rc_predict_close(asked->predictor);
    rc_place_search_free(&asked->search);
    if (asked->by_model)
        rc_place_timing_predictor_destroy(asked->timing);
    rc_place_timing_regress_destroy(asked->ranking);
    rc_predict_host_forecast_many_destroy(asked->forecast);
    rc_regression_model_destroy(asked->plain);
    rc_platform_destroy(asked->platform);
    free(asked->probed);
    free(asked->names);
    free(asked->hosts);
    free(asked->usual);
    free(asked->weights);
    free(asked->clusters);
    free(asked->procs);
}
