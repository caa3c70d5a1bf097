// SPDX-License-Identifier: GPL-3.0-or-later
/* agent_words.h - the command by which other commands start 'runcast sense' as an agent. */
#ifndef RC_CMD_SENSE_AGENT_WORDS_H
#define RC_CMD_SENSE_AGENT_WORDS_H

#include "base/number.h"

/* Not to be copied: the words point into it. */
struct rc_cmd_agent_words {
    const char *words[12]; /* up to a NULL */
    char every[RC_NUMBER_SIZE], probe_every[RC_NUMBER_SIZE];
};

/* Fills in `PROGRAM sense --agent --every S ...`.  `program` NULL: "runcast"; `probe_every` NAN:
 * the agent's default, 0: never; `leave_out` NULL or "": none.  Texts must outlive the words. */
void rc_cmd_agent_words(struct rc_cmd_agent_words *agent, const char *program, double every,
                        double probe_every, const char *leave_out);

#endif
