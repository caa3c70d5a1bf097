// SPDX-License-Identifier: GPL-3.0-or-later
/* habit.h - how busy a host usually is, by what was measured of it. */
#ifndef RC_MODEL_SLOWDOWN_HABIT_H
#define RC_MODEL_SLOWDOWN_HABIT_H

#include "host/observe/competitor.h"

#define RC_HABIT_SECONDS (7 * 86400.0) /* how far back it is looked */

/* The habit of a host with so many cores towards so many processes, by the samples of its CPU's
 * availability (metric "cpu", as 'runcast watch' and 'runcast sense' keep them) in the last
 * RC_HABIT_SECONDS before `now`; `samples` is 0 where there are none.
 *
 * Availability is what one new process would get of a core.  Where that is less than a core, all
 * cores are shared, and how many others there are follows; so does what several would get. */
int rc_slowdown_host_habit_find(struct rc_db *store, const char *host, double now, int cores,
                                int processes, struct rc_host_habit *habit, struct rc_error *error);

#endif
