// SPDX-License-Identifier: GPL-3.0-or-later
/* method_history.c - history: a few runs of the app, and what is known of programs in general.
 *
 * It answers from one run on (model/history/few_runs.h), until there are enough runs for
 * regression.  The samples are of idle hosts.  Under load, an unknown share of the time is
 * computation, which takes 1 / CPU availability as long. */
#include "predict/method_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "db/run_param.h"
#include "model/history/few_runs.h"
#include "model/history/killed_runs.h"
#include "predict/host_forecast.h"
#include "predict/method.h"

enum {
    RUNS_MAX = 200,
    KILLED_MAX = 32, /* killed runs that count: the newest */
    /* Regression has enough runs from MANY on, or from ENOUGH on if they show how the run time
     * scales, or repeat the configuration of the question. */
    ENOUGH = 10,
    ENOUGH_DISTINCT = 5,
    MANY = 100
};
/* The share of computation in the time; as the effect of CPU availability in few_runs.c. */
static const double computing = 0.75, computing_spread = 0.25;
static const double elsewhere_spread = 0.3; /* of the logarithm of times on other platforms */
static const double cpu_least = 0.05;       /* at less, the measurement is not to be trusted */

struct state {
    struct rc_method_setup setup;
    struct rc_predict_history facts;                   /* of the latest question */
    struct rc_history_run runs[RUNS_MAX + KILLED_MAX]; /* completed ones, then killed ones */
    struct rc_history_run killed[KILLED_MAX];
    struct rc_host_forecast *forecast; /* of the latest question; NULL: idle hosts */
};

const struct rc_predict_history *rc_predict_method_history(const void *state)
{
    return &((const struct state *)state)->facts;
}

/* Regression, if it is asked, is opened before. */
static const struct rc_predict_source *regression_of(const struct rc_method_setup *setup)
{
    return setup->options->methods & 1U << RC_METHOD_REGRESSION && setup->runs->there
               ? &setup->runs->source
               : NULL;
}

static enum rc_method_result enough(struct rc_error *error)
{
    rc_error_set(error, "enough runs for regression");
    return RC_METHOD_UNAVAILABLE;
}

static enum rc_method_result open_method(const struct rc_method_setup *setup, void **out,
                                         struct rc_error *error)
{
    const struct rc_predict_source *source = regression_of(setup);
    struct state *state = calloc(1, sizeof *state);

    *out = state;
    if (!state) {
        rc_error_no_memory(error);
        return RC_METHOD_ERROR;
    }
    state->setup = *setup;
    if (source && (source->parts || source->model->n_runs >= MANY))
        return enough(error);
    return RC_METHOD_ANSWERED;
}

/* ---- the runs ---- */

/* The parameters of the question that all runs have. */
struct params {
    const struct rc_param *asked;
    size_t which[RC_HISTORY_PARAMS_MAX], n;
};

static double cpu_of(const struct rc_run *run)
{
    double cpu = isnan(run->cpu_avgmin) ? run->cpu_minavg : run->cpu_avgmin;

    return isnan(cpu) ? 1 : fmax(cpu, cpu_least);
}

static void extend(struct rc_range *range, double value, bool first)
{
    range->low = first ? value : fmin(range->low, value);
    range->high = first ? value : fmax(range->high, value);
}

/* A parameter that this run lacks is dropped, for all runs. */
static void drop_missing(const struct rc_run *run, struct params *params, struct state *state)
{
    for (size_t i = 0; i < params->n;) {
        if (!isnan(rc_db_run_param(run, params->asked[params->which[i]].name))) {
            i++;
            continue;
        }
        params->n--;
        params->which[i] = params->which[params->n];
        for (size_t k = 0; k < state->facts.n_runs; k++)
            state->runs[k].params[i] = state->runs[k].params[params->n];
        for (size_t k = 0; k < KILLED_MAX; k++)
            state->killed[k].params[i] = state->killed[k].params[params->n];
    }
}

static struct rc_history_run history_run(const struct rc_run *run, const struct params *params)
{
    struct rc_history_run out = {
        .size = run->n, .procs = (double)run->p, .seconds = run->seconds, .cpu = cpu_of(run)};

