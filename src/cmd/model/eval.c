// SPDX-License-Identifier: GPL-3.0-or-later
/* eval.c - 'runcast model eval': how long a program takes, by its structural model. */
#include "cmd/model/model.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/plot.h"

struct eval_options {
    struct rc_report_options report;
    struct rc_cmd_model_choice choice;
    double deadline;
    const char *plot;
    bool spread, json;
};

static const struct eval_options defaults = {.report = RC_REPORT_DEFAULT,
                                             .choice = RC_MODEL_CHOICE_DEFAULT,
                                             .deadline = NAN};

static const struct rc_option eval_option_table[] = {
    RC_MODEL_OPTIONS(struct eval_options, choice),
    RC_CMD_OPTION_WITH(struct eval_options, deadline, QUANTITY, "deadline", "TIME",
                       "say how probable it is to take longer than this", .dimension = RC_SECONDS),
    RC_CMD_OPTION(struct eval_options, spread, FLAG, "spread", NULL,
                  "let what the model is expected to err by count: the result is multiplied by "
                  "normal(1, half of it)"),
    RC_REPORT_OPTIONS(struct eval_options, report),
    RC_OPTION_PLOT(struct eval_options),
    RC_OPTION_JSON(struct eval_options),
    RC_CMD_OPTION(struct eval_options, choice.db, FILE, "db", "FILE",
                  "the store that inputs from series, and measured ones, come from"),
    RC_OPTIONS_END,
};

/* ---- showing ---- */

