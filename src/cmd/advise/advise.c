// SPDX-License-Identifier: GPL-3.0-or-later
/* advise.c - 'runcast advise': where to run a program, on how many processes, and for how long to
 * ask. */
#include "cmd/advise/advise.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "report/plot.h"

static const char *const objectives[] = {"time", "price", "risk", NULL};

static const struct rc_cmd_advise_options defaults = {.objective = "time",
                                                      .size = NAN,
                                                      .deadline = NAN,
                                                      .confidence = NAN,
                                                      .risk = 0.01,
                                                      .memory = NAN,
                                                      .at = NAN,
                                                      .shortlist = RC_SEARCH_SHORTLIST,
                                                      .draws = RC_SEARCH_DRAWS,
                                                      .seed = 1};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_advise_options, member)

static const struct rc_option advise_options[] = {
    {OPTION("app", TEXT, app), .argument = "NAME", .help = "the program"},
    {OPTION("size", QUANTITY, size), .argument = "N", .dimension = RC_COUNT,
     .help = "the problem size"},
    {OPTION("param", LIST, params), .argument = "NAME=NUMBER",
     .help = "a further parameter of the run (may be given several times)"},
    {OPTION("platform", FILE, platform), .argument = "FILE",
     .help = "the platform file with the clusters, their hosts and prices"},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "the hosts of it that may be used, such as a[1-8] (default: all)"},
    {OPTION("procs", TEXT, procs), .argument = "P,..",
     .help = "numbers of processes to look at, such as 8, 4,8,16 or 8-16 (default: all that fit)"},
    {OPTION("memory", QUANTITY, memory), .argument = "BYTES", .dimension = RC_BYTES,
     .help = "what a process needs: no host gets more of them than its memory holds"},
    {OPTION("objective", CHOICE, objective), .argument = "WHAT", .choices = objectives,
     .help = "what is to be least: the expected time (the default), the expected price, or the "
             "risk to be late"},
    {OPTION("deadline", QUANTITY, deadline), .argument = "T", .dimension = RC_SECONDS,
     .help = "within which time the run must end, such as 2h"},
    {OPTION("confidence", QUANTITY, confidence), .argument = "P", .dimension = RC_FRACTION,
     .help = "the probability with which it must end by --deadline (default: 0.95)"},
    {OPTION("budget", TEXT, budget), .argument = "C",
     .help = "what the run may cost, as far as is to be expected, in the platform's currency: "
             "2.5, or 2.5EUR where prices are in EUR"},
    {OPTION("whole-hosts", FLAG, whole_hosts),
     .help = "pay for all cores of a host, also where some are idle"},
    {OPTION("walltime-risk", QUANTITY, risk), .argument = "R", .dimension = RC_FRACTION,
     .help = "the probability with which the wall time to ask a batch system for may be too short "
             "(default: 0.01)"},
    {OPTION("probe", TEXT, probe), .argument = "COMMAND",
     .help = "run a skeleton of the program on each set of the short list, and choose by that: a "
             "command with {skeleton}, {hosts}, or {slots} for a1:2,a2:2, and {procs} in it"},
    {OPTION("recording", FILE, recording), .argument = "DIR",
     .help = "with --probe: the recording that the skeleton is of"},
    {OPTION("skeleton", FILE, skeleton), .argument = "PROGRAM",
     .help = "with --probe: the skeleton, as 'runcast skeleton build' has made it"},
    {OPTION("shortlist", INTEGER, shortlist), .argument = "N", .least = 1,
     .help = "how many sets are looked at closely, and shown (default: 8)"},
    {OPTION("at", SINCE, at), .argument = "TIME",
     .help = "when it starts; later samples are not looked at (default: now)"},
    {OPTION("draws", INTEGER, draws), .argument = "N", .least = 20,
     .help = "possible futures that the short list is tried on (default: 1000)"},
    {OPTION("seed", INTEGER, seed), .argument = "S", .least = 0,
     .help = "where the draws start (default: 1)"},
    {OPTION("no-store", FLAG, no_store),
     .help = "do not keep what is predicted for the choice in the store"},
    RC_OPTION_PLOT(struct rc_cmd_advise_options),
    RC_OPTION_JSON(struct rc_cmd_advise_options),
    RC_OPTION_DB(struct rc_cmd_advise_options),
    RC_OPTIONS_END,
};

/* A database that only others may write to still answers. */
static void store(struct rc_cmd_advise *asked, struct rc_cmd_work *work)
{
    struct rc_db *db;
    struct rc_error error;
    char path[4096];
    int status;

    if (asked->options->no_store || asked->options->probe)
        return;
    db = rc_cmd_try_db(asked->options->db, RC_DB_WRITE, &work->monitor, path, sizeof path, &error);
    status = db ? rc_place_advice_store(&asked->advice, db, &error) : -1;
    rc_db_close(db);
    if (status)
        rc_cmd_note("what is predicted for the choice is not kept: %s", error.text);
}

