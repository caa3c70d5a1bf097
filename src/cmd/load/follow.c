// SPDX-License-Identifier: GPL-3.0-or-later
/* follow.c - making availability that changes with time real, and reporting it. */
#include "cmd/load/follow.h"

#include <math.h>
#include <stdlib.h>

#include "answer/load.h"
#include "testbed/load/duty.h"
#include "testbed/load/send_credit.h"

int rc_cmd_follow_check(const struct rc_invocation *invocation, const struct rc_cmd_load_far *far,
                        double speed, double bandwidth)
{
    struct rc_peer peer;

    if (!(speed > 0))
        return rc_cmd_usage_text(invocation, "--speed-up: it must be greater than 0");
    if (!far->to)
        return isnan(bandwidth) ? RC_EXIT_OK
                                : rc_cmd_usage_text(invocation, "--bandwidth needs --to HOST");
    if (!(bandwidth > 0))
        return rc_cmd_usage_text(invocation, isnan(bandwidth)
                                                 ? "--to needs the link's --bandwidth RATE"
                                                 : "--bandwidth: it must be greater than 0");
    return rc_cmd_load_far_check(invocation, far, &peer);
}

/* ---- the report ---- */

struct reporting {
    const struct rc_cmd_follow *follow;
    struct rc_sense_cores cores;
    size_t n_cpu; /* processes on the cores; then comes the link's, then the probes */
};

static struct rc_answer_load_core *list_cores(const struct reporting *r,
                                              const struct rc_load_team *team)
{
    struct rc_answer_load_core *list = calloc(r->cores.n + 1, sizeof *list);

    for (size_t i = 0; list && i < r->cores.n; i++) {
        int core = r->cores.items[i];
        struct rc_load_tally sum = rc_load_team_sum(team, 0, r->n_cpu, core);

        list[i] = (struct rc_answer_load_core){
            .core = core,
            .asked = rc_load_part(sum.asked, &sum),
            .used = rc_load_part(sum.cpu, &sum),
            .probe = rc_cmd_load_probe(team, r->n_cpu + r->follow->with_link, core)};
    }
    return list;
}

static struct rc_answer_load_stream find_link(const struct reporting *r,
                                              const struct rc_load_team *team)
{
    const struct rc_load_tally *tally = rc_load_team_tally(team, r->n_cpu);
    double made;

    return (struct rc_answer_load_stream){.asked_availability = rc_load_follow_mean(
                                              &r->follow->link, rc_load_team_seconds(team), &made),
                                          .asked = rc_load_part(tally->wanted, tally),
                                          .rate = rc_load_stream_rate(tally, RC_LOAD_SEND),
                                          .tally = *tally};
}

static const struct rc_field *core_fields(const struct reporting *r)
{
    return r->follow->probe ? rc_answer_load_follow_probed : rc_answer_load_follow_core;
}

static void report_json(const struct reporting *r, const struct rc_load_team *team,
                        const struct rc_answer_load_core *cores)
{
    const struct rc_cmd_follow *follow = r->follow;
    double made, asked;
    json_t *object = rc_cmd_load_json(follow->name, team);

    if (follow->source)
        rc_json_set(object, "source", json_incref(follow->source));
    if (follow->with_cpu) {
        asked = rc_load_follow_mean(&follow->cpu, rc_load_team_seconds(team), &made);
        rc_json_set(object, "asked_availability", rc_json_number(asked));
        rc_json_set(object, "availability", rc_json_number(made));
        rc_json_set(object, "cores",
                    rc_field_json_list(core_fields(r), cores, r->cores.n, sizeof *cores));
    }
    if (follow->with_link) {
        const struct rc_answer_load_stream link = find_link(r, team);

        rc_json_set(object, "link", rc_field_json(rc_answer_load_link, &link));
    }
    rc_cmd_print_json(object);
}

static void report_text(const struct reporting *r, const struct rc_load_team *team,
                        const struct rc_answer_load_core *cores)
{
    const struct rc_cmd_follow *follow = r->follow;
    double made, asked;

    rc_cmd_load_title(follow->name, team);
    if (follow->with_cpu) {
        asked = rc_load_follow_mean(&follow->cpu, rc_load_team_seconds(team), &made);
        printf("mean availability of the cores: asked %.4g, imposed %.4g\n\n", asked, made);
        rc_field_table(stdout, core_fields(r), cores, r->cores.n, sizeof *cores, rc_cmd_width(),
                       NULL);
    }
    if (follow->with_link) {
        const struct rc_answer_load_stream link = find_link(r, team);
        char wanted[RC_UNIT_SIZE], got[RC_UNIT_SIZE];

        rc_unit_format(link.asked, RC_RATE, wanted);
        rc_unit_format(link.rate, RC_RATE, got);
        printf("%smean availability of the link: asked %.4g; to be sent %s, arrived %s\n",
               follow->with_cpu ? "\n" : "", link.asked_availability, wanted, got);
    }
}

static void report(const void *data, const struct rc_load_team *team)
{
    const struct reporting *r = data;
    double made, asked = rc_load_follow_mean(&r->follow->cpu, rc_load_team_seconds(team), &made);
    struct rc_answer_load_core *cores = list_cores(r, team);

    if (cores && r->follow->json)
        report_json(r, team, cores);
    else if (cores)
        report_text(r, team, cores);
    free(cores);
    fflush(stdout);
    if (r->follow->with_cpu && made > asked)
        rc_cmd_note("%zu processes leave %.3g of a core at the least, so that what was to be less "
                    "was made that; --procs allows more",
                    r->follow->cpu.most, 1 / ((double)r->follow->cpu.most + 1));
}

/* ---- the load ---- */

static int add_cores(struct rc_load_team *team, const struct reporting *r, struct rc_error *error)
{
    for (size_t i = 0; i < r->n_cpu; i++) {
        struct rc_load_follow_core of = {&r->follow->cpu, i / r->cores.n};
        struct rc_load_duty_plan plan = {.fraction = rc_load_follow_fraction, .data = &of};
        const struct rc_load_task task = {.body = rc_load_duty_body,
                                          .data = &plan,
                                          .core = r->cores.items[i % r->cores.n],
                                          .descriptor = -1};

        if (rc_load_team_add(team, &task, error))
            return -1;
    }
    return 0;
}

static int add_link(struct rc_load_team *team, const struct rc_cmd_follow *follow,
                    const struct rc_peer *peer, struct rc_error *error)
{
    struct rc_load_follow_link of = {&follow->link, follow->bandwidth};
    struct rc_load_stream stream = {.peer = *peer,
                                    .streams = 1,
                                    .direction = RC_LOAD_SEND,
                                    .message = rc_load_message_size(follow->bandwidth / 4),
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
                                  .far = follow->with_link ? follow->far : NULL,
                                  .probes = follow->probe ? &r.cores : NULL,
                                  .seconds = follow->seconds,
                                  .load = &r,
                                  .add = add,
                                  .report = report};
    struct rc_sense_cores listed;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    if (follow->with_link && (status = rc_cmd_load_far_check(invocation, follow->far, &job.peer)))
        return status;
    if (follow->with_cpu) {
        if (rc_sense_cores_choose(follow->core, &listed, &error))
            return rc_cmd_fail(&error, "%s", invocation->path);
        r.cores = rc_cmd_load_distinct(&listed);
        r.n_cpu = r.cores.n * follow->cpu.most;
    }
    job.room = r.n_cpu + 1 + r.cores.n;
    return rc_cmd_load_run(invocation, &job);
}
