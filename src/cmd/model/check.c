// SPDX-License-Identifier: GPL-3.0-or-later
/* check.c - 'runcast model check': finds faults in a model, and lists the inputs that must be set. */
#include "cmd/model/model.h"

#include "answer/model_fields.h"
#include "base/error.h"

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
    bool json; /* collect them; otherwise they are shown at once */
    struct rc_answer_model_check answer;
};

/* file:line:column: severity: text, as compilers write it, and the line with a caret. */
static void show_finding(const struct rc_model_file *file, const struct rc_finding *finding)
{
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
    const struct rc_model_file *file = &findings->model->files[finding->file];
    const struct rc_answer_model_finding row = {severities[finding->severity], file->name,
                                                finding->text, finding->line, finding->column};

    findings->answer.counts[finding->severity]++;
    if (findings->json)
        json_array_append_new(findings->answer.findings,
                              rc_field_json(rc_answer_model_finding, &row));
    else
        show_finding(file, finding);
}

static void print_count(size_t n, const char *what, const char *more)
{
    printf("%zu %s%s%s", n, what, n == 1 ? "" : "s", more);
}

static void show_summary(const struct rc_answer_model_check *answer)
{
    printf("%s: ", answer->model);
    print_count(answer->inputs, "input", ", ");
    print_count(answer->tasks, "task", ", ");
    print_count(answer->totals, "total", "");
    for (size_t i = 0; i < answer->n_sections; i++)
        printf("%s%s", i ? ", " : "; on ", answer->sections[i].name);
    printf(": ");
    print_count(answer->counts[RC_FINDING_ERROR], "error", ", ");
    print_count(answer->counts[RC_FINDING_WARNING], "warning", "\n");
}

static int check(const struct rc_cmd_model_work *work, struct findings *findings)
{
    const struct rc_model *model = work->model;
    struct rc_answer_model_check *answer = &findings->answer;
    struct rc_error error = {.text = ""};

    *answer =
        (struct rc_answer_model_check){.model = model->name,
                                       .app = model->app,
                                       .sections = model->sections,
                                       .n_sections = model->n_sections,
                                       .inputs = rc_structural_model_count(model, RC_ITEM_INPUT),
                                       .tasks = rc_structural_model_count(model, RC_ITEM_COMPONENT),
                                       .totals = rc_structural_model_count(model, RC_ITEM_TOTAL),
                                       .findings = json_array()};
    findings->model = model;
    if (rc_structural_model_check(model, take_finding, findings, &error))
        return rc_cmd_fail(&error, "%s", work->doing);
    if (findings->json)
        rc_cmd_print_json(rc_field_json(rc_answer_model_check, answer));
    else
        show_summary(answer);
    return answer->counts[RC_FINDING_ERROR] ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int run_check(struct rc_invocation *invocation)
{
    const struct check_options *options = invocation->options;
    struct findings findings = {.json = options->json};
    struct rc_cmd_model_work work;
    int status = rc_cmd_model_begin(&work, "checking", invocation->arguments[0], &options->with);

    if (status == RC_EXIT_OK)
        status = check(&work, &findings);
    json_decref(findings.answer.findings);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_check = {
    .name = "check",
    .summary = "Check a model",
    .arguments = "FILE.rcm",
    .details =
        "Errors are unknown names, wrong indices, circular formulas and platforms without a total. "
        "Warnings are unused items and tables without a row for a host. Notes are inputs that "
        "must be set. The exit status is 1 if there are errors.",
    .examples = "  runcast model check models/ga.rcm\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = check_option_table,
    .options_size = sizeof(struct check_options),
    .answers = {rc_answer_model_check},
    .run = run_check,
};
