// SPDX-License-Identifier: GPL-3.0-or-later
/* split_times.c - how long the work takes that 'runcast split' divides, and on which host.
 *
 * What the user says comes first.  Then a structural model of the program, which knows the time of
 * a share on each host; then runs on one host each for how hosts differ, and the regression model
 * of the program for how long it takes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/host_times.h"
#include "base/error.h"
#include "cmd/split.h"
#include "predict/predict.h"
#include "predict/source.h"

static struct rc_host_times asked_times(const struct rc_cmd_split *asked)
{
    return (struct rc_host_times){
        .app = asked->options->app, .platform = asked->platform,
        .hosts = (const char *const *)asked->list.names, .n_hosts = asked->list.count,
        .size = asked->options->size,
        .processes = (double)asked->list.count * (double)asked->options->per_host,
        .params = asked->params, .n_params = asked->n_params, .at = asked->question.at};
}

/* ---- the regression model ---- */

/* What the regression model of the program says of idle hosts; NAN, with `why`, where it cannot. */
static double idle_time_of_model(const struct rc_cmd_split *asked, struct rc_store *store,
                                 struct rc_error *why)
{
    struct rc_predict_source source = {0};
    struct rc_rg_question question;
    struct rc_predict_load load;
    struct rc_run run;
    double seconds = NAN;

    rc_run_init(&run);
    run.n = asked->options->size;
    run.p = (int64_t)asked->list.count * asked->options->per_host;
    run.params = asked->params;
    run.n_params = asked->n_params;
    if (rc_predict_source_open(store, asked->options->app, NULL, RC_RG_DEFAULT, &source, why) ==
        0) {
        rc_predict_run(source.model, &run, &question, &load);
        rc_predict_load_complete(source.model, &load);
        if (rc_rg_question_check(source.model, &question, why) == 0)
            seconds = rc_rg_seconds_at(source.model, &question, load.cpu, load.bw);
    }
    rc_predict_source_free(&source);
    return seconds > 0 && isfinite(seconds) ? seconds : (double)NAN;
}

static int find_idle_time(struct rc_cmd_split *asked, struct rc_store *store,
                          struct rc_error *error)
{
    bool looks_ahead = asked->policy >= RC_POLICY_FORECAST;
    struct rc_error why = {.text = "there is no store with runs of it"};

    asked->idle_time = asked->options->idle_time;
    asked->idle = RC_CMD_IDLE_GIVEN;
    if (!isnan(asked->idle_time))
        return 0;
    if (store)
        asked->idle_time = idle_time_of_model(asked, store, &why);
    asked->idle = isnan(asked->idle_time) ? RC_CMD_IDLE_UNKNOWN : RC_CMD_IDLE_MODEL;
    snprintf(asked->why, sizeof asked->why, "%s", why.text);
    if (asked->idle == RC_CMD_IDLE_MODEL || !looks_ahead)
        return 0;
    rc_error_set(error, "how long the run takes is not known: %s", why.text);
    return rc_error_hint(error, "say how long it takes on idle hosts, --idle-time TIME, or choose "
                                "--policy mean, vtf, 95tf or last, which need not know");
}

/* ---- host by host ---- */

/* Sets the hosts by the structural model, where there is one that tells: 1. */
static int set_by_structure(struct rc_cmd_split *asked, struct rc_store *store,
                            struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    const struct rc_host_times question = asked_times(asked);
    size_t n = asked->list.count;
    double *work = calloc(2 * n + 1, sizeof *work);
    struct rc_error why;
    int told;

    if (!work)
        return rc_error_no_memory(error);
    told = rc_host_times_of_model(store, &question, work, work + n, &why, error);
    asked->idle_time = told > 0 ? 0 : (double)NAN;
    for (size_t h = 0; h < n && told > 0; h++) {
        asked->hosts[h].unit = work[h] / ((double)asked->question.units / (double)n);
        if (options->fixed.n == 0)
            asked->hosts[h].fixed = work[n + h];
        asked->idle_time = fmax(asked->idle_time, work[h] + work[n + h]);
    }
    asked->idle = RC_CMD_IDLE_STRUCTURE;
    free(work);
    return told;
}

static int set_paces(struct rc_cmd_split *asked, struct rc_store *store, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    const struct rc_host_times question = asked_times(asked);
    int told = 0;

    if (store && isnan(options->idle_time) && options->speed.n == 0 && isnan(options->high_power))
        told = set_by_structure(asked, store, error);
    if (told != 0)
        return told > 0 ? 0 : -1;
    if (store && !asked->speeds_told)
        told = rc_host_speeds_of_runs(store, &question, asked->speed, error);
    asked->speeds_of_runs = told > 0;
    if (told < 0 || find_idle_time(asked, store, error))
        return -1;
    rc_split_set_paces(&asked->question, asked->hosts, asked->speed,
                       isnan(asked->idle_time) ? 1 : asked->idle_time, options->high_power);
    return 0;
}

/* ---- all of it ---- */

static int read_samples(struct rc_cmd_split *asked, struct rc_store *store, struct rc_error *error)
{
    for (size_t h = 0; h < asked->list.count && store; h++) {
        struct rc_sample *samples;

        if (rc_split_read(store, asked->list.names[h], asked->question.at, asked->list.count,
                          &samples, &asked->hosts[h].n_samples, error))
            return -1;
        asked->hosts[h].samples = samples;
    }
    return 0;
}

int rc_cmd_split_prepare(struct rc_cmd_split *asked, struct rc_store *store,
                         struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    struct rc_split_question *question = &asked->question;

    question->hosts = asked->hosts;
    question->n_hosts = asked->list.count;
    question->waits = strcmp(options->waits, "once") == 0 ? RC_ADVISE_ONCE : RC_ADVISE_OFTEN;
    question->quantile = asked->policy != RC_POLICY_QUANTILE ? (double)NAN
                         : isnan(options->quantile)          ? 0.9
                                                             : options->quantile;
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
    return read_samples(asked, store, error);
}
