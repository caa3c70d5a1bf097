// SPDX-License-Identifier: GPL-3.0-or-later
/* node_cgroups.h - the control groups of testbeds.
 *
 *     runcast-c2              all testbeds' nodes on core 2
 *     runcast-c2/lab1         the node lab1
 *     runcast-c2/lab-rest     what keeps the testbed 'lab' from having more of the core than its shares
 *
 * Each group is one directory in version 2, and one in each hierarchy of the controllers cpu,
 * cpuacct and cpuset in version 1.  They stand at the top, because a group's weight counts against
 * its neighbours only, and in version 2 a group with processes of its own can have none below
 * it. */
#ifndef RC_TESTBED_NODES_NODE_CGROUPS_H
#define RC_TESTBED_NODES_NODE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runcast.h"

enum { RC_GROUP_TREES = 3, RC_GROUP_PATH = 300 };

struct rc_group_tree {
    char top[RC_GROUP_PATH];
    int version;
    bool cpu, cpuacct, cpuset; /* which of the controllers it has */
};

/* Where groups can be made. */
struct rc_groups {
    struct rc_group_tree trees[RC_GROUP_TREES];
    size_t n;
    bool cpuset; /* processes of a group can be kept on a core; otherwise they are asked to stay */
};

/* Checks, and changes nothing.  -1 where this machine cannot share out a core by groups, with the
 * reason in `error`. */
int rc_nodes_groups_find(struct rc_groups *groups, struct rc_error *error);
/* The same before groups are made: in version 2 the controllers have to be handed down first.  They
 * stay so, because others may have come to need them. */
int rc_nodes_groups_prepare(struct rc_groups *groups, struct rc_error *error);
/* Removes the groups of cores that are empty, as a testbed leaves them that was not finished. */
void rc_nodes_groups_tidy(const struct rc_groups *groups);

/* Makes the group `name` on core `cpu`, and the one above it. */
int rc_nodes_group_make(const struct rc_groups *groups, int cpu, const char *name,
                        struct rc_error *error);
/* Ends all processes in the group, waits for their ends, and removes it, and the one above it where
 * nothing else is in that.  A group that is not there is removed already. */
int rc_nodes_group_remove(const struct rc_groups *groups, int cpu, const char *name,
                          struct rc_error *error);

/* Moves this process to the top where it is in a group of a testbed.  In a container of version 2
 * the top takes no processes while there is a testbed: -1 then. */
int rc_nodes_group_leave(const struct rc_groups *groups, struct rc_error *error);

/* Moves this process into the group. */
int rc_nodes_group_join(const struct rc_groups *groups, int cpu, const char *name,
                        struct rc_error *error);

/* Sets the weight of a group among those of its core: 1 is that of a whole core. */
int rc_nodes_group_weigh(const struct rc_groups *groups, int cpu, const char *name, double weight,
                         struct rc_error *error);

/* CPU time used in the group so far, in seconds; NAN where not known. */
double rc_nodes_group_seconds(const struct rc_groups *groups, int cpu, const char *name);
/* How many processes are in it; -1 where not known. */
int64_t rc_nodes_group_processes(const struct rc_groups *groups, int cpu, const char *name);

/* Calls `each` with every group of every core until it returns other than 0, which is returned. */
int rc_nodes_group_each(const struct rc_groups *groups,
                        int (*each)(void *data, int cpu, const char *name), void *data);

#endif
