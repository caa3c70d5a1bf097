// SPDX-License-Identifier: GPL-3.0-or-later
/* split_times.c - how long the work takes that 'runcast split' divides, and on which host.
 *
 * What the user says comes first.  Then a structural model of the program, which knows the time of
 * a share on each host; then runs on one host each for how hosts differ, and the regression model
 * of the program for how long it takes.
 *
 * A model that does not tell hosts apart is one of the hosts that it was made on.  The platform's
 * speeds tell how others compare with these, as they do for 'runcast advise' (predict/host_weights.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/split/split.h"
#include "predict/predictor.h"

static const double same = 1e-6; /* by which times differ that are alike */

static struct rc_host_times asked_times(const struct rc_cmd_split *asked)
{
    return (struct rc_host_times){.app = asked->options->app,
                                  .platform = asked->platform,
                                  .hosts = (const char *const *)asked->list.names,
                                  .n_hosts = asked->list.count,
                                  .size = asked->options->size,
                                  .processes =
                                      (double)asked->list.count * (double)asked->options->per_host,
                                  .params = asked->params,
                                  .n_params = asked->n_params,
                                  .at = asked->question.at};
}

/* ---- the platform's speeds ---- */

/* How fast hosts are as compared with those that models were made on; 1 where nothing tells. */
static int find_weights(struct rc_cmd_split *asked, struct rc_db *store, double *weights,
                        struct rc_error *error)
{
    for (size_t h = 0; h < asked->list.count; h++)
        weights[h] = 1;
    if (!asked->platform || asked->speeds != RC_CMD_SPEEDS_PLATFORM)
        return 0;
    return rc_predict_weights_of(store, asked->options->app, asked->learnt_from, asked->platform,
                                 (const char *const *)asked->list.names, asked->list.count, weights,
                                 &asked->weights_from, error);
}

/* ---- the predictor ---- */

/* What the predictor answers for idle hosts, and what it may be off by; NAN, with `why`, where it has
 * no answer. */
static double ask_predictor(struct rc_cmd_split *asked, const struct rc_question *question,
                            struct rc_error *why)
{
    struct rc_predict_answer answer;
    double *copy;

    if (rc_predict_ask(asked->predictor, question, &answer, why))
        return NAN;
    if (answer.answered == 0) {
        *why = answer.methods[answer.nearest].why;
        return NAN;
    }
    copy = malloc(answer.n_samples * sizeof *copy);
    if (!copy) {
        rc_error_no_memory(why);
        return NAN;
    }
    memcpy(copy, answer.samples, answer.n_samples * sizeof *copy);
    if (copy[0] > 0 && isfinite(copy[answer.n_samples - 1]))
        rc_split_error_of_draws(copy, answer.n_samples, &asked->question.error);
    free(copy);
    return answer.summary.predicted > 0 && isfinite(answer.summary.predicted)
               ? answer.summary.predicted
               : (double)NAN;
}

/* By the speeds of hosts where the platform's count. */
static double predict_idle(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *why)
{
    bool by_platform = asked->platform && asked->speeds == RC_CMD_SPEEDS_PLATFORM;
    const struct rc_predict_source *runs;
    struct rc_predict_options options;
    struct rc_question question;

    rc_predict_question_init(&question, asked->options->app);
    question.platform = asked->platform ? asked->platform->name : NULL;
    question.platform_file = by_platform ? asked->platform : NULL;
    question.size = asked->options->size;
    question.procs = (int64_t)asked->list.count * asked->options->per_host;
    question.params = asked->params;
    question.n_params = asked->n_params;
    question.hosts = by_platform ? (const char *const *)asked->list.names : NULL;
    question.n_hosts = by_platform ? asked->list.count : 0;
    question.start = asked->question.at;
    question.seed = (uint64_t)asked->options->seed;
    question.idle = true;
    rc_predict_options_init(&options);
    asked->predictor = rc_predict_open(store, &question, &options, why);
    if (!asked->predictor)
        return NAN;
    runs = asked->runs = rc_predict_runs(asked->predictor);
    if (runs) {
        asked->learnt_from = rc_predict_source_platform(runs, question.platform);
        if (by_platform)
            asked->weights_from = runs->hosts.speeds.from;
    }
    return ask_predictor(asked, &question, why);
}

