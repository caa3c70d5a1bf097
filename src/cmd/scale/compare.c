// SPDX-License-Identifier: GPL-3.0-or-later
/* compare.c - 'runcast scale compare': all that could be asked for, with time, memory and
 * cost. */
#include "cmd/scale/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/plot.h"

enum { MESHES_MAX = 64 };

struct compare_options {
    struct rc_cmd_scale_options scale;
    double deadline, budget;
    const char *plot;
    bool no_pairs, whole_hosts, all;
};

static const struct compare_options compare_defaults = {.scale = RC_CMD_SCALE_DEFAULT,
                                                        .deadline = NAN,
                                                        .budget = NAN};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct compare_options, member)

static const struct rc_option compare_options[] = {
    RC_OPTIONS_SCALE_PLACE("the only cluster to look at (default: all)",
                           "the only network to look at, also for pairs of clusters (default: "
                           "all; pairs run over the first of each)",
                           "processes on a host (default: all numbers that were measured)"),
    RC_OPTION_SCALE(size, TEXT, "size", "SIZE[,SIZE]", .letter = 'n',
                    "the meshes: N (a square), ROWSxCOLS or ROWSxCOLSxLAYERS; 64Ki is 65536, and "
                    "64k is 64000 (required)"),
    RC_OPTION_SCALE(procs, TEXT, "procs", "NP,..|A:NP,..,B:NP", .letter = 'p',
                    "processes that may be asked for, or those of each cluster; clusters that are "
                    "not named are left out (default: powers of two, and all that there are)"),
    RC_OPTION_SCALE_SPLIT,
    RC_OPTIONS_SCALE_UNUSED,
    RC_OPTION_SCALE_LINK("what links between clusters cost: none (the default), or as measured"),
    RC_OPTION_SCALE_BYTES("(default: as the models have it, by their runs or "
                          "by what was told to fit)"),
    {OPTION("deadline", QUANTITY, deadline), .argument = "T", .dimension = RC_SECONDS,
     .help = "when it must be done, such as 2h: the probability is told"},
    {OPTION("budget", QUANTITY, budget), .argument = "C", .dimension = RC_COUNT,
     .help = "what it may cost: the probability is told"},
    {OPTION("no-pairs", FLAG, no_pairs), .help = "no runs across two clusters"},
    {OPTION("whole-hosts", FLAG, whole_hosts),
     .help = "pay for all cores of a host, also where some are idle"},
    {OPTION("all", FLAG, all), .letter = 'a',
     .help = "show all choices, also those of which nothing was measured (default: the fastest 20 "
             "of each mesh, those that no other beats, and the first that do not fit)"},
    RC_OPTION_PLOT(struct compare_options),
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* What is asked, ready, and the answer. */
struct comparing {
    const struct compare_options *options;
    struct rc_cmd_scale scale;
    struct rc_mesh meshes[MESHES_MAX];
    struct rc_choice_cluster *clusters;
    double *weights;
    struct rc_scaling_models models;
    struct rc_choices_request request;
    struct rc_choices choices;
};

/* ---- what is asked ---- */

static int read_meshes(struct comparing *comparing, struct rc_error *error)
{
    const char *at = comparing->options->scale.size, *end;
    size_t *n = &comparing->request.n_meshes;

    for (; at; at = *end ? end + 1 : NULL) {
        end = strchrnul(at, ',');
        if (*n == MESHES_MAX)
            return rc_error_set(error, "--size: at most %d meshes", MESHES_MAX);
        if (rc_cmd_scale_mesh(at, (size_t)(end - at), (int)comparing->options->scale.cut,
                              &comparing->meshes[(*n)++], error))
            return -1;
    }
    return 0;
}

static int read_procs(struct comparing *comparing, struct rc_error *error)
{
    const struct rc_platform *platform = comparing->scale.platform;
    struct rc_cmd_scale_number numbers[RC_CHOICE_PROCS_MAX * 4];
    int64_t n = rc_cmd_scale_numbers("procs", comparing->options->scale.procs, platform, numbers,
                                     sizeof numbers / sizeof *numbers, error);

    for (int64_t i = 0; i < n; i++)
        for (size_t k = 0; k < platform->n_clusters; k++) {
            struct rc_choice_cluster *cluster = &comparing->clusters[k];

            if (numbers[i].cluster != SIZE_MAX && numbers[i].cluster != k)
                continue;
            if (cluster->n_procs == RC_CHOICE_PROCS_MAX)
                return rc_error_set(error, "--procs: at most %d numbers for a cluster",
                                    RC_CHOICE_PROCS_MAX);
            cluster->procs[cluster->n_procs++] = numbers[i].number;
        }
    for (size_t k = 0; n > 0 && k < platform->n_clusters; k++)
        comparing->clusters[k].excluded = comparing->clusters[k].n_procs == 0;
    return n < 0 ? -1 : 0;
}

static int read_per_host(struct comparing *comparing, struct rc_error *error)
{
    const struct rc_platform *platform = comparing->scale.platform;
    struct rc_cmd_scale_number numbers[RC_CHOICE_PROCS_MAX];
    int64_t n = rc_cmd_scale_numbers("per-host", comparing->options->scale.per_host, platform,
                                     numbers, RC_CHOICE_PROCS_MAX, error);

    for (int64_t i = 0; i < n; i++) {
        if (numbers[i].cluster != SIZE_MAX && comparing->clusters[numbers[i].cluster].excluded)
            return rc_error_set(error, "--per-host: the cluster '%s' is not looked at",
                                platform->clusters[numbers[i].cluster].name);
        for (size_t k = 0; k < platform->n_clusters; k++)
            if (numbers[i].cluster == SIZE_MAX || numbers[i].cluster == k)
                comparing->clusters[k].per_host =
                    numbers[i].number < RC_PER_HOST_MAX ? (int)numbers[i].number : RC_PER_HOST_MAX;
    }
    return n < 0 ? -1 : 0;
}

static int leave_out(struct comparing *comparing, struct rc_error *error)
{
    const char *name = comparing->options->scale.cluster;
    const struct rc_platform *platform = comparing->scale.platform;
    size_t cluster;

    if (!name)
        return 0;
    cluster = rc_platform_find_cluster(platform, name);
    if (cluster == platform->n_clusters)
        return rc_error_set(error, "--cluster: the platform '%s' has no cluster '%s'",
                            platform->name, name);
    if (comparing->clusters[cluster].excluded)
        return rc_error_set(error, "--cluster: --procs names other clusters, and not '%s'", name);
    for (size_t i = 0; i < platform->n_clusters; i++)
        comparing->clusters[i].excluded |= strcmp(platform->clusters[i].name, name) != 0;
    return 0;
}

static int check_network(const struct comparing *comparing, struct rc_error *error)
{
    const struct rc_platform *platform = comparing->scale.platform;
    const char *name = comparing->options->scale.network;

    for (size_t i = 0; name && i < platform->n_clusters; i++)
        for (size_t k = 0; k < platform->clusters[i].n_networks; k++)
            if (strcmp(platform->clusters[i].networks[k].name, name) == 0)
                return 0;
    return !name ? 0
                 : rc_error_set(error,
                                "--network: no cluster of the platform '%s' has a network "
                                "'%s'",
                                platform->name, name);
}

/* --split 1:2 is for the clusters in their order. */
static int read_split(struct comparing *comparing, struct rc_error *error)
{
    struct rc_cmd_scale *scale = &comparing->scale;

    scale->n_parts = scale->platform->n_clusters < RC_SCALING_PARTS_MAX
                         ? scale->platform->n_clusters
                         : RC_SCALING_PARTS_MAX;
    if (rc_cmd_scale_aim(comparing->options->scale.split, scale, error))
        return -1;
    for (size_t i = 0; i < scale->n_parts; i++)
        comparing->weights[i] = scale->parts[i].weight;
    return 0;
}

static int read_all(struct comparing *comparing, struct rc_error *error)
{
    size_t n = comparing->scale.platform->n_clusters;

    comparing->clusters = calloc(n + 1, sizeof *comparing->clusters);
    comparing->weights = calloc(n + 1, sizeof *comparing->weights);
    if (!comparing->clusters || !comparing->weights)
        return rc_error_no_memory(error);
    return read_meshes(comparing, error) || read_procs(comparing, error) ||
                   leave_out(comparing, error) || read_per_host(comparing, error) ||
                   check_network(comparing, error) || read_split(comparing, error)
               ? -1
               : 0;
}

static void fill_request(struct comparing *comparing)
{
    const struct compare_options *options = comparing->options;
    struct rc_choices_request *request = &comparing->request;
    size_t n_meshes = request->n_meshes;

    rc_scaling_choices_request_init(request);
    request->platform = comparing->scale.platform;
    request->models = &comparing->models;
    request->meshes = comparing->meshes;
    request->n_meshes = n_meshes;
    request->cut = (int)options->scale.cut;
    request->clusters = comparing->clusters;
    request->network = options->scale.network;
    request->combinations = !options->no_pairs;
    request->split = comparing->scale.aim;
    request->weights = comparing->weights;
    request->links = comparing->scale.link;
    request->whole_hosts = options->whole_hosts;
    request->bytes_per_cell = options->scale.bytes_per_cell;
    request->deadline = options->deadline;
    request->budget = options->budget;
}

/* ---- the command ---- */

/* Choices that cannot be are shown, and then why there is none that can. */
static int compare(struct comparing *comparing)
{
    const struct compare_options *options = comparing->options;
    const struct rc_cmd_compared compared = {.app = options->scale.app,
                                             .platform = comparing->scale.platform,
                                             .meshes = comparing->meshes,
                                             .n_meshes = comparing->request.n_meshes,
                                             .choices = &comparing->choices,
                                             .chances = !isnan(options->deadline) ||
                                                        !isnan(options->budget)};
    struct rc_error error = {0}, why = {0};
    int status = rc_cmd_scale_load_models(&comparing->scale, &comparing->models), failed;

    if (status != RC_EXIT_OK)
        return status;
    fill_request(comparing);
    failed = rc_scaling_choices_make(&comparing->request, &comparing->choices, &why);
    if ((comparing->choices.n > 0 || !failed) && options->scale.json)
        rc_cmd_compared_json(&compared);
    else if (comparing->choices.n > 0 || !failed)
        status = rc_cmd_compared_show(&compared, options->all);
    if (failed)
        return rc_cmd_fail(&why, "comparing");
    if (status == RC_EXIT_OK && options->plot &&
        rc_cmd_scale_plot(options->plot, &compared, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return status;
}

static int check_options(const struct rc_invocation *invocation,
                         const struct compare_options *options)
{
    struct rc_error error = {0};

    if (!isnan(options->deadline) && !(options->deadline > 0))
        return rc_cmd_usage_text(invocation, "--deadline: a time above 0 is expected");
    if (!isnan(options->budget) && !(options->budget > 0))
        return rc_cmd_usage_text(invocation, "--budget: more than 0 is expected");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

static int run_compare(struct rc_invocation *invocation)
{
    const struct compare_options *options = invocation->options;
    struct comparing comparing = {.options = options};
    struct rc_error error = {0};
    int status = check_options(invocation, options);

    if (status == RC_EXIT_OK)
        status = rc_cmd_scale_begin_platform(invocation, &options->scale, &comparing.scale);
    if (status == RC_EXIT_OK)
        status =
            read_all(&comparing, &error) ? rc_cmd_usage(invocation, &error) : compare(&comparing);
    rc_scaling_choices_free(&comparing.choices);
    rc_scaling_models_free(&comparing.models);
    free(comparing.clusters);
    free(comparing.weights);
    rc_cmd_scale_end(&comparing.scale);
    return status;
}

const struct rc_command rc_command_scale_compare = {
    .name = "compare",
    .summary = "Compare all clusters, networks, numbers of processes and pairs of clusters",
    .details =
        "Every choice for which there is a model ('runcast scale fit'): its time with the 90 % "
        "interval, core-hours and price, and whether it fits in memory; the fastest first. Those "
        "that no other beats in both time and price are marked. B:32/4 are 32 processes with 4 on "
        "a host. With --deadline and --budget the probabilities to keep them are told.",
    .examples = "  runcast scale compare --app mg --size 65536 --platform p.yaml\n"
                "  runcast scale compare --app mg --size 32768,65536 --platform p.yaml \\\n"
                "    --procs A:64,B:32 --deadline 2h --budget 100\n",
    .options = compare_options,
    .options_size = sizeof(struct compare_options),
    .defaults = &compare_defaults,
    .run = run_compare,
};
