// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.c - 'runcast model accuracy': compares a model with the runs in the database. */
#include "cmd/model/model.h"

#include <math.h>

#include "answer/model_fields.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/core/hints.h"
#include "cmd/core/value_options.h"
#include "report/cell.h"
#include "report/plot.h"

struct compare_options {
    struct rc_report_options report;
    struct rc_cmd_model_choice choice;
    const char *app, *plot;
    double tolerance, since;
    struct rc_range size, procs;
    bool hindsight, learn, json;
};

static const struct compare_options defaults = {.report = RC_REPORT_DEFAULT,
                                                .choice = RC_MODEL_CHOICE_DEFAULT,
                                                .tolerance = 0.1,
                                                .since = NAN,
                                                .size = {-INFINITY, INFINITY},
                                                .procs = {-INFINITY, INFINITY}};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct compare_options, member)

static const struct rc_option accuracy_option_table[] = {
    {OPTION("app", TEXT, app), .letter = 'a', .argument = "NAME",
     .help = "name of the app (default: the app of the model)"},
    {OPTION("tolerance", QUANTITY, tolerance), .argument = "SHARE",
     .help = "largest error of a valid model (default: 10%)", .dimension = RC_FRACTION},
    {OPTION("hindsight", FLAG, hindsight),
     .help = "use the load measured during each run, not before it"},
    {OPTION("learn", FLAG, learn),
     .help = "learn from each run once it is predicted; starts after 10 runs"},
    {OPTION("size", RANGE, size), .letter = 's', .argument = "N[..N]",
     .help = "problem size, or a range of sizes: 1000, 1000..4000, 1000.. or ..4000",
     .dimension = RC_COUNT},
    {OPTION("procs", RANGE, procs), .letter = 'p', .argument = "P[..P]",
     .help = "number of processes, or a range of numbers", .dimension = RC_COUNT},
    {OPTION("since", SINCE, since), .argument = "TIME",
     .help = "only entries from TIME on: a date (2026-11-15) or an age (7d)"},
    RC_MODEL_OPTIONS(struct compare_options, choice),
    RC_REPORT_OPTIONS(struct compare_options, report),
    RC_OPTION_PLOT(struct compare_options),
    RC_OPTION_JSON(struct compare_options),
    {OPTION("db", FILE, choice.db), .argument = "FILE",
     .help = "database file (default: $RUNCAST_DB, then "
             "$XDG_DATA_HOME/runcast/runcast.db, then ~/.local/share/runcast/runcast.db)"},
    RC_OPTIONS_END,
};

/* ---- for people ---- */

/* Parameters in which runs of one size differ. */
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
        printf("%s%s %s to %s", shown++ ? ", " : "\neach line includes runs with ", param->name,
               low, high);
    }
    if (shown)
        printf("\n");
}

/* "400 to 1600, 6400" */
static void show_valid(const struct rc_accuracy *accuracy, double tolerance)
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
        printf("%s%s%s%s", shown++ ? ", " : "valid sizes: ", low, end > first + 1 ? " to " : "",
               end > first + 1 ? high : "");
    }
    if (shown == 0)
        printf("valid sizes: none");
    printf(" (MAPE of at most %.3g %%)\n", 100 * tolerance);
}

static void show_first_check(const struct rc_accuracy *accuracy)
{
    const struct rc_accuracy_task *task;

    if (accuracy->n_blind == accuracy->n_runs) {
        printf("check first: unknown, as no run has load data\n");
        return;
    }
    if (accuracy->look_first < 0) {
        printf("check first: no single task explains the errors\n");
        return;
    }
    task = &accuracy->tasks[accuracy->look_first];
    if (task->measured > 0)
        printf("check first: %s; it took %.3g times the modelled time\n", task->name,
               task->measured);
    else
        printf("check first: %s; a factor of %.3g would reduce the root mean square error from "
               "%.3g %% to %.3g %%\n",
               task->name, task->factor, 100 * accuracy->root, 100 * task->remaining);
}

