// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_notes.c - what 'runcast advise' says besides its answer: what it rests on less than it
 * seems, and which of what was asked for does not count. */
#include <math.h>
#include <string.h>

#include "base/unit.h"
#include "cmd/advise.h"
#include "cmd/predict.h"
#include "predict/structured.h"
#include "regress/model.h"

/* ---- hosts ---- */

static void tell_hosts(const struct rc_cmd_advise *asked)
{
    if (asked->n_unknown == asked->n_hosts)
        rc_cmd_note("the store has no CPU samples of these hosts from the day before: they are "
                    "taken to be idle ('runcast watch' tells more)");
    else if (asked->n_unknown > 0)
        rc_cmd_note("%zu of %zu hosts are left out, such as %s: the store has no CPU samples of "
                    "them from the day before",
                    asked->n_unknown, asked->n_hosts, asked->unknown);
    if (asked->weights_from == RC_WEIGHTS_UNKNOWN)
        rc_cmd_note("the platform says the speed of some hosts only: all are taken to be as fast");
    if (asked->weights_from == RC_WEIGHTS_SLOWEST && !asked->by_model)
        rc_cmd_note("no run in the store tells on which of these hosts it was: the runs are taken "
                    "to be of the slowest");
    rc_cmd_note_apart(&asked->source.hosts);
}

/* Numbers of processes that were asked for, and do not fit. */
static void tell_procs(const struct rc_cmd_advise *asked)
{
    int64_t room = rc_search_room(&asked->question), first = 0;
    size_t n = 0;

    for (size_t i = 0; i < asked->n_procs; i++)
        if (asked->procs[i] > room && n++ == 0)
            first = asked->procs[i];
    if (n == 1)
        rc_cmd_note("--procs: %lld processes do not fit onto the hosts: %lld do at most%s",
                    (long long)first, (long long)room,
                    asked->platform->n_clusters > 1 ? ", in one cluster" : "");
    else if (n > 1)
        rc_cmd_note("--procs: %zu of the numbers do not fit onto the hosts, such as %lld: %lld "
                    "processes do at most%s",
                    n, (long long)first, (long long)room,
                    asked->platform->n_clusters > 1 ? ", in one cluster" : "");
}

/* ---- models ---- */

static void tell_beyond(const struct rc_cmd_advise *asked)
{
    struct rc_rg_question question = {.n = asked->options->size,
                                      .p = (double)asked->search.list[0].candidate.procs};
    struct rc_rg_beyond beyond;

    for (size_t i = 0; i < RC_RG_PARAMS_MAX; i++)
        question.params[i] = NAN;
    rc_rg_beyond(asked->source.model, &question, &beyond);
    if (beyond.p > 1 || beyond.n > 1)
        rc_cmd_note("the choice goes beyond the runs: %s is %.3g times the nearest that was seen",
                    beyond.p > beyond.n ? "its number of processes" : "the problem size",
                    fmax(beyond.p, beyond.n));
}

static bool is_learnt(const struct rc_rg_model *model, const char *param)
{
    for (size_t i = 0; i < model->n_params; i++)
        if (strcmp(model->params[i], param) == 0)
            return true;
    return false;
}

/* Parameters change nothing where no model takes them. */
static void tell_params(const struct rc_cmd_advise *asked)
{
    for (size_t i = 0; i < asked->n_params; i++)
        if (!is_learnt(asked->source.model, asked->params[i].name))
            rc_cmd_note("--param %s: the model of the runs does not know it: regression says the "
                        "same without it",
                        asked->params[i].name);
}

/* Families that have a model of the program, and no answer to this question. */
static void tell_families(const struct rc_cmd_advise *asked)
{
    unsigned open = asked->door ? rc_door_open_families(asked->door) : 0;

    for (int f = 0; f < RC_DOOR_FAMILIES && asked->consulted.answered > 0; f++) {
        const struct rc_door_part *part = &asked->consulted.parts[f];

        if ((open & 1U << f) && part->asked && !part->answered)
            rc_cmd_note("%s has no answer, and does not count: %s",
                        rc_door_family_name((enum rc_door_family)f), part->why.text);
    }
}

/* Of the hosts that are not left out. */
static bool speeds_differ(const struct rc_cmd_advise *asked)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < asked->n_hosts; i++)
        if (!asked->hosts[i].out) {
            least = fmin(least, asked->weights[i]);
            most = fmax(most, asked->weights[i]);
        }
    return most > least;
}

/* Whether an input tells hosts apart by more than their load. */
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

static void tell_speeds(const struct rc_cmd_advise *asked)
{
    const struct rc_structured *structured =
        asked->consulted.parts[RC_DOOR_STRUCTURE].answered ? rc_door_structured(asked->door) : NULL;

    if (structured && speeds_differ(asked) && !knows_hosts(structured->source.model))
        rc_cmd_note("the structural model '%s' does not know how fast hosts are, and says the same "
                    "of fast ones and slow ones ('from platform speed' would tell it)",
                    structured->source.model->name);
}

/* ---- what counts ---- */

/* By risk, a deadline is no bar. */
static void tell_deadline(const struct rc_cmd_advise *asked)
{
    const struct rc_advised *choice = &asked->search.list[0];
    const struct rc_aim *aim = &asked->question.aim;
    char deadline[RC_UNIT_SIZE], expected[RC_UNIT_SIZE];

    if (choice->in_time)
        return;
    rc_unit_format_apart(aim->deadline, choice->mean, RC_SECONDS, deadline, expected);
    rc_cmd_note("nothing ends within --deadline %s with --confidence %g: the choice takes %s on "
                "average, and ends in time with probability %.2g",
                deadline, aim->confidence, expected, 1 - choice->miss);
}

void rc_cmd_advise_notes(const struct rc_cmd_advise *asked)
{
    tell_hosts(asked);
    tell_procs(asked);
    if (!asked->by_recording && !asked->by_model && !asked->options->probe) {
        tell_beyond(asked);
        tell_params(asked);
    }
    tell_families(asked);
    tell_speeds(asked);
    tell_deadline(asked);
}
