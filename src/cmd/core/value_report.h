// SPDX-License-Identifier: GPL-3.0-or-later
/* value_report.h - what commands that end in a value share: the options that say how to calculate,
 * and what is shown of the result. */
#ifndef RC_CMD_CORE_VALUE_REPORT_H
#define RC_CMD_CORE_VALUE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "cmd/core/command.h"
#include "stats/value/value.h"

/* ---- options ---- */

/* A member of the options struct of such a command; RC_REPORT_DEFAULT are its defaults. */
struct rc_report_options {
    const char *as;
    int64_t draws, seed, bins;
    const char *rules;
    bool correlated;
    const char *extreme;
    double level;
};

#define RC_REPORT_DEFAULT                                                                          \
    {                                                                                              \
        .draws = 10000, .seed = 1, .bins = 256, .rules = "exact", .extreme = "true", .level = 0.9  \
    }

extern const char *const rc_report_kinds[], *const rc_report_rule_names[],
                                                *const rc_report_extremes[];

/* For the table of options of a command whose options struct `type` has it as `member`. */
#define RC_REPORT_OPTIONS(type, member)                                                            \
    RC_CMD_OPTION_WITH(type, member.as, CHOICE, "as", "KIND",                                      \
                       "compute in this kind: point, normal, interval, histogram or sample "       \
                       "(default: in the kinds that are written)",                                 \
                       .choices = rc_report_kinds),                                                \
        RC_CMD_OPTION_WITH(type, member.draws, INTEGER, "draws", "N",                              \
                           "draws of a sample (default: 10000)", .least = 1),                      \
        RC_CMD_OPTION_WITH(                                                                        \
            type, member.seed, INTEGER, "seed", "S",                                               \
            "where the draws start (default: 1); the same seed gives the same draws", .least = 0), \
        RC_CMD_OPTION_WITH(type, member.bins, INTEGER, "bins", "N",                                \
                           "bins of a histogram that is computed (default: 256)", .least = 2),     \
        RC_CMD_OPTION_WITH(                                                                        \
            type, member.rules, CHOICE, "rules", "RULES",                                          \
            "how normals are combined: exact (the default), or by the rules of the dissertation",  \
            .choices = rc_report_rule_names),                                                      \
        RC_CMD_OPTION(type, member.correlated, FLAG, "correlated", NULL,                           \
                      "with --rules dissertation: its rules for correlated values"),               \
        RC_CMD_OPTION_WITH(type, member.extreme, CHOICE, "extreme", "HOW",                         \
                           "what max and min give: the true distribution of the largest (the "     \
                           "default), or the one value with the largest mean or end",              \
                           .choices = rc_report_extremes),                                         \
        RC_CMD_OPTION_WITH(type, member.level, QUANTITY, "level", "P",                             \
                           "the probability of the interval that is shown (default: 0.9)",         \
                           .dimension = RC_FRACTION)

/* Says what is wrong with them; returns an exit status. */
int rc_cmd_report_check(const struct rc_invocation *invocation,
                        const struct rc_report_options *options);

/* The kind of --as; -1 where there is none. */
int rc_cmd_report_kind(const struct rc_report_options *options);

/* The rules that they stand for, with random numbers of stream 0 of the seed.  -1 where memory
 * runs out.  To be ended either way. */
int rc_cmd_report_rules_begin(const struct rc_report_options *options, struct rc_value_rules *rules,
                              struct rc_error *error);
void rc_cmd_report_rules_end(struct rc_value_rules *rules);

/* ---- results ---- */

/* What is known of a value: kind, mean, standard deviation, ends, the interval that holds it with
 * probability `level`, and some quantiles.  A new reference. */
json_t *rc_cmd_report_json(const struct rc_value *value, const struct rc_value_rules *rules,
                           double level);

/* The same, for people, on standard output.  -1 where memory runs out. */
int rc_cmd_report_table(const struct rc_value *value, const struct rc_value_rules *rules,
                        double level, struct rc_error *error);

/* Draws its density and its cdf into the file `path`, with the mean and the interval; `what` says
 * what it is a value of.  In value_plot.c. */
int rc_cmd_report_plot(const char *path, const char *title, const char *what,
                       const struct rc_value *value, double level, const struct rc_monitor *monitor,
                       struct rc_error *error);

/* Where `error` has a place in `text`, shows on standard error the line that is at fault, or a part
 * of it, and a caret under the place. */
void rc_cmd_show_caret(const char *text, const struct rc_error *error);

/* The same, with a number that stands for the value marked, in place of its mean: "predicted". */
int rc_cmd_report_plot_told(const char *path, const char *title, const char *what,
                            const struct rc_value *value, double level, double told,
                            const struct rc_monitor *monitor, struct rc_error *error);

#endif
