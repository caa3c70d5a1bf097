// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction_mismatch.c - why the newest run of an app was compared with no prediction. */
#include "db/prediction_mismatch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/timestamp.h"
#include "db/prediction.h"
#include "db/same_hosts.h"

/* The prediction without a run that comes nearest to the run, and what differs. */
static const char nearest_sql[] =
    "SELECT q.start, q.n = run.n AND q.p = run.p AS same_size,"
    " q.platform_id IN (0, run.platform_id) AS same_platform,"
    " q.hosts IS NULL OR run.hosts IS NULL OR same_hosts(q.hosts, run.hosts) AS same_hosts,"
    " (SELECT group_concat(key, ', ') FROM ("
    "   SELECT asked.key AS key FROM json_each(coalesce(q.params, '{}')) AS asked"
    "    WHERE NOT EXISTS (SELECT 1 FROM json_each(coalesce(run.params, '{}')) AS had"
    "     WHERE had.key = asked.key AND had.value = asked.value)"
    "   UNION SELECT took.key FROM json_each(CASE WHEN json_valid(q.value) THEN"
    "     coalesce(json_extract(q.value, '$.inputs'), '{}') ELSE '{}' END) AS took"
    "    JOIN json_each(coalesce(run.params, '{}')) AS had ON had.key = took.key"
    "    WHERE abs(had.value - took.value) > 1e-6 * abs(had.value))) AS other_params,"
    " run.start BETWEEN q.start - ?3 AND q.start + ?4 AS same_time"
    " FROM prediction AS q JOIN run ON run.id = ?1"
    " WHERE q.app_id = run.app_id AND q.family = ?2 AND q.run_id IS NULL"
    " ORDER BY same_size DESC, same_platform DESC, same_hosts DESC, other_params IS NULL DESC,"
    " same_time DESC, q.id DESC LIMIT 1";

static const char newest_sql[] =
    "SELECT run.id, run.n, run.p, run.start, run.status,"
    " EXISTS (SELECT 1 FROM prediction WHERE run_id = run.id AND family = ?3) FROM run"
    " WHERE app_id = (SELECT id FROM app WHERE name = ?1)"
    " AND (?2 IS NULL OR platform_id = (SELECT id FROM platform WHERE name = ?2))"
    " ORDER BY run.id DESC LIMIT 1";

struct newest {
    int64_t id, procs;
    double size, start;
    enum rc_run_status status;
};

static void describe(sqlite3_stmt *nearest, const struct newest *run, char text[RC_MISMATCH_SIZE])
{
    double start = rc_db_column_number(nearest, 0);
    char when[RC_TIME_SIZE], runs_at[RC_TIME_SIZE], size[RC_NUMBER_SIZE];

    rc_timestamp_format(floor(start), when);
    rc_timestamp_format(run->start, runs_at);
    rc_number_format(run->size, size);
    if (run->status == RC_RUN_FAILED)
        snprintf(text, RC_MISMATCH_SIZE, "its status is %s", rc_db_run_status_name(run->status));
    else if (isnan(run->start))
        snprintf(text, RC_MISMATCH_SIZE, "it has no start");
    else if (!sqlite3_column_int(nearest, 1))
        snprintf(text, RC_MISMATCH_SIZE,
                 "no prediction for size %s and %" PRId64 " process%s is without a run", size,
                 run->procs, run->procs == 1 ? "" : "es");
    else if (!sqlite3_column_int(nearest, 2))
        snprintf(text, RC_MISMATCH_SIZE, "its platform differs");
    else if (!sqlite3_column_int(nearest, 3))
        snprintf(text, RC_MISMATCH_SIZE, "its hosts differ");
    else if (sqlite3_column_type(nearest, 4) != SQLITE_NULL)
        snprintf(text, RC_MISMATCH_SIZE, "its parameters differ: %.200s",
                 rc_db_column_text(nearest, 4));
    else if (!sqlite3_column_int(nearest, 5))
        snprintf(text, RC_MISMATCH_SIZE, "it started at %s, %s %s", runs_at,
                 run->start < start ? "before the start of the prediction,"
                                    : "over a day after the start of the prediction,",
                 when);
    else
        snprintf(text, RC_MISMATCH_SIZE, "it was stored before the prediction was made");
}

static int find_newest(struct rc_db *store, const char *app, const char *platform,
                       const char *method, struct newest *run, struct rc_error *error)
{
    sqlite3_stmt *select = rc_db_query(store, error, newest_sql, "sss", app, platform, method);
    int got = select ? rc_db_step(store, select, error) : -1;

    if (got > 0)
        *run = (struct newest){.id = sqlite3_column_int64(select, 0),
                               .size = sqlite3_column_double(select, 1),
                               .procs = sqlite3_column_int64(select, 2),
                               .start = rc_db_column_number(select, 3),
                               .status = (enum rc_run_status)sqlite3_column_int(select, 4)};
    if (got > 0 && sqlite3_column_int(select, 5))
        got = 0;
    sqlite3_finalize(select);
    return got;
}

int rc_db_prediction_mismatch(struct rc_db *store, const char *app, const char *platform,
                              const char *method, char text[RC_MISMATCH_SIZE],
                              struct rc_error *error)
{
    sqlite3_stmt *nearest;
    struct newest run;
    char why[RC_MISMATCH_SIZE];
    int got = find_newest(store, app, platform, method, &run, error);

    *text = '\0';
    if (got <= 0 || rc_db_add_same_hosts(store, error))
        return got ? -1 : 0;
    nearest = rc_db_query(store, error, nearest_sql, "Isff", run.id, method, RC_PREDICTION_ROUNDED,
                          RC_PREDICTION_DAY);
    got = nearest ? rc_db_step(store, nearest, error) : -1;
    if (got > 0) {
        describe(nearest, &run, why);
        snprintf(text, RC_MISMATCH_SIZE, "run %" PRId64 " was compared with no prediction: %.300s",
                 run.id, why);
    }
    sqlite3_finalize(nearest);
    return got < 0 ? -1 : 0;
}
