// SPDX-License-Identifier: GPL-3.0-or-later
/* load.c - 'runcast load': contention on this machine; shared by its verbs. */
#include "cmd/load/load.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cmd/core/commands.h"
#include "testbed/load/core_fraction.h"
#include "platform/hostlist.h"

const char *const rc_cmd_load_directions[] = {"send", "receive", "both", NULL};

enum rc_load_direction rc_cmd_load_direction(const char *name)
{
    for (int i = 0; name && rc_cmd_load_directions[i]; i++)
        if (strcmp(rc_cmd_load_directions[i], name) == 0)
            return (enum rc_load_direction)i;
    return RC_LOAD_SEND;
}

int rc_cmd_load_seconds(const struct rc_invocation *invocation, const char *duration,
                        double otherwise, double *seconds)
{
    struct rc_error error = {0};

    *seconds = otherwise;
    if (!duration)
        return RC_EXIT_OK;
    if (strcmp(duration, "forever") == 0) {
        *seconds = INFINITY;
        return RC_EXIT_OK;
    }
    if (rc_unit_parse(duration, strlen(duration), RC_SECONDS, seconds, &error))
        return rc_cmd_usage_text(invocation, "--duration: %s", error.text);
    if (!(*seconds > 0))
        return rc_cmd_usage_text(invocation, "--duration: '%s' is not greater than 0", duration);
    return RC_EXIT_OK;
}

/* ---- the receiver ---- */

int rc_cmd_load_receiver_check(const struct rc_invocation *invocation,
                               const struct rc_cmd_load_receiver *receiver, struct rc_peer *peer)
{
    struct rc_error error = {0};

    *peer = (struct rc_peer){.port = 0};
    if (!receiver->connect)
        return rc_cmd_usage_text(invocation, "missing receiver; use --connect HOST");
    if (rc_socket_parse_peer(receiver->connect, peer, &error))
        return rc_cmd_usage_text(invocation, "--connect: %s", error.text);
    if (receiver->launcher && peer->port)
        return rc_cmd_usage_text(invocation,
                                 "--connect: with --launcher, the receiver chooses the port");
    if (receiver->launcher && !rc_platform_hostlist_is_name(peer->host))
        return rc_cmd_usage_text(invocation, "--connect: '%s' is not the name of a host",
                                 peer->host);
    if (receiver->launcher && receiver->key)
        return rc_cmd_usage_text(invocation,
                                 "--receiver-key: with --launcher, the receiver chooses the key");
    if (receiver->launcher)
        return RC_EXIT_OK;
    if (receiver->runcast_path)
        return rc_cmd_usage_text(invocation, "--runcast-path needs --launcher");
    if (!peer->port || !receiver->key) {
        rc_error_set(&error, "%s",
                     peer->port ? "missing --receiver-key" : "--connect: missing port");
        rc_error_hint(&error,
                      "start the receiver with --launcher ssh, or by hand: 'runcast load net "
                      "--listen PORT' prints the key");
        return rc_cmd_usage(invocation, &error);
    }
    if (!rc_socket_is_key(receiver->key))
        return rc_cmd_usage_text(invocation,
                                 "--receiver-key: '%s' is not a key (16 to 32 letters and digits)",
                                 receiver->key);
    memcpy(peer->key, receiver->key, strlen(receiver->key) + 1);
    return RC_EXIT_OK;
}

int rc_cmd_load_receiver_start(const struct rc_cmd_load_receiver *receiver, struct rc_peer *peer,
                               struct rc_load_launch *launch, const struct rc_monitor *monitor,
                               struct rc_error *error)
{
    const char *const command[] = {receiver->runcast_path ? receiver->runcast_path : "runcast",
                                   "load",
                                   "net",
                                   "--listen",
                                   "0",
                                   "--announce",
                                   NULL};
    struct rc_peer where = {.port = 0};

    *launch = (struct rc_load_launch){0, -1};
    if (receiver->launcher &&
        rc_load_launch_start(launch, receiver->launcher, peer->host, command, peer, monitor, error))
        return -1;
    if (!receiver->address)
        return 0;
    if (rc_socket_parse_peer(receiver->address, &where, error))
        return -1;
    memcpy(peer->host, where.host, sizeof peer->host);
    return 0;
}

int rc_cmd_load_run(const struct rc_invocation *invocation, struct rc_cmd_load_job *job)
{
    struct rc_load_duty_plan all = {.fixed = 1};
    struct rc_load_launch launch = {0, -1};
    struct rc_load_team *team = NULL;
    struct rc_error error = {0};
    struct rc_cmd_work work;
    int status = -1;

    rc_cmd_work_begin(&work, job->label);
    if (!job->receiver ||
        rc_cmd_load_receiver_start(job->receiver, &job->peer, &launch, &work.monitor, &error) == 0)
        team = rc_load_team_create(job->room, &error);
    if (team && job->add(job->load, team, &job->peer, &error) == 0 &&
        (!job->competitors ||
         rc_load_duty_add(team, &all, job->competitors, job->competitors->n, &error) == 0)) {
        status = rc_load_team_run(team, job->seconds, &work.monitor, &error);
        rc_progress_end(&work.progress);
        if (rc_load_team_seconds(team) > 0)
            job->report(job->load, team);
    }
    status = status ? rc_cmd_fail(&error, "%s", invocation->path) : RC_EXIT_OK;
    rc_load_team_destroy(team);
    rc_load_launch_stop(&launch);
    rc_cmd_work_end(&work);
    return status;
}

/* ---- parts of reports ---- */

struct rc_answer_load rc_cmd_load_answer(const char *name, const struct rc_load_team *team)
{
    return (struct rc_answer_load){.name = name,
                                   .seconds = rc_load_team_seconds(team),
                                   .interrupted = rc_cmd_interrupted() != 0};
}

void rc_cmd_load_print_json(const struct rc_field *fields, struct rc_answer_load *answer)
{
    answer->notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(fields, answer));
    json_decref(answer->notes);
    fflush(stdout);
}

void rc_cmd_load_title(const struct rc_answer_load *answer)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(answer->seconds, RC_SECONDS, text);
    printf("load %s: %s%s\n", answer->name, text, answer->interrupted ? " (interrupted)" : "");
}

/* ---- the verb ---- */

static const struct rc_command *const children[] = {
    &rc_command_load_cpu,    &rc_command_load_net,    &rc_command_load_mix,
    &rc_command_load_random, &rc_command_load_replay, NULL};

const struct rc_command rc_command_load = {
    .name = "load",
    .summary = "Put load on cores and links of this machine",
    .details = "Each command causes contention for some time, cleans up, and reports the load that "
               "it really imposed. Ctrl-C ends it early, with the same report.",
    .children = children,
};
