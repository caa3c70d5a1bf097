// SPDX-License-Identifier: BSD-2-Clause
/* csv.c - reads tables of separated fields, row by row, in bounded memory.
 *
 * A row is split in the buffer: doubled quotes are undone in place, and the byte after each field
 * becomes its NUL. Invariants between calls:
 *  1. data[begin .. end) is read and not yet returned;
 *  2. `line` is the line number of data[begin];
 *  3. a row is split only once all of it is in the buffer, so an incomplete row stays unchanged
 *     until more is read. */
#include "base/csv.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { FIRST_CAPACITY = 1 << 16, HEADING_MAX = 255 };

/* Separators, the preferred ones first. */
static const char separators[] = ",;\t|";

struct rc_csv {
    struct rc_csv_source source;
    const char *name;
    char *data;
    size_t begin, end, capacity;
    uint64_t handed_out; /* bytes before data[begin] */
    unsigned line;
    bool at_end, started;
    bool discarding; /* skip the rest of a malformed line */
    char separator;
    bool separated; /* by `separator`, in all rows from here on */
    bool (*is_heading)(void *data, const char *text);
    void *heading_data;
    struct rc_csv_field *fields;
    size_t n_fields, fields_capacity;
};

struct rc_csv *rc_csv_create(struct rc_csv_source source, const char *name)
{
    struct rc_csv *csv = calloc(1, sizeof *csv);

    if (!csv)
        return NULL;
    csv->source = source;
    csv->name = name;
    csv->line = 1;
    csv->separator = ',';
    csv->capacity = FIRST_CAPACITY;
    csv->fields_capacity = 32;
    csv->data = malloc(csv->capacity + 1);
    csv->fields = malloc(csv->fields_capacity * sizeof *csv->fields);
    if (!csv->data || !csv->fields) {
        rc_csv_destroy(csv);
        return NULL;
    }
    return csv;
}

void rc_csv_destroy(struct rc_csv *csv)
{
    if (!csv)
        return;
    free(csv->data);
    free(csv->fields);
    free(csv);
}

void rc_csv_expect(struct rc_csv *csv, bool (*is_heading)(void *data, const char *text), void *data)
{
    csv->is_heading = is_heading;
    csv->heading_data = data;
}

char rc_csv_separator(const struct rc_csv *csv)
{
    return csv->separator;
}

uint64_t rc_csv_position(const struct rc_csv *csv)
{
    return csv->handed_out;
}

/* Reads more, after making room. */
static int fill(struct rc_csv *csv, struct rc_error *error)
{
    size_t length = csv->end - csv->begin;
    ptrdiff_t got;
    char *data;

    assert(csv->begin <= csv->end && csv->end <= csv->capacity);
    if (csv->begin > 0) {
        memmove(csv->data, csv->data + csv->begin, length);
        csv->begin = 0;
        csv->end = length;
    }
    if (csv->end == csv->capacity) {
        data = realloc(csv->data, csv->capacity * 2 + 1);
        if (!data)
            return rc_error_no_memory(error);
        csv->data = data;
        csv->capacity *= 2;
    }
    do
        got = csv->source.read(csv->source.data, csv->data + csv->end, csv->capacity - csv->end);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        rc_error_errno(error, errno, "cannot read %s", csv->name);
        return -1;
    }
    csv->at_end = got == 0;
    csv->end += (size_t)got;
    return 0;
}

/* Any separator may be that of the first row. */
static bool is_separator(const struct rc_csv *csv, char c)
{
    return csv->separated ? c == csv->separator : c && strchr(separators, c);
}

static bool is_blank(char c, char separator)
{
    return c == ' ' || (c == '\t' && separator != '\t');
}

/* Finds the end of the row that starts at `begin`: the length up to and with its line end.  0:
 * there is no line end yet.  A quoted field may hold line ends; a quote opens one only at the
 * start of a field. */
static size_t row_length(const struct rc_csv *csv)
{
    const char *start = csv->data + csv->begin, *end = csv->data + csv->end, *at = start;
    bool field_start = start < end && *start != '#'; /* quotes have no meaning in comments */

    while (at < end) {
        if (*at == '"' && field_start) {
            for (;;) { /* to the closing quote */
                at = memchr(at + 1, '"', (size_t)(end - at - 1));
                if (!at)
                    return 0;
                if (at + 1 == end || at[1] != '"')
                    break;
                at++;
            }
            field_start = false;
        } else if (*at == '\n') {
            return (size_t)(at - start) + 1;
        } else if (is_separator(csv, *at)) {
            field_start = *start != '#';
        } else if (!is_blank(*at, csv->separator)) {
            field_start = false;
        }
        at++;
    }
    return 0;
}

static void hand_out(struct rc_csv *csv, size_t length, unsigned lines)
{
    csv->begin += length;
    csv->handed_out += length;
    csv->line += lines;
}

/* The row was malformed: the line on which it began is left behind before the next one is read. */
static int malformed(struct rc_csv *csv)
{
    csv->discarding = true;
    return -1;
}

