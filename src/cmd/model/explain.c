// SPDX-License-Identifier: GPL-3.0-or-later
/* explain.c - 'runcast model explain': where the answer of a model comes from. */
#include "cmd/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/model.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/unit.h"
#include "model/structural/benchmarks.h"

struct explain_options {
    struct rc_report_options report;
    struct rc_cmd_model_choice choice;
    bool json;
};

static const struct explain_options defaults = {.report = RC_REPORT_DEFAULT,
                                                .choice = RC_MODEL_CHOICE_DEFAULT};

static const struct rc_option explain_option_table[] = {
    RC_MODEL_OPTIONS(struct explain_options, choice),
    RC_REPORT_OPTIONS(struct explain_options, report),
    RC_OPTION_JSON(struct explain_options),
    RC_CMD_OPTION(struct explain_options, choice.db, FILE, "db", "FILE",
                  "the store that inputs from series, and measured ones, come from"),
    RC_OPTIONS_END,
};

/* ---- words for people ---- */

/* "12.5", "12.5 ± 0.3", or "4.95 (thing1) to 16.9 (picard)". */
static void value_text(const struct rc_part *part, char text[200])
{
    const struct rc_used *least = part->n_used ? &part->used[part->least] : NULL;
    const struct rc_used *most = part->n_used ? &part->used[part->most] : NULL;
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE], sd[RC_NUMBER_SIZE];

    text[0] = '\0';
    if (!most)
        return;
    rc_number_format_short(least->mean, 4, low);
    rc_number_format_short(most->mean, 4, high);
    rc_number_format_short(most->sd, 2, sd);
    if (least->mean != most->mean)
        snprintf(text, 200, "%s (%.50s) to %s (%.50s)", low, least->indices, high, most->indices);
    else
        snprintf(text, 200, "%s%s%s%s", high, most->sd > 0 ? " ± " : "", most->sd > 0 ? sd : "",
                 part->n_used > 1 ? " (each)" : "");
}

/* "Slave[h]" */
static void name_text(const struct rc_part *part, char text[200])
{
    size_t length;

    snprintf(text, 200, "%*s%.80s", (int)(2 * part->depth), "", part->name);
    for (size_t i = 0; part->item && i < part->item->n_parameters; i++) {
        length = strlen(text);
        snprintf(text + length, 200 - length, "%s%.30s%s", i ? ", " : "[",
                 part->item->parameters[i], i + 1 == part->item->n_parameters ? "]" : "");
    }
}

static void percent_text(double share, char text[40])
{
    if (isnan(share))
        text[0] = '\0';
    else
        snprintf(text, 40, "%.3g %%", 100 * share);
}

/* How a part is told: "by benchmark (Eq. 3.21)". */
static void how_text(const struct rc_binding *binding, const struct rc_part *part, char text[300])
{
    char limit[40], own[40];
    const char *source = part->item ? part->item->meta.source : NULL;

    percent_text(rc_structural_binding_omit(binding), limit);
    percent_text(part->task ? part->task->share : NAN, own);
    if (!part->item)
        snprintf(text, 300, "left out: %s by the profile, below %s", own, limit);
    else
        snprintf(text, 300, "%s%.60s%s%.150s%s", part->item->alternative ? "by " : "definition",
                 part->item->alternative ? part->item->alternative : "", source ? " (" : "",
                 source ? source : "", source ? ")" : "");
}

/* Of how many hosts (or links) the model's `else` stands for an input. */
static size_t count_assumed(const struct rc_binding *binding, const struct rc_item *item)
{
    const char *const *names;
    size_t n, length = strlen(item->name), count = 0;

    names = rc_structural_binding_unknown(binding, &n);
    for (size_t i = 0; i < n; i++)
        count += strncmp(names[i], item->name, length) == 0 && names[i][length] == '[';
    return count;
}

