// SPDX-License-Identifier: GPL-3.0-or-later
/* load_follow.c - making availability that changes with time real, and reporting it. */
#include "cmd/load/follow.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "testbed/load/duty.h"
#include "testbed/load/pace.h"

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

static double part_of(double seconds, const struct rc_load_tally *tally)
{
    return tally->wall > 0 ? seconds / tally->wall : 0;
}

static double probe_share(const struct reporting *r, const struct rc_load_team *team, size_t core)
{
    struct rc_load_tally sum =
        rc_load_team_sum(team, r->n_cpu + r->follow->with_link, r->cores.n, r->cores.items[core]);

    return part_of(sum.cpu, &sum);
}

static json_t *cores_json(const struct reporting *r, const struct rc_load_team *team)
{
    json_t *list = json_array(), *one;

    for (size_t i = 0; i < r->cores.n; i++) {
        struct rc_load_tally sum = rc_load_team_sum(team, 0, r->n_cpu, r->cores.items[i]);

        one = json_object();
        rc_json_set(one, "core", json_integer(r->cores.items[i]));
        rc_json_set(one, "asked_use", rc_json_number(part_of(sum.asked, &sum)));
        rc_json_set(one, "used", rc_json_number(part_of(sum.cpu, &sum)));
        if (r->follow->probe)
            rc_json_set(one, "probe", rc_json_number(probe_share(r, team, i)));
        json_array_append_new(list, one);
    }
    return list;
}

static void report_json(const struct reporting *r, const struct rc_load_team *team)
{
    const struct rc_cmd_follow *follow = r->follow;
    double seconds = rc_load_team_seconds(team), made, asked;
    json_t *object = rc_cmd_load_json(follow->name, team), *link;

    if (follow->source)
        rc_json_set(object, "source", json_incref(follow->source));
    if (follow->with_cpu) {
        asked = rc_load_follow_mean(&follow->cpu, seconds, &made);
        rc_json_set(object, "asked_availability", rc_json_number(asked));
        rc_json_set(object, "availability", rc_json_number(made));
        rc_json_set(object, "cores", cores_json(r, team));
    }
    if (follow->with_link) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, r->n_cpu);

        link = json_object();
        asked = rc_load_follow_mean(&follow->link, seconds, &made);
        rc_json_set(link, "asked_availability", rc_json_number(asked));
        rc_json_set(link, "asked_rate", rc_json_number(part_of(tally->wanted, tally)));
        rc_json_set(link, "rate", rc_json_number(rc_load_stream_rate(tally, RC_LOAD_SEND)));
        rc_cmd_load_set_bytes(link, tally);
        rc_json_set(object, "link", link);
    }
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static void report_cores(const struct reporting *r, const struct rc_load_team *team)
{
    static const struct rc_column columns[] = {{.title = "core", .right = true},
                                               {.title = "asked to use", .right = true},
                                               {.title = "used", .right = true},
                                               {.title = "the probe got", .right = true}};
    struct rc_table *table =
        rc_table_create(stdout, columns, r->follow->probe ? 4 : 3, rc_cmd_width());

    for (size_t i = 0; table && i < r->cores.n; i++) {
        struct rc_load_tally sum = rc_load_team_sum(team, 0, r->n_cpu, r->cores.items[i]);

        rc_table_integer(table, r->cores.items[i]);
        rc_cmd_load_quantity(table, part_of(sum.asked, &sum), RC_FRACTION);
        rc_cmd_load_quantity(table, part_of(sum.cpu, &sum), RC_FRACTION);
        if (r->follow->probe)
            rc_cmd_load_quantity(table, probe_share(r, team, i), RC_FRACTION);
    }
    if (table)
        rc_table_finish(table);
}

static void report_text(const struct reporting *r, const struct rc_load_team *team)
{
    const struct rc_cmd_follow *follow = r->follow;
    double seconds = rc_load_team_seconds(team), made, asked;

    rc_cmd_load_title(follow->name, team);
    if (follow->with_cpu) {
        asked = rc_load_follow_mean(&follow->cpu, seconds, &made);
        printf("mean availability of the cores: asked %.4g, imposed %.4g\n\n", asked, made);
        report_cores(r, team);
    }
    if (follow->with_link) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, r->n_cpu);
        char wanted[RC_UNIT_SIZE], got[RC_UNIT_SIZE];

        asked = rc_load_follow_mean(&follow->link, seconds, &made);
        rc_unit_format(part_of(tally->wanted, tally), RC_RATE, wanted);
        rc_unit_format(rc_load_stream_rate(tally, RC_LOAD_SEND), RC_RATE, got);
        printf("%smean availability of the link: asked %.4g; to be sent %s, arrived %s\n",
               follow->with_cpu ? "\n" : "", asked, wanted, got);
    }
}

static void report(void *data, const struct rc_load_team *team)
{
    const struct reporting *r = data;
    double made, asked = rc_load_follow_mean(&r->follow->cpu, rc_load_team_seconds(team), &made);

    if (r->follow->json)
        report_json(r, team);
    else
        report_text(r, team);
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
                                    .message = rc_load_pace_message(follow->bandwidth / 4),
                                    .rate_at = rc_load_follow_rate,
                                    .rate_data = &of};
    const struct rc_load_task task = {.prepare = rc_load_stream_prepare,
                                      .body = rc_load_stream_body,
                                      .data = &stream,
                                      .core = -1,
                                      .descriptor = -1};

    return rc_load_team_add(team, &task, error);
}

static struct rc_load_team *start(const struct reporting *r, const struct rc_peer *peer,
                                  struct rc_error *error)
{
    const struct rc_cmd_follow *follow = r->follow;
    struct rc_load_team *team = rc_load_team_create(r->n_cpu + 1 + r->cores.n, error);

    if (!team)
        return NULL;
    if (add_cores(team, r, error) == 0 &&
        (!follow->with_link || add_link(team, follow, peer, error) == 0) &&
        (!follow->probe || rc_cmd_load_add_probes(team, &r->cores, error) == 0))
        return team;
    rc_load_team_destroy(team);
    return NULL;
}

int rc_cmd_follow_run(const struct rc_invocation *invocation, const struct rc_cmd_follow *follow)
{
    struct reporting r = {.follow = follow};
    struct rc_load_launch launch = {0, -1};
    struct rc_load_team *team = NULL;
    struct rc_peer peer = {.port = 0};
    struct rc_sense_cores listed;
    struct rc_cmd_work work;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    if (follow->with_link && (status = rc_cmd_load_far_check(invocation, follow->far, &peer)))
        return status;
    if (follow->with_cpu) {
        if (rc_sense_cores_choose(follow->core, &listed, &error))
            return rc_cmd_fail(&error, "%s", invocation->path);
        r.cores = rc_cmd_load_distinct(&listed);
        r.n_cpu = r.cores.n * follow->cpu.most;
    }
    rc_cmd_work_begin(&work, invocation->path);
    if (!follow->with_link ||
        rc_cmd_load_far_start(follow->far, &peer, &launch, &work.monitor, &error) == 0)
        team = start(&r, &peer, &error);
    status = team ? rc_cmd_load_run(invocation, team, follow->seconds, &work, report, &r)
                  : rc_cmd_fail(&error, "%s", invocation->path);
    rc_load_team_destroy(team);
    rc_load_launch_stop(&launch);
    rc_cmd_work_end(&work);
    return status;
}
