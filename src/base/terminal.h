// SPDX-License-Identifier: BSD-2-Clause
/* terminal.h - what is known of the screen behind a stream. */
#ifndef RC_BASE_TERMINAL_H
#define RC_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether `stream` is a terminal that can redraw a line. */
bool rc_terminal_is(FILE *stream);

/* Columns of the terminal behind `stream`; 0 where there is none.  $COLUMNS wins over what the
 * terminal says, and stands in where it says nothing. */
size_t rc_terminal_width(FILE *stream);

/* Lines of the terminal behind `stream`; 0 where there is none, or it does not say. */
size_t rc_terminal_height(FILE *stream);

#endif
