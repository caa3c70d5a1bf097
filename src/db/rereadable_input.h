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

/* What is imported is read twice: once to find every fault and to know the content again, and once
 * to store it, so that no other writer has to wait while a table is looked at or a pipe is slow. */
struct rc_input {
    int file;
    const char *name;         /* for errors */
    struct rc_digest *digest; /* fed with what is read; or NULL */
    struct stat before;
};

/* Opens `path` ("-": standard input, which is first copied to a nameless temporary file if it
 * cannot be read twice).  Close with rc_db_input_close(), also when opening failed. */
int rc_db_input_open(struct rc_input *input, const char *path, const struct rc_monitor *monitor,
                     struct rc_error *error);
void rc_db_input_close(struct rc_input *input);

/* Goes back to the start. */
int rc_db_input_rewind(struct rc_input *input, struct rc_error *error);

/* -1 where the file was changed since it was opened. */
int rc_db_input_check_unchanged(const struct rc_input *input, struct rc_error *error);

/* Bytes of it, when it was opened. */
uint64_t rc_db_input_size(const struct rc_input *input);

/* For rc_csv_create(). */
struct rc_csv_source rc_db_input_source(struct rc_input *input);

#endif
