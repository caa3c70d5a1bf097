// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.c - 'runcast trace': traces of what MPI programs do; what its verbs share. */
#include "cmd/trace/trace.h"

#include <stdlib.h>

#include "cmd/core/commands.h"
#include "platform/hostlist.h"

int rc_cmd_trace_open(struct rc_cmd_trace *trace, const struct rc_invocation *invocation)
{
    struct rc_error error = {0};
    struct rc_cmd_work work;

    *trace = (struct rc_cmd_trace){.profile = NULL};
    trace->set = rc_trace_set_open(invocation->arguments[0], &error);
    if (trace->set) {
        rc_cmd_work_begin(&work, "reading");
        trace->profile = rc_trace_profile_create(trace->set, &work.monitor, &error);
        rc_cmd_work_end(&work);
    }
    if (trace->profile)
        return 0;
    rc_cmd_fail(&error, "%s", invocation->path);
    rc_cmd_trace_close(trace);
    return -1;
}

void rc_cmd_trace_close(struct rc_cmd_trace *trace)
{
    rc_trace_profile_destroy(trace->profile);
    rc_trace_set_close(trace->set);
}

char *rc_cmd_trace_hosts(const struct rc_trace_set *set)
{
    size_t n;
    const char **names = rc_trace_set_hosts(set, &n);
    char *text = names ? rc_platform_hostlist_compress(names, n, NULL) : NULL;

    free(names);
    return text;
}

const char *rc_cmd_trace_title(const struct rc_trace_set *set)
{
    return set->about.command ? set->about.command : rc_trace_set_program(set);
}

static const struct rc_command *const verbs[] = {&rc_command_trace_info, &rc_command_trace_check,
                                                 &rc_command_trace_keep, NULL};

const struct rc_command rc_command_trace = {
    .name = "trace",
    .summary = "Record what an MPI program does, and look at recordings",
    .arguments = "-- COMMAND [ARGUMENT...]",
    .details =
        "A recording is a directory with a file for each rank: its MPI calls, their times, and the "
        "computing between them.\n\n"
        "The program is run as it is: an object that is loaded into it notes each MPI call. It "
        "makes no call of its own that communicates; on any trouble it stops, says so once, and "
        "the "
        "program goes on. The program's input, output, signals and exit "
        "status are its own. On several hosts, DIR and runcast itself must be the same ones on all "
        "of them. Programs on simulated clusters ('runcast lab sim', smpirun) are recorded with "
        "the "
        "times of the simulation.",
    .examples = "  runcast trace -o heat.rec -- mpirun -np 4 ./heat 1000\n"
                "  runcast trace -o md.rec -- runcast lab mpirun -p 4 ./md 4000\n"
                "  runcast trace -o cg.rec -- runcast lab sim --platform-file grid.yaml -p 4 cg\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .command_at = 1,
    .options = rc_cmd_trace_record_options,
    .options_size = sizeof(struct rc_cmd_trace_record_options),
    .run = rc_cmd_trace_record,
    .children = verbs,
};
