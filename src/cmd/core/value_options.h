// SPDX-License-Identifier: GPL-3.0-or-later
/* value_options.h - options that say how a value is computed. */
#ifndef RC_CMD_CORE_VALUE_OPTIONS_H
#define RC_CMD_CORE_VALUE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/core/command.h"
#include "stats/value/value.h"

/* A member of the options struct of a command that ends in a value; RC_REPORT_DEFAULT are its
 * defaults. */
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

#endif