static int show_text(const struct compare_options *options,
                     const struct rc_answer_model_accuracy *answer, struct rc_error *error)
{
    const struct rc_accuracy *accuracy = &answer->accuracy;

    printf("%s compared with %zu run%s of %s\n\n", answer->model, accuracy->n_runs,
           rc_cell_plural((long long)accuracy->n_runs, "s"), answer->app);
    if (rc_field_table(stdout, rc_answer_accuracy_size, accuracy->sizes, accuracy->n_sizes,
                       sizeof *accuracy->sizes, rc_cmd_width(), error))
        return -1;
    show_merged(accuracy);
    printf("\nMAPE: %.3g %%, largest APE: %.3g %%\n", 100 * accuracy->error, 100 * accuracy->worst);
    if (accuracy->has_spread)
        printf("coverage of the %.3g %% interval: %zu of %zu runs\n", 100 * answer->level,
               accuracy->covered, accuracy->n_runs);
    show_valid(accuracy, answer->tolerance);
    if (accuracy->pairs)
        printf("ranked correctly: %zu of %zu pairs of %s\n", accuracy->ranked, accuracy->pairs,
               accuracy->over_sizes ? "sizes" : "choices of hosts");
    show_first_check(accuracy);
    if (options->learn)
        printf("learned: %zu of %zu predictions corrected%s", answer->made->n, accuracy->n_runs,
               answer->made->n ? "" : "\n");
    if (options->learn && answer->made->n)
        printf(", by a mean factor of %.3g\n", answer->made->factor);
    return 0;
}

/* ---- the verb ---- */

static void note_inputs(const struct rc_accuracy *accuracy)
{
    if (accuracy->n_assumed)
        rc_cmd_note("%zu of %zu runs have no series for %s or another input; the model's 'else' "
                    "values are used",
                    accuracy->n_assumed, accuracy->n_runs, accuracy->assumed);
    for (size_t i = 0; i < accuracy->n_notes; i++)
        rc_cmd_note("%s (%zu of %zu runs; this is the first)", accuracy->notes[i].text,
                    accuracy->notes[i].runs, accuracy->n_runs);
}

static void note_skipped(const struct rc_accuracy *accuracy)
{
    char hint[RC_HINT_SIZE];
    bool helps = rc_cmd_hint(&accuracy->skipped, hint);

    if (accuracy->n_skipped)
        rc_cmd_note("%zu run%s skipped, as the model cannot be evaluated: %.300s%s%.150s",
                    accuracy->n_skipped, rc_cell_plural((long long)accuracy->n_skipped, "s"),
                    accuracy->skipped.text, helps ? "; " : "", hint);
}

/* Their errors are unknown. */
static void note_killed(const struct rc_accuracy *accuracy)
{
    if (accuracy->n_killed)
        rc_cmd_note(
            "%zu killed run%s, not in the errors: %zu ran longer than %s prediction interval",
            accuracy->n_killed, rc_cell_plural((long long)accuracy->n_killed, "s"),
            accuracy->n_killed_longer, accuracy->n_killed == 1 ? "its" : "their");
}

static int show(const struct compare_options *options, const struct rc_cmd_model_work *work,
                struct rc_answer_model_accuracy *answer)
{
    const struct rc_accuracy *accuracy = &answer->accuracy;
    struct rc_error error = {.text = ""};
    char title[200];

