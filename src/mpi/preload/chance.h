// SPDX-License-Identifier: BSD-2-Clause
/* chance.h - what the recorder does by chance: the same on all processes that make the same calls.
 *
 * Clocks are read, and memory and files looked at, seldom and by chance.  If each process did that
 * at times of its own, those that wait for each other would in the end wait for all of them: what
 * takes one process 0.1 % of the time could take a program of 64 up to 6 %.  So chance is a matter
 * of how many calls were made, and they all wait at the same one. */
#ifndef RC_MPI_PRELOAD_CHANCE_H
#define RC_MPI_PRELOAD_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

/* What is decided, each for itself. */
enum rc_preload_decision {
    RC_PRELOAD_READ_END,
    RC_PRELOAD_READ_BOTH,
    RC_PRELOAD_LOOK_MEMORY,
    RC_PRELOAD_LOOK_FILES,
    RC_PRELOAD_DECISIONS
};

/* So many calls that all processes may have in common, and since the last one so many tests and
 * probes that found nothing, of which one process makes more than another. */
struct rc_preload_progress {
    uint32_t calls, polls;
};

/* Whether to do it, which is so for `part` of `whole` occasions; `whole` up to 2^40. */
static inline bool rc_preload_chance(struct rc_preload_progress at,
                                     enum rc_preload_decision decision, uint64_t part,
                                     uint64_t whole)
{
    uint64_t x =
        ((uint64_t)at.calls << 32 ^ at.polls) * RC_PRELOAD_DECISIONS + (uint64_t)decision + 1;

    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return (x >> 40) * whole >> 24 < part;
}

#endif
