// SPDX-License-Identifier: GPL-3.0-or-later
/* smpi_launch.h - starting a program under SMPI. */
#ifndef RC_TESTBED_SIM_SMPI_LAUNCH_H
#define RC_TESTBED_SIM_SMPI_LAUNCH_H

#include "testbed/sim/scratch_directory.h"
#include "testbed/sim/sim.h"

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
