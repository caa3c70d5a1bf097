// SPDX-License-Identifier: GPL-3.0-or-later
/* value_report.c - a value that was computed, as a table for people and as JSON. */
#include "cmd/core/value_report.h"

#include "base/error.h"
#include "base/number.h"
#include "report/field.h"

static const int percents[] = {5, 25, 50, 75, 95};
enum { N_PERCENTS = sizeof percents / sizeof *percents };

struct facts {
    const char *kind;
    double mean, sd, low, high; /* the ends; of a normal, of its interval */
    double level, span_low, span_high;
    double quantiles[N_PERCENTS];
};

static void find_facts(const struct rc_value *value, const struct rc_value_rules *rules,
                       double level, struct facts *facts)
{
    struct rc_value *ends = rc_value_kind(value) == RC_NORMAL
                                ? rc_value_convert(value, RC_INTERVAL, rules, NULL)
                                : NULL;

    *facts = (struct facts){
        .kind = rc_value_kind_name(rc_value_kind(value)),
        .mean = rc_value_mean(value),
        .sd = rc_value_sd(value),
        .low = rc_value_low(ends ? ends : value),
        .high = rc_value_high(ends ? ends : value),
        .level = level,
    };
    rc_value_drop(ends);
    rc_value_span(value, level, &facts->span_low, &facts->span_high);
    for (int i = 0; i < N_PERCENTS; i++)
        facts->quantiles[i] = rc_value_quantile(value, percents[i] / 100.0);
}

#define FACTS struct facts
static const struct rc_field interval_fields[] = {{RC_FIELD(FACTS, NUMBER, level), .key = "level"},
                                                  {RC_FIELD(FACTS, NUMBER, span_low), .key = "low"},
                                                  {RC_FIELD(FACTS, NUMBER, span_high),
                                                   .key = "high"},
                                                  RC_FIELDS_END};

const struct rc_field rc_cmd_report_fields[] = {
    {RC_FIELD(FACTS, TEXT, kind), .key = "kind"},
    {RC_FIELD(FACTS, NUMBER, mean), .key = "mean"},
    {RC_FIELD(FACTS, NUMBER, sd), .key = "sd"},
    {RC_FIELD(FACTS, NUMBER, low), .key = "low"},
    {RC_FIELD(FACTS, NUMBER, high), .key = "high"},
    {.kind = RC_AS_OBJECT, .size = sizeof(FACTS), .key = "interval", .fields = interval_fields},
    {RC_FIELD(FACTS, NUMBER, quantiles[0]), .key = "p05"},
    {RC_FIELD(FACTS, NUMBER, quantiles[1]), .key = "p25"},
    {RC_FIELD(FACTS, NUMBER, quantiles[2]), .key = "p50"},
    {RC_FIELD(FACTS, NUMBER, quantiles[3]), .key = "p75"},
    {RC_FIELD(FACTS, NUMBER, quantiles[4]), .key = "p95"},
    RC_FIELDS_END};

const struct rc_field rc_cmd_report_time_fields[] = {
    {RC_FIELD(FACTS, TEXT, kind), .key = "kind"},
    {RC_FIELD(FACTS, NUMBER, mean), .key = "mean_s"},
    {RC_FIELD(FACTS, NUMBER, sd), .key = "sd_s"},
    {RC_FIELD(FACTS, NUMBER, low), .key = "low_s"},
    {RC_FIELD(FACTS, NUMBER, high), .key = "high_s"},
    {.kind = RC_AS_OBJECT, .size = sizeof(FACTS), .key = "interval_s", .fields = interval_fields},
    {RC_FIELD(FACTS, NUMBER, quantiles[0]), .key = "p05_s"},
    {RC_FIELD(FACTS, NUMBER, quantiles[1]), .key = "p25_s"},
    {RC_FIELD(FACTS, NUMBER, quantiles[2]), .key = "p50_s"},
    {RC_FIELD(FACTS, NUMBER, quantiles[3]), .key = "p75_s"},
    {RC_FIELD(FACTS, NUMBER, quantiles[4]), .key = "p95_s"},
    RC_FIELDS_END};

json_t *rc_cmd_report_time_json(const struct rc_value *value, const struct rc_value_rules *rules,
                                double level)
{
    struct facts facts;

    find_facts(value, rules, level, &facts);
    return rc_field_json(rc_cmd_report_time_fields, &facts);
}

json_t *rc_cmd_report_json(const struct rc_value *value, const struct rc_value_rules *rules,
                           double level)
{
    struct facts facts;

    find_facts(value, rules, level, &facts);
    return rc_field_json(rc_cmd_report_fields, &facts);
}

static void show_row(struct rc_table *table, const char *what, const char *text)
{
    rc_table_text(table, what);
    rc_table_text(table, text);
}

static void show_number(struct rc_table *table, const char *what, double value)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(value, 6, number);
    show_row(table, what, number);
}

static void show_between(struct rc_table *table, const char *what, double low, double high)
{
    char first[RC_NUMBER_SIZE], second[RC_NUMBER_SIZE], both[2 * RC_NUMBER_SIZE + 8];

    rc_number_format_short(low, 6, first);
    rc_number_format_short(high, 6, second);
    snprintf(both, sizeof both, "%s to %s", first, second);
    show_row(table, what, both);
}

int rc_cmd_report_table(const struct rc_value *value, const struct rc_value_rules *rules,
                        double level, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "what"}, {.title = "value"}};
    struct rc_table *table = rc_table_create(stdout, heads, 2, rc_cmd_width());
    char name[RC_NUMBER_SIZE + 16], number[RC_NUMBER_SIZE];
    struct facts facts;

    if (!table)
        return rc_error_no_memory(error);
    find_facts(value, rules, level, &facts);
    show_row(table, "kind", facts.kind);
    if (rc_value_kind(value) == RC_POINT) { /* of a number there is no more to say */
        show_number(table, "value", facts.mean);
        return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
    }
    show_number(table, "mean", facts.mean);
    show_number(table, "sd", facts.sd);
    show_between(table, rc_value_kind(value) == RC_NORMAL ? "range (2 sd)" : "range", facts.low,
                 facts.high);
    rc_number_format_short(100 * level, 6, number);
    snprintf(name, sizeof name, "%s %% interval", number);
    show_between(table, name, facts.span_low, facts.span_high);
    for (int i = 0; i < N_PERCENTS; i++) {
        snprintf(name, sizeof name, "P%02d", percents[i]);
        show_number(table, name, facts.quantiles[i]);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}
