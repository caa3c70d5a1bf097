// SPDX-License-Identifier: GPL-3.0-or-later
/* methods.c - what 'runcast predict' shows of all methods: answers, past accuracy and weights, or what
 * is missing; and the phases of a run. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/core/hints.h"
#include "cmd/predict/predict.h"

/* ---- for people ---- */

void rc_cmd_predict_methods_line(const struct rc_predict_answer *found, const char *lead)
{
    size_t shown = 0;

    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_method_report *method = &found->methods[m];
        char time[RC_UNIT_SIZE];

        if (!method->answered)
            continue;
        rc_unit_format(method->answer.summary.predicted, RC_SECONDS, time);
        printf("%s%s %s", shown++ ? ", " : lead, method->name, time);
        if (found->answered > 1)
            printf(" (weight %.2f)", method->weight);
    }
    printf("\n");
}

void rc_cmd_predict_recalibration_line(const struct rc_cmd_answer *answer)
{
    const struct rc_recalibration *learnt = &answer->report.found.learnt;
    const struct rc_predict_summary *own = &answer->report.found.combined,
                                    *now = &answer->report.found.summary;
    char times[4][RC_UNIT_SIZE];

    if (learnt->n == 0)
        return;
    rc_unit_format(own->lo90, RC_SECONDS, times[0]);
    rc_unit_format(own->hi90, RC_SECONDS, times[1]);
    rc_unit_format(now->lo90, RC_SECONDS, times[2]);
    rc_unit_format(now->hi90, RC_SECONDS, times[3]);
    printf("recalibration: by %zu earlier run%s", learnt->n, learnt->n == 1 ? "" : "s");
    if (strcmp(times[0], times[2]) == 0 && strcmp(times[1], times[3]) == 0)
        printf("; interval unchanged\n");
    else
        printf("; interval before: %s to %s\n", times[0], times[1]);
}

static void put_percent(struct rc_table *table, double fraction)
{
    double percent = 100 * fraction;
    char text[40] = "-";

    if (!isnan(percent))
        snprintf(text, sizeof text, percent < 10 ? "%.1f %%" : "%.0f %%", percent);
    rc_table_text(table, text);
}

static void put_record(struct rc_table *table, const struct rc_track_summary *record)
{
    rc_table_integer(table, (long long)record->n);
    put_percent(table, record->error);
    put_percent(table, record->held);
}

static void put_answer(struct rc_table *table, const struct rc_predict_summary *summary)
{
    char time[RC_UNIT_SIZE], low[RC_UNIT_SIZE], high[RC_UNIT_SIZE], span[2 * RC_UNIT_SIZE + 8];

    rc_unit_format(summary->predicted, RC_SECONDS, time);
    rc_unit_format(summary->lo90, RC_SECONDS, low);
    rc_unit_format(summary->hi90, RC_SECONDS, high);
    snprintf(span, sizeof span, "%s to %s", low, high);
    rc_table_text(table, time);
    rc_table_text(table, span);
}

static void put_method(struct rc_table *table, const struct rc_method_report *method)
{
    char weight[32] = "-", factor[RC_NUMBER_SIZE] = "-";

    rc_table_text(table, method->name);
    if (method->answered) {
        put_answer(table, &method->answer.summary);
        snprintf(weight, sizeof weight, "%.2f", method->weight);
    } else {
        rc_table_text(table, "-");
        rc_table_text(table, "-");
    }
    put_record(table, &method->record);
    if (method->answered)
        rc_number_format_short(method->factor, 3, factor);
    rc_table_text(table, factor);
    put_percent(table, method->answered ? method->error : NAN);
    rc_table_text(table, weight);
}

/* What unavailable methods lack; below the table, since such lines are long. */
static void print_missing(const struct rc_cmd_answer *answer)
{
    size_t shown = 0;

    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_method_report *method = &answer->report.found.methods[m];
        size_t width = rc_cmd_width() ? rc_cmd_width() : 10000;
        char text[2 * RC_HINT_SIZE + 8];

        if (!method->asked || method->answered)
            continue;
        printf("%s  %-11s ", shown++ ? "" : "\nunavailable:\n", method->name);
        snprintf(text, sizeof text, "%s%s%s%s", method->why.text, method->why.hint[0] ? " (" : "",
                 method->why.hint, method->why.hint[0] ? ")" : "");
        rc_option_wrap(stdout, text, 14, width);
    }
}

int rc_cmd_predict_methods_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "method"},
                                             {.title = "run time", .right = true},
                                             {.title = "90 % interval"},
                                             {.title = "past runs", .right = true},
                                             {.title = "MAPE", .right = true},
                                             {.title = "coverage", .right = true},
                                             {.title = "factor", .right = true},
                                             {.title = "expected APE", .right = true},
                                             {.title = "weight", .right = true}};
    enum { N = sizeof heads / sizeof *heads };
    const struct rc_predict_answer *found = &answer->report.found;
    struct rc_table *table;

    if (found->answered)
        printf("\n");
    table = rc_table_create(stdout, heads, N, rc_cmd_width());
    if (!table)
        return rc_error_no_memory(error);
    for (int m = 0; m < RC_METHODS; m++)
        if (found->methods[m].asked)
            put_method(table, &found->methods[m]);
    if (found->answered && answer->asked < 0) {
        rc_table_text(table, RC_COMBINED);
        put_answer(table, &found->summary);
        put_record(table, &found->record);
        rc_table_text(table, "");
        rc_table_text(table, "");
        rc_table_text(table, "");
    }
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    print_missing(answer);
    return 0;
}

int rc_cmd_predict_phases_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_parts *asked = &answer->run_model->asked;
    const struct rc_predict_source *source = answer->run_model->source;

    if (rc_field_table(stdout, rc_answer_predict_part, asked->parts, asked->n, sizeof *asked->parts,
                       rc_cmd_width(), error))
        return -1;
    if (source->parts->left_out)
        printf("left out: %zu of the phases and processes (too few runs)\n",
               source->parts->left_out);
    if (source->fitted)
        printf("models: fitted now\n");
    return 0;
}
