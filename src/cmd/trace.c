// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.c - 'runcast trace': recordings of what MPI programs do; what its verbs share. */
#include "cmd/trace.h"

#include <string.h>

#include "cmd/commands.h"

json_t *rc_cmd_trace_faults_json(const struct rc_faults *faults)
{
    json_t *list = json_array();

    for (size_t i = 0; i < faults->kept; i++)
        json_array_append_new(list, rc_json_text(faults->texts[i]));
    return list;
}

const char *rc_cmd_trace_name(const struct rc_recording_file *file)
{
    const char *slash = strrchr(file->path, '/');

    return slash ? slash + 1 : file->path;
}

static const struct rc_command *const verbs[] = {&rc_command_trace_check, NULL};

const struct rc_command rc_command_trace = {
    .name = "trace",
    .summary = "Look at recordings of what an MPI program does",
    .details = "A recording is a directory with a file for each rank: its MPI calls, their times, "
               "and the computing between them.",
    .children = verbs,
};
