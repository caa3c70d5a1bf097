// SPDX-License-Identifier: GPL-3.0-or-later
/* split_fields.c - the fields of the answer of a division of work. */
#include "answer/split_fields.h"

#include <inttypes.h>
#include <math.h>

#include "answer/predict_fields.h"

/* ---- hosts ---- */

struct rc_answer_split_host rc_answer_split_host_of(const struct rc_split_question *question,
                                                    const struct rc_split *split,
                                                    enum rc_policy policy, const char *name,
                                                    size_t h)
{
    const struct rc_split_plan *plan = &split->plans[policy];
    struct rc_answer_split_host host = {.host = name,
                                        .fact = split->facts[h],
                                        .shown = split->facts[h],
                                        .share = (double)plan->units[h] / (double)question->units,
                                        .units = plan->units[h],
                                        .seconds = plan->time ? plan->alone[h] : (double)NAN};

    if (!host.fact.known)
        host.shown = (struct rc_split_fact){.mean = NAN, .sd = NAN, .last = NAN, .forecast = NAN};
    return host;
}

#define HOST struct rc_answer_split_host
const struct rc_field rc_answer_split_host[] = {
    {RC_FIELD(HOST, TEXT, host), .key = "host", .title = "host"},
    {RC_FIELD(HOST, BOOL, fact.known), .key = "has_cpu_samples"},
    {RC_FIELD(HOST, NUMBER, fact.mean), .key = "cpu_availability_mean"},
    {RC_FIELD(HOST, NUMBER, shown.mean), .title = "CPU availability", .digits = 3},
    {RC_FIELD(HOST, NUMBER, fact.sd), .key = "cpu_availability_sd"},
    {RC_FIELD(HOST, NUMBER, shown.sd), .title = "sd", .digits = 2},
    {RC_FIELD(HOST, NUMBER, fact.last), .key = "cpu_availability_last"},
    {RC_FIELD(HOST, NUMBER, shown.last), .title = "last", .digits = 3},
    {RC_FIELD(HOST, NUMBER, fact.forecast), .key = "cpu_availability_forecast"},
    {RC_FIELD(HOST, NUMBER, shown.forecast), .title = "forecast", .digits = 3},
    {RC_FIELD(HOST, NUMBER, fact.value), .key = "tuning_value"},
    {RC_FIELD(HOST, NUMBER, share), .key = "share", .title = "share", .digits = 3},
    {RC_FIELD(HOST, INT64, units), .key = "units", .title = "units"},
    {RC_FIELD(HOST, SECONDS, seconds), .key = "time_s", .title = "expected"},
    RC_FIELDS_END};

/* ---- policies ---- */

/* Whether anything is known of the spread of a time: it is more than one number, but for rounding;
 * or it is one number in spite of a load that varies. */
static bool has_spread(const struct rc_split *split, const struct rc_value *time)
{
    bool varied = false;

    for (size_t h = 0; h < split->n_hosts && isfinite(split->seconds); h++)
        varied |= split->facts[h].known && split->facts[h].sd > 0;
    return varied || rc_value_quantile(time, 1) > (1 + 1e-9) * rc_value_quantile(time, 0);
}

struct rc_answer_split_policy rc_answer_split_policy_of(const struct rc_split_question *question,
                                                        const struct rc_split *split,
                                                        enum rc_policy policy)
{
    const struct rc_split_plan *plan = &split->plans[policy];
    struct rc_answer_split_policy answer = {.policy = rc_split_policy_name(policy),
                                            .plan = plan,
                                            .n_hosts = question->n_hosts,
                                            .factor = plan->factor,
                                            .predicted = NAN,
                                            .mean = NAN,
                                            .sd = NAN,
                                            .low = NAN,
                                            .high = NAN,
                                            .fastest = NAN,
                                            .at_quantile = NAN};
    size_t used = 0;

    for (size_t h = 0; h < question->n_hosts && used + 24 < sizeof answer.units; h++)
        used += (size_t)snprintf(answer.units + used, sizeof answer.units - used, "%s%" PRId64,
                                 h ? "," : "", plan->units[h]);
    if (!plan->time)
        return answer;
    answer.predicted = rc_value_quantile(plan->time, 0.5);
    answer.mean = rc_value_mean(plan->time);
    if (!has_spread(split, plan->time))
        return answer;
    answer.fastest = plan->fastest;
    answer.low = rc_value_quantile(plan->time, RC_ANSWER_SPLIT_LOW);
    answer.high = rc_value_quantile(plan->time, RC_ANSWER_SPLIT_HIGH);
    answer.sd = rc_value_sd(plan->time);
    if (!isnan(question->quantile))
        answer.at_quantile = rc_value_quantile(plan->time, question->quantile);
    return answer;
}

