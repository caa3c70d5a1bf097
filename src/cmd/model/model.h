// SPDX-License-Identifier: GPL-3.0-or-later
/* model.h - what the verbs of 'runcast model' share: the model with what it is asked for. */
#ifndef RC_CMD_MODEL_MODEL_H
#define RC_CMD_MODEL_MODEL_H

#include "cmd/core/command.h"
#include "cmd/core/value_report.h"
#include "platform/hostlist.h"
#include "model/structural/accuracy.h"
#include "model/structural/scenario_evaluation.h"
#include "model/structural/explain.h"
#include "report/field.h"

/* What a model is evaluated for; a member of the options struct of such a verb. */
struct rc_cmd_model_choice {
    const char *on, *platform, *hosts, *db;
    struct rc_option_list set, use, with;
    double omit, at;
    bool no_measured;
    bool makes_db; /* the verb makes the database of --db where there is none */
};
#define RC_MODEL_CHOICE_DEFAULT                                                                    \
    {                                                                                              \
        .omit = NAN, .at = NAN                                                                     \
    }

#define RC_MODEL_OPTION_WITH(type, member)                                                         \
    RC_CMD_OPTION(type, member, LIST, "with", "FILE",                                              \
                  "read this file too; what stands in it wins (may be given several times)")

/* For the table of options of a verb whose options struct `type` has it as `member`: what the model
 * is for, and all else that it can be asked for. */
#define RC_MODEL_PLACE_OPTIONS(type, member)                                                       \
    RC_CMD_OPTION(                                                                                 \
        type, member.set, LIST, "set", "NAME=VALUE",                                               \
        "set an input: N=2000, 'cpu[a1]=normal(0.8, 0.1)' (may be given several times)"),          \
        RC_CMD_OPTION(type, member.on, TEXT, "on", "PLATFORM",                                     \
                      "the part of the model that begins with 'on PLATFORM' (default: the one "    \
                      "that has the name of the platform, or the only one)"),                      \
        RC_CMD_OPTION(type, member.platform, FILE, "platform", "FILE",                             \
                      "the platform file that inputs come from"),                                  \
        RC_CMD_OPTION(type, member.hosts, TEXT, "hosts", "LIST",                                   \
                      "the hosts to run on, such as a[1-4],b7 (default: those that the model "     \
                      "names, then all of the platform)")
#define RC_MODEL_OPTIONS(type, member)                                                             \
    RC_MODEL_PLACE_OPTIONS(type, member),                                                          \
        RC_CMD_OPTION(type, member.use, LIST, "use", "TASK=WAY",                                   \
                      "tell a task in this way: Slave=benchmark, total=overlapped (may be "        \
                      "given several times)"),                                                     \
        RC_CMD_OPTION_WITH(type, member.omit, QUANTITY, "omit", "SHARE",                           \
                           "leave out tasks that the profile gives less than this; 0 leaves out "  \
                           "none (default: as the model says)",                                    \
                           .dimension = RC_FRACTION),                                              \
        RC_CMD_OPTION(type, member.at, SINCE, "at", "TIME",                                        \
                      "when windows of series end, and ages count from (2026-11-15T09:30 in "      \
                      "UTC, or 2h for two hours ago; default: now)"),                              \
        RC_CMD_OPTION(type, member.no_measured, FLAG, "no-measured", NULL,                         \
                      "do without the inputs that 'runcast model measure' has put into the "       \
                      "store"),                                                                    \
        RC_MODEL_OPTION_WITH(type, member.with)

/* A model, read, with the setting that the options ask for. */
struct rc_cmd_model_work {
    struct rc_model *model;
    struct rc_platform *platform;
    struct rc_hostlist hosts;
    struct rc_db *db;
    struct rc_model_setting setting; /* points into the above and into the options */
    const char *doing;               /* for errors: "evaluating ga.rcm" */
    char doing_text[160];
};

/* Reads the model `path` and those of --with; on failure says so and returns an exit status.
 * To be ended in either case. */
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
/* Wrong usage where --out (NULL: none) is one of the files that are read: the model of the
 * invocation, those of --with, the platform, or the database. */
int rc_cmd_model_check_out(const struct rc_invocation *invocation, const char *out,
                           const struct rc_cmd_model_choice *choice);

/* The name under which the database has what was measured of the platform that was chosen, or NULL
 * where none was. */
const char *rc_cmd_model_platform(const struct rc_cmd_model_work *work);
/* Notes on an answer: measured inputs that may not hold for it. */
void rc_cmd_model_note_measured(struct rc_binding *binding);

/* Says that it failed, with the line of the model or of --set that is at fault. */
int rc_cmd_model_fail(const struct rc_cmd_model_work *work, const struct rc_error *error);

/* "ga on pcl" */
const char *rc_cmd_model_title(const struct rc_binding *binding, char text[160]);

/* Which alternatives were taken, as JSON; what was left out is added to `omitted`. */
json_t *rc_cmd_model_alternatives_json(const struct rc_binding *binding, json_t *omitted);

/* What was forecast, as JSON (null: nothing was), and in lines below an answer. */
json_t *rc_cmd_model_facts_json(const struct rc_scenario_facts *facts);
void rc_cmd_model_show_facts(const struct rc_scenario_facts *facts);
/* Whether scenarios go as far as the run, or at least none could. */
bool rc_cmd_model_covers(const struct rc_scenario_facts *facts);

/* Adds to a note of that kind what to do about it. */
void rc_cmd_model_note_advice(enum rc_note_kind kind, char text[RC_NOTE_SIZE]);

/* What was not to be had, so that the model's `else` counts, and what else to know of the inputs:
 * as JSON, and both as notes. */
json_t *rc_cmd_model_unknown_json(const struct rc_binding *binding);
json_t *rc_cmd_model_notes_json(const struct rc_binding *binding);
void rc_cmd_model_notes(const struct rc_binding *binding);

/* Where an answer comes from, in tables (-1 where memory runs out; NULL: only what was not taken)
 * and as members of a JSON object; in explain.c. */
int rc_cmd_model_explain_show(const struct rc_binding *binding, double now,
                              const struct rc_explanation *explanation);
void rc_cmd_model_explain_json(json_t *object, const struct rc_binding *binding,
                               const struct rc_explanation *explanation);

/* Draws the runs against the model; in accuracy_plot.c. */
int rc_cmd_accuracy_plot(const char *path, const char *title, const struct rc_accuracy *accuracy,
                         struct rc_error *error);

extern const struct rc_command rc_command_model_check, rc_command_model_eval,
    rc_command_model_explain, rc_command_model_measure, rc_command_model_accuracy,
    rc_command_model_profile, rc_command_model_add, rc_command_model_list, rc_command_model_show,
    rc_command_model_remove;

#endif
