// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_fields.c - the fields of a platform. */
#include "answer/platform_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/runs_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/nearest_word.h"
#include "base/unit.h"
#include "platform/hostlist.h"

/* ---- hosts that are alike ---- */

#define GROUP struct rc_host_group
/* The hosts of a list such as "a[1-4]", one by one. */
static json_t *expand_json(const char *text)
{
    struct rc_hostlist list = {0};
    struct rc_error error;
    json_t *hosts = json_array();

    if (rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, &list, &error) == 0)
        for (size_t i = 0; i < list.count; i++)
            json_array_append_new(hosts, rc_json_text(list.names[i]));
    rc_platform_hostlist_free(&list);
    return hosts;
}

static json_t *group_hosts_json(const void *record)
{
    return expand_json(((const GROUP *)record)->hosts);
}

static void speed_text(const void *record, char *text, size_t size)
{
    char speed[RC_UNIT_SIZE];

    rc_unit_format(((const GROUP *)record)->speed, RC_FLOPS, speed);
    snprintf(text, size, "%s", speed);
}

const struct rc_field rc_answer_group[] = {
    {RC_FIELD(GROUP, TEXT, hosts), .key = "hosts", .title = "hosts", .wrap = true,
     .json = group_hosts_json, .type = "strings"},
    {RC_FIELD(GROUP, SIZE, count), .key = "host_count", .title = "count"},
    {RC_FIELD(GROUP, INT, cores), .key = "cores_per_host", .title = "cores/host"},
    {RC_FIELD(GROUP, BYTES, memory), .key = "memory_per_host_bytes", .title = "memory/host"},
    {RC_FIELD(GROUP, NUMBER, speed), .key = "speed_per_core_flop_per_s", .title = "speed/core",
     .text = speed_text},
    RC_FIELDS_END};

const struct rc_field rc_answer_placed_group[] = {
    {RC_FIELD(GROUP, TEXT, hosts), .key = "hosts", .title = "hosts", .wrap = true,
     .json = group_hosts_json, .type = "strings"},
    {RC_FIELD(GROUP, SIZE, count), .key = "host_count", .title = "count"},
    {RC_FIELD(GROUP, INT, cores), .key = "cores_per_host"},
    {RC_FIELD(GROUP, BYTES, memory), .key = "memory_per_host_bytes"},
    {RC_FIELD(GROUP, NUMBER, speed), .key = "speed_per_core_flop_per_s"},
    {RC_FIELD(GROUP, INT, processes), .key = "procs_per_host", .title = "processes/host"},
    {RC_FIELD(GROUP, BYTES, process_memory), .key = "memory_per_process_bytes",
     .title = "memory/process"},
    RC_FIELDS_END};

/* ---- clusters ---- */

#define NETWORK struct rc_network
const struct rc_field rc_answer_network[] = {
    {RC_FIELD(NETWORK, TEXT, name), .key = "name", .title = "network"},
    {RC_FIELD(NETWORK, RATE, bandwidth), .key = "bandwidth_bytes_per_s", .title = "bandwidth"},
    {RC_FIELD(NETWORK, SECONDS, latency), .key = "latency_s", .title = "latency"},
    RC_FIELDS_END};

#define CLUSTER struct rc_answer_cluster
static double group_value(const GROUP *group, enum rc_dimension dimension)
{
    return dimension == RC_BYTES   ? group->memory
           : dimension == RC_FLOPS ? group->speed
                                   : group->cores;
}

