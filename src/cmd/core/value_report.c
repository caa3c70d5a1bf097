// SPDX-License-Identifier: GPL-3.0-or-later
/* value_report.c - a value that was computed, as a table for people and as JSON. */
#include "cmd/core/value_report.h"

#include "answer/value_fields.h"
#include "base/error.h"
#include "base/number.h"
#include "report/cell.h"
#include "report/field.h"

json_t *rc_cmd_report_time_json(const struct rc_value *value, const struct rc_value_rules *rules,
                                double level)
{
    struct rc_answer_value answer = rc_answer_value_of(value, rules, level);

    return rc_field_json(rc_answer_value_time, &answer);
}

json_t *rc_cmd_report_json(const struct rc_value *value, const struct rc_value_rules *rules,
                           double level)
{
    struct rc_answer_value answer = rc_answer_value_of(value, rules, level);

    return rc_field_json(rc_answer_value, &answer);
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

/* Whether its range is that of an interval. */
static bool has_tails(const struct rc_value *value)
{
    return rc_value_kind(value) == RC_NORMAL || rc_value_kind(value) == RC_MODAL;
}

static void show_modes(struct rc_table *table, const struct rc_value *value)
{
    size_t n;
    const struct rc_mode *modes = rc_value_modes(value, &n);

    for (size_t i = 0; i < n; i++) {
        char name[32], mean[RC_NUMBER_SIZE], sd[RC_NUMBER_SIZE], share[RC_CELL_SIZE],
            text[2 * RC_NUMBER_SIZE + RC_CELL_SIZE + 16];

        snprintf(name, sizeof name, "mode %zu", i + 1);
        rc_number_format_short(modes[i].mean, 6, mean);
        rc_number_format_short(modes[i].sd, 6, sd);
        snprintf(text, sizeof text, "%s, sd %s: %s", mean, sd,
                 rc_cell_percent_text(modes[i].p, 3, share));
        show_row(table, name, text);
    }
}

int rc_cmd_report_table(const struct rc_value *value, const struct rc_value_rules *rules,
                        double level, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "what"}, {.title = "value"}};
    struct rc_table *table = rc_table_create(stdout, heads, 2, rc_cmd_width());
    char name[RC_NUMBER_SIZE + 16], number[RC_NUMBER_SIZE];
    struct rc_answer_value facts;

    if (!table)
        return rc_error_no_memory(error);
    facts = rc_answer_value_of(value, rules, level);
    show_row(table, "kind", facts.kind);
    if (rc_value_kind(value) == RC_POINT) { /* of a number there is no more to say */
        show_number(table, "value", facts.mean);
        return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
    }
    show_number(table, "mean", facts.mean);
    show_number(table, "sd", facts.sd);
    show_between(table, has_tails(value) ? "range (2 sd)" : "range", facts.low, facts.high);
    rc_number_format_short(100 * level, 6, number);
    snprintf(name, sizeof name, "%s %% interval", number);
    show_between(table, name, facts.span_low, facts.span_high);
    for (int i = 0; i < RC_ANSWER_PERCENTILES; i++) {
        snprintf(name, sizeof name, "P%02d", rc_answer_percentiles[i]);
        show_number(table, name, facts.quantiles[i]);
    }
    show_modes(table, value);
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}
