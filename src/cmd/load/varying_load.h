// SPDX-License-Identifier: GPL-3.0-or-later
/* varying_load.h - shared by 'runcast load random' and 'runcast load replay': imposes an
 * availability that changes with time, and reports it. */
#ifndef RC_CMD_LOAD_VARYING_LOAD_H
#define RC_CMD_LOAD_VARYING_LOAD_H

#include "cmd/load/load.h"
#include "testbed/load/target_usage.h"

/* Processes on a core by default.  They leave at least 0.05 of it. */
enum { RC_LOAD_FOLLOW_PROCS = 19 };

struct rc_cmd_follow {
    const char *name; /* of the verb */
    const char *core; /* --core */
    bool verify, json;
    bool with_cpu, with_link;
    struct rc_load_follow cpu, link; /* their steps belong to the caller */
    const struct rc_cmd_load_receiver *receiver;
    double link_rate;
    double seconds;
    struct rc_answer_load_source source; /* of the steps */
};

#define RC_LOAD_OPTIONS_FOLLOW(type)                                                               \
    {.name = "speed-up",                                                                           \
     .kind = RC_OPTION_QUANTITY,                                                                   \
     .argument = "FACTOR",                                                                         \
     .help = "factor by which the load pattern is sped up (default: 1)",                           \
     .dimension = RC_COUNT,                                                                        \
     .offset = offsetof(type, speed)},                                                             \
        {.name = "procs",                                                                          \
         .letter = 'p',                                                                            \
         .kind = RC_OPTION_INTEGER,                                                                \
         .argument = "P",                                                                          \
         .help = "number of processes on each core, at most; they leave 1/(P + 1) of it "          \
                 "(default: 19)",                                                                  \
         .least = 1,                                                                               \
         .offset = offsetof(type, procs)},                                                         \
        RC_LOAD_OPTION_CORE(type), RC_LOAD_OPTION_VERIFY(type), RC_LOAD_OPTIONS_RECEIVER(type),    \
    {                                                                                              \
        .name = "link-rate", .kind = RC_OPTION_QUANTITY, .argument = "RATE",                       \
        .help = "rate of the link to the receiver when idle", .dimension = RC_RATE,                \
        .offset = offsetof(type, link_rate)                                                        \
    }

/* Checks --speed-up, --connect and --link-rate. */
int rc_cmd_follow_check(const struct rc_invocation *invocation,
                        const struct rc_cmd_load_receiver *receiver, double speed,
                        double link_rate);

/* Imposes it, and reports.  Returns the exit status. */
int rc_cmd_follow_run(const struct rc_invocation *invocation, const struct rc_cmd_follow *follow);

#endif