/* Where an input comes from. */
static void source_text(const struct rc_binding *binding, const struct rc_part *part,
                        char text[300])
{
    const struct rc_item *item = part->item;
    size_t assumed = count_assumed(binding, item), length;
    static const char *const sources[] = {
        [RC_FROM_USER] = "set",
        [RC_FROM_FORMULA] = "the model",
        [RC_FROM_TABLE] = "table",
        [RC_FROM_SIZE] = "problem size",
        [RC_FROM_PROCESSES] = "processes",
        [RC_FROM_PLATFORM] = "platform",
        [RC_FROM_SERIES] = "series",
        [RC_FROM_FORECAST] = "forecast",
    };
    const char *extra = item->source == RC_FROM_PLATFORM
                            ? rc_structural_platform_field_names[item->field]
                        : item->metric ? item->metric
                                       : "";

    if (rc_structural_binding_is_set(binding, item->name))
        snprintf(text, 300, "set");
    else if (assumed > 0 && assumed >= part->n_used)
        snprintf(text, 300, "else in the model, as there is no series %.60s", extra);
    else
        snprintf(text, 300, "%s%s%.60s%s%.150s%s",
                 rc_structural_benchmarks_is(rc_structural_binding_model(binding), item)
                     ? "measured"
                     : sources[item->source],
                 extra[0] ? " " : "", extra, item->meta.source ? " (" : "",
                 item->meta.source ? item->meta.source : "", item->meta.source ? ")" : "");
    length = strlen(text);
    if (assumed > 0 && assumed < part->n_used)
        snprintf(text + length, 300 - length, "; else in the model for %zu of %zu", assumed,
                 part->n_used);
}

/* What it is known to err by, or what is assumed of it. */
static void accuracy_text(const struct rc_binding *binding, const struct rc_item *item,
                          char text[60])
{
    percent_text(item->meta.accuracy, text);
    if (isnan(item->meta.accuracy) && !rc_structural_binding_is_set(binding, item->name) &&
        (item->source == RC_FROM_TABLE || item->source == RC_FROM_PLATFORM ||
         item->source == RC_FROM_SERIES || item->source == RC_FROM_FORECAST))
        snprintf(text, 60, "(%.3g %%)",
                 100 * (count_assumed(binding, item) ? RC_MODEL_UNKNOWN_LOAD
                                                     : RC_MODEL_UNKNOWN_ACCURACY));
}

static void age_text(double now, const struct rc_item *item, char text[60])
{
    double age = now - item->meta.measured;
    char span[RC_UNIT_SIZE];

    rc_unit_format(age, RC_SECONDS, span);
    if (isnan(age))
        text[0] = '\0';
    else if (age < 0)
        snprintf(text, 60, "measured later");
    else
        snprintf(text, 60, "%s%s", span, age > item->meta.lifetime ? ", too old" : "");
}

/* ---- tables ---- */

static int show_parts(const struct rc_binding *binding, const struct rc_explanation *explanation)
{
    static const struct rc_column heads[] = {{.title = "part"},
                                             {.title = "value"},
                                             {.title = "share", .right = true},
                                             {.title = "profile", .right = true},
                                             {.title = "how", .wrap = true}};
    struct rc_table *table = rc_table_create(stdout, heads, 5, rc_cmd_width());
    char text[300];

    if (!table)
        return -1;
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const struct rc_part *part = &explanation->parts[i];

        name_text(part, text);
        rc_table_text(table, text);
        value_text(part, text);
        rc_table_text(table, text);
        percent_text(part->share, text);
        rc_table_text(table, text);
        percent_text(part->task && part->depth ? part->task->share : NAN, text);
        rc_table_text(table, text);
        how_text(binding, part, text);
        rc_table_text(table, text);
    }
    return rc_table_finish(table);
}

static int show_inputs(const struct rc_binding *binding, double now,
                       const struct rc_explanation *explanation)
{
    static const struct rc_column heads[] = {{.title = "input"},
                                             {.title = "value"},
                                             {.title = "accuracy", .right = true},
                                             {.title = "age", .right = true},
                                             {.title = "from", .wrap = true}};
    struct rc_table *table = rc_table_create(stdout, heads, 5, rc_cmd_width());
    char text[300];

    if (!table)
        return -1;
    for (size_t i = 0; i < explanation->n_inputs; i++) {
        const struct rc_part *part = &explanation->inputs[i];

        name_text(part, text);
        rc_table_text(table, text);
        value_text(part, text);
        rc_table_text(table, text);
        accuracy_text(binding, part->item, text);
        rc_table_text(table, text);
        age_text(now, part->item, text);
        rc_table_text(table, text);
        source_text(binding, part, text);
        rc_table_text(table, text);
    }
    return rc_table_finish(table);
}

