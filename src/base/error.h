// SPDX-License-Identifier: BSD-2-Clause
/* error.h - filling in a struct rc_error (declared in runcast.h). */
#ifndef RC_BASE_ERROR_H
#define RC_BASE_ERROR_H

#include "runcast.h"

/* All of these take NULL for `error`, and all return -1, so that a function can fail in one line:
 * `return rc_error_set(error, "…");`.  Texts that are too long are cut. */

/* What went wrong, with no input at fault. */
int rc_error_set(struct rc_error *error, const char *format, ...) RC_PRINTF(2, 3);

/* The same with the place in the input; line and column are 0 if unknown. */
int rc_error_at(struct rc_error *error, const char *file, unsigned line, unsigned column,
                const char *format, ...) RC_PRINTF(5, 6);

/* Adds what to do about it to an error that is set. */
int rc_error_hint(struct rc_error *error, const char *format, ...) RC_PRINTF(2, 3);

/* Gives an error a code and facts: `facts` is a format, with '\n' between facts, or NULL. `code` is
 * static text, "FOLDER.WHAT". A code replaces a hint that depends on the caller, such as an option
 * of a command: src/cmd/core/hints.c has the hint for each code. */
int rc_error_code(struct rc_error *error, const char *code, const char *facts, ...) RC_PRINTF(3, 4);

/* rc_error_set() with a code that has no facts. */
int rc_error_set_code(struct rc_error *error, const char *code, const char *format, ...)
    RC_PRINTF(3, 4);

/* Takes over hint, code and facts of `inner`. */
int rc_error_hint_of(struct rc_error *error, const struct rc_error *inner);

/* The error of a system call: `format`, a colon, and strerror(errno_value). */
int rc_error_errno(struct rc_error *error, int errno_value, const char *format, ...)
    RC_PRINTF(3, 4);

/* For functions that return a pointer: `return rc_error_null(rc_error_set(error, "…"));`. */
static inline void *rc_error_null(int failed)
{
    (void)failed;
    return NULL;
}

/* Memory ran out. */
int rc_error_no_memory(struct rc_error *error);

/* Marks an error as one of the system: another input does not help. rc_error_no_memory() does so,
 * and rc_error_errno() if memory, descriptors or the disk failed. */
int rc_error_system(struct rc_error *error);

#endif
