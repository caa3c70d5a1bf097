// SPDX-License-Identifier: GPL-3.0-or-later
/* bench.h - the measurements that a calibration is made of, each on the host on which it runs.
 *
 * What computes is a red-black SOR on a square grid, as in section 4 of Figueira and Berman: always
 * the same amount of work, so that times can be compared.  What communicates are connections to
 * the receiver of a load (testbed/load/receiver.h), which waits on another host.
 *
 * All of them work in processes of their own (testbed/load/load_processes.h), which end with this one, and stop when
 * the monitor says so: an error then. */
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
    const char *command; /* a command of the user's for /bin/sh, to be timed instead; or NULL */
};

/* seconds[0 .. repeat): what each took, after one that is not counted (unless it is a command). */
int rc_slowdown_bench_compute(const struct rc_slowdown_bench_compute *order, double *seconds,
                              const struct rc_monitor *monitor, struct rc_error *error);

/* A grid to compute on; NULL where memory runs out.  To be freed. */
double *rc_slowdown_bench_grid(void);
/* So many sweeps over it; `over` (or NULL) is asked now and then whether to stop: then -1. */
int rc_slowdown_bench_sweep(double *grid, unsigned sweeps, bool (*over)(const void *data),
                            const void *data);

/* ---- bursts ---- */

struct rc_slowdown_bench_bursts {
    struct rc_peer peer; /* a receiver that waits for one connection */
    const struct rc_burst *bursts;
    size_t n;       /* 1 to RC_BURSTS_MAX */
    size_t repeat;  /* of each, 1 to RC_BENCH_ROUNDS_MAX */
    double longest; /* seconds: bursts that take longer are left out; INFINITY: none is */
};

/* rates[0 .. n): bytes/s of each, the median of several times; NAN where it was left out.  The time
 * of a burst is from its first message until the word that all has come. */
int rc_slowdown_bench_bursts(const struct rc_slowdown_bench_bursts *order, double *rates,
                             const struct rc_monitor *monitor, struct rc_error *error);

/* Whether a burst can be sent: whole messages, each of RC_LOAD_REQUEST_SIZE bytes at least. */
int rc_slowdown_bench_burst_check(const struct rc_burst *burst, struct rc_error *error);

/* ---- computing beside those that communicate ---- */

struct rc_slowdown_bench_delay {
    struct rc_peer peer;  /* a receiver that waits for `communicating` connections */
    size_t communicating; /* 1 to RC_DELAY_CURVES_MAX */
    size_t points;        /* bandwidths, 1 to RC_BENCH_POINTS_MAX */
    size_t rounds;        /* through all of them, 1 to RC_BENCH_ROUNDS_MAX */
    unsigned sweeps;      /* of the grid, each time */
    double message;       /* bytes */
};

/* points[0 .. order->points): from full speed down in equal steps.  k is what each of those who
 * communicate sent, delay what they added to the time of the computing, as a part of its time alone
 * just before and after; both medians over the rounds.  `*byte_seconds` is the CPU time that a byte
 * cost its sender. */
int rc_slowdown_bench_delay(const struct rc_slowdown_bench_delay *order,
                            struct rc_delay_point *points, double *byte_seconds,
                            const struct rc_monitor *monitor, struct rc_error *error);

/* ---- memory ---- */

struct rc_slowdown_bench_memory {
    size_t rounds; /* 1 to RC_BENCH_ROUNDS_MAX */
    double bytes;  /* that each goes over; 0: more than the caches hold */
};

/* What others that go over memory on other cores cost one that does.  Where there is one core
 * alone, the curve is empty.  Numbers of others that are not measured, on hosts with many cores, lie
 * on a line between those that are. */
int rc_slowdown_bench_memory(const struct rc_slowdown_bench_memory *order,
                             struct rc_memory_curve *curve, const struct rc_monitor *monitor,
                             struct rc_error *error);

/* ---- what the measurements share: memory in which their processes report results ---- */

/* Begins what is shared. */
struct rc_bench_shared {
    _Atomic size_t done, total; /* steps, for progress */
    _Atomic bool finished;      /* those who only keep something busy may go */
};

/* Zeroed memory that processes started from now on have in common with this one. */
void *rc_slowdown_bench_share(size_t size, struct rc_error *error);
void rc_slowdown_bench_unshare(void *shared, size_t size);

/* Runs these processes until all have ended, and reports their progress to the monitor.  `sum` (or
 * NULL) gets their sums from the second on, added up.  -1 also where the monitor cancelled. */
int rc_slowdown_bench_run(const struct rc_load_task *tasks, size_t n,
                          struct rc_bench_shared *shared, const struct rc_monitor *monitor,
                          struct rc_load_tally *sum, struct rc_error *error);

/* rc_load_over() of a seat, for rc_slowdown_bench_sweep(). */
bool rc_slowdown_bench_over(const void *seat);

/* ---- the far end ---- */

/* Greets with {"bench": RC_BENCH_PROTOCOL, ...} on `output`, then carries out the orders that come
 * on `input`, one after the other, until that ends, nobody reads the answers, or the monitor
 * cancels.  An order under way is broken off then.  An order that fails is answered, and no failure here. */
int rc_slowdown_bench_serve(int input, int output, const struct rc_monitor *monitor,
                            struct rc_error *error);

#endif
