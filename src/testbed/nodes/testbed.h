// SPDX-License-Identifier: GPL-3.0-or-later
/* testbed.h - a testbed: virtual nodes on this machine, to try programs and predictions on.
 *
 * A node has a network and a host name of its own, a link with a rate limit to the testbed's
 * switch, one core that it is pinned to, and a share of that core for all that runs in it, which
 * neither grows while its neighbours on the core are idle nor shrinks while they are busy.
 *
 * A testbed is kept by one process, the supervisor, which outlives the command that made it
 * (supervisor.c).  All that a testbed has of the kernel hangs on it: networks and host names are
 * those of the supervisor's children and vanish with them.  What can be left behind by a crash is a
 * directory below RC_NODES_DIRECTORY and control groups whose names begin with "runcast-";
 * rc_nodes_down() finds both by the testbed's name alone.
 *
 * All of this needs root. */
#ifndef RC_TESTBED_NODES_TESTBED_H
#define RC_TESTBED_NODES_TESTBED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runcast.h"

#define RC_NODES_DIRECTORY "/run/runcast/lab"

enum {
    RC_NODES_NODES_MAX = 250,
    RC_NODES_SUBNETS = 250,
    RC_NODES_NAME_MAX = 9,                      /* the names of network devices are made of it */
    RC_NODES_NODE_NAME = RC_NODES_NAME_MAX + 4, /* "NAME250" and a NUL */
    RC_NODES_PATH = 160
};

/* Shares of a core that can be kept. */
#define RC_NODES_CPU_LEAST 0.01
/* How finely a core is shared out, unless the user chooses otherwise; see docs/testbed.md. */
#define RC_NODES_GRAIN 250e-6
/* What programs that wait for one another must compute in between for shares to be true to them, at
 * that grain, as measured by evaluate/testbed. */
#define RC_NODES_TRUE_FOR "0.5 ms"
#define RC_NODES_GRAIN_LEAST 50e-6
#define RC_NODES_GRAIN_MOST 10e-3
/* The slowest link. */
#define RC_NODES_LINK_LEAST 1000.0
/* What a link lets pass at once, at least: a packet. */
#define RC_NODES_BURST_LEAST 1600.0

/* A process that is not mistaken for a later one of the same number.  pid 0: none. */
struct rc_nodes_process {
    pid_t pid;
    uint64_t started; /* in the kernel's ticks since it booted */
};

struct rc_nodes_node {
    char name[RC_NODES_NODE_NAME];
    char address[16];
    int core;
    double cpu;                     /* share of that core, up to 1 */
    double link;                    /* bytes/s, each way; INFINITY: not limited */
    struct rc_nodes_process holder; /* the process whose network and host name are the node's */
};

/* As kept in lab.json. */
struct rc_testbed {
    char name[RC_NODES_NAME_MAX + 1];
    char boot[40]; /* which life of the machine it belongs to */
    int subnet;    /* nodes have the addresses 10.213.SUBNET.1, .2, ... */
    double grain;  /* seconds */
    double burst;  /* bytes that a link lets pass at once; NAN: as its rate has it */
    struct rc_nodes_process supervisor;
    size_t n_nodes;
    struct rc_nodes_node nodes[RC_NODES_NODES_MAX];
};

/* What `up` is asked for. */
struct rc_nodes_request {
    const char *name;
    int64_t nodes;
    double cpu;  /* of each node; NAN: as much as there is for all, at most 1 */
    double link; /* bytes/s; INFINITY: not limited */
    double grain;
    double burst; /* as in struct rc_testbed */
};

/* Whether testbeds can be made here: by this user, with this kernel and these programs. */
int rc_nodes_possible(struct rc_error *error);

/* Whether a testbed can have this name: small letters, digits and '-', beginning and ending in a
 * letter, so that names of nodes are unambiguous. */
int rc_nodes_check_name(const char *name, struct rc_error *error);

/* Makes a testbed and fills in `testbed`.  All of it stands, or nothing is left. */
int rc_nodes_up(const struct rc_nodes_request *request, struct rc_testbed *testbed,
                const struct rc_monitor *monitor, struct rc_error *error);

/* Ends everything that runs in a testbed and removes all that is left of it, whatever state it is
 * in.  `*found` is whether there was anything.  Nothing of any other testbed is touched. */
int rc_nodes_down(const char *name, bool *found, struct rc_error *error);

/* Reads a testbed.  It is an error where there is none of that name. */
int rc_nodes_load(const char *name, struct rc_testbed *testbed, struct rc_error *error);

/* Calls `each` with the name of every testbed of which there is anything, in their order, until it
 * returns other than 0, which is then returned. */
int rc_nodes_each(int (*each)(void *data, const char *name), void *data, struct rc_error *error);

/* Finds the testbed and the place in it of the node `name`; `testbed_name` (or NULL) limits that to
 * one testbed. */
int rc_nodes_find_node(const char *name, const char *testbed_name, struct rc_testbed *testbed,
                       size_t *node, struct rc_error *error);

/* Changes the shares or rates of some nodes while things run in them; NAN leaves as it is.  All of
 * it is in force when this returns, or nothing has changed. */
int rc_nodes_set(const char *testbed_name, const size_t *nodes, size_t n_nodes, double cpu,
                 double link, struct rc_testbed *testbed, struct rc_error *error);

/* Makes this process one of a node: its control group, core, network, host name and TMPDIR are the
 * node's from here on, and /etc/hosts names all nodes of the testbed.  There must be no other
 * thread. */
int rc_nodes_enter(const struct rc_testbed *testbed, size_t node, struct rc_error *error);

/* What can be seen of a testbed. */
struct rc_nodes_health {
    bool supervisor;   /* it runs */
    bool rebooted;     /* what is left is of an earlier life of the machine */
    bool being_made;   /* `up` has not finished */
    bool nodes_gone;   /* some node has lost its network */
    bool keeps_shares; /* there is something to run: not all nodes have a whole core */
};
void rc_nodes_look(const struct rc_testbed *testbed, struct rc_nodes_health *health);

/* Processes in a node, without the supervisor's own; and the CPU time used in it so far, in
 * seconds, which grows by the node's share even where nothing else runs.  -1 and NAN where not
 * known. */
int64_t rc_nodes_node_processes(const struct rc_testbed *testbed, size_t node);
double rc_nodes_node_seconds(const struct rc_testbed *testbed, size_t node);

#endif
