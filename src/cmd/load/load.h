// SPDX-License-Identifier: GPL-3.0-or-later
/* load.h - what the verbs of `runcast load` share. */
#ifndef RC_CMD_LOAD_LOAD_H
#define RC_CMD_LOAD_LOAD_H

#include "base/json.h"
#include "report/table.h"
#include "cmd/core/command.h"
#include "host/sense/cores.h"
#include "testbed/load/launch.h"
#include "testbed/load/stream.h"

extern const struct rc_command rc_command_load_cpu;
extern const struct rc_command rc_command_load_net;
extern const struct rc_command rc_command_load_mix;
extern const struct rc_command rc_command_load_random;
extern const struct rc_command rc_command_load_replay;

#define RC_LOAD_OPTION_FOR(type, default_text)                                                     \
    {                                                                                              \
        .name = "for", .kind = RC_OPTION_TEXT, .argument = "TIME",                                 \
        .help = "how long, or 'forever' (default: " default_text ")",                              \
        .offset = offsetof(type, how_long)                                                         \
    }
#define RC_LOAD_OPTION_CORE(type)                                                                  \
    {                                                                                              \
        .name = "core", .kind = RC_OPTION_TEXT, .argument = "LIST",                                \
        .help = "the cores that the load goes to, such as 0 or 0,2-3",                             \
        .offset = offsetof(type, core)                                                             \
    }
#define RC_LOAD_OPTION_PROBE(type)                                                                 \
    {                                                                                              \
        .name = "probe", .kind = RC_OPTION_FLAG,                                                   \
        .help = "also run a competitor on each core that takes all it gets, and tell how much it " \
                "got",                                                                             \
        .offset = offsetof(type, probe)                                                            \
    }

/* The options that say where the far end of a load on the network is. */
struct rc_cmd_load_far {
    const char *to, *address, *key, *launcher, *program;
};

#define RC_LOAD_OPTIONS_FAR(type)                                                                  \
    {.name = "to",                                                                                 \
     .kind = RC_OPTION_TEXT,                                                                       \
     .argument = "HOST[:PORT]",                                                                    \
     .help = "the host at the far end; the port where 'runcast load net --listen' waits there, "   \
             "unless --launcher starts it",                                                        \
     .offset = offsetof(type, far.to)},                                                            \
        {.name = "key",                                                                            \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "KEY",                                                                        \
         .help = "the key that the receiver told",                                                 \
         .offset = offsetof(type, far.key)},                                                       \
        {.name = "launcher",                                                                       \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "COMMAND",                                                                    \
         .help = "start the receiver by 'COMMAND HOST runcast ...', such as --launcher ssh",       \
         .offset = offsetof(type, far.launcher)},                                                  \
        {.name = "program",                                                                        \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "PATH",                                                                       \
         .help = "runcast's name at the far end, for --launcher (default: runcast)",               \
         .offset = offsetof(type, far.program)},                                                   \
    {                                                                                              \
        .name = "address", .kind = RC_OPTION_TEXT, .argument = "ADDRESS",                          \
        .help = "the address to connect to, where HOST is a name for the launcher alone",          \
        .offset = offsetof(type, far.address)                                                      \
    }

#define RC_LOAD_OPTION_DIRECTION(type)                                                             \
    {                                                                                              \
        .name = "direction", .kind = RC_OPTION_CHOICE, .argument = "WHICH",                        \
        .help = "send, receive or both (default: send)", .choices = rc_cmd_load_directions,        \
        .offset = offsetof(type, direction)                                                        \
    }
extern const char *const rc_cmd_load_directions[];
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

/* Adds `n` processes that compete for each of the cores with all they have. */
int rc_cmd_load_add_probes(struct rc_load_team *team, const struct rc_sense_cores *cores,
                           struct rc_error *error);

/* Runs the team, shows what came of it by `report`, and tells what went wrong.  Returns the exit
 * status. */
int rc_cmd_load_run(const struct rc_invocation *invocation, struct rc_load_team *team,
                    double seconds, struct rc_cmd_work *work,
                    void (*report)(void *data, const struct rc_load_team *team), void *data);

/* ---- parts of reports ---- */

/* {"load": NAME, "seconds": ..., "interrupted": ...} */
json_t *rc_cmd_load_json(const char *name, const struct rc_load_team *team);
/* "load NAME for 10 s" and, where it was, "(interrupted)", with a line end. */
void rc_cmd_load_title(const char *name, const struct rc_load_team *team);
void rc_cmd_load_quantity(struct rc_table *table, double value, enum rc_dimension dimension);
/* Distinct cores of a list, by their first coming. */
struct rc_sense_cores rc_cmd_load_distinct(const struct rc_sense_cores *cores);
/* What was sent and received, as members of `object`. */
void rc_cmd_load_set_bytes(json_t *object, const struct rc_load_tally *tally);

#endif
