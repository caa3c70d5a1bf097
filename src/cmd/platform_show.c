// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_show.c - `runcast platform show`: a platform as tables, or as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/table.h"
#include "base/text.h"
#include "base/unit.h"
#include "cmd/platform.h"
#include "platform/platform.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct show_options {
    bool json;
    int64_t procs;
    const char *cluster;
};

static const struct rc_option show_options[] = {
    {.name = "procs", .letter = 'p', .kind = RC_OPTION_INTEGER, .argument = "P",
     .help = "also show how P processes are placed, and the memory that each has",
     .offset = offsetof(struct show_options, procs), .least = 1},
    {.name = "cluster", .kind = RC_OPTION_TEXT, .argument = "NAME",
     .help = "the cluster to place them on; needed where there are several",
     .offset = offsetof(struct show_options, cluster)},
    RC_OPTION_JSON(struct show_options),
    RC_OPTIONS_END,
};

/* What is shown of one cluster, worked out before anything is printed. */
struct view {
    const struct rc_cluster *cluster;
    char *hosts; /* as an expression */
    struct rc_host_group *groups;
    int64_t n_groups;
};

/* How processes are placed, where that was asked for. */
struct placed {
    const struct rc_cluster *cluster; /* NULL: not asked for */
    int64_t processes;
    struct rc_host_group *groups;
    int64_t n_groups;
};

struct show {
    const struct rc_platform *platform;
    struct view *views; /* one for each cluster */
    struct placed placed;
};

static void free_show(struct show *show)
{
    for (size_t i = 0; show->views && i < show->platform->n_clusters; i++) {
        free(show->views[i].hosts);
        rc_host_groups_free(show->views[i].groups, show->views[i].n_groups);
    }
    free(show->views);
    rc_host_groups_free(show->placed.groups, show->placed.n_groups);
}

static int make_views(struct show *show, struct rc_error *error)
{
    show->views = calloc(show->platform->n_clusters, sizeof *show->views);
    if (!show->views)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < show->platform->n_clusters; i++) {
        struct view *view = &show->views[i];

        view->cluster = &show->platform->clusters[i];
        view->hosts = rc_cluster_hosts(view->cluster, error);
        if (!view->hosts)
            return -1;
        view->n_groups = rc_cluster_groups(view->cluster, NULL, &view->groups, error);
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

static int make_placed(struct show *show, const struct show_options *options,
                       struct rc_error *error)
{
    struct placed *placed = &show->placed;
    const struct rc_cluster *cluster;
    size_t index;
    int *counts;

    if (find_cluster(show->platform, options->cluster, &index, error))
        return -1;
    cluster = &show->platform->clusters[index];
    counts = calloc(cluster->n_hosts, sizeof *counts);
    if (!counts)
        return rc_error_no_memory(error);
    if (rc_cluster_place(cluster, options->procs, counts)) {
        free(counts);
        return rc_error_set(error, "the cluster '%s' takes at most %" PRId64 " processes",
                            cluster->name, rc_cluster_capacity(cluster));
    }
    placed->cluster = cluster;
    placed->processes = options->procs;
    placed->n_groups = rc_cluster_groups(cluster, counts, &placed->groups, error);
    free(counts);
    return placed->n_groups < 0 ? -1 : 0;
}

/* ---- tables ---- */

static void quantity_cell(struct rc_table *table, double value, enum rc_dimension dimension)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(value, dimension, text);
    rc_table_text(table, text);
}

/* One value where all hosts agree, otherwise the least and the most: "2-4", "512 MiB-8 GiB". */
static void span_cell(struct rc_table *table, const struct view *view,
                      double (*value)(const struct rc_host_group *), enum rc_dimension dimension)
{
    double low = INFINITY, high = -INFINITY;
    char least[RC_UNIT_SIZE], most[RC_UNIT_SIZE], text[2 * RC_UNIT_SIZE + 8];
    bool unknown = false;

    for (int64_t i = 0; i < view->n_groups; i++) {
        double v = value(&view->groups[i]);

        if (isnan(v))
            unknown = true;
        if (v < low)
            low = v;
        if (v > high)
            high = v;
    }
    rc_unit_format(low > high ? NAN : low, dimension, least);
    rc_unit_format(high, dimension, most);
    if (low < high && strchr(least, ' ') && strchr(most, ' ') &&
        strcmp(strchr(least, ' '), strchr(most, ' ')) == 0)
        *strchr(least, ' ') = '\0'; /* the unit once is enough */
    if (low < high)
        snprintf(text, sizeof text, "%s%s-%s", unknown ? "?, " : "", least, most);
    else
        snprintf(text, sizeof text, "%s%s", unknown && low == high ? "?, " : "", least);
    rc_table_text(table, text);
}

