// SPDX-License-Identifier: GPL-3.0-or-later
/* node_cores.h - which core each node of a testbed is pinned to. */
#ifndef RC_TESTBED_NODES_NODE_CONTROL_CORES_H
#define RC_TESTBED_NODES_NODE_CONTROL_CORES_H

#include <stddef.h>

#include "host/sense/cores.h"
#include "runcast.h"
#include "testbed/nodes/testbed.h"

struct rc_nodes_core {
    int cpu;      /* the kernel's number */
    double taken; /* of it, by nodes of any testbed */
};

struct rc_nodes_cores {
    size_t n;
    struct rc_nodes_core items[RC_SENSE_CORES_MAX];
};

/* The cores that this process may run on, one hardware thread of each: nodes that shared a core
 * through its threads would slow one another down in ways that no share describes. */
int rc_nodes_cores_find(struct rc_nodes_cores *cores, struct rc_error *error);

/* Which of `n` hardware threads to use, given the number of the first thread of each one's core:
 * marks the others by -1 in `cpus`.  For rc_nodes_cores_find() and tests. */
void rc_nodes_cores_thin(int *cpus, const int *first_of_core, size_t n);

/* Picks a core for each of `n` nodes that take `cpu` each: the one with the largest free share,
 * later ones first, so that the first core stays free for the rest of the machine as long as
 * there are others.  Adds to `taken`.  NAN as `cpu`: the largest share, at most 1, that all can
 * have; it is returned in `*granted`.  -1 where too little is free, with an error that states
 * how much is. */
int rc_nodes_cores_assign(struct rc_nodes_cores *cores, size_t n, double cpu, double *granted,
                          int *assigned, struct rc_error *error);

/* Adds the shares of a testbed's nodes to `taken` of those of `cores` that they are on. */
void rc_nodes_cores_take(struct rc_nodes_cores *cores, const struct rc_testbed *testbed);

/* The same for all testbeds of this machine other than `but`; marks their subnets in
 * subnets[0 .. RC_NODES_SUBNETS], or NULL. */
int rc_nodes_cores_take_others(struct rc_nodes_cores *cores, const char *but, bool *subnets,
                               struct rc_error *error);

#endif
