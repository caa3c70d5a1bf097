// SPDX-License-Identifier: GPL-3.0-or-later
/* mixed_load.h - a program that computes and communicates in turns.
 *
 * This is the contention generator of section 3 of S. M. Figueira and F. Berman, "A slowdown model
 * for applications executing on time-shared clusters of workstations" (2001): cycles of computing
 * and of communicating, with the length of a cycle, the number and size of the messages in a burst,
 * and the direction to choose.  Its model needs the parts of the time in which such a program
 * computes and communicates, so these parts are the parameters here.  There are two kinds:
 *
 * - One that holds its parts in the long run, however much others slow it down.
 * - One that has work to do, as real programs (and the paper's generator) have: the parts are
 *   those on an idle machine.  Each cycle computes for so much CPU time, and then communicates;
 *   with competitors it takes longer. */
#ifndef RC_TESTBED_LOAD_MIXED_LOAD_H
#define RC_TESTBED_LOAD_MIXED_LOAD_H

#include "testbed/load/client_stream.h"

/* The data of a task whose functions are rc_load_mix_prepare() and rc_load_mix_body(). */
struct rc_load_mix {
    double compute;     /* part of the time in which it wants the core */
    double communicate; /* part in which it sends or receives; NAN: `bursts` in each cycle */
    double cycle;       /* seconds */
    bool work; /* it has compute * cycle of CPU time to use in each cycle, however long that takes;
                * then communicates for communicate * cycle, or `bursts`; then rests for what the
                * parts leave of the cycle, which is nothing where bursts are counted */
    bool steady; /* each cycle has that length; otherwise it is the mean of lengths that are
                         * drawn from 0.5 to 1.5 of it, so that several do not go in step */
    uint64_t seed, number;            /* of the lengths; `number` distinguishes processes */
    uint64_t burst;                   /* messages in a burst */
    uint64_t bursts;                  /* in a cycle, where `communicate` is NAN; 0 is 1 */
    enum rc_load_direction direction; /* both: bursts go there and back in turns */
    bool network;                     /* with a receiver */
    struct rc_load_stream stream; /* with its peer, its number of streams and size of messages */
};

/* Connects, if there is a receiver; then computes and communicates until the load is over.  -1 if
 * the receiver fails. */
int rc_load_mix_prepare(struct rc_load_worker *worker, void *data, struct rc_error *error);
int rc_load_mix_body(struct rc_load_worker *worker, void *data, struct rc_error *error);

#endif
