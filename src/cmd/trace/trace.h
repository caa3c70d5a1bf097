// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.h - the verbs of 'runcast trace'. */
#ifndef RC_CMD_TRACE_TRACE_H
#define RC_CMD_TRACE_TRACE_H

#include "base/json.h"
#include "cmd/core/command.h"
#include "mpi/trace/profile.h"

extern const struct rc_command rc_command_trace_check;
extern const struct rc_command rc_command_trace_info;
extern const struct rc_command rc_command_trace_keep;

/* A trace that a command works on. */
struct rc_cmd_trace {
    struct rc_trace_set *set;
    struct rc_profile *profile;
};

/* Reads the trace in the directory that the first argument names; says so and returns -1 where
 * that fails. */
int rc_cmd_trace_open(struct rc_cmd_trace *trace, const struct rc_invocation *invocation);
void rc_cmd_trace_close(struct rc_cmd_trace *trace);

/* What 'runcast trace -o DIR -- COMMAND' is given. */
struct rc_cmd_trace_record_options {
    const char *output, *mpi;
    bool force, quiet;
};
extern const struct rc_option rc_cmd_trace_record_options[];
int rc_cmd_trace_record(struct rc_invocation *invocation);

/* The hosts of a trace in little text, such as "a[1-4]"; to be freed, NULL where they are not
 * known. */
char *rc_cmd_trace_hosts(const struct rc_trace_set *set);

/* What was recorded: the command, or else the program. */
const char *rc_cmd_trace_title(const struct rc_trace_set *set);

#endif
