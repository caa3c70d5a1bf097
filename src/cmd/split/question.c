// SPDX-License-Identifier: GPL-3.0-or-later
/* question.c - what 'runcast split' is asked: its options and the platform. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "cmd/split/split.h"
#include "platform/platform.h"

enum { SPEEDS_APART = 1000 }; /* no two hosts are so far apart */

/* ---- what is said of hosts ---- */

/* An option that says something of hosts, and where that goes. */
struct saying {
    const char *option;
    enum rc_dimension dimension;
    double least, most;
    double *values, *bare; /* of the hosts; without a host: NULL where there must be one */
    size_t stride;         /* from the value of a host to that of the next, in bytes */
    bool *said;            /* of each host */
};

static double *value_at(const struct saying *saying, size_t h)
{
    return (double *)(void *)((char *)saying->values + h * saying->stride);
}

static int set_for(const struct rc_cmd_split *asked, const struct saying *saying, const char *text,
                   size_t length, double value, struct rc_error *error)
{
    struct rc_hostlist named = {0};
    struct rc_error why;
    int status = 0;

    if (rc_platform_hostlist_expand(text, length, RC_CMD_SPLIT_HOSTS_MAX, &named, &why))
        return rc_error_set(error, "%s: '%.*s': %s", saying->option, (int)length, text, why.text);
    for (size_t i = 0; i < named.count && status == 0; i++) {
        size_t h = 0;

        while (h < asked->list.count && strcmp(asked->list.names[h], named.names[i]) != 0)
            h++;
        if (h == asked->list.count || saying->said[h]) {
            status = rc_error_set(error, "%s: '%s' is %s", saying->option, named.names[i],
                                  h == asked->list.count ? "not one of --hosts" : "said twice");
        } else {
            *value_at(saying, h) = value;
            saying->said[h] = true;
        }
    }
    rc_platform_hostlist_free(&named);
    return status;
}

static int read_value(const struct saying *saying, const char *text, const char *number,
                      double *value, struct rc_error *error)
{
    char least[RC_NUMBER_SIZE], most[RC_NUMBER_SIZE];
    struct rc_error why;

    if (rc_unit_parse(number, strlen(number), saying->dimension, value, &why))
        return rc_error_set(error, "%s: '%s': %s", saying->option, text, why.text);
    if (*value >= saying->least && *value <= saying->most)
        return 0;
    rc_number_format_short(saying->least, 3, least);
    rc_number_format_short(saying->most, 3, most);
    return rc_error_set(error, "%s: '%s' is out of range: %s to %s", saying->option, text, least,
                        most);
}

static int read_one(const struct rc_cmd_split *asked, const struct saying *saying, const char *text,
                    struct rc_error *error)
{
    const char *equals = strrchr(text, '=');
    double value;

    if (read_value(saying, text, equals ? equals + 1 : text, &value, error))
        return -1;
    if (equals)
        return set_for(asked, saying, text, (size_t)(equals - text), value, error);
    if (!saying->bare)
        return rc_error_set(error, "%s: say of which hosts: HOSTS=VALUE", saying->option);
    if (!isnan(*saying->bare))
        return rc_error_set(error, "%s: '%s' is said for all, and so was another value",
                            saying->option, text);
    *saying->bare = value;
    return 0;
}

/* Reads "HOSTS=VALUE" and "VALUE", in any order.  With `all`, what is said of no host is for all of
 * them, but for those of which something is said. */
static int read_sayings(const struct rc_cmd_split *asked, struct saying *saying, bool all,
                        const struct rc_option_list *list, struct rc_error *error)
{
    double bare = NAN;
    int status = 0;

    saying->said = calloc(asked->list.count + 1, sizeof *saying->said);
    if (!saying->said)
        return rc_error_no_memory(error);
    if (all)
        saying->bare = &bare;
    for (size_t i = 0; i < list->n && status == 0; i++)
        status = read_one(asked, saying, list->items[i], error);
    for (size_t h = 0; h < asked->list.count && status == 0; h++)
        if (!isnan(bare) && !saying->said[h])
            *value_at(saying, h) = bare;
    free(saying->said);
    return status;
}

static int read_idle_time(struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct saying time = {"--idle-time", RC_SECONDS, 1e-9, 1e12, NULL, NULL, 0, NULL};
    const struct rc_option_list *list = &asked->options->idle_time;

    asked->paces.given_time = NAN;
    return list->n == 0
               ? 0
               : read_value(&time, list->items[0], list->items[0], &asked->paces.given_time, error);
}

static int read_speeds(struct rc_cmd_split *asked, struct rc_error *error)
{
    struct saying speed = {"--speed",          RC_FLOPS, 1e-12,          1e30,
                           asked->paces.speed, NULL,     sizeof(double), NULL};

    return read_sayings(asked, &speed, false, &asked->options->speed, error);
}

/* What hosts take besides their work, and their room; the platform may have set the latter. */
static int read_limits(struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t stride = sizeof *asked->hosts;
    struct saying fixed = {"--fixed", RC_SECONDS, 0,   1e12, &asked->hosts[0].fixed,
                           NULL,      stride,     NULL};
    struct saying most = {"--most", RC_COUNT, 0, 1e18, &asked->hosts[0].most, NULL, stride, NULL};

    return read_sayings(asked, &fixed, true, &asked->options->fixed, error) ||
                   read_sayings(asked, &most, true, &asked->options->most, error)
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
        return rc_error_set(error, "--factors: '%s' falls: say LEAST,MIDDLE,MOST",
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
    struct saying done = {"--done", RC_FRACTION, 0, 1, each, &bare, sizeof *each, NULL};
    int status = each ? read_sayings(asked, &done, false, &asked->options->done, error)
                      : rc_error_no_memory(error);

    for (size_t h = 0; h < asked->list.count && !status; h++)
        sum += each[h];
    free(each);
    if (status)
        return -1;
    if (!isnan(bare) && sum > 0)
        return rc_error_set(error, "--done: say the share that is done, or that of each host, not "
                                   "both");
    asked->all_done = isnan(bare) ? sum : bare;
    return asked->all_done < 1 ? 0 : rc_error_set(error, "--done: nothing is left to divide");
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

/* Processes are taken to have a core each. */
static int check_cores(const struct rc_cmd_split *asked, const struct rc_host *host,
                       struct rc_error *error)
{
    if (host->cores <= 0 || asked->options->per_host <= host->cores)
        return 0;
    rc_error_set(error, "--per-host: %" PRId64 " processes do not fit on %s, which has %d core%s",
                 asked->options->per_host, host->name, host->cores, host->cores == 1 ? "" : "s");
    return rc_error_hint(error, "say at most --per-host %d, or take other hosts", host->cores);
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
        const struct rc_host *host = rc_platform_find_host(platform, asked->list.names[h], NULL);

        if (!host) {
            status = rc_error_set(error, "--platform: %s has no host '%s'", platform->name,
                                  asked->list.names[h]);
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
    return rc_error_hint(error, "say all in one unit; those of a platform file are in flop/s, such "
                                "as 2Gf");
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
        rc_error_set(error, "the speed of %s is not known, but that of others is",
                     asked->list.names[unknown]);
        return rc_error_hint(error, "say it: --speed %s=SPEED", asked->list.names[unknown]);
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
                   read_idle_time(asked, error) || read_speeds(asked, error) ||
                   complete_speeds(asked, error) || read_done(asked, error) ||
                   read_tuning(asked, error) || read_current(asked, error) ||
                   read_limits(asked, error)
               ? RC_EXIT_USAGE
               : RC_EXIT_OK;
}
