// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_show.c - `runcast platform show`: working out what is shown of a platform. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "cmd/platform/print.h"
#include "platform/platform.h"

struct show_options {
    bool json;
    int64_t procs;
    const char *cluster;
};

static const struct rc_option show_options[] = {
    {.name = "procs",
     .letter = 'p',
     .kind = RC_OPTION_INTEGER,
     .argument = "P",
     .help = "also show how P processes are placed, and the memory that each has",
     .offset = offsetof(struct show_options, procs),
     .least = 1},
    {.name = "cluster",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the cluster to place them on; needed where there are several",
     .offset = offsetof(struct show_options, cluster)},
    RC_OPTION_JSON(struct show_options),
    RC_OPTIONS_END,
};

static void free_show(struct rc_platform_show *show)
{
    for (size_t i = 0; show->views && i < show->platform->n_clusters; i++) {
        free(show->views[i].hosts);
        rc_platform_host_groups_free(show->views[i].groups, show->views[i].n_groups);
    }
    free(show->views);
    rc_platform_host_groups_free(show->placed.groups, show->placed.n_groups);
}

static int make_views(struct rc_platform_show *show, struct rc_error *error)
{
    show->views = calloc(show->platform->n_clusters, sizeof *show->views);
    if (!show->views)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < show->platform->n_clusters; i++) {
        struct rc_platform_view *view = &show->views[i];

        view->cluster = &show->platform->clusters[i];
        view->hosts = rc_platform_cluster_hosts(view->cluster, error);
        if (!view->hosts)
            return -1;
        view->n_groups = rc_platform_cluster_groups(view->cluster, NULL, &view->groups, error);
        if (view->n_groups < 0)
            return -1;
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
        rc_error_set(error, "%s has %zu clusters", platform->name, platform->n_clusters);
        return rc_error_hint(error, "say which one with --cluster, such as --cluster '%s'",
                             platform->clusters[0].name);
    }
    *index = rc_platform_find_cluster(platform, name);
    if (*index < platform->n_clusters)
        return 0;
    rc_error_set(error, "%s has no cluster '%s'", platform->name, name);
    nearest = rc_text_nearest(name, (const char *const *)&platform->clusters[0].name,
                              platform->n_clusters, sizeof *platform->clusters);
    return nearest ? rc_error_hint(error, "did you mean '%s'?", nearest) : -1;
}

static int make_placed(struct rc_platform_show *show, const struct show_options *options,
                       struct rc_error *error)
{
    struct rc_platform_placed *placed = &show->placed;
    const struct rc_cluster *cluster;
    size_t index;
    int *counts;

    if (find_cluster(show->platform, options->cluster, &index, error))
        return -1;
    cluster = &show->platform->clusters[index];
    counts = calloc(cluster->n_hosts, sizeof *counts);
    if (!counts)
        return rc_error_no_memory(error);
    if (rc_platform_cluster_place(cluster, options->procs, counts)) {
        free(counts);
        return rc_error_set(error, "the cluster '%s' takes at most %" PRId64 " processes",
                            cluster->name, rc_platform_cluster_capacity(cluster));
    }
    placed->cluster = cluster;
    placed->processes = options->procs;
    placed->n_groups = rc_platform_cluster_groups(cluster, counts, &placed->groups, error);
    free(counts);
    return placed->n_groups < 0 ? -1 : 0;
}

/* ---- the command ---- */

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    const char *file = invocation->arguments[0];
    struct rc_error error = {0};
    struct rc_platform *platform;
    struct rc_platform_show show = {0};
    int status;

    if (options->cluster && !options->procs)
        return rc_cmd_usage_text(invocation, "--cluster says where --procs go, which is missing");
    platform = rc_platform_load(file, &error);
    if (!platform)
        return rc_cmd_fail(&error, "reading %s", file);
    show.platform = platform;
    status = make_views(&show, &error);
    if (status == 0 && options->procs)
        status = make_placed(&show, options, &error);
    if (status == 0)
        status = options->json ? rc_cmd_platform_print_json(&show, &error)
                               : rc_cmd_platform_print_tables(&show, &error);
    if (status)
        rc_cmd_fail(&error, "showing %s", file);
    free_show(&show);
    rc_platform_destroy(platform);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

const struct rc_command rc_command_platform_show = {
    .name = "show",
    .summary = "Show what a platform file describes",
    .arguments = "FILE.yaml",
    .details = "Shows clusters, networks, links and hosts that differ from the others of their "
               "cluster. Memory per process is what the worst-off process has when the cluster is "
               "full. With --procs, the placement of so many processes is shown, too.",
    .examples = "  runcast platform show lab.yaml # tables\n"
                "  runcast platform show lab.yaml --procs 6 # where would 6 processes go?\n"
                "  runcast platform show lab.yaml --json # the same for programs\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = show_options,
    .options_size = sizeof(struct show_options),
    .run = run_show,
};
