// SPDX-License-Identifier: GPL-3.0-or-later
/* load.h - shared by the verbs of 'runcast load'. */
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

#define RC_LOAD_OPTION_DURATION(type, default_text)                                                \
    {                                                                                              \
        RC_OPTION_OF(type, TEXT, duration),                                                        \
            .name = "duration", .argument = "TIME",                                                \
            .help = "duration, or 'forever' (default: " default_text ")"                           \
    }
#define RC_LOAD_OPTION_CORE(type)                                                                  \
    {                                                                                              \
        RC_OPTION_OF(type, TEXT, core), .name = "core", .argument = "LIST",                        \
                                        .help = "cores to use, such as 0 or 0,2-3"                 \
    }
#define RC_LOAD_OPTION_VERIFY(type)                                                                \
    {                                                                                              \
        RC_OPTION_OF(type, FLAG, verify),                                                          \
            .name = "verify",                                                                      \
            .help = "run a competing process on each core and report the CPU time that it gets"    \
    }

/* The options that name the receiver of a network load. */
struct rc_cmd_load_receiver {
    const char *connect, *address, *key, *launcher, *runcast_path;
};

#define RC_LOAD_OPTIONS_RECEIVER(type)                                                             \
    {RC_OPTION_OF(type, TEXT, receiver.connect), .name = "connect", .argument = "HOST[:PORT]",     \
     .help = "host (and port) of the receiver; without PORT, --launcher starts it"},               \
        {RC_OPTION_OF(type, TEXT, receiver.key), .name = "receiver-key", .argument = "KEY",        \
         .help = "key that the receiver printed"},                                                 \
        {RC_OPTION_OF(type, TEXT, receiver.launcher), .name = "launcher", .argument = "COMMAND",   \
         .help = "command that starts a program on a host, such as ssh; it starts the receiver"},  \
        {RC_OPTION_OF(type, TEXT, receiver.runcast_path), .name = "runcast-path",                  \
         .argument = "PATH", .help = "path of runcast on the hosts (default: runcast)"},           \
    {                                                                                              \
        RC_OPTION_OF(type, TEXT, receiver.address),                                                \
            .name = "address", .argument = "ADDRESS",                                              \
            .help = "address to connect to, if HOST is known only to the launcher"                 \
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

/* Reads --duration into `*seconds` (INFINITY: forever); `otherwise` without it.  Returns an exit
 * status. */
int rc_cmd_load_seconds(const struct rc_invocation *invocation, const char *duration,
                        double otherwise, double *seconds);

/* Checks --connect and the options that go with it. */
int rc_cmd_load_receiver_check(const struct rc_invocation *invocation,
                               const struct rc_cmd_load_receiver *receiver, struct rc_peer *peer);
/* Starts the receiver if there is a launcher.  Stop with rc_load_launch_stop() in any case. */
int rc_cmd_load_receiver_start(const struct rc_cmd_load_receiver *receiver, struct rc_peer *peer,
                               struct rc_load_launch *launch, const struct rc_monitor *monitor,
                               struct rc_error *error);

/* A load that is ready to begin. */
struct rc_cmd_load_job {
    const char *label;                           /* of its progress */
    const struct rc_cmd_load_receiver *receiver; /* NULL: no network load */
    struct rc_peer peer;                         /* from rc_cmd_load_receiver_check() */
    const struct rc_sense_cores *competitors;    /* cores that get a competitor, after all other
                                                    processes; or NULL */
    size_t room;                                 /* processes, competitors included */
    double seconds;
    const void *load; /* for the functions below */
    /* Adds the processes to the team. */
    int (*add)(const void *load, struct rc_load_team *team, const struct rc_peer *peer,
               struct rc_error *error);
    void (*report)(const void *load, const struct rc_load_team *team);
};

/* Runs it and reports.  Returns the exit status. */
int rc_cmd_load_run(const struct rc_invocation *invocation, struct rc_cmd_load_job *job);

/* ---- parts of reports ---- */

/* The members that all loads have. */
struct rc_answer_load rc_cmd_load_answer(const char *name, const struct rc_load_team *team);
/* "load NAME: 10 s", and "(interrupted)" if it was, with a line end. */
void rc_cmd_load_title(const struct rc_answer_load *answer);
/* The whole report as JSON; after the last note. */
void rc_cmd_load_print_json(const struct rc_field *fields, struct rc_answer_load *answer);

#endif
