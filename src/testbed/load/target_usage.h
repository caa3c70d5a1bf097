// SPDX-License-Identifier: GPL-3.0-or-later
/* target_usage.h - producing the availability of load steps (load_pattern.h) on this machine. */
#ifndef RC_TESTBED_LOAD_TARGET_USAGE_H
#define RC_TESTBED_LOAD_TARGET_USAGE_H

#include "testbed/load/load_pattern.h"

struct rc_load_follow {
    struct rc_load_steps steps;
    double from;  /* the time of the steps when the load begins */
    double speed; /* how many of their seconds pass in one of ours */
    double span;  /* after so many of their seconds they begin anew; 0: never */
    size_t most;  /* processes that may share a core with a competitor; 0 for a link */
};

/* How many processes leave `availability` of a core to a competitor where all share it fairly, and
 * what each of them uses.  One that used 0.8 would get a half beside a competitor; four that use
 * 0.2 each get that, and leave 0.2.  At most `most`, which leave 1 / (most + 1) at the least. */
size_t rc_load_share(double availability, size_t most, double *fraction);

/* What is available, by the steps, so many seconds after the load began. */
double rc_load_follow_at(const struct rc_load_follow *follow, double since_begin);

/* The mean of that over the first `seconds`; `*made` is the mean of what `most` processes can make
 * of it. */
double rc_load_follow_mean(const struct rc_load_follow *follow, double seconds, double *made);

/* For a process's duty (core_fraction.h): what the process `index` of those on a core is to use. */
struct rc_load_follow_core {
    const struct rc_load_follow *follow;
    size_t index;
};
double rc_load_follow_fraction(const void *core, double since_begin);

/* For a stream (client_stream.h): what is to be sent on a link of that bandwidth. */
struct rc_load_follow_link {
    const struct rc_load_follow *follow;
    double bandwidth;
};
double rc_load_follow_rate(const void *link, double since_begin);

#endif
