// SPDX-License-Identifier: GPL-3.0-or-later
/* runs_fields.h - the fields of runs and imports. */
#ifndef RC_ANSWER_RUNS_FIELDS_H
#define RC_ANSWER_RUNS_FIELDS_H

#include "report/field.h"
#include "runcast.h"

/* Of struct rc_run.  A key is also the name of a column of a list of runs; a field without a title is
 * in JSON alone. */
extern const struct rc_field rc_answer_run[];
/* The part that has to be read for a field, of enum rc_run_field; 0: it is in all runs. */
unsigned rc_answer_run_part(const struct rc_field *field);

/* A run as JSON with the fields of these parts; NULL if memory runs out. */
json_t *rc_answer_run_json(const struct rc_run *run, unsigned parts);

/* Of struct rc_error. */
extern const struct rc_field rc_answer_error[];

/* An import of a file. */
struct rc_answer_import {
    const char *file;
    const struct rc_error *error; /* NULL: the file was imported */
    int64_t import;               /* 0: none */
    uint64_t added, skipped, repeated, known_rows, differing_rows;
    bool known;
    json_t *warnings; /* the caller's */
};
extern const struct rc_field rc_answer_import[];
/* A warning about a row or a column of it; of struct rc_error. */
extern const struct rc_field rc_answer_import_warning[];

struct rc_answer_run_deletion {
    uint64_t count;
    bool dry_run;
};
extern const struct rc_field rc_answer_run_deletion[];

#endif