#define POLICY struct rc_answer_split_policy
static json_t *units_json(const void *record)
{
    const POLICY *policy = record;
    json_t *units = json_array();

    for (size_t h = 0; h < policy->n_hosts; h++)
        json_array_append_new(units, json_integer(policy->plan->units[h]));
    return units;
}

static bool is_timed(const void *record)
{
    return ((const POLICY *)record)->plan->time != NULL;
}

static bool has_quantile(const void *record)
{
    return !isnan(((const POLICY *)record)->at_quantile);
}

static json_t *interval_json(const void *record)
{
    const POLICY *policy = record;

    return isnan(policy->low) ? json_null()
                              : rc_answer_interval_json(0.9, policy->low, policy->high);
}

const struct rc_field rc_answer_split_policy[] = {
    {RC_FIELD(POLICY, TEXT, policy), .key = "policy", .title = "policy"},
    {.kind = RC_AS_COMPUTED, .key = "host_units", .json = units_json, .type = "integers"},
    {RC_FIELD(POLICY, NUMBER, factor), .key = "tuning_factor", .title = "tuning factor",
     .digits = 3},
    {RC_FIELD(POLICY, NUMBER, predicted), .key = "predicted_s", .when = is_timed},
    {RC_FIELD(POLICY, SECONDS, mean), .key = "mean_s", .title = "mean", .when = is_timed},
    {RC_FIELD(POLICY, NUMBER, sd), .key = "sd_s", .when = is_timed},
    {RC_ANSWER_INTERVAL(interval_json), .when = is_timed},
    {RC_FIELD(POLICY, SECONDS, high), .title = "P95"},
    {RC_FIELD(POLICY, PERCENT, fastest), .key = "fastest_fraction", .title = "fastest",
     .when = is_timed},
    {RC_FIELD(POLICY, NUMBER, at_quantile), .key = "confidence_time_s", .when = has_quantile},
    {RC_FIELD(POLICY, CHARS, units), .title = "units", .wrap = true},
    RC_FIELDS_END};

/* ---- all of it ---- */

#define SPLIT struct rc_answer_split
static json_t *params_json(const void *record)
{
    const SPLIT *split = record;

    return rc_answer_params_json(split->params, split->n_params);
}

static bool has_current(const void *record)
{
    return ((const SPLIT *)record)->current;
}

const struct rc_field rc_answer_split[] = {
    {RC_FIELD(SPLIT, TEXT, app), .key = "app"},
    {RC_FIELD(SPLIT, NUMBER, size), .key = "size"},
    {.kind = RC_AS_COMPUTED, .key = "params", .json = params_json, .type = "object"},
    {RC_FIELD(SPLIT, INT64, per_host), .key = "per_host"},
    {RC_FIELD(SPLIT, TEXT, policy), .key = "policy"},
    {RC_FIELD(SPLIT, TEXT, coupling), .key = "coupling"},
    {RC_FIELD(SPLIT, NUMBER, confidence), .key = "confidence"},
    {RC_FIELD(SPLIT, TIME, start), .key = "start"},
    {RC_FIELD(SPLIT, INT64, units), .key = "units"},
    {RC_FIELD(SPLIT, NUMBER, done), .key = "done_fraction"},
    {RC_FIELD(SPLIT, NUMBER, dedicated), .key = "dedicated_s"},
    {RC_FIELD(SPLIT, TEXT, dedicated_from), .key = "dedicated_from"},
    {RC_FIELD(SPLIT, TEXT, speeds_from), .key = "speeds_from"},
    {RC_FIELD(SPLIT, NUMBER, model_error), .key = "model_error_fraction"},
    {RC_FIELD(SPLIT, NUMBER, moving_saves), .key = "moving_saves_s", .when = has_current},
    {RC_FIELD(SPLIT, NUMBER, split.weight), .key = "optimal_weight"},
    {RC_FIELD(SPLIT, TEXT, optimal_from), .key = "optimal_shrunk_to"},
    {RC_FIELD(SPLIT, NUMBER, split.seconds), .key = "horizon_s"},
    {RC_FIELD(SPLIT, BOOL, split.steady), .key = "constant_load_assumed"},
    {RC_FIELD(SPLIT, JSON, shares), .key = "split", .type = "numbers"},
    {RC_FIELD_LIST_OF(SPLIT, hosts, n_hosts), .key = "hosts", .fields = rc_answer_split_host},
    {RC_FIELD_LIST_OF(SPLIT, policies, n_policies), .key = "policies",
     .fields = rc_answer_split_policy},
    {RC_FIELD(SPLIT, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
