// SPDX-License-Identifier: GPL-3.0-or-later
/* question.c - the question of 'runcast predict', from its options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"
#include "cmd/core/time_limit.h"
#include "cmd/predict/predict.h"
#include "report/plot.h"
#include "run/command_template.h"

/* ---- checks ---- */

/* Options of one method with another method. */
static int wrong_method(const struct rc_invocation *invocation,
                        const struct rc_cmd_predict_options *options, const char *names,
                        const char *method)
{
    return rc_cmd_usage_text(invocation, "%s: only with --method %s, not %s", names, method,
                             options->method);
}

static int check_structural(const struct rc_invocation *invocation,
                            const struct rc_cmd_predict_options *options)
{
    if (options->omit > 1 || options->omit < 0)
        return rc_cmd_usage_text(invocation, "--omit: a share from 0 to 1");
    if (options->input || options->phases || strcmp(options->criterion, "default") != 0)
        return wrong_method(invocation, options, "--input, --phases and --criterion", "regression");
    if (!isnan(options->cpu) || !isnan(options->bandwidth))
        return rc_cmd_usage_text(invocation, "--cpu and --bandwidth: not with --method structural; "
                                             "set the inputs of the model with --set");
    return RC_EXIT_OK;
}

static int check_method(const struct rc_invocation *invocation,
                        const struct rc_cmd_predict_options *options)
{
    int method = rc_predict_method_find(options->method);
    bool regression = options->input || options->phases || !isnan(options->cpu) ||
                      !isnan(options->bandwidth) || strcmp(options->criterion, "default") != 0;

    if (options->probe && method >= 0 && method != RC_METHOD_SKELETON)
        return wrong_method(invocation, options, "--probe", "combined or skeleton");
    if (options->probe && !rc_run_template_has(options->probe, "skeleton"))
        return rc_cmd_usage_text(invocation, "--probe: the command needs {skeleton}, which stands "
                                             "for the program");
    if (method == RC_METHOD_STRUCTURAL)
        return check_structural(invocation, options);
    if (options->set.n)
        return wrong_method(invocation, options, "--set", "structural");
    if (options->alternative.n || !isnan(options->omit))
        return wrong_method(invocation, options, "--alternative and --omit", "structural");
    if (method > 0 && regression)
        return wrong_method(invocation, options,
                            "--input, --phases, --criterion, --cpu and --bandwidth", "regression");
    if (method == RC_METHOD_SCALING && !options->platform_file)
        return rc_cmd_usage_text(invocation, "--method scaling needs --platform-file FILE");
    if (options->input && options->extrapolate)
        return rc_cmd_usage_text(invocation, "--extrapolate: not with --input");
    if (options->input && options->explain)
        return rc_cmd_usage_text(invocation, "--explain: not with --input");
    return RC_EXIT_OK;
}

/* Options that do not apply to tables. */
static int check_table(const struct rc_invocation *invocation,
                       const struct rc_cmd_predict_options *options)
{
    if (!isnan(options->size) || options->procs || options->param.n || options->hosts ||
        !isnan(options->cpu) || !isnan(options->bandwidth) || !isnan(options->at))
        return rc_cmd_usage_text(invocation, "with --input, the table describes the runs: leave "
                                             "out --size, --procs, --param, --hosts, --cpu, "
                                             "--bandwidth and --at");
    if (options->plot || options->phases || options->quantiles || !isnan(options->risk))
        return rc_cmd_usage_text(invocation, "--plot, --risk, --phases and --quantiles: not with "
                                             "--input");
    return RC_EXIT_OK;
}

static int check_run(const struct rc_invocation *invocation,
                     const struct rc_cmd_predict_options *options)
{
    if (options->output || options->learn)
        return rc_cmd_usage_text(invocation, "--output and --learn: only with --input");
    if (!isnan(options->size) && !(options->size > 0))
        return rc_cmd_usage_text(invocation, "--size: must be above 0");
    if (!isnan(options->cpu) && !(options->cpu > 0 && options->cpu <= 1))
        return rc_cmd_usage_text(invocation, "--cpu: must be above 0 and at most 1");
    if (!isnan(options->bandwidth) && !(options->bandwidth > 0))
        return rc_cmd_usage_text(invocation, "--bandwidth: must be above 0");
    if (options->hosts && (!isnan(options->cpu) || !isnan(options->bandwidth)))
        return rc_cmd_usage_text(invocation, "--hosts forecasts the load, --cpu and --bandwidth "
                                             "set it: use one or the other");
    return RC_EXIT_OK;
}

int rc_cmd_predict_check(const struct rc_invocation *invocation,
                         const struct rc_cmd_predict_options *options)
{
    struct rc_error error;
    int status;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "use --app NAME");
    if (options->platform && options->platform_file)
        return rc_cmd_usage_text(invocation, "use --platform or --platform-file, not both");
    if (!isnan(options->risk) && rc_cmd_check_risk(invocation, options->risk))
        return RC_EXIT_USAGE;
    if (options->samples > RC_PREDICT_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--samples: at most %d", RC_PREDICT_DRAWS_MAX);
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    status = options->input ? check_table(invocation, options) : check_run(invocation, options);
    return status == RC_EXIT_OK ? check_method(invocation, options) : status;
}

/* ---- which run ---- */

enum { RANGE_WHOLE = 32 }; /* numbers of a range that are all in a table */

