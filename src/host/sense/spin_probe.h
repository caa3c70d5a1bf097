// SPDX-License-Identifier: GPL-3.0-or-later
/* spin_probe.h - measuring CPU availability with a short spin. */
#ifndef RC_HOST_SENSE_SPIN_PROBE_H
#define RC_HOST_SENSE_SPIN_PROBE_H

/* What one spin got. */
struct rc_sense_spin {
    double share; /* CPU time by time */
    double used;  /* seconds of CPU time, in all */
};

/* Spins for some tens of milliseconds of CPU time, and at most a third of a second. */
struct rc_sense_spin rc_sense_spin(void);

#endif
