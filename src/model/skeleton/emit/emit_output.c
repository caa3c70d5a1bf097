// SPDX-License-Identifier: GPL-3.0-or-later
/* emit_output.c - adding to the text of a program, and things that are written once, however often
 * they come. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"

void rc_skeleton_emit_add(struct emit *emit, struct rc_buffer *to, const char *format, ...)
{
    char short_text[256], *text = short_text;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(short_text, sizeof short_text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof short_text) {
        text = malloc((size_t)length + 1);
        va_start(arguments, format);
        if (text)
            vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    if (!text || length < 0 || rc_buffer_add(to, text, (size_t)length))
        emit->failed = true;
    if (text != short_text)
        free(text);
}

struct emit_set_entry {
    size_t place;
    UT_hash_handle hh;
    char key[];
};

int64_t rc_skeleton_emit_place(struct emit *emit, struct emit_set *set, const void *key,
                               size_t size, size_t room, bool *is_new)
{
    struct emit_set_entry *entry;

    *is_new = false;
    HASH_FIND(hh, set->entries, key, size, entry);
    if (entry)
        return (int64_t)entry->place;
    entry = malloc(sizeof *entry + size);
    if (!entry)
        return rc_error_no_memory(emit->error);
    memcpy(entry->key, key, size);
    entry->place = set->n;
    set->n += room;
    HASH_ADD_KEYPTR(hh, set->entries, entry->key, size, entry);
    *is_new = true;
    return (int64_t)entry->place;
}

void rc_skeleton_emit_set_free(struct emit_set *set)
{
    struct emit_set_entry *entry, *next;

    HASH_ITER(hh, set->entries, entry, next)
    {
        HASH_DEL(set->entries, entry);
        free(entry);
    }
}
