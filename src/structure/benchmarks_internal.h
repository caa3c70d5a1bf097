// SPDX-License-Identifier: GPL-3.0-or-later
/* benchmarks_internal.h - benchmarks.c has values in memory and in the store, benchmarks_text.c
 * their text. */
#ifndef RC_STRUCTURE_BENCHMARKS_INTERNAL_H
#define RC_STRUCTURE_BENCHMARKS_INTERNAL_H

#include "structure/benchmarks.h"

/* Adds how an input is measured, as the lines of a model; equal texts are equal ways. */
int rc_benchmarks_clauses(const struct rc_item *item, struct rc_buffer *text);
/* One input; description, lifetime and names of parameters are those of `item` unless NULL. */
int rc_benchmarks_write_input(const struct rc_benchmark_input *input, const struct rc_item *item,
                            struct rc_buffer *text);
/* Adds `on PLATFORM`, if a model can name it. */
int rc_benchmarks_write_platform(const char *platform, struct rc_buffer *text);

/* Whether the input was measured in the way that `item` says. */
bool rc_benchmarks_fits(const struct rc_benchmark_input *input, const struct rc_item *item);

#endif