static double group_cores(const struct rc_host_group *group)
{
    return group->cores;
}

static double group_memory(const struct rc_host_group *group)
{
    return group->memory;
}

static double group_speed(const struct rc_host_group *group)
{
    return group->speed;
}

static void cluster_row(struct rc_table *table, const struct view *view)
{
    const struct rc_cluster *cluster = view->cluster;
    int64_t capacity = rc_cluster_capacity(cluster);
    char text[64];

    rc_table_text(table, cluster->name);
    rc_table_text(table, view->hosts);
    rc_table_integer(table, (long long)cluster->n_hosts);
    rc_table_integer(table, rc_cluster_core_count(cluster));
    span_cell(table, view, group_cores, RC_COUNT);
    span_cell(table, view, group_memory, RC_BYTES);
    quantity_cell(table, rc_cluster_memory_per_process(cluster, capacity), RC_BYTES);
    span_cell(table, view, group_speed, RC_FLOPS);
    rc_table_number(table, cluster->price);
    if (cluster->per_host)
        snprintf(text, sizeof text, "%d per host, %s", cluster->per_host,
                 rc_placement_order_name(cluster->order));
    else
        snprintf(text, sizeof text, "1 per core, %s", rc_placement_order_name(cluster->order));
    rc_table_text(table, text);
}

static int show_clusters(const struct show *show)
{
    static const struct rc_column columns[] = {
        {.title = "cluster"},
        {.title = "hosts", .wrap = true},
        {.title = "number", .right = true},
        {.title = "cores", .right = true},
        {.title = "cores/host", .right = true},
        {.title = "memory/host", .right = true},
        {.title = "memory/process", .right = true},
        {.title = "speed/core", .right = true},
        {.title = "price", .right = true},
        {.title = "placement"},
    };
    struct rc_table *table = rc_table_create(stdout, columns, COUNT(columns), rc_cmd_width());

    if (!table)
        return -1;
    for (size_t i = 0; i < show->platform->n_clusters; i++)
        cluster_row(table, &show->views[i]);
    return rc_table_finish(table);
}

static int show_networks(const struct show *show)
{
    static const struct rc_column columns[] = {
        {.title = "cluster"},
        {.title = "network"},
        {.title = "bandwidth", .right = true},
        {.title = "latency", .right = true},
    };
    struct rc_table *table;

    fputc('\n', stdout);
    table = rc_table_create(stdout, columns, COUNT(columns), rc_cmd_width());
    if (!table)
        return -1;
    for (size_t i = 0; i < show->platform->n_clusters; i++) {
        const struct rc_cluster *cluster = &show->platform->clusters[i];

        for (size_t j = 0; j < cluster->n_networks; j++) {
            rc_table_text(table, cluster->name);
            rc_table_text(table, cluster->networks[j].name);
            quantity_cell(table, cluster->networks[j].bandwidth, RC_RATE);
            quantity_cell(table, cluster->networks[j].latency, RC_SECONDS);
        }
    }
    return rc_table_finish(table);
}

static int show_links(const struct show *show)
{
    static const struct rc_column columns[] = {
        {.title = "link from"},
        {.title = "to"},
        {.title = "bandwidth", .right = true},
        {.title = "latency", .right = true},
    };
    struct rc_table *table;

    if (show->platform->n_links == 0)
        return 0;
    fputc('\n', stdout);
    table = rc_table_create(stdout, columns, COUNT(columns), rc_cmd_width());
    if (!table)
        return -1;
    for (size_t i = 0; i < show->platform->n_links; i++) {
        const struct rc_cluster_link *link = &show->platform->links[i];

        rc_table_text(table, show->platform->clusters[link->cluster[0]].name);
        rc_table_text(table, show->platform->clusters[link->cluster[1]].name);
        quantity_cell(table, link->bandwidth, RC_RATE);
        quantity_cell(table, link->latency, RC_SECONDS);
    }
    return rc_table_finish(table);
}

