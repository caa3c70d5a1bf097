// SPDX-License-Identifier: GPL-3.0-or-later
/* import.c - 'runcast trace import': stores a traced run in the database, with the times of its
 * processes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/trace_fields.h"
#include "base/error.h"
#include "base/unit.h"
#include "cmd/trace/trace.h"
#include "run/traced_run.h"
#include "model/skeleton/shrink/phases.h"
#include "db/trace.h"
#include "mpi/trace/format.h"

enum { NAME_MAX_BYTES = 200 };

struct import_options {
    const char *app, *platform, *db;
    double size;
    struct rc_option_list params;
    bool json;
};

static const struct import_options import_defaults = {.size = NAN};

#define OPTION(kind_, member) RC_OPTION_OF(struct import_options, kind_, member), .name = #member
static const struct rc_option import_options[] = {
    {OPTION(QUANTITY, size), .letter = 's', .argument = "N", .dimension = RC_COUNT,
     .help = "problem size (required)"},
    {OPTION(TEXT, app), .letter = 'a', .argument = "NAME",
     .help = "name of the app (default: name of the program)"},
    {RC_OPTION_OF(struct import_options, LIST, params), .name = "param", .argument = "NAME=VALUE",
     .help = "parameter of the run (may be repeated)"},
    {OPTION(TEXT, platform), .argument = "NAME", .help = "name of the platform"},
    RC_OPTION_JSON(struct import_options),
    RC_OPTION_DB(struct import_options),
    RC_OPTIONS_END,
};

struct params {
    struct rc_param items[RC_OPTION_LIST_MAX];
    char names[RC_OPTION_LIST_MAX][NAME_MAX_BYTES];
};

static int read_params(const struct rc_option_list *list, struct params *params,
                       struct rc_error *error)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *text = list->items[i], *equals = strchr(text, '=');
        size_t length = equals ? (size_t)(equals - text) : 0;

        if (length == 0 || length >= NAME_MAX_BYTES)
            return rc_error_set(error, "--param: '%.60s' is not NAME=VALUE", text);
        if (rc_unit_parse(equals + 1, strlen(equals + 1), RC_COUNT, &params->items[i].value, error))
            return -1;
        memcpy(params->names[i], text, length);
        params->names[i][length] = '\0';
        params->items[i].name = params->names[i];
    }
    return 0;
}

static void report(const struct rc_run *run, bool json)
{
    char seconds[RC_UNIT_SIZE];

    if (json) {
        rc_cmd_print_json(rc_field_json(rc_answer_trace_imported, run));
        return;
    }
    rc_unit_format(run->seconds, RC_SECONDS, seconds);
    printf("run %lld stored: %s, %lld processes, run time %s, %zu process and phase times\n",
           (long long)run->id, run->app, (long long)run->p, seconds, run->n_times);
}

/* The phases of the program; none, with a note, if its loops are not found. */
static void find_phases(const struct rc_profile *profile, struct rc_phases *phases)
{
    struct rc_error error = {0};
    double *whole = calloc(profile->n_ranks, sizeof *whole);

    for (uint32_t i = 0; whole && i < profile->n_ranks; i++)
        whole[i] = profile->ranks[i].closing;
    if (whole ? rc_skeleton_phases_read(profile->set->directory, whole, phases, &error)
              : rc_error_no_memory(&error))
        rc_cmd_note("the run is stored without phase times: %s", error.text);
    free(whole);
}

/* Stores where the trace is, for its skeletons.  If that fails, the run remains. */
static void store_place(struct rc_db *db, const struct rc_profile *profile, int64_t id)
{
    char *path = realpath(profile->set->directory, NULL);
    struct rc_error error;

    if (!path || rc_db_trace_add(db, id, path, RC_TRACE_VERSION, profile->n_ranks,
                                 rc_trace_set_bytes(profile->set), &error))
        rc_cmd_note("the place of the trace was not stored: %s",
                    path ? error.text : strerror(errno));
    free(path);
}

static int store(const struct import_options *options, const struct rc_profile *profile,
                 const struct params *params, struct rc_error *error)
{
    char *hosts = rc_cmd_trace_hosts(profile->set);
    struct rc_traced traced = {.app = NULL};
    struct rc_db *db = NULL;
    char path[4096] = "";
    struct rc_traced_phase list[RC_PHASES_MAX];
    struct rc_phases phases = {0}; /* the run has their names */
    int status;

    if (profile->whole) /* else it is refused below */
        find_phases(profile, &phases);
    for (size_t i = 0; i < phases.n; i++)
        list[i] = (struct rc_traced_phase){phases.at[i].name, phases.at[i].seconds};
    status = rc_run_traced_fill(&traced, profile, hosts, list, phases.n, error);
    if (status == 0) {
        traced.run.n = options->size;
        traced.run.app = options->app ? options->app : traced.app;
        traced.run.platform = options->platform ? options->platform : "";
        traced.run.params = params->items;
        traced.run.n_params = options->params.n;
        db = rc_cmd_try_db(options->db, RC_DB_CREATE, NULL, path, sizeof path, error);
        status = db ? rc_run_traced_store(db, &traced.run, &traced.run.id, error) : -1;
    }
    if (status == 0) {
        store_place(db, profile, traced.run.id);
        report(&traced.run, options->json);
    }
    rc_db_close(db);
    rc_run_traced_free(&traced);
    rc_skeleton_phases_free(&phases);
    free(hosts);
    return status;
}

static int run_import(struct rc_invocation *invocation)
{
    const struct import_options *options = invocation->options;
    struct params *params = calloc(1, sizeof *params);
    struct rc_error error = {0};
    struct rc_cmd_trace trace;
    int status;

    if (isnan(options->size) || !(options->size > 0))
        status = rc_cmd_usage_text(invocation, "missing problem size; use --size N with N > 0");
    else if (!params)
        status = RC_EXIT_FAILED;
    else if (read_params(&options->params, params, &error) != 0)
        status = rc_cmd_usage(invocation, &error);
    else if (rc_cmd_trace_open(&trace, invocation) != 0)
        status = RC_EXIT_FAILED;
    else {
        status = store(options, trace.profile, params, &error) == 0
                     ? RC_EXIT_OK
                     : rc_cmd_fail(&error, "%s", invocation->path);
        rc_cmd_trace_close(&trace);
    }
    free(params);
    return status;
}

const struct rc_command rc_command_trace_import = {
    .name = "import",
    .summary = "Store a traced run in the database",
    .arguments = "DIR",
    .details =
        "Stores the run time of the program with the times of its processes and phases; 'runcast "
        "fit --phases' fits models to them. The time of a process ends where its final wait "
        "begins, "
        "since waiting for slower processes is not work. Phases are the outermost loops that take "
        "at least 5 % of the time (loop1, loop2 ...), and rest is the time between them. 'runcast "
        "predict --probe' finds the skeleton of a trace that is imported. A trace has no load; "
        "'runcast record' stores the load during a run.",
    .examples = "  runcast trace import heat.trace --size 4000\n"
                "  runcast trace import heat.trace --size 4000 --app heat --param iterations=500\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = import_options,
    .options_size = sizeof(struct import_options),
    .defaults = &import_defaults,
    .answers = {rc_answer_trace_imported},
    .run = run_import,
};
