// SPDX-License-Identifier: GPL-3.0-or-later
/* task_profile.h - the share of a run's time that each task of a model takes, from a trace.
 *
 * After J. M. Schopf's dissertation (see model.h), section 3.A.2: a profile has the part of the
 * execution time that is spent in each task, and its parts sum to 1 at most.  The `traced` clauses
 * of a model say which MPI calls and which computing are whose.
 *
 * Every rank is in the run for all of its time T, so that what one rank computes, others may spend
 * waiting inside of calls.  That is the time of the task that is waited for, once:
 *  1. Computing counts as on the rank that computes longest: the others wait for it.
 *  2. Calls count as on the rank that is in them for the shortest time, of those that make them:
 *     it is the one that waits least, and what others are in them for longer is waiting.
 *  3. Where these come to more than T, calls get no more than what computing leaves, each in
 *     proportion: who waits least was not the same one all along.
 *  4. Where computing alone comes to more than T, tasks go on at the same time, and all are made
 *     smaller in proportion, so that they come to T.
 * With one task for all computing and one for all calls, the two come to T: whoever computes
 * longest is in calls for the shortest time.
 *
 * Times are those of each rank's first thread, between the calls that begin and end MPI. */
#ifndef RC_MODEL_STRUCTURAL_TASK_PROFILE_H
#define RC_MODEL_STRUCTURAL_TASK_PROFILE_H

#include "model/structural/model.h"
#include "mpi/trace/trace_set.h"

struct rc_share {
    const char *task; /* belongs to the model */
    bool calls;       /* time in calls, and not computing */
    bool there;       /* the trace has any of that */
    uint32_t rank;    /* as on which its time counts */
    size_t alike;     /* tasks with the same clause, this one too: they share the time alike */
    double seconds, share;
    double stated; /* by the model's own profile; NAN where it has none */
    bool omitted;  /* the share is so small that the task is left out of the model */
};

enum { RC_SHARES_LEFT = 4, RC_SHARE_TEXT = 100 };

/* Time that no clause is about. */
struct rc_share_left {
    char what[RC_SHARE_TEXT]; /* "MPI_Barrier", "computing after MPI_Init" */
    double share;
};

/* Free with rc_structural_shares_free(). */
struct rc_shares {
    struct rc_share *items; /* in the order of the model */
    size_t n;
    uint32_t ranks;
    double seconds; /* T: of the run, on the rank where it was longest */
    double omit;    /* tasks with smaller shares are left out of the model; 0: none is */
    double left;    /* the share that belongs to no task: of it, the largest parts, and then waiting
                       that is no single task's */
    struct rc_share_left parts[RC_SHARES_LEFT];
    size_t n_parts;
    bool overlap; /* rule 4 was needed */
};

/* Of a model in a section of it (-1: none).  Where no component has a `traced` clause, the only
 * task of kind computation has all computing, the only one of kind communication all calls but
 * those for files, and the only one of kind io those.  -1 where that cannot be, where a clause
 * names no MPI call, where two clauses of different tasks claim the same time, or where the
 * trace is not whole. */
int rc_structural_shares_find(struct rc_shares *shares, const struct rc_model *model, int section,
                              const struct rc_trace_set *recording,
                              const struct rc_monitor *monitor, struct rc_error *error);
void rc_structural_shares_free(struct rc_shares *shares);

/* Whether a trace is of a program that has the name of the app in its own, or in its command. */
bool rc_structural_shares_are_of(const struct rc_trace_set *recording, const char *app);

/* Them as a profile statement in a file of its own, to be read after the model's; `of` says in a
 * comment what was traced.  To be freed; NULL where memory runs out. */
char *rc_structural_shares_statement(const struct rc_shares *shares, const struct rc_model *model,
                                     int section, const char *of);

/* The number of the MPI call that a clause names ("Bcast", "MPI_Bcast", in any case), or -1 with
 * the error (no place) set. */
int rc_structural_traced_kind(const char *name, struct rc_error *error);

#endif
