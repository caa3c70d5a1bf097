// SPDX-License-Identifier: GPL-3.0-or-later
/* runs_fields.h - the fields of runs and imports. */
#ifndef RC_ANSWER_RUNS_FIELDS_H
#define RC_ANSWER_RUNS_FIELDS_H

#include "report/field.h"
#include "runcast.h"

/* A field of struct rc_run.  Its key is also the name of a column of a list of runs; a field
 * without a title is in JSON alone. */
struct rc_answer_run {
    unsigned part; /* of enum rc_run_field; 0: in all runs that are read */
    struct rc_field is;
};
enum { RC_ANSWER_RUN_FIELDS = 19 };
extern const struct rc_answer_run rc_answer_run[RC_ANSWER_RUN_FIELDS];

/* A run as JSON with the fields of these parts; NULL if memory runs out. */
json_t *rc_answer_run_json(const struct rc_run *run, unsigned parts);

/* An import of a file. */
struct rc_answer_import {
    const char *file;
    int64_t import; /* 0: none */
    uint64_t added, skipped;
    bool known;
    json_t *notes;
};
extern const struct rc_field rc_answer_import[];
/* A note about a row or a column of it; of struct rc_error. */
extern const struct rc_field rc_answer_import_note[];

/* A file that was not imported. */
struct rc_answer_import_failure {
    const char *file;
    struct rc_error error;
};
extern const struct rc_field rc_answer_import_failure[];

#endif
