// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_hosts.c - the platform of 'runcast advise', and the hosts of it that may be used. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/advise/advise.h"
#include "platform/hostlist.h"
#include "platform/platform.h"

/* ---- the file ---- */

/* Who names a platform, as other commands want it, may not know that there is more to be said. */
static void hint_at_file(const char *path, struct rc_error *error)
{
    static const char *const endings[] = {".yaml", ".yml"};
    char near[4096];

    if (access(path, F_OK) == 0)
        return;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (snprintf(near, sizeof near, "%s%s", path, endings[i]) < (int)sizeof near &&
            access(near, R_OK) == 0) {
            rc_error_hint(error, "--platform wants a file; is %s meant?", near);
            return;
        }
    rc_error_hint(error, "--platform wants a file that lists clusters, hosts and prices, such as "
                         "cluster.yaml: 'man runcast-platform' tells how to write one");
}

int rc_cmd_advise_load(struct rc_cmd_advise *asked, struct rc_error *error)
{
    asked->platform = rc_platform_load(asked->options->platform, error);
    if (asked->platform)
        return 0;
    hint_at_file(asked->options->platform, error);
    return -1;
}

/* ---- hosts that are named ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_named(const struct rc_hostlist *named, const char *name)
{
    return bsearch(&name, named->names, named->count, sizeof *named->names, by_text);
}

/* Says which hosts are missing, and which there are. */
static int tell_missing(const struct rc_platform *platform, const char *const *missing, size_t n,
                        const char *const *all, size_t n_all, struct rc_error *error)
{
    char *lacks = rc_platform_hostlist_compress(missing, n, error);
    char *has = lacks ? rc_platform_hostlist_compress(all, n_all, error) : NULL;

    if (has) {
        if (n == 1)
            rc_error_set(error, "--hosts: %.200s is not in the platform %s", lacks, platform->name);
        else
            rc_error_set(error, "--hosts: %zu of the hosts are not in the platform %s: %.200s%s", n,
                         platform->name, lacks, strlen(lacks) > 200 ? "..." : "");
        rc_error_hint(error, "it has %.200s%s", has, strlen(has) > 200 ? "..." : "");
    }
    free(lacks);
    free(has);
    return -1;
}

/* `named` is sorted afterwards. */
static int check_named(const struct rc_platform *platform, struct rc_hostlist *named,
                       struct rc_error *error)
{
    size_t n_all = rc_platform_host_count(platform), n = 0, n_missing = 0;
    const char **all = calloc(2 * n_all + 1, sizeof *all), **sorted;
    const char **missing = calloc(named->count + 1, sizeof *missing);
    int status = all && missing ? 0 : rc_error_no_memory(error);

    if (status == 0) {
        sorted = all + n_all;
        for (size_t c = 0; c < platform->n_clusters; c++)
            for (size_t i = 0; i < platform->clusters[c].n_hosts; i++)
                all[n++] = platform->clusters[c].hosts[i].name;
        memcpy(sorted, all, n_all * sizeof *all);
        qsort(sorted, n_all, sizeof *sorted, by_text);
        for (size_t i = 0; i < named->count; i++)
            if (!bsearch(&named->names[i], sorted, n_all, sizeof *sorted, by_text))
                missing[n_missing++] = named->names[i];
        if (n_missing > 0)
            status = tell_missing(platform, missing, n_missing, all, n_all, error);
    }
    if (named->count > 0)
        qsort(named->names, named->count, sizeof *named->names, by_text);
    free(all);
    free(missing);
    return status;
}

/* ---- hosts that are used ---- */

/* Takes in a host, where there is room on it. */
static void add_host(struct rc_cmd_advise *asked, size_t cluster, size_t place)
{
    const struct rc_cluster *from = &asked->platform->clusters[cluster];
    const struct rc_host *host = &from->hosts[place];
    struct rc_candidate_host *own = &asked->hosts[asked->n_hosts];
    int slots = rc_platform_cluster_slots(from, place);

    if (!isnan(asked->options->memory) && !isnan(host->memory))
        slots = (int)fmin(slots, floor(host->memory / asked->options->memory));
    if (slots < 1)
        return;
    *own = (struct rc_candidate_host){
        .cluster = cluster, .place = place, .slots = slots, .cores = host->cores, .score = 1};
    asked->names[asked->n_hosts++] = host->name;
}

static int get_room(struct rc_cmd_advise *asked, struct rc_error *error)
{
    size_t all = rc_platform_host_count(asked->platform);

    asked->names = calloc(all + 1, sizeof *asked->names);
    asked->hosts = calloc(all + 1, sizeof *asked->hosts);
    asked->usual = calloc(all + 1, sizeof *asked->usual);
    asked->weights = calloc(all + 1, sizeof *asked->weights);
    asked->clusters = calloc(asked->platform->n_clusters + 1, sizeof *asked->clusters);
    return asked->names && asked->hosts && asked->usual && asked->weights && asked->clusters
               ? 0
               : rc_error_no_memory(error);
}

int rc_cmd_advise_take_hosts(struct rc_cmd_advise *asked, struct rc_hostlist *named,
                             struct rc_error *error)
{
    const struct rc_platform *platform = asked->platform;

    if (get_room(asked, error) || check_named(platform, named, error))
        return -1;
    for (size_t c = 0; c < platform->n_clusters; c++) {
        const struct rc_cluster *cluster = &platform->clusters[c];

        asked->clusters[c] =
            (struct rc_search_cluster){cluster->core_hour_cost, cluster->contiguous != 0,
                                       cluster->order == RC_PLACE_SPREAD ? RC_FILL_SPREAD
                                                                         : RC_FILL_PACKED};
        for (size_t i = 0; i < cluster->n_hosts; i++)
            if (named->count == 0 || is_named(named, cluster->hosts[i].name))
                add_host(asked, c, i);
    }
    if (asked->n_hosts == 0)
        return rc_error_set(error, "--memory: no host has so much for a process");
    if (asked->n_hosts > RC_CMD_ADVISE_HOSTS_MAX) {
        rc_error_set(error, "the platform has more than %d hosts", RC_CMD_ADVISE_HOSTS_MAX);
        return rc_error_hint(error, "name those that may be used: --hosts HOSTS");
    }
    return 0;
}
