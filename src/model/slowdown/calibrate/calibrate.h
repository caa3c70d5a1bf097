// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate.h - what a calibration measures, in which order, which is known and checked before any
 * host is touched; and the measuring itself. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_CALIBRATE_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_CALIBRATE_H

#include "model/slowdown/calibration.h"
#include "model/slowdown/calibrate/remote.h"

/* An order to measure a platform. */
struct rc_slowdown_calibrate {
    const char *const *hosts; /* with `way.launcher` NULL the one name of this machine */
    size_t n_hosts;           /* >= 1 */
    struct rc_remote_launch launch;
    unsigned parts;        /* a set of enum rc_calibration_part */
    size_t communicating;  /* curves of delay are measured for 1 up to so many */
    size_t points;         /* of each curve */
    size_t rounds;         /* of everything, of which medians are taken */
    unsigned sweeps;       /* that the built-in benchmark makes */
    const char *benchmark; /* a command of the user's for the weights; or NULL */
    const struct rc_burst *bursts;
    size_t n_bursts;
    double longest; /* seconds of a burst; those that would take longer are left out */
    bool all_links; /* every host to every other; otherwise neighbours in the list */
    bool quick;     /* so little is measured that it is not to be trusted */
    bool loopback;  /* with one host: also links from it to itself */
    /* What is being done next ("2 of 5: ..."), and notes that the user should see; or NULL. */
    void (*doing)(void *data, const char *what);
    void (*note)(void *data, const char *text);
    void *data;
};

enum rc_calibrate_kind {
    RC_CALIBRATE_HOST, /* cores of `from`, and its weight and memory as `parts` has them */
    RC_CALIBRATE_LINK, /* bursts from `from` to `to` */
    RC_CALIBRATE_DELAY /* on `from` by `communicating` that send to `to` */
};

/* How long they take, as compared with one another: for the progress bar alone. */
enum {
    RC_CALIBRATE_LOOK = 1, /* at a host of which nothing else is wanted */
    RC_CALIBRATE_WEIGHT = 1,
    RC_CALIBRATE_MEMORY = 2,
    RC_CALIBRATE_BURSTS = 4,
    RC_CALIBRATE_CURVE = 10
};

/* Each is done by itself: when it has been, what it measured can be kept, whatever becomes of those
 * that follow. */
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

/* First the hosts, then the links, one at a time, so that nothing that we do ourselves is in the
 * way of what is measured; then the delays on the first host by those that send to the second.  An
 * error where the order cannot be carried out, or what it measures could not be kept: a host comes
 * twice, there is nothing to measure, there are too many links, or too many bursts on them. */
int rc_slowdown_calibrate_plan(const struct rc_slowdown_calibrate *order,
                               struct rc_slowdown_calibrate_plan *plan, struct rc_error *error);
void rc_slowdown_calibrate_plan_free(struct rc_slowdown_calibrate_plan *plan);

/* Roughly how many seconds it takes, on hosts of today behind links of 1 Gbit/s; without what a
 * benchmark of the user's takes. */
double rc_slowdown_calibrate_seconds(const struct rc_slowdown_calibrate *order,
                                     const struct rc_slowdown_calibrate_plan *plan);

/* How much is measured where nobody says it; `quick`: little, and once. */
void rc_slowdown_calibrate_defaults(struct rc_slowdown_calibrate *order, bool quick);

/* ---- the doing ---- */

/* Carries out the plan of that order, one step after the other.  Progress goes to the monitor in
 * thousandths of all there is to do.  `*done` says how many steps were.  Where one fails, or the
 * monitor cancels, the rest is given up (-1), and the calibration has what was measured until then:
 * whole links, delay curves from 1 on, and hosts, of which the last may lack something; it says of
 * itself what is missing.  It is to be freed in any case.  Nothing is left running on any host. */
int rc_slowdown_calibrate(const struct rc_slowdown_calibrate *order,
                          const struct rc_slowdown_calibrate_plan *plan,
                          const struct rc_monitor *monitor, struct rc_calibration *calibration,
                          size_t *done, struct rc_error *error);

/* Stores what `done` steps of the plan measured, in its place among what was known of the platform
 * (`before`, or NULL).  All that was measured anew, and whole, stands by itself. */
int rc_slowdown_calibrate_save(struct rc_db *db, const char *platform,
                               const struct rc_slowdown_calibrate *order,
                               const struct rc_slowdown_calibrate_plan *plan, size_t done,
                               const struct rc_calibration *before,
                               struct rc_calibration *calibration, struct rc_error *error);

#endif
