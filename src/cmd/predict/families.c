// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_families.c - what 'runcast predict' tells of all families: their answers, records and
 * weights, or what they lack. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/core/hints.h"
#include "cmd/predict/predict.h"

/* ---- for people ---- */

void rc_cmd_families_line(const struct rc_predict_answer *found, const char *lead)
{
    size_t shown = 0;

    for (int f = 0; f < RC_METHODS; f++) {
        const struct rc_method_report *part = &found->methods[f];
        char time[RC_UNIT_SIZE];

        if (!part->answered)
            continue;
        rc_unit_format(part->answer.summary.predicted, RC_SECONDS, time);
        printf("%s%s %s", shown++ ? ", " : lead, rc_predict_method_name((enum rc_method)f), time);
        if (found->answered > 1)
            printf(" (weight %.2f)", part->weight);
    }
    printf("\n");
}

void rc_cmd_predict_learnt_line(const struct rc_cmd_answer *answer)
{
    const struct rc_recalibration *learnt = &answer->found.learnt;
    const struct rc_predict_summary *own = &answer->found.combined, *now = &answer->found.summary;
    char times[4][RC_UNIT_SIZE];

    if (learnt->n == 0)
        return;
    rc_unit_format(own->lo90, RC_SECONDS, times[0]);
    rc_unit_format(own->hi90, RC_SECONDS, times[1]);
    rc_unit_format(now->lo90, RC_SECONDS, times[2]);
    rc_unit_format(now->hi90, RC_SECONDS, times[3]);
    printf("learnt  from %zu earlier runs: ", learnt->n);
    if (strcmp(times[0], times[2]) == 0 && strcmp(times[1], times[3]) == 0)
        printf("the interval would have held as it should, and stays as it is\n");
    else
        printf("an interval of %s to %s would not have held as it should\n", times[0], times[1]);
}

static void put_percent(struct rc_table *table, double percent)
{
    char text[40] = "-";

    if (!isnan(percent))
        snprintf(text, sizeof text, percent < 10 ? "%.1f %%" : "%.0f %%", percent);
    rc_table_text(table, text);
}

static void put_record(struct rc_table *table, const struct rc_track_summary *record)
{
    rc_table_integer(table, (long long)record->n);
    put_percent(table, record->error);
    put_percent(table, 100 * record->held);
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

static void put_family(struct rc_table *table, int family, const struct rc_method_report *part)
{
    char weight[32] = "-", factor[RC_NUMBER_SIZE] = "-";

    rc_table_text(table, rc_predict_method_name((enum rc_method)family));
    if (part->answered) {
        put_answer(table, &part->answer.summary);
        snprintf(weight, sizeof weight, "%.2f", part->weight);
    } else {
        rc_table_text(table, "-");
        rc_table_text(table, "-");
    }
    put_record(table, &part->record);
    if (part->answered)
        rc_number_format_short(part->factor, 3, factor);
    rc_table_text(table, factor);
    put_percent(table, part->answered ? 100 * part->error : NAN);
    rc_table_text(table, weight);
}

/* What those lack that have not answered, below the table: such lines are long. */
static void print_lacks(const struct rc_cmd_answer *answer)
{
    size_t told = 0;

    for (int f = 0; f < RC_METHODS; f++) {
        const struct rc_method_report *part = &answer->found.methods[f];
        size_t width = rc_cmd_width() ? rc_cmd_width() : 10000;
        char text[2 * RC_HINT_SIZE + 8], why[RC_HINT_SIZE], hint[RC_HINT_SIZE];

        if (!part->asked || part->answered)
            continue;
        printf("%s%-12s", told++ ? "" : "\n", rc_predict_method_name((enum rc_method)f));
        rc_cmd_hint(&part->why, hint);
        snprintf(text, sizeof text, "%s%s%s%s", rc_cmd_error_text(&part->why, why),
                 hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
        rc_option_wrap(stdout, text, 12, width);
    }
}

int rc_cmd_predict_families_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "family"},
                                             {.title = "time", .right = true},
                                             {.title = "90 %"},
                                             {.title = "runs", .right = true},
                                             {.title = "error", .right = true},
                                             {.title = "held", .right = true},
                                             {.title = "factor", .right = true},
                                             {.title = "expected", .right = true},
                                             {.title = "weight", .right = true}};
    enum { N = sizeof heads / sizeof *heads };
    const struct rc_predict_answer *found = &answer->found;
    struct rc_table *table;

    if (found->answered)
        printf("\n");
    table = rc_table_create(stdout, heads, N, rc_cmd_width());
    if (!table)
        return rc_error_no_memory(error);
    for (int f = 0; f < RC_METHODS; f++)
        if (found->methods[f].asked)
            put_family(table, f, &found->methods[f]);
    if (found->answered && answer->asked < 0) {
        rc_table_text(table, "together");
        put_answer(table, &found->summary);
        put_record(table, &found->record);
        rc_table_text(table, "");
        rc_table_text(table, "");
        rc_table_text(table, "");
    }
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    print_lacks(answer);
    return 0;
}

