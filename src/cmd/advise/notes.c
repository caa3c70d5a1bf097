// SPDX-License-Identifier: GPL-3.0-or-later
/* notes.c - notes of 'runcast advise': what was not known, and which options had no effect. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/unit.h"
#include "cmd/advise/advise.h"
#include "cmd/core/procs_list.h"
#include "cmd/core/time_limit.h"
#include "model/regression/model.h"
#include "model/regression/next_run.h"
#include "predict/structural_prediction.h"

/* ---- hosts ---- */

/* Whether hosts of several clusters are compared, and the platform file has no speed of any. */
static bool lacks_speeds(const struct rc_cmd_advise *asked)
{
    const struct rc_place_advice *advice = &asked->advice;
    bool several = false;

    for (size_t i = 0; i < advice->n_hosts; i++) {
        const struct rc_candidate_host *host = &advice->hosts[i];

        if (host->out)
            continue;
        if (!isnan(asked->platform->clusters[host->cluster].hosts[host->place].speed))
            return false;
        several = several || host->cluster != advice->search.list[0].candidate.cluster;
    }
    return several;
}

static void note_hosts(const struct rc_cmd_advise *asked)
{
    if (asked->advice.n_unknown == asked->advice.n_hosts)
        rc_cmd_note_unwatched(asked->advice.unknown, asked->advice.n_unknown,
                              asked->advice.n_hosts);
    else if (asked->advice.n_unknown > 0)
        rc_cmd_note("%zu of %zu hosts are left out, such as %s: no CPU samples in the day before",
                    asked->advice.n_unknown, asked->advice.n_hosts, asked->advice.unknown);
    rc_cmd_note_freshness(&asked->advice.freshness, asked->advice.names);
    if (asked->advice.weights_from == RC_WEIGHTS_UNKNOWN)
        rc_cmd_note_speeds(asked->platform, asked->options->platform_file,
                           "all are assumed equally fast");
    if (asked->advice.weights_from == RC_WEIGHTS_ALIKE && !asked->advice.by_model &&
        lacks_speeds(asked))
        rc_cmd_note("the platform file has no speeds: all hosts are assumed equally fast (add "
                    "'speed: 2Gf', or their speed, to the clusters in %s)",
                    asked->options->platform_file);
    if (asked->advice.weights_from == RC_WEIGHTS_SLOWEST && !asked->advice.by_model)
        rc_cmd_note_slowest(asked->options->app);
    if (asked->advice.runs)
        rc_cmd_note_hosts_apart(&asked->advice.runs->hosts);
}

static void note_procs(const struct rc_cmd_advise *asked)
{
    rc_cmd_note_procs(asked->advice.procs, asked->advice.n_procs,
                      rc_place_search_room(&asked->advice.wanted),
                      asked->platform->n_clusters > 1 ? " in one cluster" : "");
}

/* ---- costs ---- */

/* Clusters that have a host and no cost, "a, b"; how many these are, and how many have one. */
static size_t list_costless(const struct rc_cmd_advise *asked, char *names, size_t size,
                            size_t *with_cost)
{
    size_t n = 0;

    *with_cost = 0;
    for (size_t c = 0; c < asked->platform->n_clusters; c++) {
        bool used = false;

        for (size_t i = 0; i < asked->advice.n_hosts && !used; i++)
            used = asked->advice.hosts[i].cluster == c && !asked->advice.hosts[i].out;
        if (used && isnan(asked->advice.clusters[c].cost))
            rc_text_append(names, size, "%s%s", n++ ? ", " : "", asked->platform->clusters[c].name);
        else
            *with_cost += used;
    }
    return n;
}

static void note_costs(const struct rc_cmd_advise *asked)
{
    bool budget = !isnan(asked->advice.aim.budget);
    char names[300] = "";
    size_t with_cost, n;

    if (!budget && asked->advice.aim.objective != RC_OBJECTIVE_COST)
        return;
    n = list_costless(asked, names, sizeof names, &with_cost);
    if (n == 0)
        return;
    if (budget)
        rc_cmd_note("no cost of %s, so --budget leaves %s hosts out; add 'cost: NUMBER', for one "
                    "core-hour, to %s",
                    names, n == 1 ? "its" : "their", asked->options->platform_file);
    else if (with_cost > 0)
        rc_cmd_note("no cost of %s, so %s hosts rank behind all others; add 'cost: NUMBER', for "
                    "one core-hour, to %s",
                    names, n == 1 ? "its" : "their", asked->options->platform_file);
    else
        rc_cmd_note("no cluster has a cost, so the fewest core-hours count; add 'cost: NUMBER', "
                    "for one core-hour, to %s",
                    asked->options->platform_file);
}

/* ---- models ---- */

enum { FEW_RUNS = 10 };

