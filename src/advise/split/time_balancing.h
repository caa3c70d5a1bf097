// SPDX-License-Identifier: GPL-3.0-or-later
/* time_balancing.h - time balancing: work over hosts so that all of them end at the same time.
 *
 * J. M. Schopf, "Performance prediction and scheduling for parallel applications on multi-user
 * clusters" (dissertation, UC San Diego, 1998), Eq. (5.2): D_i u_i + C_i is the same for all hosts
 * i, and the D_i sum to all of the work.  Beyond that: no host gets less than nothing or more than
 * it has room for, and work may come in units that cannot be divided. */
#ifndef RC_ADVISE_SPLIT_TIME_BALANCING_H
#define RC_ADVISE_SPLIT_TIME_BALANCING_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_balance_host {
    double unit;  /* u_i: seconds for one unit of work, above 0 */
    double fixed; /* C_i: seconds that do not depend on the work; 0 or more */
    double most;  /* largest number of units; INFINITY: any */
};

/* Divides `total` (above 0), as finely as it takes, into `work`.  The end of the last host is the
 * earliest that there is; hosts that get something and have room for more end together.  -1 where
 * a host is not as above, and, with a hint, where the work does not fit on all of them. */
int rc_split_balance(const struct rc_balance_host *hosts, size_t n, double total, double *work,
                     struct rc_error *error);

/* The same for whole units: each unit in turn goes to the host that would end it first, of equal
 * ones to the first.  No other division ends earlier. */
int rc_split_balance_units(const struct rc_balance_host *hosts, size_t n, int64_t total,
                           int64_t *units, struct rc_error *error);

#endif