/* The hosts of clusters whose hosts are not all alike. */
static int show_differences(const struct show *show)
{
    static const struct rc_column columns[] = {
        {.title = "cluster"},
        {.title = "like hosts", .wrap = true},
        {.title = "number", .right = true},
        {.title = "cores/host", .right = true},
        {.title = "memory/host", .right = true},
        {.title = "speed/core", .right = true},
    };
    struct rc_table *table = NULL;

    for (size_t i = 0; i < show->platform->n_clusters; i++) {
        const struct view *view = &show->views[i];

        if (view->n_groups < 2)
            continue;
        if (!table) {
            fputc('\n', stdout);
            table = rc_table_create(stdout, columns, COUNT(columns), rc_cmd_width());
            if (!table)
                return -1;
        }
        for (int64_t j = 0; j < view->n_groups; j++) {
            rc_table_text(table, view->cluster->name);
            rc_table_text(table, view->groups[j].hosts);
            rc_table_integer(table, (long long)view->groups[j].count);
            rc_table_integer(table, view->groups[j].cores);
            quantity_cell(table, view->groups[j].memory, RC_BYTES);
            quantity_cell(table, view->groups[j].speed, RC_FLOPS);
        }
    }
    return table ? rc_table_finish(table) : 0;
}

static int show_placed(const struct placed *placed)
{
    static const struct rc_column columns[] = {
        {.title = "used hosts", .wrap = true},
        {.title = "number", .right = true},
        {.title = "processes/host", .right = true},
        {.title = "memory/process", .right = true},
    };
    struct rc_table *table;

    if (!placed->cluster)
        return 0;
    printf("\n%" PRId64 " process%s on %s, %s:\n", placed->processes,
           placed->processes == 1 ? "" : "es", placed->cluster->name,
           rc_placement_order_name(placed->cluster->order));
    table = rc_table_create(stdout, columns, COUNT(columns), rc_cmd_width());
    if (!table)
        return -1;
    for (int64_t i = 0; i < placed->n_groups; i++) {
        const struct rc_host_group *group = &placed->groups[i];

        if (group->processes == 0)
            continue;
        rc_table_text(table, group->hosts);
        rc_table_integer(table, (long long)group->count);
        rc_table_integer(table, group->processes);
        quantity_cell(table, group->memory / group->processes, RC_BYTES);
    }
    return rc_table_finish(table);
}

static int show_tables(const struct show *show, struct rc_error *error)
{
    const struct rc_platform *platform = show->platform;

    printf("%s: ", platform->name);
    rc_cmd_platform_totals(platform);
    if (platform->currency[0])
        printf("; prices in %s per core-hour", platform->currency);
    fputs("\n\n", stdout);
    if (show_clusters(show) || show_networks(show) || show_links(show) || show_differences(show) ||
        show_placed(&show->placed))
        return rc_error_no_memory(error);
    return 0;
}

/* ---- JSON ---- */

static json_t *networks_json(const struct rc_cluster *cluster)
{
    json_t *list = json_array();

    for (size_t i = 0; i < cluster->n_networks; i++) {
        json_t *object = json_object();

        rc_json_set(object, "name", rc_json_text(cluster->networks[i].name));
        rc_json_set(object, "bandwidth", rc_json_number(cluster->networks[i].bandwidth));
        rc_json_set(object, "latency", rc_json_number(cluster->networks[i].latency));
        json_array_append_new(list, object);
    }
    return list;
}

