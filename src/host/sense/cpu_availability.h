// SPDX-License-Identifier: GPL-3.0-or-later
/* cpu_availability.h - availability: the fraction of one core that a new process (nice 0, one
 * thread) would get.
 *
 * Nothing is run for it: it follows from the use of the cores since the last look
 * (docs/explanation/cpu-availability.md). */
#ifndef RC_HOST_SENSE_CPU_AVAILABILITY_H
#define RC_HOST_SENSE_CPU_AVAILABILITY_H

#include <stdbool.h>
#include <sys/types.h>

#include "runcast.h"
#include "host/sense/fair_share.h"

struct rc_sense_cpu;

/* What was found in one look. */
struct rc_sense_reading {
    double availability; /* 0 to 1; NAN: not known, as at the first look */
    double most;         /* what it would be without any other process */
    double soft; /* the part of the load, 0 to 1, by competitors that do not want a core all the
                    time: how they react to one more cannot be observed */
};

/* Destroy with rc_sense_cpu_destroy(). */
struct rc_sense_cpu *rc_sense_cpu_create(struct rc_error *error);
void rc_sense_cpu_destroy(struct rc_sense_cpu *cpu);

/* `now` is monotonic. `helper`: a child of this process that belongs to the sensor too; 0: none. */
int rc_sense_cpu_look(struct rc_sense_cpu *cpu, double now, pid_t helper,
                      struct rc_sense_reading *reading, struct rc_error *error);

/* Processes of these names (between commas) that are started from now on are no competitors: a run
 * that is observed does not stand in its own way.  `names` (NULL: none) must outlive the sensor. */
void rc_sense_cpu_exclude(struct rc_sense_cpu *cpu, const char *names);

/* How many cores this process may use. */
size_t rc_sense_cpu_cores(const struct rc_sense_cpu *cpu);

/* ---- the model, on any readings ---- */

/* A competitor on the cores. */
struct rc_sense_user {
    double rate;
    double weight; /* its own, or that of its group */
    int core;      /* that it was last on */
    size_t level;  /* of the tree of groups at which it is met (host/sense/cgroup_tree.h) */
    int group;     /* those of one group, other than 0, share one weight */
    bool first;    /* goes before all others: a real-time process */
    bool kept;     /* it may be on no core but those that this process may use */
    bool moves;    /* it may be on several cores */
};
/* The weights of the groups that this process is in, from the top. */
struct rc_sense_group_weights {
    const double *weights;
    size_t depth;
};
struct rc_sense_core {
    double busy, lost; /* of the time: by processes, to interrupts and other guests */
    bool there;
    bool mine; /* this process may use it */
};

/* Availability on those of cores[0 .. n_cores) that are mine, and in `*most` its value without
 * competitors.  `unseen` is the use by processes that were not seen. */
double rc_sense_cpu_model(const struct rc_sense_core *cores, size_t n_cores,
                          const struct rc_sense_user *users, size_t n_users,
                          const struct rc_sense_group_weights *weights, double unseen,
                          double *most);

#endif
