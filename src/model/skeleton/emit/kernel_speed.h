// SPDX-License-Identifier: GPL-3.0-or-later
/* kernel_speed.h - the kernel that stands for computing in a skeleton, and how fast it is here.
 *
 * Its text, base/compute_kernel.h, is in each skeleton; here it is compiled into the library, so
 * that the machine on which skeletons are built is the one that is measured. */
#ifndef RC_MODEL_SKELETON_EMIT_KERNEL_SPEED_H
#define RC_MODEL_SKELETON_EMIT_KERNEL_SPEED_H

#include <stdbool.h>
#include <stdint.h>

#include "runcast.h"
#include "mpi/trace/compute_notes.h"

/* Speeds over memory are known for footprints of 4 KiB and each power of two up to 256 MiB. */
enum { RC_KERNEL_FOOTPRINTS = 17 };
#define RC_KERNEL_LEAST_FOOTPRINT 4096.0

struct rc_kernel_speed {
    double units;                       /* in a second of CPU time */
    double lines[RC_KERNEL_FOOTPRINTS]; /* of 64 bytes in a second, by footprint; 0: not measured */
    double share;  /* CPU time in the elapsed time of the measurement: 1 on an idle machine */
    double spread; /* (largest - least) / median of the trials of `units` */
};

/* Measures this machine: medians of several short trials, in CPU time.  Takes about 0.1 s, and
 * about a second more and up to 256 MiB of memory `with_footprints`.  That other work shared the
 * core is no error, since CPU time is measured, but `share` shows it. */
int rc_skeleton_kernel_calibrate(bool with_footprints, struct rc_kernel_speed *speed,
                                 struct rc_error *error);

/* Makes of the speed of this machine that of the one where a program was recorded, as far as its
 * samples allow; returns whether they do. */
bool rc_skeleton_kernel_adapt(struct rc_kernel_speed *speed, const struct rc_trace_speed *recorded);

#endif
