// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.c - from a platform file to a struct rc_platform.
 *
 * yaml_check.c has seen to it that all keys are known and all values of the right kind; here the
 * values get their meaning.  Each fault is told with the path of its value, from which the place
 * in the file follows. */
#include "platform/platform.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/text.h"
#include "platform/hostlist.h"
#include "platform/reading.h"
#include "platform/schema.h"
#include "platform/yaml_check.h"

/* Room for "clusters[NUMBER]", from which longer paths are made. */
enum { SHORT_PATH = 40 };

/* ---- clusters ---- */

static int read_networks(const struct rc_reading *reading, const char *path,
                         const struct rc_raw_cluster *raw, struct rc_cluster *cluster)
{
    char whole[RC_READING_PATH];

    cluster->networks = calloc(raw->networks_count, sizeof *cluster->networks);
    if (!cluster->networks)
        return rc_error_no_memory(reading->error);
    for (size_t i = 0; i < raw->networks_count; i++) {
        const struct rc_raw_network *from = &raw->networks[i];
        struct rc_network *network = &cluster->networks[i];

        cluster->n_networks = i + 1;
        snprintf(whole, sizeof whole, "%s.networks[%zu]", path, i);
        if (rc_platform_reading_name(reading, whole, "name", from->name, &network->name) ||
            rc_platform_reading_quantity(reading, whole, "bandwidth", from->bandwidth, RC_RATE,
                                         false, &network->bandwidth) ||
            rc_platform_reading_quantity(reading, whole, "latency", from->latency, RC_SECONDS, true,
                                         &network->latency))
            return -1;
        for (size_t j = 0; j < i; j++)
            if (strcmp(cluster->networks[j].name, network->name) == 0) {
                snprintf(whole, sizeof whole, "%s.networks[%zu].name", path, i);
                return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                             "the cluster has another network '%s'", network->name);
            }
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct rc_host *const *left = a, *const *right = b;

    return strcmp((*left)->name, (*right)->name);
}

/* The cluster's hosts in the order of their names; to be freed. */
static struct rc_host **sort_hosts(const struct rc_cluster *cluster)
{
    struct rc_host **sorted = malloc(cluster->n_hosts * sizeof *sorted);

    if (!sorted)
        return NULL;
    for (size_t i = 0; i < cluster->n_hosts; i++)
        sorted[i] = &cluster->hosts[i];
    qsort(sorted, cluster->n_hosts, sizeof *sorted, by_name);
    return sorted;
}

/* Applies one override to hosts that none was applied to before. */
static int apply_override(const struct rc_reading *reading, const char *path,
                          const struct rc_cluster *cluster, struct rc_host *const *sorted,
                          bool *done, const struct rc_raw_override *raw)
{
    struct rc_host with = {.cores = 0, .memory = NAN, .speed = NAN}, *key = &with, *const * found;
    struct rc_hostlist list;
    char whole[RC_READING_PATH];
    int status = 0;

    rc_platform_reading_path(whole, path, "hosts");
    if (!raw->cores && !raw->memory && !raw->speed)
        return rc_platform_yaml_fail(reading->yaml, path, 0, reading->error,
                                     "expected one of cores, memory and speed besides hosts");
    if (rc_platform_reading_count(reading, path, "cores", raw->cores, RC_CORES_MAX, &with.cores) ||
        rc_platform_reading_quantity(reading, path, "memory", raw->memory, RC_BYTES, false,
                                     &with.memory) ||
        rc_platform_reading_quantity(reading, path, "speed", raw->speed, RC_FLOPS, false,
                                     &with.speed) ||
        rc_platform_reading_hosts(reading, path, raw->hosts, &list))
        return -1;
    for (size_t i = 0; i < list.count && status == 0; i++) {
        with.name = list.names[i];
        found = bsearch(&key, sorted, cluster->n_hosts, sizeof *sorted, by_name);
        if (!found) {
            status =
                rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                      "the cluster '%s' has no host %s", cluster->name, with.name);
        } else if (done[*found - cluster->hosts]) {
            status = rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                           "the host %s is in an override above, too", with.name);
        } else {
            done[*found - cluster->hosts] = true;
            (*found)->cores = with.cores ? with.cores : (*found)->cores;
            (*found)->memory = isnan(with.memory) ? (*found)->memory : with.memory;
            (*found)->speed = isnan(with.speed) ? (*found)->speed : with.speed;
        }
    }
    rc_platform_hostlist_free(&list);
    return status;
}

static int read_overrides(const struct rc_reading *reading, const char *path,
                          const struct rc_raw_cluster *raw, struct rc_cluster *cluster)
{
    struct rc_host **sorted;
    char whole[RC_READING_PATH];
    bool *done;
    int status = 0;

    if (raw->overrides_count == 0)
        return 0;
    sorted = sort_hosts(cluster);
    done = calloc(cluster->n_hosts, sizeof *done);
    if (!sorted || !done)
        status = rc_error_no_memory(reading->error);
    for (size_t i = 0; i < raw->overrides_count && status == 0; i++) {
        snprintf(whole, sizeof whole, "%s.overrides[%zu]", path, i);
        status = apply_override(reading, whole, cluster, sorted, done, &raw->overrides[i]);
    }
    free(sorted);
    free(done);
    return status;
}

