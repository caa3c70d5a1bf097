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
    .summary = "Record what an MPI program does, and look at recordings",
    .arguments = "-- COMMAND [ARGUMENT...]",
    .details =
        "A recording is a directory with a file for each rank: its MPI calls, their times, and the "
        "computing between them.\n\n"
        "The program is run as it is: an object that is loaded into it notes each MPI call. It "
        "makes no call of its own that communicates, and prints nothing; on any trouble it stops, "
        "says so once, and the program goes on. The program's input, output, signals and exit "
        "status are its own. On several hosts, DIR and runcast itself must be the same ones on all "
        "of them.",
    .examples = "  runcast trace -o heat -- mpirun -np 4 ./heat 1000\n"
                "  runcast trace -o md -- runcast lab mpirun -np 4 ./md 4000\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .command_at = 1,
    .options = rc_cmd_trace_record_options,
    .options_size = sizeof(struct rc_cmd_trace_record_options),
    .run = rc_cmd_trace_record,
    .children = verbs,
};
