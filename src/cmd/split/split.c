// SPDX-License-Identifier: GPL-3.0-or-later
/* split.c - 'runcast split': how much of a program's work each host gets. */
#include "cmd/split/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cmd/core/commands.h"
#include "report/plot.h"

static const char *const policies[] = {"optimal", "quantile", "mean",     "vtf",
                                       "95tf",    "last",     "forecast", NULL};
static const char *const waits[] = {"often", "once", NULL};

static const struct rc_cmd_split_options defaults = {.policy = "optimal",
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

#define FIELD(member) .offset = offsetof(struct rc_cmd_split_options, member)

static const struct rc_option split_options[] = {
    {.name = "app", .kind = RC_OPTION_TEXT, .argument = "NAME", .help = "the program", FIELD(app)},
    {.name = "size",
     .kind = RC_OPTION_QUANTITY,
     .argument = "N",
     .dimension = RC_COUNT,
     .help = "the problem size",
     FIELD(size)},
    {.name = "hosts",
     .kind = RC_OPTION_TEXT,
     .argument = "HOSTS",
     .help = "where it will run, in the order of its ranks, such as a[1-8]",
     FIELD(hosts)},
    {.name = "per-host",
     .kind = RC_OPTION_INTEGER,
     .argument = "K",
     .least = 1,
     .help = "processes on each host, with ranks that follow one another (default: 1)",
     FIELD(per_host)},
    {.name = "param",
     .kind = RC_OPTION_LIST,
     .argument = "NAME=NUMBER",
     .help = "a further parameter of the run, such as iterations=100 (may be given several times)",
     FIELD(params)},
    {.name = "policy",
     .kind = RC_OPTION_CHOICE,
     .argument = "POLICY",
     .choices = policies,
     .help = "optimal (the default), quantile, mean, vtf, 95tf, last or forecast",
     FIELD(policy)},
    {.name = "quantile",
     .kind = RC_OPTION_QUANTITY,
     .argument = "Q",
     .dimension = RC_FRACTION,
     .help = "for quantile: the time that the run ends within with this probability is made least "
             "(default: 0.9)",
     FIELD(quantile)},
    {.name = "waits",
     .kind = RC_OPTION_CHOICE,
     .argument = "WHEN",
     .choices = waits,
     .help = "how often processes wait for one another: often (the default), in each of many "
             "iterations, or once, at the end",
     FIELD(waits)},
    {.name = "units",
     .kind = RC_OPTION_INTEGER,
     .argument = "U",
     .least = 1,
     .help = "units of work that cannot be divided, such as rows (default: the problem size)",
     FIELD(units)},
    {.name = "idle-time",
     .kind = RC_OPTION_LIST,
     .argument = "TIME", /* to see it said twice */
     .help = "how long the run takes on these hosts when they are idle and each has the same work "
             "(default: what its structural model says, or its regression model)",
     FIELD(idle_time)},
    {.name = "platform",
     .kind = RC_OPTION_FILE,
     .argument = "FILE",
     .help = "the platform file with the speeds, the cores and the memory of the hosts",
     FIELD(platform)},
    {.name = "speed",
     .kind = RC_OPTION_LIST,
     .argument = "HOSTS=SPEED",
     .help = "the speed of hosts, in any unit that is the same for all (may be given several "
             "times; default: by the structural model, the platform, or runs on one host each)",
     FIELD(speed)},
    {.name = "fixed",
     .kind = RC_OPTION_LIST,
     .argument = "[HOSTS=]TIME",
     .help = "what hosts take beside, such as for messages, however much work they have (may be "
             "given several times)",
     FIELD(fixed)},
    {.name = "most",
     .kind = RC_OPTION_LIST,
     .argument = "[HOSTS=]UNITS",
     .help = "the most units that hosts have room for (may be given several times)",
     FIELD(most)},
    {.name = "memory-per-unit",
     .kind = RC_OPTION_QUANTITY,
     .argument = "BYTES",
     .dimension = RC_BYTES,
     .help = "what a unit of work takes: no host of the platform file gets more than its memory "
             "holds",
     FIELD(memory_per_unit)},
    {.name = "tuning-factor",
     .kind = RC_OPTION_QUANTITY,
     .argument = "X",
     .dimension = RC_COUNT,
     .help = "balance mean times plus X standard deviations (-10 to 10), in place of --policy; -2 "
             "is the optimistic split",
     FIELD(tuning_factor)},
    {.name = "window",
     .kind = RC_OPTION_QUANTITY,
     .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "the past that means and standard deviations are taken over (default: 5min)",
     FIELD(window)},
    {.name = "high-power",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SPEED",
     .dimension = RC_FLOPS,
     .help = "for vtf: hosts that are faster than this are powerful (default: faster than the "
             "mean)",
     FIELD(high_power)},
    {.name = "high-variability",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SD",
     .dimension = RC_FRACTION,
     .help = "for vtf: hosts vary if the standard deviation of their availability is above this "
             "(default: 0.07)",
     FIELD(high_variability)},
    {.name = "factors",
     .kind = RC_OPTION_TEXT,
     .argument = "LEAST,MIDDLE,MOST",
     .help = "for vtf: what hosts count that are neither powerful nor vary, are one of both, or "
             "both (default: 0,1,2)",
     FIELD(factors)},
    {.name = "running",
     .kind = RC_OPTION_FLAG,
     .help = "the run is going on: divide the work that is left, from the load now",
     FIELD(running)},
    {.name = "done",
     .kind = RC_OPTION_LIST,
     .argument = "[HOST=]SHARE",
     .help = "with --running: the share of all work that is done, or that each host has done (may "
             "be given several times)",
     FIELD(done)},
    {.name = "current",
     .kind = RC_OPTION_TEXT,
     .argument = "F1,F2,...",
     .help = "with --running: the split that there is now, to tell what moving saves",
     FIELD(current)},
    {.name = "at",
     .kind = RC_OPTION_SINCE,
     .argument = "TIME",
     .help = "when it starts, or goes on; later samples are not looked at (default: now)",
     FIELD(at)},
    {.name = "draws",
     .kind = RC_OPTION_INTEGER,
     .argument = "N",
     .least = 20,
     .help = "possible futures that splits are tried on (default: 400)",
     FIELD(draws)},
    {.name = "seed",
     .kind = RC_OPTION_INTEGER,
     .argument = "S",
     .least = 0,
     .help = "where the draws start (default: 1)",
     FIELD(seed)},
    {.name = "explain",
     .kind = RC_OPTION_FLAG,
     .help = "also tell what all policies would do, and why it comes out so",
     FIELD(explain)},
    RC_OPTION_PLOT(struct rc_cmd_split_options),
    RC_OPTION_JSON(struct rc_cmd_split_options),
    RC_OPTION_DB(struct rc_cmd_split_options),
    RC_OPTIONS_END,
};

/* ---- the command ---- */

static enum rc_policy policy_of(const struct rc_cmd_split_options *options)
{
    int policy = 0;

    if (!isnan(options->tuning_factor))
        return RC_POLICY_TUNED;
    while (strcmp(rc_split_policy_name((enum rc_policy)policy), options->policy) != 0)
        policy++;
    return (enum rc_policy)policy;
}

static int answer(struct rc_cmd_split *asked, struct rc_cmd_work *work, struct rc_error *error)
{
    const struct rc_cmd_split_options *options = asked->options;
    char path[4096];
    struct rc_error why;
    struct rc_db *store =
        rc_cmd_try_db(options->db, RC_DB_READ, &work->monitor, path, sizeof path, &why);
    int status;

    if (!store && options->db)
        return rc_error_set(error, "%s", why.text);
    if (!store)
        rc_cmd_note("nothing is read from a store: %s", why.text);
    status = rc_cmd_split_prepare(asked, store, error);
    rc_db_close(store);
    if (status == 0)
        status = rc_split_make(&asked->question, &asked->split, &work->monitor, error);
    return status;
}

static int run_split(struct rc_invocation *invocation)
{
    const struct rc_cmd_split_options *options = invocation->options;
    struct rc_cmd_split asked = {.options = options};
    struct rc_clock *clock = rc_clock_system();
    struct rc_cmd_work work;
    struct rc_error error = {.text = ""};
    int status = rc_cmd_split_check(invocation, options);

    if (status != RC_EXIT_OK)
        return status;
    asked.policy = policy_of(options);
    asked.question.at = isnan(options->at) ? clock->wall(clock) : options->at;
    status = rc_cmd_split_read(&asked, &error);
    if (status != RC_EXIT_OK) {
        status = status == RC_EXIT_USAGE ? rc_cmd_usage(invocation, &error)
                                         : rc_cmd_fail(&error, "reading the platform");
        rc_cmd_split_free(&asked);
        return status;
    }
    rc_cmd_work_begin(&work, "dividing the work");
    status = answer(&asked, &work, &error);
    rc_cmd_work_end(&work);
    if (status == 0) {
        rc_cmd_split_notes(&asked);
        status = rc_cmd_split_show(&asked, &error);
    }
    if (status == 0 && options->plot)
        status = rc_cmd_split_plot(&asked, &work.monitor, &error);
    rc_cmd_split_free(&asked);
    return status ? rc_cmd_fail(&error, "dividing the work of %s", options->app) : RC_EXIT_OK;
}

const struct rc_command rc_command_split = {
    .name = "split",
    .summary = "Divide a program's work over hosts, under the load to come",
    .details =
        "Tells how much work each host gets, in the form that the option --split of the programs "
        "in apps/ takes.\n\n"
        "By default, the split is found that ends earliest on average over many possible futures "
        "of all hosts together, drawn from the series that the store has of their CPU; with "
        "--policy quantile, the one that ends within the least time nine times out of ten. The "
        "other policies balance times: with the mean availability over the last minutes (mean), "
        "with two standard deviations added to the mean times (95tf), with as many as the number "
        "of hosts that vary calls for (vtf), with the last availability (last), or with the mean "
        "that is foreseen (forecast).\n\n"
        "With --running, what is left of a run is divided anew: --done says how much of it is "
        "done, and --current how it is divided now, to tell what moving saves.\n\n"
        "The interval has in it what the model errs by that says how long the run takes; of "
        "--idle-time nothing is known, and the load alone counts.\n\n"
        "A host of which the store has no samples is taken to be idle.",
    .examples = "  runcast split --app sor --size 2000 --hosts a[1-4]\n"
                "  runcast split --app sor --size 2000 --hosts a[1-4] --idle-time 40s --explain\n"
                "  runcast split --app ga --size 500 --hosts a1,b1 --speed b1=2 --speed a1=1 \\\n"
                "      --waits once --policy vtf\n"
                "  runcast split --app sor --size 2000 --hosts a[1-4] --running --done 0.3 \\\n"
                "      --current 0.25,0.25,0.25,0.25\n",
    .options = split_options,
    .options_size = sizeof(struct rc_cmd_split_options),
    .defaults = &defaults,
    .run = run_split,
};
