// SPDX-License-Identifier: GPL-3.0-or-later
/* lab.h - what the verbs of 'runcast lab' share. */
#ifndef RC_CMD_LAB_H
#define RC_CMD_LAB_H

#include "cmd/command.h"

extern const struct rc_command rc_command_lab_sim;

#endif
