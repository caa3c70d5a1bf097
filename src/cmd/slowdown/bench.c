// SPDX-License-Identifier: GPL-3.0-or-later
/* bench.c - 'runcast slowdown bench': measurements for another runcast. */
#include <unistd.h>

#include "base/error.h"
#include "cmd/slowdown/slowdown.h"
#include "model/slowdown/calibrate/bench.h"

struct bench_options {
    bool agent;
};

static const struct rc_option bench_options[] = {
    {RC_OPTION_OF(struct bench_options, FLAG, agent), .name = "agent",
     .help = "serve another runcast over standard input and output"},
    RC_OPTIONS_END,
};

static int run_bench(struct rc_invocation *invocation)
{
    const struct bench_options *options = invocation->options;
    struct rc_cmd_work work;
    struct rc_error error = {0};
    int status;

    if (!options->agent) {
        rc_error_set(&error, "missing option --agent: another runcast starts this command");
        rc_error_hint(&error, "to measure this machine: runcast slowdown calibrate");
        return rc_cmd_usage(invocation, &error);
    }
    rc_cmd_work_begin(&work, "bench");
    status = rc_slowdown_bench_serve(STDIN_FILENO, STDOUT_FILENO, &work.monitor, &error)
                 ? rc_cmd_fail(&error, "%s", invocation->path)
                 : RC_EXIT_OK;
    rc_cmd_work_end(&work);
    return status;
}

const struct rc_command rc_command_slowdown_bench = {
    .name = "bench",
    .summary = "Measure this host for another runcast",
    .details =
        "'runcast slowdown calibrate' starts this command on each host with its launcher. It "
        "reads requests and writes answers, one JSON object per line. It stops measuring "
        "and ends when its standard input ends.",
    .options = bench_options,
    .options_size = sizeof(struct bench_options),
    .run = run_bench,
};
