// SPDX-License-Identifier: GPL-3.0-or-later
/* split_question.c - what 'runcast split' is asked: its options, the platform, the store. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/plot.h"
#include "cmd/split.h"
#include "store/run_table.h"

/* ---- whether it makes sense ---- */

static bool is_bad(double value, double least, double most)
{
    return !isnan(value) && !(value >= least && value <= most);
}

int rc_cmd_split_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_split_options *options)
{
    struct rc_error error;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "say which program: --app NAME");
    if (!options->hosts)
        return rc_cmd_usage_text(invocation, "say where it will run: --hosts HOSTS");
    if (!(options->size > 0))
        return rc_cmd_usage_text(invocation, "say which run: --size N, above 0");
    if (!options->units && !(options->size >= 1 && options->size <= 9e15))
        return rc_cmd_usage_text(invocation, "--size: no number of units; say them: --units U");
    if (is_bad(options->idle_time, 1e-9, 1e12))
        return rc_cmd_usage_text(invocation, "--idle-time: a time above 0");
    if (!isnan(options->quantile) && strcmp(options->policy, "quantile") != 0)
        return rc_cmd_usage_text(invocation, "--quantile is for --policy quantile");
    if (!isnan(options->quantile) && !(options->quantile > 0 && options->quantile < 1))
        return rc_cmd_usage_text(invocation, "--quantile: a probability between 0 and 1");
    if (!isnan(options->tuning_factor) && strcmp(options->policy, "optimal") != 0)
        return rc_cmd_usage_text(invocation, "--tuning-factor is in place of --policy");
    if (is_bad(options->window, 0, 1e9) || is_bad(options->high_variability, 0, 1e9))
        return rc_cmd_usage_text(invocation, "--window and --high-variability: not below 0");
    if (is_bad(options->memory_per_unit, 1e-9, 1e30))
        return rc_cmd_usage_text(invocation, "--memory-per-unit: above 0");
    if (!isnan(options->memory_per_unit) && !options->platform)
        return rc_cmd_usage_text(invocation, "--memory-per-unit wants the memory of the hosts: "
                                             "--platform FILE (or say --most HOSTS=UNITS)");
    if (options->running != (options->done.n > 0))
        return rc_cmd_usage_text(invocation, "--running and --done SHARE go together");
    if (options->per_host > RC_CMD_SPLIT_PER_HOST_MAX)
        return rc_cmd_usage_text(invocation, "--per-host: at most %d", RC_CMD_SPLIT_PER_HOST_MAX);
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (options->draws > RC_CMD_SPLIT_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_CMD_SPLIT_DRAWS_MAX);
    return RC_EXIT_OK;
}

/* ---- what is said of hosts ---- */

/* An option that says something of hosts. */
struct saying {
    const char *option;
    enum rc_dimension dimension;
    bool all; /* a value without hosts is for all of them */
    double least, most;
};

static int set_for(const struct rc_cmd_split *asked, const struct saying *saying, const char *text,
                   size_t length, double value, double *values, struct rc_error *error)
{
    struct rc_hostlist named = {0};
    struct rc_error why;
    int status = 0;

    if (rc_hostlist_expand(text, length, RC_CMD_SPLIT_HOSTS_MAX, &named, &why))
        return rc_error_set(error, "%s: '%.*s': %s", saying->option, (int)length, text, why.text);
    for (size_t i = 0; i < named.count && status == 0; i++) {
        size_t h = 0;

        while (h < asked->list.count && strcmp(asked->list.names[h], named.names[i]) != 0)
            h++;
        if (h == asked->list.count)
            status = rc_error_set(error, "%s: '%s' is not one of --hosts", saying->option,
                                  named.names[i]);
        else
            values[h] = value;
    }
    rc_hostlist_free(&named);
    return status;
}

