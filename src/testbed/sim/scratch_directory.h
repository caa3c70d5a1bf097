// SPDX-License-Identifier: GPL-3.0-or-later
/* scratch_directory.h - the temporary directory of a simulation. */
#ifndef RC_TESTBED_SIM_SCRATCH_DIRECTORY_H
#define RC_TESTBED_SIM_SCRATCH_DIRECTORY_H

#include "runcast.h"

/* The directory in which a simulation has its files; made by rc_sim_directory_make() and deleted,
 * with all that is in it, by rc_sim_directory_remove().  Those of processes that were killed are
 * deleted when this process makes its first. */
enum { RC_SIM_DIRECTORY_SIZE = 1024 };
struct rc_sim_directory {
    char path[RC_SIM_DIRECTORY_SIZE]; /* "" where there is none */
    const char *name;                 /* the last part of it, which is unique */
    int lock;                         /* held for as long as the directory is in use */
};
int rc_sim_directory_make(struct rc_sim_directory *directory, struct rc_error *error);
void rc_sim_directory_remove(struct rc_sim_directory *directory);

#endif
