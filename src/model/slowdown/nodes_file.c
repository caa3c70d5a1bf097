// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes_file.c - reads a hosts file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "model/slowdown/nodes.h"
#include "model/slowdown/communication_delay.h"
#include "platform/yaml.h"

enum { PLACE_SIZE = 96, CORES_MAX = 1 << 20 };
#define LARGEST 1e12

struct reading {
    const struct rc_yaml *yaml;
    struct rc_slowdown_nodes *nodes;
    double word_bytes;
    bool seconds; /* hosts have times rather than weights */
};

/* ---- the shape of the file ---- */

/* The texts of the file; NULL: missing. */
struct raw_node {
    char *name, *weight, *seconds, *work, *dedicated, *slowdown, *cores, *procs, *memory_bound;
};

enum raw_answer { RAW_NO, RAW_YES };

struct raw_group {
    char *shares;
    char **hosts;
    char **work;
    uint32_t hosts_count, work_count;
    enum raw_answer coupled;
};

struct raw_nodes {
    struct raw_node *hosts;
    struct raw_group *competitors;
    uint32_t hosts_count, competitors_count;
    char *delay, *bandwidth, *word_bytes;
    enum raw_answer shared_link;
};

static const struct cyaml_schema_field node_fields[] = {
    RC_YAML_TEXT("name", RC_YAML_REQUIRED, struct raw_node, name),
    RC_YAML_TEXT("weight", RC_YAML_OPTIONAL, struct raw_node, weight),
    RC_YAML_TEXT("seconds", RC_YAML_OPTIONAL, struct raw_node, seconds),
    RC_YAML_TEXT("work", RC_YAML_OPTIONAL, struct raw_node, work),
    RC_YAML_TEXT("dedicated", RC_YAML_OPTIONAL, struct raw_node, dedicated),
    RC_YAML_TEXT("slowdown", RC_YAML_OPTIONAL, struct raw_node, slowdown),
    RC_YAML_TEXT("cores", RC_YAML_OPTIONAL, struct raw_node, cores),
    RC_YAML_TEXT("procs", RC_YAML_OPTIONAL, struct raw_node, procs),
    RC_YAML_TEXT("memory-bound", RC_YAML_OPTIONAL, struct raw_node, memory_bound),
    CYAML_FIELD_END,
};

static const struct cyaml_strval answers[] = {
    {"no", RAW_NO}, {"yes", RAW_YES}, {"false", RAW_NO}, {"true", RAW_YES}};

static const struct cyaml_schema_field group_fields[] = {
    RC_YAML_TEXT("shares", RC_YAML_REQUIRED, struct raw_group, shares),
    RC_YAML_TEXTS("hosts", RC_YAML_OPTIONAL, struct raw_group, hosts, RC_NODES_MAX),
    RC_YAML_TEXTS("work", RC_YAML_OPTIONAL, struct raw_group, work, RC_NODES_MAX),
    RC_YAML_CHOICE("coupled", RC_YAML_OPTIONAL, struct raw_group, coupled, answers),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value node_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_node, node_fields),
};
static const struct cyaml_schema_value group_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_group, group_fields),
};

static const struct cyaml_schema_field fields[] = {
    RC_YAML_LIST("hosts", RC_YAML_REQUIRED, struct raw_nodes, hosts, &node_entry, 1, RC_NODES_MAX),
    RC_YAML_LIST("competitors", RC_YAML_OPTIONAL, struct raw_nodes, competitors, &group_entry, 1,
                 RC_NODE_GROUPS_MAX),
    RC_YAML_TEXT("delay", RC_YAML_OPTIONAL, struct raw_nodes, delay),
    RC_YAML_TEXT("bandwidth", RC_YAML_OPTIONAL, struct raw_nodes, bandwidth),
    RC_YAML_TEXT("word-bytes", RC_YAML_OPTIONAL, struct raw_nodes, word_bytes),
    RC_YAML_CHOICE("shared-link", RC_YAML_OPTIONAL, struct raw_nodes, shared_link, answers),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_nodes, fields),
};

