// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.c - from a platform file to a struct rc_platform.
 *
 * yaml.h has seen to it that all keys are known and all values of the right kind; here the values
 * get their meaning. */
#include "platform/platform.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "platform/schema.h"

enum {
    SHORT_PATH = 40,  /* for "clusters[NUMBER]", from which longer paths are made */
    QUANTITY_MAX = 64 /* bytes of a quantity */
};

/* A file on its way into a platform. */
struct reading {
    const struct rc_yaml *yaml;
    struct rc_platform *platform;
    size_t n_hosts; /* over all clusters so far */
};

/* ---- values ---- */

static int read_name(const struct rc_yaml *yaml, const char *path, const char *key,
                     const char *text, char **name)
{
    size_t length = strlen(text);

    if (length > RC_NAME_MAX)
        return rc_platform_yaml_fail(yaml, path, key,
                                     "expected a name of at most %d bytes, found %zu", RC_NAME_MAX,
                                     length);
    if (text[0] == ' ' || text[length - 1] == ' ')
        return rc_platform_yaml_fail(yaml, path, key, "a name may not begin or end with a space");
    return rc_platform_yaml_copy(yaml, text, name);
}

/* A quantity above 0, or 0 as well; `*value` stays as it is where there is no text. */
static int read_quantity(const struct rc_yaml *yaml, const char *path, const char *key,
                         const char *text, enum rc_dimension dimension, bool may_be_zero,
                         double *value)
{
    double number = 0;

    if (!text)
        return 0;
    if (strlen(text) > QUANTITY_MAX)
        return rc_platform_yaml_fail(yaml, path, key,
                                     "expected a quantity, found a text of more than %d bytes",
                                     QUANTITY_MAX);
    if (rc_platform_yaml_number(yaml, path, key, text, dimension, -INFINITY, INFINITY, &number))
        return -1;
    if (!(number > 0) && !(number == 0 && may_be_zero))
        return rc_platform_yaml_fail(yaml, path, key, "'%s' is not %s", text,
                                     may_be_zero ? "0 or more" : "more than 0");
    *value = number;
    return 0;
}

static int read_cost(const struct rc_yaml *yaml, const char *path, const char *text, double *cost)
{
    bool number = text && rc_number_parse(text, strlen(text), cost) == 0;

    return !text || (number && *cost >= 0)
               ? 0
               : rc_platform_yaml_fail(yaml, path, "cost", "'%.*s' is not %s",
                                       rc_platform_yaml_shown(text), text,
                                       number ? "0 or more" : "a number such as 0.05");
}

static int read_count(const struct rc_yaml *yaml, const char *path, const char *key,
                      const char *text, int most, int *value)
{
    int64_t number = *value;

    if (rc_platform_yaml_whole(yaml, path, key, text, 1, most, &number))
        return -1;
    *value = (int)number;
    return 0;
}

/* Reads the host properties of a cluster or an override. */
static int read_host(const struct rc_yaml *yaml, const char *path, const char *cores,
                     const char *memory, const char *speed, struct rc_host *host)
{
    return read_count(yaml, path, "cores", cores, RC_CORES_MAX, &host->cores) ||
                   read_quantity(yaml, path, "memory", memory, RC_BYTES, false, &host->memory) ||
                   read_quantity(yaml, path, "speed", speed, RC_FLOPS, false, &host->speed)
               ? -1
               : 0;
}

/* ---- clusters ---- */

