// SPDX-License-Identifier: GPL-3.0-or-later
/* unit_times.c - how long the work takes that is divided, and on which host. */
#include "advise/split/unit_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/split/relative_host_speeds.h"
#include "base/error.h"

static const double same = 1e-6; /* by which times differ that are alike */

void rc_split_paces_free(struct rc_split_paces *paces)
{
    rc_predict_close(paces->predictor);
    *paces = (struct rc_split_paces){0};
}

/* The state of the search for times of units. */
struct finding {
    struct rc_split_paces *paces;
    struct rc_db *db;
    struct rc_split_question *question;
    struct rc_split_host *hosts;
};

/* ---- the predictor ---- */

/* What the predictor answers for idle hosts, and how far off that may be; NAN, with `why`, where it
 * has no answer. */
static double ask_predictor(const struct finding *finding, const struct rc_question *asked,
                            struct rc_error *why)
{
    struct rc_predict_answer answer;
    double *copy;

    if (rc_predict_ask(finding->paces->predictor, asked, &answer, why))
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
        rc_split_error_of_samples(copy, answer.n_samples, &finding->question->error);
    free(copy);
    return answer.summary.predicted > 0 && isfinite(answer.summary.predicted)
               ? answer.summary.predicted
               : (double)NAN;
}

/* By the speeds of hosts where the platform's count. */
static double predict_dedicated(const struct finding *finding, struct rc_error *why)
{
    struct rc_split_paces *paces = finding->paces;
    const struct rc_host_times *run = &paces->run;
    bool by_platform = run->platform && paces->speeds == RC_SPEEDS_PLATFORM;
    struct rc_predict_options options;
    struct rc_question question;

    rc_predict_question_init(&question, run->app);
    question.platform = run->platform ? run->platform->name : NULL;
    question.platform_file = by_platform ? run->platform : NULL;
    question.size = run->size;
    question.procs = (int64_t)run->processes;
    question.params = run->params;
    question.n_params = run->n_params;
    question.hosts = by_platform ? run->hosts : NULL;
    question.n_hosts = by_platform ? run->n_hosts : 0;
    question.start = run->at;
    question.seed = paces->seed;
    question.idle = true;
    rc_predict_options_init(&options);
    options.methods &= ~(1U << RC_METHOD_HISTORY); /* few runs do not compare hosts */
    paces->predictor = rc_predict_open(finding->db, &question, &options, why);
    if (!paces->predictor)
        return NAN;
    paces->runs = rc_predict_runs(paces->predictor);
    if (paces->runs && by_platform)
        paces->weights_from = paces->runs->hosts.speeds.from;
    return ask_predictor(finding, &question, why);
}

/* Of several methods without an answer, a structural model that is there comes nearest to one. */
static int unknown_time(const struct rc_error *missing, const char *why, struct rc_error *error)
{
    if (missing->text[0])
        rc_error_set(error,
                     "the dedicated run time is unknown: structural model: %s%s%s%s; runs: %s",
                     missing->text, missing->hint[0] ? " (" : "", missing->hint,
                     missing->hint[0] ? ")" : "", why);
    else
        rc_error_set(error, "the dedicated run time is unknown: %s", why);
    return rc_error_code(error, "split.unknown-time", NULL);
}

static int find_dedicated(const struct finding *finding, struct rc_error *error)
{
    struct rc_split_paces *paces = finding->paces;
    struct rc_error why = {.text = "no database with runs of it"};

    paces->dedicated = paces->given_time;
    paces->dedicated_from = RC_DEDICATED_GIVEN;
    if (!isnan(paces->dedicated))
        return 0;
    if (finding->db)
        paces->dedicated = predict_dedicated(finding, &why);
    paces->dedicated_from = isnan(paces->dedicated) ? RC_DEDICATED_UNKNOWN : RC_DEDICATED_MODEL;
    snprintf(paces->why, sizeof paces->why, "%s", why.text);
    return paces->dedicated_from == RC_DEDICATED_UNKNOWN && paces->ahead
               ? unknown_time(&paces->model_missing, why.text, error)
               : 0;
}

/* ---- host by host ---- */

