// SPDX-License-Identifier: GPL-3.0-or-later
/* host_slots.c - hosts and how many processes each takes, from host files and lists. */
#include "run/host_slots.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/number.h"
#include "platform/hostlist.h"

void rc_run_slots_free(struct rc_slots *slots)
{
    for (size_t i = 0; i < slots->n; i++)
        free(slots->hosts[i].name);
    free(slots->hosts);
    *slots = (struct rc_slots){0};
}

/* A file of PBS's names a host many times in a row: the last one is asked first. */
static struct rc_slots_host *find(const struct rc_slots *slots, const char *name)
{
    for (size_t i = slots->n; i-- > 0;)
        if (strcmp(slots->hosts[i].name, name) == 0)
            return &slots->hosts[i];
    return NULL;
}

static struct rc_slots_host *append(struct rc_slots *slots, const char *name,
                                    struct rc_error *error)
{
    struct rc_slots_host *more;
    char *copy;

    if (slots->n == RC_SLOTS_HOSTS_MAX)
        return rc_error_null(rc_error_set(error, "more than %d hosts", RC_SLOTS_HOSTS_MAX));
    copy = strdup(name);
    more = copy ? realloc(slots->hosts, (slots->n + 1) * sizeof *more) : NULL;
    if (!more) {
        free(copy);
        rc_error_no_memory(error);
        return NULL;
    }
    slots->hosts = more;
    more[slots->n] = (struct rc_slots_host){.name = copy};
    return &more[slots->n++];
}

int rc_run_slots_add(struct rc_slots *slots, const char *name, size_t length, int64_t count,
                     struct rc_error *error)
{
    const char *user = memchr(name, '@', length);
    char copy[RC_HOST_NAME_MAX + 1];
    struct rc_slots_host *host;

    if (user) {
        length -= (size_t)(user + 1 - name);
        name = user + 1;
    }
    if (length > RC_HOST_NAME_MAX)
        return rc_error_set(error, "host name too long");
    memcpy(copy, name, length);
    copy[length] = '\0';
    if (strlen(copy) != length || !rc_platform_hostlist_is_name(copy))
        return rc_error_set(error, "invalid host name '%.80s'", copy);
    if (count < 0 || count > RC_SLOTS_COUNT_MAX)
        return rc_error_set(error, "%lld processes on %.80s: out of range", (long long)count, copy);
    host = find(slots, copy);
    if (!host && !(host = append(slots, copy, error)))
        return -1;
    if (host->said > RC_SLOTS_COUNT_MAX || host->named > RC_SLOTS_COUNT_MAX)
        return rc_error_set(error, "%.80s is listed too often", copy);
    host->said += count;
    host->named++;
    return 0;
}

/* "NAME" or "NAME:COUNT".  An address of IPv6 has more than one colon, and stands as it is. */
static int add_word(struct rc_slots *slots, const char *word, size_t length, int64_t count,
                    struct rc_error *error)
{
    const char *colon = memchr(word, ':', length);
    int64_t said;

    if (colon && !memchr(colon + 1, ':', length - (size_t)(colon + 1 - word))) {
        if (rc_number_parse_integer(colon + 1, length - (size_t)(colon + 1 - word), &said) ||
            said < 1)
            return rc_error_set(error, "'%.*s': expected a number of processes after the colon",
                                (int)(length > 80 ? 80 : length), word);
        return rc_run_slots_add(slots, word, (size_t)(colon - word), said, error);
    }
    return rc_run_slots_add(slots, word, length, count, error);
}

int rc_run_slots_list(struct rc_slots *slots, const char *text, struct rc_error *error)
{
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchrnul(text, ',');
        if (end > text && add_word(slots, text, (size_t)(end - text), 0, error))
            return -1;
    }
    return slots->n ? 0 : rc_error_set(error, "empty list of hosts");
}

/* ---- files ---- */

/* The next word between blanks, from `*at`; its length, or 0 at the end. */
static size_t next_word(const char **at, const char *end, const char **word)
{
    while (*at < end && isspace((unsigned char)**at))
        ++*at;
    *word = *at;
    while (*at < end && !isspace((unsigned char)**at))
        ++*at;
    return (size_t)(*at - *word);
}

/* The slots in a word after the name: their number, 0 for none, -1 if it is not a number.
 */
static int64_t slots_of(const char *word, size_t length, bool second)
{
    static const char key[] = "slots=";
    int64_t count;

    if (length > sizeof key - 1 && strncasecmp(word, key, sizeof key - 1) == 0)
        return rc_number_parse_integer(word + sizeof key - 1, length - (sizeof key - 1), &count) ||
                       count < 1
                   ? -1
                   : count;
    /* Grid Engine has the bare number in the second place. */
    if (second && rc_number_parse_integer(word, length, &count) == 0)
        return count < 1 ? -1 : count;
    return 0;
}

static int parse_line(struct rc_slots *slots, const char *line, const char *end,
                      struct rc_error *error)
{
    const char *remark = memchr(line, '#', (size_t)(end - line)), *name, *word;
    size_t name_length, length;
    int64_t count = 0;

    if (remark)
        end = remark;
    name_length = next_word(&line, end, &name);
    if (name_length == 0)
        return 0;
    /* Open MPI's words for "all but this" and "the first of the empty ones". */
    if (*name == '^' || *name == '+')
        return rc_error_set(error, "'%c' before a host is not supported", *name);
    for (bool second = true; (length = next_word(&line, end, &word)) > 0; second = false) {
        int64_t said = slots_of(word, length, second);

        if (said < 0)
            return rc_error_set(error, "'%.*s' is not a number of processes",
                                (int)(length > 80 ? 80 : length), word);
        if (said > 0)
            count = said;
    }
    return add_word(slots, name, name_length, count, error);
}

int rc_run_slots_parse_file(struct rc_slots *slots, const char *text, size_t length,
                            const char *name, struct rc_error *error)
{
    const char *end = text + length, *next;
    unsigned number = 1;

    for (const char *line = text; line < end; line = next + 1, number++) {
        struct rc_error inner = {0};

        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        if (next - line > RC_HOSTFILE_LINE_MAX)
            return rc_error_at(error, name, number, 0, "the line is too long");
        if (parse_line(slots, line, next, &inner))
            return rc_error_at(error, name, number, 0, "%s", inner.text);
    }
    return slots->n ? 0 : rc_error_at(error, name, 0, 0, "no host in the host file");
}

int rc_run_slots_read_file(struct rc_slots *slots, const char *path, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_HOSTFILE_SIZE_MAX + 1);
    int status = rc_buffer_read_file(&text, path, error);

    if (status == 0 && text.length > RC_HOSTFILE_SIZE_MAX)
        status = rc_error_at(error, path, 0, 0, "the host file is too large");
    if (status == 0)
        status =
            rc_run_slots_parse_file(slots, text.data ? text.data : "", text.length, path, error);
    rc_buffer_free(&text);
    return status;
}
