// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - what 'runcast doctor' found, for people and as JSON. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cmd/core/command.h"
#include "cmd/doctor/checks.h"
#include "report/field.h"

/* ---- for people ---- */

static void put_row(struct rc_table *table, const char *first, const char *second,
                    const char *third)
{
    rc_table_text(table, first);
    rc_table_text(table, second);
    rc_table_text(table, third);
}

static void put_check(struct rc_table *table, const struct rc_check *check,
                      const struct rc_finding *finding)
{
    char title[128], advice[sizeof finding->advice + 256];

    snprintf(title, sizeof title, "  %s", check->title);
    put_row(table, title, rc_cmd_verdict_name(finding->verdict), finding->fact);
    if (finding->verdict == RC_VERDICT_OK)
        return;
    snprintf(advice, sizeof advice, "-> to %s: %s", check->needed_for, finding->advice);
    put_row(table, "", "", advice);
}

static void put_summary(const struct rc_doctor_tally *tally)
{
    size_t usable = tally->of[RC_VERDICT_OK] + tally->of[RC_VERDICT_LIMITED];

    printf("\n%zu of %zu can be used", usable, tally->total);
    if (tally->of[RC_VERDICT_LIMITED])
        printf(", %zu of them with limits", tally->of[RC_VERDICT_LIMITED]);
    if (!tally->works)
        printf("; runcast cannot work here until what is broken is mended");
    else if (tally->of[RC_VERDICT_OK] < tally->total)
        printf("; see the advice above");
    putchar('\n');
}

static int put_table(const struct rc_finding *findings, const struct rc_doctor_tally *tally)
{
    static const struct rc_column columns[] = {
        {.title = "check"},
        {.title = "verdict"},
        {.title = "what was found, and what to do", .wrap = true},
    };
    const char *area = NULL;
    struct rc_table *table = rc_table_create(stdout, columns, 3, rc_cmd_width());

    if (!table)
        return -1;
    for (size_t i = 0; i < tally->total; i++) {
        const struct rc_check *check = &rc_doctor_checks[i];

        if (!area || strcmp(area, check->area) != 0)
            put_row(table, check->area, "", "");
        area = check->area;
        put_check(table, check, &findings[i]);
    }
    if (rc_table_finish(table))
        return -1;
    put_summary(tally);
    return 0;
}

/* ---- for programs ---- */

struct result {
    struct rc_check check;
    struct rc_finding finding;
};

static json_t *verdict_json(const void *result)
{
    return json_string(rc_cmd_verdict_name(((const struct result *)result)->finding.verdict));
}

static const struct rc_field result_fields[] = {
    {RC_FIELD(struct result, TEXT, check.id), .key = "id"},
    {RC_FIELD(struct result, TEXT, check.area), .key = "area"},
    {RC_FIELD(struct result, TEXT, check.title), .key = "title"},
    {.kind = RC_AS_COMPUTED, .key = "verdict", .json = verdict_json},
    {RC_FIELD(struct result, CHARS, finding.fact), .key = "fact"},
    {RC_FIELD(struct result, CHARS, finding.advice), .key = "advice"},
    {RC_FIELD(struct result, TEXT, check.needed_for), .key = "needed_for"},
    {RC_FIELD(struct result, BOOL, check.essential), .key = "essential"},
    RC_FIELDS_END};

static void put_json(const struct rc_finding *findings, const struct rc_doctor_tally *tally)
{
    json_t *report = json_object(), *list = json_array(), *summary = json_object();

    for (size_t i = 0; i < tally->total; i++) {
        const struct result result = {rc_doctor_checks[i], findings[i]};

        json_array_append_new(list, rc_field_json(result_fields, &result));
    }
    rc_json_set(summary, "checks", json_integer((json_int_t)tally->total));
    for (int i = 0; i < RC_VERDICTS; i++)
        rc_json_set(summary, rc_cmd_verdict_name((enum rc_verdict)i),
                    json_integer((json_int_t)tally->of[i]));
    rc_json_set(summary, "works", json_boolean(tally->works));
    rc_json_set(report, "checks", list);
    rc_json_set(report, "summary", summary);
    rc_cmd_print_json(report);
}

int rc_cmd_doctor_show(const struct rc_finding *findings, const struct rc_doctor_tally *tally,
                       bool as_json)
{
    if (!as_json)
        return put_table(findings, tally);
    put_json(findings, tally);
    return 0;
}