/* Makes faster hosts faster where the model does not know which they are. */
static int weigh(const struct finding *finding, const struct rc_host_facts *facts, double *work,
                 struct rc_error *error)
{
    struct rc_split_paces *paces = finding->paces;
    const struct rc_host_times *run = &paces->run;
    bool alike = true, even = true, platform = paces->speeds == RC_SPEEDS_PLATFORM;
    double *weights;
    int status;

    for (size_t h = 1; h < run->n_hosts; h++) {
        alike &= fabs(work[h] / work[0] - 1) < same;
        even &= fabs(paces->speed[h] / paces->speed[0] - 1) < same;
    }
    if (facts->apart || !alike) {
        paces->speeds_unused = platform && alike && !even;
        paces->speeds = RC_SPEEDS_MODEL;
        return 0;
    }
    if (!platform || !run->platform)
        return 0;
    weights = calloc(run->n_hosts + 1, sizeof *weights);
    if (!weights)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < run->n_hosts; h++)
        weights[h] = 1;
    status = rc_predict_weights_of(finding->db, run->app, NULL, run->platform, run->hosts,
                                   run->n_hosts, weights, &paces->weights_from, error);
    for (size_t h = 0; h < run->n_hosts && !status; h++)
        work[h] /= weights[h];
    free(weights);
    return status;
}

/* Takes what the structural model has. */
static void take_times(const struct finding *finding, const double *work, const double *fixed)
{
    struct rc_split_paces *paces = finding->paces;
    size_t n = paces->run.n_hosts;

    paces->dedicated_from = RC_DEDICATED_STRUCTURE;
    paces->dedicated = 0;
    for (size_t h = 0; h < n; h++) {
        finding->hosts[h].unit = work[h] / ((double)finding->question->units / (double)n);
        if (!paces->fixed_given)
            finding->hosts[h].fixed = fixed[h];
        paces->dedicated = fmax(paces->dedicated, work[h] + fixed[h]);
    }
}

/* Sets the hosts by the structural model, where there is one that has an answer: 1. */
static int set_by_structure(const struct finding *finding, struct rc_error *error)
{
    struct rc_split_paces *paces = finding->paces;
    size_t n = paces->run.n_hosts;
    double *work = calloc(2 * n + 1, sizeof *work);
    struct rc_host_facts facts;
    struct rc_error why = {.text = ""};
    int found;

    if (!work)
        return rc_error_no_memory(error);
    found =
        rc_split_host_times_of_model(finding->db, &paces->run, work, work + n, &facts, &why, error);
    if (found == 0 && facts.there)
        paces->model_missing = why;
    if (found > 0 && weigh(finding, &facts, work, error))
        found = -1;
    if (found > 0) {
        take_times(finding, work, work + n);
        finding->question->error = facts.error;
    }
    free(work);
    return found;
}

/* Speeds by runs on one host each, which also show how even runs are. */
static int set_by_runs(const struct finding *finding, struct rc_error *error)
{
    struct rc_split_paces *paces = finding->paces;
    double spread;
    int found =
        rc_split_host_speeds_of_runs(finding->db, &paces->run, paces->speed, &spread, error);

    if (found > 0) {
        paces->speeds = RC_SPEEDS_RUNS;
        if (!isnan(spread))
            rc_split_error_of_sd(spread, &finding->question->error);
    }
    return found < 0 ? -1 : 0;
}

int rc_split_paces_find(struct rc_split_paces *paces, struct rc_db *db,
                        struct rc_split_question *question, struct rc_split_host *hosts,
                        struct rc_error *error)
{
    const struct finding finding = {paces, db, question, hosts};
    int found = 0;

    if (db && isnan(paces->given_time) && paces->speeds != RC_SPEEDS_GIVEN &&
        isnan(paces->high_power))
        found = set_by_structure(&finding, error);
    if (found != 0)
        return found > 0 ? 0 : -1;
    if ((db && paces->speeds == RC_SPEEDS_ALIKE && set_by_runs(&finding, error)) ||
        find_dedicated(&finding, error))
        return -1;
    rc_split_set_paces(question, hosts, paces->speed,
                       isnan(paces->dedicated) ? 1 : paces->dedicated, paces->high_power);
    return 0;
}
