// SPDX-License-Identifier: GPL-3.0-or-later
/* availability_correction.h - correcting passive readings of CPU availability by spins.
 *
 * A passive reading may be wrong where something cannot be observed: weights of groups outside
 * of a container, another kernel's habits.  As in the Network Weather Service (Wolski, Spring,
 * Hayes, "Predicting the CPU availability of time-shared Unix systems on the computational
 * grid", HPDC 1999: a spinning process every minute gives a bias that is added to the readings
 * in between), a short spin now and then corrects it.  Here the correction is not a term but a
 * factor on the odds: a process of weight w with competitors of weight W gets w / (w + W), whose
 * odds are w / W.  So an error about weights is corrected at any load, and an idle core stays
 * idle. */
#ifndef RC_HOST_SENSE_AVAILABILITY_CORRECTION_H
#define RC_HOST_SENSE_AVAILABILITY_CORRECTION_H

#include "host/sense/cpu_availability.h"
#include "host/sense/spin_probe.h"

/* Start from rc_sense_correction_begin(). */
struct rc_sense_correction {
    double shift; /* logarithm of the factor on the odds; bounded */
    double
        habit; /* the same for the soft part of the load: programs that sleep now and then may use
                     less once they are slowed down, or not */
    double interval; /* seconds between two probes, as wanted; INFINITY: never */
    double period;   /* the same, now: longer while probes confirm the correction */
    double next;     /* when the next one is due (monotonic) */
};

/* Nothing is corrected yet; the first probe is due soon after `now`, unless `every` is INFINITY. */
void rc_sense_correction_begin(struct rc_sense_correction *correction, double interval, double now);

/* The reading, corrected. */
double rc_sense_correct(const struct rc_sense_correction *correction,
                        const struct rc_sense_reading *reading);

/* Learns from a spin that was made between two readings, unless the load changed meanwhile, and
 * sets when the next one is due: never so soon that spinning costs more than 0.5 % of a core. */
void rc_sense_correction_learn(struct rc_sense_correction *correction,
                               const struct rc_sense_reading *before,
                               const struct rc_sense_reading *after,
                               const struct rc_sense_spin *spin, double now);

#endif
