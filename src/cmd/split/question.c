// SPDX-License-Identifier: GPL-3.0-or-later
/* question.c - the options of 'runcast split' that name hosts, and the platform. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/split/split.h"
#include "platform/platform.h"

enum { SPEEDS_APART = 1000 }; /* no two hosts are so far apart */

/* ---- values of hosts ---- */

/* An option with a value for hosts, and where the value goes. */
struct host_option {
    const char *option;
    enum rc_dimension dimension;
    double least, most;
    double *values, *bare; /* of the hosts; without a host */
    size_t stride;         /* from the value of a host to that of the next, in bytes */
    bool *given;           /* of each host */
};

static double *value_at(const struct host_option *kind, size_t h)
{
    return (double *)(void *)((char *)kind->values + h * kind->stride);
}

static int set_for(const struct rc_cmd_split *asked, const struct host_option *kind,
                   const char *text, size_t length, double value, struct rc_error *error)
{
    struct rc_hostlist named = {0};
    struct rc_error why;
    int status = 0;

    if (rc_platform_hostlist_expand(text, length, RC_CMD_SPLIT_HOSTS_MAX, &named, &why))
        return rc_error_set(error, "%s: '%.*s': %s", kind->option, (int)length, text, why.text);
    for (size_t i = 0; i < named.count && status == 0; i++) {
        size_t h = 0;

        while (h < asked->list.count && strcmp(asked->list.names[h], named.names[i]) != 0)
            h++;
        if (h == asked->list.count || kind->given[h]) {
            status = rc_error_set(error, "%s: '%s' is %s", kind->option, named.names[i],
                                  h == asked->list.count ? "not one of --hosts" : "given twice");
        } else {
            *value_at(kind, h) = value;
            kind->given[h] = true;
        }
    }
    rc_platform_hostlist_free(&named);
    return status;
}

static int read_value(const struct host_option *kind, const char *text, const char *number,
                      double *value, struct rc_error *error)
{
    char least[RC_NUMBER_SIZE], most[RC_NUMBER_SIZE];
    struct rc_error why;

    if (rc_unit_parse(number, strlen(number), kind->dimension, value, &why))
        return rc_error_set(error, "%s: '%s': %s", kind->option, text, why.text);
    if (*value >= kind->least && *value <= kind->most)
        return 0;
    rc_number_format_short(kind->least, 3, least);
    rc_number_format_short(kind->most, 3, most);
    return rc_error_set(error, "%s: '%s' is out of range: %s to %s", kind->option, text, least,
                        most);
}

static int read_one(const struct rc_cmd_split *asked, const struct host_option *kind,
                    const char *text, struct rc_error *error)
{
    const char *equals = strrchr(text, '=');
    double value;

    if (read_value(kind, text, equals ? equals + 1 : text, &value, error))
        return -1;
    if (equals)
        return set_for(asked, kind, text, (size_t)(equals - text), value, error);
    if (!isnan(*kind->bare))
        return rc_error_set(error, "%s: '%s' is given twice for all hosts", kind->option, text);
    *kind->bare = value;
    return 0;
}

/* Reads "HOSTS=VALUE" and "VALUE", in any order.  With `all`, the latter is for all other hosts. */
static int read_host_values(const struct rc_cmd_split *asked, struct host_option *kind, bool all,
                            const struct rc_option_list *list, struct rc_error *error)
{
    double bare = NAN;
    int status = 0;

    kind->given = calloc(asked->list.count + 1, sizeof *kind->given);
    if (!kind->given)
        return rc_error_no_memory(error);
    if (all)
        kind->bare = &bare;
    for (size_t i = 0; i < list->n && status == 0; i++)
        status = read_one(asked, kind, list->items[i], error);
    for (size_t h = 0; h < asked->list.count && status == 0; h++)
        if (!isnan(bare) && !kind->given[h])
            *value_at(kind, h) = bare;
    free(kind->given);
    return status;
}

