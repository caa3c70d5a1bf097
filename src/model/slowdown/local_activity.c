// SPDX-License-Identifier: GPL-3.0-or-later
/* local_activity.c - the activities of competitors, and how many have one at once. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/slowdown/local_internal.h"

double rc_slowdown_local_share(const struct rc_competitor *competitor, enum rc_local_activity kind)
{
    double compute = rc_observe_share_mean(competitor->compute);

    switch (kind) {
    case RC_LOCAL_COMMUNICATING:
        return rc_observe_share_mean(competitor->communicate);
    case RC_LOCAL_MEMORY:
        return compute * competitor->memory;
    case RC_LOCAL_LASTING:
        return competitor->steady ? compute : 0;
    case RC_LOCAL_YIELDING:
        return competitor->steady ? 0 : compute;
    case RC_LOCAL_COMPUTING:
        break;
    }
    return compute;
}

int rc_slowdown_local_activity(const struct rc_local_host *host, enum rc_local_activity kind,
                               struct rc_activity *activity, struct rc_error *error)
{
    size_t n = host->n_competitors;
    double *shares = malloc((n + 1) * sizeof *shares);
    int status;

    if (!shares)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        shares[i] = rc_slowdown_local_share(&host->competitors[i], kind);
    status = rc_slowdown_activity_of(shares, n, activity, error);
    free(shares);
    return status;
}

double rc_slowdown_local_part(double k, int cores)
{
    return fmin(1, cores / k);
}