/* Passes over everything up to and with the next line end, which may be far away. */
static int discard_line(struct rc_csv *csv, struct rc_error *error)
{
    while (csv->discarding) {
        const char *start = csv->data + csv->begin;
        const char *newline = memchr(start, '\n', csv->end - csv->begin);

        if (newline || csv->at_end)
            csv->discarding = false;
        hand_out(csv, newline ? (size_t)(newline + 1 - start) : csv->end - csv->begin,
                 newline != NULL);
        if (csv->discarding && fill(csv, error))
            return -1;
    }
    return 0;
}

/* The place in a row that is being split. */
struct split {
    char *at, *end;
    char *line_start;
    size_t continued; /* UTF-8 continuation bytes since `line_start`: they are no columns */
    unsigned line;
};

static unsigned column_of(const struct split *s)
{
    return (unsigned)((size_t)(s->at - s->line_start) - s->continued) + 1;
}

/* Splits off a quoted field; `at` is on its opening quote.  Doubled quotes stay doubled until
 * finish_field(). */
static int split_quoted(struct rc_csv *csv, struct split *s, struct rc_csv_field *field,
                        struct rc_error *error)
{
    char *scan = s->at + 1;

    for (;; scan += 2) {
        scan = memchr(scan, '"', (size_t)(s->end - scan));
        if (!scan)
            return rc_error_at(error, csv->name, field->line, field->column, "unclosed quote");
        if (scan + 1 >= s->end || scan[1] != '"')
            break;
    }
    field->text = s->at + 1;
    field->length = (size_t)(scan - field->text);
    field->quoted = true;
    for (; s->at <= scan; s->at++) {
        if (*s->at == '\n') {
            s->line++;
            s->line_start = s->at + 1;
            s->continued = 0;
        } else {
            s->continued += ((unsigned char)*s->at & 0xc0) == 0x80;
        }
    }
    while (s->at < s->end && is_blank(*s->at, csv->separator))
        s->at++;
    if (s->at < s->end && *s->at != csv->separator)
        return rc_error_at(error, csv->name, s->line, column_of(s),
                           "expected a separator or the end of the line after a closing quote");
    return 0;
}

static int split_plain(struct rc_csv *csv, struct split *s, struct rc_csv_field *field,
                       struct rc_error *error)
{
    char *start = s->at, *last;

    for (; s->at < s->end && *s->at != csv->separator; s->at++) {
        if (*s->at == '"')
            return rc_error_at(error, csv->name, s->line, column_of(s),
                               "a quote inside an unquoted field");
        s->continued += ((unsigned char)*s->at & 0xc0) == 0x80;
    }
    for (last = s->at; last > start && is_blank(last[-1], csv->separator); last--)
        ;
    field->text = start;
    field->length = (size_t)(last - start);
    field->quoted = false;
    return 0;
}

/* Undoubles the quotes of a field and ends it with a NUL. */
static void finish_field(struct rc_csv_field *field)
{
    char *text = (char *)(uintptr_t)field->text, *to = text;

    if (field->quoted && memchr(text, '"', field->length)) {
        for (const char *from = text; from < text + field->length; from++) {
            from += *from == '"'; /* quotes come in pairs here */
            *to++ = *from;
        }
        field->length = (size_t)(to - text);
    }
    text[field->length] = '\0';
}

/* Splits the row of `length` bytes at `begin`, whose line end is already taken off.  Nothing is
 * changed in the buffer before all of the row is known to be well-formed, so that reading can go on
 * behind a bad line. */
static int split_row(struct rc_csv *csv, size_t length, struct rc_error *error)
{
    char *start = csv->data + csv->begin;
    struct split s = {start, start + length, start, 0, csv->line};
    struct rc_csv_field *field;

    csv->n_fields = 0;
    for (;;) {
        if (csv->n_fields == RC_CSV_FIELDS_MAX)
            return rc_error_at(error, csv->name, s.line, column_of(&s), "more than %d columns",
                               RC_CSV_FIELDS_MAX);
        if (rc_array_room(&csv->fields, csv->n_fields + 1, &csv->fields_capacity,
                          sizeof *csv->fields, error))
            return -1;
        field = &csv->fields[csv->n_fields++];
        while (s.at < s.end && is_blank(*s.at, csv->separator))
            s.at++;
        field->line = s.line;
        field->column = column_of(&s);
        if (s.at < s.end && *s.at == '"' ? split_quoted(csv, &s, field, error)
                                         : split_plain(csv, &s, field, error))
            return -1;
        if (s.at >= s.end)
            break;
        s.at++; /* the separator */
    }
    for (size_t i = 0; i < csv->n_fields; i++)
        finish_field(&csv->fields[i]);
    return 0;
}

/* ---- the separator ---- */

/* The field from `at` to the next separator outside quotes, without blanks and quotes; returns its
 * end.  `heading` is empty if it is too long. */
