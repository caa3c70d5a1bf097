// SPDX-License-Identifier: GPL-3.0-or-later
/* form_entries.h - what ranks compute before the loops of a form. */
#ifndef RC_MODEL_SKELETON_SHRINK_FORM_ENTRIES_H
#define RC_MODEL_SKELETON_SHRINK_FORM_ENTRIES_H

#include <stdbool.h>

#include "model/skeleton/shrink/form.h"

/* Of a call at a place of the form: its first iterations alone, in the innermost loop. */
struct rc_form_opening {
    double n, work; /* how many, and the sum of their computing */
    uint32_t event; /* one of them */
};

static inline void rc_skeleton_form_opening_add(struct rc_form_opening *opening, uint32_t event,
                                                double work)
{
    opening->n++;
    opening->work += work;
    opening->event = event;
}

/* For each place of the string, whether it is in the first iteration of the innermost loop around
 * it; `first` has room for the string's length, and is false everywhere. */
void rc_skeleton_form_first_iterations(const struct rc_loops *loops, bool *first);

/* Finds the entries of the form.  The sums of its calls are not yet divided; those of calls with an
 * entry are made as if it were not there. */
int rc_skeleton_form_find_entries(struct rc_form *form, const struct rc_form_opening *openings,
                                  struct rc_error *error);

#endif
