// SPDX-License-Identifier: GPL-3.0-or-later
/* core_fraction.h - using a fraction of a core: spin for a part of every few milliseconds, sleep
 * for the rest.
 *
 * The loop is closed on the process's own CPU time: a deficit or excess in one cycle is made good
 * in the next, so that the fraction holds in the long run.  A process that cannot get its fraction,
 * because others want the core too, wants it all the time, and so gets its fair share; a deficit
 * above RC_LOAD_DEBT_MAX is forgotten, or it would take more than its fraction for as long once the
 * others are gone.
 *
 * Cycles are of different lengths.  With equal ones that are not much longer than the kernel's
 * slices, a process that wants 0.6 could fall into step with a competitor and have it all: it
 * spun for less than a slice, so that it was not preempted, and slept just long enough to be
 * owed the next one.  A longer cycle ends that. */
#ifndef RC_TESTBED_LOAD_CORE_FRACTION_H
#define RC_TESTBED_LOAD_CORE_FRACTION_H

#include "host/sense/cores.h"
#include "testbed/load/load_processes.h"

#define RC_LOAD_CYCLE 0.01   /* mean length in seconds; from a half to one and a half of it */
#define RC_LOAD_DEBT_MAX 0.1 /* seconds of CPU time */

struct rc_load_duty {
    double until;    /* end of the cycle */
    double target;   /* CPU time at which its spinning ends */
    double fraction; /* of the cycle */
    double phase;    /* in [0, 1): where in the sequence of lengths it is */
};

/* `cpu` is the CPU time that the process has used by `now`.  Processes with different phases do not
 * go in step. */
void rc_load_duty_begin(struct rc_load_duty *duty, double now, double cpu, double phase);

/* Sets up the next cycle: to spin until the CPU time is `target`, then to sleep until `until`. */
void rc_load_duty_next(struct rc_load_duty *duty, double fraction, double now, double cpu);

/* What a process is to use at a time; called in it, once a cycle. */
struct rc_load_duty_plan {
    double (*fraction)(const void *data, double since_begin); /* NULL: `fixed` */
    const void *data;
    double fixed;
};

/* A task's body: follows the plan (its data, a struct rc_load_duty_plan) until the load is over. */
int rc_load_duty_body(struct rc_load_worker *worker, void *data, struct rc_error *error);

/* Adds `n` processes of that plan to a team, dealt out to the cores in turns. */
int rc_load_duty_add(struct rc_load_team *team, struct rc_load_duty_plan *plan,
                     const struct rc_sense_cores *cores, size_t n, struct rc_error *error);

/* The share of a core that a competitor has with `n` processes that each want `fraction` of it. */
double rc_load_left(size_t n, double fraction);

#endif
