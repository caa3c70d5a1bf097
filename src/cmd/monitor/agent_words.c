// SPDX-License-Identifier: GPL-3.0-or-later
/* agent_words.c - the command line that starts 'runcast monitor' as an agent. */
#include "cmd/monitor/agent_words.h"

#include <math.h>
#include <string.h>

void rc_cmd_agent_words(struct rc_cmd_agent_words *agent, const char *path, double interval,
                        double probe_interval, const char *exclude)
{
    size_t n = 0;

    *agent = (struct rc_cmd_agent_words){{NULL}, "", ""};
    rc_number_format(interval, agent->interval);
    if (isinf(probe_interval))
        strcpy(agent->probe_interval, "never");
    else
        rc_number_format(probe_interval, agent->probe_interval);
    agent->words[n++] = path && *path ? path : "runcast";
    agent->words[n++] = "monitor";
    agent->words[n++] = "--agent";
    agent->words[n++] = "--interval";
    agent->words[n++] = agent->interval;
    if (!isnan(probe_interval)) {
        agent->words[n++] = "--probe-interval";
        agent->words[n++] = agent->probe_interval;
    }
    if (exclude && *exclude) {
        agent->words[n++] = "--exclude";
        agent->words[n] = exclude;
    }
}
