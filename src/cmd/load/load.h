// SPDX-License-Identifier: GPL-3.0-or-later
/* load.h - what the verbs of `runcast load` share. */
#ifndef RC_CMD_LOAD_LOAD_H
#define RC_CMD_LOAD_LOAD_H

#include "base/json.h"
#include "answer/load_fields.h"
#include "cmd/core/command.h"
#include "testbed/load/launch_receiver.h"
#include "testbed/load/client_stream.h"

extern const struct rc_command rc_command_load_cpu;
extern const struct rc_command rc_command_load_net;
extern const struct rc_command rc_command_load_mix;
extern const struct rc_command rc_command_load_random;
extern const struct rc_command rc_command_load_replay;

#define RC_LOAD_OPTION_FOR(type, default_text)                                                     \
    {                                                                                              \
        RC_OPTION_OF(type, TEXT, how_long),                                                        \
            .name = "for", .argument = "TIME",                                                     \
            .help = "how long, or 'forever' (default: " default_text ")"                           \
    }
#define RC_LOAD_OPTION_CORE(type)                                                                  \
    {                                                                                              \
        RC_OPTION_OF(type, TEXT, core),                                                            \
            .name = "core", .argument = "LIST",                                                    \
            .help = "the cores that the load goes to, such as 0 or 0,2-3"                          \
    }
#define RC_LOAD_OPTION_PROBE(type)                                                                 \
    {                                                                                              \
        RC_OPTION_OF(type, FLAG, probe), .name = "probe",                                          \
                                         .help = "also run a competitor on each core that takes "  \
                                                 "all it gets, and tell how much it got"           \
    }

/* The options that say where the far end of a load on the network is. */
struct rc_cmd_load_far {
    const char *to, *address, *key, *launcher, *program;
};

#define RC_LOAD_OPTIONS_FAR(type)                                                                  \
    {RC_OPTION_OF(type, TEXT, far.to), .name = "to", .argument = "HOST[:PORT]",                    \
     .help = "the host at the far end; the port where 'runcast load net --listen' waits there, "   \
             "unless --launcher starts it"},                                                       \
        {RC_OPTION_OF(type, TEXT, far.key), .name = "key", .argument = "KEY",                      \
         .help = "the key that the receiver told"},                                                \
        {RC_OPTION_OF(type, TEXT, far.launcher), .name = "launcher", .argument = "COMMAND",        \
         .help = "start the receiver by 'COMMAND HOST runcast ...', such as --launcher ssh"},      \
        {RC_OPTION_OF(type, TEXT, far.program), .name = "program", .argument = "PATH",             \
         .help = "runcast's name at the far end, for --launcher (default: runcast)"},              \
    {                                                                                              \
        RC_OPTION_OF(type, TEXT, far.address),                                                     \
            .name = "address", .argument = "ADDRESS",                                              \
            .help = "the address to connect to, where HOST is a name for the launcher alone"       \
    }

#define RC_LOAD_OPTION_DIRECTION(type)                                                             \
    {                                                                                              \
        RC_OPTION_OF(type, CHOICE, direction), .name = "direction", .argument = "WHICH",           \
                                               .choices = rc_cmd_load_directions,                  \
                                               .help = "send, receive or both (default: send)"     \
    }
extern const char *const rc_cmd_load_directions[];
/* By the name of one of them; RC_LOAD_SEND for NULL. */
enum rc_load_direction rc_cmd_load_direction(const char *name);

/* Reads --for into `*seconds` (INFINITY: forever); `otherwise` where it is not there.  The exit
 * status of a wrong call where it is none. */
int rc_cmd_load_seconds(const struct rc_invocation *invocation, const char *how_long,
                        double otherwise, double *seconds);

/* Checks --to and what goes with it, without doing anything. */
int rc_cmd_load_far_check(const struct rc_invocation *invocation, const struct rc_cmd_load_far *far,
                          struct rc_peer *peer);
/* Starts the receiver where there is a launcher.  Stop with rc_load_launch_stop() in any case. */
int rc_cmd_load_far_start(const struct rc_cmd_load_far *far, struct rc_peer *peer,
                          struct rc_load_launch *launch, const struct rc_monitor *monitor,
                          struct rc_error *error);

/* A load that is ready to begin. */
struct rc_cmd_load_job {
    const char *label;                 /* of its progress */
    const struct rc_cmd_load_far *far; /* NULL: there is no far end */
    struct rc_peer peer;               /* where it is, as rc_cmd_load_far_check() found */
    const struct rc_sense_cores
        *probes; /* cores that get a competitor, after all others; or NULL */
    size_t room; /* processes, probes included */
    double seconds;
    const void *load; /* for the functions below */
    /* Adds the processes to the team. */
    int (*add)(const void *load, struct rc_load_team *team, const struct rc_peer *peer,
               struct rc_error *error);
    void (*report)(const void *load, const struct rc_load_team *team);
};

/* Runs it, shows what came of it, and tells what went wrong.  Returns the exit status. */
int rc_cmd_load_run(const struct rc_invocation *invocation, struct rc_cmd_load_job *job);

/* ---- parts of reports ---- */

/* What the report of each load begins with. */
struct rc_answer_load rc_cmd_load_answer(const char *name, const struct rc_load_team *team);
/* "load NAME for 10 s" and, where it was, "(interrupted)", with a line end. */
void rc_cmd_load_title(const struct rc_answer_load *answer);

#endif
