// SPDX-License-Identifier: GPL-3.0-or-later
/* probe.h - running a skeleton, to hear how long it takes. */
#ifndef RC_MODEL_SKELETON_PROBE_PROBE_H
#define RC_MODEL_SKELETON_PROBE_PROBE_H

#include "runcast.h"
#include "model/skeleton/probe/trials.h"

/* Runs a command, words up to a NULL, so often, and adds what it says to `trials`.  It is to run
 * the skeleton that calls itself `name`.  -1, with its last words where it failed. */
int rc_skeleton_probe_run(char *const *command, size_t times, const char *name,
                          const struct rc_monitor *monitor, struct rc_trials *trials,
                          struct rc_error *error);

#endif
