// SPDX-License-Identifier: GPL-3.0-or-later
/* options.c - the options of 'runcast split', and whether they make sense together. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "cmd/split/split.h"
#include "report/plot.h"

static const char *const policies[] = {"optimal", "quantile", "mean",     "vtf",
                                       "95tf",    "last",     "forecast", NULL};
static const char *const waits[] = {"often", "once", NULL};

const struct rc_cmd_split_options rc_cmd_split_defaults = {.policy = "optimal",
                                                           .waits = "often",
                                                           .size = NAN,
                                                           .memory_per_unit = NAN,
                                                           .quantile = NAN,
                                                           .tuning_factor = NAN,
                                                           .high_power = NAN,
                                                           .high_variability = NAN,
                                                           .window = NAN,
                                                           .at = NAN,
                                                           .draws = 400,
                                                           .seed = 1,
                                                           .per_host = 1};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_split_options, member)

const struct rc_option rc_cmd_split_option_table[] = {
    {OPTION("app", TEXT, app), .argument = "NAME", .help = "the program"},
    {OPTION("size", QUANTITY, size), .argument = "N", .dimension = RC_COUNT,
     .help = "the problem size"},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "where it will run, in the order of its ranks, such as a[1-8]"},
    {OPTION("per-host", INTEGER, per_host), .argument = "K", .least = 1,
     .help = "processes on each host, with ranks that follow one another (default: 1)"},
    {OPTION("param", LIST, params), .argument = "NAME=NUMBER",
     .help = "a further parameter of the run, such as iterations=100 (may be given several times)"},
    {OPTION("policy", CHOICE, policy), .argument = "POLICY", .choices = policies,
     .help = "optimal (the default), quantile, mean, vtf, 95tf, last or forecast"},
    {OPTION("quantile", QUANTITY, quantile), .argument = "Q", .dimension = RC_FRACTION,
     .help = "for quantile: the time that the run ends within with this probability is made least "
             "(default: 0.9)"},
    {OPTION("waits", CHOICE, waits), .argument = "WHEN", .choices = waits,
     .help = "how often processes wait for one another: often (the default), in each of many "
             "iterations, or once, at the end"},
    {OPTION("units", INTEGER, units), .argument = "U", .least = 1,
     .help = "units of work that cannot be divided, such as rows (default: the problem size)"},
    /* a list, so that a second one is an error */
    {OPTION("idle-time", LIST, idle_time), .argument = "TIME",
     .help = "how long the run takes on these hosts when they are idle and each has the same work "
             "(default: what its structural model says, or its regression model)"},
    {OPTION("platform", FILE, platform), .argument = "FILE",
     .help = "the platform file with the speeds, the cores and the memory of the hosts"},
    {OPTION("speed", LIST, speed), .argument = "HOSTS=SPEED",
     .help = "the speed of hosts, in any unit that is the same for all (may be given several "
             "times; default: by the structural model, the platform, or runs on one host each)"},
    {OPTION("fixed", LIST, fixed), .argument = "[HOSTS=]TIME",
     .help = "what hosts take beside, such as for messages, however much work they have (may be "
             "given several times)"},
    {OPTION("most", LIST, most), .argument = "[HOSTS=]UNITS",
     .help = "the most units that hosts have room for (may be given several times)"},
    {OPTION("memory-per-unit", QUANTITY, memory_per_unit), .argument = "BYTES",
     .dimension = RC_BYTES,
     .help = "what a unit of work takes: no host of the platform file gets more than its memory "
             "holds"},
    {OPTION("tuning-factor", QUANTITY, tuning_factor), .argument = "X", .dimension = RC_COUNT,
     .help = "balance mean times plus X standard deviations (-10 to 10), in place of --policy; -2 "
             "is the optimistic split"},
    {OPTION("window", QUANTITY, window), .argument = "TIME", .dimension = RC_SECONDS,
     .help = "the past that means and standard deviations are taken over (default: 5min)"},
    {OPTION("high-power", QUANTITY, high_power), .argument = "SPEED", .dimension = RC_FLOPS,
     .help = "for vtf: hosts that are faster than this are powerful (default: faster than the "
             "mean)"},
    {OPTION("high-variability", QUANTITY, high_variability), .argument = "SD",
     .dimension = RC_FRACTION,
     .help = "for vtf: hosts vary if the standard deviation of their availability is above this "
             "(default: 0.07)"},
    {OPTION("factors", TEXT, factors), .argument = "LEAST,MIDDLE,MOST",
     .help = "for vtf: what hosts count that are neither powerful nor vary, are one of both, or "
             "both (default: 0,1,2)"},
    {OPTION("running", FLAG, running),
     .help = "the run is going on: divide the work that is left, from the load now"},
    {OPTION("done", LIST, done), .argument = "[HOST=]SHARE",
     .help = "with --running: the share of all work that is done, or that each host has done (may "
             "be given several times)"},
    {OPTION("current", TEXT, current), .argument = "F1,F2,...",
     .help = "with --running: the split that there is now, to tell what moving saves"},
    {OPTION("at", SINCE, at), .argument = "TIME",
     .help = "when it starts, or goes on; later samples are not looked at (default: now)"},
    {OPTION("draws", INTEGER, draws), .argument = "N", .least = 20,
     .help = "possible futures that splits are tried on (default: 400)"},
    {OPTION("seed", INTEGER, seed), .argument = "S", .least = 0,
     .help = "where the draws start (default: 1)"},
    {OPTION("explain", FLAG, explain),
     .help = "also tell what all policies would do, and why it comes out so"},
    RC_OPTION_PLOT(struct rc_cmd_split_options),
    RC_OPTION_JSON(struct rc_cmd_split_options),
    RC_OPTION_DB(struct rc_cmd_split_options),
    RC_OPTIONS_END,
};

