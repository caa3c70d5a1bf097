// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown.c - 'runcast slowdown': how much slower a program goes beside others. */
#include "cmd/slowdown.h"

#include "cmd/commands.h"

static const struct rc_command *const children[] = {&rc_command_slowdown_observe, NULL};

const struct rc_command rc_command_slowdown = {
    .name = "slowdown",
    .summary = "Say how much slower a program goes beside others",
    .children = children,
};
