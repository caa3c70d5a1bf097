// SPDX-License-Identifier: GPL-3.0-or-later
/* advise.c - 'runcast advise': recommends hosts, processes and a time limit. */
#include "cmd/advise/advise.h"

#include <math.h>
#include <stdlib.h>

#include "answer/advise_fields.h"
#include "base/error.h"
#include "cmd/core/commands.h"
#include "cmd/core/time_limit.h"
#include "report/plot.h"

static const char *const objectives[] = {"time", "cost", "risk", NULL};

static const struct rc_cmd_advise_options defaults = {.objective = "time",
                                                      .size = NAN,
                                                      .deadline = NAN,
                                                      .confidence = NAN,
                                                      .risk = RC_CMD_RISK,
                                                      .memory = NAN,
                                                      .at = NAN,
                                                      .shortlist = RC_SEARCH_SHORTLIST,
                                                      .samples = RC_SEARCH_SAMPLES,
                                                      .seed = 1};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_advise_options, member)

static const struct rc_option advise_options[] = {
    {OPTION("app", TEXT, app), .letter = 'a', .argument = "NAME", .help = "name of the app"},
    {OPTION("size", QUANTITY, size), .letter = 's', .argument = "N", .dimension = RC_COUNT,
     .help = "problem size"},
    {OPTION("param", LIST, params), .argument = "NAME=VALUE",
     .help = "parameter of the run (may be repeated)"},
    {OPTION("platform-file", FILE, platform_file), .argument = "FILE",
     .help = "platform file, with the clusters, their hosts and costs"},
    {OPTION("hosts", TEXT, hosts), .argument = "HOSTS",
     .help = "hosts, such as a1,b[1-4], to choose from (default: all of the platform)"},
    {OPTION("procs", TEXT, procs), .letter = 'p', .argument = "P,..",
     .help = "number of processes, or several: 8, 4,8,16 or 8..16 (default: all that fit)"},
    {OPTION("memory", QUANTITY, memory), .argument = "BYTES", .dimension = RC_BYTES,
     .help = "memory of one process, which limits the processes on each host"},
    {OPTION("objective", CHOICE, objective), .argument = "WHAT", .choices = objectives,
     .help = "quantity to minimize: time, cost or risk (default: time)"},
    {OPTION("deadline", QUANTITY, deadline), .argument = "TIME", .dimension = RC_SECONDS,
     .help = "time within which the run must finish, such as 2h"},
    {OPTION("confidence", QUANTITY, confidence), .argument = "P", .dimension = RC_FRACTION,
     .help = "probability of finishing in time, with --deadline (default: 0.95)"},
    {OPTION("budget", TEXT, budget), .argument = "COST",
     .help = "largest acceptable cost: 2.5, or 2.5EUR if the platform's currency is EUR"},
    {OPTION("whole-hosts", FLAG, whole_hosts), .help = "charge for all cores of a host"},
    RC_OPTION_RISK(struct rc_cmd_advise_options),
    {OPTION("probe", TEXT, probe), .argument = "COMMAND",
     .help = "command that runs the performance skeleton on each set of hosts of the shortlist; "
             "has {skeleton}, {hosts} (or {slots}, as a1:2,a2:2) and {procs}"},
    {OPTION("trace", FILE, trace), .argument = "DIR",
     .help = "trace of the program that --skeleton was built from"},
    {OPTION("skeleton", FILE, skeleton), .argument = "PROGRAM",
     .help = "performance skeleton that --probe runs"},
    {OPTION("shortlist", INTEGER, shortlist), .argument = "N", .least = 1,
     .help = "number of candidates to examine closely, and to show (default: 8)"},
    {OPTION("at", SINCE, at), .argument = "TIME",
     .help = "predict for this time; ignore later samples (default: now)"},
    {OPTION("samples", INTEGER, samples), .argument = "N", .least = 20,
     .help = "number of Monte Carlo samples (default: 1000)"},
    {OPTION("seed", INTEGER, seed), .argument = "N", .least = 0,
     .help = "seed of the random numbers (default: 1)"},
    {OPTION("no-store", FLAG, no_store), .help = "do not store the result in the database"},
    RC_OPTION_PLOT(struct rc_cmd_advise_options),
    RC_OPTION_JSON(struct rc_cmd_advise_options),
    RC_OPTION_DB(struct rc_cmd_advise_options),
    RC_OPTIONS_END,
};