/* With `placed`, groups without a process are left out, and the others tell of theirs. */
static json_t *groups_json(const struct rc_host_group *groups, int64_t count, bool placed)
{
    json_t *list = json_array();

    for (const struct rc_host_group *g = groups; g < groups + count; g++) {
        json_t *object;

        if (placed && g->processes == 0)
            continue;
        object = json_object();
        rc_json_set(object, "hosts", rc_json_text(g->hosts));
        rc_json_set(object, "host_count", json_integer((json_int_t)g->count));
        rc_json_set(object, "cores_per_host", json_integer(g->cores));
        rc_json_set(object, "memory_per_host", rc_json_number(g->memory));
        rc_json_set(object, "speed_per_core", rc_json_number(g->speed));
        if (placed) {
            rc_json_set(object, "processes_per_host", json_integer(g->processes));
            rc_json_set(object, "memory_per_process", rc_json_number(g->memory / g->processes));
        }
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *cluster_json(const struct view *view)
{
    const struct rc_cluster *cluster = view->cluster;
    int64_t capacity = rc_cluster_capacity(cluster);
    json_t *object = json_object();

    rc_json_set(object, "name", rc_json_text(cluster->name));
    rc_json_set(object, "hosts", rc_json_text(view->hosts));
    rc_json_set(object, "host_count", json_integer((json_int_t)cluster->n_hosts));
    rc_json_set(object, "cores", json_integer(rc_cluster_core_count(cluster)));
    rc_json_set(object, "processes", json_integer(capacity));
    rc_json_set(object, "memory_per_process",
                rc_json_number(rc_cluster_memory_per_process(cluster, capacity)));
    rc_json_set(object, "price_per_core_hour", rc_json_number(cluster->price));
    rc_json_set(object, "per_host",
                cluster->per_host ? json_integer(cluster->per_host) : json_null());
    rc_json_set(object, "order", rc_json_text(rc_placement_order_name(cluster->order)));
    rc_json_set(object, "networks", networks_json(cluster));
    rc_json_set(object, "groups", groups_json(view->groups, view->n_groups, false));
    return object;
}

static json_t *link_json(const struct rc_platform *platform, const struct rc_cluster_link *link)
{
    json_t *object = json_object(), *between = json_array();

    for (int end = 0; end < 2; end++)
        json_array_append_new(between, rc_json_text(platform->clusters[link->cluster[end]].name));
    rc_json_set(object, "between", between);
    rc_json_set(object, "bandwidth", rc_json_number(link->bandwidth));
    rc_json_set(object, "latency", rc_json_number(link->latency));
    return object;
}

static json_t *placed_json(const struct placed *placed)
{
    json_t *object = json_object();

    rc_json_set(object, "cluster", rc_json_text(placed->cluster->name));
    rc_json_set(object, "processes", json_integer(placed->processes));
    rc_json_set(object, "memory_per_process",
                rc_json_number(rc_cluster_memory_per_process(placed->cluster, placed->processes)));
    rc_json_set(object, "groups", groups_json(placed->groups, placed->n_groups, true));
    return object;
}

static int show_json(const struct show *show, struct rc_error *error)
{
    const struct rc_platform *platform = show->platform;
    json_t *all = json_object(), *clusters = json_array(), *links = json_array();
    int status = 0;

    for (size_t i = 0; i < platform->n_clusters; i++)
        status |= json_array_append_new(clusters, cluster_json(&show->views[i]));
    for (size_t i = 0; i < platform->n_links; i++)
        status |= json_array_append_new(links, link_json(platform, &platform->links[i]));
    status |= rc_json_set(all, "name", rc_json_text(platform->name));
    status |= rc_json_set(all, "currency",
                          platform->currency[0] ? rc_json_text(platform->currency) : json_null());
    status |= rc_json_set(all, "host_count",
                          json_integer((json_int_t)rc_platform_host_count(platform)));
    status |= rc_json_set(all, "cores", json_integer(rc_platform_core_count(platform)));
    status |= rc_json_set(all, "clusters", clusters);
    status |= rc_json_set(all, "links", links);
    if (show->placed.cluster)
        status |= rc_json_set(all, "placement", placed_json(&show->placed));
    if (status)
        rc_error_no_memory(error);
    else
        rc_json_write(stdout, all, true);
    json_decref(all);
    return status;
}

/* ---- the command ---- */

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    const char *file = invocation->arguments[0];
    struct rc_error error = {0};
    struct rc_platform *platform;
    struct show show = {0};
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
        status = options->json ? show_json(&show, &error) : show_tables(&show, &error);
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
