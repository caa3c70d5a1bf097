// SPDX-License-Identifier: GPL-3.0-or-later
/* value_options.h - options of commands that compute a value. */
#ifndef RC_CMD_CORE_VALUE_OPTIONS_H
#define RC_CMD_CORE_VALUE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/core/command.h"
#include "stats/value/value.h"

/* A member of the options struct of a command whose answer is a value; RC_REPORT_DEFAULT has its
 * defaults. */
struct rc_report_options {
    const char *as;
    int64_t samples, seed, bins;
    const char *rules;
    bool correlated;
    const char *extreme;
    double level;
};

#define RC_REPORT_DEFAULT                                                                          \
    {                                                                                              \
        .samples = 10000, .seed = 1, .bins = 256, .rules = "exact", .extreme = "true",             \
        .level = 0.9                                                                               \
    }

extern const char *const rc_report_kinds[], *const rc_report_rule_names[],
                                                *const rc_report_extremes[];

/* For the table of options of a command whose options struct `type` has it as `member`. */
#define RC_REPORT_OPTIONS(type, member)                                                            \
    RC_CMD_OPTION_WITH(type, member.as, CHOICE, "as", "KIND",                                      \
                       "kind of value to compute in: point, normal, interval, modal, histogram "   \
                       "or sample (default: the kinds of the operands)",                           \
                       .choices = rc_report_kinds),                                                \
        RC_CMD_OPTION_WITH(type, member.samples, INTEGER, "samples", "N",                          \
                           "number of Monte Carlo samples (default: 10000)", .least = 1),          \
        RC_CMD_OPTION_WITH(type, member.seed, INTEGER, "seed", "N",                                \
                           "seed of the random numbers (default: 1)", .least = 0),                 \
        RC_CMD_OPTION_WITH(type, member.bins, INTEGER, "bins", "N",                                \
                           "number of bins of a computed histogram (default: 256)", .least = 2),   \
        RC_CMD_OPTION_WITH(type, member.rules, CHOICE, "rules", "RULES",                           \
                           "rules for combining normal values: exact or dissertation (default: "   \
                           "exact)",                                                               \
                           .choices = rc_report_rule_names),                                       \
        RC_CMD_OPTION(type, member.correlated, FLAG, "correlated", NULL,                           \
                      "treat values as correlated, by the rules of the dissertation"),             \
        RC_CMD_OPTION_WITH(                                                                        \
            type, member.extreme, CHOICE, "extreme", "HOW",                                        \
            "how max and min are computed: true (the default), the distribution of the "           \
            "largest; mean or end, the one value with the largest mean or upper end",              \
            .choices = rc_report_extremes),                                                        \
        RC_CMD_OPTION_WITH(type, member.level, QUANTITY, "level", "P",                             \
                           "probability of the prediction interval (default: 0.9)",                \
                           .dimension = RC_FRACTION)

/* Checks the values; reports a fault and returns an exit status. */
int rc_cmd_report_check(const struct rc_invocation *invocation,
                        const struct rc_report_options *options);

/* The kind of --as; -1 without it. */
int rc_cmd_report_kind(const struct rc_report_options *options);

/* Makes the rules, with random numbers of stream 0 of the seed.  -1 if memory runs out.  The caller
 * ends the rules in either case. */
int rc_cmd_report_rules_begin(const struct rc_report_options *options, struct rc_value_rules *rules,
                              struct rc_error *error);
void rc_cmd_report_rules_end(struct rc_value_rules *rules);

#endif
