// SPDX-License-Identifier: GPL-3.0-or-later
/* rereadable_input.h - a file or standard input that can be read twice. */
#ifndef RC_DB_REREADABLE_INPUT_H
#define RC_DB_REREADABLE_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/digest.h"
#include "runcast.h"

/* Imports are read twice: to find all faults and the digest, and to store the rows, so that no
 * other writer waits for a bad table or a slow pipe. */
struct rc_input {
    int file;
    const char *name;         /* for errors */
    struct rc_digest *digest; /* gets all bytes that are read; or NULL */
    struct stat before;
};

/* Opens `path` ("-": standard input, which is first copied to a nameless temporary file if it
 * cannot be read twice).  Close with rc_db_input_close(), also when opening failed. */
int rc_db_input_open(struct rc_input *input, const char *path, const struct rc_monitor *monitor,
                     struct rc_error *error);
void rc_db_input_close(struct rc_input *input);

/* Goes back to the start. */
int rc_db_input_rewind(struct rc_input *input, struct rc_error *error);

/* -1 if the file was changed since it was opened. */
int rc_db_input_check_unchanged(const struct rc_input *input, struct rc_error *error);

/* Bytes of it, when it was opened. */
uint64_t rc_db_input_size(const struct rc_input *input);

/* For rc_csv_create(). */
struct rc_csv_source rc_db_input_source(struct rc_input *input);

#endif
