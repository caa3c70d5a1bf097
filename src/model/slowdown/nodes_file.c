// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes_file.c - from a nodes file to a struct rc_slowdown_nodes. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/number.h"
#include "base/unit.h"
#include "model/slowdown/nodes_schema.h"
#include "model/slowdown/word_rate.h"

enum { PLACE_SIZE = 96, CORES_MAX = 1 << 20 };
#define LARGEST 1e12

struct reading {
    const struct rc_yaml *yaml;
    struct rc_slowdown_nodes *nodes;
    double word_bytes;
    bool seconds; /* hosts have times rather than weights */
    struct rc_error *error;
};

/* ---- values ---- */

RC_PRINTF(4, 5)
static int fail_at(const struct reading *reading, const char *path, const char *key,
                   const char *format, ...)
{
    char place[PLACE_SIZE], text[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "%s%s%s", path, *path && *key ? "." : "", key);
    return rc_platform_yaml_fail(reading->yaml, place, 0, reading->error, "%s", text);
}

/* A quantity within `low` and `high`; `*value` stays as it is where there is no text. */
static int read_number(const struct reading *reading, const char *path, const char *key,
                       const char *text, enum rc_dimension dimension, double low, double high,
                       double *value)
{
    struct rc_error inner;
    double number;

    if (!text)
        return 0;
    if (rc_unit_parse(text, strlen(text), dimension, &number, &inner))
        return fail_at(reading, path, key, "%s", inner.text);
    if (!(number >= low && number <= high))
        return fail_at(reading, path, key, "'%.100s' is not from %g to %g", text, low, high);
    *value = number;
    return 0;
}

/* A part of the whole: 1/6, 0.17 or 17%. */
static int read_part(const struct reading *reading, const char *path, const char *key,
                     const char *text, double *part)
{
    const char *slash = text ? strchr(text, '/') : NULL;
    double above, below;

    if (!slash)
        return read_number(reading, path, key, text, RC_FRACTION, 0, 1, part);
    if (rc_number_parse(text, (size_t)(slash - text), &above) ||
        rc_number_parse(slash + 1, strlen(slash + 1), &below) || !(below > 0) ||
        !(above >= 0 && above <= below))
        return fail_at(reading, path, key, "'%.100s' is no part of the work such as 1/6", text);
    *part = above / below;
    return 0;
}

static int read_count(const struct reading *reading, const char *path, const char *key,
                      const char *text, int *count)
{
    int64_t number;

    if (!text)
        return 0;
    if (rc_number_parse_integer(text, strlen(text), &number) || number < 1 || number > CORES_MAX)
        return fail_at(reading, path, key, "'%.100s' is not a whole number from 1 to %d", text,
                       CORES_MAX);
    *count = (int)number;
    return 0;
}

/* ---- nodes ---- */

static size_t find_node(const struct rc_slowdown_nodes *nodes, size_t n, const char *name)
{
    size_t i = 0;

    while (i < n && strcmp(nodes->items[i].name, name) != 0)
        i++;
    return i;
}

static int read_weight(struct reading *reading, const char *path, const struct rc_raw_node *raw,
                       bool first, struct rc_node *node)
{
    if (raw->weight && raw->seconds)
        return fail_at(reading, path, "seconds", "a node has a weight or seconds, not both");
    if (first)
        reading->seconds = raw->seconds != NULL;
    else if ((raw->seconds && !reading->seconds) || (raw->weight && reading->seconds))
        return fail_at(reading, path, "",
                       "weights and seconds do not mix: give one of them for "
                       "all nodes");
    return read_number(reading, path, "weight", raw->weight, RC_COUNT, 1 / LARGEST, LARGEST,
                       &node->weight) ||
                   read_number(reading, path, "seconds", raw->seconds, RC_SECONDS, 1 / LARGEST,
                               LARGEST, &node->weight)
               ? -1
               : 0;
}

static int read_node(struct reading *reading, size_t i, const struct rc_raw_node *raw)
{
    struct rc_node *node = &reading->nodes->items[i];
    char path[PLACE_SIZE];

    snprintf(path, sizeof path, "nodes[%zu]", i);
    *node = (struct rc_node){
        .weight = NAN, .work = NAN, .dedicated = NAN, .slowdown = NAN, .processes = 1};
    node->name = strdup(raw->name);
    if (!node->name)
        return rc_error_no_memory(reading->error);
    if (find_node(reading->nodes, i, raw->name) < i)
        return fail_at(reading, path, "name", "there is another node '%.100s'", raw->name);
    if (read_weight(reading, path, raw, i == 0, node) ||
        read_part(reading, path, "work", raw->work, &node->work) ||
        read_part(reading, path, "dedicated", raw->dedicated, &node->dedicated) ||
        read_number(reading, path, "slowdown", raw->slowdown, RC_COUNT, 1, LARGEST,
                    &node->slowdown) ||
        read_count(reading, path, "cores", raw->cores, &node->cores) ||
        read_count(reading, path, "processes", raw->processes, &node->processes) ||
        read_number(reading, path, "memory", raw->memory, RC_FRACTION, 0, 1, &node->memory))
        return -1;
    return 0;
}