/* Speed, memory or cores of the hosts: one value, or the least and the most: "512 MiB-8 GiB". */
static void span_text(const CLUSTER *cluster, enum rc_dimension dimension, char *text, size_t size)
{
    double low = INFINITY, high = -INFINITY;
    char least[RC_UNIT_SIZE], most[RC_UNIT_SIZE];
    bool unknown = false;

    for (size_t i = 0; i < cluster->n_groups; i++) {
        double v = group_value(&cluster->groups[i], dimension);

        if (isnan(v)) {
            unknown = true;
            continue;
        }
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    rc_unit_format(low > high ? NAN : low, dimension, least);
    rc_unit_format(high, dimension, most);
    if (low < high && strchr(least, ' ') && strchr(most, ' ') &&
        strcmp(strchr(least, ' '), strchr(most, ' ')) == 0)
        *strchr(least, ' ') = '\0'; /* the unit once is enough */
    if (low < high)
        snprintf(text, size, "%s%s-%s", unknown ? "?, " : "", least, most);
    else
        snprintf(text, size, "%s%s", unknown && low == high ? "?, " : "", least);
}

static void cores_span(const void *record, char *text, size_t size)
{
    span_text(record, RC_COUNT, text, size);
}

static void memory_span(const void *record, char *text, size_t size)
{
    span_text(record, RC_BYTES, text, size);
}

static void speed_span(const void *record, char *text, size_t size)
{
    span_text(record, RC_FLOPS, text, size);
}

static const char *order_of(const void *record)
{
    return rc_platform_placement_order_name(((const CLUSTER *)record)->is.order);
}

static json_t *order_json(const void *record)
{
    return rc_json_text(order_of(record));
}

static json_t *contiguous_json(const void *record)
{
    return json_boolean(((const CLUSTER *)record)->is.contiguous);
}

static void placement_text(const void *record, char *text, size_t size)
{
    const struct rc_cluster *cluster = &((const CLUSTER *)record)->is;

    snprintf(text, size, "%d per %s, %s%s", cluster->per_host ? cluster->per_host : 1,
             cluster->per_host ? "host" : "core", order_of(record),
             cluster->contiguous ? ", contiguous" : "");
}

static json_t *cluster_hosts_json(const void *record)
{
    const struct rc_cluster *cluster = &((const CLUSTER *)record)->is;
    json_t *hosts = json_array();

    for (size_t i = 0; i < cluster->n_hosts; i++)
        json_array_append_new(hosts, rc_json_text(cluster->hosts[i].name));
    return hosts;
}

const struct rc_field rc_answer_cluster[] = {
    {RC_FIELD(CLUSTER, TEXT, is.name), .key = "name", .title = "cluster"},
    {RC_FIELD(CLUSTER, TEXT, hosts), .key = "hosts", .title = "hosts", .wrap = true,
     .json = cluster_hosts_json, .type = "strings"},
    {RC_FIELD(CLUSTER, SIZE, is.n_hosts), .key = "host_count", .title = "count"},
    {RC_FIELD(CLUSTER, INT64, cores), .key = "core_count", .title = "cores"},
    {RC_FIELD(CLUSTER, INT64, cores), .title = "cores/host", .text = cores_span},
    {RC_FIELD(CLUSTER, BYTES, memory), .title = "memory/host", .text = memory_span},
    {RC_FIELD(CLUSTER, INT64, capacity), .key = "max_procs"},
    {RC_FIELD(CLUSTER, BYTES, memory), .key = "memory_per_process_bytes",
     .title = "memory/process"},
    {RC_FIELD(CLUSTER, BYTES, memory), .title = "speed/core", .text = speed_span},
    {RC_FIELD(CLUSTER, NUMBER, is.core_hour_cost), .key = "cost_per_core_hour", .title = "cost"},
    {RC_FIELD(CLUSTER, INT, is.per_host), .key = "per_host", .zero_is_null = true},
    {.kind = RC_AS_COMPUTED,
     .key = "order",
     .title = "placement",
     .type = "string",
     .json = order_json,
     .text = placement_text},
    {.kind = RC_AS_COMPUTED, .key = "contiguous", .json = contiguous_json, .type = "boolean"},
    {RC_FIELD_LIST_OF(CLUSTER, is.networks, is.n_networks), .key = "networks",
     .fields = rc_answer_network},
    {RC_FIELD_LIST_OF(CLUSTER, groups, n_groups), .key = "host_groups", .fields = rc_answer_group},
    RC_FIELDS_END};

/* ---- links and placement ---- */

#define LINK struct rc_answer_link
static json_t *between_json(const void *record)
{
    const LINK *link = record;

    return json_pack("[oo]", rc_json_text(link->from), rc_json_text(link->to));
}

const struct rc_field rc_answer_link[] = {
    {RC_FIELD(LINK, TEXT, from), .key = "between", .title = "link from", .json = between_json,
     .type = "strings"},
    {RC_FIELD(LINK, TEXT, to), .title = "to"},
    {RC_FIELD(LINK, RATE, bandwidth), .key = "bandwidth_bytes_per_s", .title = "bandwidth"},
    {RC_FIELD(LINK, SECONDS, latency), .key = "latency_s", .title = "latency"},
    RC_FIELDS_END};

#define PLACEMENT struct rc_answer_placement
static const struct rc_field placement_fields[] = {
    {RC_FIELD(PLACEMENT, TEXT, cluster), .key = "cluster"},
    {RC_FIELD(PLACEMENT, INT64, processes), .key = "procs"},
    {RC_FIELD(PLACEMENT, NUMBER, memory), .key = "memory_per_process_bytes"},
    {RC_FIELD_LIST_OF(PLACEMENT, groups, n_groups), .key = "host_groups",
     .fields = rc_answer_placed_group},
    RC_FIELDS_END};

/* ---- the platform ---- */

#define PLATFORM struct rc_answer_platform
static bool is_placed(const void *record)
{
    return ((const PLATFORM *)record)->placement.on != NULL;
}

const struct rc_field rc_answer_platform[] = {
    {RC_FIELD(PLATFORM, TEXT, name), .key = "platform"},
    {RC_FIELD(PLATFORM, TEXT, currency), .key = "currency"},
    {RC_FIELD(PLATFORM, SIZE, n_hosts), .key = "host_count"},
    {RC_FIELD(PLATFORM, INT64, cores), .key = "core_count"},
    {RC_FIELD_LIST_OF(PLATFORM, clusters, n_clusters), .key = "clusters",
     .fields = rc_answer_cluster},
    {RC_FIELD_LIST_OF(PLATFORM, links, n_links), .key = "links", .fields = rc_answer_link},
    {RC_FIELD(PLATFORM, OBJECT, placement), .key = "placement", .fields = placement_fields,
     .when = is_placed},
    RC_FIELDS_END};

void rc_answer_platform_free(struct rc_answer_platform *answer)
{
    for (size_t i = 0; answer->clusters && i < answer->n_clusters; i++) {
        free(answer->clusters[i].hosts);
        rc_platform_host_groups_free(answer->clusters[i].groups,
                                     (int64_t)answer->clusters[i].n_groups);
    }
    free(answer->clusters);
    free(answer->links);
    rc_platform_host_groups_free(answer->placement.groups, (int64_t)answer->placement.n_groups);
}

static int make_cluster(const struct rc_cluster *is, struct rc_answer_cluster *cluster,
                        struct rc_error *error)
{
    int64_t n;

    *cluster = (struct rc_answer_cluster){.is = *is,
                                          .hosts = rc_platform_cluster_hosts(is, error),
                                          .cores = rc_platform_cluster_core_count(is),
                                          .capacity = rc_platform_cluster_capacity(is)};
    cluster->memory = rc_platform_cluster_memory_per_process(is, cluster->capacity);
    if (!cluster->hosts)
        return -1;
    n = rc_platform_cluster_groups(is, NULL, &cluster->groups, error);
    cluster->n_groups = n > 0 ? (size_t)n : 0;
    return n < 0 ? -1 : 0;
}

int rc_answer_platform_make(const struct rc_platform *platform, struct rc_answer_platform *answer,
                            struct rc_error *error)
{
    *answer = (struct rc_answer_platform){
        .name = platform->name,
        .currency = platform->currency[0] ? platform->currency : NULL,
        .n_hosts = rc_platform_host_count(platform),
        .cores = rc_platform_core_count(platform),
        .clusters = calloc(platform->n_clusters, sizeof *answer->clusters),
        .n_clusters = platform->n_clusters,
        .links = calloc(platform->n_links + 1, sizeof *answer->links),
        .n_links = platform->n_links,
    };
    if (!answer->clusters || !answer->links)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < platform->n_clusters; i++)
        if (make_cluster(&platform->clusters[i], &answer->clusters[i], error))
            return -1;
    for (size_t i = 0; i < platform->n_links; i++) {
        const struct rc_cluster_link *link = &platform->links[i];

        answer->links[i] = (struct rc_answer_link){platform->clusters[link->cluster[0]].name,
                                                   platform->clusters[link->cluster[1]].name,
                                                   link->bandwidth, link->latency};
    }
    return 0;
}

