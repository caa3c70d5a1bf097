// SPDX-License-Identifier: GPL-3.0-or-later
/* split_check.c - whether the options of 'runcast split' make sense together. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "report/plot.h"
#include "cmd/split/split.h"

/* ---- ranges ---- */

struct limit {
    const char *option;
    size_t offset; /* of a double, NAN where it is not said */
    double least, most;
    const char *unit;
};

#define AT(member) offsetof(struct rc_cmd_split_options, member)
static const struct limit limits[] = {
    {"--window", AT(window), 1e-3, 1e9, " seconds"},
    {"--high-variability", AT(high_variability), 0, 1, ""},
    {"--high-power", AT(high_power), 0, 1e30, ""},
    {"--memory-per-unit", AT(memory_per_unit), 1e-9, 1e30, " bytes"},
    {"--tuning-factor", AT(tuning_factor), -10, 10, ""},
};
#undef AT

static int check_limits(const struct rc_invocation *invocation,
                        const struct rc_cmd_split_options *options)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double value = *(const double *)(const void *)((const char *)options + limits[i].offset);
        char least[RC_NUMBER_SIZE], most[RC_NUMBER_SIZE];

        if (isnan(value) || (value >= limits[i].least && value <= limits[i].most))
            continue;
        rc_number_format_short(limits[i].least, 3, least);
        rc_number_format_short(limits[i].most, 3, most);
        return rc_cmd_usage_text(invocation, "%s is out of range: %s to %s%s", limits[i].option,
                                 least, most, limits[i].unit);
    }
    if (options->per_host > RC_CMD_SPLIT_PER_HOST_MAX)
        return rc_cmd_usage_text(invocation, "--per-host: at most %d", RC_CMD_SPLIT_PER_HOST_MAX);
    if (options->draws > RC_CMD_SPLIT_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_CMD_SPLIT_DRAWS_MAX);
    return RC_EXIT_OK;
}

/* ---- policies ---- */

/* Options of a policy that is neither asked for nor shown would be for nothing. */
static int check_policy(const struct rc_invocation *invocation,
                        const struct rc_cmd_split_options *options)
{
    const struct {
        const char *option, *policy;
        bool said;
    } owned[] = {{"--quantile", "quantile", !isnan(options->quantile)},
                 {"--factors", "vtf", options->factors != NULL},
                 {"--high-power", "vtf", !isnan(options->high_power)},
                 {"--high-variability", "vtf", !isnan(options->high_variability)}};
    bool all = options->explain || options->json;

    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i].said && !all && strcmp(options->policy, owned[i].policy) != 0)
            return rc_cmd_usage_text(invocation,
                                     "%s is for --policy %s (or --explain, which shows "
                                     "all policies)",
                                     owned[i].option, owned[i].policy);
    if (!isnan(options->quantile) && !(options->quantile > 0 && options->quantile < 1))
        return rc_cmd_usage_text(invocation, "--quantile: a probability between 0 and 1");
    if (!isnan(options->tuning_factor) && strcmp(options->policy, "optimal") != 0)
        return rc_cmd_usage_text(invocation, "--tuning-factor is in place of --policy");
    return RC_EXIT_OK;
}

/* ---- all of it ---- */

static int check_work(const struct rc_invocation *invocation,
                      const struct rc_cmd_split_options *options)
{
    if (!options->app)
        return rc_cmd_usage_text(invocation, "say which program: --app NAME");
    if (!options->hosts)
        return rc_cmd_usage_text(invocation, "say where it will run: --hosts HOSTS");
    if (!(options->size > 0))
        return rc_cmd_usage_text(invocation, "say which run: --size N, above 0");
    if (!options->units &&
        !(options->size >= 1 && options->size <= 9e15 && options->size == floor(options->size)))
        return rc_cmd_usage_text(invocation, "--size: not a whole number of units from 1 to 9e15; "
                                             "say them: --units U");
    if (!isnan(options->memory_per_unit) && !options->platform)
        return rc_cmd_usage_text(invocation, "--memory-per-unit wants the memory of the hosts: "
                                             "--platform FILE (or say --most HOSTS=UNITS)");
    if (options->idle_time.n > 1)
        return rc_cmd_usage_text(invocation, "--idle-time is said twice: it is one time, for all "
                                             "hosts together");
    return RC_EXIT_OK;
}

static int check_running(const struct rc_invocation *invocation,
                         const struct rc_cmd_split_options *options)
{
    if (options->running != (options->done.n > 0))
        return rc_cmd_usage_text(invocation, "--running and --done SHARE go together");
    if (options->current && !options->running)
        return rc_cmd_usage_text(invocation, "--current is the split of a run that is going on: "
                                             "say --running --done SHARE");
    return RC_EXIT_OK;
}

int rc_cmd_split_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_split_options *options)
{
    static int (*const checks[])(const struct rc_invocation *,
                                 const struct rc_cmd_split_options *) = {check_work, check_policy,
                                                                         check_limits,
                                                                         check_running};
    struct rc_error error;
    int status = RC_EXIT_OK;

    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == RC_EXIT_OK; i++)
        status = checks[i](invocation, options);
    if (status == RC_EXIT_OK && options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return status;
}
