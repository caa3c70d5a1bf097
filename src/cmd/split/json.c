// SPDX-License-Identifier: GPL-3.0-or-later
/* split_json.c - what 'runcast split' shows, for programs. */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "cmd/split/split.h"

static const char *const idle_names[] = {"given", "model", "structure", "unknown"};
static const char *const speed_names[] = {"alike", "given", "platform", "runs", "model"};

static json_t *host_json(const struct rc_cmd_split *asked, size_t h)
{
    const struct rc_split_fact *fact = &asked->split.facts[h];
    const struct rc_split_plan *plan = &asked->split.plans[asked->policy];
    json_t *object = json_object();

    rc_json_set(object, "host", rc_json_text(asked->list.names[h]));
    rc_json_set(object, "known", json_boolean(fact->known));
    rc_json_set(object, "mean", rc_json_number(fact->mean));
    rc_json_set(object, "sd", rc_json_number(fact->sd));
    rc_json_set(object, "last", rc_json_number(fact->last));
    rc_json_set(object, "forecast", rc_json_number(fact->forecast));
    rc_json_set(object, "tuning_value", rc_json_number(fact->value));
    rc_json_set(object, "share",
                rc_json_number((double)plan->units[h] / (double)asked->question.units));
    rc_json_set(object, "units", json_integer(plan->units[h]));
    rc_json_set(object, "seconds", rc_json_number(plan->time ? plan->alone[h] : (double)NAN));
    return object;
}

static json_t *policy_json(const struct rc_cmd_split *asked, enum rc_policy policy)
{
    const struct rc_split_plan *plan = &asked->split.plans[policy];
    json_t *object = json_object(), *units = json_array();

    for (size_t h = 0; h < asked->list.count; h++)
        json_array_append_new(units, json_integer(plan->units[h]));
    rc_json_set(object, "units", units);
    rc_json_set(object, "factor", rc_json_number(plan->factor));
    if (!plan->time)
        return object;
    rc_json_set(object, "mean", rc_json_number(rc_value_mean(plan->time)));
    rc_json_set(object, "sd", rc_json_number(rc_value_sd(plan->time)));
    rc_json_set(object, "lo90", rc_json_number(rc_value_quantile(plan->time, RC_CMD_SPLIT_LOW)));
    rc_json_set(object, "hi90", rc_json_number(rc_value_quantile(plan->time, RC_CMD_SPLIT_HIGH)));
    if (!isnan(asked->question.quantile))
        rc_json_set(object, "at_quantile",
                    rc_json_number(rc_value_quantile(plan->time, asked->question.quantile)));
    return object;
}

/* Seconds, if moving the data cost nothing; NAN where times are not known. */
static double saved_by_moving(const struct rc_cmd_split *asked)
{
    const struct rc_value *stays = asked->split.plans[RC_POLICY_CURRENT].time;
    const struct rc_value *moves = asked->split.plans[asked->policy].time;

    return stays && moves ? rc_value_mean(stays) - rc_value_mean(moves) : (double)NAN;
}

void rc_cmd_split_json(const struct rc_cmd_split *asked)
{
    json_t *object = json_object(), *hosts = json_array(), *policies = json_object();
    json_t *split = json_array();
    const struct rc_split_plan *current = &asked->split.plans[RC_POLICY_CURRENT];

    for (size_t h = 0; h < asked->list.count; h++) {
        json_array_append_new(hosts, host_json(asked, h));
        for (int64_t i = 0; i < asked->options->per_host; i++)
            json_array_append_new(split, rc_json_number(rc_cmd_split_share(asked, h, i)));
    }
    for (int policy = 0; policy < RC_POLICIES; policy++)
        if (asked->split.plans[policy].there)
            rc_json_set(policies, rc_split_policy_name((enum rc_policy)policy),
                        policy_json(asked, (enum rc_policy)policy));
    rc_json_set(object, "app", rc_json_text(asked->options->app));
    rc_json_set(object, "n", rc_json_number(asked->options->size));
    rc_json_set(object, "per_host", json_integer(asked->options->per_host));
    rc_json_set(object, "speeds_of_runs", json_boolean(asked->speeds == RC_CMD_SPEEDS_RUNS));
    rc_json_set(object, "speeds_from", rc_json_text(speed_names[asked->speeds]));
    rc_json_set(object, "policy", rc_json_text(rc_split_policy_name(asked->policy)));
    rc_json_set(object, "waits", rc_json_text(asked->options->waits));
    rc_json_set(object, "start", rc_json_number(asked->question.at));
    rc_json_set(object, "units", json_integer(asked->question.units));
    rc_json_set(object, "done", rc_json_number(asked->all_done));
    rc_json_set(object, "idle_time", rc_json_number(asked->idle_time));
    rc_json_set(object, "idle_time_from", rc_json_text(idle_names[asked->idle]));
    rc_json_set(object, "model_error",
                rc_json_number(asked->question.error.known ? asked->question.error.sd
                                                           : (double)NAN));
    if (current->there)
        rc_json_set(object, "moving_saves", rc_json_number(saved_by_moving(asked)));
    rc_json_set(object, "optimal_way", rc_json_number(asked->split.way));
    rc_json_set(object, "optimal_from",
                asked->split.way < 1 ? rc_json_text(rc_split_policy_name(asked->split.way_from))
                                     : json_null());
    rc_json_set(object, "horizon", rc_json_number(asked->split.seconds));
    rc_json_set(object, "steady", json_boolean(asked->split.steady));
    rc_json_set(object, "split", split);
    rc_json_set(object, "hosts", hosts);
    rc_json_set(object, "policies", policies);
    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_json_write(stdout, object, true);
    json_decref(object);
}
