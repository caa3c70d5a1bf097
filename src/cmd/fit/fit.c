// SPDX-License-Identifier: GPL-3.0-or-later
/* fit.c - 'runcast fit': regression models of the runs of an app. */
#include "cmd/fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "cmd/core/curve_plot.h"
#include "cmd/core/prediction_notes.h"
#include "cmd/predict/predict.h"
#include "host/sense/cores.h"
#include "model/regression/formula.h"
#include "platform/hostlist.h"
#include "platform/platform.h"
#include "report/plot.h"

struct fit_options {
    const char *app, *platform, *platform_file, *criterion, *plot, *db;
    struct rc_option_list predictor;
    bool phases, no_store, json;
};

static const struct fit_options defaults = {.criterion = "default"};

static const struct rc_option fit_option_table[] = {
    {RC_OPTION_OF(struct fit_options, TEXT, app), .name = "app", .letter = 'a', .argument = "NAME",
     .help = "name of the app"},
    {RC_OPTION_OF(struct fit_options, TEXT, platform), .name = "platform", .argument = "NAME",
     .help = "name of the platform (default: runs on any platform)"},
    {RC_OPTION_OF(struct fit_options, FILE, platform_file), .name = "platform-file",
     .argument = "FILE", .help = "platform file, with the speeds of the hosts of the runs"},
    {RC_OPTION_OF(struct fit_options, CHOICE, criterion), .name = "criterion", .argument = "NAME",
     .choices = rc_cmd_criteria,
     .help = "criterion that selects regression models: default or paper (Sanjay and Vadhiyar)"},
    {RC_OPTION_OF(struct fit_options, LIST, predictor), .name = "predictor", .argument = "NAME",
     .help = "parameter to use as a predictor (may be repeated), in place of all that every run "
             "has and that vary"},
    {RC_OPTION_OF(struct fit_options, FLAG, phases), .name = "phases",
     .help = "model each phase and process separately, from runs with such times"},
    {RC_OPTION_OF(struct fit_options, FLAG, no_store), .name = "no-store",
     .help = "do not store the result in the database"},
    RC_OPTION_PLOT(struct fit_options),
    RC_OPTION_JSON(struct fit_options),
    RC_OPTION_DB(struct fit_options),
    RC_OPTIONS_END,
};

/* ---- one model ---- */

/* This host by the name that recorded runs have, and the cores that runs may use. */
static void find_machine(struct rc_predict_machine *machine, char name[RC_NAME_MAX])
{
    struct rc_sense_cores cores;

    if (gethostname(name, RC_NAME_MAX) || !rc_platform_hostlist_is_name(name))
        snprintf(name, RC_NAME_MAX, "localhost");
    machine->host = name;
    machine->cores = rc_sense_cores_allowed(&cores, NULL) ? INT64_MAX : (int64_t)cores.n;
}

/* The model over numbers of processes or sizes, on idle hosts. */
static int draw(const struct fit_options *options, struct rc_db *db,
                const struct rc_predict_fitted *fitted, struct rc_error *error)
{
    struct rc_predict_source source = {.model = fitted->model, .hosts = fitted->hosts};
    struct rc_param params[RC_REGRESSION_PARAMS_MAX];
    struct rc_predict_curve curve;
    struct rc_question question;
    const struct rc_cmd_curve_plot plot = {.path = options->plot,
                                           .question = &question,
                                           .curve = &curve,
                                           .other_load = rc_regression_knows_load(fitted->model),
                                           .limit = NAN};
    struct rc_cmd_work work;
    int status;

    rc_predict_question_init(&question, options->app);
    question.platform = options->platform;
    question.idle = true;
    rc_cmd_work_begin(&work, "drawing");
    status = rc_predict_curve_of_model(db, &source, &question, params, &curve, error);
    if (status == 0)
        status = rc_cmd_curve_plot(&plot, &work.monitor, error);
    rc_predict_curve_free(&curve);
    rc_cmd_work_end(&work);
    return status;
}

static int fit_model(const struct fit_options *options, struct rc_db *db,
                     const struct rc_platform *file, const struct rc_regression_wanted *wanted,
                     struct rc_answer_fit *answer, struct rc_error *error)
{
    struct rc_predict_machine machine = {.platform = file};
    char host[RC_NAME_MAX] = "";

