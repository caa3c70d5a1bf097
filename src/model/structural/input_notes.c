// SPDX-License-Identifier: GPL-3.0-or-later
/* input_notes.c - what a user should know of the inputs of a binding besides their values.
 *
 * Notes of one kind on one input are one sentence, however many hosts they are about: it names the
 * host for which it matters most. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/unit.h"
#include "forecast/series_scenarios.h"
#include "model/structural/binding_internal.h"

void rc_structural_bound_note(struct rc_binding *binding, enum rc_note_kind kind,
                              const struct rc_item *item, const char *name, double number,
                              double limit)
{
    struct rc_note *note = binding->notes, *last = NULL;

    while (note && (note->kind != kind || note->item != item)) {
        last = note;
        note = note->next;
    }
    if (!note) {
        note = calloc(1, sizeof *note);
        if (!note)
            return; /* it is only a note */
        *note = (struct rc_note){.kind = kind, .item = item, .number = -INFINITY};
        *(last ? &last->next : &binding->notes) = note;
    }
    note->n++;
    if (number <= note->number)
        return;
    note->number = number;
    note->limit = limit;
    snprintf(note->name, sizeof note->name, "%s", name);
}

void rc_structural_bound_notes_free(struct rc_binding *binding)
{
    for (struct rc_note *note = binding->notes, *next; note; note = next) {
        next = note->next;
        free(note);
    }
    binding->notes = NULL;
}

/* "cpu[a1] and 3 more" */
static void write_names(const struct rc_note *note, char names[RC_REASON_SIZE + 40])
{
    if (note->n == 1)
        snprintf(names, RC_REASON_SIZE + 40, "%s", note->name);
    else
        snprintf(names, RC_REASON_SIZE + 40, "%s and %zu more", note->name, note->n - 1);
}

static void write_note(const struct rc_note *note, char text[RC_NOTE_SIZE])
{
    char names[RC_REASON_SIZE + 40], number[RC_UNIT_SIZE], limit[RC_UNIT_SIZE];

    write_names(note, names);
    rc_unit_format(note->number, RC_SECONDS, number);
    rc_unit_format(note->limit, RC_SECONDS, limit);
    switch (note->kind) {
    case RC_NOTE_SHORT_WINDOW:
        snprintf(text, RC_NOTE_SIZE,
                 "%s: the database lacks the first %s of the window of %s; the rest is used", names,
                 number, limit);
        break;
    case RC_NOTE_UNSEEN:
        snprintf(text, RC_NOTE_SIZE, "%s: no sample during the run; the last one before it is used",
                 names);
        break;
    case RC_NOTE_OLD:
        snprintf(text, RC_NOTE_SIZE, "%s: the newest sample is %s old; the interval was %s", names,
                 number, limit);
        break;
    case RC_NOTE_SHORT_PAST:
        snprintf(
            text, RC_NOTE_SIZE,
            "%s: %g sample%s, too few to forecast changes (%d are needed); a constant value is "
            "assumed",
            names, note->limit, note->limit == 1 ? "" : "s", RC_SERIES_SCENARIOS_LEAST);
        break;
    case RC_NOTE_ABOVE_ONE:
        snprintf(text, RC_NOTE_SIZE,
                 "%s: samples of %g, but a fraction of a core is at most 1; are they in percent?",
                 names, note->number);
        break;
    default:
        snprintf(text, RC_NOTE_SIZE,
                 "%s: the database has no series '%.100s' of any host; check the name",
                 note->item->name, note->item->metric);
    }
}

/* Processes and hosts that do not go together, where the model does not tell how they do. */
static enum rc_note_kind write_places(const struct rc_binding *binding, char text[RC_NOTE_SIZE])
{
    double processes = binding->setting.processes;
    char number[RC_NUMBER_SIZE];

    if (isnan(processes) || !binding->over_hosts || binding->by_processes ||
        processes == (double)binding->n_hosts)
        return RC_NOTE_NONE;
    rc_number_format_short(processes, 6, number);
    snprintf(text, RC_NOTE_SIZE,
             processes > (double)binding->n_hosts
                 ? "%s process%s on %zu host%s: the model ignores processes per host, so each host "
                   "counts once"
                 : "%s process%s on %zu host%s: the model uses all of these hosts",
             number, processes == 1 ? "" : "es", binding->n_hosts,
             binding->n_hosts == 1 ? "" : "s");
    return processes > (double)binding->n_hosts ? RC_NOTE_MANY_PROCESSES : RC_NOTE_FEW_PROCESSES;
}

enum rc_note_kind rc_structural_binding_note(const struct rc_binding *binding, size_t index,
                                             char text[RC_NOTE_SIZE])
{
    const struct rc_note *note = binding->notes;

    for (; note && index > 0; note = note->next)
        index--;
    if (note)
        write_note(note, text);
    return note ? note->kind : index == 0 ? write_places(binding, text) : RC_NOTE_NONE;
}
