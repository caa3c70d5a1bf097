// SPDX-License-Identifier: GPL-3.0-or-later
/* host_groups.c - a platform in few words: totals, and groups of hosts that are alike. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "platform/platform.h"

size_t rc_platform_find_cluster(const struct rc_platform *platform, const char *name)
{
    size_t i = 0;

    while (i < platform->n_clusters && strcmp(platform->clusters[i].name, name) != 0)
        i++;
    return i;
}

const struct rc_host *rc_platform_find_host(const struct rc_platform *platform, const char *name,
                                            const struct rc_cluster **cluster)
{
    for (size_t c = 0; c < platform->n_clusters; c++)
        for (size_t i = 0; i < platform->clusters[c].n_hosts; i++)
            if (strcmp(platform->clusters[c].hosts[i].name, name) == 0) {
                if (cluster)
                    *cluster = &platform->clusters[c];
                return &platform->clusters[c].hosts[i];
            }
    return NULL;
}

size_t rc_platform_host_count(const struct rc_platform *platform)
{
    size_t count = 0;

    for (size_t i = 0; i < platform->n_clusters; i++)
        count += platform->clusters[i].n_hosts;
    return count;
}

int64_t rc_platform_cluster_core_count(const struct rc_cluster *cluster)
{
    int64_t count = 0;

    for (size_t i = 0; i < cluster->n_hosts; i++)
        count += cluster->hosts[i].cores;
    return count;
}

int64_t rc_platform_core_count(const struct rc_platform *platform)
{
    int64_t count = 0;

    for (size_t i = 0; i < platform->n_clusters; i++)
        count += rc_platform_cluster_core_count(&platform->clusters[i]);
    return count;
}

/* One host on its way into a group. */
struct member {
    const struct rc_host *host;
    int processes;
    const struct rc_host *first; /* of its group */
};

/* Unknown comes before all that is known. */
static int compare_numbers(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return (a > b) - (a < b);
}

static int compare_kinds(const struct member *a, const struct member *b)
{
    int order = (a->processes > b->processes) - (a->processes < b->processes);

    if (!order)
        order = (a->host->cores > b->host->cores) - (a->host->cores < b->host->cores);
    if (!order)
        order = compare_numbers(a->host->memory, b->host->memory);
    return order ? order : compare_numbers(a->host->speed, b->host->speed);
}

static int by_kind(const void *a, const void *b)
{
    const struct member *left = a, *right = b;
    int order = compare_kinds(left, right);

    return order ? order : (left->host > right->host) - (left->host < right->host);
}

static int by_group(const void *a, const void *b)
{
    const struct member *left = a, *right = b;

    if (left->first != right->first)
        return (left->first > right->first) - (left->first < right->first);
    return (left->host > right->host) - (left->host < right->host);
}

/* Sorts the members so that each group is in one piece, in its order; returns how many groups. */
static size_t sort_members(struct member *members, size_t count)
{
    size_t groups = 0;

    qsort(members, count, sizeof *members, by_kind);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && compare_kinds(&members[i - 1], &members[i]) == 0;

        members[i].first = same ? members[i - 1].first : members[i].host;
        groups += !same;
    }
    qsort(members, count, sizeof *members, by_group);
    return groups;
}

/* The hosts of these members as one expression. */
static char *compress(const struct member *members, size_t count, struct rc_error *error)
{
    const char **names = malloc((count + 1) * sizeof *names);
    char *hosts;

    if (!names)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i < count; i++)
        names[i] = members[i].host->name;
    hosts = rc_platform_hostlist_compress(names, count, error);
    free(names);
    return hosts;
}

static struct member *make_members(const struct rc_cluster *cluster, const int *processes,
                                   struct rc_error *error)
{
    struct member *members = calloc(cluster->n_hosts + 1, sizeof *members);

    for (size_t i = 0; members && i < cluster->n_hosts; i++)
        members[i] =
            (struct member){.host = &cluster->hosts[i], .processes = processes ? processes[i] : 0};
    if (!members)
        rc_error_no_memory(error);
    return members;
}

char *rc_platform_cluster_hosts(const struct rc_cluster *cluster, struct rc_error *error)
{
    struct member *members = make_members(cluster, NULL, error);
    char *hosts = members ? compress(members, cluster->n_hosts, error) : NULL;

    free(members);
    return hosts;
}

int64_t rc_platform_cluster_groups(const struct rc_cluster *cluster, const int *processes,
                                   struct rc_host_group **groups, struct rc_error *error)
{
    size_t n = cluster->n_hosts, length;
    struct member *members = make_members(cluster, processes, error);
    int64_t done = 0;

    *groups = members ? calloc(sort_members(members, n) + 1, sizeof **groups) : NULL;
    if (members && !*groups)
        rc_error_no_memory(error);
    for (size_t i = 0; *groups && i < n; i += length) {
        const struct rc_host *host = members[i].host;
        struct rc_host_group *group = &(*groups)[done++];

        for (length = 1; i + length < n && members[i + length].first == members[i].first; length++)
            ;
        *group = (struct rc_host_group){
            .hosts = compress(&members[i], length, error),
            .count = length,
            .cores = host->cores,
            .memory = host->memory,
            .speed = host->speed,
            .processes = members[i].processes,
            .process_memory = host->memory / (members[i].processes ? members[i].processes : NAN)};
        if (!group->hosts) {
            rc_platform_host_groups_free(*groups, done);
            *groups = NULL;
        }
    }
    free(members);
    return *groups ? done : -1;
}

void rc_platform_host_groups_free(struct rc_host_group *groups, int64_t count)
{
    for (int64_t i = 0; groups && i < count; i++)
        free(groups[i].hosts);
    free(groups);
}
