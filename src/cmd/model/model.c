// SPDX-License-Identifier: GPL-3.0-or-later
/* model.c - 'runcast model': structural models.  Each command has its file; what they share is in open_model.c
 * and model_notes.c. */
#include "cmd/model/model.h"

#include "cmd/core/commands.h"

static const struct rc_command *const verbs[] = {&rc_command_model_check,
                                                 &rc_command_model_eval,
                                                 &rc_command_model_explain,
                                                 &rc_command_model_measure,
                                                 &rc_command_model_accuracy,
                                                 &rc_command_model_profile,
                                                 &rc_command_model_add,
                                                 &rc_command_model_list,
                                                 &rc_command_model_show,
                                                 &rc_command_model_remove,
                                                 NULL};

const struct rc_command rc_command_model = {
    .name = "model",
    .summary = "Structural models: the run time of a program from the times of its tasks",
    .details =
        "A structural model is a text file. It declares inputs and their sources, formulas for the "
        "time of each task (one or more alternatives), and a total that combines the tasks. "
        "docs/reference/model-language.md describes the language; models/ has examples.",
    .children = verbs,
};
