// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration.h - what was measured of a platform, once, for slowdown factors: delay curves, rates
 * of bursts on idle links, the weights of hosts, and what memory costs beside others. */
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
    RC_CALIBRATION_FORMAT = 2,         /* of the text; 1 does not say how well it was measured */
    RC_CALIBRATION_OLDEST = 1          /* that is still read */
};

struct rc_slowdown_calibration_host {
    char name[RC_CALIBRATION_NAME];
    int cores;
    double seconds; /* of the benchmark, alone on the host; NAN: not measured */
    double weight;  /* the slowest host's seconds by these; NAN likewise */
    double spread;  /* by how much several times of the benchmark differ, as a part of the median;
                       NAN: there was one, or it is not known */
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

/* The parts that can be measured by themselves; sets of them are sums. */
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
    unsigned quick;   /* parts of which something was measured little, and is not to be trusted */
    unsigned missing; /* parts of which something was not measured, or not anew, since measuring was
                         broken off */
    struct rc_slowdown_calibration_host *hosts;
    size_t n_hosts;
    struct rc_slowdown_calibration_link *links;
    size_t n_links;
    struct rc_calibration_point *points;
    size_t n_points;
    char delay_from[RC_CALIBRATION_NAME], delay_to[RC_CALIBRATION_NAME]; /* where the points were
                            measured, and where the generators sent to; equal: over loopback */
    struct rc_delay delay; /* fitted to the points; no curves where nothing was measured */
    double byte_seconds;   /* of CPU time that a byte costs its sender; NAN: not known */
};
void rc_slowdown_calibration_free(struct rc_calibration *calibration);

/* The parts of which something was measured. */
unsigned rc_slowdown_calibration_has(const struct rc_calibration *calibration);
/* Whether the times of its benchmark differ so much that the host can hardly have been idle. */
bool rc_slowdown_calibration_was_busy(const struct rc_slowdown_calibration_host *host);

/* Adds to `calibration` what only `before` knows: all of the parts that are not in `parts`, and of
 * those in `parts` hosts and links that `calibration` has not, or has without what was to be
 * measured.  Weights are computed anew.  What is to be known of how `before` was measured comes
 * along with what is taken from it. */
int rc_slowdown_calibration_complete(struct rc_calibration *calibration,
                                     const struct rc_calibration *before, unsigned parts,
                                     struct rc_error *error);
/* Computes the weights of all hosts whose seconds are known. */
int rc_slowdown_calibration_weigh(struct rc_calibration *calibration, struct rc_error *error);
/* Fits a curve for each number of generators that there are points for, from 1 on. */
int rc_slowdown_calibration_fit(struct rc_calibration *calibration, struct rc_error *error);
/* The host, or the link, of that name, added where there is none; NULL where memory runs out, or
 * there are too many, or the name is too long. */
struct rc_slowdown_calibration_host *
rc_slowdown_calibration_add_host(struct rc_calibration *calibration, const char *name,
                                 struct rc_error *error);
struct rc_slowdown_calibration_link *
rc_slowdown_calibration_add_link(struct rc_calibration *calibration, const char *from,
                                 const char *to, struct rc_error *error);

/* NULL where there is none of that name. */
const struct rc_slowdown_calibration_host *
rc_slowdown_calibration_host(const struct rc_calibration *calibration, const char *name);
const struct rc_slowdown_calibration_link *
rc_slowdown_calibration_link(const struct rc_calibration *calibration, const char *from,
                             const char *to);
/* The different numbers of messages of all bursts, as they come, as many as there is room for; returns
 * how many these are. */
size_t rc_slowdown_calibration_counts(const struct rc_calibration *calibration, double *counts,
                                      size_t most);
/* The name of a host of which `name` may be a mistyped one; NULL where there is none. */
const char *rc_slowdown_calibration_near(const struct rc_calibration *calibration,
                                         const char *name);

/* Its text, and back; nothing of a text is believed before it was checked. */
json_t *rc_slowdown_calibration_json(const struct rc_calibration *calibration);
int rc_slowdown_calibration_read(const char *text, size_t length,
                                 struct rc_calibration *calibration, struct rc_error *error);

/* The same of a file. */
int rc_slowdown_calibration_open(const char *path, struct rc_calibration *calibration,
                                 struct rc_error *error);

/* Stores it in the database, in place of an earlier one of the platform. */
int rc_slowdown_calibration_save(struct rc_db *db, const char *platform,
                                 const struct rc_calibration *calibration, struct rc_error *error);
/* Reads it from there; free it where there is one.  1: there is one; 0: there is none. */
int rc_slowdown_calibration_find(struct rc_db *db, const char *platform,
                                 struct rc_calibration *calibration, struct rc_error *error);

#endif
