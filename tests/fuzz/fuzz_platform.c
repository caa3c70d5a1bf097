/* fuzz_platform.c - any bytes as a platform file, and as a list of hosts. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/text.h"
#include "platform/hostlist.h"
#include "platform/platform.h"

/* Not assert(), which a release build leaves out. */
static void check_error(const struct rc_error *error)
{
    must(error->text[0] != '\0');
    must(memchr(error->text, '\0', sizeof error->text) != NULL);
    must(memchr(error->hint, '\0', sizeof error->hint) != NULL);
    must(rc_text_is_printable(error->text, strlen(error->text)));
    must(rc_text_is_printable(error->hint, strlen(error->hint)));
}

/* A host's share must be worked out in the same way by both functions. */
static void check_placement(const struct rc_cluster *cluster, int64_t processes)
{
    int *counts = malloc(cluster->n_hosts * sizeof *counts);
    double least = INFINITY, memory = rc_platform_cluster_memory_per_process(cluster, processes);
    int64_t sum = 0;

    must(counts != NULL);
    must(rc_platform_cluster_place(cluster, processes, counts) == 0);
    for (size_t i = 0; i < cluster->n_hosts; i++) {
        must(counts[i] >= 0 && counts[i] <= rc_platform_cluster_slots(cluster, i));
        sum += counts[i];
        if (counts[i] && !isnan(memory) && cluster->hosts[i].memory / counts[i] < least)
            least = cluster->hosts[i].memory / counts[i];
    }
    must(sum == processes);
    must(isnan(memory) || memory == least);
    free(counts);
}

static void check_cluster(const struct rc_cluster *cluster)
{
    int64_t capacity = rc_platform_cluster_capacity(cluster);
    struct rc_host_group *groups;
    int64_t n_groups;

    must(cluster->name[0] != '\0' && rc_text_is_printable(cluster->name, strlen(cluster->name)));
    must(cluster->n_hosts >= 1 && cluster->n_networks >= 1);
    must(isnan(cluster->core_hour_cost) || cluster->core_hour_cost >= 0);
    for (size_t i = 0; i < cluster->n_hosts; i++) {
        must(rc_platform_hostlist_is_name(cluster->hosts[i].name));
        must(cluster->hosts[i].cores >= 1 && cluster->hosts[i].cores <= RC_CORES_MAX);
        must(isnan(cluster->hosts[i].memory) || cluster->hosts[i].memory > 0);
    }
    for (size_t i = 0; i < cluster->n_networks; i++)
        must(cluster->networks[i].bandwidth > 0 && cluster->networks[i].latency >= 0);
    must(capacity >= (int64_t)cluster->n_hosts);
    check_placement(cluster, capacity);
    check_placement(cluster, capacity / 2 + 1);
    n_groups = rc_platform_cluster_groups(cluster, NULL, &groups, NULL);
    must(n_groups >= 1 && n_groups <= (int64_t)cluster->n_hosts);
    rc_platform_host_groups_free(groups, n_groups);
}

static void try_platform(const uint8_t *data, size_t size)
{
    struct rc_error error = {0};
    struct rc_platform *platform = rc_platform_parse((const char *)data, size, "fuzz", &error);

    if (!platform) {
        check_error(&error);
        return;
    }
    must(platform->n_clusters >= 1 && platform->name[0] != '\0');
    for (size_t i = 0; i < platform->n_clusters; i++)
        check_cluster(&platform->clusters[i]);
    for (size_t i = 0; i < platform->n_links; i++)
        must(platform->links[i].cluster[0] < platform->n_clusters &&
             platform->links[i].cluster[1] < platform->n_clusters &&
             platform->links[i].cluster[0] != platform->links[i].cluster[1]);
    rc_platform_destroy(platform);
}

/* What expands must come back the same after compressing and expanding again. */
static void try_hostlist(const uint8_t *data, size_t size)
{
    struct rc_error error = {0};
    struct rc_hostlist list, again;
    char *text;

    if (rc_platform_hostlist_expand((const char *)data, size, 2000, &list, &error)) {
        check_error(&error);
        return;
    }
    must(list.count >= 1 && list.count <= 2000);
    text = rc_platform_hostlist_compress((const char *const *)list.names, list.count, &error);
    must(text != NULL);
    must(rc_platform_hostlist_expand(text, strlen(text), list.count, &again, &error) == 0);
    must(again.count == list.count);
    for (size_t i = 0; i < list.count; i++)
        must(strcmp(list.names[i], again.names[i]) == 0);
    free(text);
    rc_platform_hostlist_free(&list);
    rc_platform_hostlist_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_platform(data, size);
    try_hostlist(data, size);
    return 0;
}
