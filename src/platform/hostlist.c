// SPDX-License-Identifier: GPL-3.0-or-later
/* hostlist.c - host list expressions into names.
 *
 * An entry is read into parts, literal text and brackets by turns; then the product of the
 * brackets is run through.  The size of the product is known before a name is made, so that a
 * short expression cannot ask for much work. */
#include "platform/hostlist.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

enum { PARTS_MAX = 2 * RC_HOST_BRACKETS_MAX + 1 };

/* A number or a range inside brackets. */
struct item {
    uint64_t low, high;
    int width; /* digits at least, with leading zeros */
};

/* Literal text, or (length 0) a bracket: some of the items. */
struct part {
    size_t start, length;
    size_t first_item, n_items;
};

struct expansion {
    const char *text;
    size_t length, at, most;
    struct part parts[PARTS_MAX + 1]; /* one more, for the entry that has too many */
    size_t n_parts;
    struct item *items;
    size_t n_items, items_room;
    struct rc_hostlist *list;
    size_t *starts; /* where in the text the entry of each name starts */
    size_t names_room, starts_room;
    struct rc_error *error;
};

RC_PRINTF(3, 4)
static int fail(const struct expansion *e, size_t offset, const char *format, ...)
{
    unsigned column = 1;
    char message[400];
    va_list arguments;

    for (size_t i = 0; i < offset; i++)
        column += ((unsigned char)e->text[i] & 0xc0) != 0x80;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(message, sizeof message);
    return rc_error_at(e->error, "", 0, column, "%s", message);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_character(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80 || (c && strchr(".-_:", c));
}

bool rc_platform_hostlist_is_name(const char *name)
{
    size_t length = strlen(name);

    if (length == 0 || length > RC_HOST_NAME_MAX || name[0] == '-')
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_name_character(name[i]))
            return false;
    return rc_text_is_printable(name, length);
}

/* ---- reading ---- */

static int read_number(struct expansion *e, uint64_t *value, size_t *digits)
{
    size_t start = e->at;

    *value = 0;
    for (; e->at < e->length && is_digit(e->text[e->at]); e->at++) {
        if (e->at - start == RC_HOST_DIGITS_MAX)
            return fail(e, start, "a number of more than %d digits", RC_HOST_DIGITS_MAX);
        *value = *value * 10 + (uint64_t)(e->text[e->at] - '0');
    }
    *digits = e->at - start;
    if (*digits == 0)
        return fail(e, start, "missing number in brackets");
    return 0;
}

static int read_item(struct expansion *e, struct item *item)
{
    size_t start = e->at, digits, high_start, high_digits;
    bool padded;

    if (read_number(e, &item->low, &digits))
        return -1;
    padded = e->text[start] == '0' && digits > 1;
    item->width = padded ? (int)digits : 0;
    item->high = item->low;
    if (e->at == e->length || e->text[e->at] != '-')
        return 0;
    high_start = ++e->at;
    if (read_number(e, &item->high, &high_digits))
        return -1;
    if (item->high < item->low)
        return fail(e, start, "the range %.*s is backwards", (int)(e->at - start), e->text + start);
    if (e->text[high_start] == '0' && high_digits > 1 && high_digits != digits)
        return fail(e, start, "the bounds of the range %.*s differ in leading zeros",
                    (int)(e->at - start), e->text + start);
    return 0;
}

static int add_item(struct expansion *e, const struct item *item)
{
    if (rc_array_room(&e->items, e->n_items + 1, &e->items_room, sizeof *e->items, e->error))
        return -1;
    e->items[e->n_items++] = *item;
    return 0;
}

/* From the '[' to just after the ']'. */
static int read_bracket(struct expansion *e, struct part *part)
{
    size_t open = e->at++;
    struct item item;

    part->first_item = e->n_items;
    for (;;) {
        if (e->at == e->length)
            return fail(e, open, "this '[' has no ']'");
        if (read_item(e, &item) || add_item(e, &item))
            return -1;
        if (e->at == e->length)
            return fail(e, open, "this '[' has no ']'");
        if (e->text[e->at] == ']')
            break;
        if (e->text[e->at] != ',')
            return fail(e, e->at, "brackets may contain only numbers, '-' and ','");
        e->at++;
    }
    e->at++;
    part->n_items = e->n_items - part->first_item;
    return 0;
}

/* Reads one entry, up to its comma or the end. */
static int read_entry(struct expansion *e)
{
    size_t brackets = 0;

    e->n_parts = e->n_items = 0;
    while (e->at < e->length && e->text[e->at] != ',' && e->text[e->at] != ' ') {
        struct part *part = &e->parts[e->n_parts];

        *part = (struct part){.start = e->at};
        if (e->text[e->at] == '[') {
            if (++brackets > RC_HOST_BRACKETS_MAX)
                return fail(e, e->at, "more than %d pairs of brackets in one entry",
                            RC_HOST_BRACKETS_MAX);
            if (read_bracket(e, part))
                return -1;
        } else {
            while (e->at < e->length && is_name_character(e->text[e->at]))
                e->at++;
            part->length = e->at - part->start;
            if (part->length == 0 && e->text[e->at] == ']')
                return fail(e, e->at, "this ']' has no '['");
            if (part->length == 0)
                return fail(e, e->at,
                            "a host name may have only letters, digits and '.', '-', '_', ':'");
        }
        e->n_parts++;
    }
    return 0;
}

