// SPDX-License-Identifier: GPL-3.0-or-later
/* series_fields.h - the fields of answers about measured series. */
#ifndef RC_ANSWER_SERIES_FIELDS_H
#define RC_ANSWER_SERIES_FIELDS_H

#include "report/field.h"
#include "runcast.h"

/* An imported table. */
struct rc_answer_series_import {
    const char *file;
    struct rc_db_series_import import;
    json_t *notes; /* the caller's */
};

struct rc_answer_series_deletion {
    uint64_t deleted; /* samples */
};

extern const struct rc_field rc_answer_series_import[], rc_answer_series_deletion[];
extern const struct rc_field rc_answer_series[]; /* of struct rc_series_info */
extern const struct rc_field rc_answer_sample[]; /* of struct rc_sample */

#endif
