// SPDX-License-Identifier: GPL-3.0-or-later
/* model_accuracy.c - 'runcast model accuracy': a model against the runs in the database. */
#include "cmd/model/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/core/hints.h"
#include "base/number.h"
#include "report/table.h"
#include "report/plot.h"
#include "predict/recalibrate.h"

static const struct rc_cmd_compare_options defaults = {.report = RC_REPORT_DEFAULT,
                                                       .choice = RC_MODEL_CHOICE_DEFAULT,
                                                       .within = 0.1,
                                                       .since = NAN,
                                                       .size = {-INFINITY, INFINITY},
                                                       .procs = {-INFINITY, INFINITY}};

static const struct rc_option accuracy_option_table[] = {
    {.name = "app",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the app whose runs are meant (default: the one that the model names)",
     .offset = offsetof(struct rc_cmd_compare_options, app)},
    {.name = "within",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SHARE",
     .dimension = RC_FRACTION,
     .help = "the error up to which the model counts as valid (default: 10%)",
     .offset = offsetof(struct rc_cmd_compare_options, within)},
    {.name = "hindsight",
     .kind = RC_OPTION_FLAG,
     .help = "take series during each run, rather than before it: what is then left is the "
             "model's error alone",
     .offset = offsetof(struct rc_cmd_compare_options, hindsight)},
    {.name = "learn",
     .kind = RC_OPTION_FLAG,
     .help = "correct each prediction by how those of runs that had ended before fared, where "
             "there are 10 or more",
     .offset = offsetof(struct rc_cmd_compare_options, learn)},
    {.name = "size",
     .kind = RC_OPTION_RANGE,
     .argument = "RANGE",
     .dimension = RC_COUNT,
     .help = "only runs of these sizes: 1000, 1000..4000, 1000.. or ..4000",
     .offset = offsetof(struct rc_cmd_compare_options, size)},
    {.name = "procs",
     .kind = RC_OPTION_RANGE,
     .argument = "RANGE",
     .dimension = RC_COUNT,
     .help = "only runs with so many processes",
     .offset = offsetof(struct rc_cmd_compare_options, procs)},
    {.name = "since",
     .kind = RC_OPTION_SINCE,
     .argument = "TIME",
     .help = "only runs that started then or later: 2026-11-15, 7d",
     .offset = offsetof(struct rc_cmd_compare_options, since)},
    RC_MODEL_OPTIONS(struct rc_cmd_compare_options, choice),
    RC_REPORT_OPTIONS(struct rc_cmd_compare_options, report),
    RC_OPTION_PLOT(struct rc_cmd_compare_options),
    RC_OPTION_JSON(struct rc_cmd_compare_options),
    {.name = "db",
     .kind = RC_OPTION_FILE,
     .argument = "FILE",
     .help = "the store with the runs (default: $RUNCAST_DB, then "
             "$XDG_DATA_HOME/runcast/runcast.db, then ~/.local/share/runcast/runcast.db)",
     .offset = offsetof(struct rc_cmd_compare_options, choice.db)},
    RC_OPTIONS_END,
};

double rc_cmd_learnt_factor(const struct rc_cmd_learnt *learnt)
{
    return learnt->n ? exp(learnt->sum / (double)learnt->n) : (double)NAN;
}

/* ---- for people ---- */

static void cell_percent(struct rc_table *table, double share)
{
    char text[40];

    snprintf(text, sizeof text, "%.1f %%", 100 * share);
    rc_table_text(table, text);
}

static void cell_seconds(struct rc_table *table, double seconds)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(seconds, 4, number);
    rc_table_text(table, number);
}