/* ---- for programs ---- */

static json_t *record_json(const struct rc_track_summary *record)
{
    json_t *object = json_object();

    rc_json_set(object, "runs", json_integer((json_int_t)record->n));
    rc_json_set(object, "error", rc_json_number(record->error));
    rc_json_set(object, "coverage", rc_json_number(record->held));
    return object;
}

static json_t *family_json(int family, const struct rc_method_report *part)
{
    json_t *object = json_object();
    char why[RC_HINT_SIZE], hint[RC_HINT_SIZE];

    rc_json_set(object, "family", rc_json_text(rc_predict_method_name((enum rc_method)family)));
    rc_json_set(object, "answered", json_boolean(part->answered));
    if (part->answered) {
        rc_json_set(object, "predicted", rc_json_number(part->answer.summary.predicted));
        rc_json_set(object, "mean", rc_json_number(part->answer.summary.mean));
        rc_json_set(object, "lo90", rc_json_number(part->answer.summary.lo90));
        rc_json_set(object, "hi90", rc_json_number(part->answer.summary.hi90));
        rc_json_set(object, "factor", rc_json_number(part->factor));
        rc_json_set(object, "expected_error", rc_json_number(part->error));
        rc_json_set(object, "id", part->id ? json_integer(part->id) : json_null());
    } else {
        rc_json_set(object, "why", rc_json_text(rc_cmd_error_text(&part->why, why)));
        rc_json_set(object, "hint",
                    rc_cmd_hint(&part->why, hint) ? rc_json_text(hint) : json_null());
    }
    rc_json_set(object, "weight", rc_json_number(part->weight));
    rc_json_set(object, "record", record_json(&part->record));
    return object;
}

json_t *rc_cmd_predict_families_json(const struct rc_cmd_answer *answer)
{
    json_t *list = json_array();

    for (int f = 0; f < RC_METHODS; f++)
        if (answer->found.methods[f].asked)
            json_array_append_new(list, family_json(f, &answer->found.methods[f]));
    return list;
}

json_t *rc_cmd_predict_learnt_json(const struct rc_recalibration *learnt,
                                   const struct rc_predict_summary *own)
{
    json_t *object, *before;

    if (learnt->n == 0)
        return json_null();
    object = json_object();
    before = json_object();
    rc_json_set(object, "predictions", json_integer((json_int_t)learnt->n));
    rc_json_set(object, "factor", rc_json_number(learnt->factor));
    rc_json_set(object, "low", rc_json_number(learnt->low));
    rc_json_set(object, "high", rc_json_number(learnt->high));
    rc_json_set(before, "predicted", rc_json_number(own->predicted));
    rc_json_set(before, "lo90", rc_json_number(own->lo90));
    rc_json_set(before, "hi90", rc_json_number(own->hi90));
    rc_json_set(object, "own", before);
    return object;
}
