// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown.c - 'runcast slowdown': how much slower a program goes beside others. */
#include "cmd/commands.h"
#include "cmd/slowdown_calibration.h"

static const struct rc_command *const verbs[] = {
    &rc_command_slowdown_calibrate, &rc_command_slowdown_show, &rc_command_slowdown_burst,
    &rc_command_slowdown_bench, NULL};

const struct rc_command rc_command_slowdown = {
    .name = "slowdown",
    .summary = "Say how much slower a program goes beside others",
    .details = "From what else runs on a program's hosts and links, how much longer it takes there "
               "than alone. No history of runs is needed: the time of a dedicated run and a list "
               "of competitors are enough.",
    .children = verbs,
};
