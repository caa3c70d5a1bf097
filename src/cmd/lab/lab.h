// SPDX-License-Identifier: GPL-3.0-or-later
/* lab.h - the verbs of 'runcast lab'. */
#ifndef RC_CMD_LAB_LAB_H
#define RC_CMD_LAB_LAB_H

#include "cmd/core/command.h"
#include "testbed/nodes/testbed.h"

extern const struct rc_command rc_command_lab_up;
extern const struct rc_command rc_command_lab_exec;
extern const struct rc_command rc_command_lab_mpirun;
extern const struct rc_command rc_command_lab_set;
extern const struct rc_command rc_command_lab_status;
extern const struct rc_command rc_command_lab_down;
extern const struct rc_command rc_command_lab_sim;

/* The default name of a lab. */
#define RC_NODES_DEFAULT_NAME "lab"

#define RC_OPTION_LAB(type, text)                                                                  \
    {                                                                                              \
        .name = "lab", .kind = RC_OPTION_TEXT, .argument = "NAME", .help = "name of the lab" text, \
        .offset = offsetof(type, lab)                                                              \
    }

/* Reads --link-rate: INFINITY for "none", NAN if `text` is NULL. */
int rc_cmd_lab_link_rate(const char *text, double *link, struct rc_error *error);

/* Executes a program in `node`.  Returns only if that failed, with an exit status.  In exec.c. */
int rc_cmd_lab_become(char *const *argv, const char *node);

/* Writes labs as tables or as JSON.  Returns the exit status. */
int rc_cmd_lab_show(const struct rc_testbed *labs, size_t n, bool json);

#endif