/* The gaps that 'runcast fit' reports and that matter here. */
static void note_gaps(const struct rc_cmd_advise *asked)
{
    const struct rc_regression_model *model = asked->advice.model;
    const struct rc_regression_gaps gaps = rc_regression_gaps(model);
    bool load = rc_predict_host_forecast_many_cpus(asked->advice.forecast) > 0 && gaps.cpu;
    const char *names[] = {gaps.size ? "of one size" : NULL,
                           gaps.procs ? "on one number of processes" : NULL,
                           load ? "with constant or unknown CPU availability" : NULL};
    char text[200] = "";

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i])
            rc_text_append(text, sizeof text, "%s %s", text[0] ? "," : "", names[i]);
    if (text[0] || model->n_runs < FEW_RUNS)
        rc_cmd_note("the model rests on %llu runs%s ('runcast fit' suggests runs to record)",
                    (unsigned long long)model->n_runs, text);
}

static void note_extrapolation(const struct rc_cmd_advise *asked)
{
    struct rc_regression_question question = {
        .n = asked->options->size, .p = (double)asked->advice.search.list[0].candidate.procs};
    struct rc_regression_beyond beyond;

    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        question.params[i] = NAN;
    rc_regression_beyond(asked->advice.model, &question, &beyond);
    if (beyond.p > 1 || beyond.n > 1)
        rc_cmd_note("extrapolation: the %s is %.3g times that of the nearest run",
                    beyond.p > beyond.n ? "number of processes" : "problem size",
                    fmax(beyond.p, beyond.n));
}

/* Of the hosts that are not left out. */
static bool speeds_differ(const struct rc_cmd_advise *asked)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < asked->advice.n_hosts; i++)
        if (!asked->advice.hosts[i].out) {
            least = fmin(least, asked->advice.weights[i]);
            most = fmax(most, asked->advice.weights[i]);
        }
    return most > least;
}

/* Whether hosts differ for an input by more than their load. */
static bool knows_hosts(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (item->kind == RC_ITEM_INPUT && item->n_parameters > 0 &&
            (item->source == RC_FROM_USER || item->source == RC_FROM_TABLE ||
             item->measure.kind != RC_MEASURE_NOTHING ||
             (item->source == RC_FROM_PLATFORM && item->field == RC_FIELD_OF_SPEED)))
            return true;
    }
    return false;
}

static void note_speeds(const struct rc_cmd_advise *asked)
{
    const struct rc_predict_structural *structural =
        asked->advice.answer.methods[RC_METHOD_STRUCTURAL].answered
            ? rc_predict_structural(asked->advice.predictor)
            : NULL;

    if (structural && speeds_differ(asked) && !knows_hosts(structural->source.model))
        rc_cmd_note("the structural model '%s' ignores the speed of hosts; add an input 'from "
                    "platform speed'",
                    structural->source.model->name);
}

/* ---- the deadline ---- */

/* With --objective risk, candidates that miss the deadline stay. */
static void note_deadline(const struct rc_cmd_advise *asked)
{
    const struct rc_advised *choice = &asked->advice.search.list[0];
    const struct rc_aim *aim = &asked->advice.aim;
    char deadline[RC_UNIT_SIZE], median[RC_UNIT_SIZE];

    if (choice->in_time)
        return;
    rc_unit_format_apart(aim->deadline, choice->predicted, RC_SECONDS, deadline, median);
    rc_cmd_note("no candidate meets --deadline %s with --confidence %g; the choice is predicted "
                "to take %s, and meets it with probability %.2g",
                deadline, aim->confidence, median, 1 - choice->miss);
}

static void note_samples(const struct rc_cmd_advise *asked)
{
    rc_cmd_note_few_samples(&(struct rc_answer_time_limit){asked->options->risk,
                                                           asked->advice.time_limit},
                            asked->advice.search.n_samples);
}

void rc_cmd_advise_note_places(const struct rc_cmd_advise *asked)
{
    note_hosts(asked);
    note_procs(asked);
    note_costs(asked);
}

void rc_cmd_advise_notes(const struct rc_cmd_advise *asked)
{
    rc_cmd_advise_note_places(asked);
    if (asked->advice.runs)
        rc_cmd_note_elsewhere(asked->advice.runs);
    if (!asked->advice.by_trace && !asked->advice.by_model && !asked->options->probe) {
        note_gaps(asked);
        note_extrapolation(asked);
        /* The scaling model may use further parameters. */
        if (!asked->advice.answer.methods[RC_METHOD_SCALING].answered)
            rc_cmd_note_params(asked->options->app, asked->advice.model, asked->params,
                               asked->n_params);
    }
    rc_cmd_note_apart(&asked->advice.answer);
    rc_cmd_note_silent_methods(&asked->advice.answer,
                               rc_predict_open_models(asked->advice.predictor));
    note_speeds(asked);
    note_deadline(asked);
    note_samples(asked);
}
