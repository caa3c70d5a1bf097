// SPDX-License-Identifier: GPL-3.0-or-later
/* scale.c - 'runcast scale': large runs predicted from small ones; the options of its verbs. */
#include "cmd/scale/scale.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/core/commands.h"

const char *const rc_cmd_scale_links[] = {"none", "measured", NULL};

int rc_cmd_scale_mesh(const char *text, size_t length, int cut, struct rc_mesh *mesh,
                      struct rc_error *error)
{
    struct rc_error inner = {0};

    if (rc_scaling_mesh_parse(text, length, cut, mesh, &inner) == 0)
        return 0;
    rc_error_set(error, "--size: %s", inner.text);
    return rc_error_hint_of(error, &inner);
}

/* ---- clusters ---- */

static int find_cluster(const struct rc_platform *platform, const char *option, const char *name,
                        size_t length, size_t *cluster, struct rc_error *error)
{
    char word[RC_NAME_MAX + 1];
    const char *near;

    snprintf(word, sizeof word, "%.*s", (int)(length < RC_NAME_MAX ? length : RC_NAME_MAX), name);
    *cluster = rc_platform_find_cluster(platform, word);
    if (*cluster < platform->n_clusters)
        return 0;
    near = rc_nearest_word(word, (const char *const *)&platform->clusters[0].name,
                           platform->n_clusters, sizeof *platform->clusters);
    rc_error_set(error, "--%s: platform '%s' has no cluster '%s'", option, platform->name, word);
    return rc_error_hint(error, near ? "did you mean '%s'?" : "its first cluster is '%s'",
                         near ? near : platform->clusters[0].name);
}

int64_t rc_cmd_scale_numbers(const char *option, const char *text,
                             const struct rc_platform *platform,
                             struct rc_cmd_scale_number *numbers, size_t most,
                             struct rc_error *error)
{
    size_t cluster = SIZE_MAX, n = 0;
    const char *at = text, *end, *colon;

    for (; at; at = *end ? end + 1 : NULL) {
        end = strchrnul(at, ',');
        colon = memrchr(at, ':', (size_t)(end - at));
        if (colon && find_cluster(platform, option, at, (size_t)(colon - at), &cluster, error))
            return -1;
        at = colon ? colon + 1 : at;
        if (n == most)
            return rc_error_set(error, "--%s: at most %zu numbers", option, most);
        numbers[n].cluster = cluster;
        if (rc_number_parse_integer(at, (size_t)(end - at), &numbers[n].number) ||
            numbers[n].number < 1 || numbers[n].number > RC_MESH_PROCS_MAX) {
            rc_error_set(error, "--%s: '%.*s' is not a number from 1 to %" PRId64, option,
                         (int)(end - at < 60 ? end - at : 60), at, (int64_t)RC_MESH_PROCS_MAX);
            return rc_error_hint(error, "write a number, or one for each cluster: A:64,B:32");
        }
        n++;
    }
    return (int64_t)n;
}

static int find_network(const struct rc_cluster *cluster, const char *name, size_t *network,
                        struct rc_error *error)
{
    for (*network = 0; *network < cluster->n_networks; ++*network)
        if (!name || strcmp(cluster->networks[*network].name, name) == 0)
            return 0;
    rc_error_set(error, "--network: cluster '%s' has no network '%s'", cluster->name,
                 name ? name : "");
    return cluster->n_networks
               ? rc_error_hint(error, "its first network is '%s'", cluster->networks[0].name)
               : -1;
}

static int which_cluster(const struct rc_platform *platform, struct rc_error *error)
{
    rc_error_set(error, "platform '%s' has %zu clusters; choose one with --cluster", platform->name,
                 platform->n_clusters);
    return rc_error_hint(error, "use --cluster %s, or several clusters: --procs %s:64,%s:32",
                         platform->clusters[0].name, platform->clusters[0].name,
                         platform->clusters[1].name);
}

