// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - 'runcast fit': models of a program's time from its runs. */
#include "cmd/fit/fit.h"

#include <stdlib.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "cmd/core/prediction_notes.h"
#include "cmd/predict/predict.h"

struct fit_options {
    const char *app, *platform, *criterion, *db;
    struct rc_option_list params;
    bool parts, no_store, json;
};

static const struct fit_options defaults = {.criterion = "default"};

static const struct rc_option fit_option_table[] = {
    {RC_OPTION_OF(struct fit_options, TEXT, app), .name = "app", .argument = "NAME",
     .help = "the program that is meant"},
    {RC_OPTION_OF(struct fit_options, TEXT, platform), .name = "platform", .argument = "NAME|FILE",
     .help = "only runs on this platform (default: on any); where a file says how fast hosts are, "
             "runs are compared by that"},
    {RC_OPTION_OF(struct fit_options, CHOICE, criterion), .name = "criterion", .argument = "NAME",
     .choices = rc_cmd_criteria,
     .help = "how models are chosen: default, or paper (as Sanjay and Vadhiyar do)"},
    {RC_OPTION_OF(struct fit_options, LIST, params), .name = "param", .argument = "NAME",
     .help = "take this parameter of the runs into the model, and no other that is not named; as "
             "often as wanted (default: all that all runs have and that differ)"},
    {RC_OPTION_OF(struct fit_options, FLAG, parts), .name = "parts",
     .help = "a model for each phase and process that runs have times of, for 'runcast predict "
             "--parts'"},
    {RC_OPTION_OF(struct fit_options, FLAG, no_store), .name = "no-store",
     .help = "only show the models"},
    RC_OPTION_JSON(struct fit_options),
    RC_OPTION_DB(struct fit_options),
    RC_OPTIONS_END,
};

/* ---- one model ---- */

static int fit_model(const struct fit_options *options, struct rc_db *db,
                     const struct rc_regression_wanted *wanted, struct rc_answer_fit *answer,
                     struct rc_error *error)
{
    if (rc_predict_fit(db, wanted, rc_cmd_criterion(options->criterion), !options->no_store,
                       &answer->fitted, error))
        return rc_cmd_fail(error, "fitting models to runs of %s", options->app);
    rc_cmd_note_hosts_apart(&answer->fitted.hosts);
    if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_fit, answer));
    else if (rc_cmd_fit_show(answer) != 0 && rc_error_no_memory(error))
        return rc_cmd_fail(error, "showing models of %s", options->app);
    return RC_EXIT_OK;
}

/* ---- models of phases and processes ---- */

static int answer_parts(const struct fit_options *options, const struct rc_regression_parts *parts,
                        bool stored, struct rc_error *error)
{
    struct rc_answer_parts answer = {.app = options->app,
                                     .platform = options->platform,
                                     .criterion = options->criterion,
                                     .parts = calloc(parts->n_parts, sizeof *answer.parts),
                                     .left_out = parts->left_out,
                                     .stored = stored};
    int status = answer.parts ? 0 : -1;

    for (; status == 0 && answer.n_parts < parts->n_parts; answer.n_parts++) {
        const struct rc_regression_part *part = &parts->parts[answer.n_parts];
        const struct rc_regression_model *model = part->model;
        char *formula = rc_regression_formula(model, &model->members[0]);

        answer.parts[answer.n_parts] =
            (struct rc_answer_fit_part){part->phase,
                                        part->process,
                                        model->n_runs,
                                        model->n_members,
                                        rc_regression_errors_summary(model),
                                        formula};
        status = formula ? 0 : -1;
    }
    if (status)
        rc_error_no_memory(error);
    else if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_parts, &answer));
    else
        status = rc_cmd_fit_show_parts(&answer, error);
    for (size_t i = 0; i < answer.n_parts; i++)
        free(answer.parts[i].formula);
    free(answer.parts);
    return status;
}

static int fit_parts(const struct fit_options *options, struct rc_db *db,
                     const struct rc_regression_wanted *wanted,
                     const struct rc_predict_hosts *hosts, struct rc_error *error)
{
    struct rc_regression_parts *parts =
        rc_predict_parts_fit(db, wanted, rc_cmd_criterion(options->criterion), error);
    int64_t id = 0;
    int status = parts ? 0 : -1;

    if (status == 0 && !options->no_store)
        status =
            rc_predict_parts_keep(db, options->app, options->platform, parts, hosts, &id, error);
    if (status == 0)
        status = answer_parts(options, parts, id != 0, error);
    rc_regression_parts_destroy(parts);
    return status ? rc_cmd_fail(error, "fitting models to parts of runs of %s", options->app)
                  : RC_EXIT_OK;
}

/* ---- the command ---- */

static int fit_and_show(const struct fit_options *options, struct rc_db *db,
                        const struct rc_platform *file)
{
    struct rc_answer_fit answer = {.app = options->app,
                                   .platform = options->platform,
                                   .criterion = options->criterion};
    struct rc_predict_hosts *hosts = &answer.fitted.hosts;
    const struct rc_regression_wanted wanted = {
        .app = options->app,
        .platform = options->platform,
        .params = options->params.n ? options->params.items : NULL,
        .n_params = options->params.n,
        .process = -1,
        .speeds = &hosts->speeds,
    };
    struct rc_error error = {0};
    int status;

    if (rc_predict_fit_speeds(db, file, options->app, options->platform, &hosts->speeds, &error))
        status = rc_cmd_fail(&error, "looking up hosts of %s", options->app);
    else
        status = options->parts ? fit_parts(options, db, &wanted, hosts, &error)
                                : fit_model(options, db, &wanted, &answer, &error);
    rc_predict_fitted_free(&answer.fitted);
    return status;
}

static int run_fit(struct rc_invocation *invocation)
{
    struct fit_options options = *(const struct fit_options *)invocation->options;
    struct rc_platform *file = NULL;
    struct rc_error error = {0};
    struct rc_db *db;
    int status = RC_EXIT_FAILED;

    if (!options.app)
        return rc_cmd_usage_text(invocation, "--app must be given");
    if (options.platform && rc_cmd_is_platform_file(options.platform)) {
        file = rc_platform_load(options.platform, &error);
        if (!file)
            return rc_cmd_fail(&error, "fitting models to runs of %s", options.app);
        options.platform = file->name;
    }
    db = rc_cmd_open_db(options.db, options.no_store ? RC_DB_READ : RC_DB_WRITE, NULL);
    if (db)
        status = fit_and_show(&options, db, file);
    rc_db_close(db);
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
        "how tables of runs name these times, 'runcast import --help' tells.",
    .examples = "runcast fit --app cg # from all runs of cg\n"
                "runcast fit --app cg --platform intel --criterion paper\n"
                "runcast fit --app cg --parts # a model for each phase and process\n"
                "runcast fit --app cg --no-store --json",
    .options = fit_option_table,
    .options_size = sizeof(struct fit_options),
    .defaults = &defaults,
    .run = run_fit,
};
