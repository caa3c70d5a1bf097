// SPDX-License-Identifier: GPL-3.0-or-later
/* value_fields.h - a computed value: its distribution in numbers. */
#ifndef RC_ANSWER_VALUE_FIELDS_H
#define RC_ANSWER_VALUE_FIELDS_H

#include "report/field.h"
#include "stats/value/value.h"

enum { RC_ANSWER_PERCENTILES = 5 };
extern const int rc_answer_percentiles[RC_ANSWER_PERCENTILES];

struct rc_answer_value {
    const char *kind;
    double mean, sd, low, high; /* the ends; of a normal or modal value, of its interval */
    double level, span_low, span_high;
    double quantiles[RC_ANSWER_PERCENTILES];
    const struct rc_mode *modes; /* of a modal value, which they belong to */
    size_t n_modes;
};
struct rc_answer_value rc_answer_value_of(const struct rc_value *value,
                                          const struct rc_value_rules *rules, double level);

/* Of a number without unit, and of a time in seconds. */
extern const struct rc_field rc_answer_value[], rc_answer_value_time[];

#endif
