// SPDX-License-Identifier: GPL-3.0-or-later
/* usual_load.h - the past load of a host, from samples in the database. */
#ifndef RC_MODEL_SLOWDOWN_USUAL_LOAD_H
#define RC_MODEL_SLOWDOWN_USUAL_LOAD_H

#include "host/observe/declared_competitor.h"
#include "runcast.h"

#define RC_USUAL_LOAD_SECONDS (7 * 86400.0) /* the past that is used */

/* The past load of a host with `cores`, for `processes` of a program: from samples of its CPU
 * availability (metric "cpu") in the last RC_USUAL_LOAD_SECONDS before `now`; `samples` is 0 if
 * there are none.
 *
 * CPU availability is the share of a core for one new process.  If it is below 1, all cores are
 * shared, so the number of other processes follows, and the shares of several new ones. */
int rc_slowdown_usual_load_find(struct rc_db *db, const char *host, double now, int cores,
                                int processes, struct rc_usual_load *usual, struct rc_error *error);

/* -1 with an error if the database has no series of the host. */
int rc_slowdown_usual_load_check(struct rc_db *db, const char *host, struct rc_error *error);

#endif
