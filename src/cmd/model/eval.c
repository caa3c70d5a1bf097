// SPDX-License-Identifier: GPL-3.0-or-later
/* eval.c - 'runcast model eval': evaluates a structural model. */
#include "cmd/model/eval.h"

#include <math.h>

#include "answer/model_fields.h"
#include "base/json.h"
#include "base/number.h"
#include "report/plot.h"

const struct rc_cmd_model_eval_options rc_cmd_model_eval_defaults = {
    .report = RC_REPORT_DEFAULT, .choice = RC_MODEL_CHOICE_DEFAULT, .deadline = NAN};

static const struct rc_option eval_options[] = {
    RC_MODEL_OPTIONS(struct rc_cmd_model_eval_options, choice),
    RC_CMD_OPTION_WITH(
        struct rc_cmd_model_eval_options, deadline, QUANTITY, "deadline", "TIME",
        "time within which the run must finish; reports the probability of a longer run",
        .dimension = RC_SECONDS),
    RC_CMD_OPTION(struct rc_cmd_model_eval_options, spread, FLAG, "spread", NULL,
                  "include the expected error of the model in the result: multiply it by "
                  "normal(1, ERROR / 2)"),
    RC_REPORT_OPTIONS(struct rc_cmd_model_eval_options, report),
    RC_OPTION_PLOT(struct rc_cmd_model_eval_options),
    RC_OPTION_JSON(struct rc_cmd_model_eval_options),
    RC_CMD_MODEL_EVAL_OPTION_DB,
    RC_OPTIONS_END,
};

int rc_cmd_model_answer(struct rc_cmd_model_evaluated *work, struct rc_error *error)
{
    work->value =
        rc_structural_binding_answer(work->binding, rc_cmd_report_kind(&work->options->report),
                                     &work->rules, &work->evaluation, &work->facts, error);
    if (work->value && work->options->spread)
        work->value = rc_structural_binding_spread(work->binding, work->value, &work->rules, error);
    return work->value ? 0 : -1;
}

int rc_cmd_model_evaluate(const struct rc_invocation *invocation, const char *doing,
                          int (*show)(struct rc_cmd_model_evaluated *work))
{
    struct rc_cmd_model_evaluated work = {.options = invocation->options};
    const struct rc_cmd_model_eval_options *options = work.options;
    struct rc_error error = {.text = ""};
    int status = rc_cmd_report_check(invocation, &options->report);

    if (status != RC_EXIT_OK)
        return status;
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    status = rc_cmd_model_open(&work.model, invocation, doing, &options->choice, true);
    if (status == RC_EXIT_OK) {
        if (rc_cmd_report_rules_begin(&options->report, &work.rules, &error) == 0)
            work.binding =
                rc_structural_binding_create(work.model.model, &work.model.setting, &error);
        status = work.binding ? show(&work) : rc_cmd_model_fail(&work.model, &error);
        rc_cmd_report_rules_end(&work.rules);
    }
    rc_value_drop(work.value);
    rc_value_evaluation_destroy(work.evaluation);
    rc_structural_binding_destroy(work.binding);
    rc_cmd_model_end(&work.model);
    return status;
}

