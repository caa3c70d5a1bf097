// SPDX-License-Identifier: GPL-3.0-or-later
/* competitors_file.h - competitors from the JSON of an observation. */
#ifndef RC_MODEL_SLOWDOWN_COMPETITORS_FILE_H
#define RC_MODEL_SLOWDOWN_COMPETITORS_FILE_H

#include "host/observe/declared_competitor.h"

enum { RC_OBSERVED_SIZE_MAX = 16 << 20 }; /* bytes */

/* Competitors that grow in number.  Start from {0}; free `items`. */
struct rc_competitors {
    struct rc_competitor *items;
    size_t n, room;
    int cores; /* of the observed host; 0: unknown */
};

/* Adds `count` of them; more than RC_COMPETITORS_MAX are an error. */
int rc_slowdown_competitors_add(struct rc_competitors *all, const struct rc_competitor *competitor,
                                size_t count, struct rc_error *error);

/* Adds those of a JSON text: an object with a list "competitors" of objects, each with a text
 * "competitor" for rc_observe_competitor_parse(), and perhaps with "cores" of the host.  `name`
 * is the text's name in errors. */
int rc_slowdown_observed_parse(const char *text, size_t length, const char *name,
                               struct rc_competitors *all, struct rc_error *error);
/* The same for a file. */
int rc_slowdown_observed_open(const char *path, struct rc_competitors *all, struct rc_error *error);

#endif
