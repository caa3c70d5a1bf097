// SPDX-License-Identifier: GPL-3.0-or-later
/* emit_output.c - adds to the text of a program, and writes things once, however often they come.
 *
 * The texts of program/ have sections, up to the next "//" line: "//? WORDS" begins one that is
 * left out unless the program uses one of the words, names of calls and of what they need; "//+
 * CALLS" one that is written for each of the calls that the program uses, with @ for its name; and
 * "//." one that is always there. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/error.h"
#include "model/skeleton/emit/emit_internal.h"
#include "mpi/trace/trace.h"

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

/* ---- the texts of program/ ---- */

/* A short skeleton of a program that hardly communicates has only computing. */
static bool has_calls(const struct emit *emit)
{
    for (size_t i = 0; i < sizeof emit->used / sizeof *emit->used; i++)
        if (emit->used[i])
            return true;
    return false;
}

static bool is_feature(const struct emit *emit, const char *word)
{
    const struct {
        const char *word;
        bool used;
    } features[] = {
        {"no_calls", !has_calls(emit)},
        {"requests", emit->requests},
        {"awaited_lists", emit->awaits_lists},
        {"sends", emit->sends},
        {"extents", emit->extents || emit->reductions},
        {"large", emit->extents && emit->large},
        {"small", emit->extents && !emit->large},
        {"reductions", emit->reductions},
        {"spreads", emit->spreads_used},
        {"memory", emit->footprints},
        {"neighbours", emit->neighbours},
        {"file_calls", emit->file_calls},
        {"file_bytes", emit->file_bytes},
        {"persistent_send", emit->starts[0][0] || emit->starts[1][0]},
        {"persistent_ssend", emit->starts[0][1] || emit->starts[1][1]},
        {"persistent_recv", emit->starts[0][2] || emit->starts[1][2]},
        {"Start_send", emit->starts[0][0]},
        {"Start_ssend", emit->starts[0][1]},
        {"Start_recv", emit->starts[0][2]},
        {"Startall_send", emit->starts[1][0]},
        {"Startall_ssend", emit->starts[1][1]},
        {"Startall_recv", emit->starts[1][2]},
    };
    char name[80] = "MPI_";
    int kind;

    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (strcmp(word, features[i].word) == 0)
            return features[i].used;
    strncat(name, word, sizeof name - 5);
    kind = rc_trace_kind_find(name);
    return kind >= 0 && emit->used[kind];
}

static bool is_mark(const char *line)
{
    return line[0] == '/' && line[1] == '/' && line[2] && strchr("?+.", line[2]);
}

/* Adds a line of a template, as it is for the call `name`. */
static void add_line(struct emit *emit, const char *line, const char *name)
{
    static const struct {
        const char *mark, *blocking, *nonblocking;
    } marks[] = {{"$slot", "", ", int slot"},
                 {"$request", "", ", &requests[slot]"},
                 {"$got", "got", "slot_memory[slot]"},
                 {"$number", "-1", "slot"}};

    while (*line) {
        size_t plain = strcspn(line, "@$"), i = 0;

        EMIT(emit, "%.*s", (int)plain, line);
        line += plain;
        if (*line == '@') {
            EMIT(emit, "%s", name);
            line++;
        } else if (*line == '$') {
            while (strncmp(line, marks[i].mark, strlen(marks[i].mark)) != 0)
                i++;
            assert(i < sizeof marks / sizeof *marks);
            EMIT(emit, "%s", name[0] == 'I' ? marks[i].nonblocking : marks[i].blocking);
            line += strlen(marks[i].mark);
        }
    }
}

/* Adds what begins with a line of words, once for each word that the program uses, if it is a
 * template, or else as it is where the program uses any of them. */
static void add_section(struct emit *emit, const char *const *lines, bool is_template)
{
    char words[256], *rest = NULL;

    snprintf(words, sizeof words, "%s", *lines + 3);
    for (char *word = strtok_r(words, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        if (!is_feature(emit, word))
            continue;
        for (const char *const *line = lines + 1; *line && !is_mark(*line); line++)
            if (is_template)
                add_line(emit, *line, word);
            else
                EMIT(emit, "%s", *line);
        if (!is_template)
            return;
    }
}

void rc_skeleton_emit_text(struct emit *emit, const char *const *lines)
{
    bool wanted = true;

    EMIT(emit, "\n");
    for (; *lines; lines++) {
        if (is_mark(*lines)) {
            wanted = (*lines)[2] == '.';
            if (!wanted)
                add_section(emit, lines, (*lines)[2] == '+');
        } else if (wanted) {
            EMIT(emit, "%s", *lines);
        }
    }
}

/* ---- what is written once ---- */

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
