// SPDX-License-Identifier: GPL-3.0-or-later
/* question.c - what 'runcast predict' is asked, from its options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "report/plot.h"
#include "cmd/predict/predict.h"
#include "run/command_template.h"

/* ---- whether it makes sense ---- */

bool rc_cmd_is_platform_file(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* Options that belong to one method, and the method. */
static int check_structure(const struct rc_invocation *invocation,
                           const struct rc_cmd_predict_options *options)
{
    if (options->omit > 1 || options->omit < 0)
        return rc_cmd_usage_text(invocation, "--omit: a share from 0 to 100%%");
    if (options->csv || options->parts || strcmp(options->criterion, "default") != 0)
        return rc_cmd_usage_text(invocation, "--csv, --parts and --criterion are of regression "
                                             "models, and --family structure has none");
    if (!isnan(options->cpu) || !isnan(options->bw))
        return rc_cmd_usage_text(invocation, "--cpu and --bw are of regression models; the load "
                                             "of a structural one is set by the names of its "
                                             "inputs, with --set");
    return RC_EXIT_OK;
}

static int check_method(const struct rc_invocation *invocation,
                        const struct rc_cmd_predict_options *options)
{
    int method = options->method ? rc_predict_method_find(options->method) : -1;
    bool regression = options->csv || options->parts || !isnan(options->cpu) ||
                      !isnan(options->bw) || strcmp(options->criterion, "default") != 0;

    if (options->probe && method >= 0 && method != RC_METHOD_SKELETON)
        return rc_cmd_usage_text(invocation, "--probe is of skeletons, and --family %s has none",
                                 options->method);
    if (options->probe && !rc_run_template_has(options->probe, "skeleton"))
        return rc_cmd_usage_text(invocation, "--probe: say where the skeleton stands in the "
                                             "command, with {skeleton}");
    if (method == RC_METHOD_STRUCTURAL)
        return check_structure(invocation, options);
    if (options->set.n)
        return rc_cmd_usage_text(invocation, "--set belongs to --family structure");
    if (options->use.n || !isnan(options->omit))
        return rc_cmd_usage_text(invocation, "--use and --omit belong to --family structure");
    if (method > 0 && regression)
        return rc_cmd_usage_text(invocation,
                                 "--csv, --parts, --criterion, --cpu and --bw are of "
                                 "regression models, and --family %s has none",
                                 options->method);
    if (method == RC_METHOD_SCALING &&
        !(options->platform && rc_cmd_is_platform_file(options->platform)))
        return rc_cmd_usage_text(invocation, "--family scaling wants --platform FILE.yaml");
    if (options->csv && options->explain)
        return rc_cmd_usage_text(invocation, "--explain is not for tables");
    return RC_EXIT_OK;
}

int rc_cmd_predict_check(const struct rc_invocation *invocation,
                         const struct rc_cmd_predict_options *options)
{
    struct rc_error error;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "say which program: --app NAME");
    if (options->draws > RC_PREDICT_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_PREDICT_DRAWS_MAX);
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (options->csv) {
        if (!isnan(options->size) || options->procs || options->params.n || options->hosts ||
            !isnan(options->cpu) || !isnan(options->bw) || !isnan(options->at) || options->plot ||
            options->parts)
            return rc_cmd_usage_text(invocation, "with --csv, all that describes a run stands in "
                                                 "the table, and --parts is not for tables");
        return check_method(invocation, options);
    }
    if (options->out || options->learn)
        return rc_cmd_usage_text(invocation, "--out and --learn belong to --csv");
    if (isnan(options->size) || !options->procs)
        return rc_cmd_usage_text(invocation, "say which run: --size N and --procs P (or --csv)");
    if (!(options->size > 0))
        return rc_cmd_usage_text(invocation, "--size: a problem size is above 0");
    if (!isnan(options->cpu) && !(options->cpu > 0 && options->cpu <= 1))
        return rc_cmd_usage_text(invocation, "--cpu: a share of a core, above 0 and at most 1");
    if (!isnan(options->bw) && !(options->bw > 0))
        return rc_cmd_usage_text(invocation, "--bw: a bandwidth above 0");
    if (options->hosts && (!isnan(options->cpu) || !isnan(options->bw)))
        return rc_cmd_usage_text(invocation, "say either --hosts, for a forecast of their load, or "
                                             "the load itself");
    return check_method(invocation, options);
}

/* ---- which run ---- */

