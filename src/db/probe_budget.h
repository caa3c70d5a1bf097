// SPDX-License-Identifier: GPL-3.0-or-later
/* probe_budget.h - a bound on what all processes that share a store spend in any span of time.
 *
 * What is spent is a series, one sample for each time that something is: it is taken before it is
 * spent, in one transaction with the look at what others took, so that no two of them can take the
 * same rest.  Where less was needed than was taken, the sample is put right afterwards; a process
 * that is killed in between leaves too much in the store, never too little. */
#ifndef RC_DB_PROBE_BUDGET_H
#define RC_DB_PROBE_BUDGET_H

#include "runcast.h"

struct rc_budget;

/* The store must be open for writing, and outlive it. */
struct rc_budget *rc_db_budget_create(struct rc_db *store, struct rc_error *error);
/* What was settled and not written stays as it was taken. */
void rc_db_budget_destroy(struct rc_budget *budget);

struct rc_budget_request {
    struct rc_series_key key;
    double t;      /* now, on the time base of samples */
    double amount; /* that is wanted */
    double bound;  /* on all that is taken in `window` seconds */
    double window;
};

/* 1: it was taken, and `*at` is the time by which it is settled.  0: so much is not left, and
 * `*at` tells when it may be.  -1: the store fails, or is locked for `patience` seconds. */
int rc_db_budget_take(struct rc_budget *budget, const struct rc_budget_request *request,
                      double patience, double *at, struct rc_error *error);

/* Of what was taken at `at`, only `amount` was needed; with 0 it was not taken at all.  Written
 * with the next taking, or by flushing. */
int rc_db_budget_settle(struct rc_budget *budget, const struct rc_series_key *key, double at,
                        double amount, struct rc_error *error);
int rc_db_budget_flush(struct rc_budget *budget, double patience, struct rc_error *error);

#endif
