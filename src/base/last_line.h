// SPDX-License-Identifier: BSD-2-Clause
/* last_line.h - the last line that a program wrote before it failed. */
#ifndef RC_BASE_LAST_LINE_H
#define RC_BASE_LAST_LINE_H

#include "base/buffer.h"

/* Appends the last line of text[0 .. length) that is not blank to `last`.  Launchers write a box of
 * general advice after the program's own output; lines in such boxes count only where there are no
 * others: then the beginning of the first box is appended.  Appends nothing where there is no line. */
void rc_last_line(const char *text, size_t length, struct rc_buffer *last);

#endif
