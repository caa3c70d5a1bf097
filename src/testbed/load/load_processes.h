// SPDX-License-Identifier: GPL-3.0-or-later
/* load_processes.h - processes that put load on this machine, and what they did.
 *
 * Each process is a fork of this one.  None outlives it, however it ends: the kernel kills them
 * when the thread that started them is gone.  They have no terminal, no output and no descriptor
 * of ours but the one they are given; they leave SIGINT, SIGTERM and SIGHUP to their starter,
 * which stops them; and they know when to end, so that the load ends even while the starter is
 * suspended. */
#ifndef RC_TESTBED_LOAD_LOAD_PROCESSES_H
#define RC_TESTBED_LOAD_LOAD_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum { RC_LOAD_TEAM_MAX = 4096 };

/* What one process did, or what several did together, from the beginning of the load to its own
 * end. */
struct rc_load_tally {
    double wall;          /* seconds */
    double cpu;           /* seconds of CPU time */
    double asked;         /* seconds of CPU time that it was to use */
    double computing;     /* seconds in which it wanted the core (mix) */
    double worked;        /* seconds of CPU time that it had meanwhile (mix) */
    double resting;       /* seconds in which it was to do neither (mix) */
    double communicating; /* seconds in which it sent or received (mix) */
    double drained;       /* seconds until the receiver reported its counts; 0: it never did */
    uint64_t cycles, messages, bursts;
    uint64_t sent, received;           /* bytes, as this end counts them */
    uint64_t peer_sent, peer_received; /* counted by the receiver */
    uint64_t arrived;                  /* of `received`, what was there when the load ended ... */
    double in_time; /* ... so many seconds after it began (streams that receive) */
    double wanted;  /* bytes that were to be sent or received; 0: not given */
    int core;       /* that it is pinned to; -1: none */
};

/* So many seconds as a part of the time that the process took; 0 where that was none. */
double rc_load_part(double seconds, const struct rc_load_tally *tally);
/* The same as a part of what it would have taken with the core to itself whenever it computed. */
double rc_load_part_alone(double seconds, const struct rc_load_tally *tally);

struct rc_load_team;

/* What a process of the team sees of it. */
struct rc_load_worker {
    struct rc_load_team *team;
    size_t index;
    struct rc_load_tally *tally;
    double begin, end; /* of the load, by rc_load_now(); `end` may be INFINITY */
};

/* What a process is to do.  Both functions run in it; -1 ends it, with an error that
 * rc_load_team_run() hands on.  `prepare` (or NULL) comes before the load begins, for all at once.
 */
struct rc_load_task {
    int (*prepare)(struct rc_load_worker *worker, void *data, struct rc_error *error);
    int (*body)(struct rc_load_worker *worker, void *data, struct rc_error *error);
    void *data;     /* copied with the process: its changes are not seen elsewhere */
    int core;       /* to pin it to; -1: none */
    int descriptor; /* that it keeps; -1: none */
};

/* Memory for `n` processes.  Destroy with rc_load_team_destroy(), which also ends the processes. */
struct rc_load_team *rc_load_team_create(size_t n, struct rc_error *error);
void rc_load_team_destroy(struct rc_load_team *team);

/* Starts the next process; it prepares itself and then waits for the others. */
int rc_load_team_add(struct rc_load_team *team, const struct rc_load_task *task,
                     struct rc_error *error);

/* Waits until all are prepared, lets them begin together and waits for `seconds` (INFINITY: until
 * all have ended by themselves), or until the monitor cancels, which is no failure.  -1 where one
 * of them failed; the others are then stopped, and the tallies still have what was done. */
int rc_load_team_run(struct rc_load_team *team, double seconds, const struct rc_monitor *monitor,
                     struct rc_error *error);

/* How many processes were started, and what the one of that index did; belongs to the team. */
size_t rc_load_team_size(const struct rc_load_team *team);
const struct rc_load_tally *rc_load_team_tally(const struct rc_load_team *team, size_t index);
/* The tallies of the processes from `first` on, at most `n`, added up; where `core` is not -1, only
 * of those that are pinned to it. */
struct rc_load_tally rc_load_team_sum(const struct rc_load_team *team, size_t first, size_t n,
                                      int core);
/* Seconds from the beginning of the load to its end; 0 where it did not begin. */
double rc_load_team_seconds(const struct rc_load_team *team);

/* ---- for the processes ---- */

/* Whether the load is over: its time is up, or it was stopped. */
bool rc_load_over(const struct rc_load_worker *worker);
double rc_load_now(void); /* monotonic seconds */
double rc_load_cpu(void); /* CPU seconds of this process */
/* Sleeps until a time of rc_load_now(), at most; wakes up every so often to see whether to stop. */
void rc_load_sleep_until(const struct rc_load_worker *worker, double when);
/* Keeps the core busy for some microseconds. */
void rc_load_spin(void);

#endif
