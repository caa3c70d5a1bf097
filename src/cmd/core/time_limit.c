// SPDX-License-Identifier: GPL-3.0-or-later
/* time_limit.c - the time limit of a batch job, as 'runcast predict' and 'advise' show it. */
#include "cmd/core/time_limit.h"

#include <math.h>

#include "base/unit.h"

int rc_cmd_check_risk(const struct rc_invocation *invocation, double risk)
{
    return risk > 0 && risk < 1 ? RC_EXIT_OK
                                : rc_cmd_usage_text(invocation, "--risk must be between 0 and 1");
}

void rc_cmd_print_time_limit(const struct rc_answer_time_limit *limit)
{
    double seconds = limit->found.seconds;
    char text[RC_UNIT_SIZE];

    rc_unit_format(rc_predict_time_limit_round(seconds), RC_SECONDS, text);
    if (isfinite(seconds))
        printf("time limit: --time=%s\n", text);
    else
        printf("time limit: none is long enough under the forecast load\n");
}

void rc_cmd_print_risk(const struct rc_answer_time_limit *limit, const char *alone)
{
    size_t n_past = limit->found.n_past;

    printf("probability of exceeding the time limit: %g (", limit->risk);
    if (n_past > 0)
        printf("with the past accuracy of %zu prediction%s)\n", n_past, n_past == 1 ? "" : "s");
    else
        printf("by %s)\n", alone);
}

void rc_cmd_note_few_samples(const struct rc_answer_time_limit *limit, size_t n)
{
    if (limit->found.continued)
        rc_cmd_note("--samples %zu are few for --risk %g; the time limit is extrapolated from them",
                    n, limit->risk);
}
