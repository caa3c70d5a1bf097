// SPDX-License-Identifier: GPL-3.0-or-later
/* series_fields.h - what is answered about measured series. */
#ifndef RC_ANSWER_SERIES_FIELDS_H
#define RC_ANSWER_SERIES_FIELDS_H

#include "report/field.h"
#include "runcast.h"

/* A table that was imported. */
struct rc_answer_series_import {
    const char *file;
    struct rc_db_series_import import;
};

extern const struct rc_field rc_answer_series_import[];
extern const struct rc_field rc_answer_series[]; /* of struct rc_series_info */

#endif
