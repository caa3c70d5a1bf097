// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.h - the verbs of 'runcast trace'. */
#ifndef RC_CMD_TRACE_H
#define RC_CMD_TRACE_H

#include "base/json.h"
#include "cmd/command.h"
#include "trace/recording.h"

extern const struct rc_command rc_command_trace_check;

/* What 'runcast trace -o DIR -- COMMAND' is given. */
struct rc_cmd_trace_record_options {
    const char *output, *mpi;
    bool force, quiet;
};
extern const struct rc_option rc_cmd_trace_record_options[];
int rc_cmd_trace_record(struct rc_invocation *invocation);

/* The sentences of a list, as JSON. */
json_t *rc_cmd_trace_faults_json(const struct rc_faults *faults);

/* The name of a file of a recording, without its directory. */
const char *rc_cmd_trace_name(const struct rc_recording_file *file);

#endif