static int read_quantiles(const char *text, struct rc_cmd_answer *answer, struct rc_error *error)
{
    answer->report.percents = answer->percents;
    while (*text) {
        size_t length = strcspn(text, ",");
        double percent;

        if (answer->report.n_percents == RC_CMD_QUANTILES_MAX ||
            rc_number_parse(text, length, &percent) || !(percent > 0 && percent < 100))
            return rc_error_set(error,
                                "--quantiles: numbers between 0 and 100 with commas between "
                                "them, at most %d",
                                RC_CMD_QUANTILES_MAX);
        answer->percents[answer->report.n_percents++] = percent;
        text += length + (text[length] == ',');
    }
    return 0;
}

int rc_cmd_predict_read(struct rc_cmd_answer *answer, char names[][RC_CMD_PARAM_SIZE],
                        struct rc_error *error)
{
    return read_quantiles(answer->options->quantiles, answer, error) ||
                   rc_cmd_params_read(&answer->options->params, names, answer->params,
                                      &answer->n_params, error)
               ? -1
               : 0;
}

/* ---- where it will run ---- */

/* The hosts that a placement takes. */
static int place(const struct rc_platform *platform, int64_t processes,
                 struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_cluster *cluster = &platform->clusters[0];
    int *counts = calloc(cluster->n_hosts, sizeof *counts);
    int status = 0;

    answer->hosts.names = calloc(cluster->n_hosts, sizeof *answer->hosts.names);
    if (!counts || !answer->hosts.names)
        status = rc_error_no_memory(error);
    else if (rc_platform_cluster_place(cluster, processes, counts)) {
        rc_error_set(error, "%lld processes do not fit into %s, where %lld do",
                     (long long)processes, cluster->name,
                     (long long)rc_platform_cluster_capacity(cluster));
        status = rc_error_hint(error, "take fewer processes, or name hosts of several clusters "
                                      "with --hosts");
    }
    for (size_t i = 0; i < cluster->n_hosts && status == 0; i++)
        if (counts[i] > 0) {
            answer->hosts.names[answer->hosts.count] = strdup(cluster->hosts[i].name);
            status = answer->hosts.names[answer->hosts.count++] ? 0 : rc_error_no_memory(error);
        }
    free(counts);
    return status;
}

/* The cores of a host that is named; -1: the platform has no such host. */
static int64_t slots_of(const struct rc_platform *platform, const char *name)
{
    const struct rc_cluster *cluster;
    const struct rc_host *host = rc_platform_find_host(platform, name, &cluster);

    return host ? rc_platform_cluster_slots(cluster, (size_t)(host - cluster->hosts)) : -1;
}

/* Hosts that are named, by what the platform file says of them. */
static int check_hosts(const struct rc_platform *platform,
                       const struct rc_cmd_predict_options *options,
                       const struct rc_hostlist *hosts, struct rc_error *error)
{
    int64_t all = 0;

    for (size_t i = 0; i < hosts->count; i++) {
        int64_t slots = slots_of(platform, hosts->names[i]);

        if (slots < 0) {
            rc_error_set(error, "--hosts: the platform has no host '%s'", hosts->names[i]);
            return rc_error_hint(error, "'runcast platform show %s' lists its hosts",
                                 options->platform);
        }
        all += slots;
    }
    if (options->procs <= all)
        return 0;
    rc_error_set(error, "--hosts: %lld processes are %lld more than fit on the %zu host%s",
                 (long long)options->procs, (long long)(options->procs - all), hosts->count,
                 hosts->count == 1 ? "" : "s");
    return rc_error_hint(error, "name more hosts, or take fewer processes");
}

int rc_cmd_predict_places(struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = answer->options;
    struct rc_platform *platform = NULL;
    int status = 0;

    if (options->platform && rc_cmd_is_platform_file(options->platform)) {
        platform = rc_platform_load(options->platform, error);
        if (!platform)
            return -1;
    }
    if (options->hosts)
        status = rc_platform_hostlist_expand(options->hosts, strlen(options->hosts),
                                             RC_HOST_FORECAST_HOSTS_MAX, &answer->hosts, error);
    if (options->hosts && platform && status == 0)
        status = check_hosts(platform, options, &answer->hosts, error);
    else if (!options->hosts && platform)
        status = place(platform, options->procs, answer, error);
    if (options->platform && status == 0) {
        answer->platform = strdup(platform ? platform->name : options->platform);
        status = answer->platform ? 0 : rc_error_no_memory(error);
    }
    answer->platform_file = platform;
    return status;
}
