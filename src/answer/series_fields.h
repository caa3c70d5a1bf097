// SPDX-License-Identifier: GPL-3.0-or-later
/* series_fields.h - the fields of answers about measured series. */
#ifndef RC_ANSWER_SERIES_FIELDS_H
#define RC_ANSWER_SERIES_FIELDS_H

#include "report/field.h"
#include "stats/series/description.h"
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

/* A mode, with how long the series stays in it. */
struct rc_answer_series_mode {
    size_t number; /* from 1 */
    struct rc_series_mode mode;
    double seconds, dwell; /* in it; mean until it ends, NAN: never seen to end */
};

/* A described series. */
struct rc_answer_series_described {
    const char *host, *peer, *metric, *unit; /* peer "": of a host; no unit: NULL */
    struct rc_series_description of;
    struct rc_answer_series_mode modes[RC_SERIES_MODES_MAX];
    size_t n_modes;
    json_t *notes; /* the caller's */
};
extern const struct rc_field rc_answer_series_described[];
struct rc_answer_series_described
rc_answer_series_described_of(const struct rc_series_key *key, const char *unit,
                              const struct rc_series_description *description);
/* "local", "not local" or "unknown". */
const char *rc_answer_series_verdict(enum rc_series_verdict verdict);

extern const struct rc_field rc_answer_series_import[], rc_answer_series_deletion[];
extern const struct rc_field rc_answer_series[]; /* of struct rc_series_info */
extern const struct rc_field rc_answer_sample[]; /* of struct rc_sample */

#endif
