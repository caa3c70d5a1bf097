// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration.h - measurements of a platform for slowdown factors: delay curves, rates of bursts on
 * idle links, weights of hosts, and slowdown by memory contention. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATION_H
#define RC_MODEL_SLOWDOWN_CALIBRATION_H

#include <jansson.h>

#include "model/slowdown/message_slowdown.h"
#include "model/slowdown/communication_delay.h"
#include "model/slowdown/local_slowdown.h"

struct rc_db;

enum {
    RC_CALIBRATION_NAME = 256, /* bytes of a host's name, with the NUL */
    RC_CALIBRATION_HOSTS_MAX = 4096,
    RC_CALIBRATION_LINKS_MAX = 65536,
    RC_CALIBRATION_TEXT_MAX = 1 << 24, /* bytes */
    RC_CALIBRATION_FORMAT = 2,         /* of the text; 1 has no 'quick', 'lacking' and 'spread' */
    RC_CALIBRATION_OLDEST = 1          /* that is still read */
};

struct rc_slowdown_calibration_host {
    char name[RC_CALIBRATION_NAME];
    int cores;
    double seconds; /* of the benchmark on the idle host; NAN: not measured */
    double weight;  /* seconds of the slowest host divided by these; or NAN */
    double spread;  /* range of the times of the benchmark divided by their median; NAN: there was
                       only one, or it is unknown */
    struct rc_memory_curve memory;
};

struct rc_slowdown_calibration_link {
    char from[RC_CALIBRATION_NAME], to[RC_CALIBRATION_NAME];
    struct rc_burst_table bursts;
};

/* A point of Figure 2: the delay by `communicating` generators with a bandwidth of k. */
struct rc_calibration_point {
    size_t communicating;
    struct rc_delay_point point;
};

/* The parts that can be measured separately; sets of them are sums. */
enum rc_calibration_part {
    RC_CALIBRATION_WEIGHTS = 1,
    RC_CALIBRATION_BURSTS = 2,
    RC_CALIBRATION_DELAY = 4,
    RC_CALIBRATION_MEMORY = 8,
    RC_CALIBRATION_ALL = 15
};
enum { RC_CALIBRATION_PARTS = 4, RC_CALIBRATION_PARTS_SIZE = 32 };
extern const char *const rc_calibration_parts[RC_CALIBRATION_PARTS]; /* "weights" and so on */

/* A set of parts as "weights,delay"; and the part whose name has these bytes, or 0. */
void rc_slowdown_calibration_parts_text(unsigned parts, char text[RC_CALIBRATION_PARTS_SIZE]);
unsigned rc_slowdown_calibration_part(const char *name, size_t length);

/* Start from {0}; free with rc_slowdown_calibration_free(). */
struct rc_calibration {
    double made;      /* UTC epoch seconds */
    unsigned quick;   /* parts with unreliable values, measured quickly */
    unsigned missing; /* parts with missing or outdated values, after an interruption */
    struct rc_slowdown_calibration_host *hosts;
    size_t n_hosts;
    struct rc_slowdown_calibration_link *links;
    size_t n_links;
    struct rc_calibration_point *points;
    size_t n_points;
    char delay_from[RC_CALIBRATION_NAME], delay_to[RC_CALIBRATION_NAME]; /* where the points were
                            measured, and where the generators sent to; equal: over loopback */
    struct rc_delay delay; /* fitted to the points; no curves without points */
    double byte_seconds;   /* CPU time of sending a byte; NAN: unknown */
};
void rc_slowdown_calibration_free(struct rc_calibration *calibration);

/* The parts with values. */
unsigned rc_slowdown_calibration_has(const struct rc_calibration *calibration);
/* Whether the times of the benchmark differ so much that the host was probably not idle. */
bool rc_slowdown_calibration_was_busy(const struct rc_slowdown_calibration_host *host);

/* Adds to `calibration` what only `before` has: all parts that are not in `parts` and, of those
 * in `parts`, hosts and links that are missing or incomplete.  Weights are computed again.
 * `quick` and `missing` of the added values are added, too. */
int rc_slowdown_calibration_complete(struct rc_calibration *calibration,
                                     const struct rc_calibration *before, unsigned parts,
                                     struct rc_error *error);
/* Computes the weights of all measured hosts. */
int rc_slowdown_calibration_weigh(struct rc_calibration *calibration, struct rc_error *error);
/* Fits a curve for each number of generators that has points, from 1 on. */
int rc_slowdown_calibration_fit(struct rc_calibration *calibration, struct rc_error *error);
/* The host, or the link, of that name, which is added if it is new.  NULL on failure. */
struct rc_slowdown_calibration_host *
rc_slowdown_calibration_add_host(struct rc_calibration *calibration, const char *name,
                                 struct rc_error *error);
struct rc_slowdown_calibration_link *
rc_slowdown_calibration_add_link(struct rc_calibration *calibration, const char *from,
                                 const char *to, struct rc_error *error);

/* NULL if there is none of that name. */
const struct rc_slowdown_calibration_host *
rc_slowdown_calibration_host(const struct rc_calibration *calibration, const char *name);
const struct rc_slowdown_calibration_link *
rc_slowdown_calibration_link(const struct rc_calibration *calibration, const char *from,
                             const char *to);
/* The different numbers of messages of all bursts, at most `most`; returns their number. */
size_t rc_slowdown_calibration_counts(const struct rc_calibration *calibration, double *counts,
                                      size_t most);
/* The host of which `name` may be a misspelling; NULL if there is none. */
const char *rc_slowdown_calibration_near(const struct rc_calibration *calibration,
                                         const char *name);

/* Its text in the database; NULL if out of memory. */
json_t *rc_slowdown_calibration_json(const struct rc_calibration *calibration);

/* In calibration_document.c.  The same with the keys that users see, and back.  Both take the
 * reference to their argument. */
json_t *rc_slowdown_calibration_document(json_t *stored);
json_t *rc_slowdown_calibration_of_document(json_t *document);

/* Reads either of them; every member is checked. */
int rc_slowdown_calibration_read(const char *text, size_t length,
                                 struct rc_calibration *calibration, struct rc_error *error);

/* The same for a file. */
int rc_slowdown_calibration_open(const char *path, struct rc_calibration *calibration,
                                 struct rc_error *error);

/* Stores it in the database, and replaces an earlier one of the platform. */
int rc_slowdown_calibration_save(struct rc_db *db, const char *platform,
                                 const struct rc_calibration *calibration, struct rc_error *error);
/* Reads it from the database; free it if there is one.  1: found; 0: none. */
int rc_slowdown_calibration_find(struct rc_db *db, const char *platform,
                                 struct rc_calibration *calibration, struct rc_error *error);

#endif
