// SPDX-License-Identifier: GPL-3.0-or-later
/* common_run.h - what the completed runs of an app have in common: defaults for a question about
 * the next one. */
#ifndef RC_DB_COMMON_RUN_H
#define RC_DB_COMMON_RUN_H

#include <stdbool.h>

#include "runcast.h"

enum { RC_DB_COMMON_RUNS_MAX = 100 }; /* of each platform, only the newest so many runs are read */

struct rc_common_run {
    uint64_t n_runs;    /* completed runs that were read */
    bool newest;        /* there are older ones */
    double size;        /* NAN: they differ */
    int64_t procs;      /* 0: they differ */
    int64_t most_procs; /* the largest number of processes */
    char *hosts;        /* NULL: they differ, or are unknown */
};

/* Reads the runs of `app` on `platform` (NULL: any).  Free with rc_db_common_run_free(), also after
 * -1. */
int rc_db_common_run_find(struct rc_db *db, const char *app, const char *platform,
                          struct rc_common_run *common, struct rc_error *error);
void rc_db_common_run_free(struct rc_common_run *common);

#endif
