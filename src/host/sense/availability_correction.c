// SPDX-License-Identifier: GPL-3.0-or-later
/* availability_correction.c - correcting passive readings of CPU availability by spins. */
#include "host/sense/availability_correction.h"

#include <math.h>

#define COST 0.005     /* cores: what probes may use */
#define GAIN 0.3       /* learning rate for weights */
#define HABIT_GAIN 0.6 /* ... and for habits, which cannot be observed otherwise */
#define NOISE 0.03     /* of a share: the error of a short spin */
#define STEADY 0.1     /* readings that differ by more are of different loads */
#define SHIFT_MAX 1.5  /* a factor of 4.5 on the odds */
#define EDGE 0.02      /* shares nearer to 0 or 1 have no useful odds */
#define AGREES 0.04    /* a probe this close confirms the correction */
#define DIFFERS 0.08
#define LONGEST 10 /* times the period that was wanted */
#define FIRST 2.0  /* seconds until the first probe */

void rc_sense_correction_begin(struct rc_sense_correction *correction, double interval, double now)
{
    *correction = (struct rc_sense_correction){0, 0, interval, interval,
                                               isinf(interval) ? (double)INFINITY
                                                               : now + fmin(interval, FIRST)};
}

/* The part of what there is to get. */
static double part_of(double share, double most)
{
    return most > 0 ? fmin(fmax(share / most, EDGE), 1 - EDGE) : 1 - EDGE;
}

static double log_odds(double part)
{
    return log(part / (1 - part));
}

static double shift_of(const struct rc_sense_correction *correction, double soft)
{
    return fmin(fmax(correction->shift + soft * correction->habit, -SHIFT_MAX), SHIFT_MAX);
}

double rc_sense_correct(const struct rc_sense_correction *correction,
                        const struct rc_sense_reading *reading)
{
    double part = reading->availability / reading->most;
    double factor = exp(shift_of(correction, reading->soft));

    if (isnan(part) || factor == 1)
        return reading->availability;
    part = fmin(fmax(part, 0), 1);
    return reading->most * part * factor / (1 - part + part * factor);
}

/* Moves the correction towards the share of the spin, as far as that is beyond its noise. */
static void shift(struct rc_sense_correction *correction, const struct rc_sense_reading *reading,
                  double share)
{
    double guess = reading->availability, most = reading->most, soft = reading->soft;
    double off = share - guess, part = part_of(guess, most), missing;

    off = off > 0 ? fmax(0, off - NOISE) : fmin(0, off + NOISE);
    /* Near all and nothing a small error of the share is a large one of the odds. */
    missing = 4 * part * (1 - part) *
              (log_odds(part_of(guess + off, most)) - log_odds(part) - shift_of(correction, soft));
    correction->shift += GAIN * (1 - soft) * missing;
    correction->habit += HABIT_GAIN * soft * missing;
    correction->shift = fmin(fmax(correction->shift, -SHIFT_MAX), SHIFT_MAX);
    correction->habit = fmin(fmax(correction->habit, -SHIFT_MAX), SHIFT_MAX);
}

void rc_sense_correction_learn(struct rc_sense_correction *correction,
                               const struct rc_sense_reading *before,
                               const struct rc_sense_reading *after,
                               const struct rc_sense_spin *spin, double now)
{
    struct rc_sense_reading mean = {(before->availability + after->availability) / 2,
                                    (before->most + after->most) / 2,
                                    (before->soft + after->soft) / 2};
    double off;

    if (fabs(before->availability - after->availability) <= STEADY && !isnan(spin->share)) {
        off = fabs(spin->share - rc_sense_correct(correction, &mean));
        shift(correction, &mean, spin->share);
        if (off < AGREES)
            correction->period = fmin(2 * correction->period, LONGEST * correction->interval);
        else if (off > DIFFERS)
            correction->period = correction->interval;
    }
    correction->next = now + fmax(correction->period, spin->used / COST);
}