/* Makes the hosts, all alike. */
static int make_hosts(struct rc_reading *reading, const char *path,
                      const struct rc_raw_cluster *raw, struct rc_cluster *cluster)
{
    struct rc_host like = {.memory = NAN, .speed = NAN};
    struct rc_hostlist list;
    char whole[RC_READING_PATH];

    if (rc_platform_reading_count(reading, path, "cores", raw->cores, RC_CORES_MAX, &like.cores) ||
        rc_platform_reading_quantity(reading, path, "memory", raw->memory, RC_BYTES, false,
                                     &like.memory) ||
        rc_platform_reading_quantity(reading, path, "speed", raw->speed, RC_FLOPS, false,
                                     &like.speed) ||
        rc_platform_reading_hosts(reading, path, raw->hosts, &list))
        return -1;
    if (list.count > RC_HOSTS_MAX - reading->n_hosts) {
        rc_platform_hostlist_free(&list);
        rc_platform_reading_path(whole, path, "hosts");
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "more than %d hosts in all clusters together", RC_HOSTS_MAX);
    }
    cluster->hosts = calloc(list.count, sizeof *cluster->hosts);
    if (!cluster->hosts) {
        rc_platform_hostlist_free(&list);
        return rc_error_no_memory(reading->error);
    }
    cluster->n_hosts = list.count;
    reading->n_hosts += list.count;
    for (size_t i = 0; i < list.count; i++) {
        cluster->hosts[i] = like;
        cluster->hosts[i].name = list.names[i];
    }
    free(list.names); /* the names themselves went to the hosts */
    return 0;
}

static int read_cluster(struct rc_reading *reading, size_t index, const struct rc_raw_cluster *raw)
{
    struct rc_cluster *cluster = &reading->platform->clusters[index];
    char path[SHORT_PATH], whole[RC_READING_PATH];

    cluster->price = NAN;
    snprintf(path, sizeof path, "clusters[%zu]", index);
    if (rc_platform_reading_name(reading, path, "name", raw->name, &cluster->name))
        return -1;
    if (rc_platform_find_cluster(reading->platform, cluster->name) < index) {
        rc_platform_reading_path(whole, path, "name");
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "there is another cluster '%s'", cluster->name);
    }
    if (make_hosts(reading, path, raw, cluster) || read_networks(reading, path, raw, cluster) ||
        rc_platform_reading_price(reading, path, raw->price, &cluster->price))
        return -1;
    if (raw->placement) {
        rc_platform_reading_path(whole, path, "placement");
        cluster->order = raw->placement->order;
        cluster->contiguous = raw->placement->contiguous == RC_RAW_YES;
        if (rc_platform_reading_count(reading, whole, "per_host", raw->placement->per_host,
                                      RC_PER_HOST_MAX, &cluster->per_host))
            return -1;
    }
    return read_overrides(reading, path, raw, cluster);
}

/* ---- the whole ---- */

/* A host and its cluster, for finding names that two clusters share. */
struct owned {
    const char *name;
    size_t cluster;
};

static int by_owned_name(const void *a, const void *b)
{
    const struct owned *left = a, *right = b;
    int order = strcmp(left->name, right->name);

    return order ? order : (left->cluster > right->cluster) - (left->cluster < right->cluster);
}

static int check_shared_hosts(const struct rc_reading *reading)
{
    const struct rc_platform *platform = reading->platform;
    struct owned *all = calloc(reading->n_hosts, sizeof *all);
    char path[SHORT_PATH];
    size_t n = 0;
    int status = 0;

    if (!all)
        return rc_error_no_memory(reading->error);
    for (size_t i = 0; i < platform->n_clusters; i++)
        for (size_t j = 0; j < platform->clusters[i].n_hosts; j++)
            all[n++] = (struct owned){platform->clusters[i].hosts[j].name, i};
    qsort(all, n, sizeof *all, by_owned_name);
    for (size_t i = 1; i < n && status == 0; i++)
        if (strcmp(all[i - 1].name, all[i].name) == 0) {
            snprintf(path, sizeof path, "clusters[%zu].hosts", all[i].cluster);
            status = rc_platform_yaml_fail(reading->yaml, path, 0, reading->error,
                                           "the host %s is in the cluster '%s', too", all[i].name,
                                           platform->clusters[all[i - 1].cluster].name);
        }
    free(all);
    return status;
}

