// SPDX-License-Identifier: GPL-3.0-or-later
/* notes.c - notes of 'runcast split'. */
#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "cmd/split/split.h"

enum { NAMED = 8 }; /* hosts in a text that would get long */

static void note_unknown_hosts(const struct rc_cmd_split *asked)
{
    const char *first = NULL;
    size_t n = 0;

    for (size_t h = 0; h < asked->list.count; h++)
        if (!asked->split.facts[h].known && n++ == 0)
            first = asked->list.names[h];
    rc_cmd_note_unwatched(first, n, asked->list.count);
}

static void note_idle_processes(const struct rc_cmd_split *asked)
{
    const int64_t *units = asked->split.plans[asked->policy].units;

    for (size_t h = 0; h < asked->list.count; h++)
        if (units[h] > 0 && units[h] < asked->options->per_host)
            rc_cmd_note("%s has fewer units than processes; use a smaller --per-host",
                        asked->list.names[h]);
}

static void note_speeds(const struct rc_cmd_split *asked)
{
    if (asked->paces.speeds_unused)
        rc_cmd_note(
            "the speeds of the platform file have no effect: the structural model of %s has "
            "its own times for each host",
            asked->options->app);
    if (asked->speeds_lack && asked->paces.speeds == RC_SPEEDS_ALIKE)
        rc_cmd_note_speeds(asked->platform, asked->options->platform_file,
                           "all are assumed equally fast");
    if (asked->paces.weights_from == RC_WEIGHTS_UNKNOWN)
        rc_cmd_note_speeds(asked->platform, asked->options->platform_file,
                           "these hosts are not compared with those of the runs");
    if (asked->paces.weights_from == RC_WEIGHTS_SLOWEST)
        rc_cmd_note_slowest(asked->options->app);
}

/* ---- options without effect ---- */

/* A structural model that has no input for one is not asked. */
static void note_params(const struct rc_cmd_split *asked)
{
    if (asked->paces.dedicated_from == RC_DEDICATED_MODEL && asked->paces.runs)
        rc_cmd_note_params(asked->options->app, asked->paces.runs->model, asked->params,
                           asked->n_params);
    for (size_t i = 0; i < asked->n_params; i++)
        if (asked->paces.dedicated_from == RC_DEDICATED_GIVEN)
            rc_cmd_note("--param %s has no effect with --dedicated", asked->params[i].name);
        else if (asked->paces.dedicated_from == RC_DEDICATED_UNKNOWN)
            rc_cmd_note("--param %s has no effect: no model predicts the run time of %s",
                        asked->params[i].name, asked->options->app);
}

static void note_model(const struct rc_cmd_split *asked)
{
    const struct rc_error *missing = &asked->paces.model_missing;

    if (missing->text[0])
        rc_cmd_note("the structural model of %s is not used: %s%s%s%s", asked->options->app,
                    missing->text, missing->hint[0] ? " (" : "", missing->hint,
                    missing->hint[0] ? ")" : "");
}

/* Shares sum to 1, and units to all units; other numbers are scaled. */
static void note_current(const struct rc_cmd_split *asked)
{
    double sum = 0, whole = (double)asked->question.units;
    char number[RC_NUMBER_SIZE], shares[200] = "";

    for (size_t h = 0; asked->current && h < asked->list.count; h++)
        sum += asked->current[h];
    if (!asked->current || fabs(sum - 1) < 0.01 || fabs(sum / whole - 1) < 1e-9)
        return;
    for (size_t h = 0; h < asked->list.count && h < NAMED; h++) {
        rc_number_format_short(asked->current[h] / sum, 3, number);
        rc_text_append(shares, sizeof shares, "%s%s", h ? "," : "", number);
    }
    rc_number_format_short(sum, 6, number);
    rc_cmd_note("--current sums to %s, not to 1 or the number of units; it is scaled to the shares "
                "%s%s",
                number, shares, asked->list.count > NAMED ? ",..." : "");
}

void rc_cmd_split_notes(const struct rc_cmd_split *asked)
{
    if (asked->paces.runs)
        rc_cmd_note_elsewhere(asked->paces.runs);
    note_model(asked);
    note_params(asked);
    note_current(asked);
    note_speeds(asked);
    note_unknown_hosts(asked);
    rc_cmd_note_freshness(&asked->freshness, (const char *const *)asked->list.names);
    note_idle_processes(asked);
}
