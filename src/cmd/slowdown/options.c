// SPDX-License-Identifier: GPL-3.0-or-later
/* options.c - checks of the options of 'runcast slowdown'. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/slowdown/slowdown.h"

enum { CORES_MAX = 1 << 20 };

double rc_cmd_word_bytes(double given)
{
    return isnan(given) ? RC_WORD_BYTES : given;
}

int rc_cmd_slowdown_check(const struct rc_invocation *invocation,
                          const struct rc_cmd_slowdown_options *options)
{
    if (!isnan(options->word_bytes) && !(options->word_bytes > 0 && options->word_bytes <= 1e6))
        return rc_cmd_usage_text(
            invocation, "--word-bytes: must be greater than 0, and at most a million bytes");
    if (!isnan(options->memory_bound) &&
        !(options->memory_bound >= 0 && options->memory_bound <= 1))
        return rc_cmd_usage_text(invocation, "--memory-bound: must be from 0 to 1");
    if (options->cores > CORES_MAX || options->procs > CORES_MAX)
        return rc_cmd_usage_text(invocation, "--%s: at most %d",
                                 options->cores > CORES_MAX ? "cores" : "procs", CORES_MAX);
    if (options->shared_link && options->model && strcmp(options->model, "paper") == 0)
        return rc_cmd_usage_text(
            invocation, "--shared-link has no effect with --model paper; use --model queue");
    if (options->platform && options->delay && !options->host)
        return rc_cmd_usage_text(invocation, "--platform has no effect with --delay, unless "
                                             "--host names one of its hosts");
    return RC_EXIT_OK;
}

/* A host that is not calibrated, without unknown competitors to fill in. */
static int refuse_host(const struct rc_invocation *invocation,
                       const struct rc_cmd_slowdown_options *options,
                       const struct rc_cmd_slowdown *slowdown)
{
    struct rc_error error = {0};

    rc_error_set(
        &error,
        "--host has no effect: no host '%.60s' in a calibration of '%.60s', and no unknown "
        "competitor ('?')",
        options->host, slowdown->platform);
    if (slowdown->calibrated)
        rc_error_hint(&error, "--platform selects another calibration");
    else
        rc_error_hint(&error, "'runcast slowdown calibrate' measures this machine; --platform "
                              "selects another calibration");
    return rc_cmd_usage(invocation, &error);
}

int rc_cmd_slowdown_check_use(const struct rc_invocation *invocation,
                              const struct rc_cmd_slowdown_options *options,
                              const struct rc_cmd_slowdown *slowdown)
{
    bool words =
        options->words || slowdown->paper_delay || rc_slowdown_word_rate_is(options->bandwidth);

    if (options->host && !options->platform && !slowdown->known &&
        rc_observe_competitors_count(slowdown->competitors.items, slowdown->competitors.n,
                                     RC_COMPETITOR_UNKNOWN) == 0)
        return refuse_host(invocation, options, slowdown);
    if (options->bandwidth && options->delay && slowdown->delay.n == 0)
        return rc_cmd_usage_text(
            invocation, "--bandwidth has no effect: --delay %.60s is the same for all rates",
            options->delay);
    if (!isnan(options->word_bytes) && !words)
        return rc_cmd_usage_text(
            invocation, "--word-bytes has no effect: no value is in words, such as 0.45Mw/s");
    return RC_EXIT_OK;
}
