// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate.h - measures a platform, for slowdown factors (calibration.h), as calibrate_plan.h has
 * laid it out. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_CALIBRATE_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_CALIBRATE_H

#include "model/slowdown/calibrate/calibrate_plan.h"

/* Carries out the plan of that order, one step after the other.  Progress goes to the monitor in
 * thousandths of all there is to do.  `*done` says how many steps were.  Where one fails, or the
 * monitor cancels, the rest is given up (-1), and the calibration has what was measured until then:
 * whole links, delay curves from 1 on, and hosts, of which the last may lack something; it says of
 * itself what it lacks.  It is to be freed in any case.  Nothing is left running on any host. */
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
