// SPDX-License-Identifier: BSD-2-Clause
/* progress.h - a progress bar on standard error, shown only on a terminal. */
#ifndef RC_BASE_PROGRESS_H
#define RC_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"
#include "runcast.h"

/* Plain data; start with rc_progress_begin() and always end with rc_progress_end(). */
struct rc_progress {
    FILE *out;
    struct rc_clock *clock;
    const char *label;
    double begun, shown;
    bool enabled, drawn;
};

/* Draws nothing during the first half second, and nothing if `out` is not a terminal. */
void rc_progress_begin(struct rc_progress *progress, FILE *out, struct rc_clock *clock,
                       const char *label);

/* `done` of `total` (0: not known; both 0: only that it goes on).  May be called as often as is
 * convenient. */
void rc_progress_update(struct rc_progress *progress, uint64_t done, uint64_t total);

/* Shows a sentence in place of the bar. */
void rc_progress_say(struct rc_progress *progress, const char *format, ...) RC_PRINTF(2, 3);

/* Wipes the bar. */
void rc_progress_end(struct rc_progress *progress);

/* Writes the bar's line, without control characters; for rc_progress_update() and tests. */
size_t rc_progress_line(char *line, size_t size, const char *label, uint64_t done, uint64_t total,
                        double elapsed, size_t width);

#endif
