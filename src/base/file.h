// SPDX-License-Identifier: BSD-2-Clause
/* file.h - files that are there as a whole, or as they were before. */
#ifndef RC_BASE_FILE_H
#define RC_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

/* Writes a file beside `path` and puts it in its place.  Where that fails, what was there before is
 * still there.  What is there and no regular file (a terminal, a pipe) is written to. */
int rc_file_replace(const char *path, const void *data, size_t length, struct rc_error *error);

/* Whether two paths lead to one file that is there; NULL leads to none. */
bool rc_file_is_same(const char *a, const char *b);

#endif
