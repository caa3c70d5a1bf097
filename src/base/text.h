// SPDX-License-Identifier: BSD-2-Clause
/* text.h - UTF-8 text: printable characters, width on a terminal, words, cutting. */
#ifndef RC_BASE_TEXT_H
#define RC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

/* Whether `text` is well-formed UTF-8 without control characters (tabs and line ends included):
 * what a name in a table, a file or on a screen may be made of. */
bool rc_text_is_printable(const char *text, size_t length);

/* Replaces every byte that is not printable in that sense by '?'. */
void rc_text_clean(char *text, size_t length);

/* How many columns of a terminal `text` takes; a malformed byte counts as one. */
size_t rc_text_width(const char *text, size_t length);

/* The length in bytes of the longest start of `text` that is at most `columns` wide. */
size_t rc_text_prefix(const char *text, size_t length, size_t columns);

/* Appends to `text`, which has room for `size` bytes; cuts what does not fit. */
void rc_text_append(char *text, size_t size, const char *format, ...) RC_PRINTF(3, 4);

/* Removes the partial character that a cut at `size` may have left at the end of `text`. */
void rc_text_mend_cut(char *text, size_t size);

/* Whether `word` is one of the words of `text`, which are separated by spaces or `separator`. */
bool rc_text_has_word(const char *text, const char *word, char separator);

#endif