/* Alternatives that were not taken, and why; nothing where there are none. */
static int show_not_taken(const struct rc_binding *binding)
{
    static const struct rc_column heads[] = {{.title = "not taken"},
                                             {.title = "way"},
                                             {.title = "why", .wrap = true}};
    const struct rc_task *tasks;
    struct rc_table *table = NULL;
    size_t n;

    tasks = rc_structural_binding_tasks(binding, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tasks[i].n_alternatives; k++) {
            if (tasks[i].alternatives[k].state == RC_ALTERNATIVE_CHOSEN || tasks[i].omitted)
                continue;
            if (!table) {
                printf("\n");
                table = rc_table_create(stdout, heads, 3, rc_cmd_width());
            }
            if (!table)
                return -1;
            rc_table_text(table, tasks[i].name);
            rc_table_text(table, tasks[i].alternatives[k].item->alternative);
            rc_table_text(table, tasks[i].alternatives[k].reason);
        }
    return table ? rc_table_finish(table) : 0;
}

int rc_cmd_model_explain_show(const struct rc_binding *binding, double now,
                              const struct rc_explanation *explanation)
{
    if (show_parts(binding, explanation))
        return -1;
    printf("\n");
    return show_inputs(binding, now, explanation) || show_not_taken(binding) ? -1 : 0;
}

static int show_tables(const struct rc_cmd_model_work *work, const struct rc_binding *binding,
                       const struct rc_value *value, const struct rc_explanation *explanation)
{
    char title[160], number[RC_NUMBER_SIZE];

    rc_number_format_short(rc_value_mean(value), 6, number);
    printf("%s: %s s\n\n", rc_cmd_model_title(binding, title), number);
    return rc_cmd_model_explain_show(binding, work->setting.now, explanation);
}

/* ---- JSON ---- */

static json_t *known_text(const char *text)
{
    return text ? rc_json_text(text) : json_null();
}

