// SPDX-License-Identifier: GPL-3.0-or-later
/* model.h - shared by the commands of 'runcast model': the model and its setting. */
#ifndef RC_CMD_MODEL_MODEL_H
#define RC_CMD_MODEL_MODEL_H

#include "cmd/core/command.h"
#include "cmd/core/value_report.h"
#include "platform/hostlist.h"
#include "model/structural/accuracy.h"
#include "model/structural/scenario_evaluation.h"
#include "model/structural/explain.h"
#include "report/field.h"

/* The setting of an evaluation; a member of the options struct of such a command. */
struct rc_cmd_model_choice {
    const char *on, *platform_file, *hosts, *db;
    struct rc_option_list set, alternatives, with;
    double omit, at;
    bool no_measured;
    bool makes_db; /* the command creates the database of --db */
};
#define RC_MODEL_CHOICE_DEFAULT                                                                    \
    {                                                                                              \
        .omit = NAN, .at = NAN                                                                     \
    }

#define RC_MODEL_OPTION_WITH(type, member)                                                         \
    RC_CMD_OPTION(type, member, LIST, "with", "FILE",                                              \
                  "further model file, which overrides the first (may be repeated)")

/* For the table of options of a command whose options struct `type` has it as `member`: the setting,
 * and all options of an evaluation. */
#define RC_MODEL_PLACE_OPTIONS(type, member)                                                       \
    RC_CMD_OPTION(                                                                                 \
        type, member.set, LIST, "set", "NAME=VALUE",                                               \
        "value of an input of the model (may be repeated): N=2000, 'cpu[a1]=normal(0.8, 0.1)'"),   \
        RC_CMD_OPTION(type, member.on, TEXT, "on", "NAME",                                         \
                      "platform section of the model (default: the section named like the "        \
                      "platform, or the only one)"),                                               \
        RC_CMD_OPTION(type, member.platform_file, FILE, "platform-file", "FILE",                   \
                      "platform file; inputs 'from platform' are read from it"),                   \
        RC_CMD_OPTION(type, member.hosts, TEXT, "hosts", "HOSTS",                                  \
                      "hosts, such as a1,b[1-4] (default: the hosts of the model, or else all of " \
                      "the platform)")
#define RC_MODEL_OPTIONS(type, member)                                                             \
    RC_MODEL_PLACE_OPTIONS(type, member),                                                          \
        RC_CMD_OPTION(type, member.alternatives, LIST, "alternative", "TASK=NAME",                 \
                      "use this alternative for a task (may be repeated): Slave=benchmark, "       \
                      "total=overlapped"),                                                         \
        RC_CMD_OPTION_WITH(type, member.omit, QUANTITY, "omit", "SHARE",                           \
                           "leave out tasks with a smaller share of the profile; 0 keeps all "     \
                           "(default: 'omit' of the model)",                                       \
                           .dimension = RC_FRACTION),                                              \
        RC_CMD_OPTION(type, member.at, SINCE, "at", "TIME",                                        \
                      "predict for this time; ignore later samples "                               \
                      "(2026-11-15T09:30 in UTC, or an age such as 2h; default: now)"),            \
        RC_CMD_OPTION(type, member.no_measured, FLAG, "no-measured", NULL,                         \
                      "ignore measured inputs in the database"),                                   \
        RC_MODEL_OPTION_WITH(type, member.with)

/* A model and the setting of the options. */
struct rc_cmd_model_work {
    struct rc_model *model;
    struct rc_platform *platform;
    struct rc_hostlist hosts;
    struct rc_db *db;
    struct rc_model_setting setting; /* points into the above and into the options */
    const char *doing;               /* for errors: "evaluating ga.rcm" */
    char doing_text[160];
};

/* ---- open_model.c ---- */

/* Reads the model `path` and the files of --with; reports failures and returns an exit status.  End
 * it in either case. */
int rc_cmd_model_begin(struct rc_cmd_model_work *work, const char *verb, const char *path,
                       const struct rc_option_list *with);