static int read_networks(const struct rc_yaml *yaml, const char *path,
                         const struct rc_raw_cluster *raw, struct rc_cluster *cluster)
{
    char whole[RC_YAML_PATH_SIZE];

    cluster->networks = calloc(raw->networks_count, sizeof *cluster->networks);
    if (!cluster->networks)
        return rc_error_no_memory(yaml->error);
    for (size_t i = 0; i < raw->networks_count; i++) {
        const struct rc_raw_network *from = &raw->networks[i];
        struct rc_network *network = &cluster->networks[i];

        cluster->n_networks = i + 1;
        snprintf(whole, sizeof whole, "%s.networks[%zu]", path, i);
        if (read_name(yaml, whole, "name", from->name, &network->name) ||
            read_quantity(yaml, whole, "bandwidth", from->bandwidth, RC_RATE, false,
                          &network->bandwidth) ||
            read_quantity(yaml, whole, "latency", from->latency, RC_SECONDS, true,
                          &network->latency))
            return -1;
        for (size_t j = 0; j < i; j++)
            if (strcmp(cluster->networks[j].name, network->name) == 0)
                return rc_platform_yaml_fail(yaml, whole, "name", "duplicate network '%s'",
                                             network->name);
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
static int apply_override(const struct rc_yaml *yaml, const char *path,
                          const struct rc_cluster *cluster, struct rc_host *const *sorted,
                          bool *done, const struct rc_raw_override *raw)
{
    struct rc_host with = {.cores = 0, .memory = NAN, .speed = NAN}, *key = &with, *const * found;
    struct rc_hostlist list;
    int status = 0;

    if (!raw->cores && !raw->memory && !raw->speed)
        return rc_platform_yaml_fail(yaml, path, "",
                                     "expected at least one of cores, memory and speed");
    if (read_host(yaml, path, raw->cores, raw->memory, raw->speed, &with) ||
        rc_platform_yaml_hosts(yaml, path, "hosts", raw->hosts, &list))
        return -1;
    for (size_t i = 0; i < list.count && status == 0; i++) {
        with.name = list.names[i];
        found = bsearch(&key, sorted, cluster->n_hosts, sizeof *sorted, by_name);
        if (!found) {
            status = rc_platform_yaml_fail(yaml, path, "hosts", "no host %s in the cluster '%s'",
                                           with.name, cluster->name);
        } else if (done[*found - cluster->hosts]) {
            status = rc_platform_yaml_fail(yaml, path, "hosts",
                                           "the host %s is also in an earlier override", with.name);
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

static int read_overrides(const struct rc_yaml *yaml, const char *path,
                          const struct rc_raw_cluster *raw, struct rc_cluster *cluster)
{
    struct rc_host **sorted;
    char whole[RC_YAML_PATH_SIZE];
    bool *done;
    int status = 0;

    if (raw->overrides_count == 0)
        return 0;
    sorted = sort_hosts(cluster);
    done = calloc(cluster->n_hosts, sizeof *done);
    if (!sorted || !done)
        status = rc_error_no_memory(yaml->error);
    for (size_t i = 0; i < raw->overrides_count && status == 0; i++) {
        snprintf(whole, sizeof whole, "%s.overrides[%zu]", path, i);
        status = apply_override(yaml, whole, cluster, sorted, done, &raw->overrides[i]);
    }
    free(sorted);
    free(done);
    return status;
}

/* Makes the hosts, all alike. */
static int make_hosts(struct reading *reading, const char *path, const struct rc_raw_cluster *raw,
                      struct rc_cluster *cluster)
{
    const struct rc_yaml *yaml = reading->yaml;
    struct rc_host like = {.memory = NAN, .speed = NAN};
    struct rc_hostlist list;

    if (read_host(yaml, path, raw->cores, raw->memory, raw->speed, &like) ||
        rc_platform_yaml_hosts(yaml, path, "hosts", raw->hosts, &list))
        return -1;
    if (list.count > RC_HOSTS_MAX - reading->n_hosts) {
        rc_platform_hostlist_free(&list);
        return rc_platform_yaml_fail(yaml, path, "hosts", "more than %d hosts in all clusters",
                                     RC_HOSTS_MAX);
    }
    cluster->hosts = calloc(list.count, sizeof *cluster->hosts);
    if (!cluster->hosts) {
        rc_platform_hostlist_free(&list);
        return rc_error_no_memory(yaml->error);
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

static int read_cluster(struct reading *reading, size_t index, const struct rc_raw_cluster *raw)
{
    const struct rc_yaml *yaml = reading->yaml;
    struct rc_cluster *cluster = &reading->platform->clusters[index];
    char path[SHORT_PATH];

    cluster->core_hour_cost = NAN;
    snprintf(path, sizeof path, "clusters[%zu]", index);
    if (read_name(yaml, path, "name", raw->name, &cluster->name))
        return -1;
    if (rc_platform_find_cluster(reading->platform, cluster->name) < index)
        return rc_platform_yaml_fail(yaml, path, "name", "duplicate cluster '%s'", cluster->name);
    if (make_hosts(reading, path, raw, cluster) || read_networks(yaml, path, raw, cluster) ||
        read_cost(yaml, path, raw->cost, &cluster->core_hour_cost))
        return -1;
    if (raw->placement) {
        cluster->order = raw->placement->order;
        cluster->contiguous = raw->placement->contiguous == RC_RAW_YES;
        if (read_count(yaml, path, "placement.per_host", raw->placement->per_host, RC_PER_HOST_MAX,
                       &cluster->per_host))
            return -1;
    }
    return read_overrides(yaml, path, raw, cluster);
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

static int check_shared_hosts(const struct reading *reading)
{
    const struct rc_platform *platform = reading->platform;
    struct owned *all = calloc(reading->n_hosts, sizeof *all);
    char path[SHORT_PATH];
    size_t n = 0;
    int status = 0;

    if (!all)
        return rc_error_no_memory(reading->yaml->error);
    for (size_t i = 0; i < platform->n_clusters; i++)
        for (size_t j = 0; j < platform->clusters[i].n_hosts; j++)
            all[n++] = (struct owned){platform->clusters[i].hosts[j].name, i};
    qsort(all, n, sizeof *all, by_owned_name);
    for (size_t i = 1; i < n && status == 0; i++)
        if (strcmp(all[i - 1].name, all[i].name) == 0) {
            snprintf(path, sizeof path, "clusters[%zu]", all[i].cluster);
            status = rc_platform_yaml_fail(reading->yaml, path, "hosts",
                                           "the host %s is also in the cluster '%s'", all[i].name,
                                           platform->clusters[all[i - 1].cluster].name);
        }
    free(all);
    return status;
}

static int read_link(const struct reading *reading, size_t index, const struct rc_raw_link *raw)
{
    const struct rc_yaml *yaml = reading->yaml;
    const struct rc_platform *platform = reading->platform;
    struct rc_cluster_link *link = &platform->links[index];
    char path[SHORT_PATH], key[SHORT_PATH];

    snprintf(path, sizeof path, "links[%zu]", index);
    for (size_t end = 0; end < 2; end++) {
        const char *name = raw->between[end];

        link->cluster[end] = rc_platform_find_cluster(platform, name);
        if (link->cluster[end] < platform->n_clusters)
            continue;
        snprintf(key, sizeof key, "between[%zu]", end);
        rc_platform_yaml_fail(yaml, path, key, "no cluster '%.*s'",
                              (int)rc_text_prefix(name, strlen(name), RC_NAME_MAX), name);
        return platform->n_clusters > 1
                   ? -1
                   : rc_error_hint(yaml->error,
                                   "a link joins two clusters, but the only one is '%s'",
                                   platform->clusters[0].name);
    }
    if (link->cluster[0] == link->cluster[1])
        return rc_platform_yaml_fail(yaml, path, "between",
                                     "expected two different clusters, found '%s' twice",
                                     raw->between[0]);
    for (size_t i = 0; i < index; i++) {
        const struct rc_cluster_link *other = &platform->links[i];

        if ((other->cluster[0] == link->cluster[0] && other->cluster[1] == link->cluster[1]) ||
            (other->cluster[0] == link->cluster[1] && other->cluster[1] == link->cluster[0]))
            return rc_platform_yaml_fail(yaml, path, "between",
                                         "duplicate link between '%s' and '%s'", raw->between[0],
                                         raw->between[1]);
    }
    return read_quantity(yaml, path, "bandwidth", raw->bandwidth, RC_RATE, false,
                         &link->bandwidth) ||
                   read_quantity(yaml, path, "latency", raw->latency, RC_SECONDS, true,
                                 &link->latency)
               ? -1
               : 0;
}

static int read_platform(struct reading *reading, const struct rc_raw_platform *raw)
{
    const struct rc_yaml *yaml = reading->yaml;
    struct rc_platform *platform = reading->platform;

    if (read_name(yaml, "", "name", raw->name, &platform->name) ||
        (raw->currency ? read_name(yaml, "", "currency", raw->currency, &platform->currency)
                       : rc_platform_yaml_copy(yaml, "", &platform->currency)))
        return -1;
    platform->clusters = calloc(raw->clusters_count + (size_t)1, sizeof *platform->clusters);
    platform->links = calloc(raw->links_count + (size_t)1, sizeof *platform->links);
    if (!platform->clusters || !platform->links)
        return rc_error_no_memory(yaml->error);
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
    struct rc_yaml yaml;
    struct reading reading = {.yaml = &yaml};

    if (rc_platform_yaml_open(&yaml, text, length, name, &rc_platform_schema, rc_platform_expected,
                              error) == 0) {
        reading.platform = calloc(1, sizeof *reading.platform);
        if (!reading.platform) {
            rc_error_no_memory(error);
        } else if (read_platform(&reading, yaml.content)) {
            rc_platform_destroy(reading.platform);
            reading.platform = NULL;
        }
    }
    rc_platform_yaml_close(&yaml);
    return reading.platform;
}

struct rc_platform *rc_platform_load(const char *path, struct rc_error *error)
{
    return rc_platform_parse(NULL, 0, path, error);
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