static int read_dedicated(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct host_option time = {"--dedicated", RC_SECONDS, 1e-9, 1e12, NULL, NULL, 0, NULL};
    const struct rc_option_list *list = &asked->options->dedicated;

    asked->paces.given_time = NAN;
    return list->n == 0
               ? 0
               : read_value(&time, list->items[0], list->items[0], &asked->paces.given_time, error);
}

static int read_speeds(struct rc_cmd_split *asked, struct rc_error *error)
{
    struct host_option speed = {"--speed",          RC_FLOPS, 1e-12,          1e30,
                                asked->paces.speed, NULL,     sizeof(double), NULL};

    return read_host_values(asked, &speed, true, &asked->options->speed, error);
}

/* Fixed times and largest numbers of units; the platform may have set the latter. */
static int read_limits(struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t stride = sizeof *asked->hosts;
    struct host_option fixed = {"--fixed", RC_SECONDS, 0,   1e12, &asked->hosts[0].fixed,
                                NULL,      stride,     NULL};
    struct host_option most = {"--max-units",         RC_COUNT, 0,      1e18,
                               &asked->hosts[0].most, NULL,     stride, NULL};

    return read_host_values(asked, &fixed, true, &asked->options->fixed, error) ||
                   read_host_values(asked, &most, true, &asked->options->max_units, error)
               ? -1
               : 0;
}

/* Numbers between commas, exactly `n` of them. */
static int read_numbers(const char *option, const char *text, double *numbers, size_t n,
                        struct rc_error *error)
{
    const char *at = text;

    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(at, ",");

        if (rc_number_parse(at, length, &numbers[i]) || (at[length] == ',') != (i + 1 < n))
            return rc_error_set(error, "%s: '%s' is not %zu numbers separated by commas", option,
                                text, n);
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
            return rc_error_set(error, "--current: each share must be above 0");
    return 0;
}

static int read_tuning(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    struct rc_tuning_rules *rules = &asked->question.tuning;
    double factors[3];

    rc_split_tuning_rules_init(rules);
    if (!isnan(options->window))
        rules->window = options->window;
    if (!isnan(options->high_variability))
        rules->high_variability = options->high_variability;
    if (!options->factors)
        return 0;
    if (read_numbers("--factors", options->factors, factors, 3, error))
        return -1;
    if (!(factors[0] <= factors[1] && factors[1] <= factors[2]))
        return rc_error_set(error, "--factors: '%s' is not rising: LEAST,MIDDLE,MOST",
                            options->factors);
    if (!(factors[0] >= -10 && factors[2] <= 10))
        return rc_error_set(error, "--factors: '%s' is out of range: -10 to 10", options->factors);
    rules->least = factors[0];
    rules->middle = factors[1];
    rules->most = factors[2];
    return 0;
}

static int read_done(struct rc_cmd_split *asked, struct rc_error *error)
{
    double *each = calloc(asked->list.count + 1, sizeof *each), bare = NAN, sum = 0;
    struct host_option done = {"--done", RC_FRACTION, 0, 1, each, &bare, sizeof *each, NULL};
    int status = each ? read_host_values(asked, &done, false, &asked->options->done, error)
                      : rc_error_no_memory(error);

    for (size_t h = 0; h < asked->list.count && !status; h++)
        sum += each[h];
    free(each);
    if (status)
        return -1;
    if (!isnan(bare) && sum > 0)
        return rc_error_set(error, "--done: give one share for all work, or one for each host");
    asked->all_done = isnan(bare) ? sum : bare;
    return asked->all_done < 1 ? 0 : rc_error_set(error, "--done: no work remains");
}

static int get_room(struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t n = asked->list.count;

    asked->paces.speed = calloc(n, sizeof *asked->paces.speed);
    asked->hosts = calloc(n, sizeof *asked->hosts);
    if (!asked->paces.speed || !asked->hosts)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < n; h++) {
        asked->paces.speed[h] = NAN;
        asked->hosts[h].most = INFINITY;
    }
    return 0;
}

/* ---- the platform ---- */

