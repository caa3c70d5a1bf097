// SPDX-License-Identifier: GPL-3.0-or-later
/* smpi_launch.h - starting a program under SMPI. */
#ifndef RC_TESTBED_SIM_SMPI_LAUNCH_H
#define RC_TESTBED_SIM_SMPI_LAUNCH_H

#include "testbed/sim/sim.h"

/* The directory in which a simulation has its files; made by rc_sim_directory_make() and deleted,
 * with all that is in it, by rc_sim_directory_remove().  Those of processes that were killed are
 * deleted when this process makes its first. */
enum { RC_SIM_DIRECTORY_SIZE = 1024 };
struct rc_sim_directory {
    char path[RC_SIM_DIRECTORY_SIZE]; /* "" where there is none */
    const char *name;                 /* the last part of it, which nobody else has */
    int lock;                         /* held for as long as the directory is in use */
};
int rc_sim_directory_make(struct rc_sim_directory *directory, struct rc_error *error);
void rc_sim_directory_remove(struct rc_sim_directory *directory);

struct rc_sim_start {
    const char *const *program; /* a path and arguments, up to a NULL */
    int64_t processes;
    double here; /* speed of a core here, by which computing is measured; NAN: it is not */
};

/* Runs the program with the files that are in `directory`.  What it wrote besides its report is in
 * `printed`, also where it failed. */
int rc_sim_program_run(const struct rc_sim_start *start, const struct rc_sim_directory *directory,
                       const struct rc_monitor *monitor, struct rc_sim_output *output,
                       struct rc_buffer *printed, struct rc_error *error);

/* The problem size in the arguments of a program, --size N or --size=N as the workloads take it;
 * NAN where there is none. */
double rc_sim_program_size(const char *const *program);

#endif
