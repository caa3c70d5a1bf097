// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.h - traces of MPI programs in the database: their directories and runs. */
#ifndef RC_DB_TRACE_H
#define RC_DB_TRACE_H

#include "db/internal.h"

struct rc_stored_trace {
    int64_t id, run_id;
    char *path;     /* of its directory */
    double made;    /* when it was put there */
    double seconds; /* of the run */
};
void rc_db_stored_trace_free(struct rc_stored_trace *trace);

/* Stores that the trace in the directory `path`, with these ranks and bytes, belongs to the run
 * `run_id`, replacing an older entry of that directory. */
int rc_db_trace_add(struct rc_db *store, int64_t run_id, const char *path, int format,
                    int64_t ranks, int64_t bytes, struct rc_error *error);

/* 1: `*trace` is the newest of a run of `app` on `platform` (NULL: on any) that ended well, of that
 * size and number of processes, which started before `before`; to be freed. 0: none. */
int rc_db_trace_find(struct rc_db *store, const char *app, const char *platform, double n,
                     int64_t p, double before, struct rc_stored_trace *trace,
                     struct rc_error *error);

#endif