    find_machine(&machine, host);
    if (rc_predict_fit(db, wanted, rc_cmd_criterion(options->criterion), &machine,
                       !options->no_store, &answer->fitted, error))
        return rc_cmd_fail(error, "fitting models to %s", options->app);
    rc_cmd_note_hosts_apart(&answer->fitted.hosts);
    if (options->json) {
        answer->notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_fit, answer));
        json_decref(answer->notes);
    } else if (rc_cmd_fit_show(answer) != 0 && rc_error_no_memory(error)) {
        return rc_cmd_fail(error, "showing models of %s", options->app);
    }
    if (options->plot && draw(options, db, &answer->fitted, error))
        return rc_cmd_fail(error, "drawing %s", options->plot);
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
                                     .stored = stored,
                                     .notes = rc_cmd_notes_json()};
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
    else if (options->json) {
        rc_cmd_set_schema("fit phases");
        rc_cmd_print_json(rc_field_json(rc_answer_parts, &answer));
    } else
        status = rc_cmd_fit_show_phases(&answer, error);
    for (size_t i = 0; i < answer.n_parts; i++)
        free(answer.parts[i].formula);
    free(answer.parts);
    json_decref(answer.notes);
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
    return status ? rc_cmd_fail(error, "fitting models to phases of %s", options->app) : RC_EXIT_OK;
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
        .params = options->predictor.n ? options->predictor.items : NULL,
        .n_params = options->predictor.n,
        .process = -1,
        .speeds = &hosts->speeds,
    };
    struct rc_error error = {0};
    int status;

    if (rc_predict_fit_speeds(db, file, options->app, options->platform, &hosts->speeds, &error))
        status = rc_cmd_fail(&error, "reading host speeds of %s", options->app);
    else
        status = options->phases ? fit_parts(options, db, &wanted, hosts, &error)
                                 : fit_model(options, db, file, &wanted, &answer, &error);
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
        return rc_cmd_usage_text(invocation, "use --app NAME");
    if (options.plot && options.phases)
        return rc_cmd_usage_text(invocation, "--plot is for one model; leave out --phases");
    if (options.plot && rc_plot_check(options.plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (options.platform && options.platform_file)
        return rc_cmd_usage_text(invocation, "use --platform or --platform-file, not both");
    if (options.platform_file) {
        file = rc_platform_load(options.platform_file, &error);
        if (!file)
            return rc_cmd_fail(&error, "fitting models to %s", options.app);
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
    .summary = "Fit regression models to runs",
    .details =
        "Finds formulas for the run time of an app from its runs in the database. Shows the best "
        "with their errors for held-out runs, and suggests runs to record next. Stores the models "
        "for 'runcast predict'. The times of interrupted "
        "runs are lower bounds; failed runs are ignored.\n\n"
        "A formula is a sum of computation, divided by CPU availability, and communication, "
        "divided by available bandwidth. By default, many formulas are weighted by their errors "
        "for held-out runs. With --criterion paper, they are selected and ranked as by Sanjay and "
        "Vadhiyar (2008).\n\n"
        "Good models need some 60 runs of different sizes and at different times: 20 on 1 process, "
        "20 on 2, and 10 each on 4 and 8. With fewer runs, prediction intervals are wider.\n\n"
        "--plot shows the scaling curve over the numbers of processes, or over the sizes if all "
        "runs "
        "have the same number: median, 90 % prediction interval, measured runs, ideal scaling and "
        "parallel efficiency, on idle hosts.\n\n"
        "With --phases, each phase and each process with times in the runs gets its own model. "
        "'runcast import --help' describes the columns for these times.",
    .examples = "  runcast fit --app cg # all runs of cg\n"
                "  runcast fit --app cg --platform intel --criterion paper\n"
                "  runcast fit --app cg --phases # a model for each phase and process\n"
                "  runcast fit --app cg --plot cg.svg\n"
                "  runcast fit --app cg --no-store --json\n",
    .options = fit_option_table,
    .options_size = sizeof(struct fit_options),
    .defaults = &defaults,
    .answers = {rc_answer_fit},
    .variants = {{"phases", rc_answer_parts}},
    .run = run_fit,
};