    for (size_t i = 0; i < params->n; i++)
        out.params[i] = rc_db_run_param(run, params->asked[params->which[i]].name);
    return out;
}

static void add_run(struct state *state, const struct rc_run *run, struct params *params)
{
    struct rc_predict_history *facts = &state->facts;

    drop_missing(run, params, state);
    state->runs[facts->n_runs] = history_run(run, params);
    extend(&facts->size, run->n, facts->n_runs == 0);
    extend(&facts->procs, (double)run->p, facts->n_runs == 0);
    facts->n_runs++;
}

/* The newest ones take the places of the oldest. */
static void add_killed(struct state *state, const struct rc_run *run, const struct params *params)
{
    for (size_t i = 0; i < params->n; i++)
        if (isnan(rc_db_run_param(run, params->asked[params->which[i]].name)))
            return;
    state->killed[state->facts.n_killed++ % KILLED_MAX] = history_run(run, params);
}

/* The newest runs that had ended by the start of the question. */
static int read_runs(struct state *state, const struct rc_question *question, const char *platform,
                     struct params *params, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got = -1;

    rc_db_run_filter_init(&filter);
    filter.app = question->app;
    filter.platform = platform;
    filter.last = RUNS_MAX;
    cursor = rc_db_run_find(state->setup.db, &filter,
                            RC_FIELD_N | RC_FIELD_P | RC_FIELD_SECONDS | RC_FIELD_START |
                                RC_FIELD_CPU_AVGMIN | RC_FIELD_CPU_MINAVG | RC_FIELD_PARAMS |
                                RC_FIELD_STATUS,
                            error);
    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        if (run.start + run.seconds > question->start)
            continue;
        if (run.status == RC_RUN_OK)
            add_run(state, &run, params);
        else if (run.status == RC_RUN_INTERRUPTED)
            add_killed(state, &run, params);
    }
    rc_db_run_cursor_close(cursor);
    return got < 0 ? -1 : 0;
}

/* Those of the platform or, if there are none, of any. */
static int find_runs(struct state *state, const struct rc_question *question, struct params *params,
                     struct rc_error *error)
{
    state->facts = (struct rc_predict_history){.last = NAN};
    if (read_runs(state, question, question->platform, params, error))
        return -1;
    if (state->facts.n_runs > 0 || !question->platform)
        return 0;
    state->facts.elsewhere = true;
    return read_runs(state, question, NULL, params, error);
}

static void compare(struct state *state, const struct rc_history_run *asked, size_t n_params)
{
    struct rc_predict_history *facts = &state->facts;

    for (size_t i = 0; i < facts->n_runs; i++)
        if (rc_history_same(&state->runs[i], asked, n_params)) {
            facts->n_same++;
            facts->last = state->runs[i].seconds;
        }
}

static bool has_enough(const struct state *state, size_t n_params)
{
    const struct rc_predict_history *facts = &state->facts;
    size_t distinct = 0;

    if (facts->n_runs < ENOUGH)
        return false;
    for (size_t i = 0; i < facts->n_runs; i++) {
        size_t k = 0;

        while (k < i && !rc_history_same(&state->runs[k], &state->runs[i], n_params))
            k++;
        distinct += k == i;
    }
    return distinct >= ENOUGH_DISTINCT || facts->n_same >= ENOUGH;
}

/* ---- under load ---- */

/* Samples for idle hosts, and the share of computation in each. */
struct idle {
    const double *seconds;
    struct rc_random *random;
};

static void next_work(void *data, size_t i, size_t n, struct rc_regression_work *work,
                      double *factor)
{
    const struct idle *idle = data;
    double share = rc_random_normal(idle->random, computing, computing_spread);
    double seconds = rc_predict_as_time(idle->seconds[i]);

    (void)n;
    share = fmax(0, fmin(share, 1));
    *work = (struct rc_regression_work){.cpu = share * seconds, .stat = RC_REGRESSION_AVGMIN};
    work->width[0] = (1 - share) * seconds;
    *factor = 1;
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
    if (facts.cpu_series == 0) {
        rc_predict_host_forecast_destroy(state->forecast);
        state->forecast = NULL;
    }
    return 0;
}

