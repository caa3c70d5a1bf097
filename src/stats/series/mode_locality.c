// SPDX-License-Identifier: GPL-3.0-or-later
/* mode_locality.c - whether a series stays with one of its modes.
 *
 * J. M. Schopf's dissertation, section 4.B.3: "If the value of the characteristic remains within a
 * single mode during the time frame of interest, we say that the value shows temporal locality."
 *
 * A stretch is a part of the series without a gap; a visit a part of a stretch in one mode.  From a
 * moment t the mode stays for a time frame T if t + T is not beyond the end of t's visit.  So a
 * visit of length L has L - T such moments, if any, and a stretch of length S has S - T moments
 * from which all of T was seen: `stays` is the ratio of the two sums.  It needs no sliding window.
 *
 * How long a visit lasts is not seen where a stretch ends first.  Time in the mode per end that was
 * seen is then the estimate of greatest likelihood, for visits that end at a constant rate. */
#include "stats/series/modes.h"

#include <math.h>

#include "base/error.h"

size_t rc_series_mode_of(const struct rc_series_modes *modes, double x)
{
    size_t last = modes->n_modes - 1;

    if (modes->n_modes == 0 || !isfinite(x))
        return RC_SERIES_NO_MODE;
    if (!modes->gaps) {
        for (size_t i = 0; i < last; i++)
            if (x < modes->modes[i].high)
                return i;
        return last;
    }
    for (size_t i = 0; i <= last; i++)
        if (x >= modes->modes[i].low &&
            (x < modes->modes[i].high || (i == last && x == modes->modes[i].high)))
            return i;
    return RC_SERIES_NO_MODE;
}

/* Where the walk through a series is. */
struct walk {
    struct rc_series_locality *locality;
    double frame;
    size_t mode;                   /* of the visit; RC_SERIES_NO_MODE before the first one */
    double stretch, visit, latest; /* times: both began; the last sample in a mode */
    double stayed, seen;           /* moments, as seconds */
};

static void end_visit(struct walk *walk, double at)
{
    walk->locality->modes[walk->mode].seconds += at - walk->visit;
    walk->stayed += fmax(at - walk->visit - walk->frame, 0);
}

static void end_stretch(struct walk *walk)
{
    if (walk->mode == RC_SERIES_NO_MODE)
        return;
    end_visit(walk, walk->latest);
    walk->locality->observed += walk->latest - walk->stretch;
    walk->seen += fmax(walk->latest - walk->stretch - walk->frame, 0);
}

static void step(struct walk *walk, double t, size_t mode, double gap)
{
    if (walk->mode == RC_SERIES_NO_MODE || t - walk->latest > gap) {
        end_stretch(walk);
        /* The mode after a gap may be another visit to the same, so it counts as a new one. */
        walk->mode = mode;
        walk->stretch = walk->visit = t;
    } else if (mode != walk->mode) {
        end_visit(walk, t);
        walk->locality->modes[walk->mode].leaves++;
        walk->locality->switches++;
        walk->mode = mode;
        walk->visit = t;
    }
    walk->latest = t;
}

static void conclude(struct walk *walk, size_t n_modes)
{
    struct rc_series_locality *locality = walk->locality;

    locality->now = walk->mode;
    locality->since = walk->mode == RC_SERIES_NO_MODE ? NAN : walk->visit;
    locality->switches_per_hour =
        locality->observed > 0 ? (double)locality->switches * 3600 / locality->observed : NAN;
    for (size_t i = 0; i < n_modes; i++) {
        double seconds = locality->modes[i].seconds, leaves = (double)locality->modes[i].leaves;

        locality->modes[i].dwell = leaves > 0 ? seconds / leaves : seconds > 0 ? INFINITY : NAN;
    }
    locality->stays = walk->seen > 0 ? walk->stayed / walk->seen : NAN;
    if (walk->seen > 0)
        locality->verdict = locality->stays >= 0.5 ? RC_SERIES_LOCAL : RC_SERIES_NOT_LOCAL;
}

int rc_series_locality(const struct rc_sample *samples, size_t n,
                       const struct rc_series_modes *modes, double frame, double gap,
                       struct rc_series_locality *locality, struct rc_error *error)
{
    struct walk walk = {.locality = locality,
                        .frame = frame == 0 ? RC_SERIES_FRAME_DEFAULT : frame,
                        .mode = RC_SERIES_NO_MODE};

    *locality = (struct rc_series_locality){.verdict = RC_SERIES_UNKNOWN};
    if (!(walk.frame > 0))
        return rc_error_set(error, "a time frame must be positive, not %g", frame);
    if (!(gap > 0))
        return rc_error_set(error, "the longest gap must be positive, not %g", gap);
    for (size_t i = 0; i < n; i++) {
        size_t mode = rc_series_mode_of(modes, samples[i].value);

        if (!isfinite(samples[i].value))
            continue;
        if (mode == RC_SERIES_NO_MODE) /* on its way from one to another, or a stray */
            mode = walk.mode;
        if (mode != RC_SERIES_NO_MODE)
            step(&walk, samples[i].t, mode, gap);
    }
    end_stretch(&walk);
    conclude(&walk, modes->n_modes);
    return 0;
}
