// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - 'runcast fit': models of a program's time from its runs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/core/commands.h"
#include "cmd/fit/fit.h"
#include "cmd/core/notes.h"
#include "cmd/predict/predict.h"
#include "predict/source.h"
#include "model/regression/errors.h"
#include "model/regression/next.h"

enum { SHOWN = 5 };

static const struct rc_cmd_fit_options defaults = {.criterion = "default"};

static const struct rc_option fit_option_table[] = {
    {.name = "app",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the program that is meant",
     .offset = offsetof(struct rc_cmd_fit_options, app)},
    {.name = "platform",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME|FILE",
     .help = "only runs on this platform (default: on any); where a file says how fast hosts are, "
             "runs are compared by that",
     .offset = offsetof(struct rc_cmd_fit_options, platform)},
    {.name = "criterion",
     .kind = RC_OPTION_CHOICE,
     .argument = "NAME",
     .choices = rc_cmd_criteria,
     .help = "how models are chosen: default, or paper (as Sanjay and Vadhiyar do)",
     .offset = offsetof(struct rc_cmd_fit_options, criterion)},
    {.name = "param",
     .kind = RC_OPTION_LIST,
     .argument = "NAME",
     .help = "take this parameter of the runs into the model, and no other that is not named; as "
             "often as wanted (default: all that all runs have and that differ)",
     .offset = offsetof(struct rc_cmd_fit_options, params)},
    {.name = "parts",
     .kind = RC_OPTION_FLAG,
     .help = "a model for each phase and process that runs have times of, for 'runcast predict "
             "--parts'",
     .offset = offsetof(struct rc_cmd_fit_options, parts)},
    {.name = "no-store",
     .kind = RC_OPTION_FLAG,
     .help = "only show the models",
     .offset = offsetof(struct rc_cmd_fit_options, no_store)},
    RC_OPTION_JSON(struct rc_cmd_fit_options),
    RC_OPTION_DB(struct rc_cmd_fit_options),
    RC_OPTIONS_END,
};

/* Of a model that lacks something. */
static const double error_large = 0.25;

/* What was fitted, and what is said of it. */
struct fitted {
    const struct rc_cmd_fit_options *options;
    struct rc_predict_hosts hosts;
    struct rc_regression_model *model;
    int64_t id; /* in the store; 0: not there */
    struct rc_regression_error_summary errors;
    struct rc_regression_suggestion suggestions[RC_REGRESSION_SUGGESTIONS_MAX];
    size_t n_suggestions;
    struct rc_regression_gaps gaps;
    char *partly; /* a parameter that only so many runs say, and that was left aside; or NULL */
    size_t n_partly;
    size_t n_silent; /* runs that do not say which CPU they had, where others do */
};

/* ---- for people ---- */

static void print_range(const char *what, struct rc_range range)
{
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE];

    rc_number_format_short(range.low, 6, low);
    rc_number_format_short(range.high, 6, high);
    if (range.low == range.high)
        printf(", %s %s", what, low);
    else
        printf(", %s %s to %s", what, low, high);
}

static void show_head(const struct fitted *fitted)
{
    const struct rc_regression_model *model = fitted->model;

    printf("%s", fitted->options->app);
    if (fitted->options->platform)
        printf(" on %s", fitted->options->platform);
    printf(": %" PRIu64 " runs", model->n_runs);
    print_range("n", model->n);
    print_range("p", model->p);
    for (size_t i = 0; i < model->n_params; i++)
        print_range(model->params[i], model->given[i]);
    puts("");
}

static int show_members(const struct rc_regression_model *model)
{
    size_t shown = model->n_members < SHOWN ? model->n_members : SHOWN;

    puts(model->criterion == RC_REGRESSION_PAPER ? "  std. error  load    seconds"
                                                 : "  weight   error  load    seconds");
    for (size_t i = 0; i < shown; i++) {
        const struct rc_regression_member *member = &model->members[i];
        char *formula = rc_regression_formula(model, member);

        if (!formula)
            return -1;
        if (model->criterion == RC_REGRESSION_PAPER)
            printf("  %8.3g s", member->error);
        else
            printf("  %4.0f %%  %4.1f %%", 100 * member->weight, 100 * member->error);
        printf("  %-6s  %s\n",
               rc_regression_knows_load(model) ? rc_regression_stat_name(member->stat) : "-",
               formula);
        free(formula);
    }
    if (shown < model->n_members)
        printf("  and %zu more\n", model->n_members - shown);
    return 0;
}

