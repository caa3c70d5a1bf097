// SPDX-License-Identifier: GPL-3.0-or-later
/* agent_words.c - the command by which other commands start 'runcast sense' as an agent. */
#include "cmd/sense/agent_words.h"

#include <math.h>
#include <string.h>

void rc_cmd_agent_words(struct rc_cmd_agent_words *agent, const char *program, double every,
                        double probe_every, const char *leave_out)
{
    size_t n = 0;

    *agent = (struct rc_cmd_agent_words){{NULL}, "", ""};
    rc_number_format(every, agent->every);
    if (probe_every > 0)
        rc_number_format(probe_every, agent->probe_every);
    else
        strcpy(agent->probe_every, "never");
    agent->words[n++] = program && *program ? program : "runcast";
    agent->words[n++] = "sense";
    agent->words[n++] = "--agent";
    agent->words[n++] = "--every";
    agent->words[n++] = agent->every;
    if (!isnan(probe_every)) {
        agent->words[n++] = "--probe-every";
        agent->words[n++] = agent->probe_every;
    }
    if (leave_out && *leave_out) {
        agent->words[n++] = "--leave-out";
        agent->words[n] = leave_out;
    }
}