/* The clusters that `n` numbers of processes are for.  --cluster names one where --procs names
 * none, and must not contradict it otherwise. */
static int set_clusters(const struct rc_cmd_scale *scale, struct rc_cmd_scale_number *numbers,
                        size_t n, struct rc_error *error)
{
    const char *name = scale->options->cluster;
    size_t named = 0;

    if (n > 1 && numbers[0].cluster == SIZE_MAX)
        return rc_error_set(error, "--procs: several numbers need names of clusters: A:64,B:32");
    if (name && find_cluster(scale->platform, "cluster", name, strlen(name), &named, error))
        return -1;
    if (!name && numbers[0].cluster == SIZE_MAX && scale->platform->n_clusters > 1)
        return which_cluster(scale->platform, error);
    if (numbers[0].cluster == SIZE_MAX)
        numbers[0].cluster = named;
    for (size_t i = 0; i < n; i++) {
        const char *cluster = scale->platform->clusters[numbers[i].cluster].name;

        for (size_t k = 0; k < i; k++)
            if (numbers[k].cluster == numbers[i].cluster)
                return rc_error_set(error, "--procs: cluster '%s' appears twice", cluster);
        if (name && numbers[i].cluster != named)
            return rc_error_set(error, "--cluster '%s' contradicts --procs, which names '%s'", name,
                                cluster);
    }
    return 0;
}

static int read_procs(struct rc_cmd_scale *scale, struct rc_error *error)
{
    struct rc_cmd_scale_number numbers[RC_SCALING_PARTS_MAX];
    int64_t n = rc_cmd_scale_numbers("procs", scale->options->procs, scale->platform, numbers,
                                     RC_SCALING_PARTS_MAX, error);

    if (n < 0 || set_clusters(scale, numbers, (size_t)n, error))
        return -1;
    for (; scale->n_parts < (size_t)n; scale->n_parts++) {
        const struct rc_cmd_scale_number *number = &numbers[scale->n_parts];
        struct rc_scaling_part *part = &scale->parts[scale->n_parts];

        *part = (struct rc_scaling_part){.cluster = number->cluster,
                                         .procs = number->number,
                                         .weight = 1};
        if (find_network(&scale->platform->clusters[part->cluster], scale->options->network,
                         &part->network, error))
            return -1;
    }
    return 0;
}

static int read_per_host(struct rc_cmd_scale *scale, struct rc_error *error)
{
    struct rc_cmd_scale_number numbers[RC_SCALING_PARTS_MAX];
    int64_t n = rc_cmd_scale_numbers("per-host", scale->options->per_host, scale->platform, numbers,
                                     RC_SCALING_PARTS_MAX, error);

    for (int64_t i = 0; i < n; i++) {
        bool used = false;

        if (numbers[i].number > RC_PER_HOST_MAX)
            return rc_error_set(error, "--per-host: at most %d", RC_PER_HOST_MAX);
        for (size_t k = 0; k < scale->n_parts; k++)
            if (numbers[i].cluster == SIZE_MAX || numbers[i].cluster == scale->parts[k].cluster) {
                scale->parts[k].per_host = (int)numbers[i].number;
                used = true;
            }
        if (!used)
            return rc_error_set(error, "--per-host: no processes on cluster '%s'",
                                scale->platform->clusters[numbers[i].cluster].name);
    }
    return n < 0 ? -1 : 0;
}

/* ---- division of the rows ---- */

