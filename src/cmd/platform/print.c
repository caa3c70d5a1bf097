// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_print.c - a platform as tables, or as JSON. */
#include "cmd/platform/print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/unit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- tables ---- */

static void quantity_cell(struct rc_table *table, double value, enum rc_dimension dimension)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(value, dimension, text);
    rc_table_text(table, text);
}

/* One value where all hosts agree, otherwise the least and the most: "2-4", "512 MiB-8 GiB". */
static void span_cell(struct rc_table *table, const struct rc_platform_view *view,
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

static void cluster_row(struct rc_table *table, const struct rc_platform_view *view)
{
    const struct rc_cluster *cluster = view->cluster;
    int64_t capacity = rc_platform_cluster_capacity(cluster);
    const char *neighbours = cluster->contiguous ? ", contiguous" : "";
    char text[64];

    rc_table_text(table, cluster->name);
    rc_table_text(table, view->hosts);
    rc_table_integer(table, (long long)cluster->n_hosts);
    rc_table_integer(table, rc_platform_cluster_core_count(cluster));
    span_cell(table, view, group_cores, RC_COUNT);
    span_cell(table, view, group_memory, RC_BYTES);
    quantity_cell(table, rc_platform_cluster_memory_per_process(cluster, capacity), RC_BYTES);
    span_cell(table, view, group_speed, RC_FLOPS);
    rc_table_number(table, cluster->core_hour_cost);
    if (cluster->per_host)
        snprintf(text, sizeof text, "%d per host, %s%s", cluster->per_host,
                 rc_platform_placement_order_name(cluster->order), neighbours);
    else
        snprintf(text, sizeof text, "1 per core, %s%s",
                 rc_platform_placement_order_name(cluster->order), neighbours);
    rc_table_text(table, text);
}

static int show_clusters(const struct rc_platform_show *show)
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

static int show_networks(const struct rc_platform_show *show)
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

static int show_links(const struct rc_platform_show *show)
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
static int show_differences(const struct rc_platform_show *show)
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
        const struct rc_platform_view *view = &show->views[i];

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

static int show_placed(const struct rc_platform_placed *placed)
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
           rc_platform_placement_order_name(placed->cluster->order));
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

int rc_cmd_platform_print_tables(const struct rc_platform_show *show, struct rc_error *error)
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

static json_t *cluster_json(const struct rc_platform_view *view)
{
    const struct rc_cluster *cluster = view->cluster;
    int64_t capacity = rc_platform_cluster_capacity(cluster);
    json_t *object = json_object();

    rc_json_set(object, "name", rc_json_text(cluster->name));
    rc_json_set(object, "hosts", rc_json_text(view->hosts));
    rc_json_set(object, "host_count", json_integer((json_int_t)cluster->n_hosts));
    rc_json_set(object, "cores", json_integer(rc_platform_cluster_core_count(cluster)));
    rc_json_set(object, "processes", json_integer(capacity));
    rc_json_set(object, "memory_per_process",
                rc_json_number(rc_platform_cluster_memory_per_process(cluster, capacity)));
    rc_json_set(object, "price_per_core_hour", rc_json_number(cluster->core_hour_cost));
    rc_json_set(object, "per_host",
                cluster->per_host ? json_integer(cluster->per_host) : json_null());
    rc_json_set(object, "order", rc_json_text(rc_platform_placement_order_name(cluster->order)));
    rc_json_set(object, "contiguous", json_boolean(cluster->contiguous));
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

static json_t *placed_json(const struct rc_platform_placed *placed)
{
    json_t *object = json_object();

    rc_json_set(object, "cluster", rc_json_text(placed->cluster->name));
    rc_json_set(object, "processes", json_integer(placed->processes));
    rc_json_set(object, "memory_per_process",
                rc_json_number(
                    rc_platform_cluster_memory_per_process(placed->cluster, placed->processes)));
    rc_json_set(object, "groups", groups_json(placed->groups, placed->n_groups, true));
    return object;
}

int rc_cmd_platform_print_json(const struct rc_platform_show *show, struct rc_error *error)
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
    status |=
        rc_json_set(all, "host_count", json_integer((json_int_t)rc_platform_host_count(platform)));
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
