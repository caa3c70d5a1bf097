// SPDX-License-Identifier: GPL-3.0-or-later
/* check.c - 'runcast model check': what is wrong with a model, and what it wants to know. */
#include "cmd/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "model/structural/check.h"

struct check_options {
    struct rc_option_list with;
    bool json;
};

static const struct rc_option check_option_table[] = {
    RC_MODEL_OPTION_WITH(struct check_options, with),
    RC_OPTION_JSON(struct check_options),
    RC_OPTIONS_END,
};

static const char *const severities[] = {"error", "warning", "note"};

struct findings {
    const struct rc_model *model;
    json_t *list; /* NULL: they are shown as they come */
    size_t counts[3];
};

/* file:line:column: severity: text, as compilers write it, and the line with a caret. */
static void show_finding(const struct findings *findings, const struct rc_finding *finding)
{
    const struct rc_model_file *file = &findings->model->files[finding->file];
    struct rc_error place = {.line = finding->line, .column = finding->column};

    fprintf(stderr, "%s:", file->name);
    if (finding->line)
        fprintf(stderr, "%u:", finding->line);
    if (finding->column)
        fprintf(stderr, "%u:", finding->column);
    fprintf(stderr, " %s: %s\n", severities[finding->severity], finding->text);
    rc_cmd_show_caret(file->text, &place);
}

static void take_finding(void *data, const struct rc_finding *finding)
{
    struct findings *findings = data;
    json_t *object;

    findings->counts[finding->severity]++;
    if (!findings->list) {
        show_finding(findings, finding);
        return;
    }
    object = json_object();
    rc_json_set(object, "severity", rc_json_text(severities[finding->severity]));
    rc_json_set(object, "file", rc_json_text(findings->model->files[finding->file].name));
    rc_json_set(object, "line", finding->line ? json_integer(finding->line) : json_null());
    rc_json_set(object, "column", finding->column ? json_integer(finding->column) : json_null());
    rc_json_set(object, "text", rc_json_text(finding->text));
    json_array_append_new(findings->list, object);
}

/* How many items of a kind there are, those of one name counted once. */
static size_t count_names(const struct rc_model *model, enum rc_item_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < model->n_items; i++) {
        bool first = model->items[i].kind == kind;

        for (size_t k = 0; first && k < i; k++)
            first = model->items[k].kind != kind ||
                    strcmp(model->items[k].name, model->items[i].name) != 0 ||
                    (kind == RC_ITEM_TOTAL &&
                     strcmp(model->items[k].alternative, model->items[i].alternative) != 0);
        n += first;
    }
    return n;
}

static void print_count(size_t n, const char *what, const char *more)
{
    printf("%zu %s%s%s", n, what, n == 1 ? "" : "s", more);
}

static void show_summary(const struct rc_model *model, const struct findings *findings)
{
    printf("%s: ", model->name);
    print_count(count_names(model, RC_ITEM_INPUT), "input", ", ");
    print_count(count_names(model, RC_ITEM_COMPONENT), "task", ", ");
    print_count(count_names(model, RC_ITEM_TOTAL), "total", "");
    for (size_t i = 0; i < model->n_sections; i++)
        printf("%s%s", i ? ", " : "; on ", model->sections[i].name);
    printf(": ");
    print_count(findings->counts[RC_FINDING_ERROR], "error", ", ");
    print_count(findings->counts[RC_FINDING_WARNING], "warning", "\n");
}

static json_t *summary_json(const struct rc_model *model, struct findings *findings)
{
    json_t *object = json_object(), *sections = json_array();

    for (size_t i = 0; i < model->n_sections; i++)
        json_array_append_new(sections, rc_json_text(model->sections[i].name));
    rc_json_set(object, "model", rc_json_text(model->name));
    rc_json_set(object, "app", rc_json_text(model->app));
    rc_json_set(object, "platforms", sections);
    rc_json_set(object, "inputs", json_integer((json_int_t)count_names(model, RC_ITEM_INPUT)));
    rc_json_set(object, "tasks", json_integer((json_int_t)count_names(model, RC_ITEM_COMPONENT)));
    rc_json_set(object, "totals", json_integer((json_int_t)count_names(model, RC_ITEM_TOTAL)));
    rc_json_set(object, "errors", json_integer((json_int_t)findings->counts[RC_FINDING_ERROR]));
    rc_json_set(object, "warnings", json_integer((json_int_t)findings->counts[RC_FINDING_WARNING]));
    rc_json_set(object, "findings", json_incref(findings->list));
    return object;
}

static int run_check(struct rc_invocation *invocation)
{
    const struct check_options *options = invocation->options;
    struct findings findings = {.list = options->json ? json_array() : NULL};
    struct rc_error error = {.text = ""};
    struct rc_cmd_model_work work;
    json_t *summary;
    int status = rc_cmd_model_begin(&work, "checking", invocation->arguments[0], &options->with);

    if (status == RC_EXIT_OK) {
        findings.model = work.model;
        if (rc_structural_model_check(work.model, take_finding, &findings, &error))
            status = rc_cmd_fail(&error, "%s", work.doing);
    }
    if (status == RC_EXIT_OK && options->json) {
        summary = summary_json(work.model, &findings);
        rc_json_write(stdout, summary, true);
        json_decref(summary);
    } else if (status == RC_EXIT_OK) {
        show_summary(work.model, &findings);
    }
    json_decref(findings.list);
    rc_cmd_model_end(&work);
    return status == RC_EXIT_OK && findings.counts[RC_FINDING_ERROR] ? RC_EXIT_FAILED : status;
}

const struct rc_command rc_command_model_check = {
    .name = "check",
    .summary = "Say what is wrong with a model, and which inputs it wants",
    .arguments = "FILE.rcm",
    .details =
        "Errors: names that nothing has, indices that do not fit, formulas that come back to "
        "themselves, a platform without a total. Warnings: what nobody uses, tables that lack a "
        "host. Notes: inputs that must be set. The exit status is 1 where there is an error.",
    .examples = "  runcast model check models/ga.rcm\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = check_option_table,
    .options_size = sizeof(struct check_options),
    .run = run_check,
};
