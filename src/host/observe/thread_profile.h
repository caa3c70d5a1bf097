// SPDX-License-Identifier: GPL-3.0-or-later
/* thread_profile.h - for what part of its time a thread computes and communicates, from many short looks.
 *
 * At each look four things are known of a thread, since the look before: the time that it was on a
 * core, the time that it waited for one, what its process sent and received, and what it is at just
 * now.  From these:
 *
 * computing      the time on a core, less what moving those bytes takes
 * communicating  what moving them takes, and the time in which it was blocked while something
 *                moved, or was under way, unless it was asleep: in a call that no message ends
 * neither        all other time in which it was blocked
 *
 * Waiting for a core is caused by others.  It does not count at all, so that the shares are those
 * of a thread on an idle machine.
 *
 * Where phases are shorter than the time between two looks, a look finds it blocked in something as
 * often as it is at that: its state at both ends of such a time decides how to divide it.
 *
 * Nothing here reads anything. */
#ifndef RC_HOST_OBSERVE_THREAD_PROFILE_H
#define RC_HOST_OBSERVE_THREAD_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/* CPU time that a byte, and a segment, cost the process that sends or receives it at the most.
 * Within a machine of 2026, a load that only communicates used 0.23 ns a byte with messages of 64
 * KiB, 0.6 ns with 8000 bytes, and 2 to 4 us for each message of 64 to 1448 bytes.  Moving bytes is
 * the kernel's work, so that what a process spent in the kernel is another bound, and the lesser of
 * the two is taken (docs/explanation/slowdown-factors.md). */
#define RC_THREAD_BYTE_SECONDS 1e-9
#define RC_THREAD_SEGMENT_SECONDS 5e-6

enum rc_thread_state {
    RC_THREAD_UNKNOWN,
    RC_THREAD_AWAKE,   /* on a core, or waiting for one */
    RC_THREAD_ASLEEP,  /* blocked, and not for a message */
    RC_THREAD_BLOCKED, /* blocked, perhaps for a message */
    RC_THREAD_STATES
};

struct rc_thread_sample {
    double seconds;             /* since the last one, > 0 */
    double run, wait;           /* of these: on a core; waiting for one, as far as the kernel has
                               counted: it does so when the wait is over */
    double bytes, segments;     /* that its process moved */
    bool under_way;             /* something that its process sent has not arrived yet */
    enum rc_thread_state state; /* now */
};

struct rc_thread_costs {
    double byte, segment; /* seconds */
};

/* Start from RC_THREAD_PROFILE_INIT. */
struct rc_thread_profile {
    double seconds, run, wait;
    double moving;  /* part of `run` that went into moving bytes, at the most */
    double blocked; /* while something moved or was under way, perhaps for a message */
    double unclear; /* likewise, but its activity could not be read */
    double idle;
    double bytes, segments;
    /* for thread_profile.c alone */
    struct rc_thread_sample held;       /* a time that is not divided yet */
    enum rc_thread_state before;        /* at its beginning */
    double clear_blocked, clear_asleep; /* how such times were divided where it was seen */
    size_t looks;
    bool computing; /* the phase it is in */
    struct rc_thread_moment {
        double run, rest; /* seconds until then: on a core, and blocked */
    } first, last;        /* beginnings of phases of computing */
    size_t begins;
    double gaps; /* seconds in phases that are none of computing, after the first that is */
    double pure; /* seconds of looks that were all computing, or not at all, but for a little */
};
#define RC_THREAD_PROFILE_INIT                                                                     \
    {                                                                                              \
        .before = RC_THREAD_UNKNOWN                                                                \
    }

/* Adds a look; the last ones may be held back until a thread is found blocked. */
void rc_observe_profile_add(struct rc_thread_profile *profile, const struct rc_thread_sample *look,
                            const struct rc_thread_costs *costs);

/* Divides what is held back.  To be called at the end, once. */
void rc_observe_profile_close(struct rc_thread_profile *profile,
                              const struct rc_thread_costs *costs);

struct rc_observe_profile_shares {
    double compute, communicate; /* NAN where nothing was seen */
    double cycle;                /* seconds from one phase of computing to the next, alone; 0: not
                                    seen */
};

/* `system`: CPU seconds that it spent in the kernel, which bound what moving bytes can have taken;
 * NAN: not known.  `core_share`: the part of a core that the host has for it at the most
 * (below 1 on a node of a lab, or with a quota), by which computing alone takes longer. */
struct rc_observe_profile_shares rc_observe_profile_shares(const struct rc_thread_profile *profile,
                                                           double system, double core_share);

/* What a process with such threads is like: as many competitors as there are busy threads among
 * shares[0 .. n), which are put in the order of their computing.  `*count` >= 1 where n >= 1. */
struct rc_observe_profile_shares
rc_observe_profile_process(struct rc_observe_profile_shares *shares, size_t n, size_t *count);

#endif
