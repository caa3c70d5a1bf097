// SPDX-License-Identifier: GPL-3.0-or-later
/* options.c - the options of 'runcast split', and checks of them. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "cmd/split/split.h"
#include "report/plot.h"

static const char *const policies[] = {"optimal", "quantile", "mean",     "vtf",
                                       "95tf",    "last",     "forecast", NULL};
static const char *const couplings[] = {"tight", "loose", NULL};

const struct rc_cmd_split_options rc_cmd_split_defaults = {.policy = "optimal",
                                                           .coupling = "tight",
                                                           .size = NAN,
                                                           .memory_per_unit = NAN,
                                                           .confidence = NAN,
                                                           .tuning_factor = NAN,
                                                           .high_power = NAN,
                                                           .high_variability = NAN,
                                                           .window = NAN,
                                                           .at = NAN,
                                                           .samples = 400,
                                                           .seed = 1,
                                                           .per_host = 1};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_split_options, member)

const struct rc_option rc_cmd_split_option_table[] = {
    {OPTION("app", TEXT, app), .letter = 'a', .argument = "NAME", .help = "name of the app"},
    {OPTION("size", QUANTITY, size), .letter = 's', .argument = "N", .dimension = RC_COUNT,
     .help = "problem size"},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4], in the order of the ranks"},
    {OPTION("per-host", INTEGER, per_host), .argument = "K", .least = 1,
     .help = "number of processes on each host, with consecutive ranks (default: 1)"},
    {OPTION("param", LIST, params), .argument = "NAME=VALUE",
     .help = "parameter of the run (may be repeated), such as iterations=100"},
    {OPTION("policy", CHOICE, policy), .argument = "POLICY", .choices = policies,
     .help = "policy that divides the work: optimal, quantile, mean, vtf, 95tf, last or forecast "
             "(default: optimal)"},
    {OPTION("confidence", QUANTITY, confidence), .argument = "P", .dimension = RC_FRACTION,
     .help = "probability of finishing in time, for --policy quantile, which minimizes that "
             "quantile of the run time (default: 0.9)"},
    {OPTION("coupling", CHOICE, coupling), .argument = "HOW", .choices = couplings,
     .help = "how often processes wait for one another: tight or loose (default: tight, in each "
             "iteration; loose: once, at the end)"},
    {OPTION("units", INTEGER, units), .argument = "U", .least = 1,
     .help = "number of indivisible units of work, such as rows (default: the problem size)"},
    /* a list, so that a second one is an error */
    {OPTION("dedicated", LIST, dedicated), .argument = "TIME",
     .help = "dedicated run time (on idle hosts), with equal work on each host (default: by the "
             "app's structural or regression model)"},
    {OPTION("platform-file", FILE, platform_file), .argument = "FILE",
     .help = "platform file, with speed, cores and memory of the hosts"},
    {OPTION("speed", LIST, speed), .argument = "[HOSTS=]SPEED",
     .help = "speed of hosts, in any unit (may be repeated; default: by the structural model, the "
             "platform file, or runs on one host each)"},
    {OPTION("fixed", LIST, fixed), .argument = "[HOSTS=]TIME",
     .help = "time of a host that does not depend on its share of the work, such as for messages "
             "(may be repeated)"},
    {OPTION("max-units", LIST, max_units), .argument = "[HOSTS=]UNITS",
     .help = "largest number of units that a host can take (may be repeated)"},
    {OPTION("memory-per-unit", QUANTITY, memory_per_unit), .argument = "BYTES",
     .dimension = RC_BYTES,
     .help = "memory of one unit of work; limits the units of a host to its memory in the platform "
             "file"},
    {OPTION("tuning-factor", QUANTITY, tuning_factor), .argument = "X", .dimension = RC_COUNT,
     .help = "balance mean times plus X standard deviations (-10 to 10), instead of --policy"},
    {OPTION("window", QUANTITY, window), .argument = "TIME", .dimension = RC_SECONDS,
     .help = "length of the recent past to use for means and standard deviations (default: 5min)"},
    {OPTION("high-power", QUANTITY, high_power), .argument = "SPEED", .dimension = RC_FLOPS,
     .help = "speed above which the policy vtf counts a host as powerful (default: the mean)"},
    {OPTION("high-variability", QUANTITY, high_variability), .argument = "SD",
     .dimension = RC_FRACTION,
     .help = "standard deviation above which the policy vtf counts a host as variable (default: "
             "0.07)"},
    {OPTION("factors", TEXT, factors), .argument = "LEAST,MIDDLE,MOST",
     .help = "weights of hosts for the policy vtf: neither powerful nor variable, one of both, "
             "both (default: 0,1,2)"},
    {OPTION("running", FLAG, running), .help = "the run is in progress: divide the remaining work"},
    {OPTION("done", LIST, done), .argument = "[HOST=]SHARE",
     .help = "share of the work already done, in all or by each host, with --running (may be "
             "repeated)"},
    {OPTION("current", TEXT, current), .argument = "F1,F2,...",
     .help = "current division of the work, with --running; shows what moving work saves"},
    {OPTION("at", SINCE, at), .argument = "TIME",
     .help = "predict for this time; ignore later samples (default: now)"},
    {OPTION("samples", INTEGER, samples), .argument = "N", .least = 20,
     .help = "number of Monte Carlo samples, each a load scenario (default: 400)"},
    {OPTION("seed", INTEGER, seed), .argument = "N", .least = 0,
     .help = "seed of the random numbers (default: 1)"},
    {OPTION("explain", FLAG, explain),
     .help = "show how the answer was computed, and the answers of all policies"},
    RC_OPTION_PLOT(struct rc_cmd_split_options),
    RC_OPTION_JSON(struct rc_cmd_split_options),
    RC_OPTION_DB(struct rc_cmd_split_options),
    RC_OPTIONS_END,
};

