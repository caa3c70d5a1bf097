// SPDX-License-Identifier: GPL-3.0-or-later
/* core_share.h - the processes that enforce the shares of a core.
 *
 * Weights of control groups share a core out between the groups that want it: an idle group leaves
 * its part to the others.  So that no part grows, each node has a *holder*, which uses what the
 * node leaves, but never takes anything from what runs there (SCHED_IDLE); and the *remainder* of
 * the core has a process that uses it up.  A waiting node then loses its time, as a slow processor
 * does.
 *
 * The kernel changes from one group to the other every few milliseconds, much too coarse for
 * programs that exchange messages as often.  The *ticker*, a real-time process, only wakes up after
 * every grain of time: each time, the kernel chooses again which group runs, and takes the one that
 * is furthest behind.
 *
 * Each of them stops itself once it is ready.  SIGCONT lets it begin, SIGSTOP pauses it: the
 * supervisor does so as work comes and goes, because otherwise they would heat an idle machine.
 * They end with the process that started them. */
#ifndef RC_TESTBED_NODES_CORE_SHARE_H
#define RC_TESTBED_NODES_CORE_SHARE_H

#include "testbed/nodes/node_cgroups.h"
#include "testbed/nodes/testbed.h"

/* The report of a child about one of its steps, through one pipe: short enough to be written
 * whole. */
struct rc_nodes_report {
    int status; /* 0 or -1 */
    struct rc_error error;
};

/* Each forks; the child's number is returned, or -1.  `report` is the pipe to write to. */

/* Gets a network and the host name of the node, and its group, and reports; waits for a byte
 * from `go`, sets up its end of the network, and reports again. */
pid_t rc_nodes_start_holder(const struct rc_groups *groups, const struct rc_testbed *testbed,
                            size_t node, int go, int report);
/* Goes into the group `name` of the core `cpu`, and reports. */
pid_t rc_nodes_start_remainder(const struct rc_groups *groups, int cpu, const char *name,
                               int report);
/* Needs nothing but the right to real-time priority; where it has none, it is merely nicer to
 * itself than others are.  Reports. */
pid_t rc_nodes_start_ticker(int cpu, double grain, int report);

#endif