    note_skipped(accuracy);
    note_killed(accuracy);
    note_inputs(accuracy);
    if (accuracy->n_runs == 0) {
        rc_error_set(&error,
                     accuracy->n_skipped ? "the model can be evaluated for no run of '%s'"
                                         : "no runs of '%s'",
                     answer->app);
        if (accuracy->n_skipped == 0)
            rc_error_hint(&error, "use --app for runs of another app, or change --size, --procs or "
                                  "--since; 'runcast runs list' shows the runs");
        return rc_cmd_fail(&error, "%s", work->doing);
    }
    answer->notes = rc_cmd_notes_json();
    if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_model_accuracy, answer));
    else if (show_text(options, answer, &error))
        return rc_cmd_fail(&error, "%s", work->doing);
    snprintf(title, sizeof title, "%.80s and runs of %.80s", answer->model, answer->app);
    if (options->plot && rc_cmd_accuracy_plot(options->plot, title, accuracy, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

static int compare(const struct compare_options *options, struct rc_cmd_model_work *work,
                   struct rc_db *db, struct rc_cmd_work *progress)
{
    struct rc_predict_corrections made = {.level = options->report.level};
    struct rc_answer_model_accuracy answer = {.model = work->model->name,
                                              .app = options->app ? options->app : work->model->app,
                                              .level = options->report.level,
                                              .tolerance = options->tolerance,
                                              .made = options->learn ? &made : NULL,
                                              .accuracy = {.look_first = -1}};
    struct rc_accuracy *accuracy = &answer.accuracy;
    struct rc_accuracy_options wanted = {.setting = work->setting,
                                         .as = rc_cmd_report_kind(&options->report),
                                         .level = options->report.level,
                                         .tolerance = options->tolerance,
                                         .hindsight = options->hindsight};
    struct rc_error error = {.text = ""};
    struct rc_value_rules rules;
    struct rc_run_filter filter;
    int failed;

    rc_db_run_filter_init(&filter);
    filter.app = answer.app;
    filter.size = options->size;
    filter.procs = options->procs;
    filter.since = options->since;
    wanted.setting.db = db;
    wanted.rules = &rules;
    if (options->learn) {
        wanted.revise = rc_predict_correct_in_turn;
        wanted.revise_data = &made;
    }
    failed = rc_cmd_report_rules_begin(&options->report, &rules, &error) ||
             rc_structural_accuracy_find(work->model, db, &filter, &wanted, &progress->monitor,
                                         accuracy, &error);
    rc_cmd_work_end(progress);
    for (size_t i = 0; i < accuracy->n_notes; i++)
        rc_cmd_model_note_advice(accuracy->notes[i].kind, accuracy->notes[i].text);
    failed = failed ? rc_cmd_model_fail(work, &error) : show(options, work, &answer);
    rc_structural_accuracy_free(accuracy);
    json_decref(answer.notes);
    rc_cmd_report_rules_end(&rules);
    return failed;
}

static int run_accuracy(struct rc_invocation *invocation)
{
    const struct compare_options *options = invocation->options;
    struct rc_error error = {.text = ""};
    struct rc_cmd_work progress;
    struct rc_cmd_model_work work;
    struct rc_db *db;
    int status = rc_cmd_report_check(invocation, &options->report);

    if (status != RC_EXIT_OK)
        return status;
    if (!(options->tolerance > 0))
        return rc_cmd_usage_text(invocation, "--tolerance: must be above 0");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    status = rc_cmd_model_open(&work, invocation, "comparing", &options->choice, false);
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
    .summary = "Compare a model with runs",
    .arguments = "FILE.rcm",
    .details =
        "Evaluates the model for each run in the database and compares the results with the "
        "measured run times. Size, processes, hosts, platform and parameters come from the run; "
        "series are used up to its start.\n\n"
        "The output has the errors for each problem size, the sizes for which the model is valid, "
        "and how often it ranks choices of hosts correctly. It also names the task to check first: "
        "the one whose time, multiplied by one factor, would reduce the errors most. If runs have "
        "a phase with the name of a task, the measured time of the phase is compared instead.\n\n"
        "--on and --hosts replace the platform and the hosts of all runs.",
    .examples = "  runcast model accuracy models/ga.rcm --app ga --plot ga.svg\n"
                "  runcast model accuracy mine.rcm --tolerance 5% --hindsight\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = accuracy_option_table,
    .options_size = sizeof(struct compare_options),
    .defaults = &defaults,
    .answers = {rc_answer_model_accuracy},
    .run = run_accuracy,
};
