// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.c - 'runcast accuracy': how good predictions were, and how good they would have been. */
#include "cmd/accuracy/accuracy.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "report/plot.h"
#include "cmd/predict/predict.h"
#include "db/prediction.h"
#include "model/structural/registry.h"

struct accuracy_options {
    const char *db, *app, *platform, *criterion, *family, *plot;
    int64_t training;
    bool json;
};

static const struct accuracy_options defaults = {.criterion = "default"};

static const char *const families[] = {RC_COMBINED, "regression", "structure", "scaling",
                                       "skeleton",  "slowdown",   NULL};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct accuracy_options, member)

static const struct rc_option accuracy_options[] = {
    {OPTION("app", TEXT, app), .argument = "NAME", .help = "the program"},
    {OPTION("platform", TEXT, platform), .argument = "NAME",
     .help = "only runs and predictions on this platform"},
    {OPTION("criterion", CHOICE, criterion), .argument = "WHICH", .choices = rc_cmd_criteria,
     .help = "of which models the stored predictions are: default or paper"},
    {OPTION("family", CHOICE, family), .argument = "WHICH", .choices = families,
     .help = "of which family the predictions are: door (the joint answers, with all families "
             "below; the default where there are some), regression, structure, scaling, skeleton "
             "or slowdown"},
    {OPTION("training", INTEGER, training), .argument = "N", .least = 2,
     .help = "replay: the runs that models are trained on first (default: 60, or the first half of "
             "fewer than 120)"},
    RC_OPTION_PLOT(struct accuracy_options),
    RC_OPTION_JSON(struct accuracy_options),
    RC_OPTION_DB(struct accuracy_options),
    RC_OPTIONS_END,
};

/* ---- the plot ---- */

struct columns {
    double *block, *number, *errors[RC_REPLAY_WAYS]; /* of the replay */
    double *start, *predicted, *low, *high, *came;   /* of what was foretold */
};

static int fill(const struct rc_answer_accuracy *accuracy, struct columns *columns,
                struct rc_error *error)
{
    size_t n = accuracy->replay.n, m = accuracy->history.n;

    columns->block = calloc((RC_REPLAY_WAYS + 1) * n + 5 * m + 1, sizeof *columns->block);
    if (!columns->block)
        return rc_error_no_memory(error);
    columns->number = columns->block;
    for (int way = 0; way < RC_REPLAY_WAYS; way++)
        columns->errors[way] = columns->block + (size_t)(way + 1) * n;
    columns->start = columns->block + (RC_REPLAY_WAYS + 1) * n;
    columns->predicted = columns->start + m;
    columns->low = columns->predicted + m;
    columns->high = columns->low + m;
    columns->came = columns->high + m;
    for (size_t i = 0; i < n; i++) {
        const struct rc_replay_run *run = &accuracy->replay.runs[i];

        columns->number[i] = (double)(i + 1);
        for (int way = 0; way < RC_REPLAY_WAYS; way++)
            columns->errors[way][i] = rc_predict_replay_error(run, (enum rc_replay_way)way);
    }
    for (size_t i = 0; i < m; i++) {
        const struct rc_history_entry *entry = &accuracy->history.entries[i];

        columns->start[i] = entry->start;
        columns->predicted[i] = entry->predicted;
        columns->low[i] = entry->lo90;
        columns->high[i] = entry->hi90;
        columns->came[i] = entry->came;
    }
    return 0;
}