/* One end of a link. */
static int read_end(const struct rc_reading *reading, const char *path, int end, const char *name,
                    size_t *cluster)
{
    char whole[RC_READING_PATH];

    *cluster = rc_platform_find_cluster(reading->platform, name);
    if (*cluster < reading->platform->n_clusters)
        return 0;
    snprintf(whole, sizeof whole, "%s.between[%d]", path, end);
    rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error, "there is no cluster '%.*s'",
                          (int)rc_text_prefix(name, strlen(name), RC_NAME_MAX), name);
    if (reading->platform->n_clusters == 1)
        rc_error_hint(reading->error, "the only cluster is '%s', and a link joins two",
                      reading->platform->clusters[0].name);
    return -1;
}

static int read_link(const struct rc_reading *reading, size_t index, const struct rc_raw_link *raw)
{
    const struct rc_platform *platform = reading->platform;
    struct rc_cluster_link *link = &platform->links[index];
    char path[SHORT_PATH], whole[RC_READING_PATH];

    snprintf(path, sizeof path, "links[%zu]", index);
    rc_platform_reading_path(whole, path, "between");
    for (int end = 0; end < 2; end++)
        if (read_end(reading, path, end, raw->between[end], &link->cluster[end]))
            return -1;
    if (link->cluster[0] == link->cluster[1])
        return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                     "expected two different clusters, found '%s' twice",
                                     raw->between[0]);
    for (size_t i = 0; i < index; i++) {
        const struct rc_cluster_link *other = &platform->links[i];

        if ((other->cluster[0] == link->cluster[0] && other->cluster[1] == link->cluster[1]) ||
            (other->cluster[0] == link->cluster[1] && other->cluster[1] == link->cluster[0]))
            return rc_platform_yaml_fail(reading->yaml, whole, 0, reading->error,
                                         "there is another link between '%s' and '%s'",
                                         raw->between[0], raw->between[1]);
    }
    if (rc_platform_reading_quantity(reading, path, "bandwidth", raw->bandwidth, RC_RATE, false,
                                     &link->bandwidth) ||
        rc_platform_reading_quantity(reading, path, "latency", raw->latency, RC_SECONDS, true,
                                     &link->latency))
        return -1;
    return 0;
}

static int read_platform(struct rc_reading *reading, const struct rc_raw_platform *raw)
{
    struct rc_platform *platform = reading->platform;

    if (rc_platform_reading_name(reading, "", "name", raw->name, &platform->name))
        return -1;
    if (raw->currency) {
        if (rc_platform_reading_name(reading, "", "currency", raw->currency, &platform->currency))
            return -1;
    } else if (!(platform->currency = strdup(""))) {
        return rc_error_no_memory(reading->error);
    }
    platform->clusters = calloc(raw->clusters_count + (size_t)1, sizeof *platform->clusters);
    platform->links = calloc(raw->links_count + (size_t)1, sizeof *platform->links);
    if (!platform->clusters || !platform->links)
        return rc_error_no_memory(reading->error);
    for (size_t i = 0; i < raw->clusters_count; i++) {
        platform->n_clusters = i + 1;
        if (read_cluster(reading, i, &raw->clusters[i]))
            return -1;
    }
    if (check_shared_hosts(reading))
        return -1;
    for (size_t i = 0; i < raw->links_count; i++) {
        platform->n_links = i + 1;
        if (read_link(reading, i, &raw->links[i]))
            return -1;
    }
    return 0;
}

struct rc_platform *rc_platform_parse(const char *text, size_t length, const char *name,
                                      struct rc_error *error)
{
    struct rc_yaml *yaml =
        rc_platform_yaml_check(text, length, name, &rc_platform_schema, rc_platform_notes, error);
    struct rc_raw_platform *raw = yaml ? rc_platform_raw_load(text, length, name, error) : NULL;
    struct rc_reading reading = {.yaml = yaml, .error = error};

    if (raw) {
        reading.platform = calloc(1, sizeof *reading.platform);
        if (!reading.platform) {
            rc_error_no_memory(error);
        } else if (read_platform(&reading, raw)) {
            rc_platform_destroy(reading.platform);
            reading.platform = NULL;
        }
    }
    rc_platform_raw_destroy(raw);
    rc_platform_yaml_destroy(yaml);
    return reading.platform;
}

struct rc_platform *rc_platform_load(const char *path, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_YAML_SIZE_MAX + 1);
    struct rc_platform *platform = NULL;

    if (rc_buffer_read_file(&text, path, error) == 0)
        platform = rc_platform_parse(text.data, text.length, path, error);
    rc_buffer_free(&text);
    return platform;
}

static void destroy_cluster(struct rc_cluster *cluster)
{
    for (size_t i = 0; i < cluster->n_hosts; i++)
        free(cluster->hosts[i].name);
    for (size_t i = 0; i < cluster->n_networks; i++)
        free(cluster->networks[i].name);
    free(cluster->hosts);
    free(cluster->networks);
    free(cluster->name);
}

void rc_platform_destroy(struct rc_platform *platform)
{
    if (!platform)
        return;
    for (size_t i = 0; i < platform->n_clusters; i++)
        destroy_cluster(&platform->clusters[i]);
    free(platform->clusters);
    free(platform->links);
    free(platform->name);
    free(platform->currency);
    free(platform);
}