static int find_cluster(const struct rc_platform *platform, const char *name, size_t *index,
                        struct rc_error *error)
{
    const char *nearest;

    *index = 0;
    if (!name) {
        if (platform->n_clusters == 1)
            return 0;
        rc_error_set(error, "the platform %s has %zu clusters", platform->name,
                     platform->n_clusters);
        return rc_error_code(error, "platform.which-cluster", "%s", platform->clusters[0].name);
    }
    *index = rc_platform_find_cluster(platform, name);
    if (*index < platform->n_clusters)
        return 0;
    rc_error_set(error, "no cluster '%s' in the platform %s", name, platform->name);
    nearest = rc_nearest_word(name, (const char *const *)&platform->clusters[0].name,
                              platform->n_clusters, sizeof *platform->clusters);
    return nearest ? rc_error_hint(error, "did you mean '%s'?", nearest) : -1;
}

int rc_answer_platform_place(struct rc_answer_platform *answer, const struct rc_platform *platform,
                             const char *name, int64_t processes, struct rc_error *error)
{
    struct rc_answer_placement *placement = &answer->placement;
    const struct rc_cluster *cluster;
    size_t index;
    int64_t n;
    int *counts;

    if (find_cluster(platform, name, &index, error))
        return -1;
    cluster = &platform->clusters[index];
    counts = calloc(cluster->n_hosts, sizeof *counts);
    if (!counts)
        return rc_error_no_memory(error);
    if (rc_platform_cluster_place(cluster, processes, counts)) {
        free(counts);
        return rc_error_set(error, "at most %" PRId64 " processes fit on the cluster '%s'",
                            rc_platform_cluster_capacity(cluster), cluster->name);
    }
    *placement =
        (struct rc_answer_placement){.on = cluster,
                                     .cluster = cluster->name,
                                     .processes = processes,
                                     .memory = rc_platform_cluster_memory_per_process(cluster,
                                                                                      processes)};
    n = rc_platform_cluster_groups(cluster, counts, &placement->groups, error);
    free(counts);
    /* Hosts without a process are left out. */
    for (int64_t i = 0; i < n; i++)
        if (placement->groups[i].processes > 0)
            placement->groups[placement->n_groups++] = placement->groups[i];
        else
            free(placement->groups[i].hosts);
    return n < 0 ? -1 : 0;
}