/* ---- options together ---- */

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
        {!options->app, "missing --app NAME"},
        {!options->hosts, "missing --hosts HOSTS"},
        {!(size > 0), "missing --size N, above 0"},
        {!options->units && !(size >= 1 && size <= 9e15 && size == floor(size)),
         "--size is not a whole number from 1 to 9e15; give the units with --units U"},
        {!isnan(options->memory_per_unit) && !options->platform_file,
         "--memory-per-unit needs the memory of the hosts from --platform-file FILE; or use "
         "--max-units HOSTS=UNITS"},
        {options->dedicated.n > 1,
         "--dedicated is given twice; it is one time, for all hosts together"},
        {false, NULL}};

    return check_faults(invocation, faults);
}

/* Options of a policy that is neither chosen nor shown have no effect. */
static int check_policy(const struct rc_invocation *invocation,
                        const struct rc_cmd_split_options *options)
{
    const struct {
        const char *option, *policy;
        bool given;
    } owned[] = {{"--confidence", "quantile", !isnan(options->confidence)},
                 {"--factors", "vtf", options->factors != NULL},
                 {"--high-power", "vtf", !isnan(options->high_power)},
                 {"--high-variability", "vtf", !isnan(options->high_variability)}};
    const struct fault faults[] = {
        {!isnan(options->confidence) && !(options->confidence > 0 && options->confidence < 1),
         "--confidence must be between 0 and 1"},
        {!isnan(options->tuning_factor) && strcmp(options->policy, "optimal") != 0,
         "--tuning-factor and --policy exclude one another"},
        {false, NULL}};
    bool all = options->explain || options->json;

    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i].given && !all && strcmp(options->policy, owned[i].policy) != 0)
            return rc_cmd_usage_text(invocation,
                                     "%s needs --policy %s, or --explain, which shows all "
                                     "policies",
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
    if (options->samples > RC_CMD_SPLIT_SAMPLES_MAX)
        return rc_cmd_usage_text(invocation, "--samples: at most %d", RC_CMD_SPLIT_SAMPLES_MAX);
    return RC_EXIT_OK;
}

int rc_cmd_split_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_split_options *options)
{
    const struct fault running[] = {
        {options->running != (options->done.n > 0), "--running and --done SHARE need one another"},
        {options->current && !options->running, "--current needs --running --done SHARE"},
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