static const struct rc_yaml_expected expected[] = {
    {"name", "the name of a host"},
    {"weight", "a number above 0, such as 3.07"},
    {"seconds", "time of one task on the idle host, such as 12.5s"},
    {"work", "a part of the work such as 1/6 or 0.25 (of a competitor: a list of parts)"},
    {"dedicated", "a part of the work such as 1/6 or 0.25"},
    {"slowdown", "a number of at least 1"},
    {"cores", "a whole number of at least 1"},
    {"procs", "a whole number of at least 1"},
    {"memory-bound", "a fraction from 0 to 1"},
    {"competitors", "a list of programs, each with '- ' before it"},
    {"shares", "shares of a competitor, such as \"0.55:0.45\""},
    {"coupled", "yes or no"},
    {"hosts", "a list of hosts (of a competitor: of their names)"},
    {"delay", "a number such as 0.25, or alpha-farm"},
    {"bandwidth", "a rate such as 12.5MB/s or 0.45Mw/s"},
    {"word-bytes", "a size above 0, such as 4"},
    {"shared-link", "yes or no"},
    {NULL, NULL},
};

/* ---- values ---- */

/* A part of the whole: 1/6, 0.17 or 17%. */
static int read_part(const struct reading *reading, const char *path, const char *key,
                     const char *text, double *part)
{
    const char *slash = text ? strchr(text, '/') : NULL;
    double above, below;

    if (!slash)
        return rc_platform_yaml_number(reading->yaml, path, key, text, RC_FRACTION, 0, 1, part);
    if (rc_number_parse(text, (size_t)(slash - text), &above) ||
        rc_number_parse(slash + 1, strlen(slash + 1), &below) || !(below > 0) ||
        !(above >= 0 && above <= below))
        return rc_platform_yaml_fail(reading->yaml, path, key,
                                     "'%.100s' is not a part of the work such as 1/6", text);
    *part = above / below;
    return 0;
}