static int read_weights(const char *split, struct rc_cmd_scale *scale, struct rc_error *error)
{
    const char *at = split, *end;
    double sum = 0;

    if (scale->n_parts == 1) {
        rc_error_set(error, "--split: needs several clusters");
        return rc_error_hint(error, "use --procs A:64,B:32");
    }
    for (size_t i = 0; i < scale->n_parts; i++, at = end + 1) {
        end = strchrnul(at, ':');
        if (rc_unit_parse(at, (size_t)(end - at), RC_COUNT, &scale->parts[i].weight, NULL) ||
            !(scale->parts[i].weight >= 0 && isfinite(scale->parts[i].weight)) ||
            !*end != (i + 1 == scale->n_parts)) {
            rc_error_set(error, "--split: invalid value '%.60s' for %zu clusters", split,
                         scale->n_parts);
            return rc_error_hint(error, "write a number for each cluster, such as 1:2; predict and "
                                        "compare also accept time, memory and cost");
        }
        sum += scale->parts[i].weight;
    }
    return sum > 0 && isfinite(sum)
               ? 0
               : rc_error_set(error, "--split: '%.60s' gives no cluster any rows", split);
}

int rc_cmd_scale_aim(const char *split, struct rc_cmd_scale *scale, struct rc_error *error)
{
    scale->aim = RC_SPLIT_TIME;
    if (!split)
        return 0;
    for (int aim = 0; aim < RC_SPLIT_GIVEN; aim++)
        if (strcmp(split, rc_scaling_aim_name((enum rc_scaling_aim)aim)) == 0) {
            scale->aim = (enum rc_scaling_aim)aim;
            return 0;
        }
    scale->aim = RC_SPLIT_GIVEN;
    return read_weights(split, scale, error);
}

/* Rows of plans: divided as --split says, or equally, as in the paper's tables.  All processes of a
 * cluster have the same number. */
static int share_rows(struct rc_cmd_scale *scale, struct rc_error *error)
{
    double sum = 0;

    if (scale->n_parts > 1 && scale->options->cut != 1)
        return rc_error_set(error, "--cut: several clusters need --cut 1 (rows)");
    for (size_t i = 0; i < scale->n_parts; i++)
        sum += scale->parts[i].weight;
    for (size_t i = 0; i < scale->n_parts; i++) {
        struct rc_scaling_part *part = &scale->parts[i];

        part->mesh = scale->mesh;
        if (scale->n_parts > 1)
            part->mesh.extent[RC_MESH_ROWS] = rc_scaling_plan_rows(scale->mesh.extent[RC_MESH_ROWS],
                                                                   part->weight / sum, part->procs);
        if (!(part->mesh.extent[RC_MESH_ROWS] > 0))
            return rc_error_set(error, "--split: cluster '%s' gets no rows",
                                scale->platform->clusters[part->cluster].name);
    }
    return 0;
}

/* ---- work ---- */

static int read_work(const char *text, struct rc_scaling_work *work, struct rc_error *error)
{
    struct rc_error inner = {0};

    if (!text || strcmp(text, "cells") == 0)
        return 0;
    if (strcmp(text, "fitted") == 0) {
        *work = (struct rc_scaling_work){.kind = RC_WORK_POWER, .exponent = 1};
        return 0;
    }
    if (rc_scaling_work_parse(text, work, &inner) == 0)
        return 0;
    rc_error_set(error, "--work: %s", inner.text);
    return rc_error_hint(error, "%s",
                         inner.hint[0] ? inner.hint
                                       : "write an expression of rows, cols, layers, cells and "
                                         "procs, such as cells*log2(cells); or write fitted");
}

/* ---- small runs ---- */

static int read_small(struct rc_cmd_scale *scale, struct rc_error *error)
{
    const char *at = scale->options->small_procs, *end;

    for (; at; at = *end ? end + 1 : NULL) {
        int64_t *number = &scale->small[scale->n_small];

        end = strchrnul(at, ',');
        if (scale->n_small == RC_SCALING_PLAN_SMALL_MAX)
            return rc_error_set(error, "--small-procs: at most %d numbers",
                                RC_SCALING_PLAN_SMALL_MAX);
        if (rc_number_parse_integer(at, (size_t)(end - at), number) || *number < 2) {
            rc_error_set(error, "--small-procs: '%.*s' is not a number above 1",
                         (int)(end - at < 60 ? end - at : 60), at);
            return rc_error_hint(error,
                                 "write the numbers of processes of the small runs, such as 4,8");
        }
        for (size_t i = 0; i < scale->n_small; i++)
            if (scale->small[i] == *number)
                return rc_error_set(error, "--small-procs: %" PRId64 " appears twice", *number);
        scale->n_small++;
    }
    return scale->n_small != 1
               ? 0
               : rc_error_set(error, "--small-procs: needs two numbers or more, such as 4,8");
}

