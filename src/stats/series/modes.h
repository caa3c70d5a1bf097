// SPDX-License-Identifier: GPL-3.0-or-later
/* modes.h - data that gather around several values, and whether a series stays with one of them.
 *
 * J. M. Schopf's dissertation (UC San Diego, 1998), section 4.B.3: the CPU available on a
 * workstation gathers around 0.94, 0.49 and 0.33, as none, one or two other processes run.  Where
 * such a series shows temporal locality (it remains in one mode during the time of interest), it is
 * best described by the mode it is in; elsewhere by all of them. */
#ifndef RC_STATS_SERIES_MODES_H
#define RC_STATS_SERIES_MODES_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_SERIES_MODES_MAX = 32 };

/* rc_series_mode_options_init() gives the defaults. */
struct rc_series_mode_options {
    double min_share; /* of the numbers that a mode has at least: 0.05; not below 1/32 */
    double min_depth; /* how far the density falls from the lower of two modes to the valley between
                         them, at least, as a part of it: 0.3 */
    double min_z;     /* the same in standard errors: 2.5 */
    double effective; /* what part of the numbers counts as independent in that error, in (0, 1]: 1;
                         neighbours in a series are alike, and their chance bumps larger */
    bool drop_between; /* leave out what lies between and outside the modes: false */
    double edge;       /* where a mode then ends: the density at its centre times this: 0.05 */
};
void rc_series_mode_options_init(struct rc_series_mode_options *options);

struct rc_series_mode {
    double centre;    /* where the density is highest */
    double mean, sd;  /* of its numbers; sd by n - 1 */
    double share;     /* of the numbers that are in modes */
    double low, high; /* its ends: low <= x < high; of the last one x <= high */
    size_t n;
};

/* Plain data. */
struct rc_series_modes {
    struct rc_series_mode modes[RC_SERIES_MODES_MAX]; /* by rising centre */
    size_t n_modes;                                   /* 0 only where there is no number */
    size_t n;                                         /* numbers that are not missing */
    size_t n_dropped;                                 /* of these, in no mode */
    bool gaps;        /* a number may be in no mode: drop_between was set */
    double mean, sd;  /* of all of them */
    double bandwidth; /* of the density; 0 where none was needed */

    double aggregate_mean; /* Eq. 4.10; the mean, unless some were dropped */
    double aggregate_sd;   /* Eq. 4.11: the typical spread inside a mode */
    double full_sd;        /* of the numbers in modes, the spread between modes included, which
                              Eq. 4.11 leaves out: the sd, unless some were dropped */
};

/* `options` NULL: the defaults.  -1 for options that make no sense, and where memory runs out. */
int rc_series_modes(const double *values, size_t n, const struct rc_series_mode_options *options,
                    struct rc_series_modes *modes, struct rc_error *error);

/* Eq. 4.10 and 4.11 and the full sd, from the modes that are in `modes`. */
void rc_series_modes_aggregate(struct rc_series_modes *modes);

/* The mode that x is in, or RC_SERIES_NO_MODE.  Without gaps what lies beyond the outer ends
 * belongs to the outer modes.  RC_SERIES_NO_MODE where x is not finite. */
#define RC_SERIES_NO_MODE ((size_t)-1)
size_t rc_series_mode_of(const struct rc_series_modes *modes, double x);

/* ---- temporal locality ---- */

/* The time frame of section 4.B.1, in seconds. */
#define RC_SERIES_FRAME_DEFAULT 300.0

enum rc_series_verdict {
    RC_SERIES_UNKNOWN, /* nothing was seen for as long as the time frame */
    RC_SERIES_LOCAL,   /* it usually stays in one mode for that long */
    RC_SERIES_NOT_LOCAL
};

struct rc_series_locality {
    size_t now;      /* the mode at the last sample; RC_SERIES_NO_MODE where no sample is in one */
    double since;    /* when it was entered, or first seen; NAN where there is none */
    double observed; /* seconds seen, gaps left out */
    size_t switches; /* from one mode to another */
    double switches_per_hour;
    struct {
        double seconds; /* in this mode */
        size_t leaves;  /* times it was seen to end */
        double dwell;   /* mean seconds until it ends: seconds / leaves; INFINITY where it was never
                           seen to end, NAN where it was never seen */
    } modes[RC_SERIES_MODES_MAX];
    double stays; /* of the moments from which the whole time frame was seen, the share from which
                     the mode stayed the same; NAN where there was none */
    enum rc_series_verdict verdict; /* local where `stays` is 1/2 or more */
};

/* Follows a series, ordered by rising time, through the modes.  A sample in no mode is taken as
 * still in the one before.  What happened between samples further apart than `gap` (INFINITY: none
 * is) is not known: it counts neither as time nor as a switch.  `frame` in seconds; 0: the default.
 * -1 where gap or frame make no sense. */
int rc_series_locality(const struct rc_sample *samples, size_t n,
                       const struct rc_series_modes *modes, double frame, double gap,
                       struct rc_series_locality *locality, struct rc_error *error);

#endif
