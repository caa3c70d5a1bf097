// SPDX-License-Identifier: GPL-3.0-or-later
/* senses_watch.h - the hosts of a run, sensed by a watcher (host/watch/watch.h). */
#ifndef RC_RUN_SENSES_WATCH_H
#define RC_RUN_SENSES_WATCH_H

#include "run/senses.h"
#include "host/watch/watch.h"

/* Makes senses of a watcher with these options, but for its callbacks; samples go to `tracks`,
 * which must outlive it.  Free with senses->kind->destroy(senses->data). */
int rc_run_senses_watch(struct rc_senses *senses, const struct rc_watch_options *options,
                        struct rc_tracks *tracks, struct rc_error *error);

#endif
