// SPDX-License-Identifier: GPL-3.0-or-later
/* competitors_file.c - competitors from a file. */
#include "model/slowdown/competitors_file.h"

#include <jansson.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/error.h"

enum { CORES_MAX = 1 << 20 };

int rc_slowdown_competitors_add(struct rc_competitors *all, const struct rc_competitor *competitor,
                                size_t count, struct rc_error *error)
{
    if (count > RC_COMPETITORS_MAX - all->n)
        return rc_error_set(error, "more than %d competitors", RC_COMPETITORS_MAX);
    if (rc_array_room(&all->items, all->n + count, &all->room, sizeof *all->items, error))
        return -1;
    for (size_t i = 0; i < count; i++)
        all->items[all->n++] = *competitor;
    return 0;
}

static int add_item(const json_t *item, size_t number, const char *name, struct rc_competitors *all,
                    struct rc_error *error)
{
    const char *text = json_string_value(json_object_get(item, "competitor"));
    struct rc_competitor competitor;
    struct rc_error inner = {0};
    size_t count;

    if (!text)
        return rc_error_at(error, name, 0, 0, "competitor %zu: missing key 'competitor'", number);
    if (rc_observe_competitor_parse(text, &competitor, &count, &inner))
        return rc_error_at(error, name, 0, 0, "competitor %zu: %s", number, inner.text);
    return rc_slowdown_competitors_add(all, &competitor, count, error);
}

/* The number of cores of the host, if the file has it. */
static int read_cores(const json_t *root, const char *name, struct rc_competitors *all,
                      struct rc_error *error)
{
    const json_t *cores = json_object_get(root, "cores");
    json_int_t n = json_integer_value(cores);

    if (!cores || json_is_null(cores))
        return 0;
    if (!json_is_integer(cores) || n < 1 || n > CORES_MAX)
        return rc_error_at(error, name, 0, 0, "'cores' must be a whole number from 1 to %d",
                           CORES_MAX);
    all->cores = (int)n;
    return 0;
}

int rc_slowdown_observed_parse(const char *text, size_t length, const char *name,
                               struct rc_competitors *all, struct rc_error *error)
{
    json_error_t fault;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault), *list;
    int status = 0;

    if (!root)
        return rc_error_at(error, name, fault.line > 0 ? (unsigned)fault.line : 0,
                           fault.column > 0 ? (unsigned)fault.column : 0, "invalid JSON: %s",
                           fault.text);
    list = json_object_get(root, "competitors");
    if (!json_is_array(list)) {
        status = rc_error_at(error, name, 0, 0, "missing list 'competitors'");
        rc_error_code(error, "slowdown.no-competitors", NULL);
    }
    if (!status)
        status = read_cores(root, name, all, error);
    for (size_t i = 0; !status && i < json_array_size(list); i++)
        status = add_item(json_array_get(list, i), i + 1, name, all, error);
    json_decref(root);
    return status;
}

int rc_slowdown_observed_open(const char *path, struct rc_competitors *all, struct rc_error *error)
{
    struct rc_buffer content = RC_BUFFER_INIT(RC_OBSERVED_SIZE_MAX + 1);
    int status = rc_buffer_read_file(&content, path, error);

    if (!status && content.length > RC_OBSERVED_SIZE_MAX)
        status = rc_error_at(error, path, 0, 0, "file longer than %d bytes", RC_OBSERVED_SIZE_MAX);
    if (!status)
        status = rc_slowdown_observed_parse(content.data ? content.data : "", content.length, path,
                                            all, error);
    rc_buffer_free(&content);
    return status;
}