static int show_sizes(const struct rc_accuracy *accuracy)
{
    static const struct rc_column heads[] = {
        {.title = "size", .right = true},   {.title = "runs", .right = true},
        {.title = "actual", .right = true}, {.title = "modelled", .right = true},
        {.title = "error", .right = true},  {.title = "bias", .right = true},
        {.title = "inside", .right = true}, {.title = "valid"}};
    struct rc_table *table = rc_table_create(stdout, heads, 8, rc_cmd_width());
    char text[60];

    if (!table)
        return -1;
    for (size_t i = 0; i < accuracy->n_sizes; i++) {
        const struct rc_accuracy_size *size = &accuracy->sizes[i];

        rc_table_number(table, size->size);
        rc_table_integer(table, (long long)size->runs);
        cell_seconds(table, size->actual);
        cell_seconds(table, size->predicted);
        cell_percent(table, size->error);
        cell_percent(table, size->bias);
        snprintf(text, sizeof text, "%zu of %zu", size->covered, size->runs);
        rc_table_text(table, accuracy->has_spread ? text : "-");
        rc_table_text(table, size->valid ? "yes" : "no");
    }
    return rc_table_finish(table);
}

/* What the runs of one size may differ in besides. */
static void show_merged(const struct rc_accuracy *accuracy)
{
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE];
    size_t shown = 0;

    for (size_t i = 0; i < accuracy->n_params; i++) {
        const struct rc_accuracy_param *param = &accuracy->params[i];

        if (param->least == param->most)
            continue;
        rc_number_format_short(param->least, 6, low);
        rc_number_format_short(param->most, 6, high);
        printf("%s%s of %s to %s", shown++ ? ", " : "\nlines are over runs with ", param->name, low,
               high);
    }
    if (shown)
        printf("\n");
}

/* "400 to 1600, 6400" */
static void show_valid(const struct rc_accuracy *accuracy, double within)
{
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE];
    size_t shown = 0;

    for (size_t first = 0, end; first < accuracy->n_sizes; first = end) {
        end = first + 1;
        if (!accuracy->sizes[first].valid)
            continue;
        while (end < accuracy->n_sizes && accuracy->sizes[end].valid)
            end++;
        rc_number_format_short(accuracy->sizes[first].size, 6, low);
        rc_number_format_short(accuracy->sizes[end - 1].size, 6, high);
        printf("%s%s%s%s", shown++ ? ", " : "valid for sizes ", low, end > first + 1 ? " to " : "",
               end > first + 1 ? high : "");
    }
    if (shown == 0)
        printf("valid for none of the sizes");
    printf(" (errors of at most %.3g %%)\n", 100 * within);
}

static void show_look_first(const struct rc_accuracy *accuracy)
{
    const struct rc_accuracy_task *task;

    if (accuracy->n_blind == accuracy->n_runs) {
        printf("which task to look at first cannot be told: of no run the load is known\n");
        return;
    }
    if (accuracy->look_first < 0) {
        printf("no single task explains the errors\n");
        return;
    }
    task = &accuracy->tasks[accuracy->look_first];
    if (task->measured > 0)
        printf("look first at %s: it was measured to take %.3g times what the model says\n",
               task->name, task->measured);
    else
        printf("look first at %s: taken times %.3g it would leave an error of %.3g %% (root of "
               "the mean square; now %.3g %%)\n",
               task->name, task->factor, 100 * task->remaining, 100 * accuracy->root);
}

static int show_text(const struct rc_cmd_compare_options *options, const struct rc_model *model,
                     const char *app, const struct rc_accuracy *accuracy,
                     const struct rc_cmd_learnt *learnt)
{
    printf("%s against %zu run%s of %s\n\n", model->name, accuracy->n_runs,
           accuracy->n_runs == 1 ? "" : "s", app);
    if (show_sizes(accuracy))
        return -1;
    show_merged(accuracy);
    printf("\nerror %.3g %% on average, %.3g %% at worst\n", 100 * accuracy->error,
           100 * accuracy->worst);
    if (accuracy->has_spread)
        printf("%zu of %zu runs inside the interval of %.3g %%\n", accuracy->covered,
               accuracy->n_runs, 100 * options->report.level);
    show_valid(accuracy, options->within);
    if (accuracy->pairs)
        printf("%zu of %zu pairs of %s ranked as they ran\n", accuracy->ranked, accuracy->pairs,
               accuracy->over_sizes ? "sizes" : "choices of hosts");
    show_look_first(accuracy);
    if (options->learn)
        printf("learnt: %zu of %zu predictions were corrected by how those before them fared%s",
               learnt->n, accuracy->n_runs, learnt->n ? "" : "\n");
    if (options->learn && learnt->n)
        printf(", times %.3g on average\n", rc_cmd_learnt_factor(learnt));
    return 0;
}

