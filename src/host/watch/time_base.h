// SPDX-License-Identifier: GPL-3.0-or-later
/* time_base.h - one time base for all hosts: what their clocks are off by, and how that changes.
 *
 * Two steps, so that a clock that is set in one place disturbs no other: a sensor's clock is
 * compared with this machine's monotonic clock (struct rc_watch_clock, one for each host), and that
 * with this machine's wall clock (struct rc_watch_base, one in all). */
#ifndef RC_HOST_WATCH_TIME_BASE_H
#define RC_HOST_WATCH_TIME_BASE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

/* ---- this machine ---- */

/* The base is the monotonic clock plus `ahead`.  Plain data. */
struct rc_watch_base {
    double ahead;   /* by which the base is ahead of the monotonic clock */
    double updated; /* monotonic */
};

/* The base begins as the wall clock. */
void rc_watch_base_init(struct rc_watch_base *base, double wall, double monotonic);
/* Follows the wall clock: forward at once, back only slowly (a tenth of the time that passes), so
 * that the base never stands still or steps back. */
void rc_watch_base_follow(struct rc_watch_base *base, double wall, double monotonic);
/* The same with the time of `clock`, which is read so that being interrupted does no harm.  Returns
 * the monotonic time. */
double rc_watch_base_read(struct rc_watch_base *base, struct rc_clock *clock);

/* ---- a sensor's clock ---- */

enum { RC_WATCH_EXCHANGES = 8 };

/* One question and its answer. */
struct rc_watch_exchange {
    double at;         /* monotonic, in the middle between question and answer */
    double offset;     /* of the sensor's clock against the monotonic one, at that moment */
    double round_trip; /* the true offset is within half of this */
};

/* Plain data; start with rc_watch_clock_init(). */
struct rc_watch_clock {
    struct rc_watch_exchange last[RC_WATCH_EXCHANGES], best, drift_from;
    size_t n, next;        /* in `last`; the next one to be replaced */
    double drift;          /* seconds gained in a second */
    double drift_variance; /* of that estimate */
    unsigned steps;        /* how often the clock was found to have been set */
};

/* Nothing is known. */
void rc_watch_clock_init(struct rc_watch_clock *clock);
/* The sensor was started anew: its offset must be measured again; what is known of its drift stays.
 * */
void rc_watch_clock_restart(struct rc_watch_clock *clock);

/* Takes in an answer: asked and answered at these monotonic times, with the sensor's time between.
 * */
void rc_watch_clock_add(struct rc_watch_clock *clock, double asked, double answered, double time);

/* The offset, drift included, at a monotonic time; NAN where not known. */
double rc_watch_clock_offset(const struct rc_watch_clock *clock, double monotonic);

/* ---- times of samples ---- */

struct rc_watch_stamp {
    double time;     /* on the sensor's clock */
    double arrival;  /* monotonic */
    double earliest; /* monotonic; the sensor was started then, so that no sample is older */
    double last;     /* time of the last sample of this series, on the base; -INFINITY: none */
};
/* The sample's time on the base: later than `last`, and not later than its arrival but for the
 * least amount that `last` may demand.  Where the sensor's clock cannot be right, the arrival time
 * is used, and `*doubtful` requests a new reading of the clock. */
double rc_watch_stamp_put(const struct rc_watch_stamp *stamp, const struct rc_watch_clock *clock,
                          const struct rc_watch_base *base, bool *doubtful);

#endif
