// SPDX-License-Identifier: GPL-3.0-or-later
/* varying_load.h - what 'runcast load random' and 'runcast load replay' share: availability that
 * changes with time is made real, and reported. */
#ifndef RC_CMD_LOAD_VARYING_LOAD_H
#define RC_CMD_LOAD_VARYING_LOAD_H

#include "cmd/load/load.h"
#include "testbed/load/target_usage.h"

/* Processes on a core, unless --procs says otherwise: 0.05 is the least that they leave. */
enum { RC_LOAD_FOLLOW_PROCS = 19 };

struct rc_cmd_follow {
    const char *name; /* of the verb */
    const char *core; /* --core */
    bool probe, json;
    bool with_cpu, with_link;
    struct rc_load_follow cpu, link; /* their steps belong to the caller */
    const struct rc_cmd_load_far *far;
    double bandwidth;
    double seconds;
    struct rc_answer_load_source source; /* of the steps */
};

#define RC_LOAD_OPTIONS_FOLLOW(type)                                                               \
    {.name = "speed-up",                                                                           \
     .kind = RC_OPTION_QUANTITY,                                                                   \
     .argument = "FACTOR",                                                                         \
     .help = "let time pass so many times as fast (default: 1)",                                   \
     .dimension = RC_COUNT,                                                                        \
     .offset = offsetof(type, speed)},                                                             \
        {.name = "procs",                                                                          \
         .letter = 'p',                                                                            \
         .kind = RC_OPTION_INTEGER,                                                                \
         .argument = "K",                                                                          \
         .help = "processes on each core at most, which leave 1/(K + 1) of it at the least "       \
                 "(default: 19)",                                                                  \
         .least = 1,                                                                               \
         .offset = offsetof(type, procs)},                                                         \
        RC_LOAD_OPTION_CORE(type), RC_LOAD_OPTION_PROBE(type), RC_LOAD_OPTIONS_FAR(type),          \
    {                                                                                              \
        .name = "bandwidth", .kind = RC_OPTION_QUANTITY, .argument = "RATE",                       \
        .help = "what the link to the far end can take, of which a part is to be available",       \
        .dimension = RC_RATE, .offset = offsetof(type, bandwidth)                                  \
    }

/* Checks --speed-up, --to and --bandwidth. */
int rc_cmd_follow_check(const struct rc_invocation *invocation, const struct rc_cmd_load_far *far,
                        double speed, double bandwidth);

/* Makes it real, and reports.  Returns the exit status. */
int rc_cmd_follow_run(const struct rc_invocation *invocation, const struct rc_cmd_follow *follow);

#endif