/* Each process needs a core. */
static int check_cores(const struct rc_cmd_split *asked, const struct rc_host *host,
                       struct rc_error *error)
{
    if (host->cores <= 0 || asked->options->per_host <= host->cores)
        return 0;
    rc_error_set(error, "--per-host: %" PRId64 " processes do not fit on %s, which has %d core%s",
                 asked->options->per_host, host->name, host->cores, host->cores == 1 ? "" : "s");
    return rc_error_hint(error, "use at most --per-host %d, or other hosts", host->cores);
}

static int read_platform(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct rc_platform *platform;
    int status = 0;

    if (!asked->options->platform_file)
        return 0;
    platform = asked->platform = rc_platform_load(asked->options->platform_file, error);
    if (!platform)
        return -1;
    for (size_t h = 0; h < asked->list.count && status == 0; h++) {
        const struct rc_host *host = rc_platform_find_host(platform, asked->list.names[h], NULL);

        if (!host) {
            status = rc_error_set(error, "--hosts: no host '%s' in the platform %s",
                                  asked->list.names[h], platform->name);
            continue;
        }
        status = check_cores(asked, host, error);
        asked->paces.speed[h] = host->speed;
        if (!isnan(asked->options->memory_per_unit) && !isnan(host->memory))
            asked->hosts[h].most = floor(host->memory / asked->options->memory_per_unit);
    }
    return status;
}

/* Given speeds may be in any unit, and those of the platform are in flop/s. */
static int check_units(const struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t slow = 0, fast = 0;

    for (size_t h = 1; h < asked->list.count; h++) {
        slow = asked->paces.speed[h] < asked->paces.speed[slow] ? h : slow;
        fast = asked->paces.speed[h] > asked->paces.speed[fast] ? h : fast;
    }
    if (asked->paces.speed[fast] <= SPEEDS_APART * asked->paces.speed[slow])
        return 0;
    rc_error_set(error, "--speed: %s (%g) is over %d times as fast as %s (%g)",
                 asked->list.names[fast], asked->paces.speed[fast], SPEEDS_APART,
                 asked->list.names[slow], asked->paces.speed[slow]);
    return rc_error_hint(error, "use one unit for all; speeds of a platform file are in flop/s, "
                                "such as 2Gf");
}

/* Speeds of some hosts only cannot be compared: if they are the platform's, hosts are alike, as in
 * other commands; if they are given, some were forgotten. */
static int complete_speeds(struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t known = 0, unknown = 0;

    for (size_t h = 0; h < asked->list.count; h++) {
        known += !isnan(asked->paces.speed[h]);
        if (isnan(asked->paces.speed[h]))
            unknown = h;
    }
    asked->speeds_lack = known > 0 && known < asked->list.count;
    if (asked->speeds_lack && asked->options->speed.n > 0) {
        rc_error_set(error, "missing speed of %s", asked->list.names[unknown]);
        return rc_error_hint(error, "use --speed %s=SPEED", asked->list.names[unknown]);
    }
    if (asked->speeds_lack)
        known = 0;
    if (asked->options->speed.n > 0 && known > 0 && check_units(asked, error))
        return -1;
    asked->paces.speeds = known == 0                    ? RC_SPEEDS_ALIKE
                          : asked->options->speed.n > 0 ? RC_SPEEDS_GIVEN
                                                        : RC_SPEEDS_PLATFORM;
    for (size_t h = 0; h < asked->list.count && known == 0; h++)
        asked->paces.speed[h] = 1;
    return 0;
}

int rc_cmd_split_read(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;

    if (rc_platform_hostlist_expand(options->hosts, strlen(options->hosts), RC_CMD_SPLIT_HOSTS_MAX,
                                    &asked->list, error))
        return RC_EXIT_USAGE;
    if (get_room(asked, error) || read_platform(asked, error))
        return RC_EXIT_FAILED;
    return rc_cmd_params_read(&options->params, asked->names, asked->params, &asked->n_params,
                              error) ||
                   read_dedicated(asked, error) || read_speeds(asked, error) ||
                   complete_speeds(asked, error) || read_done(asked, error) ||
                   read_tuning(asked, error) || read_current(asked, error) ||
                   read_limits(asked, error)
               ? RC_EXIT_USAGE
               : RC_EXIT_OK;
}