static int draw(const char *path, const struct rc_answer_accuracy *accuracy,
                const struct columns *c, const struct rc_monitor *monitor, struct rc_error *error)
{
    size_t n = accuracy->replay.n, m = accuracy->history.n;
    const struct rc_plot_series replay[] = {
        {.name = "single model",
         .style = RC_PLOT_LINE,
         .x = c->number,
         .y = c->errors[RC_REPLAY_SINGLE],
         .n = n},
        {.name = "adapting list",
         .style = RC_PLOT_LINE,
         .x = c->number,
         .y = c->errors[RC_REPLAY_LIST],
         .n = n},
        {.name = "default",
         .style = RC_PLOT_LINE,
         .x = c->number,
         .y = c->errors[RC_REPLAY_DEFAULT],
         .n = n},
    };
    const struct rc_plot_series history[] = {
        {.name = "predicted, with its 90 % interval",
         .style = RC_PLOT_POINTS,
         .x = c->start,
         .y = c->predicted,
         .low = c->low,
         .high = c->high,
         .n = m},
        {.name = "came", .style = RC_PLOT_POINTS, .x = c->start, .y = c->came, .n = m},
    };
    struct rc_plot panels[2];
    size_t n_panels = 0;

    if (n > 0)
        panels[n_panels++] = (struct rc_plot){.x = {.label = "run, after the training"},
                                              .y = {.label = "error in percent"},
                                              .series = replay,
                                              .n_series = 3};
    if (m > 0)
        panels[n_panels++] =
            (struct rc_plot){.x = {.label = "start of the run (UTC)", .scale = RC_PLOT_TIME},
                             .y = {.label = "seconds"},
                             .series = history,
                             .n_series = 2};
    panels[0].title = accuracy->app;
    return rc_plot_write(path, panels, n_panels, monitor, error);
}

static int plot(const char *path, const struct rc_answer_accuracy *accuracy,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    struct columns columns = {0};
    int status = fill(accuracy, &columns, error);

    if (status == 0)
        status = draw(path, accuracy, &columns, monitor, error);
    free(columns.block);
    return status;
}

/* ---- the command ---- */

/* What the predictions of a family are called in the store. */
static const char *stored(const char *family, const char *criterion)
{
    return strcmp(family, "regression") == 0
               ? rc_predict_source_stored_as(rc_cmd_criterion(criterion), false)
               : family;
}

static bool is(const struct rc_answer_accuracy *accuracy, const char *family)
{
    return strcmp(accuracy->method, family) == 0;
}

/* Loads the record of the family that is asked for; where none is, of the door or, where that has
 * made no prediction, of regression. */
static int load(const struct accuracy_options *options, struct rc_answer_accuracy *accuracy,
                struct rc_db *store, struct rc_error *error)
{
    bool open = !options->family && strcmp(options->criterion, "default") == 0;

    accuracy->method = options->family ? options->family : open ? RC_COMBINED : "regression";
    if (rc_predict_history_load(&accuracy->history, store, options->app, options->platform,
                                stored(accuracy->method, options->criterion), error))
        return -1;
    if (!open || accuracy->history.n + accuracy->history.waiting > 0)
        return 0;
    accuracy->method = "regression";
    return rc_predict_history_load(&accuracy->history, store, options->app, options->platform,
                                   stored(accuracy->method, options->criterion), error);
}

/* Below the door, the record of each family with the door's runs. */
static int load_families(const struct accuracy_options *options,
                         struct rc_answer_accuracy *accuracy, struct rc_db *store,
                         struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; status == 0 && is(accuracy, RC_COMBINED) && rc_cmd_families[i]; i++) {
        struct rc_answer_method_accuracy *one = &accuracy->methods[accuracy->n_methods];
        struct rc_history history;

        if (rc_predict_history_load(&history, store, options->app, options->platform,
                                    stored(rc_cmd_families[i], options->criterion), error))
            return -1;
        *one = (struct rc_answer_method_accuracy){.name = rc_cmd_families[i],
                                                  .waiting = history.waiting};
        status = rc_predict_history_common(&history, &accuracy->history, &one->report,
                                           &one->combined, error);
        one->alone = history.n - one->report.n;
        accuracy->n_methods += history.n + history.waiting > 0;
        rc_predict_history_free(&history);
    }
    return status;
}

