// SPDX-License-Identifier: GPL-3.0-or-later
/* info.c - 'runcast trace info': what a recorded program spent its time on. */
#include "cmd/trace/trace.h"

#include <inttypes.h>

#include "report/plot.h"

struct info_options {
    int64_t rank;
    bool json;
    const char *plot;
};

static const struct info_options info_defaults = {.rank = -1};

static const struct rc_option info_options[] = {
    {.name = "rank",
     .kind = RC_OPTION_INTEGER,
     .argument = "R",
     .help = "show this rank alone",
     .offset = offsetof(struct info_options, rank)},
    RC_OPTION_JSON(struct info_options),
    RC_OPTION_PLOT(struct info_options),
    RC_OPTIONS_END,
};

static int run_info(struct rc_invocation *invocation)
{
    const struct info_options *options = invocation->options;
    struct rc_error error = {0};
    struct rc_cmd_trace trace;
    int status = RC_EXIT_OK;

    if (options->plot && rc_plot_check(options->plot, &error) != 0)
        return rc_cmd_usage(invocation, &error);
    if (rc_cmd_trace_open(&trace, invocation) != 0)
        return RC_EXIT_FAILED;
    if (options->rank >= (int64_t)trace.profile->n_ranks) {
        status = rc_cmd_usage_text(invocation, "--rank: there are ranks 0 to %" PRIu32,
                                   trace.profile->n_ranks - 1);
    } else {
        (options->json ? rc_cmd_trace_json : rc_cmd_trace_tables)(trace.profile, options->rank);
        if (!trace.profile->whole)
            rc_cmd_note("the recording is not whole: see 'runcast trace check %s'",
                        invocation->arguments[0]);
        if (options->plot &&
            rc_cmd_trace_plot(options->plot, trace.profile, options->rank, &error) != 0)
            status = rc_cmd_fail(&error, "drawing %s", options->plot);
    }
    rc_cmd_trace_close(&trace);
    return status;
}

const struct rc_command rc_command_trace_info = {
    .name = "info",
    .summary = "Show what a recorded program spent its time on, and who talked to whom",
    .arguments = "DIR",
    .details = "Computing is the time between MPI calls, communicating the time inside of them; "
               "calls for files, and those that begin and end MPI, stand for themselves. A rank's "
               "closing wait is the last long call in which it waits for all others. Of a "
               "recording that is damaged, what can be read is shown.",
    .examples = "  runcast trace info DIR\n"
                "  runcast trace info DIR --rank 0 --json\n"
                "  runcast trace info DIR --plot trace.svg\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = info_options,
    .options_size = sizeof(struct info_options),
    .defaults = &info_defaults,
    .run = run_info,
};
