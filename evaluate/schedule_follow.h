// SPDX-License-Identifier: GPL-3.0-or-later
/* schedule_follow.h - how long a program takes whose work is divided over hosts, along the load
 * that each of them has: in place of a simulation of every message.
 *
 * In each iteration every host does its share, at its speed times what is available at each moment,
 * and then waits: for all others, or for its neighbours in the list only.  Messages take the same
 * time in each iteration. */
#ifndef RC_EVALUATE_SCHEDULE_FOLLOW_H
#define RC_EVALUATE_SCHEDULE_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "testbed/load/load_pattern.h"

enum { RC_FOLLOW_HOSTS = 64 };

struct rc_follow_host {
    double speed;               /* operations a second */
    struct rc_load_steps steps; /* of what is available, from before the start on */
};

struct rc_follow_program {
    size_t iterations;
    double operations; /* for a unit of work, in an iteration */
    double beside;     /* ... and of a host, however many units it has */
    double messages;   /* seconds in an iteration */
    bool neighbours;   /* waits for these only */
};

/* Seconds from `start` until the last of `n` hosts has done its units. */
double rc_follow(const struct rc_follow_program *program, const struct rc_follow_host *hosts,
                 size_t n, double start, const double *units);

#endif
