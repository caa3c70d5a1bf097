// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.c - 'runcast accuracy': the accuracy of predictions, past and replayed. */
#include "cmd/accuracy/accuracy.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "report/plot.h"
#include "cmd/predict/predict.h"

struct accuracy_options {
    const char *db, *app, *platform, *criterion, *method, *plot;
    int64_t training;
    bool json;
};

static const struct accuracy_options defaults = {.criterion = "default"};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct accuracy_options, member)

static const struct rc_option accuracy_options[] = {
    {OPTION("app", TEXT, app), .letter = 'a', .argument = "NAME", .help = "name of the app"},
    {OPTION("platform", TEXT, platform), .argument = "NAME",
     .help = "name of the platform (default: runs and predictions on any)"},
    {OPTION("criterion", CHOICE, criterion), .argument = "NAME", .choices = rc_cmd_criteria,
     .help = "criterion that selects regression models: default or paper"},
    {OPTION("method", CHOICE, method), .argument = "METHOD", .choices = rc_cmd_predict_methods,
     .help = "prediction method: combined, regression, structural, scaling, skeleton, slowdown or "
             "history (default: combined if it has predictions, otherwise regression)"},
    {OPTION("training", INTEGER, training), .argument = "N", .least = 2,
     .help = "number of runs to train on first, in the replay (default: 60, or the first half of "
             "fewer than 120)"},
    RC_OPTION_PLOT(struct accuracy_options),
    RC_OPTION_JSON(struct accuracy_options),
    RC_OPTION_DB(struct accuracy_options),
    RC_OPTIONS_END,
};

/* ---- the command ---- */

/* Loads predictions and replays runs, and reports errors. */
static int look(const struct accuracy_options *options, struct rc_predict_accuracy *accuracy,
                struct rc_cmd_work *work)
{
    struct rc_db *db = rc_cmd_open_db(options->db, RC_DB_READ, work);
    const char *plural;
    struct rc_error error;
    int status;

    if (!db)
        return -1;
    status = rc_predict_accuracy_load(accuracy, db, options->app, options->platform,
                                      options->method, rc_cmd_criterion(options->criterion),
                                      (size_t)options->training, &work->monitor, &error);
    rc_db_close(db);
    if (accuracy->mismatch[0])
        rc_cmd_note("%s", accuracy->mismatch);
    plural = accuracy->structural == 1 ? "" : "s";
    if (status && accuracy->structural)
        rc_error_hint(&error,
                      "%" PRIu64 " prediction%s by structural models can be compared: use --method "
                      "structural",
                      accuracy->structural, plural);
    if (status)
        rc_cmd_fail(&error, "comparing predictions of %s with runs", options->app);
    else if (accuracy->structural)
        rc_cmd_note("regression models only; for %" PRIu64
                    " prediction%s by structural models, use "
                    "--method structural",
                    accuracy->structural, plural);
    return status;
}

static int run_accuracy(struct rc_invocation *invocation)
{
    const struct accuracy_options *options = invocation->options;
    struct rc_predict_accuracy accuracy = {0};
    struct rc_cmd_work work;
    struct rc_error error;
    int status;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "use --app NAME");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    rc_cmd_work_begin(&work, "replaying");
    status = look(options, &accuracy, &work);
    if (status == 0 && options->plot &&
        (status = rc_cmd_accuracy_draw(options->plot, &accuracy, &work.monitor, &error)))
        rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_cmd_work_end(&work);
    if (status == 0 && options->json)
        rc_cmd_accuracy_json(&accuracy);
    else if (status == 0 && (status = rc_cmd_accuracy_print(&accuracy, &error)))
        rc_cmd_fail(&error, "comparing predictions of %s with runs", options->app);
    rc_predict_accuracy_free(&accuracy);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

const struct rc_command rc_command_accuracy = {
    .name = "accuracy",
    .summary = "Compare predictions with runs",
    .details =
        "Compares predictions in the database with the runs that followed: the mean absolute "
        "percentage error (MAPE), and the coverage of the 90 % prediction intervals, over time and "
        "for each method. A run is compared with the newest prediction of its app, size, "
        "processes, hosts and parameters, made for a start in the day before it.\n\n"
        "Then runcast replays the runs in their order: it fits models to the first runs, and "
        "predicts each later run with the load during that run. The single model is fitted once. "
        "The adapting list is ranked again after each run (both by the paper's criterion). The "
        "default is the model of 'runcast predict', with each run added after its prediction.\n\n"
        "The plot shows predicted against measured run times, the calibration of the predicted "
        "quantiles, both run times over time, and the errors of the replay.",
    .examples = "  runcast accuracy --app md\n"
                "  runcast accuracy --app md --method regression --json\n"
                "  runcast accuracy --app md --plot accuracy.svg\n",
    .options = accuracy_options,
    .options_size = sizeof(struct accuracy_options),
    .defaults = &defaults,
    .answers = {rc_answer_accuracy},
    .run = run_accuracy,
};
