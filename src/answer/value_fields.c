// SPDX-License-Identifier: GPL-3.0-or-later
/* value_fields.c - the fields of a computed value. */
#include "answer/value_fields.h"

const int rc_answer_percentiles[] = {5, 25, 50, 75, 95};

#define VALUE struct rc_answer_value
static const struct rc_field interval_fields[] = {{RC_FIELD(VALUE, NUMBER, level), .key = "level"},
                                                  {RC_FIELD(VALUE, NUMBER, span_low), .key = "low"},
                                                  {RC_FIELD(VALUE, NUMBER, span_high),
                                                   .key = "high"},
                                                  RC_FIELDS_END};

static json_t *interval_json(const void *record)
{
    return rc_field_json(interval_fields, record);
}

static bool is_modal(const void *record)
{
    return ((const VALUE *)record)->n_modes > 0;
}

#define MODE_FIELDS(s)                                                                             \
    {RC_FIELD(struct rc_mode, NUMBER, mean), .key = "mean" s},                                     \
        {RC_FIELD(struct rc_mode, NUMBER, sd), .key = "sd" s},                                     \
        {RC_FIELD(struct rc_mode, NUMBER, p), .key = "share"}, RC_FIELDS_END
static const struct rc_field mode_fields[] = {MODE_FIELDS("")};
static const struct rc_field mode_time_fields[] = {MODE_FIELDS("_s")};

/* `s`: the suffix of the keys; `modes`: the fields of a mode. */
#define VALUE_FIELDS(s, modes_)                                                                    \
    {RC_FIELD(VALUE, TEXT, kind), .key = "kind"},                                                  \
        {RC_FIELD(VALUE, NUMBER, mean), .key = "mean" s},                                          \
        {RC_FIELD(VALUE, NUMBER, sd), .key = "sd" s},                                              \
        {RC_FIELD(VALUE, NUMBER, low), .key = "low" s},                                            \
        {RC_FIELD(VALUE, NUMBER, high), .key = "high" s},                                          \
        {.kind = RC_AS_COMPUTED,                                                                   \
         .key = "interval" s,                                                                      \
         .json = interval_json,                                                                    \
         .fields = interval_fields},                                                               \
        {RC_FIELD(VALUE, NUMBER, quantiles[0]), .key = "p05" s},                                   \
        {RC_FIELD(VALUE, NUMBER, quantiles[1]), .key = "p25" s},                                   \
        {RC_FIELD(VALUE, NUMBER, quantiles[2]), .key = "p50" s},                                   \
        {RC_FIELD(VALUE, NUMBER, quantiles[3]), .key = "p75" s},                                   \
        {RC_FIELD(VALUE, NUMBER, quantiles[4]), .key = "p95" s},                                   \
        {RC_FIELD_LIST_OF(VALUE, modes, n_modes), .key = "modes", .fields = modes_,                \
         .when = is_modal},                                                                        \
        RC_FIELDS_END

const struct rc_field rc_answer_value[] = {VALUE_FIELDS("", mode_fields)};
const struct rc_field rc_answer_value_time[] = {VALUE_FIELDS("_s", mode_time_fields)};

VALUE rc_answer_value_of(const struct rc_value *value, const struct rc_value_rules *rules,
                         double level)
{
    bool tails = rc_value_kind(value) == RC_NORMAL || rc_value_kind(value) == RC_MODAL;
    struct rc_value *ends = tails ? rc_value_convert(value, RC_INTERVAL, rules, NULL) : NULL;
    VALUE answer = {.kind = rc_value_kind_name(rc_value_kind(value)),
                    .mean = rc_value_mean(value),
                    .sd = rc_value_sd(value),
                    .low = rc_value_low(ends ? ends : value),
                    .high = rc_value_high(ends ? ends : value),
                    .level = level};

    answer.modes = rc_value_modes(value, &answer.n_modes);
    rc_value_drop(ends);
    rc_value_span(value, level, &answer.span_low, &answer.span_high);
    for (int i = 0; i < RC_ANSWER_PERCENTILES; i++)
        answer.quantiles[i] = rc_value_quantile(value, rc_answer_percentiles[i] / 100.0);
    return answer;
}
