// SPDX-License-Identifier: GPL-3.0-or-later
/* lab.c - 'runcast lab': clusters to try things on. */
#include "cmd/lab.h"

#include "cmd/commands.h"

static const struct rc_command *const verbs[] = {&rc_command_lab_sim, NULL};

const struct rc_command rc_command_lab = {
    .name = "lab",
    .summary = "Run programs on simulated clusters",
    .details = "A cluster that a platform file describes, without the machines.",
    .children = verbs,
};
