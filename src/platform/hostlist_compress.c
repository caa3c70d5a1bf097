// SPDX-License-Identifier: GPL-3.0-or-later
/* hostlist_compress.c - names into host list expressions.
 *
 * Works in passes over a list of entries, which at first are the names themselves.  The k-th pass
 * looks at the k-th number from the right of each entry, and folds neighbours that are equal on
 * both sides of it.  What lies right of that number may hold brackets from earlier passes; as it
 * is the same in all entries that are folded, and as the last bracket runs fastest when expanding,
 * the order of the names stays. */
#include "platform/hostlist.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/text.h"

struct entry {
    char *text;
    size_t unseen; /* bytes at the start in which numbers are still to be looked at */
    size_t number; /* where the number of this pass starts */
    size_t suffix; /* where it ends; 0 where there is none */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Finds the last number in the unseen start of an entry. */
static void find_number(struct entry *entry)
{
    size_t start, end = entry->unseen;

    entry->suffix = 0;
    while (end > 0) {
        while (end > 0 && !is_digit(entry->text[end - 1]))
            end--;
        for (start = end; start > 0 && is_digit(entry->text[start - 1]); start--)
            ;
        if (end > start && end - start <= RC_HOST_DIGITS_MAX) {
            entry->number = start;
            entry->suffix = end;
            break;
        }
        end = start; /* too long to count with */
    }
    entry->unseen = entry->suffix ? entry->number : 0;
}

static bool may_fold(const struct entry *a, const struct entry *b)
{
    return a->suffix && b->suffix && a->number == b->number &&
           memcmp(a->text, b->text, a->number) == 0 &&
           strcmp(a->text + a->suffix, b->text + b->suffix) == 0;
}

/* How many entries from `first` on go up by one, written as a range would write them. */
static size_t run_length(const struct entry *first, size_t count)
{
    const char *low = first->text + first->number;
    size_t digits = first->suffix - first->number, i;
    int width = low[0] == '0' ? (int)digits : 0;
    uint64_t number = strtoull(low, NULL, 10);
    char expected[RC_HOST_DIGITS_MAX + 4];

    for (i = 1; i < count; i++) {
        const struct entry *next = &first[i];

        digits = (size_t)snprintf(expected, sizeof expected, "%0*" PRIu64, width, number + i);
        if (digits != next->suffix - next->number ||
            memcmp(expected, next->text + next->number, digits) != 0)
            break;
    }
    return i;
}

static int add_number(struct rc_buffer *text, const struct entry *entry)
{
    return rc_buffer_add(text, entry->text + entry->number, entry->suffix - entry->number);
}

/* One entry for the `count` entries from `first` on; NULL where memory runs out. */
static char *fold(const struct entry *first, size_t count)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_HOSTLIST_TEXT_MAX);
    int status = rc_buffer_add(&text, first->text, first->number);

    for (size_t i = 0, run; i < count && status == 0; i += run) {
        run = run_length(first + i, count - i);
        status = rc_buffer_add_text(&text, i ? "," : "[");
        status |= add_number(&text, &first[i]);
        if (run > 1) {
            status |= rc_buffer_add_text(&text, "-");
            status |= add_number(&text, &first[i + run - 1]);
        }
    }
    status |= rc_buffer_add_text(&text, "]");
    status |= rc_buffer_add_text(&text, first->text + first->suffix);
    if (status)
        rc_buffer_free(&text);
    return text.data;
}

/* Folds what it can and moves the rest up; returns 0, or -1 where memory runs out. */
static int fold_pass(struct entry *entries, size_t *count)
{
    size_t kept = 0, alike;
    char *text;

    for (size_t i = 0; i < *count; i++)
        find_number(&entries[i]);
    for (size_t i = 0; i < *count; i += alike) {
        for (alike = 1; i + alike < *count && may_fold(&entries[i], &entries[i + alike]); alike++)
            ;
        if (alike > 1) {
            text = fold(&entries[i], alike);
            if (!text)
                return -1;
            for (size_t j = i; j < i + alike; j++) {
                free(entries[j].text);
                entries[j].text = NULL;
            }
            entries[i].text = text;
        }
        if (kept != i) {
            entries[kept] = entries[i];
            entries[i].text = NULL;
        }
        kept++;
    }
    *count = kept;
    return 0;
}

static struct entry *make_entries(const char *const *names, size_t count, struct rc_error *error)
{
    struct entry *entries;

    if (count > RC_HOSTS_MAX)
        return rc_error_null(rc_error_set(error, "more than %d hosts", RC_HOSTS_MAX));
    for (size_t i = 0; i < count; i++)
        if (!rc_platform_hostlist_is_name(names[i]))
            return rc_error_null(rc_error_set(error, "'%.*s' is not a host name",
                                              (int)rc_text_prefix(names[i], strlen(names[i]), 60),
                                              names[i]));
    entries = calloc(count + 1, sizeof *entries);
    if (!entries)
        rc_error_no_memory(error);
    return entries;
}

char *rc_platform_hostlist_compress(const char *const *names, size_t count, struct rc_error *error)
{
    struct entry *entries = make_entries(names, count, error);
    struct rc_buffer text = RC_BUFFER_INIT(RC_HOSTLIST_TEXT_MAX);
    size_t left = count;
    int status = 0;

    if (!entries)
        return NULL;
    for (size_t i = 0; i < count && status == 0; i++) {
        entries[i].text = strdup(names[i]);
        status = entries[i].text ? 0 : -1;
        entries[i].unseen = strlen(names[i]);
    }
    for (int pass = 0; pass < RC_HOST_BRACKETS_MAX && status == 0; pass++)
        status = fold_pass(entries, &left);
    if (status == 0)
        status = rc_buffer_add_text(&text, "");
    for (size_t i = 0; i < left && status == 0; i++) {
        status = i ? rc_buffer_add_text(&text, ",") : 0;
        status |= rc_buffer_add_text(&text, entries[i].text);
    }
    for (size_t i = 0; i < count; i++)
        free(entries[i].text);
    free(entries);
    if (status) {
        rc_error_no_memory(error);
        rc_buffer_free(&text);
    }
    return text.data;
}
