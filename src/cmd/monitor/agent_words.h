// SPDX-License-Identifier: GPL-3.0-or-later
/* agent_words.h - the command line that starts 'runcast monitor' as an agent. */
#ifndef RC_CMD_MONITOR_AGENT_WORDS_H
#define RC_CMD_MONITOR_AGENT_WORDS_H

#include "base/number.h"

/* Not to be copied: the words point into it. */
struct rc_cmd_agent_words {
    const char *words[12]; /* up to a NULL */
    char interval[RC_NUMBER_SIZE], probe_interval[RC_NUMBER_SIZE];
};

/* Fills in `PATH monitor --agent --interval S ...`.  `path` NULL: "runcast"; `probe_interval` NAN:
 * the agent's default, INFINITY: never; `exclude` NULL or "": none.  Texts must outlive the
 * words. */
void rc_cmd_agent_words(struct rc_cmd_agent_words *agent, const char *path, double interval,
                        double probe_interval, const char *exclude);

#endif