/* What is said of one node must be said of all. */
static int check_alike(const struct reading *reading)
{
    const struct rc_node *items = reading->nodes->items;
    char path[PLACE_SIZE];

    for (size_t i = 1; i < reading->nodes->n; i++) {
        const char *key = isnan(items[i].work) != isnan(items[0].work)             ? "work"
                          : isnan(items[i].dedicated) != isnan(items[0].dedicated) ? "dedicated"
                          : reading->seconds && isnan(items[i].weight)             ? "seconds"
                                                                                   : NULL;

        snprintf(path, sizeof path, "nodes[%zu]", i);
        if (key)
            return fail_at(reading, path, "", "'%s' is to be said of all nodes, or of none", key);
    }
    return 0;
}

static int check_parts(const struct reading *reading, bool dedicated)
{
    const struct rc_slowdown_nodes *nodes = reading->nodes;
    double sum = 0;

    for (size_t i = 0; i < nodes->n; i++)
        sum += dedicated ? nodes->items[i].dedicated : nodes->items[i].work;
    if (isnan(sum) || fabs(sum - 1) <= 1e-6)
        return 0;
    return fail_at(reading, "nodes", "", "the parts '%s' of all nodes sum to %.6g, not to 1",
                   dedicated ? "dedicated" : "work", sum);
}

static int read_nodes(struct reading *reading, const struct rc_raw_nodes *raw)
{
    struct rc_slowdown_nodes *nodes = reading->nodes;

    nodes->items = calloc(raw->nodes_count, sizeof *nodes->items);
    if (!nodes->items)
        return rc_error_no_memory(reading->error);
    for (size_t i = 0; i < raw->nodes_count; i++) {
        nodes->n = i + 1;
        if (read_node(reading, i, &raw->nodes[i]))
            return -1;
    }
    if (check_alike(reading) || check_parts(reading, false) || check_parts(reading, true))
        return -1;
    if (reading->seconds) {
        double slowest = 0;

        for (size_t i = 0; i < nodes->n; i++)
            slowest = fmax(slowest, nodes->items[i].weight);
        for (size_t i = 0; i < nodes->n; i++)
            nodes->items[i].weight = slowest / nodes->items[i].weight;
    }
    return 0;
}

/* ---- competitors ---- */

static int read_group_nodes(const struct reading *reading, const char *path,
                            const struct rc_raw_group *raw, struct rc_node_group *group)
{
    size_t n = raw->nodes_count ? raw->nodes_count : reading->nodes->n;
    char key[PLACE_SIZE];

    group->nodes = calloc(n, sizeof *group->nodes);
    if (!group->nodes)
        return rc_error_no_memory(reading->error);
    group->n_nodes = n;
    for (size_t i = 0; i < n; i++) {
        group->nodes[i] =
            raw->nodes_count ? find_node(reading->nodes, reading->nodes->n, raw->nodes[i]) : i;
        snprintf(key, sizeof key, "nodes[%zu]", i);
        if (group->nodes[i] == reading->nodes->n)
            return fail_at(reading, path, key, "there is no node '%.100s'", raw->nodes[i]);
        for (size_t j = 0; raw->nodes_count && j < i; j++)
            if (group->nodes[j] == group->nodes[i])
                return fail_at(reading, path, key, "'%.100s' is there already", raw->nodes[i]);
    }
    return 0;
}

static int read_group_work(const struct reading *reading, const char *path,
                           const struct rc_raw_group *raw, struct rc_node_group *group)
{
    char key[PLACE_SIZE];
    double sum = 0;

    if (!raw->work_count)
        return 0;
    if (raw->work_count != group->n_nodes)
        return fail_at(reading, path, "work", "there are %u parts of the work for %zu nodes",
                       (unsigned)raw->work_count, group->n_nodes);
    if (!group->coupled)
        return fail_at(reading, path, "work",
                       "how the work is split matters where 'coupled' is "
                       "yes");
    group->work = calloc(group->n_nodes, sizeof *group->work);
    if (!group->work)
        return rc_error_no_memory(reading->error);
    for (size_t i = 0; i < group->n_nodes; i++) {
        snprintf(key, sizeof key, "work[%zu]", i);
        if (read_part(reading, path, key, raw->work[i], &group->work[i]))
            return -1;
        sum += group->work[i];
    }
    return fabs(sum - 1) <= 1e-6
               ? 0
               : fail_at(reading, path, "work", "the parts sum to %.6g, not to 1", sum);
}

static int read_group(const struct reading *reading, size_t i, const struct rc_raw_group *raw)
{
    struct rc_node_group *group = &reading->nodes->groups[i];
    struct rc_error inner = {0};
    char path[PLACE_SIZE];

    snprintf(path, sizeof path, "competitors[%zu]", i);
    group->coupled = raw->coupled == RC_RAW_YES;
    if (rc_observe_competitor_parse(raw->shares, &group->competitor, &group->count, &inner)) {
        fail_at(reading, path, "shares", "%s", inner.text);
        return inner.hint[0] ? rc_error_hint(reading->error, "%s", inner.hint) : -1;
    }
    return read_group_nodes(reading, path, raw, group) || read_group_work(reading, path, raw, group)
               ? -1
               : 0;
}