static int answer_ahead(struct state *state, const double *seconds, struct rc_random *random,
                        struct rc_method_answer *answer, struct rc_error *error)
{
    const struct rc_predict_load otherwise = {.cpu = {1, 1}, .bw = {1, 1}};
    struct idle idle = {seconds, random};
    struct rc_predict_host_forecast_facts facts;
    double typical = seconds[answer->n_samples / 2];

    rc_predict_host_forecast_facts(state->forecast, &facts);
    if (!isnan(facts.cpu))
        typical /= fmax(facts.cpu, cpu_least);
    return rc_predict_works_ahead(next_work, &idle, rc_predict_as_time(typical), state->forecast,
                                  &otherwise, random, answer->samples, answer->n_samples,
                                  &answer->summary, error);
}

/* ---- answering ---- */

static int predict(struct state *state, const struct rc_history_run *asked, size_t n_params,
                   struct rc_random *random, double *seconds, size_t n, struct rc_error *error)
{
    const struct rc_predict_history *facts = &state->facts;

    memcpy(state->runs + facts->n_runs, state->killed, facts->n_killed * sizeof *state->killed);
    if (rc_history_predict_with_killed(state->runs, facts->n_runs, facts->n_killed, n_params, asked,
                                       random, seconds, n, error))
        return -1;
    for (size_t i = 0; i < n && state->facts.elsewhere; i++)
        seconds[i] *= exp(rc_random_normal(random, 0, elsewhere_spread));
    return 0;
}

static int answer_for(struct state *state, const struct rc_question *question,
                      const struct rc_history_run *asked, size_t n_params, struct rc_random *random,
                      struct rc_method_answer *answer, struct rc_error *error)
{
    double *seconds = calloc(answer->n_samples, sizeof *seconds);
    int status = -1;

    if (!seconds)
        return rc_error_no_memory(error);
    if (look(state, question, error) == 0)
        status = predict(state, asked, n_params, random,
                         state->forecast ? seconds : answer->samples, answer->n_samples, error);
    if (status == 0 && state->forecast)
        status = answer_ahead(state, seconds, random, answer, error);
    else if (status == 0)
        rc_predict_summarise(answer->samples, answer->n_samples, &answer->summary);
    free(seconds);
    return status;
}

static enum rc_method_result ask(void *data, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error)
{
    struct state *state = data;
    struct params params = {.asked = question->params};
    struct rc_history_run asked = {.size = question->size,
                                   .procs = (double)question->procs,
                                   .cpu = 1};

    while (params.n < question->n_params && params.n < RC_HISTORY_PARAMS_MAX) {
        params.which[params.n] = params.n;
        params.n++;
    }
    if (find_runs(state, question, &params, error))
        return RC_METHOD_ERROR;
    for (size_t i = 0; i < params.n; i++)
        asked.params[i] = question->params[params.which[i]].value;
    compare(state, &asked, params.n);
    if (state->facts.n_killed > KILLED_MAX)
        state->facts.n_killed = KILLED_MAX;
    state->facts.n_killed = rc_history_killed_usable(state->runs, state->facts.n_runs, params.n,
                                                     state->killed, state->facts.n_killed);
    if (state->facts.n_runs == 0) {
        rc_error_set(error, "no completed run of '%s' in the database", question->app);
        rc_error_code(error, "predict.no-runs", "%.60s", question->app);
        return RC_METHOD_UNAVAILABLE;
    }
    if (regression_of(&state->setup) && has_enough(state, params.n))
        return enough(error);
    return answer_for(state, question, &asked, params.n, random, answer, error)
               ? rc_predict_method_failed(error)
               : RC_METHOD_ANSWERED;
}

/* With each run, it becomes another model: its past predictions do not count. */
static bool is_present(const void *data, const struct rc_track_entry *entry)
{
    (void)data;
    (void)entry;
    return false;
}

static void close_method(void *data)
{
    struct state *state = data;

    if (!state)
        return;
    rc_predict_host_forecast_destroy(state->forecast);
    free(state);
}

const struct rc_method_ops rc_method_history = {.name = "history",
                                                .stands_in = true,
                                                .knows_idle = true,
                                                .open = open_method,
                                                .ask = ask,
                                                .close = close_method,
                                                .is_present = is_present};