/* ---- checks of files ---- */

#define CHECK struct rc_answer_platform_check
static bool is_right(const void *record)
{
    return ((const CHECK *)record)->ok;
}

static bool is_wrong(const void *record)
{
    return !is_right(record);
}

const struct rc_field rc_answer_platform_check[] = {
    {RC_FIELD(CHECK, TEXT, file), .key = "file"},
    {RC_FIELD(CHECK, BOOL, ok), .key = "ok"},
    {RC_FIELD(CHECK, POINTER, error), .key = "error", .fields = rc_answer_error, .when = is_wrong},
    {RC_FIELD(CHECK, TEXT, name), .key = "platform", .when = is_right},
    {RC_FIELD(CHECK, SIZE, clusters), .key = "cluster_count", .when = is_right},
    {RC_FIELD(CHECK, SIZE, hosts), .key = "host_count", .when = is_right},
    {RC_FIELD(CHECK, INT64, cores), .key = "core_count", .when = is_right},
    {RC_FIELD(CHECK, SIZE, links), .key = "link_count", .when = is_right},
    RC_FIELDS_END};

CHECK rc_answer_platform_check_make(const char *file, const struct rc_platform *platform,
                                    const struct rc_error *error)
{
    CHECK check = {.file = file, .ok = platform, .error = error};

    if (platform) {
        check.name = platform->name;
        check.clusters = platform->n_clusters;
        check.hosts = rc_platform_host_count(platform);
        check.cores = rc_platform_core_count(platform);
        check.links = platform->n_links;
    }
    return check;
}
