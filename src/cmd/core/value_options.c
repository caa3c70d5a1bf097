// SPDX-License-Identifier: GPL-3.0-or-later
/* value_options.c - options of commands that compute a value. */
#include "cmd/core/value_options.h"

#include <string.h>

#include "base/error.h"

const char *const rc_report_kinds[] = {"point",     "normal", "interval", "modal",
                                       "histogram", "sample", NULL};
const char *const rc_report_rule_names[] = {"exact", "dissertation", NULL};
const char *const rc_report_extremes[] = {"true", "mean", "end", NULL};

int rc_cmd_report_check(const struct rc_invocation *invocation,
                        const struct rc_report_options *options)
{
    if (options->samples > RC_VALUE_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--samples: at most %d", RC_VALUE_DRAWS_MAX);
    if (options->bins > RC_VALUE_BINS_MAX)
        return rc_cmd_usage_text(invocation, "--bins: at most %d", RC_VALUE_BINS_MAX);
    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level: a probability between 0 and 1");
    if (options->correlated && strcmp(options->rules, "dissertation") != 0)
        return rc_cmd_usage_text(invocation, "--correlated needs --rules dissertation");
    return RC_EXIT_OK;
}

int rc_cmd_report_kind(const struct rc_report_options *options)
{
    for (int i = 0; options->as && rc_report_kinds[i]; i++)
        if (strcmp(rc_report_kinds[i], options->as) == 0)
            return i; /* in the order of enum rc_value_kind */
    return -1;
}

int rc_cmd_report_rules_begin(const struct rc_report_options *options, struct rc_value_rules *rules,
                              struct rc_error *error)
{
    rc_value_rules_init(rules);
    rules->dissertation = strcmp(options->rules, "dissertation") == 0;
    rules->correlated = options->correlated;
    rules->extreme = strcmp(options->extreme, "mean") == 0  ? RC_EXTREME_MEAN
                     : strcmp(options->extreme, "end") == 0 ? RC_EXTREME_END
                                                            : RC_EXTREME_TRUE;
    rules->bins = (size_t)options->bins;
    rules->draws = (size_t)options->samples;
    rules->random = rc_random_create((uint64_t)options->seed, 0);
    return rules->random ? 0 : rc_error_no_memory(error);
}

void rc_cmd_report_rules_end(struct rc_value_rules *rules)
{
    rc_random_destroy(rules->random);
    rules->random = NULL;
}
