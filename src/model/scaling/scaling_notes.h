// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_notes.h - notes of an answer. */
#ifndef RC_MODEL_SCALING_SCALING_NOTES_H
#define RC_MODEL_SCALING_SCALING_NOTES_H

#include <stddef.h>

#include "runcast.h"

enum { RC_SCALING_NOTE_SIZE = 320, RC_SCALING_NOTES_MAX = 64 };

/* Start from {0}; free with rc_scaling_notes_free(), which makes it {0} again.  A sentence that is
 * there already is not added again; nor is one past RC_SCALING_NOTES_MAX. */
struct rc_scaling_notes {
    char (*text)[RC_SCALING_NOTE_SIZE]; /* each without a full stop */
    size_t n, room;
};
void rc_scaling_notes_free(struct rc_scaling_notes *notes);

/* All take NULL for `notes`, and then do nothing.  -1 where memory ran out. */
int rc_scaling_note(struct rc_scaling_notes *notes, struct rc_error *error, const char *format, ...)
    RC_PRINTF(3, 4);
/* Adds all of `more`, each after "CLUSTER: " unless that is NULL. */
int rc_scaling_notes_join(struct rc_scaling_notes *notes, const char *cluster,
                          const struct rc_scaling_notes *more, struct rc_error *error);

#endif
