// SPDX-License-Identifier: BSD-2-Clause
/* unit.h - quantities with units: 64KiB, 100Mbit, 2.2Gf, 50us, 1.5h, 40%. */
#ifndef RC_BASE_UNIT_H
#define RC_BASE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum rc_dimension {
    RC_COUNT,    /* 65536, 64Ki, 2M */
    RC_BYTES,    /* 64KiB (1024), 64kB (1000), 512 */
    RC_RATE,     /* bytes/s: 100Mbit, 100Mbit/s, 12.5MB/s, 12500000 */
    RC_FLOPS,    /* flop/s: 2.2Gf, 2.2Gflop/s, 2.2Gflops */
    RC_SECONDS,  /* 50us, 1.5h, 10min, 1h30min, 01:30:00, 2-01:30:00, 90 */
    RC_FRACTION, /* 0.4, 40% */
    RC_DIMENSIONS
};

/* Reads all of `text` as a quantity; a number without a unit is in base units. The error has the
 * expected form. The sign is not checked. */
int rc_unit_parse(const char *text, size_t length, enum rc_dimension dimension, double *value,
                  struct rc_error *error);

/* As rc_unit_parse() for RC_SECONDS, and MM:SS and MM:SS.mmm, which Slurm writes: minutes and
 * seconds, below 60. Elsewhere two numbers would be ambiguous. */
int rc_unit_parse_elapsed(const char *text, size_t length, double *value, bool *in_minutes,
                          struct rc_error *error);

enum { RC_UNIT_SIZE = 48 };

/* Writes `value` with a unit and four significant digits: "64 KiB", "100 Mbit/s". Seconds have
 * three, "1.23 ms", "45.6 s", and from a minute on the form "[D-]HH:MM:SS". "-" for NAN. Returns
 * the length. */
size_t rc_unit_format(double value, enum rc_dimension dimension, char text[RC_UNIT_SIZE]);
/* The same for two values side by side, with enough digits to distinguish them if they differ. */
void rc_unit_format_apart(double a, double b, enum rc_dimension dimension,
                          char a_text[RC_UNIT_SIZE], char b_text[RC_UNIT_SIZE]);

/* Reads "8", "4..16", "..16" or "4.."; the ends may carry suffixes of `dimension`. */
int rc_unit_parse_range(const char *text, enum rc_dimension dimension, struct rc_range *range,
                        struct rc_error *error);

#endif