static const char *scan_heading(const char *at, const char *end, char separator,
                                char heading[HEADING_MAX + 1])
{
    const char *start, *last;

    heading[0] = '\0';
    while (at < end && is_blank(*at, separator))
        at++;
    start = at;
    if (at < end && *at == '"') {
        start = ++at;
        while (at < end && *at != '"')
            at++;
        last = at;
        while (at < end && *at != separator)
            at++;
    } else {
        while (at < end && *at != separator)
            at++;
        for (last = at; last > start && is_blank(last[-1], separator); last--)
            ;
    }
    if (last - start <= HEADING_MAX) {
        memcpy(heading, start, (size_t)(last - start));
        heading[last - start] = '\0';
    }
    return at;
}

/* The separator of the first row: the one that gives most headings that are known.  If several do,
 * it is the comma if there is one, and otherwise the one that gives most fields. */
static void find_separator(struct rc_csv *csv, size_t length)
{
    const char *start = csv->data + csv->begin, *end = start + length;
    size_t best_known = 0, best_fields = 1;
    char heading[HEADING_MAX + 1];

    csv->separator = ',';
    for (const char *separator = separators; *separator; separator++) {
        bool replaces_comma = csv->separator != ',' || best_fields == 1;
        size_t known = 0, fields = 0;

        for (const char *at = start; at <= end; at++, fields++) {
            at = scan_heading(at, end, *separator, heading);
            known += csv->is_heading && csv->is_heading(csv->heading_data, heading);
        }
        if (fields == 1 || known < best_known ||
            (known == best_known && (!replaces_comma || fields <= best_fields)))
            continue;
        csv->separator = *separator;
        best_known = known;
        best_fields = fields;
    }
}

/* Reads until a whole row lies at `begin`, and returns its length with its line end; 0: no more. */
static int find_row(struct rc_csv *csv, size_t *length, struct rc_error *error)
{
    if (discard_line(csv, error))
        return -1;
    for (;;) {
        *length = row_length(csv);
        if (*length > 0)
            return 0;
        if (csv->at_end) {
            *length = csv->end - csv->begin;
            return 0;
        }
        if (csv->end - csv->begin > RC_CSV_ROW_MAX)
            break;
        if (fill(csv, error))
            return -1;
        if (!csv->started) {
            /* A pipe may give the first bytes one by one. */
            while (csv->end < 3 && !csv->at_end)
                if (fill(csv, error))
                    return -1;
            csv->started = true;
            if (csv->end - csv->begin >= 3 &&
                memcmp(csv->data + csv->begin, "\xef\xbb\xbf", 3) == 0) { /* byte order mark */
                csv->begin += 3;
                csv->handed_out += 3;
            }
        }
    }
    rc_error_at(error, csv->name, csv->line, 1,
                "a row of more than %d bytes; is a closing quote missing?", RC_CSV_ROW_MAX);
    return malformed(csv);
}

/* Whether the line is a comment, which ends at its line end despite quotes. */
static bool skip_remark(struct rc_csv *csv)
{
    char *start = csv->data + csv->begin, *newline;

    if (csv->begin == csv->end || *start != '#')
        return false;
    newline = memchr(start, '\n', csv->end - csv->begin);
    if (!newline && !csv->at_end)
        return false;
    hand_out(csv, newline ? (size_t)(newline + 1 - start) : csv->end - csv->begin, 1);
    return true;
}

static bool is_empty_row(const struct rc_csv *csv)
{
    for (size_t i = 0; i < csv->n_fields; i++)
        if (csv->fields[i].length > 0 || csv->fields[i].quoted)
            return false;
    return true;
}

static unsigned count_lines(const char *start, size_t length)
{
    unsigned lines = 0;

    for (const char *at = start; (at = memchr(at, '\n', length - (size_t)(at - start))); at++)
        lines++;
    return lines;
}

/* The row of `length` bytes at `begin`, without its line end. */
static int take_row(struct rc_csv *csv, size_t length, struct rc_csv_row *row,
                    struct rc_error *error)
{
    const char *start = csv->data + csv->begin, *nul;
    size_t content = length;
    unsigned lines = count_lines(start, length);

    if (start[content - 1] == '\n')
        content--;
    if (content > 0 && content < length && start[content - 1] == '\r')
        content--;
    nul = memchr(start, '\0', content);
    if (nul) {
        rc_error_at(error, csv->name, csv->line, (unsigned)(nul - start) + 1,
                    "a NUL byte; not a text file");
        return malformed(csv);
    }
    if (!csv->separated)
        find_separator(csv, content);
    if (split_row(csv, content, error))
        return malformed(csv);
    row->fields = csv->fields;
    row->n_fields = csv->n_fields;
    row->line = csv->line;
    hand_out(csv, length, lines);
    return 0;
}

int rc_csv_next(struct rc_csv *csv, struct rc_csv_row *row, struct rc_error *error)
{
    size_t length;

    do {
        do {
            if (find_row(csv, &length, error))
                return -1;
        } while (skip_remark(csv));
        if (length == 0)
            return 0;
        if (take_row(csv, length, row, error))
            return -1;
    } while (is_empty_row(csv));
    csv->separated = true;
    return 1;
}
