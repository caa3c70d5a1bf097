// SPDX-License-Identifier: GPL-3.0-or-later
/* probe_budget.h - a limit on what all processes that share a database use in any time window.
 *
 * Use is a series with a sample for each reservation. A process reserves in the same transaction in
 * which it reads what others have reserved, so no two of them can reserve the same rest. If it
 * needed less, the sample is corrected afterwards; a process that is killed in between leaves too
 * large a sample, never too small a one. */
#ifndef RC_DB_PROBE_BUDGET_H
#define RC_DB_PROBE_BUDGET_H

#include "runcast.h"

struct rc_budget;

/* The database must be open for writing, and outlive it. */
struct rc_budget *rc_db_budget_create(struct rc_db *store, struct rc_error *error);
/* Corrections that are not written yet are lost: the full reservations stay. */
void rc_db_budget_destroy(struct rc_budget *budget);

struct rc_budget_request {
    struct rc_series_key key;
    double t;      /* now, on the time base of samples */
    double amount; /* that is wanted */
    double bound;  /* on all that is taken in `window` seconds */
    double window;
};

/* 1: reserved, and `*at` is the time of the sample. 0: not enough is left, and `*at` is when it may
 * be. -1: the database fails, or is locked for `patience` seconds. */
int rc_db_budget_take(struct rc_budget *budget, const struct rc_budget_request *request,
                      double patience, double *at, struct rc_error *error);

/* Of the reservation at `at`, only `amount` was used; 0 removes it. Written with the next
 * reservation, or by flushing. */
int rc_db_budget_settle(struct rc_budget *budget, const struct rc_series_key *key, double at,
                        double amount, struct rc_error *error);
int rc_db_budget_flush(struct rc_budget *budget, double patience, struct rc_error *error);

#endif
