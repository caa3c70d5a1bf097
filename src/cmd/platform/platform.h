// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.h - what the verbs of `runcast platform` share. */
#ifndef RC_CMD_PLATFORM_PLATFORM_H
#define RC_CMD_PLATFORM_PLATFORM_H

#include "cmd/core/command.h"

extern const struct rc_command rc_command_platform_show;

/* Prints "2 clusters, 128 hosts, 384 cores, 1 link". */
void rc_cmd_platform_totals(const struct rc_platform *platform);

#endif
