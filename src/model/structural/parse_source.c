// SPDX-License-Identifier: GPL-3.0-or-later
/* parse_source.c - the bytes of a model file: are they text, which lines are there, and where in
 * the file does a byte stand.
 *
 * All that follows works on a copy of the same length, in which what means nothing is blank; a
 * stretch of the copy can then be handed to any other parser, and what that says of a place in the
 * stretch holds for the file. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/structural/parse.h"

/* ---- places ---- */

void rc_structural_source_place(struct rc_source *source, size_t at, unsigned *line,
                                unsigned *column)
{
    size_t i = source->known;

    *line = source->known_line;
    *column = source->known_column;
    if (at < i) {
        i = 0;
        *line = *column = 1;
    }
    for (; i < at; i++) {
        if (source->plain[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)source->plain[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
    source->known = at;
    source->known_line = *line;
    source->known_column = *column;
}

size_t rc_structural_source_byte(const struct rc_source *source, unsigned line, unsigned column)
{
    size_t i = 0;

    for (; line > 1 && i < source->length; i++)
        line -= source->plain[i] == '\n';
    while (column > 1 && i < source->length && source->plain[i] != '\n') {
        i++;
        while (i < source->length && ((unsigned char)source->plain[i] & 0xc0) == 0x80)
            i++;
        column--;
    }
    return i;
}

RC_PRINTF(4, 5)
static int fail(struct rc_source *source, size_t at, struct rc_error *error, const char *format,
                ...)
{
    unsigned line, column;
    va_list arguments;
    char text[128];

    rc_structural_source_place(source, at, &line, &column);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return rc_error_at(error, source->name, line, column, "%s", text);
}

/* ---- characters ---- */

/* The length of the printable character at `s`; 0 where there is none. */
static size_t character_length(const char *s, size_t length)
{
    for (size_t n = 1; n <= 4 && n <= length; n++)
        if (rc_text_is_printable(s, n))
            return n;
    return 0;
}

/* Those beyond ASCII that are well-formed but no text; U+0080..9f, and what redraws lines. */
static bool is_wide_control(const unsigned char *s, size_t length)
{
    return (length > 1 && s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0) ||
           (length > 2 && s[0] == 0xe2 && (s[1] == 0x80 || s[1] == 0x81) && s[2] >= 0x80 &&
            s[2] < 0xc0);
}

static int check_characters(struct rc_source *source, struct rc_error *error)
{
    const unsigned char *bytes = (const unsigned char *)source->plain;

    for (size_t i = 0, step; i < source->length; i += step) {
        size_t left = source->length - i;

        step = 1;
        if (bytes[i] == '\n' || bytes[i] == '\t' ||
            (bytes[i] == '\r' && left > 1 && bytes[i + 1] == '\n'))
            continue;
        step = character_length(source->plain + i, left);
        if (step > 0)
            continue;
        if (bytes[i] == 0)
            return fail(source, i, error, "NUL byte; not a text file");
        if (bytes[i] == '\r')
            return fail(source, i, error, "CR without LF");
        if (bytes[i] < 0x80)
            return fail(source, i, error, "control character (byte 0x%02x)", bytes[i]);
        if (is_wide_control(bytes + i, left))
            return fail(source, i, error, "control character (first byte 0x%02x)", bytes[i]);
        return fail(source, i, error, "invalid UTF-8 (byte 0x%02x)", bytes[i]);
    }
    return 0;
}

/* ---- lines ---- */

/* Blanks out comments, tabs and CRs; a '#' between quotes is no comment. */
static int blank_out(struct rc_source *source, struct rc_error *error)
{
    char *plain = source->plain;
    bool quoted = false, comment = false;
    size_t opened = 0;

    for (size_t i = 0; i < source->length; i++) {
        if (plain[i] == '\n') {
            if (quoted)
                break;
            comment = false;
        } else if (comment || plain[i] == '\t' || plain[i] == '\r') {
            plain[i] = ' ';
        } else if (plain[i] == '"') {
            quoted = !quoted;
            opened = i;
        } else if (plain[i] == '#' && !quoted) {
            comment = true;
            plain[i] = ' ';
        }
    }
    return quoted ? fail(source, opened, error, "missing closing '\"' in this line") : 0;
}

static int find_lines(struct rc_source *source, struct rc_error *error)
{
    const char *plain = source->plain;
    size_t begin = 0, next;

    for (; begin < source->length; begin = next) {
        const char *newline = memchr(plain + begin, '\n', source->length - begin);
        size_t end = newline ? (size_t)(newline - plain) : source->length, start = begin;
        struct rc_source_line line;

        next = end + 1;
        while (start < end && plain[start] == ' ')
            start++;
        if (start == end)
            continue;
        while (plain[end - 1] == ' ')
            end--;
        line = (struct rc_source_line){start, end, start > begin};
        if (rc_structural_model_push(&source->lines, &source->n_lines, &line, sizeof line, error))
            return -1;
    }
    return 0;
}

int rc_structural_source_open(struct rc_source *source, const char *text, size_t length,
                              const char *name, struct rc_error *error)
{
    *source =
        (struct rc_source){.name = name, .length = length, .known_line = 1, .known_column = 1};
    source->plain = malloc(length + 1);
    if (!source->plain)
        return rc_error_no_memory(error);
    memcpy(source->plain, text, length);
    source->plain[length] = '\0';
    if (check_characters(source, error) || blank_out(source, error))
        return -1;
    return find_lines(source, error);
}

void rc_structural_source_close(struct rc_source *source)
{
    free(source->plain);
    free(source->lines);
    *source = (struct rc_source){0};
}