/* A read-only database still answers. */
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
        rc_cmd_note("the prediction was not stored: %s", error.text);
}

static int open_advice(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error)
{
    int status = rc_place_advice_open(advice, db, error);
    const struct rc_error *missing =
        advice->by_model || advice->by_trace
            ? rc_predict_unavailable(advice->predictor, RC_METHOD_REGRESSION)
            : NULL;

    if (missing)
        rc_cmd_note(advice->by_model ? "%s: run times come from other methods"
                                     : "%s: until the skeleton has run, hosts are compared by the "
                                       "run time of the trace",
                    missing->text);
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
                     : rc_place_advice_time_limit(&asked->advice, options->risk, error);
    rc_db_close(db);
    return status;
}

static int advise(struct rc_cmd_advise *asked)
{
    const struct rc_cmd_advise_options *options = asked->options;
    struct rc_error error = {.text = ""};
    struct rc_cmd_work work;
    int status;

    rc_cmd_work_begin(&work, options->probe ? "running the skeleton" : "comparing hosts");
    status = answer(asked, &work, &error);
    if (status == 0) {
        store(asked, &work);
        rc_cmd_advise_notes(asked);
        status = rc_cmd_advise_show(asked, &error);
    }
    if (status < 0 && asked->advice.search.none)
        rc_cmd_advise_note_places(asked);
    if (status < 0)
        rc_cmd_fail(&error, "choosing hosts for %s", options->app);
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
        return rc_cmd_fail(&error, "choosing hosts");
    }
    if (status == RC_EXIT_OK) {
        asked->options = options;
        status = rc_cmd_advise_read(asked, &error);
        if (status == RC_EXIT_USAGE)
            rc_cmd_usage(invocation, &error);
        else if (status != RC_EXIT_OK)
            rc_cmd_fail(&error, "choosing hosts for %s", options->app);
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
    .summary = "Recommend hosts, number of processes and a time limit",
    .details =
        "Compares sets of hosts of each cluster and numbers of processes, all on the same "
        "scenarios of the forecast load. The regression model of the app's runs compares many "
        "candidates quickly. The shortlist has the predictions of 'runcast predict'. Without "
        "runs, a structural model or a scaling model predicts all times.\n\n"
        "The default objective is the least expected run time; --objective cost chooses the least "
        "expected cost. Both choose only candidates that meet --deadline and --budget. "
        "--objective risk chooses the candidate that most probably meets the deadline. Without a "
        "deadline, it chooses the least P95 of the run time.\n\n"
        "Hosts without CPU samples of the last day are left out. If no host has any, all are "
        "assumed idle. The prediction for the choice is stored, and 'runcast accuracy' compares "
        "it with the run later.\n\n"
        "With --probe, a performance skeleton of the app runs on each set of hosts of the "
        "shortlist, one after the other. Its run times predict those of the app.",
    .examples = "  runcast advise -a md -s 4000 --platform-file cluster.yaml\n"
                "  runcast advise -a md -s 4000 --platform-file cluster.yaml --deadline 2h \\\n"
                "      --objective cost\n"
                "  runcast advise -a md -s 4000 --platform-file cluster.yaml --probe \\\n"
                "      'mpirun -np {procs} -host {hosts} {skeleton}' --trace md.trace \\\n"
                "      --skeleton ./md-skeleton\n",
    .options = advise_options,
    .options_size = sizeof(struct rc_cmd_advise_options),
    .defaults = &defaults,
    .answers = {rc_answer_advise},
    .run = run_advise,
};
