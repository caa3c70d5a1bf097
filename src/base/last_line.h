// SPDX-License-Identifier: BSD-2-Clause
/* last_line.h - the last line that a program wrote before it failed. */
#ifndef RC_BASE_LAST_LINE_H
#define RC_BASE_LAST_LINE_H

#include "base/buffer.h"

/* Appends the last line of text[0 .. length) that is not blank to `last`. Launchers write a box of
 * general advice after the output of the program. Lines in such boxes count only if there are no
 * others; then the start of the first box is appended. Appends nothing without lines. */
void rc_last_line(const char *text, size_t length, struct rc_buffer *last);

#endif
