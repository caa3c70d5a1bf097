// SPDX-License-Identifier: GPL-3.0-or-later
/* bench.h - the measurements of a calibration, each on the host on which it runs.
 *
 * Computing is a red-black SOR on a square grid, as in section 4 of Figueira and Berman, always
 * with the same amount of work.  Communicating uses connections to the receiver of a load
 * (testbed/load/receiver.h) on another host.
 *
 * All of them run in separate processes (testbed/load/load_processes.h), which end with this
 * one, and when the monitor cancels, which is an error. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_H

#include <stdatomic.h>

#include "base/socket.h"
#include "model/slowdown/message_slowdown.h"
#include "model/slowdown/communication_delay.h"
#include "model/slowdown/local_slowdown.h"
#include "testbed/load/load_processes.h"
#include "runcast.h"

enum {
    RC_BENCH_ROUNDS_MAX = 101,
    RC_BENCH_POINTS_MAX = 64,
    RC_BENCH_SWEEPS_MAX = 1 << 20,
    RC_BENCH_COMMAND_MAX = 4096, /* bytes of a command, with the NUL */
    RC_BENCH_SWEEPS = 600        /* of the grid: 0.16 s of a processor of 2023 */
};

/* The middle one; of an even number, the mean of the two in the middle.  Sorts them. */
double rc_slowdown_bench_median(double *values, size_t n);

/* ---- computing ---- */

struct rc_slowdown_bench_compute {
    size_t repeat;       /* 1 to RC_BENCH_ROUNDS_MAX */
    unsigned sweeps;     /* 1 to RC_BENCH_SWEEPS_MAX */
    const char *command; /* the user's command for /bin/sh, to be timed instead; or NULL */
};

/* seconds[0 .. repeat): the times, after one that does not count (unless it is a command). */
int rc_slowdown_bench_compute(const struct rc_slowdown_bench_compute *order, double *seconds,
                              const struct rc_monitor *monitor, struct rc_error *error);

/* A grid; NULL if out of memory.  To be freed. */
double *rc_slowdown_bench_grid(void);
/* Makes the sweeps; `over` (or NULL) is called now and then, and stops it with true: then -1. */
int rc_slowdown_bench_sweep(double *grid, unsigned sweeps, bool (*over)(const void *data),
                            const void *data);

/* ---- bursts ---- */

struct rc_slowdown_bench_bursts {
    struct rc_peer peer; /* a receiver that waits for one connection */
    const struct rc_burst *bursts;
    size_t n;       /* 1 to RC_BURSTS_MAX */
    size_t repeat;  /* of each, 1 to RC_BENCH_ROUNDS_MAX */
    double longest; /* seconds: longer bursts are left out; INFINITY: none */
};

/* rates[0 .. n): bytes/s of each, the median of several; NAN if it was left out.  The time of a
 * burst is from its first message until a word comes back. */
int rc_slowdown_bench_bursts(const struct rc_slowdown_bench_bursts *order, double *rates,
                             const struct rc_monitor *monitor, struct rc_error *error);

/* Whether a burst can be sent: whole messages, each of at least RC_LOAD_REQUEST_SIZE bytes. */
int rc_slowdown_bench_burst_check(const struct rc_burst *burst, struct rc_error *error);

/* ---- delay by communicating competitors ---- */

struct rc_slowdown_bench_delay {
    struct rc_peer peer;  /* a receiver that waits for `communicating` connections */
    size_t communicating; /* 1 to RC_DELAY_CURVES_MAX */
    size_t points;        /* bandwidths, 1 to RC_BENCH_POINTS_MAX */
    size_t rounds;        /* through all of them, 1 to RC_BENCH_ROUNDS_MAX */
    unsigned sweeps;      /* of the grid, each time */
    double message;       /* bytes */
};

/* points[0 .. order->points): from full speed down in equal steps.  k is the rate of each
 * competitor, and delay the increase of the computing time, relative to the time without them
 * just before and after; both are medians over the rounds.  `*byte_seconds` is the CPU time of
 * sending a byte. */
int rc_slowdown_bench_delay(const struct rc_slowdown_bench_delay *order,
                            struct rc_delay_point *points, double *byte_seconds,
                            const struct rc_monitor *monitor, struct rc_error *error);

/* ---- memory ---- */

struct rc_slowdown_bench_memory {
    size_t rounds; /* 1 to RC_BENCH_ROUNDS_MAX */
    double bytes;  /* that each accesses; 0: more than the caches hold */
};

/* The slowdown of a program that accesses memory by others on other cores.  On one core, the
 * curve is empty.  On hosts with many cores, some numbers are interpolated. */
int rc_slowdown_bench_memory(const struct rc_slowdown_bench_memory *order,
                             struct rc_memory_curve *curve, const struct rc_monitor *monitor,
                             struct rc_error *error);

/* ---- shared memory of the processes of a measurement ---- */

/* The beginning of the shared memory. */
struct rc_bench_shared {
    _Atomic size_t done, total; /* steps, for progress */
    _Atomic bool finished;      /* processes that only create load may end */
};

/* Zeroed memory, shared with processes that are started later. */
void *rc_slowdown_bench_share(size_t size, struct rc_error *error);
void rc_slowdown_bench_unshare(void *shared, size_t size);

/* Runs the processes until all have ended, with progress for the monitor.  `sum` (or NULL) gets
 * the total of their sums from the second process on.  -1 also if the monitor cancelled. */
int rc_slowdown_bench_run(const struct rc_load_task *tasks, size_t n,
                          struct rc_bench_shared *shared, const struct rc_monitor *monitor,
                          struct rc_load_tally *sum, struct rc_error *error);

/* rc_load_over() of a seat, for rc_slowdown_bench_sweep(). */
bool rc_slowdown_bench_over(const void *seat);

/* ---- on the host ---- */

/* Writes {"bench": RC_BENCH_PROTOCOL, ...} to `output`, then serves requests from `input`, one
 * after the other, until it ends, `output` is closed, or the monitor cancels, which also stops a
 * measurement.  A failed request is answered, and not a failure of this function. */
int rc_slowdown_bench_serve(int input, int output, const struct rc_monitor *monitor,
                            struct rc_error *error);

#endif
