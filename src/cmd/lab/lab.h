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

/* The name of a lab that the user did not name. */
#define RC_NODES_DEFAULT_NAME "lab"

#define RC_OPTION_LAB(type, text)                                                                  \
    {                                                                                              \
        .name = "name", .kind = RC_OPTION_TEXT, .argument = "LAB", .help = text,                   \
        .offset = offsetof(type, name)                                                             \
    }

/* Reads the rate of --link: INFINITY for "none", NAN where `text` is NULL. */
int rc_cmd_lab_link(const char *text, double *link, struct rc_error *error);

/* Becomes a program in `node`; only returns, with an exit status, where that failed.  In exec.c. */
int rc_cmd_lab_become(char *const *argv, const char *node);

/* Writes one lab, or several, as a table for people or as JSON.  Returns the exit status. */
int rc_cmd_lab_show(const struct rc_testbed *labs, size_t n, bool json);

#endif
