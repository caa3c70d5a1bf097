// SPDX-License-Identifier: GPL-3.0-or-later
/* keeper.h - the process that keeps a lab. */
#ifndef RC_TESTBED_NODES_KEEPER_H
#define RC_TESTBED_NODES_KEEPER_H

#include "testbed/nodes/lab.h"

/* Starts the keeper of a lab whose directory is there and whose nodes have their cores, shares and
 * links, and waits until all of it stands.  Then `lab` knows the processes, and lab.json is
 * written.  `lock` is the caller's on all labs.  Where it fails, what the keeper made so far may be
 * left: rc_nodes_down() removes it. */
int rc_nodes_keeper_start(struct rc_nodes *lab, int lock, struct rc_error *error);

/* Makes the keeper of a lab look at once: at what runs in it, and at lab.json.  -1 where there is
 * no keeper. */
int rc_nodes_keeper_wake(const struct rc_nodes *lab);

/* The name of the group of what keeps a lab from having more of a core than its shares. */
void rc_nodes_rest_name(const struct rc_nodes *lab, char name[RC_NODES_NODE_NAME + 8]);

/* The weight that the rest of a core should have where its nodes have weights that sum to `shares`,
 * were to get `shares` of the core, and they and the rest together got `got` of it; for tests. */
double rc_nodes_rest_weight(double shares, double got);

#endif