/* ---- the verb ---- */

static void note_inputs(const struct rc_accuracy *accuracy)
{
    if (accuracy->n_assumed)
        rc_cmd_note("for %zu of %zu runs the store has no series for %s, or another input: what "
                    "the model says otherwise counts",
                    accuracy->n_assumed, accuracy->n_runs, accuracy->assumed);
    for (size_t i = 0; i < accuracy->n_notes; i++)
        rc_cmd_note("for %zu of %zu runs, such as the first: %s", accuracy->notes[i].runs,
                    accuracy->n_runs, accuracy->notes[i].text);
}

static int show(const struct rc_cmd_compare_options *options, const struct rc_cmd_model_work *work,
                const char *app, const struct rc_accuracy *accuracy,
                const struct rc_cmd_learnt *learnt)
{
    struct rc_error error = {.text = ""};
    char title[200], hint[RC_HINT_SIZE];

    if (accuracy->n_skipped) {
        bool helps = rc_cmd_hint(&accuracy->skipped, hint);

        rc_cmd_note("%zu run%s left out that the model cannot tell: %.300s%s%.150s",
                    accuracy->n_skipped, accuracy->n_skipped == 1 ? "" : "s",
                    accuracy->skipped.text, helps ? "; " : "", hint);
    }
    note_inputs(accuracy);
    if (accuracy->n_runs == 0) {
        rc_error_set(&error,
                     accuracy->n_skipped ? "the model can tell none of the runs of '%s'"
                                         : "there is no run of '%s' to compare with",
                     app);
        if (accuracy->n_skipped == 0)
            rc_error_hint(&error, "'runcast runs list' shows the runs; choose an app with --app, "
                                  "and look at --size, --procs and --since");
        return rc_cmd_fail(&error, "%s", work->doing);
    }
    if (options->json) {
        rc_cmd_model_accuracy_json(options, work->model, app, accuracy, learnt);
    } else if (show_text(options, work->model, app, accuracy, learnt)) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "%s", work->doing);
    }
    snprintf(title, sizeof title, "%.80s against runs of %.80s", work->model->name, app);
    if (options->plot && rc_cmd_accuracy_plot(options->plot, title, accuracy, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

/* Each prediction as it would have been, had those before it been learnt from. */
static int revise_by_past(void *data, struct rc_accuracy_run *runs, size_t n,
                          struct rc_error *error)
{
    struct rc_cmd_learnt *learnt = data;
    struct rc_past_run *past = calloc(n + 1, sizeof *past);
    int status;

    if (!past)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        past[i] =
            (struct rc_past_run){runs[i].start,
                                 {runs[i].predicted, runs[i].low, runs[i].high, runs[i].actual}};
    status = rc_predict_recalibrate_in_turn(past, n, learnt->level, error);
    for (size_t i = 0; i < n && status == 0; i++) {
        double factor = past[i].prediction.predicted / runs[i].predicted;

        if (factor != 1 || past[i].prediction.low != runs[i].low ||
            past[i].prediction.high != runs[i].high) {
            learnt->sum += log(factor);
            learnt->n++;
        }
        runs[i].predicted = past[i].prediction.predicted;
        runs[i].low = past[i].prediction.low;
        runs[i].high = past[i].prediction.high;
    }
    free(past);
    return status;
}

static int compare(const struct rc_cmd_compare_options *options, struct rc_cmd_model_work *work,
                   struct rc_db *db, struct rc_cmd_work *progress)
{
    const char *app = options->app ? options->app : work->model->app;
    struct rc_accuracy_options wanted = {.setting = work->setting,
                                         .as = rc_cmd_report_kind(&options->report),
                                         .level = options->report.level,
                                         .within = options->within,
                                         .hindsight = options->hindsight};
    struct rc_error error = {.text = ""};
    struct rc_accuracy accuracy = {.look_first = -1};
    struct rc_cmd_learnt learnt = {.level = options->report.level};
    struct rc_value_rules rules;
    struct rc_run_filter filter;
    int failed;

    rc_db_run_filter_init(&filter);
    filter.app = app;
    filter.size = options->size;
    filter.procs = options->procs;
    filter.since = options->since;
    filter.status = RC_RUN_OK;
    wanted.setting.db = db;
    wanted.rules = &rules;
    if (options->learn) {
        wanted.revise = revise_by_past;
        wanted.revise_data = &learnt;
    }
    failed = rc_cmd_report_rules_begin(&options->report, &rules, &error) ||
             rc_structural_accuracy_find(work->model, db, &filter, &wanted, &progress->monitor,
                                         &accuracy, &error);
    rc_cmd_work_end(progress);
    for (size_t i = 0; i < accuracy.n_notes; i++)
        rc_cmd_model_note_advice(accuracy.notes[i].kind, accuracy.notes[i].text);
    failed =
        failed ? rc_cmd_model_fail(work, &error) : show(options, work, app, &accuracy, &learnt);
    rc_structural_accuracy_free(&accuracy);
    rc_cmd_report_rules_end(&rules);
    return failed;
}

static int run_accuracy(struct rc_invocation *invocation)
{
    const struct rc_cmd_compare_options *options = invocation->options;
    struct rc_error error = {.text = ""};
    struct rc_cmd_work progress;
    struct rc_cmd_model_work work;
    struct rc_db *db;
    int status = rc_cmd_report_check(invocation, &options->report);

    if (status != RC_EXIT_OK)
        return status;
    if (!(options->within > 0))
        return rc_cmd_usage_text(invocation, "--within: a share of more than 0");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    status =
        rc_cmd_model_begin(&work, "comparing", invocation->arguments[0], &options->choice.with);
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_ask(&work, invocation, &options->choice, false);
    if (status == RC_EXIT_OK) {
        rc_cmd_work_begin(&progress, "comparing");
        db = rc_cmd_open_db(options->choice.db, RC_DB_READ, &progress);
        if (db)
            status = compare(options, &work, db, &progress);
        else
            rc_cmd_work_end(&progress);
        status = db ? status : RC_EXIT_FAILED;
        rc_db_close(db);
    }
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_accuracy = {
    .name = "accuracy",
    .summary = "Compare a model with the runs in the store",
    .arguments = "FILE.rcm",
    .details =
        "For each run the model is evaluated with the run's size, processes, hosts and platform, "
        "with inputs that have the name of one of its parameters, and with series as they were "
        "before it started. Shown are the error for each size, the sizes where it is small, how "
        "often choices of hosts are ranked as they ran, and which task to look at first: the one "
        "that explains the errors best if it takes longer or shorter by one factor, or that was "
        "measured (as a phase of that name) to differ.\n\n"
        "--on and --hosts, where given, hold for all runs instead of their own.",
    .examples = "  runcast model accuracy models/ga.rcm --app ga --plot ga.svg\n"
                "  runcast model accuracy mine.rcm --within 5% --hindsight\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = accuracy_option_table,
    .options_size = sizeof(struct rc_cmd_compare_options),
    .defaults = &defaults,
    .run = run_accuracy,
};