/* Chooses the section of the model: by --on, or by the name of the platform or, if `the_only_one`,
 * the only one there is. */
int rc_cmd_model_section(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                         const char *on, bool the_only_one);
/* Reads the model that the invocation names, and all that `choice` asks for: fills in the setting;
 * reads the platform and, where the model wants series or measured inputs, opens the database, if
 * there is one.  Measured inputs are added to the model, unless choice->no_measured.  Where the
 * model is for several platforms, one must be chosen if `needs_platform`; otherwise what was
 * measured on each of them is added.  Returns an exit status; to be ended in any case. */
int rc_cmd_model_open(struct rc_cmd_model_work *work, const struct rc_invocation *invocation,
                      const char *verb, const struct rc_cmd_model_choice *choice,
                      bool needs_platform);
void rc_cmd_model_end(struct rc_cmd_model_work *work);
/* Wrong usage if --output (NULL: none) is one of the files that are read: the model of the
 * invocation, a file of --with, the platform file, or the database. */
int rc_cmd_model_check_output(const struct rc_invocation *invocation, const char *output,
                              const struct rc_cmd_model_choice *choice);

/* The name under which the database has what was measured of the platform that was chosen, or NULL
 * where none was. */
const char *rc_cmd_model_platform(const struct rc_cmd_model_work *work);

/* ---- model_notes.c ---- */

/* Reports a failure, with the line of the model or the --set at fault. */
int rc_cmd_model_fail(const struct rc_cmd_model_work *work, const struct rc_error *error);

/* The forecast load, as JSON (null: none), and as lines below an answer. */
json_t *rc_cmd_model_facts_json(const struct rc_scenario_facts *facts);
void rc_cmd_model_show_facts(const struct rc_scenario_facts *facts);
/* Whether the forecasts last until the end of the run, or none could. */
bool rc_cmd_model_covers(const struct rc_scenario_facts *facts);

/* Adds advice to a note of that kind. */
void rc_cmd_model_note_advice(enum rc_note_kind kind, char text[RC_NOTE_SIZE]);

/* Inputs without samples, for which the model's `else` is used, and notes on inputs: as JSON, and both
 * as notes. */
json_t *rc_cmd_model_unknown_json(const struct rc_binding *binding);
json_t *rc_cmd_model_notes_json(const struct rc_binding *binding);
void rc_cmd_model_notes(const struct rc_binding *binding);
/* The note that so many measured inputs were ignored, if any. */
void rc_cmd_model_note_left(size_t n);
/* Notes on an answer: measured inputs that may not hold for it. */
void rc_cmd_model_note_measured(struct rc_binding *binding);

/* "ga on pcl" */
const char *rc_cmd_model_title(const struct rc_binding *binding, char text[160]);
/* The alternatives in use, as JSON; omitted tasks are added to `omitted`. */
json_t *rc_cmd_model_alternatives_json(const struct rc_binding *binding, json_t *omitted);
/* The JSON answer of commands that remove things. */
void rc_cmd_model_print_removed(uint64_t removed);

/* ---- explain.c and accuracy_plot.c ---- */

/* How an answer is computed, as tables (-1 if memory runs out; `explanation` NULL: only the
 * alternatives that are not used) and as members of a JSON object. */
int rc_cmd_model_explain_show(const struct rc_binding *binding, double now,
                              const struct rc_explanation *explanation);
void rc_cmd_model_explain_json(json_t *object, const struct rc_binding *binding,
                               const struct rc_explanation *explanation);

/* Draws the runs against the model. */
int rc_cmd_accuracy_plot(const char *path, const char *title, const struct rc_accuracy *accuracy,
                         struct rc_error *error);

/* ---- the commands ---- */

extern const struct rc_command rc_command_model_check, rc_command_model_eval,
    rc_command_model_explain, rc_command_model_measure, rc_command_model_accuracy,
    rc_command_model_profile, rc_command_model_add, rc_command_model_list, rc_command_model_show,
    rc_command_model_remove;

#endif
