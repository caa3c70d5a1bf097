// SPDX-License-Identifier: GPL-3.0-or-later
/* competitors_file.h - competitors from a file with what was observed on a host, and how busy a host
 * usually is. */
#ifndef RC_MODEL_SLOWDOWN_COMPETITORS_FILE_H
#define RC_MODEL_SLOWDOWN_COMPETITORS_FILE_H

#include "host/observe/declared_competitor.h"

enum { RC_OBSERVED_SIZE_MAX = 16 << 20 }; /* bytes */

/* Competitors that grow in number.  Start from {0}; free `items`. */
struct rc_competitors {
    struct rc_competitor *items;
    size_t n, room;
    int cores; /* of the host where they were observed; 0: not known */
};

/* Adds `count` of them; more than RC_COMPETITORS_MAX are an error. */
int rc_slowdown_competitors_add(struct rc_competitors *all, const struct rc_competitor *competitor,
                                size_t count, struct rc_error *error);

/* Adds those of a JSON text: an object whose "competitors" is a list of objects, each with a text
 * for rc_observe_competitor_parse() as "competitor"; its "cores", which need not be there, are those
 * of the host.  `name` stands for the text in errors. */
int rc_slowdown_observed_parse(const char *text, size_t length, const char *name,
                               struct rc_competitors *all, struct rc_error *error);
/* The same for a file. */
int rc_slowdown_observed_open(const char *path, struct rc_competitors *all, struct rc_error *error);

/* ---- how busy a host usually is ---- */

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
