// SPDX-License-Identifier: GPL-3.0-or-later
/* varying_load.c - making availability that changes with time real, and reporting it. */
#include "cmd/load/varying_load.h"

#include <math.h>

#include "testbed/load/core_fraction.h"
#include "testbed/load/send_credit.h"

int rc_cmd_follow_check(const struct rc_invocation *invocation,
                        const struct rc_cmd_load_receiver *receiver, double speed, double link_rate)
{
    struct rc_peer peer;

    if (!(speed > 0))
        return rc_cmd_usage_text(invocation, "--speed-up: must be greater than 0");
    if (!receiver->connect)
        return isnan(link_rate) ? RC_EXIT_OK
                                : rc_cmd_usage_text(invocation, "--link-rate needs --connect HOST");
    if (!(link_rate > 0))
        return rc_cmd_usage_text(invocation, isnan(link_rate)
                                                 ? "--connect needs --link-rate RATE"
                                                 : "--link-rate: must be greater than 0");
    return rc_cmd_load_receiver_check(invocation, receiver, &peer);
}

/* ---- the report ---- */

struct reporting {
    const struct rc_cmd_follow *follow;
    struct rc_sense_cores cores;
    size_t n_cpu; /* processes on the cores; then the link's, then competitors */
};

static void report_text(const struct reporting *r, const struct rc_answer_load *answer)
{
    const struct rc_answer_load_stream *link = answer->streams;
    char wanted[RC_UNIT_SIZE], got[RC_UNIT_SIZE];

    rc_cmd_load_title(answer);
    if (r->follow->with_cpu) {
        printf("mean CPU availability: requested %.4g, imposed %.4g\n\n",
               answer->requested_availability, answer->availability);
        rc_field_table(stdout,
                       answer->verified ? rc_answer_load_follow_verified
                                        : rc_answer_load_follow_core,
                       answer->cores, answer->n_cores, sizeof *answer->cores, rc_cmd_width(), NULL);
    }
    if (r->follow->with_link) {
        rc_unit_format(link->requested, RC_RATE, wanted);
        rc_unit_format(link->rate, RC_RATE, got);
        printf("%smean available part of the link: requested %.4g; send rate: requested %s, "
               "arrived %s\n",
               r->follow->with_cpu ? "\n" : "", link->requested_availability, wanted, got);
    }
}

static void report(const void *data, const struct rc_load_team *team)
{
    const struct reporting *r = data;
    const struct rc_cmd_follow *follow = r->follow;
    struct rc_answer_load answer = rc_cmd_load_answer(follow->name, team);
    struct rc_answer_load_stream link;
    double made;

    answer.verified = follow->verify;
    answer.source = &follow->source;
    answer.requested_availability =
        rc_load_follow_mean(&follow->cpu, answer.seconds, &answer.availability);
    if (follow->with_link) {
        link = rc_answer_load_stream_make(rc_load_team_tally(team, r->n_cpu), RC_LOAD_SEND);
        link.requested_availability = rc_load_follow_mean(&follow->link, answer.seconds, &made);
        link.requested = rc_load_part(link.tally.wanted, &link.tally);
        answer.streams = &link;
        answer.n_streams = 1;
    }
    if (rc_answer_load_add_cores(&answer, team, &r->cores, r->n_cpu,
                                 r->n_cpu + follow->with_link) == 0) {
        if (!follow->json)
            report_text(r, &answer);
        if (follow->with_cpu && answer.availability > answer.requested_availability)
            rc_cmd_note(
                "%zu processes cannot make the CPU availability smaller than %.3g; use a larger "
                "--procs",
                follow->cpu.most, 1 / ((double)follow->cpu.most + 1));
        if (follow->json)
            rc_cmd_load_print_json(rc_answer_load_follow, &answer);
    }
    rc_answer_load_free(&answer);
}

/* ---- the load ---- */

/* As many processes on each core as it may take; the steps decide which of them run. */
static int add_cores(struct rc_load_team *team, const struct reporting *r, struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; r->n_cpu > 0 && i < r->follow->cpu.most && status == 0; i++) {
        struct rc_load_follow_core of = {&r->follow->cpu, i};
        struct rc_load_duty_plan plan = {.fraction = rc_load_follow_fraction, .data = &of};

        status = rc_load_duty_add(team, &plan, &r->cores, r->cores.n, error);
    }
    return status;
}

static int add_link(struct rc_load_team *team, const struct rc_cmd_follow *follow,
                    const struct rc_peer *peer, struct rc_error *error)
{
    struct rc_load_follow_link of = {&follow->link, follow->link_rate};
    struct rc_load_stream stream = {.peer = *peer,
                                    .streams = 1,
                                    .direction = RC_LOAD_SEND,
                                    .message = rc_load_message_size(follow->link_rate / 4),
                                    .rate_at = rc_load_follow_rate,
                                    .rate_data = &of};
    const struct rc_load_task task = {.prepare = rc_load_stream_prepare,
                                      .body = rc_load_stream_body,
                                      .data = &stream,
                                      .core = -1,
                                      .descriptor = -1};

    return rc_load_team_add(team, &task, error);
}

static int add(const void *data, struct rc_load_team *team, const struct rc_peer *peer,
               struct rc_error *error)
{
    const struct reporting *r = data;

    if (add_cores(team, r, error))
        return -1;
    return r->follow->with_link ? add_link(team, r->follow, peer, error) : 0;
}

int rc_cmd_follow_run(const struct rc_invocation *invocation, const struct rc_cmd_follow *follow)
{
    struct reporting r = {.follow = follow};
    struct rc_cmd_load_job job = {.label = invocation->path,
                                  .receiver = follow->with_link ? follow->receiver : NULL,
                                  .competitors = follow->verify ? &r.cores : NULL,
                                  .seconds = follow->seconds,
                                  .load = &r,
                                  .add = add,
                                  .report = report};
    struct rc_sense_cores listed;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    if (follow->with_link &&
        (status = rc_cmd_load_receiver_check(invocation, follow->receiver, &job.peer)))
        return status;
    if (follow->with_cpu) {
        if (rc_sense_cores_choose(follow->core, &listed, &error))
            return rc_cmd_fail(&error, "%s", invocation->path);
        r.cores = rc_sense_cores_distinct(&listed);
        r.n_cpu = r.cores.n * follow->cpu.most;
    }
    job.room = r.n_cpu + 1 + r.cores.n;
    return rc_cmd_load_run(invocation, &job);
}
