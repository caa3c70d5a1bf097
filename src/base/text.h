// SPDX-License-Identifier: BSD-2-Clause
/* text.h - small questions about text, and small files of it. */
#ifndef RC_BASE_TEXT_H
#define RC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

/* Whether `text` is well-formed UTF-8 without control characters (tabs and line ends included):
 * what a name in a table, a file or on a screen may be made of. */
bool rc_text_is_printable(const char *text, size_t length);

/* Replaces, by '?', every byte that keeps `text` from being printable in that sense. */
void rc_text_clean(char *text, size_t length);

/* How many columns of a terminal `text` takes; a malformed byte counts as one. */
size_t rc_text_width(const char *text, size_t length);

/* The length in bytes of the longest start of `text` that is at most `columns` wide. */
size_t rc_text_prefix(const char *text, size_t length, size_t columns);

/* Adds to `text`, which has room for `size` bytes, as far as that goes. */
void rc_text_append(char *text, size_t size, const char *format, ...) RC_PRINTF(3, 4);

/* Removes the partial character that a cut at `size` may have left at the end of `text`. */
void rc_text_mend_cut(char *text, size_t size);

/* The number of letters to insert, delete, replace or swap to get from `a` to `b`. */
unsigned rc_text_distance(const char *a, const char *b);

/* What a mistyped `word` was probably meant to be: the nearest of `count` candidates, each read
 * from `stride` bytes further on, or NULL where none is near. */
const char *rc_text_nearest(const char *word, const char *const *candidates, size_t count,
                            size_t stride);

/* Whether `word` is one of the words of `text`, which are separated by spaces or `separator`. */
bool rc_text_has_word(const char *text, const char *word, char separator);

/* Reads a small text file, such as those of the kernel, without its last line end; -1 (with errno,
 * and "" in `text`) where that does not work.  What is too long is cut. */
int rc_text_read(const char *path, char *text, size_t size);

/* Writes `text` to a file that is there, such as those by which the kernel is told things.  Returns 0
 * or an errno. */
int rc_text_write(const char *path, const char *text);

/* The path of `name` as the file `file` means it: beside itself, unless it is absolute.  -1 where it
 * does not fit. */
int rc_text_beside(const char *file, const char *name, char *path, size_t size);

#endif
