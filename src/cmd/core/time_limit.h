// SPDX-License-Identifier: GPL-3.0-or-later
/* time_limit.h - the time limit of a batch job, as 'runcast predict' and 'advise' show it. */
#ifndef RC_CMD_CORE_TIME_LIMIT_H
#define RC_CMD_CORE_TIME_LIMIT_H

#include "answer/time_limit_fields.h"
#include "cmd/core/command.h"

/* The option --risk; `type` is the options struct of the command, whose member `risk` is NAN or
 * RC_CMD_RISK by default. */
#define RC_CMD_RISK 0.01
#define RC_OPTION_RISK(type)                                                                       \
    {                                                                                              \
        .name = "risk", .kind = RC_OPTION_QUANTITY, .argument = "P", .dimension = RC_FRACTION,     \
        .help = "probability that the time limit is too short, such as 1% (default: 0.01)",        \
        .offset = offsetof(type, risk)                                                             \
    }
/* Checks its value, and returns an exit status. */
int rc_cmd_check_risk(const struct rc_invocation *invocation, double risk);

/* Prints the time limit as an option that sbatch takes: days as D-HH:MM:SS. */
void rc_cmd_print_time_limit(const struct rc_answer_time_limit *limit);

/* Prints the probability of exceeding it, and what that rests on.  `alone` is that without past
 * predictions, "the model alone; no past predictions". */
void rc_cmd_print_risk(const struct rc_answer_time_limit *limit, const char *alone);
#define RC_CMD_BY_MODEL "the model alone; no past predictions"

/* A note, if `n` samples are too few for so small a risk. */
void rc_cmd_note_few_samples(const struct rc_answer_time_limit *limit, size_t n);

#endif