static int read_groups(const struct reading *reading, const struct rc_raw_nodes *raw)
{
    struct rc_slowdown_nodes *nodes = reading->nodes;
    double total = 0;

    if (raw->competitors_count == 0)
        return 0;
    nodes->groups = calloc(raw->competitors_count, sizeof *nodes->groups);
    if (!nodes->groups)
        return rc_error_no_memory(reading->error);
    for (size_t i = 0; i < raw->competitors_count; i++) {
        nodes->n_groups = i + 1;
        if (read_group(reading, i, &raw->competitors[i]))
            return -1;
        total += (double)nodes->groups[i].count * (double)nodes->groups[i].n_nodes;
        if (total > RC_COMPETITORS_MAX)
            return fail_at(reading, "competitors", "", "there are more than %d of them",
                           RC_COMPETITORS_MAX);
    }
    return 0;
}

/* ---- the whole ---- */

static int read_network(struct reading *reading, const struct rc_raw_nodes *raw)
{
    struct rc_slowdown_nodes *nodes = reading->nodes;
    struct rc_error inner = {0};
    int found = 1;

    reading->word_bytes = RC_WORD_BYTES;
    nodes->bandwidth = NAN;
    if (read_number(reading, "", "word-bytes", raw->word_bytes, RC_BYTES, 1e-3, 1e6,
                    &reading->word_bytes))
        return -1;
    if (raw->bandwidth &&
        rc_slowdown_word_rate_parse(raw->bandwidth, reading->word_bytes, &nodes->bandwidth, &inner))
        return fail_at(reading, "", "bandwidth", "%s", inner.text);
    nodes->bare_bandwidth = rc_slowdown_rate_is_bare(raw->bandwidth);
    if (raw->delay)
        found = rc_slowdown_delay_parse(raw->delay, reading->word_bytes, &nodes->delay, &inner);
    if (found < 0)
        return fail_at(reading, "", "delay", "%s", inner.text);
    if (found == 0)
        return fail_at(reading, "", "delay", "'%.100s' is neither a number nor alpha-farm",
                       raw->delay);
    if (raw->word_bytes && !rc_slowdown_word_rate_is(raw->bandwidth) && nodes->delay.n == 0)
        return fail_at(reading, "", "word-bytes",
                       "nothing in the file is in words, such as "
                       "0.45Mw/s");
    nodes->has_delay = raw->delay != NULL;
    nodes->shared_link = raw->shared_link == RC_RAW_YES;
    return 0;
}

int rc_slowdown_nodes_parse(const char *text, size_t length, const char *name,
                            struct rc_slowdown_nodes *nodes, struct rc_error *error)
{
    struct reading reading = {.nodes = nodes, .error = error};
    struct rc_yaml *yaml = rc_platform_yaml_check(text, length, name, &rc_slowdown_nodes_schema,
                                                  rc_slowdown_nodes_notes, error);
    struct rc_raw_nodes *raw;
    int status = -1;

    *nodes = (struct rc_slowdown_nodes){.bandwidth = NAN};
    if (!yaml)
        return -1;
    reading.yaml = yaml;
    raw = rc_platform_yaml_load(text, length, name, &rc_slowdown_nodes_schema, error);
    if (raw)
        status =
            read_network(&reading, raw) || read_nodes(&reading, raw) || read_groups(&reading, raw)
                ? -1
                : 0;
    rc_platform_yaml_unload(&rc_slowdown_nodes_schema, raw);
    rc_platform_yaml_destroy(yaml);
    if (status)
        rc_slowdown_nodes_free(nodes);
    return status;
}

int rc_slowdown_nodes_open(const char *path, struct rc_slowdown_nodes *nodes,
                           struct rc_error *error)
{
    struct rc_buffer content = RC_BUFFER_INIT(RC_YAML_SIZE_MAX + 1);
    int status = rc_buffer_read_file(&content, path, error);

    *nodes = (struct rc_slowdown_nodes){0};
    if (status == 0)
        status = rc_slowdown_nodes_parse(content.data ? content.data : "", content.length, path,
                                         nodes, error);
    rc_buffer_free(&content);
    return status;
}

void rc_slowdown_nodes_free(struct rc_slowdown_nodes *nodes)
{
    for (size_t i = 0; i < nodes->n; i++) {
        free(nodes->items[i].name);
        free(nodes->items[i].competitors);
    }
    for (size_t i = 0; i < nodes->n_groups; i++) {
        free(nodes->groups[i].nodes);
        free(nodes->groups[i].work);
    }
    free(nodes->items);
    free(nodes->groups);
    *nodes = (struct rc_slowdown_nodes){0};
}