static int read_quantiles(const char *text, struct rc_cmd_answer *answer, struct rc_error *error)
{
    struct rc_answer_predict *report = &answer->report;

    report->quantiles = answer->quantiles;
    while (*text) {
        size_t length = strcspn(text, ",");
        double quantile;

        if (rc_unit_parse(text, length, RC_FRACTION, &quantile, NULL) ||
            !(quantile > 0 && quantile < 1))
            return rc_error_set(error,
                                "--quantiles %.*s: quantiles are fractions of 1, such as "
                                "0.95",
                                (int)(length < 40 ? length : 40), text);
        if (report->n_quantiles == RC_CMD_QUANTILES_MAX)
            return rc_error_set(error, "--quantiles: at most %d", RC_CMD_QUANTILES_MAX);
        answer->quantiles[report->n_quantiles++] = quantile;
        text += length + (text[length] == ',');
    }
    return 0;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int read_procs(struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = answer->options;
    struct rc_cmd_procs *numbers = &answer->numbers;

    if (rc_cmd_procs_read(options->procs, RANGE_WHOLE, numbers, error))
        return -1;
    if (numbers->n == 0)
        return rc_error_set(error, "--procs: no number");
    qsort(numbers->numbers, numbers->n, sizeof *numbers->numbers, by_number);
    if (numbers->n > 1 && (options->explain || options->probe || options->quantiles ||
                           options->phases || !isnan(options->risk)))
        return rc_error_set(error,
                            "--explain, --phases, --probe, --quantiles and --risk: only with "
                            "one number of processes");
    return 0;
}

int rc_cmd_predict_read(struct rc_cmd_answer *answer, char names[][RC_CMD_PARAM_SIZE],
                        struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = answer->options;
    const char *quantiles = options->quantiles ? options->quantiles
                            : options->json    ? "0.05,0.1,0.25,0.5,0.75,0.9,0.95,0.99"
                                               : "0.95,0.99";

    return (options->procs && read_procs(answer, error)) ||
                   read_quantiles(quantiles, answer, error) ||
                   rc_cmd_params_read(&options->param, names, answer->params, &answer->n_params,
                                      error)
               ? -1
               : 0;
}

/* ---- where it will run ---- */

/* The hosts on which the processes are placed. */
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
        rc_error_set(error, "%lld processes do not fit on %s, which has room for %lld",
                     (long long)processes, cluster->name,
                     (long long)rc_platform_cluster_capacity(cluster));
        status = rc_error_hint(error, "use fewer processes, or name hosts of several clusters "
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

/* Whether the named hosts are in the platform file. */
static int check_hosts(const struct rc_platform *platform,
                       const struct rc_cmd_predict_options *options,
                       const struct rc_hostlist *hosts, struct rc_error *error)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (slots_of(platform, hosts->names[i]) < 0) {
            rc_error_set(error, "--hosts: the platform has no host '%s'", hosts->names[i]);
            return rc_error_hint(error, "'runcast platform show %s' lists its hosts",
                                 options->platform_file);
        }
    return 0;
}

static int check_room(const struct rc_cmd_answer *answer, int64_t procs, struct rc_error *error)
{
    size_t n_hosts = answer->hosts.count;
    int64_t room = rc_cmd_predict_room(answer);

    if (procs <= room)
        return 0;
    rc_error_set(error,
                 "--hosts: %lld processes do not fit on the %zu host%s, which %s room for %lld",
                 (long long)procs, n_hosts, n_hosts == 1 ? "" : "s", n_hosts == 1 ? "has" : "have",
                 (long long)room);
    return rc_error_hint(error, "name more hosts, or use fewer processes");
}

int64_t rc_cmd_predict_room(const struct rc_cmd_answer *answer)
{
    const struct rc_platform *platform = answer->platform_file;
    int64_t room = 0;

    if (!platform)
        return INT64_MAX;
    if (!answer->options->hosts)
        return rc_platform_cluster_capacity(&platform->clusters[0]);
    for (size_t i = 0; i < answer->hosts.count; i++)
        room += slots_of(platform, answer->hosts.names[i]);
    return room;
}

int rc_cmd_predict_place(struct rc_cmd_answer *answer, int64_t procs, struct rc_error *error)
{
    answer->procs = procs;
    if (!answer->platform_file)
        return 0;
    if (answer->options->hosts)
        return check_room(answer, procs, error);
    rc_platform_hostlist_free(&answer->hosts);
    answer->hosts = (struct rc_hostlist){0};
    return place(answer->platform_file, procs, answer, error);
}

int rc_cmd_predict_places(struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = answer->options;
    const struct rc_platform *platform;
    int status = 0;

    if (options->platform_file) {
        answer->platform_file = rc_platform_load(options->platform_file, error);
        if (!answer->platform_file)
            return -1;
    }
    platform = answer->platform_file;
    if (options->hosts)
        status = rc_platform_hostlist_expand(options->hosts, strlen(options->hosts),
                                             RC_HOST_FORECAST_HOSTS_MAX, &answer->hosts, error);
    if (options->hosts && platform && status == 0)
        status = check_hosts(platform, options, &answer->hosts, error);
    if (status == 0)
        status = rc_cmd_predict_place(answer, answer->numbers.numbers[0], error);
    if ((platform || options->platform) && status == 0) {
        answer->platform = strdup(platform ? platform->name : options->platform);
        status = answer->platform ? 0 : rc_error_no_memory(error);
    }
    return status;
}
