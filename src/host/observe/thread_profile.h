// SPDX-License-Identifier: GPL-3.0-or-later
/* thread_profile.h - shares of time that a thread computes and communicates, from many samples.
 *
 * Each sample has four facts since the last one: the time of the thread on a core, its time of
 * waiting for one, the bytes that its process sent and received, and its current state.  From
 * these:
 *
 * computing      time on a core, except for moving those bytes
 * communicating  time of moving them, and time blocked while bytes moved or were in transit,
 *                unless it was asleep: in a call that no message ends
 * neither        other blocked time
 *
 * Waiting for a core is caused by competitors and does not count, so that shares are those on an
 * idle machine.
 *
 * If phases are shorter than the time between two samples, the states at both ends of such a
 * time divide it; on average, that is correct.
 *
 * This file does not read anything. */
#ifndef RC_HOST_OBSERVE_THREAD_PROFILE_H
#define RC_HOST_OBSERVE_THREAD_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/* Upper bounds of the CPU time of sending or receiving a byte and a segment.  Within a machine
 * of 2026, a load that only communicates used 0.23 ns per byte with messages of 64 KiB, 0.6 ns
 * with 8000 bytes, and 2 to 4 us per message of 64 to 1448 bytes.  The kernel moves bytes, so
 * the time of the process in the kernel is another bound (docs/explanation/slowdown-factors.md). */
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
    double bytes, segments;     /* moved by its process */
    bool under_way;             /* bytes of its process are in transit */
    enum rc_thread_state state; /* now */
};

struct rc_thread_costs {
    double byte, segment; /* seconds */
};

/* Start from RC_THREAD_PROFILE_INIT. */
struct rc_thread_profile {
    double seconds, run, wait;
    double moving;  /* upper bound of moving bytes in `run` */
    double blocked; /* while bytes moved or were in transit, perhaps for a message */
    double unclear; /* the same, with an unreadable state */
    double idle;
    double bytes, segments;
    /* private to thread_profile.c */
    struct rc_thread_sample held;       /* a sample that is not divided yet */
    enum rc_thread_state before;        /* at its beginning */
    double clear_blocked, clear_asleep; /* the division of such times with known states */
    size_t looks;
    bool computing; /* its current phase */
    struct rc_thread_moment {
        double run, rest; /* seconds until then: on a core, and blocked */
    } first, last;        /* beginnings of phases of computing */
    size_t begins;
    double gaps; /* seconds in phases without computing, after the first one with it */
    double pure; /* seconds of samples with nearly all, or nearly no, computing */
};
#define RC_THREAD_PROFILE_INIT                                                                     \
    {                                                                                              \
        .before = RC_THREAD_UNKNOWN                                                                \
    }

/* Adds a sample; the last ones may be held back until the thread is found blocked. */
void rc_observe_profile_add(struct rc_thread_profile *profile, const struct rc_thread_sample *look,
                            const struct rc_thread_costs *costs);

/* Divides samples that are held back.  To be called once, at the end. */
void rc_observe_profile_close(struct rc_thread_profile *profile,
                              const struct rc_thread_costs *costs);

struct rc_observe_profile_shares {
    double compute, communicate; /* NAN without samples */
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
