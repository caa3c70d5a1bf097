// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.h - the verbs of 'runcast trace'. */
#ifndef RC_CMD_TRACE_TRACE_H
#define RC_CMD_TRACE_TRACE_H

#include "base/json.h"
#include "cmd/core/command.h"
#include "mpi/trace/profile.h"

extern const struct rc_command rc_command_trace_check;
extern const struct rc_command rc_command_trace_info;
extern const struct rc_command rc_command_trace_import;
extern const struct rc_command rc_command_trace_record;

/* A trace that a command works on. */
struct rc_cmd_trace {
    struct rc_trace_set *set;
    struct rc_profile *profile;
};

/* Reads the trace in the directory that the first argument names.  Prints an error and returns -1
 * if that fails. */
int rc_cmd_trace_open(struct rc_cmd_trace *trace, const struct rc_invocation *invocation);
void rc_cmd_trace_close(struct rc_cmd_trace *trace);

/* The hosts of a trace as a list such as "a[1-4]", which the caller frees; NULL: unknown. */
char *rc_cmd_trace_hosts(const struct rc_trace_set *set);

/* The traced command or, if it is unknown, the program. */
const char *rc_cmd_trace_title(const struct rc_trace_set *set);

#endif
