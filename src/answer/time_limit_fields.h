// SPDX-License-Identifier: GPL-3.0-or-later
/* time_limit_fields.h - the fields of a time limit. */
#ifndef RC_ANSWER_TIME_LIMIT_FIELDS_H
#define RC_ANSWER_TIME_LIMIT_FIELDS_H

#include "predict/time_limit.h"
#include "report/field.h"

struct rc_answer_time_limit {
    double risk; /* required probability of exceeding it */
    struct rc_time_limit found;
};

/* The time limit, rounded up to a minute, and how it was computed: of struct rc_answer_time_limit,
 * as members of an answer. */
extern const struct rc_field rc_answer_time_limit[];

#endif
