// SPDX-License-Identifier: GPL-3.0-or-later
/* common_run.c - what the completed runs of an app have in common. */
#include "db/common_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "db/same_hosts.h"

void rc_db_common_run_free(struct rc_common_run *common)
{
    free(common->hosts);
    *common = (struct rc_common_run){.size = NAN};
}

static int begin(struct rc_common_run *common, const struct rc_run *run, struct rc_error *error)
{
    common->size = run->n;
    common->procs = common->most_procs = run->p;
    common->hosts = *run->hosts ? strdup(run->hosts) : NULL;
    return *run->hosts && !common->hosts ? rc_error_no_memory(error) : 0;
}

static void compare(struct rc_common_run *common, const struct rc_run *run)
{
    if (common->size != run->n)
        common->size = NAN;
    if (common->procs != run->p)
        common->procs = 0;
    if (run->p > common->most_procs)
        common->most_procs = run->p;
    if (common->hosts && !rc_db_hosts_are_same(common->hosts, run->hosts)) {
        free(common->hosts);
        common->hosts = NULL;
    }
}

/* With the platform in the query, the index has its newest runs first: the others are not read. */
static int add_platform(struct rc_db *db, const char *app, const char *platform,
                        struct rc_common_run *common, struct rc_error *error)
{
    const unsigned fields = RC_FIELD_N | RC_FIELD_P | RC_FIELD_HOSTS;
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    uint64_t before = common->n_runs;
    int got = -1;

    rc_db_run_filter_init(&filter);
    filter.app = app;
    filter.platform = platform;
    filter.status = RC_RUN_OK;
    filter.last = RC_DB_COMMON_RUNS_MAX + 1;
    cursor = rc_db_run_find(db, &filter, fields, error);
    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0)
        if (common->n_runs++ > 0)
            compare(common, &run);
        else if (begin(common, &run, error)) {
            got = -1;
            break;
        }
    rc_db_run_cursor_close(cursor);
    common->newest |= common->n_runs - before > RC_DB_COMMON_RUNS_MAX;
    return got < 0 ? -1 : 0;
}

int rc_db_common_run_find(struct rc_db *db, const char *app, const char *platform,
                          struct rc_common_run *common, struct rc_error *error)
{
    sqlite3_stmt *platforms;
    int got = 0, status = 0;

    *common = (struct rc_common_run){.size = NAN};
    if (platform)
        return add_platform(db, app, platform, common, error);
    platforms = rc_db_prepare(db, "SELECT name FROM platform ORDER BY id", error);
    if (!platforms)
        return -1;
    while (status == 0 && (got = rc_db_step(db, platforms, error)) > 0)
        status = add_platform(db, app, rc_db_column_text(platforms, 0), common, error);
    sqlite3_finalize(platforms);
    return status || got < 0 ? -1 : 0;
}
