// SPDX-License-Identifier: GPL-3.0-or-later
/* load.c - 'runcast load': contention on this machine; what its verbs share. */
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

int rc_cmd_load_seconds(const struct rc_invocation *invocation, const char *how_long,
                        double otherwise, double *seconds)
{
    struct rc_error error = {0};

    *seconds = otherwise;
    if (!how_long)
        return RC_EXIT_OK;
    if (strcmp(how_long, "forever") == 0) {
        *seconds = INFINITY;
        return RC_EXIT_OK;
    }
    if (rc_unit_parse(how_long, strlen(how_long), RC_SECONDS, seconds, &error))
        return rc_cmd_usage_text(invocation, "--for: %s", error.text);
    if (!(*seconds > 0))
        return rc_cmd_usage_text(invocation, "--for: '%s' is not greater than 0", how_long);
    return RC_EXIT_OK;
}

/* ---- the far end ---- */

int rc_cmd_load_far_check(const struct rc_invocation *invocation, const struct rc_cmd_load_far *far,
                          struct rc_peer *peer)
{
    struct rc_error error = {0};

    *peer = (struct rc_peer){.port = 0};
    if (!far->to)
        return rc_cmd_usage_text(invocation, "say where the far end is: --to HOST");
    if (rc_socket_parse_peer(far->to, peer, &error))
        return rc_cmd_usage_text(invocation, "--to: %s", error.text);
    if (far->launcher && peer->port)
        return rc_cmd_usage_text(invocation, "--to: with --launcher the receiver picks the port");
    if (far->launcher && !rc_platform_hostlist_is_name(peer->host))
        return rc_cmd_usage_text(invocation, "--to: '%s' is no name of a host", peer->host);
    if (far->launcher && far->key)
        return rc_cmd_usage_text(invocation, "--key: with --launcher the receiver picks the key");
    if (far->launcher)
        return RC_EXIT_OK;
    if (far->program)
        return rc_cmd_usage_text(invocation, "--program: it is for --launcher");
    if (!peer->port || !far->key) {
        rc_error_set(&error, "%s", peer->port ? "--key is missing" : "--to: the port is missing");
        rc_error_hint(&error,
                      "'runcast load net --listen PORT' at the far end tells its key; or let "
                      "--launcher ssh start it");
        return rc_cmd_usage(invocation, &error);
    }
    if (!rc_socket_is_key(far->key))
        return rc_cmd_usage_text(invocation, "--key: '%s' is no key: 16 to 32 letters and digits",
                                 far->key);
    memcpy(peer->key, far->key, strlen(far->key) + 1);
    return RC_EXIT_OK;
}

int rc_cmd_load_far_start(const struct rc_cmd_load_far *far, struct rc_peer *peer,
                          struct rc_load_launch *launch, const struct rc_monitor *monitor,
                          struct rc_error *error)
{
    const char *const receiver[] = {far->program ? far->program : "runcast",
                                    "load",
                                    "net",
                                    "--listen",
                                    "0",
                                    "--announce",
                                    NULL};
    struct rc_peer where = {.port = 0};

    *launch = (struct rc_load_launch){0, -1};
    if (far->launcher &&
        rc_load_launch_start(launch, far->launcher, peer->host, receiver, peer, monitor, error))
        return -1;
    if (!far->address)
        return 0;
    if (rc_socket_parse_peer(far->address, &where, error))
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
    if (!job->far ||
        rc_cmd_load_far_start(job->far, &job->peer, &launch, &work.monitor, &error) == 0)
        team = rc_load_team_create(job->room, &error);
    if (team && job->add(job->load, team, &job->peer, &error) == 0 &&
        (!job->probes || rc_load_duty_add(team, &all, job->probes, job->probes->n, &error) == 0)) {
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

void rc_cmd_load_title(const struct rc_answer_load *answer)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(answer->seconds, RC_SECONDS, text);
    printf("load %s for %s%s\n", answer->name, text, answer->interrupted ? " (interrupted)" : "");
}

/* ---- the verb ---- */

static const struct rc_command *const children[] = {
    &rc_command_load_cpu,    &rc_command_load_net,    &rc_command_load_mix,
    &rc_command_load_random, &rc_command_load_replay, NULL};

const struct rc_command rc_command_load = {
    .name = "load",
    .summary = "Put load on this machine's cores and links",
    .details = "Each verb makes real contention for a time, ends by itself, leaves nothing behind, "
               "and tells what it really imposed. Ctrl-C ends it early, with the same report.",
    .children = children,
};
