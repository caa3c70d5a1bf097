// SPDX-License-Identifier: GPL-3.0-or-later
/* host_allocation.c - which hosts a simulated run is on, and with how many processes each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "testbed/sim/sim.h"
#include "platform/hostlist.h"
#include "platform/platform.h"

/* Hosts that may have processes, as a cluster of its own, and where each of them is from. */
struct candidates {
    struct rc_cluster cluster; /* `cores` are the processes that a host takes */
    size_t *from;
    const struct rc_host **hosts;
    int *counts;
};

static int candidates_make(struct candidates *candidates, size_t most, struct rc_error *error)
{
    *candidates =
        (struct candidates){.cluster = {.hosts = calloc(most, sizeof *candidates->cluster.hosts)},
                            .from = calloc(most, sizeof *candidates->from),
                            .hosts = calloc(most, sizeof *candidates->hosts),
                            .counts = calloc(most, sizeof *candidates->counts)};
    return candidates->cluster.hosts && candidates->from && candidates->hosts && candidates->counts
               ? 0
               : rc_error_no_memory(error);
}

static void add_candidate(struct candidates *candidates, const struct rc_sim_choice *choice,
                          size_t cluster, size_t host)
{
    const struct rc_cluster *from = &choice->platform->clusters[cluster];
    size_t i = candidates->cluster.n_hosts++;

    if (i == 0)
        candidates->cluster.order = from->order;
    candidates->cluster.hosts[i] = from->hosts[host];
    candidates->cluster.hosts[i].cores =
        choice->per_host > 0 ? choice->per_host : rc_platform_cluster_slots(from, host);
    candidates->from[i] = cluster;
    candidates->hosts[i] = &from->hosts[host];
}

static int list_candidates(const struct rc_sim_choice *choice, struct candidates *candidates,
                           struct rc_error *error)
{
    struct rc_hostlist list = {0};
    const struct rc_cluster *cluster;
    const struct rc_host *host;
    int status = rc_platform_hostlist_expand(choice->hosts, strlen(choice->hosts), RC_HOSTS_MAX,
                                             &list, error);

    if (status == 0)
        status = candidates_make(candidates, list.count, error);
    for (size_t i = 0; i < list.count && status == 0; i++) {
        host = rc_platform_find_host(choice->platform, list.names[i], &cluster);
        if (!host)
            status = rc_error_set(error, "the platform '%s' has no host %s", choice->platform->name,
                                  list.names[i]);
        else
            add_candidate(candidates, choice, (size_t)(cluster - choice->platform->clusters),
                          (size_t)(host - cluster->hosts));
    }
    rc_platform_hostlist_free(&list);
    return status;
}

static int take_cluster(const struct rc_sim_choice *choice, struct candidates *candidates,
                        struct rc_error *error)
{
    const struct rc_platform *platform = choice->platform;
    size_t which = choice->cluster ? rc_platform_find_cluster(platform, choice->cluster) : 0;
    const char *near;

    if (which == platform->n_clusters) {
        near = rc_nearest_word(choice->cluster, (const char *const *)&platform->clusters[0].name,
                               platform->n_clusters, sizeof *platform->clusters);
        rc_error_set(error, "the platform '%s' has no cluster '%s'", platform->name,
                     choice->cluster);
        return near ? rc_error_hint(error, "did you mean '%s'?", near) : -1;
    }
    if (candidates_make(candidates, platform->clusters[which].n_hosts, error))
        return -1;
    for (size_t i = 0; i < platform->clusters[which].n_hosts; i++)
        add_candidate(candidates, choice, which, i);
    return 0;
}

static int place(const struct rc_sim_choice *choice, struct candidates *candidates,
                 struct rc_sim_layout *layout, struct rc_error *error)
{
    int64_t capacity = rc_platform_cluster_capacity(&candidates->cluster);

    layout->processes = choice->processes ? choice->processes : capacity;
    if (layout->processes > capacity)
        return rc_error_set_code(error, "sim.processes-do-not-fit",
                                 "%lld processes do not fit on the hosts, which take %lld",
                                 (long long)layout->processes, (long long)capacity);
    if (layout->processes > RC_SIM_PROCESSES_MAX)
        return rc_error_set_code(error, "sim.too-many-processes",
                                 "%lld processes are too many; at most %d can be simulated",
                                 (long long)layout->processes, RC_SIM_PROCESSES_MAX);
    return rc_platform_cluster_place(&candidates->cluster, layout->processes, candidates->counts)
               ? rc_error_set(error, "the processes cannot be placed")
               : 0;
}

static const struct rc_network *find_network(const struct rc_cluster *cluster, const char *name,
                                             struct rc_error *error)
{
    for (size_t i = 0; i < cluster->n_networks; i++)
        if (!name || strcmp(cluster->networks[i].name, name) == 0)
            return &cluster->networks[i];
    rc_error_set(error, "the cluster '%s' has no network '%s'", cluster->name, name);
    rc_error_hint(error, "its first network is '%s'", cluster->networks[0].name);
    return NULL;
}

