// SPDX-License-Identifier: GPL-3.0-or-later
/* compare.c - 'runcast scale compare': time, memory and cost of all choices. */
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
    RC_OPTIONS_SCALE_PLACE(" to consider (default: all)",
                           " to consider (default: all; pairs of clusters use the first of each)",
                           " (default: all measured numbers)"),
    RC_OPTION_SCALE(size, TEXT, "size", "N|ROWSxCOLS|ROWSxCOLSxLAYERS[,...]", .letter = 's',
                    "problem size: the meshes to compare; N is a square (required)"),
    RC_OPTION_SCALE(procs, TEXT, "procs", "P,...|A:P,...,B:P", .letter = 'p',
                    "number of processes to consider, or numbers for each cluster; other clusters "
                    "are then left out (default: powers of two, and all cores)"),
    RC_OPTION_SCALE_SPLIT,
    RC_OPTIONS_SCALE_UNUSED,
    RC_OPTION_SCALE_LINK(""),
    RC_OPTION_SCALE_BYTES("(default: from the models)"),
    {OPTION("deadline", QUANTITY, deadline), .argument = "TIME", .dimension = RC_SECONDS,
     .help = "time within which the run must finish; shows the probability of that"},
    {OPTION("budget", QUANTITY, budget), .argument = "COST", .dimension = RC_COUNT,
     .help = "largest acceptable cost; shows the probability of staying below it"},
    {OPTION("no-pairs", FLAG, no_pairs), .help = "no runs across two clusters"},
    {OPTION("whole-hosts", FLAG, whole_hosts), .help = "charge for all cores of a host"},
    {OPTION("all", FLAG, all),
     .help =
         "all choices, including those without measurements (default: for each mesh the fastest "
         "20, the Pareto-optimal ones, and the first 5 that do not fit)"},
    RC_OPTION_PLOT(struct compare_options),
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* The question and its answer. */
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

/* ---- the question ---- */

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
            return rc_error_set(error, "--per-host: cluster '%s' is left out by another option",
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
        return rc_error_set(error, "--cluster: platform '%s' has no cluster '%s'", platform->name,
                            name);
    if (comparing->clusters[cluster].excluded)
        return rc_error_set(error, "--cluster '%s' contradicts --procs, which names other clusters",
                            name);
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
                 : rc_error_set(error, "--network: no cluster of platform '%s' has a network '%s'",
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
    request->links = comparing->scale.with_link;
    request->whole_hosts = options->whole_hosts;
    request->bytes_per_cell = options->scale.bytes_per_cell;
    request->deadline = options->deadline;
    request->budget = options->budget;
}

/* ---- the command ---- */

/* Shows impossible choices, too, before the error that no choice is possible. */
static int compare(struct comparing *comparing)
{
    const struct compare_options *options = comparing->options;
    const struct rc_cmd_compared compared = {.app = options->scale.app,
                                             .platform = comparing->scale.platform,
                                             .meshes = comparing->meshes,
                                             .n_meshes = comparing->request.n_meshes,
                                             .choices = &comparing->choices,
                                             .probabilities = !isnan(options->deadline) ||
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
        return rc_cmd_usage_text(invocation, "--deadline: must be above 0");
    if (!isnan(options->budget) && !(options->budget > 0))
        return rc_cmd_usage_text(invocation, "--budget: must be above 0");
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
    .summary = "Compare clusters, networks, numbers of processes and pairs of clusters",
    .details =
        "Lists every choice with a model ('runcast scale fit'), the fastest first: time, 90 % "
        "prediction interval, core-hours, cost and memory. Pareto-optimal choices are marked: no "
        "other choice is both faster and cheaper. B:32/4 stands for 32 processes with 4 on each "
        "host. --deadline and --budget add the probabilities of meeting them.",
    .examples = "  runcast scale compare --app mg --size 65536 --platform-file p.yaml\n"
                "  runcast scale compare --app mg --size 32768,65536 --platform-file p.yaml \\\n"
                "    --procs A:64,B:32 --deadline 2h --budget 100\n",
    .options = compare_options,
    .options_size = sizeof(struct compare_options),
    .defaults = &compare_defaults,
    .answers = {rc_answer_scale_choices},
    .run = run_compare,
};
