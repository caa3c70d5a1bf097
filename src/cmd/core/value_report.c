// SPDX-License-Identifier: GPL-3.0-or-later
/* value_report.c - what commands that end in a value share. */
#include "cmd/core/value_report.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "report/field.h"
#include "base/text.h"

/* ---- options ---- */

const char *const rc_report_kinds[] = {"point", "normal", "interval", "histogram", "sample", NULL};
const char *const rc_report_rule_names[] = {"exact", "dissertation", NULL};
const char *const rc_report_extremes[] = {"true", "mean", "end", NULL};

int rc_cmd_report_check(const struct rc_invocation *invocation,
                        const struct rc_report_options *options)
{
    if (options->draws > RC_VALUE_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_VALUE_DRAWS_MAX);
    if (options->bins > RC_VALUE_BINS_MAX)
        return rc_cmd_usage_text(invocation, "--bins: at most %d", RC_VALUE_BINS_MAX);
    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level: a probability between 0 and 1");
    if (options->correlated && strcmp(options->rules, "dissertation") != 0)
        return rc_cmd_usage_text(invocation, "--correlated needs --rules dissertation");
    return RC_EXIT_OK;
}

int rc_cmd_report_kind(const struct rc_report_options *options)
{
    for (int i = 0; options->as && rc_report_kinds[i]; i++)
        if (strcmp(rc_report_kinds[i], options->as) == 0)
            return i; /* the names stand in the order of enum rc_value_kind */
    return -1;
}

int rc_cmd_report_rules_begin(const struct rc_report_options *options, struct rc_value_rules *rules,
                              struct rc_error *error)
{
    rc_value_rules_init(rules);
    rules->dissertation = strcmp(options->rules, "dissertation") == 0;
    rules->correlated = options->correlated;
    rules->extreme = strcmp(options->extreme, "mean") == 0  ? RC_EXTREME_MEAN
                     : strcmp(options->extreme, "end") == 0 ? RC_EXTREME_END
                                                            : RC_EXTREME_TRUE;
    rules->bins = (size_t)options->bins;
    rules->draws = (size_t)options->draws;
    rules->random = rc_random_create((uint64_t)options->seed, 0);
    return rules->random ? 0 : rc_error_no_memory(error);
}

void rc_cmd_report_rules_end(struct rc_value_rules *rules)
{
    rc_random_destroy(rules->random);
    rules->random = NULL;
}

/* ---- what is known of a value ---- */

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
static const struct rc_field quantile_fields[] = {
    {RC_FIELD(FACTS, NUMBER, quantiles[0]), .key = "5"},
    {RC_FIELD(FACTS, NUMBER, quantiles[1]), .key = "25"},
    {RC_FIELD(FACTS, NUMBER, quantiles[2]), .key = "50"},
    {RC_FIELD(FACTS, NUMBER, quantiles[3]), .key = "75"},
    {RC_FIELD(FACTS, NUMBER, quantiles[4]), .key = "95"},
    RC_FIELDS_END};

static json_t *quantiles_json(const void *facts)
{
    return rc_field_json(quantile_fields, facts);
}

static const struct rc_field fact_fields[] = {
    {RC_FIELD(FACTS, TEXT, kind), .key = "kind"},
    {RC_FIELD(FACTS, NUMBER, mean), .key = "mean"},
    {RC_FIELD(FACTS, NUMBER, sd), .key = "sd"},
    {RC_FIELD(FACTS, NUMBER, low), .key = "lo"},
    {RC_FIELD(FACTS, NUMBER, high), .key = "hi"},
    {RC_FIELD(FACTS, NUMBER, level), .key = "level"},
    {RC_FIELD(FACTS, NUMBER, span_low), .key = "low"},
    {RC_FIELD(FACTS, NUMBER, span_high), .key = "high"},
    {.kind = RC_AS_COMPUTED, .key = "quantiles", .json = quantiles_json},
    RC_FIELDS_END};

json_t *rc_cmd_report_json(const struct rc_value *value, const struct rc_value_rules *rules,
                           double level)
{
    struct facts facts;

    find_facts(value, rules, level, &facts);
    return rc_field_json(fact_fields, &facts);
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
    show_between(table, rc_value_kind(value) == RC_NORMAL ? "ends (2 sd)" : "ends", facts.low,
                 facts.high);
    rc_number_format_short(100 * level, 6, number);
    snprintf(name, sizeof name, "%s %% within", number);
    show_between(table, name, facts.span_low, facts.span_high);
    for (int i = 0; i < N_PERCENTS; i++) {
        snprintf(name, sizeof name, "%d %% below", percents[i]);
        show_number(table, name, facts.quantiles[i]);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

/* ---- the place of an error ---- */

enum { CARET_WIDTH = 76 };

void rc_cmd_show_caret(const char *text, const struct rc_error *error)
{
    char shown[4 * CARET_WIDTH + 1];
    size_t length, start = 0, at = 0, column = 1;
    const char *line;

    if (error->line == 0 || error->column == 0)
        return;
    for (unsigned number = error->line; number > 1 && *text;)
        number -= *text++ == '\n';
    line = text;
    length = strcspn(line, "\n");
    while (column < error->column && at < length)
        if (((unsigned char)line[++at] & 0xc0) != 0x80)
            column++;
    while (rc_text_width(line + start, at - start) > CARET_WIDTH * 2 / 3)
        start += rc_text_prefix(line + start, at - start, 8);
    length = rc_text_prefix(line + start, length - start, CARET_WIDTH);
    length = length < sizeof shown ? length : sizeof shown - 1;
    at = at - start < length ? at - start : length;
    memcpy(shown, line + start, length);
    for (size_t i = 0; i < length; i++)
        if (shown[i] == '\t')
            shown[i] = ' ';
    rc_text_clean(shown, length);
    fprintf(stderr, "  %.*s\n", (int)length, shown);
    fprintf(stderr, "  %*s^\n", (int)rc_text_width(shown, at), "");
}
