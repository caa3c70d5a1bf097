// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate.h - the plan of a calibration, which is checked before any host is used, and the
 * measuring. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_CALIBRATE_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_CALIBRATE_H

#include "model/slowdown/calibration.h"
#include "model/slowdown/calibrate/remote.h"

/* A request to measure a platform. */
struct rc_slowdown_calibrate {
    const char *const *hosts; /* if `launch.launcher` is NULL, the name of this machine */
    size_t n_hosts;           /* >= 1 */
    struct rc_remote_launch launch;
    unsigned parts;        /* a set of enum rc_calibration_part */
    size_t communicating;  /* delays are measured by 1 to this number of competitors */
    size_t points;         /* of each curve */
    size_t rounds;         /* medians are stored */
    unsigned sweeps;       /* of the built-in benchmark */
    const char *benchmark; /* the user's command for the weights; or NULL */
    const struct rc_burst *bursts;
    size_t n_bursts;
    double longest; /* seconds: longer bursts are left out */
    bool all_links; /* every host to every other; otherwise neighbours in the list */
    bool quick;     /* with unreliable results */
    bool loopback;  /* with one host: also links from it to itself */
    /* The next measurement ("2 of 5: ..."), and notes for the user; or NULL. */
    void (*doing)(void *data, const char *what);
    void (*note)(void *data, const char *text);
    void *data;
};

enum rc_calibrate_kind {
    RC_CALIBRATE_HOST, /* cores of `from`, and its weight and memory if they are in `parts` */
    RC_CALIBRATE_LINK, /* bursts from `from` to `to` */
    RC_CALIBRATE_DELAY /* on `from` by `communicating` that send to `to` */
};

/* Relative durations, for the progress bar. */
enum {
    RC_CALIBRATE_LOOK = 1, /* number of cores alone */
    RC_CALIBRATE_WEIGHT = 1,
    RC_CALIBRATE_MEMORY = 2,
    RC_CALIBRATE_BURSTS = 4,
    RC_CALIBRATE_CURVE = 10
};

/* The result of a completed step can be stored, even if a later one fails. */
struct rc_calibrate_step {
    enum rc_calibrate_kind kind;
    const char *from, *to; /* of the order's hosts */
    size_t communicating;
    double length;
};

/* Start from {0}; free with rc_slowdown_calibrate_plan_free().  Lives no longer than the order. */
struct rc_slowdown_calibrate_plan {
    struct rc_calibrate_step *steps;
    size_t n, room;
    double length; /* of all steps */
};

/* First the hosts, then the links, one at a time, so that measurements do not disturb one
 * another; then the delays on the first host by competitors that send to the second.  Errors:
 * duplicate hosts, nothing to measure, or too many links or bursts to store. */
int rc_slowdown_calibrate_plan(const struct rc_slowdown_calibrate *order,
                               struct rc_slowdown_calibrate_plan *plan, struct rc_error *error);
void rc_slowdown_calibrate_plan_free(struct rc_slowdown_calibrate_plan *plan);

/* A rough estimate in seconds for links of 1 Gbit/s, without the user's benchmark. */
double rc_slowdown_calibrate_seconds(const struct rc_slowdown_calibrate *order,
                                     const struct rc_slowdown_calibrate_plan *plan);

/* The defaults; `quick`: little, and once. */
void rc_slowdown_calibrate_defaults(struct rc_slowdown_calibrate *order, bool quick);

/* ---- measuring ---- */

/* Makes the steps of the plan, one after the other.  The monitor gets the progress in
 * thousandths. `*done` is the number of completed steps.  If one fails, or the monitor cancels,
 * the others are skipped (-1), and the calibration has the measurements so far: whole links,
 * delay curves from 1 on, and hosts, of which the last may be incomplete; `missing` has the
 * missing parts.  To be freed in any case.  No process is left on the hosts. */
int rc_slowdown_calibrate(const struct rc_slowdown_calibrate *order,
                          const struct rc_slowdown_calibrate_plan *plan,
                          const struct rc_monitor *monitor, struct rc_calibration *calibration,
                          size_t *done, struct rc_error *error);

/* Stores the measurements of `done` steps, merged with the earlier calibration (`before`, or NULL).
 * Completely measured parts replace earlier ones. */
int rc_slowdown_calibrate_save(struct rc_db *db, const char *platform,
                               const struct rc_slowdown_calibrate *order,
                               const struct rc_slowdown_calibrate_plan *plan, size_t done,
                               const struct rc_calibration *before,
                               struct rc_calibration *calibration, struct rc_error *error);

#endif
