// SPDX-License-Identifier: GPL-3.0-or-later
/* time_limit_fields.c - the fields of a time limit. */
#include "answer/time_limit_fields.h"

#include "base/json.h"

#define LIMIT struct rc_answer_time_limit
static json_t *rounded_json(const void *record)
{
    return rc_json_number(rc_predict_time_limit_round(((const LIMIT *)record)->found.seconds));
}

static const struct rc_field details[] = {
    {RC_FIELD(LIMIT, NUMBER, risk), .key = "risk"},
    {RC_FIELD(LIMIT, NUMBER, found.seconds), .key = "unrounded_s"},
    {RC_FIELD(LIMIT, NUMBER, found.own), .key = "from_samples_s"},
    {RC_FIELD(LIMIT, SIZE, found.n_past), .key = "past_predictions"},
    {RC_FIELD(LIMIT, BOOL, found.continued), .key = "extrapolated"},
    RC_FIELDS_END};

static json_t *details_json(const void *record)
{
    return rc_field_json(details, record);
}

const struct rc_field rc_answer_time_limit[] = {
    {.kind = RC_AS_COMPUTED, .key = "time_limit_s", .json = rounded_json, .type = "number"},
    {.kind = RC_AS_COMPUTED, .key = "time_limit", .json = details_json, .fields = details},
    RC_FIELDS_END};