/* ---- whether they make sense together ---- */

/* What must not be. */
struct fault {
    bool there;
    const char *text; /* NULL ends a list */
};

static int check_faults(const struct rc_invocation *invocation, const struct fault *faults)
{
    for (; faults->text; faults++)
        if (faults->there)
            return rc_cmd_usage_text(invocation, "%s", faults->text);
    return RC_EXIT_OK;
}

static int check_work(const struct rc_invocation *invocation,
                      const struct rc_cmd_split_options *options)
{
    double size = options->size;
    const struct fault faults[] = {
        {!options->app, "say which program: --app NAME"},
        {!options->hosts, "say where it will run: --hosts HOSTS"},
        {!(size > 0), "say which run: --size N, above 0"},
        {!options->units && !(size >= 1 && size <= 9e15 && size == floor(size)),
         "--size: not a whole number of units from 1 to 9e15; say them: --units U"},
        {!isnan(options->memory_per_unit) && !options->platform,
         "--memory-per-unit wants the memory of the hosts: --platform FILE (or say --most "
         "HOSTS=UNITS)"},
        {options->idle_time.n > 1,
         "--idle-time is said twice: it is one time, for all hosts together"},
        {false, NULL}};

    return check_faults(invocation, faults);
}

/* Options of a policy that is neither asked for nor shown would be for nothing. */
static int check_policy(const struct rc_invocation *invocation,
                        const struct rc_cmd_split_options *options)
{
    const struct {
        const char *option, *policy;
        bool given;
    } owned[] = {{"--quantile", "quantile", !isnan(options->quantile)},
                 {"--factors", "vtf", options->factors != NULL},
                 {"--high-power", "vtf", !isnan(options->high_power)},
                 {"--high-variability", "vtf", !isnan(options->high_variability)}};
    const struct fault faults[] = {
        {!isnan(options->quantile) && !(options->quantile > 0 && options->quantile < 1),
         "--quantile: a probability between 0 and 1"},
        {!isnan(options->tuning_factor) && strcmp(options->policy, "optimal") != 0,
         "--tuning-factor is in place of --policy"},
        {false, NULL}};
    bool all = options->explain || options->json;

    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i].given && !all && strcmp(options->policy, owned[i].policy) != 0)
            return rc_cmd_usage_text(invocation,
                                     "%s is for --policy %s (or --explain, which shows "
                                     "all policies)",
                                     owned[i].option, owned[i].policy);
    return check_faults(invocation, faults);
}

static int check_limits(const struct rc_invocation *invocation,
                        const struct rc_cmd_split_options *options)
{
    const struct {
        const char *option;
        double value, least, most; /* NAN: not given */
        const char *unit;
    } limits[] = {{"--window", options->window, 1e-3, 1e9, " seconds"},
                  {"--high-variability", options->high_variability, 0, 1, ""},
                  {"--high-power", options->high_power, 0, 1e30, ""},
                  {"--memory-per-unit", options->memory_per_unit, 1e-9, 1e30, " bytes"},
                  {"--tuning-factor", options->tuning_factor, -10, 10, ""}};

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        char least[RC_NUMBER_SIZE], most[RC_NUMBER_SIZE];

        if (isnan(limits[i].value) ||
            (limits[i].value >= limits[i].least && limits[i].value <= limits[i].most))
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

int rc_cmd_split_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_split_options *options)
{
    const struct fault running[] = {
        {options->running != (options->done.n > 0), "--running and --done SHARE go together"},
        {options->current && !options->running,
         "--current is the split of a run that is going on: say --running --done SHARE"},
        {false, NULL}};
    struct rc_error error;
    int status = check_work(invocation, options);

    if (status == RC_EXIT_OK)
        status = check_policy(invocation, options);
    if (status == RC_EXIT_OK)
        status = check_limits(invocation, options);
    if (status == RC_EXIT_OK)
        status = check_faults(invocation, running);
    if (status == RC_EXIT_OK && options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return status;
}