/* Reads "HOSTS=VALUE" and "VALUE".  Where the latter is not for all hosts, it goes to `*bare`. */
static int read_sayings(const struct rc_cmd_split *asked, const struct saying *saying,
                        const struct rc_option_list *list, double *values, double *bare,
                        struct rc_error *error)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *text = list->items[i], *equals = strrchr(text, '=');
        const char *number = equals ? equals + 1 : text;
        struct rc_error why;
        double value;

        if (rc_unit_parse(number, strlen(number), saying->dimension, &value, &why))
            return rc_error_set(error, "%s: '%s': %s", saying->option, text, why.text);
        if (!(value >= saying->least && value <= saying->most))
            return rc_error_set(error, "%s: '%s' is out of range", saying->option, text);
        if (!equals && !saying->all && !bare)
            return rc_error_set(error, "%s: say of which hosts: HOSTS=VALUE", saying->option);
        if (equals && set_for(asked, saying, text, (size_t)(equals - text), value, values, error))
            return -1;
        for (size_t h = 0; !equals && saying->all && h < asked->list.count; h++)
            values[h] = value;
        if (!equals && !saying->all)
            *bare = value;
    }
    return 0;
}

/* Numbers between commas, exactly `n` of them. */
static int read_numbers(const char *option, const char *text, double *numbers, size_t n,
                        struct rc_error *error)
{
    const char *at = text;

    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(at, ",");

        if (rc_number_parse(at, length, &numbers[i]) || (at[length] == ',') != (i + 1 < n))
            return rc_error_set(error, "%s: '%s' is not %zu numbers with commas between them",
                                option, text, n);
        at += length + 1;
    }
    return 0;
}

static int read_current(struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t n = asked->list.count;

    if (!asked->options->current)
        return 0;
    asked->current = calloc(n, sizeof *asked->current);
    if (!asked->current)
        return rc_error_no_memory(error);
    if (read_numbers("--current", asked->options->current, asked->current, n, error))
        return -1;
    for (size_t h = 0; h < n; h++)
        if (!(asked->current[h] > 0))
            return rc_error_set(error, "--current: every host has a share above 0");
    return 0;
}

static int read_tuning(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    struct rc_tuning_rules *rules = &asked->question.tuning;
    double factors[3];

    rc_tuning_rules_init(rules);
    if (!isnan(options->window))
        rules->window = options->window;
    if (!isnan(options->high_variability))
        rules->high_variability = options->high_variability;
    if (!options->factors)
        return 0;
    if (read_numbers("--factors", options->factors, factors, 3, error))
        return -1;
    rules->least = factors[0];
    rules->middle = factors[1];
    rules->most = factors[2];
    return 0;
}

static int read_done(struct rc_cmd_split *asked, struct rc_error *error)
{
    static const struct saying done = {"--done", RC_FRACTION, false, 0, 1};
    double bare = NAN, sum = 0;

    if (read_sayings(asked, &done, &asked->options->done, asked->done, &bare, error))
        return -1;
    for (size_t h = 0; h < asked->list.count; h++)
        sum += asked->done[h];
    if (!isnan(bare) && sum > 0)
        return rc_error_set(error, "--done: say the share that is done, or that of each host, not "
                                   "both");
    asked->all_done = isnan(bare) ? sum : bare;
    return asked->all_done < 1 ? 0 : rc_error_set(error, "--done: nothing is left to divide");
}

static int read_params(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct rc_option_list *list = &asked->options->params;

    for (size_t i = 0; i < list->n; i++) {
        const char *text = list->items[i], *equals = strchr(text, '=');
        size_t length = equals ? (size_t)(equals - text) : 0;
        double value;

        if (length == 0 || length >= RC_CMD_SPLIT_NAME_SIZE ||
            rc_number_parse(equals + 1, strlen(equals + 1), &value))
            return rc_error_set(error, "--param: '%s' is not NAME=NUMBER", text);
        memcpy(asked->names[i], text, length);
        if (rc_run_table_column(asked->names[i]))
            return rc_error_set(error, "--param: '%s' has an option of its own", asked->names[i]);
        asked->params[asked->n_params++] = (struct rc_param){asked->names[i], value};
    }
    return 0;
}

static int get_room(struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t n = asked->list.count;

    asked->speed = calloc(n, sizeof *asked->speed);
    asked->done = calloc(n, sizeof *asked->done);
    asked->hosts = calloc(n, sizeof *asked->hosts);
    if (!asked->speed || !asked->done || !asked->hosts)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < n; h++) {
        asked->speed[h] = NAN;
        asked->hosts[h].most = INFINITY;
    }
    return 0;
}

/* ---- the platform ---- */