/* Of several that cannot tell, a structural model that is there comes nearest to it. */
static void tell_unknown_time(const struct rc_cmd_split *asked, const struct rc_error *why,
                              struct rc_error *error)
{
    const struct rc_error *lacks = &asked->model_lacks;

    if (lacks->text[0])
        rc_error_set(error,
                     "how long the run takes is not known: by its structural model, since "
                     "%s%s%s%s; by its runs, since %s",
                     lacks->text, lacks->hint[0] ? " (" : "", lacks->hint,
                     lacks->hint[0] ? ")" : "", why->text);
    else
        rc_error_set(error, "how long the run takes is not known: %s", why->text);
}

static int find_idle_time(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *error)
{
    bool looks_ahead = asked->policy >= RC_POLICY_FORECAST;
    struct rc_error why = {.text = "there is no store with runs of it"};

    asked->idle_time = asked->given_time;
    asked->idle = RC_CMD_IDLE_GIVEN;
    if (!isnan(asked->idle_time))
        return 0;
    if (store)
        asked->idle_time = predict_idle(asked, store, &why);
    asked->idle = isnan(asked->idle_time) ? RC_CMD_IDLE_UNKNOWN : RC_CMD_IDLE_MODEL;
    snprintf(asked->why, sizeof asked->why, "%s", why.text);
    if (asked->idle == RC_CMD_IDLE_MODEL || !looks_ahead)
        return 0;
    tell_unknown_time(asked, &why, error);
    return rc_error_hint(error, "say how long it takes on idle hosts, --idle-time TIME, or choose "
                                "--policy mean, vtf, 95tf or last, which need not know");
}

/* ---- host by host ---- */

/* Makes faster hosts faster where the model does not know which they are. */
static int weigh(struct rc_cmd_split *asked, struct rc_db *store, const struct rc_host_facts *facts,
                 double *work, struct rc_error *error)
{
    double *weights = calloc(asked->list.count + 1, sizeof *weights);
    bool alike = true, even = true;
    int status = 0;

    for (size_t h = 1; h < asked->list.count; h++) {
        alike &= fabs(work[h] / work[0] - 1) < same;
        even &= fabs(asked->speed[h] / asked->speed[0] - 1) < same;
    }
    if (!weights) {
        status = rc_error_no_memory(error);
    } else if (facts->apart || !alike) {
        asked->speeds_unused = asked->speeds == RC_CMD_SPEEDS_PLATFORM && alike && !even;
        asked->speeds = RC_CMD_SPEEDS_MODEL;
    } else if ((status = find_weights(asked, store, weights, error)) == 0) {
        for (size_t h = 0; h < asked->list.count; h++)
            work[h] /= weights[h];
    }
    free(weights);
    return status;
}

/* Takes what the structural model has told. */
static void take_times(struct rc_cmd_split *asked, const double *work, const double *beside)
{
    size_t n = asked->list.count;

    asked->idle = RC_CMD_IDLE_STRUCTURE;
    asked->idle_time = 0;
    for (size_t h = 0; h < n; h++) {
        asked->hosts[h].unit = work[h] / ((double)asked->question.units / (double)n);
        if (asked->options->fixed.n == 0)
            asked->hosts[h].fixed = beside[h];
        asked->idle_time = fmax(asked->idle_time, work[h] + beside[h]);
    }
}

