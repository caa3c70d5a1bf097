// SPDX-License-Identifier: BSD-2-Clause
/* terminal.h - the size of a terminal. */
#ifndef RC_BASE_TERMINAL_H
#define RC_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether `stream` is a terminal that can redraw a line. */
bool rc_terminal_is(FILE *stream);

/* Columns of the terminal of `stream`; 0 if it is none. $COLUMNS overrides the terminal. */
size_t rc_terminal_width(FILE *stream);

/* Lines of the terminal of `stream`; 0 if it is none or reports none. */
size_t rc_terminal_height(FILE *stream);

#endif
