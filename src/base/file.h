// SPDX-License-Identifier: BSD-2-Clause
/* file.h - whole files: replacing one at once, reading and writing small ones, paths. */
#ifndef RC_BASE_FILE_H
#define RC_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

/* Writes a file beside `path` and renames it. If that fails, the old file is unchanged. If `path`
 * is no regular file (a terminal, a pipe), writes to it. */
int rc_file_replace(const char *path, const void *data, size_t length, struct rc_error *error);

/* Whether two paths lead to one file that is there; NULL leads to none. */
bool rc_file_is_same(const char *a, const char *b);

/* Reads a small text file, such as those of the kernel, without its last line end. -1 (with errno,
 * and "" in `text`) on failure. Longer content is cut. */
int rc_file_read(const char *path, char *text, size_t size);

/* Writes `text` to an existing file, such as a control file of the kernel. Returns 0 or an errno. */
int rc_file_write(const char *path, const char *text);

/* The path of `name` relative to the file `file`, unless it is absolute. -1 if it is too long. */
int rc_file_beside(const char *file, const char *name, char *path, size_t size);

#endif
