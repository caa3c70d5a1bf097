// SPDX-License-Identifier: GPL-3.0-or-later
/* sense.h - what the two ways of `runcast sense` share. */
#ifndef RC_CMD_SENSE_SENSE_H
#define RC_CMD_SENSE_SENSE_H

#include "base/json.h"
#include "cmd/core/command.h"
#include "host/sense/host.h"

/* {"time": ..., "cpu": ..., ...}; what is not known is left out. */
json_t *rc_cmd_sense_json(const struct rc_sense_sample *sample);

/* Writes one line of JSON, at once, and frees it; -1 where nobody reads it any more. */
int rc_cmd_sense_say(json_t *object);

/* Answers what is asked on standard input (docs/sense.md) until that ends or nobody listens.
 * Returns the exit status. */
int rc_cmd_sense_agent(const struct rc_invocation *invocation, struct rc_sense_host *host,
                       double every, double seconds, struct rc_cmd_work *work);

#endif
