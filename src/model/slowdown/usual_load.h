// SPDX-License-Identifier: GPL-3.0-or-later
/* usual_load.h - how busy a host usually is, by the samples in the database. */
#ifndef RC_MODEL_SLOWDOWN_USUAL_LOAD_H
#define RC_MODEL_SLOWDOWN_USUAL_LOAD_H

#include "host/observe/declared_competitor.h"
#include "runcast.h"

#define RC_USUAL_LOAD_SECONDS (7 * 86400.0) /* how far back it is looked */

/* The usual load of a host with so many cores, as so many processes would meet it: by the samples of
 * its CPU availability (metric "cpu") in the last RC_USUAL_LOAD_SECONDS before `now`; `samples` is 0
 * where there are none.
 *
 * Availability is what one new process would get of a core.  Where that is less than a core, all
 * cores are shared, and how many others there are follows; so does what several would get. */
int rc_slowdown_usual_load_find(struct rc_db *db, const char *host, double now, int cores,
                                int processes, struct rc_usual_load *usual, struct rc_error *error);

/* Whether the database has any series of a host: -1 with an error where it has none. */
int rc_slowdown_usual_load_check(struct rc_db *db, const char *host, struct rc_error *error);

#endif