static void show_gaps(const struct rc_regression_gaps *gaps)
{
    if (gaps->size)
        puts("all runs are of one size: how the time grows with it is a guess");
    if (gaps->procs)
        puts("all runs are on one number of processes: how the time falls with more is a guess");
    else if (gaps->alone)
        puts("no run is on 1 process: what is computation and what is communication is told by "
             "their growth alone");
    if (gaps->cpu)
        puts("the CPU that the runs had does not differ, or is not known: that computation takes "
             "longer by as much as it is less is assumed");
    if (gaps->bw)
        puts("the bandwidth does not differ, or is not known: how communication depends on it is "
             "assumed");
}

static void show_suggestions(const struct fitted *fitted)
{
    if (fitted->n_suggestions == 0 && fitted->errors.n && fitted->errors.median > error_large) {
        puts("the models agree with one another, but not with the runs: the time depends on "
             "something that they do not say");
        return;
    }
    if (fitted->n_suggestions == 0) {
        puts("the models agree, also beyond these runs: more runs would tell little");
        return;
    }
    puts("to learn most, record next:");
    for (size_t i = 0; i < fitted->n_suggestions; i++) {
        const struct rc_regression_suggestion *next = &fitted->suggestions[i];
        char n[RC_NUMBER_SIZE], seconds[RC_UNIT_SIZE];

        rc_number_format_short(next->n, 6, n);
        rc_unit_format(next->seconds, RC_SECONDS, seconds);
        printf("  n = %s on p = %.0f (about %s; the models differ by %.0f %%)\n", n, next->p,
               seconds, 100 * next->unsure);
    }
}

static int show_text(const struct fitted *fitted)
{
    show_head(fitted);
    if (show_members(fitted->model) != 0)
        return -1;
    if (fitted->errors.n)
        printf(
            "runs that a model had not seen were off by %.1f %% (half of them by less), 9 of 10 by "
            "less than %.1f %%\n",
            100 * fitted->errors.median, 100 * fitted->errors.most);
    show_gaps(&fitted->gaps);
    if (fitted->partly)
        printf(
            "only %zu of the runs say '%s', so that it is left aside; --param %s leaves the other "
            "runs aside instead\n",
            fitted->n_partly, fitted->partly, fitted->partly);
    if (fitted->n_silent)
        printf(
            "%zu of the runs do not say which CPU they had, and are left out where models reckon "
            "with it\n",
            fitted->n_silent);
    show_suggestions(fitted);
    if (fitted->id)
        printf("stored; 'runcast predict --app %s%s%s' uses it\n", fitted->options->app,
               fitted->options->platform ? " --platform " : "",
               fitted->options->platform ? fitted->options->platform : "");
    return 0;
}

/* ---- for programs ---- */

static json_t *range_json(struct rc_range range)
{
    return json_pack("[o, o]", rc_json_number(range.low), rc_json_number(range.high));
}

static json_t *members_json(const struct rc_regression_model *model)
{
    json_t *array = json_array();

    for (size_t i = 0; i < model->n_members; i++) {
        const struct rc_regression_member *member = &model->members[i];
        char *formula = rc_regression_formula(model, member);
        json_t *object = json_object();

        rc_json_set(object, "formula", rc_json_text(formula ? formula : ""));
        rc_json_set(object, "weight", rc_json_number(member->weight));
        rc_json_set(object, "error", rc_json_number(member->error));
        rc_json_set(object, "load", rc_json_text(rc_regression_stat_name(member->stat)));
        json_array_append_new(array, object);
        free(formula);
    }
    return array;
}

static json_t *suggestions_json(const struct fitted *fitted)
{
    json_t *array = json_array();

    for (size_t i = 0; i < fitted->n_suggestions; i++) {
        const struct rc_regression_suggestion *next = &fitted->suggestions[i];

        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "n", rc_json_number(next->n),
                                               "p", rc_json_number(next->p), "seconds",
                                               rc_json_number(next->seconds), "unsure",
                                               rc_json_number(next->unsure)));
    }
    return array;
}

