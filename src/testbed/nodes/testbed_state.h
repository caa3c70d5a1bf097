// SPDX-License-Identifier: GPL-3.0-or-later
/* testbed_state.h - what is kept of a testbed: RC_NODES_DIRECTORY/NAME/ with
 *
 *     lab.json   what it is (struct rc_testbed); replaced as a whole, never changed in place
 *     wake       a pipe: a byte in it makes the supervisor look at once
 *     hosts      /etc/hosts inside the nodes
 *     tmp/NODE/  the node's directory for temporary files
 *     network.*  what was set up, as read by `ip -batch` and `tc -batch`
 *
 * A process that makes, changes or removes a testbed holds the one lock on all of them. */
#ifndef RC_TESTBED_NODES_TESTBED_STATE_H
#define RC_TESTBED_NODES_TESTBED_STATE_H

#include "testbed/nodes/testbed.h"

/* The lock; released by closing the descriptor that is returned, or by the end of the process. */
int rc_nodes_lock(struct rc_error *error);

/* The path of `file` (NULL: of the directory itself) of a testbed. */
void rc_nodes_path(const char *testbed, const char *file, char path[RC_NODES_PATH]);

/* Makes a directory that everybody can look into, whatever the mask; -1 with errno. */
int rc_nodes_directory(const char *path, bool may_be_there);

/* Replaces lab.json. */
int rc_nodes_write(const struct rc_testbed *testbed, struct rc_error *error);
/* As rc_nodes_load(), where the directory is known to be there. */
int rc_nodes_read(const char *name, struct rc_testbed *testbed, struct rc_error *error);

/* Writes a file of a testbed anew. */
int rc_nodes_write_file(const char *testbed, const char *file, const char *text, size_t length,
                        struct rc_error *error);

/* Removes the directory of a testbed with all that is in it. */
int rc_nodes_forget(const char *name, struct rc_error *error);

/* This life of the machine. */
void rc_nodes_boot(char boot[40]);

/* The identity of a process that runs now; pid 0 where it does not. */
struct rc_nodes_process rc_nodes_process(pid_t pid);
/* Whether it is still that process, and has not ended. */
bool rc_nodes_process_runs(const struct rc_nodes_process *process);

#endif