static void show_json(const struct eval_options *options, const struct rc_binding *binding,
                      const struct rc_value *value, const struct rc_value_rules *rules,
                      const struct rc_scenario_facts *facts)
{
    json_t *object = rc_cmd_report_json(value, rules, options->report.level);
    json_t *hosts = json_array(), *omitted = json_array();
    const char *const *names;
    size_t n;

    names = rc_structural_binding_hosts(binding, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(hosts, rc_json_text(names[i]));
    rc_json_set(object, "model", rc_json_text(rc_structural_binding_model(binding)->name));
    rc_json_set(object, "on",
                rc_structural_binding_section(binding) < 0
                    ? json_null()
                    : rc_json_text(rc_structural_binding_model(binding)
                                       ->sections[rc_structural_binding_section(binding)]
                                       .name));
    rc_json_set(object, "hosts", hosts);
    rc_json_set(object, "ways", rc_cmd_model_alternatives_json(binding, omitted));
    rc_json_set(object, "omitted", omitted);
    rc_json_set(object, "forecast", rc_cmd_model_facts_json(facts));
    rc_json_set(object, "assumed", rc_cmd_model_unknown_json(binding));
    rc_json_set(object, "notes", rc_cmd_model_notes_json(binding));
    rc_json_set(object, "expected_error", rc_json_number(rc_structural_binding_error(binding)));
    if (!isnan(options->deadline)) {
        rc_json_set(object, "deadline", rc_json_number(options->deadline));
        rc_json_set(object, "late", rc_json_number(rc_value_exceeds(value, options->deadline)));
    }
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static void show_omitted(const struct rc_binding *binding)
{
    const struct rc_task *tasks;
    size_t n, shown = 0;

    tasks = rc_structural_binding_tasks(binding, &n);
    for (size_t i = 0; i < n; i++)
        if (tasks[i].omitted)
            printf("%s%s", shown++ ? ", " : "left out, as small by the profile: ", tasks[i].name);
    if (shown)
        printf("\n");
}

static int show_text(const struct eval_options *options, const struct rc_binding *binding,
                     const struct rc_value *value, const struct rc_value_rules *rules,
                     const struct rc_scenario_facts *facts, struct rc_error *error)
{
    char title[160], limit[RC_NUMBER_SIZE], chance[RC_NUMBER_SIZE];
    size_t n;

    rc_structural_binding_hosts(binding, &n);
    printf("%s", rc_cmd_model_title(binding, title));
    if (n)
        printf(", %zu host%s", n, n == 1 ? "" : "s");
    printf(": seconds\n");
    show_omitted(binding);
    printf("\n");
    if (rc_cmd_report_table(value, rules, options->report.level, error))
        return -1;
    rc_cmd_model_show_facts(facts);
    if (rc_structural_binding_error(binding) > 0)
        printf("\nexpected to err by %.2g %%, by what is known of the inputs and ways%s\n",
               100 * rc_structural_binding_error(binding),
               options->spread ? "" : " (--spread lets that count)");
    if (isnan(options->deadline))
        return 0;
    rc_number_format_short(options->deadline, 6, limit);
    rc_number_format_short(100 * rc_value_exceeds(value, options->deadline), 3, chance);
    if (rc_value_kind(value) == RC_INTERVAL && rc_value_low(value) < options->deadline &&
        options->deadline < rc_value_high(value))
        printf("\nlonger than %s s: it may be; an interval does not say how probable\n", limit);
    else
        printf("\nlonger than %s s: %s %%\n", limit, chance);
    return 0;
}

static int draw(const struct eval_options *options, const struct rc_binding *binding,
                const struct rc_value *value)
{
    struct rc_error error = {.text = ""};
    struct rc_cmd_work work;
    char title[160];
    int failed;

    if (!options->plot)
        return RC_EXIT_OK;
    rc_cmd_work_begin(&work, "drawing");
    failed = rc_cmd_report_plot(options->plot, rc_cmd_model_title(binding, title), "seconds", value,
                                options->report.level, &work.monitor, &error);
    rc_cmd_work_end(&work);
    return failed ? rc_cmd_fail(&error, "drawing %s", options->plot) : RC_EXIT_OK;
}

/* ---- the verb ---- */

/* No program takes less than no time. */
static void note_negative(const struct rc_value *value)
{
    double low = rc_value_kind(value) == RC_NORMAL ? rc_value_mean(value) - 2 * rc_value_sd(value)
                                                   : rc_value_low(value);

    if (low < 0)
        rc_cmd_note("the result may be negative, which no time is: an input is, or may be; a "
                    "distribution that cannot be, such as interval(0.1, 1), would help");
}

static int evaluate(const struct eval_options *options, struct rc_cmd_model_work *work)
{
    struct rc_error error = {.text = ""};
    struct rc_value_rules rules;
    struct rc_binding *binding = NULL;
    struct rc_evaluation *evaluation = NULL;
    struct rc_scenario_facts facts = {.n_series = 0};
    struct rc_value *value = NULL;
    int status = RC_EXIT_OK;

    if (rc_cmd_report_rules_begin(&options->report, &rules, &error) == 0)
        binding = rc_structural_binding_create(work->model, &work->setting, &error);
    if (binding)
        value = rc_structural_binding_answer(binding, rc_cmd_report_kind(&options->report), &rules,
                                             &evaluation, &facts, &error);
    if (value && options->spread)
        value = rc_structural_binding_spread(binding, value, &rules, &error);
    if (value) {
        note_negative(value);
        rc_cmd_model_notes(binding);
        rc_cmd_model_note_measured(binding);
    }
    if (!value)
        status = rc_cmd_model_fail(work, &error);
    else if (options->json)
        show_json(options, binding, value, &rules, &facts);
    else if (show_text(options, binding, value, &rules, &facts, &error))
        status = rc_cmd_model_fail(work, &error);
    if (value && status == RC_EXIT_OK)
        status = draw(options, binding, value);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_cmd_report_rules_end(&rules);
    return status;
}

static int run_eval(struct rc_invocation *invocation)
{
    const struct eval_options *options = invocation->options;
    struct rc_error error = {.text = ""};
    struct rc_cmd_model_work work;
    int status = rc_cmd_report_check(invocation, &options->report);

    if (status != RC_EXIT_OK)
        return status;
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    status =
        rc_cmd_model_begin(&work, "evaluating", invocation->arguments[0], &options->choice.with);
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_ask(&work, invocation, &options->choice, true);
    if (status == RC_EXIT_OK)
        status = evaluate(options, &work);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_eval = {
    .name = "eval",
    .summary = "Say how long a program takes, by its model",
    .arguments = "FILE.rcm",
    .details =
        "Inputs that the model leaves open are set with --set. Where an input is a distribution, "
        "so is the answer; --as says in which kind to calculate. What the model itself is "
        "expected to err by counts with --spread only.\n\n"
        "For each task that way is taken whose inputs are all there and which is expected to err "
        "least; 'runcast model explain' for the same inputs shows which, and why.",
    .examples = "  runcast model eval models/ga.rcm --on pcl --set N=2000\n"
                "  runcast model eval models/sor.rcm --on linux --set N=2000 \\\n"
                "      --set 'cpu=normal(0.8, 0.05)' --as sample --deadline 13s\n"
                "  runcast model eval mine.rcm --platform cluster.yaml --hosts 'a[1-8]' \\\n"
                "      --set N=4096 --plot mine.svg\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = eval_option_table,
    .options_size = sizeof(struct eval_options),
    .defaults = &defaults,
    .run = run_eval,
};
