// SPDX-License-Identifier: GPL-3.0-or-later
/* program_output.h - reads JSON objects from what a program wrote to its standard output. */
#ifndef RC_RUN_PROGRAM_OUTPUT_H
#define RC_RUN_PROGRAM_OUTPUT_H

#include <jansson.h>
#include <stddef.h>

#include "runcast.h"

/* The members "time_s", "memory_bytes" and "procs" are also those of the names "seconds", "memory"
 * and "p". */

/* The last JSON object in `text` with a member of that name, to be released; NULL where there is
 * none. */
json_t *rc_run_output_object(const char *text, size_t length, const char *member);

/* The run time that a program reports: the last JSON object in `text` with a member "seconds" that
 * is a number above 0.  `*memory` is its member "memory", or NAN.  -1 where there is no such
 * object. */
int rc_run_output_seconds(const char *text, size_t length, double *seconds, double *memory,
                          struct rc_error *error);

#endif