/* What is fitted to runs can be replayed with them. */
static int replay(const struct accuracy_options *options, struct rc_answer_accuracy *accuracy,
                  struct rc_db *store, struct rc_cmd_work *work)
{
    if (is(accuracy, "regression") || is(accuracy, RC_COMBINED))
        return rc_predict_replay(&accuracy->replay, store, options->app, options->platform,
                                 (size_t)options->training, &work->monitor, &accuracy->no_replay);
    if (!is(accuracy, "structure"))
        return rc_error_set(&accuracy->no_replay,
                            accuracy->history.n > 0 ? "of %s, no run is replayed"
                                                    : "no prediction by %s has its run yet",
                            accuracy->method);
    if (accuracy->history.n > 0)
        return rc_error_set(&accuracy->no_replay, "structural models are not fitted to runs");
    rc_error_set(&accuracy->no_replay, "no prediction by a structural model has its run yet");
    return rc_error_hint(&accuracy->no_replay, "'runcast model accuracy' compares a model with the "
                                               "runs that there are");
}

/* How many predictions by structural models have their run, where regression is told of. */
static uint64_t count_structural(const struct accuracy_options *options,
                                 const struct rc_answer_accuracy *accuracy, struct rc_db *store)
{
    uint64_t count = 0, held;

    if (!is(accuracy, "regression") ||
        rc_db_prediction_held(store, options->app, options->platform, RC_STRUCTURAL_METHOD, &count,
                              &held, NULL))
        return 0;
    return count;
}

static int look(const struct accuracy_options *options, struct rc_answer_accuracy *accuracy,
                struct rc_cmd_work *work)
{
    struct rc_db *store = rc_cmd_open_db(options->db, RC_DB_READ, work);
    struct rc_error error;
    uint64_t structural = 0;
    int status;

    if (!store)
        return -1;
    status = rc_db_hold(store, &error);
    if (status == 0)
        status = load(options, accuracy, store, &error) ||
                         load_families(options, accuracy, store, &error)
                     ? -1
                     : 0;
    if (status == 0)
        structural = count_structural(options, accuracy, store);
    if (status == 0 && replay(options, accuracy, store, work) &&
        (accuracy->history.n == 0 || rc_cmd_interrupted())) {
        error = accuracy->no_replay;
        status = -1;
    }
    rc_db_release(store);
    rc_db_close(store);
    if (status && structural)
        rc_error_hint(&error,
                      "%" PRIu64 " prediction%s by structural models ha%s their run: see "
                      "--family structure",
                      structural, structural == 1 ? "" : "s", structural == 1 ? "s" : "ve");
    if (status)
        rc_cmd_fail(&error, "looking at predictions of %s", options->app);
    else if (structural)
        rc_cmd_note("this is about regression models; of %" PRIu64 " prediction%s by structural "
                    "models --family structure tells",
                    structural, structural == 1 ? "" : "s");
    return status;
}

static int run_accuracy(struct rc_invocation *invocation)
{
    const struct accuracy_options *options = invocation->options;
    struct rc_answer_accuracy accuracy = {.app = options->app, .platform = options->platform};
    struct rc_cmd_work work;
    struct rc_error error;
    int status;

    if (!options->app)
        return rc_cmd_usage_text(invocation, "say which program: --app NAME");
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
        rc_cmd_fail(&error, "looking at predictions of %s", options->app);
    rc_predict_history_free(&accuracy.history);
    rc_predict_replay_free(&accuracy.replay);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

const struct rc_command rc_command_accuracy = {
    .name = "accuracy",
    .summary = "Say how good predictions of a program were, and would have been",
    .details =
        "Compares what 'runcast predict' foretold with the runs that came: errors, and how often "
        "the 90 % intervals held, over time, and below that how each family of models did. A run "
        "belongs to the newest prediction of its app, size, processes, hosts and parameters that "
        "was made for a start in the day before it.\n\n"
        "Then the runs in the store are replayed in the order in which they came: models are "
        "trained on the first of them, and every later one is foretold, with the load that it "
        "met, before it is learnt. The single model stays as it was after the training; the "
        "adapting list is re-ranked after every run (both by the paper's criterion); the default "
        "one learns too.",
    .examples = "  runcast accuracy --app md\n"
                "  runcast accuracy --app md --plot errors.svg\n",
    .options = accuracy_options,
    .options_size = sizeof(struct accuracy_options),
    .defaults = &defaults,
    .run = run_accuracy,
};
