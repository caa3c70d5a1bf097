// SPDX-License-Identifier: GPL-3.0-or-later
/* doctor_fields.c - the fields of checks of this machine. */
#include "answer/doctor_fields.h"

#define FINDING struct rc_finding
static json_t *verdict_json(const void *finding)
{
    return json_string(rc_check_verdict_name(((const FINDING *)finding)->verdict));
}

static const struct rc_field finding_fields[] = {
    {RC_FIELD(FINDING, TEXT, check.id), .key = "name"},
    {RC_FIELD(FINDING, TEXT, check.area), .key = "area"},
    {RC_FIELD(FINDING, TEXT, check.title), .key = "title"},
    {.kind = RC_AS_COMPUTED, .key = "verdict", .json = verdict_json, .type = "string"},
    {RC_FIELD(FINDING, CHARS, fact), .key = "fact"},
    {RC_FIELD(FINDING, CHARS, advice), .key = "advice"},
    {RC_FIELD(FINDING, TEXT, check.needed_for), .key = "needed_for"},
    {RC_FIELD(FINDING, BOOL, check.essential), .key = "essential"},
    RC_FIELDS_END};

#define REPORT struct rc_check_report
static json_t *count_json(const void *report)
{
    (void)report;
    return json_integer(RC_CHECKS);
}

static const struct rc_field summary_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "check_count", .json = count_json, .type = "integer"},
    {RC_FIELD(REPORT, SIZE, of[RC_VERDICT_OK]), .key = "ok_count"},
    {RC_FIELD(REPORT, SIZE, of[RC_VERDICT_LIMITED]), .key = "limited_count"},
    {RC_FIELD(REPORT, SIZE, of[RC_VERDICT_MISSING]), .key = "missing_count"},
    {RC_FIELD(REPORT, SIZE, of[RC_VERDICT_BROKEN]), .key = "broken_count"},
    {RC_FIELD(REPORT, BOOL, works), .key = "works"},
    RC_FIELDS_END};

static json_t *findings_json(const void *report)
{
    return rc_field_json_list(finding_fields, ((const REPORT *)report)->findings, RC_CHECKS,
                              sizeof(FINDING));
}

const struct rc_field rc_answer_doctor[] = {
    {.kind = RC_AS_COMPUTED,
     .key = "checks",
     .json = findings_json,
     .type = "list",
     .fields = finding_fields},
    {.kind = RC_AS_OBJECT, .size = sizeof(REPORT), .key = "summary", .fields = summary_fields},
    RC_FIELDS_END};
