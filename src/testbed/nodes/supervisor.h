// SPDX-License-Identifier: GPL-3.0-or-later
/* supervisor.h - the process that keeps a testbed. */
#ifndef RC_TESTBED_NODES_SUPERVISOR_H
#define RC_TESTBED_NODES_SUPERVISOR_H

#include "testbed/nodes/testbed.h"

/* Starts the supervisor of a testbed whose directory is there and whose nodes have their cores,
 * shares and links, and waits until all of it stands.  Then `testbed` knows the processes, and
 * lab.json is written.  `lock` is the caller's on all testbeds.  Where it fails, what the
 * supervisor made so far may be left: rc_nodes_down() removes it. */
int rc_nodes_supervisor_start(struct rc_testbed *testbed, int lock, struct rc_error *error);

/* Makes the supervisor of a testbed look at once: at what runs in it, and at lab.json.  -1 where
 * there is no supervisor. */
int rc_nodes_supervisor_wake(const struct rc_testbed *testbed);

/* The weight that the rest of a core should have where its nodes have weights that sum to `shares`,
 * were to get `shares` of the core, and they and the rest together got `got` of it; for tests. */
double rc_nodes_remainder_weight(double shares, double got);

#endif