static int add_host(const struct rc_sim_choice *choice, const struct rc_host *host, size_t cluster,
                    int processes, struct rc_sim_layout *layout, struct rc_error *error)
{
    const struct rc_network *network =
        find_network(&choice->platform->clusters[cluster], choice->network, error);
    double speed = isnan(host->speed) ? choice->speed : host->speed;

    if (!network)
        return -1;
    if (isnan(speed))
        return rc_error_set_code(error, "sim.unknown-speed", "the platform '%s' has no speed of %s",
                                 choice->platform->name, host->name);
    layout->hosts[layout->n_hosts++] = (struct rc_sim_host){.name = host->name,
                                                            .cluster = cluster,
                                                            .cores = host->cores,
                                                            .processes = processes,
                                                            .speed = speed,
                                                            .bandwidth = network->bandwidth,
                                                            .latency = network->latency};
    return 0;
}

/* ---- links between clusters ---- */

static int add_link(struct rc_sim_layout *layout, size_t a, size_t b, struct rc_error *error)
{
    const struct rc_platform *platform = layout->platform;
    const struct rc_cluster_link *link = NULL;
    struct rc_sim_link *more;

    for (size_t i = 0; i < platform->n_links; i++)
        if ((platform->links[i].cluster[0] == a && platform->links[i].cluster[1] == b) ||
            (platform->links[i].cluster[0] == b && platform->links[i].cluster[1] == a))
            link = &platform->links[i];
    if (!link) {
        rc_error_set(error, "the platform '%s' has no link between the clusters '%s' and '%s'",
                     platform->name, platform->clusters[a].name, platform->clusters[b].name);
        return rc_error_hint(error, "use hosts of one cluster, or add the link under 'links'");
    }
    more = realloc(layout->links, (layout->n_links + 1) * sizeof *more);
    if (!more)
        return rc_error_no_memory(error);
    layout->links = more;
    more = &layout->links[layout->n_links++];
    *more = (struct rc_sim_link){
        {link->cluster[0], link->cluster[1]}, link->bandwidth, link->latency, ""};
    snprintf(more->name, sizeof more->name, "%s:%s", platform->clusters[link->cluster[0]].name,
             platform->clusters[link->cluster[1]].name);
    return 0;
}

static int add_links(struct rc_sim_layout *layout, struct rc_error *error)
{
    size_t n = layout->platform->n_clusters;
    bool *used = calloc(n, sizeof *used);
    int status = used ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; used && i < layout->n_hosts; i++)
        used[layout->hosts[i].cluster] = true;
    for (size_t a = 0; a < n && status == 0; a++)
        for (size_t b = a + 1; b < n && used[a] && status == 0; b++)
            if (used[b])
                status = add_link(layout, a, b, error);
    free(used);
    return status;
}

/* ---- the whole ---- */

static int name_hosts(struct rc_sim_layout *layout, struct rc_error *error)
{
    const char **names = malloc(layout->n_hosts * sizeof *names);

    if (!names)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < layout->n_hosts; i++)
        names[i] = layout->hosts[i].name;
    layout->text = rc_platform_hostlist_compress(names, layout->n_hosts, error);
    free(names);
    return layout->text ? 0 : -1;
}

int rc_sim_layout(const struct rc_sim_choice *choice, struct rc_sim_layout *layout,
                  struct rc_error *error)
{
    struct candidates candidates = {.from = NULL};
    int status;

    *layout = (struct rc_sim_layout){.platform = choice->platform};
    if (choice->hosts && choice->cluster)
        return rc_error_set(error, "hosts and a cluster are mutually exclusive");
    status = choice->hosts ? list_candidates(choice, &candidates, error)
                           : take_cluster(choice, &candidates, error);
    if (status == 0)
        status = place(choice, &candidates, layout, error);
    if (status == 0) {
        layout->hosts = calloc(candidates.cluster.n_hosts, sizeof *layout->hosts);
        status = layout->hosts ? 0 : rc_error_no_memory(error);
    }
    for (size_t i = 0; i < candidates.cluster.n_hosts && status == 0; i++)
        if (candidates.counts[i] > 0)
            status = add_host(choice, candidates.hosts[i], candidates.from[i], candidates.counts[i],
                              layout, error);
    free(candidates.cluster.hosts);
    free(candidates.from);
    free(candidates.hosts);
    free(candidates.counts);
    return status || add_links(layout, error) || name_hosts(layout, error) ? -1 : 0;
}

void rc_sim_layout_free(struct rc_sim_layout *layout)
{
    free(layout->hosts);
    free(layout->links);
    free(layout->text);
    *layout = (struct rc_sim_layout){.platform = NULL};
}
