// SPDX-License-Identifier: GPL-3.0-or-later
/* explain.c - 'runcast model explain': shows how the result of a structural model is computed. */
#include "cmd/model/eval.h"

#include <math.h>

#include "answer/model_explain_fields.h"
#include "answer/model_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"

static const struct rc_option explain_options[] = {
    RC_MODEL_OPTIONS(struct rc_cmd_model_eval_options, choice),
    RC_REPORT_OPTIONS(struct rc_cmd_model_eval_options, report),
    RC_OPTION_JSON(struct rc_cmd_model_eval_options),
    RC_CMD_MODEL_EVAL_OPTION_DB,
    RC_OPTIONS_END,
};

/* Alternatives that are not used, and why; nothing if there are none. */
static int show_not_used(const struct rc_answer_explanation *answer)
{
    if (answer->n_not_used == 0)
        return 0;
    printf("\n");
    return rc_field_table(stdout, rc_answer_not_used, answer->not_used, answer->n_not_used,
                          sizeof *answer->not_used, rc_cmd_width(), NULL);
}

int rc_cmd_model_explain_show(const struct rc_binding *binding, double now,
                              const struct rc_explanation *explanation)
{
    struct rc_answer_explanation answer;
    int status = rc_answer_explanation_make(&answer, binding, now, explanation);

    if (status == 0 && explanation) {
        status = rc_field_table(stdout, rc_answer_explanation_part, answer.parts, answer.n_parts,
                                sizeof *answer.parts, rc_cmd_width(), NULL);
        printf("\n");
        if (status == 0)
            status = rc_field_table(stdout, rc_answer_input, answer.inputs, answer.n_inputs,
                                    sizeof *answer.inputs, rc_cmd_width(), NULL);
    }
    if (status == 0)
        status = show_not_used(&answer);
    rc_answer_explanation_free(&answer);
    return status;
}

void rc_cmd_model_explain_json(json_t *object, const struct rc_binding *binding,
                               const struct rc_explanation *explanation)
{
    struct rc_answer_explanation answer;

    if (rc_answer_explanation_make(&answer, binding, NAN, explanation) == 0)
        rc_field_add(object, rc_answer_explanation, &answer);
    rc_answer_explanation_free(&answer);
}

static int explain_text(const struct rc_cmd_model_evaluated *work,
                        const struct rc_explanation *explanation)
{
    char title[160], number[RC_NUMBER_SIZE];

    rc_number_format_short(rc_value_mean(work->value), 6, number);
    printf("%s: %s s\n\n", rc_cmd_model_title(work->binding, title), number);
    if (rc_cmd_model_explain_show(work->binding, work->model.setting.now, explanation))
        return -1;
    rc_cmd_model_show_facts(&work->facts);
    return 0;
}

static int explain(struct rc_cmd_model_evaluated *work)
{
    struct rc_explanation explanation = {.parts = NULL};
    struct rc_error error = {.text = ""};
    int status = rc_cmd_model_answer(work, &error);

    if (status == 0)
        status = rc_structural_explain(work->binding, work->evaluation, work->value, &explanation,
                                       &error);
    if (status == 0) {
        rc_cmd_model_notes(work->binding);
        rc_cmd_model_note_measured(work->binding);
        if (work->options->json)
            rc_cmd_model_print(work, rc_answer_model_explained, &explanation);
        else if (explain_text(work, &explanation))
            status = rc_error_no_memory(&error);
    } else if (!work->options->json) {
        rc_cmd_model_explain_show(work->binding, NAN, NULL); /* the alternatives are known */
    }
    rc_structural_explanation_free(&explanation);
    return status ? rc_cmd_model_fail(&work->model, &error) : RC_EXIT_OK;
}

static int run_explain(struct rc_invocation *invocation)
{
    return rc_cmd_model_evaluate(invocation, "explaining", explain);
}

const struct rc_command rc_command_model_explain = {
    .name = "explain",
    .summary = "Show how a result is computed",
    .arguments = "FILE.rcm",
    .details =
        "Shows the tasks as a tree. Each has its time, the alternative in use, and its share: the "
        "relative decrease of the result if the task took no time. The next column has the share "
        "by the profile; if the two differ much, one of them is wrong. Two more tables have the "
        "inputs with their sources, and the alternatives that are not used, with the reasons.",
    .examples = "  runcast model explain models/ga.rcm --on linux --set N=5000\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = explain_options,
    .options_size = sizeof(struct rc_cmd_model_eval_options),
    .defaults = &rc_cmd_model_eval_defaults,
    .answers = {rc_answer_model_explained},
    .run = run_explain,
};