static int read_count(const struct reading *reading, const char *path, const char *key,
                      const char *text, int *count)
{
    int64_t number = *count;

    if (rc_platform_yaml_whole(reading->yaml, path, key, text, 1, CORES_MAX, &number))
        return -1;
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

static int read_weight(struct reading *reading, const char *path, const struct raw_node *raw,
                       bool first, struct rc_node *node)
{
    if (raw->weight && raw->seconds)
        return rc_platform_yaml_fail(reading->yaml, path, "seconds",
                                     "use either 'weight' or 'seconds'");
    if (first)
        reading->seconds = raw->seconds != NULL;
    else if ((raw->seconds && !reading->seconds) || (raw->weight && reading->seconds))
        return rc_platform_yaml_fail(reading->yaml, path, "",
                                     "use either 'weight' or 'seconds' for all hosts");
    return rc_platform_yaml_number(reading->yaml, path, "weight", raw->weight, RC_COUNT,
                                   1 / LARGEST, LARGEST, &node->weight) ||
                   rc_platform_yaml_number(reading->yaml, path, "seconds", raw->seconds, RC_SECONDS,
                                           1 / LARGEST, LARGEST, &node->weight)
               ? -1
               : 0;
}

static int read_node(struct reading *reading, size_t i, const struct raw_node *raw)
{
    struct rc_node *node = &reading->nodes->items[i];
    char path[PLACE_SIZE];

    snprintf(path, sizeof path, "hosts[%zu]", i);
    *node = (struct rc_node){
        .weight = NAN, .work = NAN, .dedicated = NAN, .slowdown = NAN, .processes = 1};
    if (rc_platform_yaml_copy(reading->yaml, raw->name, &node->name))
        return -1;
    if (find_node(reading->nodes, i, raw->name) < i)
        return rc_platform_yaml_fail(reading->yaml, path, "name", "duplicate host '%.100s'",
                                     raw->name);
    if (read_weight(reading, path, raw, i == 0, node) ||
        read_part(reading, path, "work", raw->work, &node->work) ||
        read_part(reading, path, "dedicated", raw->dedicated, &node->dedicated) ||
        rc_platform_yaml_number(reading->yaml, path, "slowdown", raw->slowdown, RC_COUNT, 1,
                                LARGEST, &node->slowdown) ||
        read_count(reading, path, "cores", raw->cores, &node->cores) ||
        read_count(reading, path, "procs", raw->procs, &node->processes) ||
        rc_platform_yaml_number(reading->yaml, path, "memory-bound", raw->memory_bound, RC_FRACTION,
                                0, 1, &node->memory))
        return -1;
    return 0;
}

/* Some keys are needed in all hosts or in none. */
static int check_alike(const struct reading *reading)
{
    const struct rc_node *items = reading->nodes->items;
    char path[PLACE_SIZE];

    for (size_t i = 1; i < reading->nodes->n; i++) {
        const char *key = isnan(items[i].work) != isnan(items[0].work)             ? "work"
                          : isnan(items[i].dedicated) != isnan(items[0].dedicated) ? "dedicated"
                          : reading->seconds && isnan(items[i].weight)             ? "seconds"
                                                                                   : NULL;

        snprintf(path, sizeof path, "hosts[%zu]", i);
        if (key)
            return rc_platform_yaml_fail(reading->yaml, path, "",
                                         "add '%s' to all hosts, or to none", key);
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
    return rc_platform_yaml_fail(reading->yaml, "hosts", "",
                                 "'%s' of all hosts sums to %.6g, not to 1",
                                 dedicated ? "dedicated" : "work", sum);
}

static int read_nodes(struct reading *reading, const struct raw_nodes *raw)
{
    struct rc_slowdown_nodes *nodes = reading->nodes;

    nodes->items = calloc(raw->hosts_count, sizeof *nodes->items);
    if (!nodes->items)
        return rc_error_no_memory(reading->yaml->error);
    for (size_t i = 0; i < raw->hosts_count; i++) {
        nodes->n = i + 1;
        if (read_node(reading, i, &raw->hosts[i]))
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
                            const struct raw_group *raw, struct rc_node_group *group)
{
    size_t n = raw->hosts_count ? raw->hosts_count : reading->nodes->n;
    char key[PLACE_SIZE];

    group->nodes = calloc(n, sizeof *group->nodes);
    if (!group->nodes)
        return rc_error_no_memory(reading->yaml->error);
    group->n_nodes = n;
    for (size_t i = 0; i < n; i++) {
        group->nodes[i] =
            raw->hosts_count ? find_node(reading->nodes, reading->nodes->n, raw->hosts[i]) : i;
        snprintf(key, sizeof key, "hosts[%zu]", i);
        if (group->nodes[i] == reading->nodes->n)
            return rc_platform_yaml_fail(reading->yaml, path, key, "no host '%.100s'",
                                         raw->hosts[i]);
        for (size_t j = 0; raw->hosts_count && j < i; j++)
            if (group->nodes[j] == group->nodes[i])
                return rc_platform_yaml_fail(reading->yaml, path, key, "duplicate '%.100s'",
                                             raw->hosts[i]);
    }
    return 0;
}

static int read_group_work(const struct reading *reading, const char *path,
                           const struct raw_group *raw, struct rc_node_group *group)
{
    char key[PLACE_SIZE];
    double sum = 0;

    if (!raw->work_count)
        return 0;
    if (raw->work_count != group->n_nodes)
        return rc_platform_yaml_fail(reading->yaml, path, "work",
                                     "%u parts of the work for %zu hosts",
                                     (unsigned)raw->work_count, group->n_nodes);
    if (!group->coupled)
        return rc_platform_yaml_fail(reading->yaml, path, "work", "'work' needs 'coupled: yes'");
    group->work = calloc(group->n_nodes, sizeof *group->work);
    if (!group->work)
        return rc_error_no_memory(reading->yaml->error);
    for (size_t i = 0; i < group->n_nodes; i++) {
        snprintf(key, sizeof key, "work[%zu]", i);
        if (read_part(reading, path, key, raw->work[i], &group->work[i]))
            return -1;
        sum += group->work[i];
    }
    return fabs(sum - 1) <= 1e-6 ? 0
                                 : rc_platform_yaml_fail(reading->yaml, path, "work",
                                                         "parts sum to %.6g, not to 1", sum);
}

static int read_group(const struct reading *reading, size_t i, const struct raw_group *raw)
{
    struct rc_node_group *group = &reading->nodes->groups[i];
    struct rc_error inner = {0};
    char path[PLACE_SIZE];

    snprintf(path, sizeof path, "competitors[%zu]", i);
    group->coupled = raw->coupled == RAW_YES;
    if (rc_observe_competitor_parse(raw->shares, &group->competitor, &group->count, &inner))
        return rc_platform_yaml_fail_with(reading->yaml, path, "shares", &inner);
    return read_group_nodes(reading, path, raw, group) || read_group_work(reading, path, raw, group)
               ? -1
               : 0;
}

static int read_groups(const struct reading *reading, const struct raw_nodes *raw)
{
    struct rc_slowdown_nodes *nodes = reading->nodes;
    double total = 0;

    if (raw->competitors_count == 0)
        return 0;
    nodes->groups = calloc(raw->competitors_count, sizeof *nodes->groups);
    if (!nodes->groups)
        return rc_error_no_memory(reading->yaml->error);
    for (size_t i = 0; i < raw->competitors_count; i++) {
        nodes->n_groups = i + 1;
        if (read_group(reading, i, &raw->competitors[i]))
            return -1;
        total += (double)nodes->groups[i].count * (double)nodes->groups[i].n_nodes;
        if (total > RC_COMPETITORS_MAX)
            return rc_platform_yaml_fail(reading->yaml, "competitors", "",
                                         "more than %d competitors", RC_COMPETITORS_MAX);
    }
    return 0;
}

/* ---- the whole ---- */

static int read_network(struct reading *reading, const struct raw_nodes *raw)
{
    struct rc_slowdown_nodes *nodes = reading->nodes;
    struct rc_error inner = {0};
    int found = 1;

    reading->word_bytes = RC_WORD_BYTES;
    nodes->bandwidth = NAN;
    if (rc_platform_yaml_number(reading->yaml, "", "word-bytes", raw->word_bytes, RC_BYTES, 1e-3,
                                1e6, &reading->word_bytes))
        return -1;
    if (raw->bandwidth &&
        rc_slowdown_word_rate_parse(raw->bandwidth, reading->word_bytes, &nodes->bandwidth, &inner))
        return rc_platform_yaml_fail(reading->yaml, "", "bandwidth", "%s", inner.text);
    nodes->bare_bandwidth = rc_slowdown_rate_is_bare(raw->bandwidth);
    if (raw->delay)
        found = rc_slowdown_delay_parse(raw->delay, reading->word_bytes, &nodes->delay, &inner);
    if (found < 0)
        return rc_platform_yaml_fail(reading->yaml, "", "delay", "%s", inner.text);
    if (found == 0)
        return rc_platform_yaml_fail(reading->yaml, "", "delay",
                                     "'%.100s' is neither a number nor alpha-farm", raw->delay);
    if (raw->word_bytes && !rc_slowdown_word_rate_is(raw->bandwidth) && nodes->delay.n == 0)
        return rc_platform_yaml_fail(reading->yaml, "", "word-bytes",
                                     "no value in the file is in words, such as 0.45Mw/s");
    nodes->has_delay = raw->delay != NULL;
    nodes->shared_link = raw->shared_link == RAW_YES;
    return 0;
}

int rc_slowdown_nodes_parse(const char *text, size_t length, const char *name,
                            struct rc_slowdown_nodes *nodes, struct rc_error *error)
{
    struct rc_yaml yaml;
    struct reading reading = {.yaml = &yaml, .nodes = nodes};
    int status = rc_platform_yaml_open(&yaml, text, length, name, &schema, expected, error);

    *nodes = (struct rc_slowdown_nodes){.bandwidth = NAN};
    if (status == 0)
        status = read_network(&reading, yaml.content) || read_nodes(&reading, yaml.content) ||
                         read_groups(&reading, yaml.content)
                     ? -1
                     : 0;
    rc_platform_yaml_close(&yaml);
    if (status)
        rc_slowdown_nodes_free(nodes);
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
