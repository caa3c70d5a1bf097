// SPDX-License-Identifier: GPL-3.0-or-later
/* remarks.c - what a user should know of the inputs of a binding besides their values.
 *
 * Remarks of one kind on one input are one sentence, however many hosts they are about: it names the
 * host for which it matters most. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/unit.h"
#include "forecast/series_scenarios.h"
#include "model/structural/internal.h"

void rc_structural_bound_remark(struct rc_binding *binding, enum rc_remark_kind kind,
                                const struct rc_item *item, const char *name, double number,
                                double limit)
{
    struct rc_remark *remark = binding->remarks, *last = NULL;

    while (remark && (remark->kind != kind || remark->item != item)) {
        last = remark;
        remark = remark->next;
    }
    if (!remark) {
        remark = calloc(1, sizeof *remark);
        if (!remark)
            return; /* it is only a remark */
        *remark = (struct rc_remark){.kind = kind, .item = item, .number = -INFINITY};
        *(last ? &last->next : &binding->remarks) = remark;
    }
    remark->n++;
    if (number <= remark->number)
        return;
    remark->number = number;
    remark->limit = limit;
    snprintf(remark->name, sizeof remark->name, "%s", name);
}

void rc_structural_bound_remarks_free(struct rc_binding *binding)
{
    for (struct rc_remark *remark = binding->remarks, *next; remark; remark = next) {
        next = remark->next;
        free(remark);
    }
    binding->remarks = NULL;
}

/* "cpu[a1] and 3 more" */
static void write_names(const struct rc_remark *remark, char names[RC_REASON_SIZE + 40])
{
    if (remark->n == 1)
        snprintf(names, RC_REASON_SIZE + 40, "%s", remark->name);
    else
        snprintf(names, RC_REASON_SIZE + 40, "%s and %zu more", remark->name, remark->n - 1);
}

static void write_remark(const struct rc_remark *remark, char text[RC_REMARK_SIZE])
{
    char names[RC_REASON_SIZE + 40], number[RC_UNIT_SIZE], limit[RC_UNIT_SIZE];

    write_names(remark, names);
    rc_unit_format(remark->number, RC_SECONDS, number);
    rc_unit_format(remark->limit, RC_SECONDS, limit);
    switch (remark->kind) {
    case RC_REMARK_SHORT_WINDOW:
        snprintf(text, RC_REMARK_SIZE,
                 "%s: of the window of %s that the model wants, the store "
                 "lacks the first %s; the rest counts",
                 names, limit, number);
        break;
    case RC_REMARK_UNSEEN:
        snprintf(text, RC_REMARK_SIZE,
                 "%s: there is no sample during the run; the one before it "
                 "counts for all of it",
                 names);
        break;
    case RC_REMARK_OLD:
        snprintf(text, RC_REMARK_SIZE,
                 "%s: the newest sample is %s old, and there was one every "
                 "%s",
                 names, number, limit);
        break;
    case RC_REMARK_SHORT_PAST:
        snprintf(text, RC_REMARK_SIZE,
                 "%s: %g sample%s too few to know how it changes, which "
                 "takes %d; it is taken to stay as it is",
                 names, remark->limit, remark->limit == 1 ? " is" : "s are",
                 RC_SERIES_SCENARIOS_LEAST);
        break;
    case RC_REMARK_ABOVE_ONE:
        snprintf(text, RC_REMARK_SIZE,
                 "%s: there are samples of %g, and a share of a core is at "
                 "most 1: are they in percent?",
                 names, remark->number);
        break;
    default:
        snprintf(text, RC_REMARK_SIZE,
                 "%s: the store has no series '%.100s' at all, of any host: "
                 "is that its name?",
                 remark->item->name, remark->item->metric);
    }
}

/* Processes and hosts that do not go together, where the model does not tell how they do. */
static bool write_places(const struct rc_binding *binding, char text[RC_REMARK_SIZE])
{
    double processes = binding->setting.processes;
    char number[RC_NUMBER_SIZE];

    if (isnan(processes) || !binding->over_hosts || binding->by_processes ||
        processes == (double)binding->n_hosts)
        return false;
    rc_number_format_short(processes, 6, number);
    snprintf(text, RC_REMARK_SIZE,
             processes > (double)binding->n_hosts
                 ? "%s process%s on %zu host%s: what the model says of a host counts once, however "
                   "many of them are there"
                 : "%s process%s on %zu host%s: the model reckons with all of these hosts; name "
                   "those that are meant with --hosts",
             number, processes == 1 ? "" : "es", binding->n_hosts,
             binding->n_hosts == 1 ? "" : "s");
    return true;
}

enum rc_remark_kind rc_structural_binding_remark(const struct rc_binding *binding, size_t index,
                                                 char text[RC_REMARK_SIZE])
{
    const struct rc_remark *remark = binding->remarks;

    for (; remark && index > 0; remark = remark->next)
        index--;
    if (remark)
        write_remark(remark, text);
    return remark                                      ? remark->kind
           : index == 0 && write_places(binding, text) ? RC_REMARK_PLACES
                                                       : RC_REMARK_NONE;
}
