// SPDX-License-Identifier: GPL-3.0-or-later
/* mpirun.h - options that make an MPI treat the nodes of a testbed as separate hosts.
 *
 * By default, an MPI would see one machine: it would start all ranks on it, let them communicate
 * through shared memory, and run its daemons' files of all nodes in one directory. */
#ifndef RC_TESTBED_NODES_MPIRUN_H
#define RC_TESTBED_NODES_MPIRUN_H

#include "base/buffer.h"
#include "testbed/nodes/testbed.h"

enum { RC_NODES_ARGUMENTS = 64, RC_NODES_RANKS_MAX = 1 << 20 };

struct rc_nodes_mpirun {
    const char *mpi; /* "openmpi" or "mpich" */
    int64_t ranks;
    int64_t per_node;    /* ranks on a node before the next gets one; they then go round */
    const size_t *nodes; /* that take part, in their order */
    size_t n_nodes;
    const char *runcast;  /* the path of this program, which the MPI starts its daemons through */
    char *const *program; /* the program and its arguments */
    int n_program;
};

/* An MPI starts its daemons by a program in the manner of rsh: `PROGRAM HOST WORDS...`, and can be
 * given the program's path alone.  A link by this name to runcast is such a program; see main.c. */
#define RC_NODES_AGENT "runcast-agent"

/* Which MPI a program was built for, by the libraries that it names: "openmpi", "mpich", "smpi", or
 * NULL where that is unknown, as of a script. */
const char *rc_nodes_program_mpi(const char *program);

/* The command, to be run inside the first of the nodes.  Free with rc_nodes_command_free(). */
struct rc_nodes_command {
    char **argv; /* ends with a NULL */
    int argc;
};
int rc_nodes_mpirun_command(const struct rc_testbed *testbed, const struct rc_nodes_mpirun *mpirun,
                            struct rc_nodes_command *command, struct rc_error *error);
/* Adds the hosts and how many ranks each gets, "lab1:2,lab2:1"; those without any are left out.  -1
 * where memory runs out.  For tests. */
int rc_nodes_mpirun_hosts(const struct rc_testbed *testbed, const struct rc_nodes_mpirun *mpirun,
                          struct rc_buffer *text);
void rc_nodes_command_free(struct rc_nodes_command *command);

#endif
