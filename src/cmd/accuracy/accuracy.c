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
     .help = "prediction method: combined, regression, structural, scaling, skeleton or slowdown "
             "(default: combined if it has predictions, otherwise regression)"},
    {OPTION("training", INTEGER, training), .argument = "N", .least = 2,
     .help = "number of runs to train on first, in the replay (default: 60, or the first half of "
             "fewer than 120)"},
    RC_OPTION_PLOT(struct accuracy_options),
    RC_OPTION_JSON(struct accuracy_options),
    RC_OPTION_DB(struct accuracy_options),
    RC_OPTIONS_END,
};

/* ---- the plot ---- */

enum { COLUMNS = RC_REPLAY_MODELS + 1, START = 0, PREDICTED, LOW, HIGH, CAME, OUTCOMES };

/* The APE of each model in percent, and after them the number of the run; columns of n numbers. */
static void fill_replay(const struct rc_predict_replay *replay, double *errors)
{
    for (size_t i = 0; i < replay->n; i++) {
        for (int m = 0; m < RC_REPLAY_MODELS; m++)
            errors[(size_t)m * replay->n + i] =
                100 * rc_predict_replay_error(&replay->runs[i], (enum rc_replay_model)m);
        errors[RC_REPLAY_MODELS * replay->n + i] = (double)(i + 1);
    }
}

static void fill_history(const struct rc_history *history, double *outcomes)
{
    for (size_t i = 0; i < history->n; i++) {
        const struct rc_history_entry *entry = &history->entries[i];
        const double row[OUTCOMES] = {entry->start, entry->predicted, entry->lo90, entry->hi90,
                                      entry->came};

        for (size_t k = 0; k < OUTCOMES; k++)
            outcomes[k * history->n + i] = row[k];
    }
}

static int draw(const char *path, const struct rc_predict_accuracy *accuracy, const double *errors,
                const double *outcomes, const struct rc_monitor *monitor, struct rc_error *error)
{
    size_t n = accuracy->replay.n, m = accuracy->history.n, n_panels = 0;
    struct rc_plot_series replay[RC_REPLAY_MODELS];
    const struct rc_plot_series history[] = {
        {.name = "predicted, 90 % prediction interval",
         .style = RC_PLOT_POINTS,
         .x = outcomes + START * m,
         .y = outcomes + PREDICTED * m,
         .low = outcomes + LOW * m,
         .high = outcomes + HIGH * m,
         .n = m},
        {.name = "measured",
         .style = RC_PLOT_POINTS,
         .x = outcomes + START * m,
         .y = outcomes + CAME * m,
         .n = m},
    };
    struct rc_plot panels[2];

    for (size_t i = 0; i < RC_REPLAY_MODELS; i++)
        replay[i] = (struct rc_plot_series){.name = rc_answer_replay_titles[i],
                                            .style = RC_PLOT_LINE,
                                            .x = errors + RC_REPLAY_MODELS * n,
                                            .y = errors + i * n,
                                            .n = n};
    if (n > 0)
        panels[n_panels++] = (struct rc_plot){.x = {.label = "run after training"},
                                              .y = {.label = "absolute percentage error (%)"},
                                              .series = replay,
                                              .n_series = RC_REPLAY_MODELS};
    if (m > 0)
        panels[n_panels++] =
            (struct rc_plot){.x = {.label = "start of the run (UTC)", .scale = RC_PLOT_TIME},
                             .y = {.label = "run time (s)"},
                             .series = history,
                             .n_series = 2};
    panels[0].title = accuracy->app;
    return rc_plot_write(path, panels, n_panels, monitor, error);
}

static int plot(const char *path, const struct rc_predict_accuracy *accuracy,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    size_t n = COLUMNS * accuracy->replay.n;
    double *block = calloc(n + OUTCOMES * accuracy->history.n + 1, sizeof *block);
    int status;

    if (!block)
        return rc_error_no_memory(error);
    fill_replay(&accuracy->replay, block);
    fill_history(&accuracy->history, block + n);
    status = draw(path, accuracy, block, block + n, monitor, error);
    free(block);
    return status;
}

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
        (status = plot(options->plot, &accuracy, &work.monitor, &error)))
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
        "default is the model of 'runcast predict', with each run added after its prediction.",
    .examples = "  runcast accuracy --app md\n"
                "  runcast accuracy --app md --method regression --json\n"
                "  runcast accuracy --app md --plot errors.svg\n",
    .options = accuracy_options,
    .options_size = sizeof(struct accuracy_options),
    .defaults = &defaults,
    .answers = {rc_answer_accuracy},
    .run = run_accuracy,
};