static int open_advice(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error)
{
    int status = rc_place_advice_open(advice, db, error);
    const char *missing =
        advice->by_model || advice->by_trace
            ? rc_predict_unavailable(advice->predictor, RC_METHOD_REGRESSION)->text
            : NULL;

    if (missing)
        rc_cmd_note(advice->by_model ? "%s: all times are those of other models"
                                     : "%s: until the skeleton has run, sets of hosts are compared "
                                       "by the time of the recording",
                    missing);
    return status;
}

static int answer(struct rc_cmd_advise *asked, struct rc_cmd_work *work, struct rc_error *error)
{
    const struct rc_cmd_advise_options *options = asked->options;
    struct rc_db *db = rc_cmd_open_db(options->db, RC_DB_READ, work);
    int status;

    if (!db)
        return 1;
    status = open_advice(&asked->advice, db, error);
    if (status == 0)
        status = rc_place_advice_search(&asked->advice, error);
    if (status == 0 && options->probe)
        status = rc_cmd_advise_probe(asked, &work->monitor, error);
    if (status == 0)
        status = asked->advice.search.none
                     ? rc_cmd_advise_none(asked, error)
                     : rc_place_advice_time_limit(&asked->advice, db, options->risk, error);
    rc_db_close(db);
    return status;
}

static int advise(struct rc_cmd_advise *asked)
{
    const struct rc_cmd_advise_options *options = asked->options;
    struct rc_error error = {.text = ""};
    struct rc_cmd_work work;
    int status;

    rc_cmd_work_begin(&work, options->probe ? "running the skeleton" : "looking for a place");
    status = answer(asked, &work, &error);
    if (status == 0) {
        store(asked, &work);
        rc_cmd_advise_notes(asked);
        status = rc_cmd_advise_show(asked, &error);
    }
    if (status < 0 && asked->advice.search.none)
        rc_cmd_advise_note_places(asked);
    if (status < 0)
        rc_cmd_fail(&error, "looking for a place to run %s", options->app);
    if (status == 0 && options->plot && (status = rc_cmd_advise_plot(asked, &work.monitor, &error)))
        rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_cmd_work_end(&work);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int run_advise(struct rc_invocation *invocation)
{
    const struct rc_cmd_advise_options *options = invocation->options;
    struct rc_cmd_advise *asked = calloc(1, sizeof *asked);
    struct rc_error error = {.text = ""};
    int status = rc_cmd_advise_check(invocation, options);

    if (!asked) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "looking for a place to run");
    }
    if (status == RC_EXIT_OK) {
        asked->options = options;
        status = rc_cmd_advise_read(asked, &error);
        if (status == RC_EXIT_USAGE)
            rc_cmd_usage(invocation, &error);
        else if (status != RC_EXIT_OK)
            rc_cmd_fail(&error, "looking for a place to run %s", options->app);
        else
            status = advise(asked);
        rc_place_advice_free(&asked->advice);
        rc_platform_destroy(asked->platform);
    }
    free(asked);
    return status;
}

const struct rc_command rc_command_advise = {
    .name = "advise",
    .summary = "Say where to run a program, on how many processes, and for how long to ask",
    .details =
        "Looks at sets of hosts of each cluster and at numbers of processes, and follows the run "
        "along possible futures of the load of all hosts, which are drawn once and are the same "
        "for all sets. By the regression model of the program's runs in the database, many sets "
        "are compared "
        "quickly. The times of the short list are those that 'runcast predict' gives for the same "
        "question. Without runs, a structural model or one of small runs has all times.\n\n"
        "By default, the set with the least expected time is chosen; with --objective price, the "
        "cheapest; with --objective risk, the one that is least likely to miss the deadline or, "
        "where there is none, that has the least time that 95 % of the runs end within. By time "
        "and by price, only what meets the deadline with the confidence asked for is chosen.\n\n"
        "Hosts of which the store has no samples from the day before are left out; where that is "
        "all of them, they are taken to be idle. What is predicted for the choice is kept, so that "
        "'runcast accuracy' tells how good it was once the run is in the store.\n\n"
        "With --probe, the skeleton of a recording of the program runs on each set of the short "
        "list, one after the other, and what it takes there tells how long the program would.",
    .examples = "  runcast advise --app md --size 4000 --platform cluster.yaml\n"
                "  runcast advise --app md --size 4000 --platform cluster.yaml --deadline 2h \\\n"
                "      --objective price\n"
                "  runcast advise --app md --size 4000 --platform cluster.yaml --probe \\\n"
                "      'mpirun -np {procs} -host {hosts} {skeleton}' --recording md.trace \\\n"
                "      --skeleton ./md-skeleton\n",
    .options = advise_options,
    .options_size = sizeof(struct rc_cmd_advise_options),
    .defaults = &defaults,
    .run = run_advise,
};