/* Sets the hosts by the structural model, where there is one that tells: 1. */
static int set_by_structure(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *error)
{
    const struct rc_host_times question = asked_times(asked);
    size_t n = asked->list.count;
    double *work = calloc(2 * n + 1, sizeof *work);
    struct rc_host_facts facts;
    struct rc_error why = {.text = ""};
    int told;

    if (!work)
        return rc_error_no_memory(error);
    told = rc_split_host_times_of_model(store, &question, work, work + n, &facts, &why, error);
    if (told == 0 && facts.there)
        asked->model_lacks = why;
    if (told > 0 && weigh(asked, store, &facts, work, error))
        told = -1;
    if (told > 0) {
        take_times(asked, work, work + n);
        asked->question.error = facts.error;
    }
    free(work);
    return told;
}

/* Speeds by runs on one host each, which also tell how even runs are. */
static int set_by_runs(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *error)
{
    const struct rc_host_times question = asked_times(asked);
    double spread;
    int told = rc_split_host_speeds_of_runs(store, &question, asked->speed, &spread, error);

    if (told > 0) {
        asked->speeds = RC_CMD_SPEEDS_RUNS;
        if (!isnan(spread))
            rc_split_error_of_sd(spread, &asked->question.error);
    }
    return told < 0 ? -1 : 0;
}

static int set_paces(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    int told = 0;

    if (store && isnan(asked->given_time) && options->speed.n == 0 && isnan(options->high_power))
        told = set_by_structure(asked, store, error);
    if (told != 0)
        return told > 0 ? 0 : -1;
    if (store && asked->speeds == RC_CMD_SPEEDS_ALIKE && set_by_runs(asked, store, error))
        return -1;
    if (find_idle_time(asked, store, error))
        return -1;
    rc_split_set_paces(&asked->question, asked->hosts, asked->speed,
                       isnan(asked->idle_time) ? 1 : asked->idle_time, options->high_power);
    return 0;
}

/* ---- all of it ---- */

static int read_samples(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *error)
{
    for (size_t h = 0; h < asked->list.count && store; h++) {
        struct rc_sample *samples;

        if (rc_split_read(store, asked->list.names[h], asked->question.at, asked->list.count,
                          &samples, &asked->hosts[h].n_samples, error))
            return -1;
        asked->hosts[h].samples = samples;
    }
    return store ? rc_forecast_freshness_find(store, (const char *const *)asked->list.names,
                                              asked->list.count, asked->question.at,
                                              &asked->freshness, error)
                 : 0;
}

/* As the library has it, which does not know what the user can do about it. */
static int check_room(const struct rc_cmd_split *asked, struct rc_error *error)
{
    double room = 0;

    for (size_t h = 0; h < asked->list.count; h++)
        room += floor(asked->hosts[h].most);
    if (room >= (double)asked->question.units)
        return 0;
    rc_error_set(error, "the hosts have room for %.0f of %.0f units", room,
                 (double)asked->question.units);
    return rc_error_hint(error, "take more hosts, or hosts with more memory%s%s",
                         asked->options->most.n ? ", or say a larger --most" : "",
                         isnan(asked->options->memory_per_unit)
                             ? ""
                             : "; --memory-per-unit says what a unit takes");
}

int rc_cmd_split_prepare(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    struct rc_split_question *question = &asked->question;

    question->hosts = asked->hosts;
    question->n_hosts = asked->list.count;
    question->waits = strcmp(options->waits, "once") == 0 ? RC_ADVISE_ONCE : RC_ADVISE_OFTEN;
    question->quantile = isnan(options->quantile) ? 0.9 : options->quantile;
    if (asked->policy != RC_POLICY_QUANTILE && !options->explain && !options->json)
        question->quantile = NAN;
    question->factor = options->tuning_factor;
    question->current = asked->current;
    question->draws = (size_t)options->draws;
    question->seed = (uint64_t)options->seed;
    question->units = options->units ? options->units : (int64_t)round(options->size);
    if (set_paces(asked, store, error))
        return -1;
    question->paces_only = isnan(asked->idle_time);
    if (options->running)
        rc_split_leave(question, asked->hosts, asked->all_done);
    if (check_room(asked, error))
        return -1;
    return read_samples(asked, store, error);
}
