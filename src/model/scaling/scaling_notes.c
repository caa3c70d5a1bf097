// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_notes.c - sentences for people. */
#include "model/scaling/scaling_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

void rc_scaling_notes_free(struct rc_scaling_notes *notes)
{
    free(notes->text);
    *notes = (struct rc_scaling_notes){0};
}

static int add(struct rc_scaling_notes *notes, const char *text, struct rc_error *error)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strcmp(notes->text[i], text) == 0)
            return 0;
    if (notes->n >= RC_SCALING_NOTES_MAX)
        return 0;
    if (rc_array_room(&notes->text, notes->n + 1, &notes->room, sizeof *notes->text, error))
        return -1;
    memcpy(notes->text[notes->n++], text, RC_SCALING_NOTE_SIZE);
    return 0;
}

int rc_scaling_note(struct rc_scaling_notes *notes, struct rc_error *error, const char *format, ...)
{
    char text[RC_SCALING_NOTE_SIZE] = "";
    va_list arguments;

    if (!notes)
        return 0;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(text, sizeof text);
    return add(notes, text, error);
}

int rc_scaling_notes_join(struct rc_scaling_notes *notes, const char *cluster,
                          const struct rc_scaling_notes *more, struct rc_error *error)
{
    for (size_t i = 0; i < more->n; i++)
        if (rc_scaling_note(notes, error, "%s%s%s", cluster ? cluster : "", cluster ? ": " : "",
                            more->text[i]))
            return -1;
    return 0;
}
