// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown.h - the verbs of 'runcast slowdown', and what they share. */
#ifndef RC_CMD_SLOWDOWN_H
#define RC_CMD_SLOWDOWN_H

#include "cmd/command.h"

extern const struct rc_command rc_command_slowdown_observe;

#endif
