// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate.h - measures a platform, for slowdown factors (calibration.h). */
#ifndef RC_SLOWDOWN_CALIBRATE_H
#define RC_SLOWDOWN_CALIBRATE_H

#include "slowdown/calibration.h"
#include "slowdown/remote.h"

/* Times of one host that differ by more than this part of their median make one doubt whether the
 * host was idle. */
#define RC_CALIBRATE_SPREAD 0.2

struct rc_calibrate {
    const char *const *hosts; /* with `way.launcher` NULL the one name of this machine */
    size_t n_hosts;           /* >= 1 */
    struct rc_remote_way way;
    unsigned parts;           /* a set of enum rc_calibration_part */
    size_t communicating;     /* curves of delay are measured for 1 up to so many */
    size_t points;            /* of each curve */
    size_t rounds;            /* of everything, of which medians are taken */
    unsigned sweeps;          /* that the built-in benchmark makes */
    const char *benchmark;    /* a command of the user's for the weights; or NULL */
    const struct rc_burst *bursts;
    size_t n_bursts;
    double longest;           /* seconds of a burst; those that would take longer are left out */
    bool all_links;           /* every host to every other; otherwise neighbours in the list */
    bool loopback;            /* with one host: also links from it to itself */
    /* What is being done next, and remarks that the user should see; or NULL. */
    void (*doing)(void *data, const char *what);
    void (*remark)(void *data, const char *text);
    void *data;
};

/* Measures, one thing after the other, all that `parts` name.  Progress goes to the monitor in
 * thousandths of all there is to do.  Where anything fails, all is given up: the calibration is
 * then empty.  Nothing is left running on any host. */
int rc_calibrate(const struct rc_calibrate *order, const struct rc_monitor *monitor,
                 struct rc_calibration *calibration, struct rc_error *error);

/* The bursts that are measured where nobody says which: 1 to 5000 messages of 100 B to 64 KiB.
 * Returns how many there are. */
size_t rc_calibrate_bursts(const struct rc_burst **bursts);

#endif
