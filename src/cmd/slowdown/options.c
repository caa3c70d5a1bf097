// SPDX-License-Identifier: GPL-3.0-or-later
/* options.c - whether options of 'runcast slowdown' make sense together. */
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
            invocation, "--word-bytes: a word has more than 0 bytes, and a million at most");
    if (!isnan(options->memory) && !(options->memory >= 0 && options->memory <= 1))
        return rc_cmd_usage_text(invocation, "--memory: a share is between 0 and 1");
    if (options->cores > CORES_MAX || options->processes > CORES_MAX)
        return rc_cmd_usage_text(invocation, "--%s: at most %d",
                                 options->cores > CORES_MAX ? "cores" : "processes", CORES_MAX);
    if (options->shared_link && options->model && strcmp(options->model, "paper") == 0)
        return rc_cmd_usage_text(
            invocation,
            "--shared-link has no effect with --model paper: only the queue knows of it");
    if (options->platform && options->delay && !options->host)
        return rc_cmd_usage_text(invocation, "--platform has no effect beside --delay, unless "
                                             "--host says of which of its hosts cores are taken");
    return RC_EXIT_OK;
}

/* A host of which nothing is known, where nothing but that would be of use. */
static int refuse_host(const struct rc_invocation *invocation,
                       const struct rc_cmd_slowdown_options *options,
                       const struct rc_cmd_slowdown *slowdown)
{
    struct rc_error error = {0};

    rc_error_set(&error,
                 "--host has no effect: there is no '%.60s' in a calibration of '%.60s', and no "
                 "competitor of which nothing is known ('?')",
                 options->host, slowdown->platform);
    if (slowdown->calibrated)
        rc_error_hint(&error, "--platform names another calibration");
    else
        rc_error_hint(&error, "'runcast slowdown calibrate' measures this machine; --platform "
                              "names another calibration");
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
        return rc_cmd_usage_text(invocation,
                                 "--bandwidth has no effect: --delay %.60s is the same at any",
                                 options->delay);
    if (!isnan(options->word_bytes) && !words)
        return rc_cmd_usage_text(
            invocation, "--word-bytes has no effect: nothing is given in words, such as 0.45Mw/s");
    return RC_EXIT_OK;
}