void rc_cmd_model_print(const struct rc_cmd_model_evaluated *work, const struct rc_field *fields,
                        const struct rc_explanation *explanation)
{
    const struct rc_model *model = work->model.model;
    int section = rc_structural_binding_section(work->binding);
    double deadline = work->options->deadline;
    struct rc_answer_model_evaluation answer = {
        .time = rc_answer_value_of(work->value, &work->rules, work->options->report.level),
        .model = model->name,
        .section = section < 0 ? NULL : model->sections[section].name,
        .hosts = json_array(),
        .omitted = json_array(),
        .error = rc_structural_binding_error(work->binding),
        .deadline = deadline,
        .late = isnan(deadline) ? deadline : rc_value_exceeds(work->value, deadline),
        .forecast = work->facts.n_series ? &work->facts : NULL,
        .assumed = rc_cmd_model_unknown_json(work->binding),
        .notes = rc_cmd_notes_json()};
    const char *const *names;
    size_t n;
    int status = 0;

    names = rc_structural_binding_hosts(work->binding, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(answer.hosts, rc_json_text(names[i]));
    answer.alternatives = rc_cmd_model_alternatives_json(work->binding, answer.omitted);
    if (explanation)
        status = rc_answer_explanation_make(&answer.explanation, work->binding, NAN, explanation);
    if (status == 0)
        rc_cmd_print_json(rc_field_json(fields, &answer));
    rc_answer_explanation_free(&answer.explanation);
    json_decref(answer.hosts);
    json_decref(answer.alternatives);
    json_decref(answer.omitted);
    json_decref(answer.assumed);
    json_decref(answer.notes);
}

/* ---- the verb ---- */

static void show_omitted(const struct rc_binding *binding)
{
    const struct rc_task *tasks;
    size_t n, shown = 0;

    tasks = rc_structural_binding_tasks(binding, &n);
    for (size_t i = 0; i < n; i++)
        if (tasks[i].omitted)
            printf("%s%s", shown++ ? ", " : "omitted by the profile: ", tasks[i].name);
    if (shown)
        printf("\n");
}

static void show_deadline(const struct rc_value *value, double deadline)
{
    char limit[RC_NUMBER_SIZE], chance[RC_NUMBER_SIZE];

    rc_number_format_short(deadline, 6, limit);
    rc_number_format_short(100 * rc_value_exceeds(value, deadline), 3, chance);
    if (rc_value_kind(value) == RC_INTERVAL && rc_value_low(value) < deadline &&
        deadline < rc_value_high(value))
        printf("\nlonger than %s s: possible; an interval has no probabilities\n", limit);
    else
        printf("\nlonger than %s s: %s %% probable\n", limit, chance);
}

static int eval_text(const struct rc_cmd_model_evaluated *work, struct rc_error *error)
{
    double expected = rc_structural_binding_error(work->binding);
    char title[160];
    size_t n;

    rc_structural_binding_hosts(work->binding, &n);
    printf("%s", rc_cmd_model_title(work->binding, title));
    if (n)
        printf(", %zu host%s", n, n == 1 ? "" : "s");
    printf(": run time in seconds\n");
    show_omitted(work->binding);
    printf("\n");
    if (rc_cmd_report_table(work->value, &work->rules, work->options->report.level, error))
        return -1;
    rc_cmd_model_show_facts(&work->facts);
    if (expected > 0)
        printf("\nexpected error of the model: %.3g %% (%s)\n", 100 * expected,
               work->options->spread ? "included" : "not included; use --spread");
    if (!isnan(work->options->deadline))
        show_deadline(work->value, work->options->deadline);
    return 0;
}

static int draw(const struct rc_cmd_model_evaluated *work)
{
    const char *path = work->options->plot;
    struct rc_error error = {.text = ""};
    struct rc_cmd_work progress;
    char title[160];
    int failed;

    rc_cmd_work_begin(&progress, "drawing");
    failed =
        rc_cmd_report_plot(path, rc_cmd_model_title(work->binding, title), "run time (s)",
                           work->value, work->options->report.level, &progress.monitor, &error);
    rc_cmd_work_end(&progress);
    return failed ? rc_cmd_fail(&error, "drawing %s", path) : RC_EXIT_OK;
}

static void note_negative(const struct rc_value *value)
{
    double low = rc_value_kind(value) == RC_NORMAL  ? rc_value_mean(value) - 2 * rc_value_sd(value)
                 : rc_value_kind(value) == RC_MODAL ? rc_value_quantile(value, 0.02)
                                                    : rc_value_low(value);

    if (low < 0)
        rc_cmd_note("the result may be negative, as an input may be; use a positive distribution, "
                    "such as interval(0.1, 1)");
}

static int eval(struct rc_cmd_model_evaluated *work)
{
    struct rc_error error = {.text = ""};

    if (rc_cmd_model_answer(work, &error))
        return rc_cmd_model_fail(&work->model, &error);
    note_negative(work->value);
    rc_cmd_model_notes(work->binding);
    rc_cmd_model_note_measured(work->binding);
    if (work->options->json)
        rc_cmd_model_print(work, rc_answer_model_evaluation, NULL);
    else if (eval_text(work, &error))
        return rc_cmd_model_fail(&work->model, &error);
    return work->options->plot ? draw(work) : RC_EXIT_OK;
}

static int run_eval(struct rc_invocation *invocation)
{
    return rc_cmd_model_evaluate(invocation, "evaluating", eval);
}

const struct rc_command rc_command_model_eval = {
    .name = "eval",
    .summary = "Evaluate a model",
    .arguments = "FILE.rcm",
    .details =
        "Computes the run time of a program from its model. Set open inputs with --set. If an "
        "input is a distribution, the result is one, too; --as selects its kind. --spread "
        "includes the expected error of the model.\n\n"
        "For each task, the model uses the alternative with the least expected error among those "
        "whose inputs have values. 'runcast model explain' with the same options shows the choice "
        "and the reasons.",
    .examples = "  runcast model eval models/ga.rcm --on pcl --set N=2000\n"
                "  runcast model eval models/sor.rcm --on linux --set N=2000 \\\n"
                "      --set 'cpu=normal(0.8, 0.05)' --as sample --deadline 13s\n"
                "  runcast model eval mine.rcm --platform-file cluster.yaml --hosts 'a[1-8]' \\\n"
                "      --set N=4096 --plot mine.svg\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = eval_options,
    .options_size = sizeof(struct rc_cmd_model_eval_options),
    .defaults = &rc_cmd_model_eval_defaults,
    .answers = {rc_answer_model_evaluation},
    .run = run_eval,
};
