// SPDX-License-Identifier: BSD-2-Clause
/* last_words.h - what a program that failed had to say. */
#ifndef RC_BASE_LAST_WORDS_H
#define RC_BASE_LAST_WORDS_H

#include "base/buffer.h"

/* Adds the last line that says something to `words`.  Launchers put a box with general remarks behind
 * what the program itself said, which then counts; where there is nothing but boxes, the beginning
 * of the first.  Nothing is added where nothing was said. */
void rc_last_words(const char *text, size_t length, struct rc_buffer *words);

#endif