static json_t *not_taken_json(const struct rc_task *task)
{
    json_t *list = json_array();

    for (size_t i = 0; task && i < task->n_alternatives; i++) {
        const struct rc_alternative *alternative = &task->alternatives[i];
        json_t *object;

        if (alternative->state == RC_ALTERNATIVE_CHOSEN)
            continue;
        object = json_object();
        rc_json_set(object, "way", rc_json_text(alternative->item->alternative));
        rc_json_set(object, "why", rc_json_text(alternative->reason));
        rc_json_set(object, "expected_error", rc_json_number(alternative->error));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *part_json(const struct rc_part *part)
{
    json_t *object = json_object();
    const struct rc_task *task = part->task;

    rc_json_set(object, "name", rc_json_text(part->name));
    rc_json_set(object, "values",
                rc_field_json_list(rc_answer_used, part->used, part->n_used, sizeof *part->used));
    rc_json_set(object, "source", known_text(part->item ? part->item->meta.source : NULL));
    if (!task)
        return object;
    rc_json_set(object, "way", part->item ? rc_json_text(part->item->alternative) : json_null());
    rc_json_set(object, "kind",
                part->item ? rc_json_text(rc_structural_task_kind_names[part->item->task_kind])
                           : json_null());
    rc_json_set(object, "omitted", json_boolean(task->omitted));
    rc_json_set(object, "share", rc_json_number(part->share));
    rc_json_set(object, "profile", rc_json_number(task->share));
    rc_json_set(object, "expected_error",
                rc_json_number(task->chosen >= 0 ? task->alternatives[task->chosen].error : NAN));
    rc_json_set(object, "not_taken", not_taken_json(task));
    return object;
}

/* Parts from `*at` on that are deeper than `depth`, as a list of trees. */
static json_t *tree_json(const struct rc_explanation *explanation, size_t *at, size_t depth)
{
    json_t *list = json_array();

    while (*at < explanation->n_parts && explanation->parts[*at].depth >= depth) {
        json_t *object = part_json(&explanation->parts[(*at)++]);

        rc_json_set(object, "parts", tree_json(explanation, at, depth + 1));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *input_json(const struct rc_binding *binding, const struct rc_part *part)
{
    json_t *object = part_json(part);
    char text[300];

    source_text(binding, part, text);
    rc_json_set(object, "from", rc_json_text(text));
    rc_json_set(object, "accuracy", rc_json_number(part->item->meta.accuracy));
    rc_json_set(object, "measured", rc_json_number(part->item->meta.measured));
    rc_json_set(object, "note", known_text(part->item->meta.note));
    return object;
}

void rc_cmd_model_explain_json(json_t *object, const struct rc_binding *binding,
                               const struct rc_explanation *explanation)
{
    json_t *inputs = json_array();
    size_t at = 0;

    rc_json_set(object, "parts", tree_json(explanation, &at, 0));
    for (size_t i = 0; i < explanation->n_inputs; i++)
        json_array_append_new(inputs, input_json(binding, &explanation->inputs[i]));
    rc_json_set(object, "inputs", inputs);
}

static void show_json(const struct explain_options *options, const struct rc_binding *binding,
                      const struct rc_value *value, const struct rc_value_rules *rules,
                      const struct rc_explanation *explanation,
                      const struct rc_scenario_facts *facts)
{
    json_t *object = rc_cmd_report_json(value, rules, options->report.level);

    rc_json_set(object, "model", rc_json_text(rc_structural_binding_model(binding)->name));
    rc_cmd_model_explain_json(object, binding, explanation);
    rc_json_set(object, "forecast", rc_cmd_model_facts_json(facts));
    rc_json_set(object, "assumed", rc_cmd_model_unknown_json(binding));
    rc_json_set(object, "notes", rc_cmd_model_notes_json(binding));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

/* ---- the verb ---- */

static int explain(const struct explain_options *options, const struct rc_cmd_model_work *work,
                   struct rc_binding *binding, struct rc_value_rules *rules, struct rc_error *error)
{
    struct rc_evaluation *evaluation;
    struct rc_explanation explanation = {.parts = NULL};
    struct rc_scenario_facts facts;
    struct rc_value *value =
        rc_structural_binding_answer(binding, rc_cmd_report_kind(&options->report), rules,
                                     &evaluation, &facts, error);
    int status = -1;

    if (value && rc_structural_explain(binding, evaluation, value, &explanation, error) == 0) {
        status = 0;
        if (options->json)
            show_json(options, binding, value, rules, &explanation, &facts);
        else if (show_tables(work, binding, value, &explanation))
            status = rc_error_no_memory(error);
        else
            rc_cmd_model_show_facts(&facts);
        rc_cmd_model_notes(binding);
        rc_cmd_model_note_measured(binding);
    } else if (!options->json) {
        show_not_taken(binding); /* that much can be said */
    }
    rc_structural_explanation_free(&explanation);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    return status;
}

static int run_explain(struct rc_invocation *invocation)
{
    const struct explain_options *options = invocation->options;
    struct rc_error error = {.text = ""};
    struct rc_value_rules rules;
    struct rc_binding *binding = NULL;
    struct rc_cmd_model_work work;
    int status = rc_cmd_report_check(invocation, &options->report);

    if (status != RC_EXIT_OK)
        return status;
    status =
        rc_cmd_model_begin(&work, "explaining", invocation->arguments[0], &options->choice.with);
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_ask(&work, invocation, &options->choice, true);
    if (status == RC_EXIT_OK) {
        if (rc_cmd_report_rules_begin(&options->report, &rules, &error) == 0)
            binding = rc_structural_binding_create(work.model, &work.setting, &error);
        if (!binding || explain(options, &work, binding, &rules, &error))
            status = rc_cmd_model_fail(&work, &error);
        rc_cmd_report_rules_end(&rules);
    }
    rc_structural_binding_destroy(binding);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_explain = {
    .name = "explain",
    .summary = "Show where the answer of a model comes from",
    .arguments = "FILE.rcm",
    .details =
        "The tasks as a tree, each with its time, the way it is told, and its share: what the "
        "answer would be less, were the task to take no time. Beside it stands the share of the "
        "profile; where the two differ much, one of them is wrong. Then the inputs, with what is "
        "known of them, and the ways that were not taken, with the reason.",
    .examples = "  runcast model explain models/ga.rcm --on linux --set N=5000\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = explain_option_table,
    .options_size = sizeof(struct explain_options),
    .defaults = &defaults,
    .run = run_explain,
};