/* Whether some host of --hosts is in that cluster. */
static bool has_host_of(const struct rc_cmd_scale *scale, const struct rc_cluster *cluster)
{
    const struct rc_cluster *found;

    for (size_t i = 0; i < scale->hosts.count; i++)
        if (rc_platform_find_host(scale->platform, scale->hosts.names[i], &found) &&
            found == cluster)
            return true;
    return false;
}

static int read_hosts(struct rc_cmd_scale *scale, struct rc_error *error)
{
    const char *text = scale->options->hosts;
    struct rc_error inner = {0};

    if (!text)
        return 0;
    if (rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, &scale->hosts, &inner)) {
        rc_error_set(error, "--hosts: %s", inner.text);
        return rc_error_hint_of(error, &inner);
    }
    for (size_t i = 0; i < scale->hosts.count; i++)
        if (!rc_platform_find_host(scale->platform, scale->hosts.names[i], NULL))
            return rc_error_set(error, "--hosts: platform '%s' has no host '%s'",
                                scale->platform->name, scale->hosts.names[i]);
    for (size_t i = 0; i < scale->n_parts; i++) {
        const struct rc_cluster *cluster = &scale->platform->clusters[scale->parts[i].cluster];

        if (!has_host_of(scale, cluster))
            return rc_error_set(error, "--hosts: none of these hosts is in cluster '%s'",
                                cluster->name);
    }
    return 0;
}

/* ---- all options ---- */

static const struct {
    size_t offset;
    const char *option;
} required[] = {
    {offsetof(struct rc_cmd_scale_options, app), "--app NAME"},
    {offsetof(struct rc_cmd_scale_options, size), "--size N"},
    {offsetof(struct rc_cmd_scale_options, platform_file), "--platform-file FILE"},
    {offsetof(struct rc_cmd_scale_options, procs), "--procs P"},
};
enum { N_REQUIRED = sizeof required / sizeof *required, N_ALWAYS = N_REQUIRED - 1 };

static int check_given(const struct rc_invocation *invocation,
                       const struct rc_cmd_scale_options *options, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!*(const char *const *)((const char *)options + required[i].offset))
            return rc_cmd_usage_text(invocation, "missing %s", required[i].option);
    if (options->cut > RC_MESH_DIRECTIONS)
        return rc_cmd_usage_text(invocation, "--cut: must be 1, 2 or 3");
    if (options->repeat > RC_SCALING_PLAN_REPEATS_MAX)
        return rc_cmd_usage_text(invocation, "--repeat: at most %d", RC_SCALING_PLAN_REPEATS_MAX);
    if (!isnan(options->bytes_per_cell) && !(options->bytes_per_cell > 0))
        return rc_cmd_usage_text(invocation, "--bytes-per-cell: must be above 0");
    return RC_EXIT_OK;
}

/* Checks the first `n` required options, and reads the platform. */
static int begin(const struct rc_invocation *invocation, const struct rc_cmd_scale_options *options,
                 size_t n, struct rc_cmd_scale *scale)
{
    struct rc_error error = {0};
    int status = check_given(invocation, options, n);

    *scale = (struct rc_cmd_scale){.options = options,
                                   .with_link = strcmp(options->cluster_link, "measured") == 0};
    if (status != RC_EXIT_OK)
        return status;
    scale->platform = rc_platform_load(options->platform_file, &error);
    return scale->platform ? RC_EXIT_OK : rc_cmd_fail(&error, "reading the platform");
}

