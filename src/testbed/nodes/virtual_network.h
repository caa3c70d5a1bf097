// SPDX-License-Identifier: GPL-3.0-or-later
/* virtual_network.h - the network of a testbed: one switch, and one cable from it to each node.
 *
 * The switch is a bridge in a network namespace of its own, so that neither the machine's own
 * network nor its packet filters have anything to do with it.  Each end of a cable sends at the
 * node's rate at most: the node's end what leaves it, the switch's end what goes to it. */
#ifndef RC_TESTBED_NODES_VIRTUAL_NETWORK_H
#define RC_TESTBED_NODES_VIRTUAL_NETWORK_H

#include "testbed/nodes/testbed.h"

/* Whether `ip` and `tc` are there. */
int rc_nodes_network_possible(struct rc_error *error);

/* The rest is to be called inside the network that it is about. */

/* Inside the switch's, where the nodes' holders have their networks already. */
int rc_nodes_network_switch(const struct rc_testbed *testbed, struct rc_error *error);
/* Inside a node's, after that. */
int rc_nodes_network_node(const struct rc_testbed *testbed, size_t node, struct rc_error *error);

/* Changes the rate of the ends of some nodes' cables at the switch, or of one's own end, from what
 * stands in `testbed`. */
int rc_nodes_network_switch_rates(const struct rc_testbed *testbed, const size_t *nodes,
                                  size_t n_nodes, struct rc_error *error);
int rc_nodes_network_node_rate(const struct rc_testbed *testbed, size_t node,
                               struct rc_error *error);

/* The lines of `tc -batch` for one end; `burst` as in struct rc_testbed.  For tests. */
void rc_nodes_network_shaping(const char *device, double link, double burst, char *text,
                              size_t size);

#endif