/* ---- making names ---- */

static int add_name(struct expansion *e, const char *name, size_t length)
{
    struct rc_hostlist *list = e->list;

    if (rc_array_room(&list->names, list->count + 1, &e->names_room, sizeof *list->names,
                      e->error) ||
        rc_array_room(&e->starts, list->count + 1, &e->starts_room, sizeof *e->starts, e->error))
        return -1;
    e->starts[list->count] = e->parts[0].start;
    list->names[list->count] = strndup(name, length);
    if (!list->names[list->count])
        return rc_error_no_memory(e->error);
    list->count++;
    return 0;
}

/* Makes every name that begins with `name` (`length` bytes) and goes on with part `at`. */
static int make_names(struct expansion *e, size_t at, char name[RC_HOST_NAME_MAX + 1],
                      size_t length)
{
    const struct part *part = &e->parts[at];
    size_t room = RC_HOST_NAME_MAX + 1 - length;
    int more;

    if (at == e->n_parts)
        return add_name(e, name, length);
    if (part->n_items == 0) {
        if (part->length >= room)
            return fail(e, e->parts[0].start, "a name of more than %d bytes", RC_HOST_NAME_MAX);
        memcpy(name + length, e->text + part->start, part->length);
        return make_names(e, at + 1, name, length + part->length);
    }
    for (size_t i = 0; i < part->n_items; i++) {
        const struct item *item = &e->items[part->first_item + i];

        for (uint64_t number = item->low; number <= item->high; number++) {
            more = snprintf(name + length, room, "%0*" PRIu64, item->width, number);
            if ((size_t)more >= room)
                return fail(e, e->parts[0].start, "a name of more than %d bytes", RC_HOST_NAME_MAX);
            if (make_names(e, at + 1, name, length + (size_t)more))
                return -1;
        }
    }
    return 0;
}

/* Refuses an entry that stands for more names than the list may have. */
static int check_count(const struct expansion *e)
{
    uint64_t room = e->most - e->list->count, product = 1, sum;

    for (size_t p = 0; p < e->n_parts; p++) {
        const struct part *part = &e->parts[p];

        sum = part->n_items == 0;
        for (size_t i = 0; i < part->n_items && sum <= room; i++) {
            const struct item *item = &e->items[part->first_item + i];

            sum += item->high - item->low + 1;
        }
        if (sum > room || product > room / sum)
            return fail(e, e->parts[0].start, "more than %zu hosts", e->most);
        product *= sum;
    }
    return product > room ? fail(e, e->parts[0].start, "more than %zu hosts", e->most) : 0;
}

static int expand_entries(struct expansion *e)
{
    char name[RC_HOST_NAME_MAX + 1];

    for (;;) {
        while (e->at < e->length && e->text[e->at] == ' ')
            e->at++;
        if (e->at == e->length || e->text[e->at] == ',')
            return fail(e, e->at, "missing host name");
        if (e->text[e->at] == '-')
            return fail(e, e->at, "a host name may not begin with '-'");
        if (read_entry(e) || check_count(e) || make_names(e, 0, name, 0))
            return -1;
        while (e->at < e->length && e->text[e->at] == ' ')
            e->at++;
        if (e->at == e->length)
            return 0;
        if (e->text[e->at] != ',')
            return fail(e, e->at, "missing ',' between two hosts");
        e->at++;
    }
}

static int compare_places(const void *a, const void *b)
{
    char *const *const *left = a, *const *const *right = b;
    int order = strcmp(**left, **right);

    return order ? order : (*left > *right) - (*left < *right);
}

/* Finds the first name that was there before. */
static int check_twice(const struct expansion *e)
{
    size_t count = e->list->count, twice = count;
    char ***places = malloc(count * sizeof *places);

    if (!places)
        return rc_error_no_memory(e->error);
    for (size_t i = 0; i < count; i++)
        places[i] = &e->list->names[i];
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 1; i < count; i++)
        if (strcmp(*places[i - 1], *places[i]) == 0 && (size_t)(places[i] - e->list->names) < twice)
            twice = (size_t)(places[i] - e->list->names);
    free(places);
    if (twice == count)
        return 0;
    return fail(e, e->starts[twice], "the host %s is given twice", e->list->names[twice]);
}

int rc_platform_hostlist_expand(const char *text, size_t length, size_t most,
                                struct rc_hostlist *list, struct rc_error *error)
{
    struct expansion e = {.text = text, .length = length, .list = list, .error = error};
    int status;

    e.most = most < RC_HOSTS_MAX ? most : RC_HOSTS_MAX;
    *list = (struct rc_hostlist){0};
    if (length > RC_HOSTLIST_TEXT_MAX)
        return rc_error_set(error, "a list of hosts of more than %d bytes", RC_HOSTLIST_TEXT_MAX);
    if (!rc_text_is_printable(text, length))
        return rc_error_set(error, "a list of hosts must be UTF-8, without control "
                                   "characters");
    status = expand_entries(&e);
    if (status == 0)
        status = check_twice(&e);
    if (status)
        rc_platform_hostlist_free(list);
    free(e.items);
    free(e.starts);
    return status;
}

void rc_platform_hostlist_free(struct rc_hostlist *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
    *list = (struct rc_hostlist){0};
}