static json_t *gaps_json(const struct rc_regression_gaps *gaps)
{
    return json_pack("{s:b, s:b, s:b, s:b, s:b}", "size", gaps->size, "procs", gaps->procs, "cpu",
                     gaps->cpu, "bw", gaps->bw, "alone", gaps->alone);
}

static void show_json(const struct fitted *fitted)
{
    const struct rc_regression_model *model = fitted->model;
    json_t *object = json_object(), *params = json_object();

    for (size_t i = 0; i < model->n_params; i++)
        rc_json_set(params, model->params[i], range_json(model->given[i]));
    rc_json_set(object, "app", rc_json_text(fitted->options->app));
    if (fitted->options->platform)
        rc_json_set(object, "platform", rc_json_text(fitted->options->platform));
    rc_json_set(object, "criterion", rc_json_text(fitted->options->criterion));
    rc_json_set(object, "runs", json_integer((json_int_t)model->n_runs));
    rc_json_set(object, "n", range_json(model->n));
    rc_json_set(object, "p", range_json(model->p));
    rc_json_set(object, "params", params);
    if (fitted->partly)
        rc_json_set(object, "left_aside", rc_json_text(fitted->partly));
    rc_json_set(object, "without_cpu", json_integer((json_int_t)fitted->n_silent));
    rc_json_set(object, "members", members_json(model));
    rc_json_set(object, "held_out",
                json_pack("{s:o, s:o}", "median", rc_json_number(fitted->errors.median), "most",
                          rc_json_number(fitted->errors.most)));
    rc_json_set(object, "not_told", gaps_json(&fitted->gaps));
    rc_json_set(object, "next", suggestions_json(fitted));
    rc_json_set(object, "stored", json_boolean(fitted->id != 0));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

/* ---- doing it ---- */

void rc_cmd_fit_wanted(const struct rc_cmd_fit_options *options,
                       const struct rc_regression_speeds *speeds,
                       struct rc_regression_wanted *wanted)
{
    *wanted = (struct rc_regression_wanted){
        .app = options->app,
        .platform = options->platform,
        .params = options->params.n ? options->params.items : NULL,
        .n_params = options->params.n,
        .process = -1,
        .speeds = speeds,
    };
}

static size_t count_silent(const struct rc_regression_table *table)
{
    size_t n = 0;

    for (size_t i = 0; i < table->n_runs; i++)
        n += isnan(table->runs[i].cpu[RC_REGRESSION_MINAVG]);
    return n < table->n_runs ? n : 0;
}

static int fit_and_keep(struct fitted *fitted, struct rc_db *store, struct rc_error *error)
{
    const struct rc_cmd_fit_options *options = fitted->options;
    struct rc_regression_wanted wanted;
    struct rc_regression_table table = {0};
    int status;

    rc_cmd_fit_wanted(options, &fitted->hosts.speeds, &wanted);
    status = rc_regression_table_load(&table, store, &wanted, error);
    if (status == 0)
        status = rc_predict_have_runs(&table, options->app, options->platform, error);
    if (status == 0)
        fitted->model = rc_regression_fit(&table, rc_cmd_criterion(options->criterion), error);
    if (fitted->model)
        status = rc_regression_apart_find(&table, fitted->model, &fitted->hosts.apart, error);
    fitted->n_silent = count_silent(&table);
    fitted->partly = table.partly;
    fitted->n_partly = table.n_partly;
    table.partly = NULL;
    rc_regression_table_free(&table);
    if (!fitted->model || status)
        return -1;
    fitted->errors = rc_regression_errors_summary(fitted->model);
    fitted->n_suggestions = rc_regression_suggest(fitted->model, fitted->suggestions);
    fitted->gaps = rc_regression_gaps(fitted->model);
    if (options->no_store)
        return 0;
    return rc_predict_model_keep(store, options->app, options->platform, fitted->model,
                                 &fitted->hosts, &fitted->id, error);
}

/* How fast the hosts of the runs are: as the file says or, without one, as it was measured. */
static int find_speeds(struct fitted *fitted, struct rc_db *store, const struct rc_platform *file,
                       struct rc_error *error)
{
    const struct rc_cmd_fit_options *options = fitted->options;
    struct rc_regression_speeds *speeds = &fitted->hosts.speeds, kept;

    if (rc_predict_speeds(store, file, options->platform, speeds, error))
        return -1;
    if (!speeds->firm) { /* what was said with a file once holds until another one says more */
        if (rc_predict_speeds_kept(store, options->app, options->platform, &kept, error))
            return -1;
        if (kept.n > 0) {
            rc_regression_speeds_free(speeds);
            *speeds = kept;
        }
    }
    return rc_regression_speeds_refer(speeds, store, options->app, options->platform, error);
}

static int fit_and_show(struct fitted *fitted, struct rc_db *store, const struct rc_platform *file)
{
    const struct rc_cmd_fit_options *options = fitted->options;
    struct rc_error error = {0};

    if (find_speeds(fitted, store, file, &error))
        return rc_cmd_fail(&error, "looking up hosts of %s", options->app);
    if (options->parts)
        return rc_cmd_fit_parts(options, store, &fitted->hosts, &error)
                   ? rc_cmd_fail(&error, "fitting models to parts of runs of %s", options->app)
                   : RC_EXIT_OK;
    if (fit_and_keep(fitted, store, &error) != 0)
        return rc_cmd_fail(&error, "fitting models to runs of %s", options->app);
    rc_cmd_note_hosts_apart(&fitted->hosts);
    if (options->json)
        show_json(fitted);
    else if (show_text(fitted) != 0 && rc_error_no_memory(&error))
        return rc_cmd_fail(&error, "showing models of %s", options->app);
    return RC_EXIT_OK;
}

static int run_fit(struct rc_invocation *invocation)
{
    struct rc_cmd_fit_options options = *(const struct rc_cmd_fit_options *)invocation->options;
    struct fitted fitted = {.options = &options};
    struct rc_platform *file = NULL;
    struct rc_error error = {0};
    struct rc_db *store;
    int status = RC_EXIT_FAILED;

    if (!options.app)
        return rc_cmd_usage_text(invocation, "--app must be given");
    if (options.platform && rc_cmd_is_platform_file(options.platform)) {
        file = rc_platform_load(options.platform, &error);
        if (!file)
            return rc_cmd_fail(&error, "fitting models to runs of %s", options.app);
        options.platform = file->name;
    }
    store = rc_cmd_open_db(options.db, options.no_store ? RC_DB_READ : RC_DB_WRITE, NULL);
    if (store)
        status = fit_and_show(&fitted, store, file);
    rc_predict_hosts_free(&fitted.hosts);
    rc_regression_model_destroy(fitted.model);
    free(fitted.partly);
    rc_db_close(store);
    rc_platform_destroy(file);
    return status;
}

const struct rc_command rc_command_fit = {
    .name = "fit",
    .summary = "Learn from a program's runs how its time depends on size, processes and load",
    .details =
        "Finds formulas for the time of a program from its runs in the store, shows the best, with "
        "their errors on runs that were held out, and what to record next to learn most, and "
        "stores "
        "them for 'runcast predict'. Runs that failed or were interrupted are left out.\n\n"
        "A formula is a sum of computation, divided by the CPU that is available, and of "
        "communication, divided by the bandwidth. By default many are weighed by how well they "
        "foretell runs that they had not seen, and answer together; with --criterion paper they "
        "are "
        "chosen and ranked as Sanjay and Vadhiyar (2008) do.\n\n"
        "Some 20 runs on 1 process, 20 on 2 and 10 each on 4 and 8, of different sizes and at "
        "different times, are a good beginning; fewer do, with wider answers.\n\n"
        "With --parts, each phase and each process that runs have times of gets a model of its "
        "own; "
        "how tables of runs name these times, 'runcast runs import --help' tells.",
    .examples = "runcast fit --app cg # from all runs of cg\n"
                "runcast fit --app cg --platform intel --criterion paper\n"
                "runcast fit --app cg --parts # a model for each phase and process\n"
                "runcast fit --app cg --no-store --json",
    .options = fit_option_table,
    .options_size = sizeof(struct rc_cmd_fit_options),
    .defaults = &defaults,
    .run = run_fit,
};
