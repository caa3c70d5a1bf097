// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - 'runcast platform show'. */
#include <inttypes.h>
#include <stdlib.h>

#include "answer/platform.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cmd/platform/platform.h"
#include "report/cell.h"

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

/* ---- the answer ---- */

static void free_answer(struct rc_answer_platform *answer)
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

static int make_answer(const struct rc_platform *platform, struct rc_answer_platform *answer,
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

/* Hosts without a process are left out. */
static void keep_used(struct rc_answer_placement *placement, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (placement->groups[i].processes > 0)
            placement->groups[placement->n_groups++] = placement->groups[i];
        else
            free(placement->groups[i].hosts);
}

static int make_placement(const struct rc_platform *platform, const struct show_options *options,
                          struct rc_answer_placement *placement, struct rc_error *error)
{
    const struct rc_cluster *cluster;
    size_t index;
    int64_t n;
    int *counts;

    if (find_cluster(platform, options->cluster, &index, error))
        return -1;
    cluster = &platform->clusters[index];
    counts = calloc(cluster->n_hosts, sizeof *counts);
    if (!counts)
        return rc_error_no_memory(error);
    if (rc_platform_cluster_place(cluster, options->procs, counts)) {
        free(counts);
        return rc_error_set(error, "the cluster '%s' takes at most %" PRId64 " processes",
                            cluster->name, rc_platform_cluster_capacity(cluster));
    }
    *placement = (struct rc_answer_placement){
        .on = cluster,
        .cluster = cluster->name,
        .processes = options->procs,
        .memory = rc_platform_cluster_memory_per_process(cluster, options->procs)};
    n = rc_platform_cluster_groups(cluster, counts, &placement->groups, error);
    free(counts);
    if (n < 0)
        return -1;
    keep_used(placement, (size_t)n);
    return 0;
}

/* ---- tables ---- */

/* Rows of all clusters in one table, which begins with the cluster's name; of those with fewer than
 * `least` rows, none. */
static int show_rows(const struct rc_answer_platform *answer, const struct rc_field *fields,
                     bool networks, size_t least, struct rc_error *error)
{
    struct rc_column columns[8] = {{.title = "cluster"}};
    size_t n_columns = 1 + rc_field_columns(fields, columns + 1, 7);
    struct rc_table *table = NULL;

    for (size_t i = 0; i < answer->n_clusters; i++) {
        const struct rc_answer_cluster *cluster = &answer->clusters[i];
        size_t n = networks ? cluster->is.n_networks : cluster->n_groups;

        if (!table && n >= least) {
            fputc('\n', stdout);
            table = rc_table_create(stdout, columns, n_columns, rc_cmd_width());
            if (!table)
                return rc_error_no_memory(error);
        }
        for (size_t j = 0; n >= least && j < n; j++) {
            rc_table_text(table, cluster->is.name);
            rc_field_row(table, fields,
                         networks ? (const void *)&cluster->is.networks[j] : &cluster->groups[j]);
        }
    }
    return table && rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

static int show_list(const struct rc_field *fields, const void *records, size_t n, size_t size,
                     struct rc_error *error)
{
    return rc_field_table(stdout, fields, records, n, size, rc_cmd_width(), error);
}

static int show_tables(const struct rc_platform *platform, const struct rc_answer_platform *answer,
                       struct rc_error *error)
{
    const struct rc_answer_placement *placement = &answer->placement;

    printf("%s: ", platform->name);
    rc_cmd_platform_totals(platform);
    if (answer->currency)
        printf("; prices in %s per core-hour", answer->currency);
    fputs("\n\n", stdout);
    if (show_list(rc_answer_cluster, answer->clusters, answer->n_clusters, sizeof *answer->clusters,
                  error) ||
        show_rows(answer, rc_answer_network, true, 1, error))
        return -1;
    if (answer->n_links > 0) {
        fputc('\n', stdout);
        if (show_list(rc_answer_link, answer->links, answer->n_links, sizeof *answer->links, error))
            return -1;
    }
    /* The hosts of clusters whose hosts are not all alike. */
    if (show_rows(answer, rc_answer_group, false, 2, error))
        return -1;
    if (!placement->on)
        return 0;
    printf("\n%" PRId64 " process%s on %s, %s:\n", placement->processes,
           rc_cell_plural(placement->processes, "es"), placement->cluster,
           rc_platform_placement_order_name(placement->on->order));
    return show_list(rc_answer_placed_group, placement->groups, placement->n_groups,
                     sizeof *placement->groups, error);
}

static int show_json(const struct rc_answer_platform *answer, struct rc_error *error)
{
    json_t *object = rc_field_json(rc_answer_platform, answer);

    if (!object)
        return rc_error_no_memory(error);
    rc_json_write(stdout, object, true);
    json_decref(object);
    return 0;
}

/* ---- the command ---- */

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    const char *file = invocation->arguments[0];
    struct rc_error error = {0};
    struct rc_platform *platform;
    struct rc_answer_platform answer;
    int status;

    if (options->cluster && !options->procs)
        return rc_cmd_usage_text(invocation, "--cluster says where --procs go, which is missing");
    platform = rc_platform_load(file, &error);
    if (!platform)
        return rc_cmd_fail(&error, "reading %s", file);
    status = make_answer(platform, &answer, &error);
    if (status == 0 && options->procs)
        status = make_placement(platform, options, &answer.placement, &error);
    if (status == 0)
        status =
            options->json ? show_json(&answer, &error) : show_tables(platform, &answer, &error);
    if (status)
        rc_cmd_fail(&error, "showing %s", file);
    free_answer(&answer);
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