int rc_cmd_scale_begin_platform(const struct rc_invocation *invocation,
                                const struct rc_cmd_scale_options *options,
                                struct rc_cmd_scale *scale)
{
    return begin(invocation, options, N_ALWAYS, scale);
}

int rc_cmd_scale_begin(const struct rc_invocation *invocation,
                       const struct rc_cmd_scale_options *options, struct rc_cmd_scale *scale)
{
    struct rc_error error = {0};
    int status = begin(invocation, options, N_REQUIRED, scale);

    if (status != RC_EXIT_OK)
        return status;
    if (rc_cmd_scale_mesh(options->size, strlen(options->size), (int)options->cut, &scale->mesh,
                          &error) ||
        read_procs(scale, &error) || read_per_host(scale, &error) ||
        rc_cmd_scale_aim(options->split, scale, &error) || share_rows(scale, &error) ||
        read_work(options->work, &scale->work, &error))
        return rc_cmd_usage(invocation, &error);
    if (scale->with_link && scale->n_parts != 2)
        return rc_cmd_usage_text(invocation, "--cluster-link measured: needs two clusters; use "
                                             "--procs A:64,B:32");
    return RC_EXIT_OK;
}

int rc_cmd_scale_begin_runs(const struct rc_invocation *invocation,
                            const struct rc_cmd_scale_options *options, struct rc_cmd_scale *scale)
{
    struct rc_error error = {0};
    int status = rc_cmd_scale_begin(invocation, options, scale);

    if (status == RC_EXIT_OK && options->split && scale->aim != RC_SPLIT_GIVEN)
        status = rc_cmd_usage_text(invocation, "--split: must be proportions, such as 1:2");
    if (status == RC_EXIT_OK && (read_small(scale, &error) || read_hosts(scale, &error)))
        status = rc_cmd_usage(invocation, &error);
    return status;
}

void rc_cmd_scale_end(struct rc_cmd_scale *scale)
{
    rc_platform_destroy(scale->platform);
    rc_scaling_work_free(&scale->work);
    rc_platform_hostlist_free(&scale->hosts);
    *scale = (struct rc_cmd_scale){0};
}

/* ---- for all verbs ---- */

void rc_cmd_scale_notes(const char *cluster, const struct rc_scaling_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        rc_cmd_note("%s%s%s", cluster ? cluster : "", cluster ? ": " : "", notes->text[i]);
}

int rc_cmd_scale_load_models(const struct rc_cmd_scale *scale, struct rc_scaling_models *models)
{
    struct rc_db *db = rc_cmd_open_db(scale->options->db, RC_DB_READ, NULL);
    struct rc_error error = {0};
    int found;

    if (!db)
        return RC_EXIT_FAILED;
    found = rc_scaling_models_load(db, scale->options->app, scale->platform->name, models, &error);
    rc_db_close(db);
    if (found == 0) {
        rc_error_set(&error, "no scaling model of '%s' on '%s'", scale->options->app,
                     scale->platform->name);
        rc_error_hint(&error, "make one with 'runcast scale measure' and 'fit'");
    }
    return found > 0 ? RC_EXIT_OK : rc_cmd_fail(&error, "reading the models");
}

static const struct rc_command *const verbs[] = {
    &rc_command_scale_plan,    &rc_command_scale_measure, &rc_command_scale_fit,
    &rc_command_scale_predict, &rc_command_scale_compare, NULL};

const struct rc_command rc_command_scale = {
    .name = "scale",
    .summary = "Predict a large run from small runs",
    .details = "For programs that divide a mesh among their processes. 'plan' lists the small runs "
               "to make, and 'measure' makes them. 'fit' fits a scaling model to them. 'predict' "
               "predicts the large run on one or several clusters. 'compare' lists the clusters, "
               "networks and numbers of processes with time, memory and cost.",
    .children = verbs,
};