static const struct rc_host *find_host(const struct rc_platform *platform, const char *name)
{
    for (size_t c = 0; c < platform->n_clusters; c++)
        for (size_t i = 0; i < platform->clusters[c].n_hosts; i++)
            if (strcmp(platform->clusters[c].hosts[i].name, name) == 0)
                return &platform->clusters[c].hosts[i];
    return NULL;
}

static int read_platform(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct rc_platform *platform;
    int status = 0;

    if (!asked->options->platform)
        return 0;
    platform = asked->platform = rc_platform_load(asked->options->platform, error);
    if (!platform)
        return -1;
    for (size_t h = 0; h < asked->list.count && status == 0; h++) {
        const struct rc_host *host = find_host(platform, asked->list.names[h]);

        if (!host) {
            status = rc_error_set(error, "--platform: %s has no host '%s'", platform->name,
                                  asked->list.names[h]);
            continue;
        }
        asked->speed[h] = host->speed;
        if (!isnan(asked->options->memory_per_unit) && !isnan(host->memory))
            asked->hosts[h].most = floor(host->memory / asked->options->memory_per_unit);
    }
    return status;
}

/* Speeds that only some hosts have cannot be compared. */
static int complete_speeds(struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t known = 0, unknown = 0;

    for (size_t h = 0; h < asked->list.count; h++) {
        known += !isnan(asked->speed[h]);
        if (isnan(asked->speed[h]))
            unknown = h;
    }
    if (known > 0 && known < asked->list.count) {
        rc_error_set(error, "the speed of %s is not known, but that of others is",
                     asked->list.names[unknown]);
        return rc_error_hint(error, "say it: --speed %s=SPEED", asked->list.names[unknown]);
    }
    asked->speeds_told = known > 0;
    for (size_t h = 0; h < asked->list.count && known == 0; h++)
        asked->speed[h] = 1;
    return 0;
}

/* Room and time beside; `most` may have been set by the platform. */
static int read_limits(struct rc_cmd_split *asked, struct rc_error *error)
{
    static const struct saying fixed = {"--fixed", RC_SECONDS, true, 0, 1e12};
    static const struct saying most = {"--most", RC_COUNT, true, 0, 1e18};
    const struct rc_cmd_split_options *options = asked->options;
    double *values = calloc(2 * asked->list.count, sizeof *values);
    int status;

    if (!values)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < asked->list.count; h++)
        values[asked->list.count + h] = asked->hosts[h].most;
    status = read_sayings(asked, &fixed, &options->fixed, values, NULL, error) ||
             read_sayings(asked, &most, &options->most, values + asked->list.count, NULL, error);
    for (size_t h = 0; h < asked->list.count; h++) {
        asked->hosts[h].fixed = values[h];
        asked->hosts[h].most = values[asked->list.count + h];
    }
    free(values);
    return status ? -1 : 0;
}

int rc_cmd_split_read(struct rc_cmd_split *asked, struct rc_error *error)
{
    static const struct saying speed = {"--speed", RC_FLOPS, false, 1e-12, 1e30};
    const struct rc_cmd_split_options *options = asked->options;

    if (rc_hostlist_expand(options->hosts, strlen(options->hosts), RC_CMD_SPLIT_HOSTS_MAX,
                           &asked->list, error))
        return RC_EXIT_USAGE;
    if (get_room(asked, error) || read_platform(asked, error))
        return RC_EXIT_FAILED;
    return read_params(asked, error) ||
                   read_sayings(asked, &speed, &options->speed, asked->speed, NULL, error) ||
                   complete_speeds(asked, error) || read_done(asked, error) ||
                   read_tuning(asked, error) || read_current(asked, error) ||
                   read_limits(asked, error)
               ? RC_EXIT_USAGE
               : RC_EXIT_OK;
}

void rc_cmd_split_free(struct rc_cmd_split *asked)
{
    for (size_t h = 0; asked->hosts && h < asked->list.count; h++)
        free((void *)(uintptr_t)asked->hosts[h].samples);
    rc_split_free(&asked->split);
    rc_platform_destroy(asked->platform);
    free(asked->hosts);
    free(asked->speed);
    free(asked->done);
    free(asked->current);
    rc_hostlist_free(&asked->list);
}
