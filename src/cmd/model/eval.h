// SPDX-License-Identifier: GPL-3.0-or-later
/* eval.h - evaluation of a model, for 'runcast model eval' and 'runcast model explain'; in eval.c. */
#ifndef RC_CMD_MODEL_EVAL_H
#define RC_CMD_MODEL_EVAL_H

#include "cmd/core/value_options.h"
#include "cmd/model/model.h"

/* The options of both verbs, and their defaults. */
struct rc_cmd_model_eval_options {
    struct rc_report_options report;
    struct rc_cmd_model_choice choice;
    double deadline;
    const char *plot;
    bool spread, json;
};
extern const struct rc_cmd_model_eval_options rc_cmd_model_eval_defaults;

#define RC_CMD_MODEL_EVAL_OPTION_DB                                                                \
    RC_CMD_OPTION(struct rc_cmd_model_eval_options, choice.db, FILE, "db", "FILE",                 \
                  "database file, with series and measured inputs")

/* A model that is evaluated, and its result. */
struct rc_cmd_model_evaluated {
    const struct rc_cmd_model_eval_options *options;
    struct rc_cmd_model_work model;
    struct rc_value_rules rules;
    struct rc_binding *binding;
    struct rc_evaluation *evaluation;
    struct rc_scenario_facts facts;
    struct rc_value *value;
};

/* Evaluates the model of the invocation and calls `show`, which returns an exit status. */
int rc_cmd_model_evaluate(const struct rc_invocation *invocation, const char *doing,
                          int (*show)(struct rc_cmd_model_evaluated *work));
/* For `show`: fills in the answer of the model. */
int rc_cmd_model_answer(struct rc_cmd_model_evaluated *work, struct rc_error *error);
/* Prints the answer as JSON, after all notes; `fields` of struct rc_answer_model_evaluation.
 * `explanation` may be NULL. */
void rc_cmd_model_print(const struct rc_cmd_model_evaluated *work, const struct rc_field *fields,
                        const struct rc_explanation *explanation);

#endif
