// SPDX-License-Identifier: GPL-3.0-or-later
/* schema.c - the tables of a database, version by version.
 *
 * Decisions that the other files of this folder rely on:
 *  1. Names of apps and platforms are stored once, which keeps the index of runs by app and
 *     platform small. Platform 0 is "", the unknown one.
 *  2. Parameters of a run are one JSON object of numbers. Separate rows would double the time of an
 *     import, and no query needs them without their run.
 *  3. Ids of runs and imports come from `sequence` and are not reused after a deletion, so a number
 *     in a note or script never means another run.
 *  4. Samples are clustered by series and time: a window of a series is one range of the tree.
 *  5. Metadata of a run are one JSON object of texts, for the same reasons as parameters.
 *  6. `series.samples` counts the samples, since counting ten million takes a second. */
#include "db/schema.h"

#include <stdio.h>

#include "base/error.h"

static const char step_1[] =
    "CREATE TABLE sequence (name TEXT PRIMARY KEY, next INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "INSERT INTO sequence VALUES ('run', 1), ('import', 1);"

    "CREATE TABLE app (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE platform (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
    "INSERT INTO platform VALUES (0, '');"

    "CREATE TABLE import ("
    "  id INTEGER PRIMARY KEY,"
    "  digest TEXT NOT NULL UNIQUE," /* SHA-256 of the content */
    "  source TEXT NOT NULL,"        /* name of the file */
    "  at REAL NOT NULL,"
    "  rows INTEGER NOT NULL,"    /* runs that it added */
    "  skipped INTEGER NOT NULL," /* bad rows */
    "  deleted INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"

    "CREATE TABLE run ("
    "  id INTEGER PRIMARY KEY,"
    "  app_id INTEGER NOT NULL REFERENCES app (id),"
    "  platform_id INTEGER NOT NULL REFERENCES platform (id),"
    "  n REAL NOT NULL CHECK (n > 0),"
    "  p INTEGER NOT NULL CHECK (p >= 1),"
    "  seconds REAL NOT NULL CHECK (seconds > 0),"
    "  start REAL,"
    "  hosts TEXT,"
    "  memory REAL CHECK (memory >= 0),"
    "  cpu_minavg REAL CHECK (cpu_minavg BETWEEN 0 AND 1),"
    "  cpu_avgmin REAL CHECK (cpu_avgmin BETWEEN 0 AND 1),"
    "  bw_minavg REAL CHECK (bw_minavg >= 0),"
    "  bw_avgmin REAL CHECK (bw_avgmin >= 0),"
    "  bytes_read REAL CHECK (bytes_read >= 0),"
    "  bytes_written REAL CHECK (bytes_written >= 0),"
    "  status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2)," /* enum rc_run_status */
    /* Without REFERENCES, which would search all runs when an import is deleted; 'db check' checks
     * it. */
    "  import_id INTEGER,"
    "  params TEXT" /* {"iterations": 100, ...}; NULL: none */
    ") STRICT;"
    "CREATE INDEX run_by_app_platform ON run (app_id, platform_id);"

    /* Process -1 is the whole program, phase '' all phases. */
    "CREATE TABLE run_time ("
    "  run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,"
    "  phase TEXT NOT NULL,"
    "  process INTEGER NOT NULL CHECK (process >= -1),"
    "  seconds REAL NOT NULL CHECK (seconds >= 0),"
    "  PRIMARY KEY (run_id, phase, process)"
    ") STRICT, WITHOUT ROWID;"

    /* Peer '' is a host, otherwise a link from host to peer. */
    "CREATE TABLE series ("
    "  id INTEGER PRIMARY KEY,"
    "  host TEXT NOT NULL,"
    "  peer TEXT NOT NULL DEFAULT '',"
    "  metric TEXT NOT NULL,"
    "  samples INTEGER NOT NULL DEFAULT 0,"
    "  UNIQUE (host, peer, metric)"
    ") STRICT;"
    "CREATE TABLE sample ("
    "  series_id INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,"
    "  t REAL NOT NULL,"
    "  value REAL NOT NULL,"
    "  PRIMARY KEY (series_id, t)"
    ") STRICT, WITHOUT ROWID;"

    /* Fitted models; `body` is the JSON of the method, of version `format`. */
    "CREATE TABLE model ("
    "  id INTEGER PRIMARY KEY,"
    "  app_id INTEGER NOT NULL REFERENCES app (id),"
    "  platform_id INTEGER NOT NULL REFERENCES platform (id),"
    "  family TEXT NOT NULL,"
    "  made REAL NOT NULL,"
    "  format INTEGER NOT NULL,"
    "  body TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX model_by_app ON model (app_id, platform_id, family, made);"

    /* Predictions, scored once their run is stored; `value` is the whole distribution, as JSON. */
    "CREATE TABLE prediction ("
    "  id INTEGER PRIMARY KEY,"
    "  made REAL NOT NULL,"
    "  app_id INTEGER NOT NULL REFERENCES app (id),"
    "  platform_id INTEGER NOT NULL REFERENCES platform (id),"
    "  family TEXT NOT NULL,"
    "  model_id INTEGER REFERENCES model (id) ON DELETE SET NULL,"
    "  n REAL NOT NULL CHECK (n > 0),"
    "  p INTEGER NOT NULL CHECK (p >= 1),"
    "  hosts TEXT,"
    "  params TEXT,"
    "  start REAL,"
    "  mean REAL NOT NULL,"
    "  lo90 REAL NOT NULL,"
    "  hi90 REAL NOT NULL CHECK (hi90 >= lo90),"
    "  value TEXT NOT NULL,"
    "  run_id INTEGER REFERENCES run (id) ON DELETE SET NULL"
    ") STRICT;"
    "CREATE INDEX prediction_by_app ON prediction (app_id, platform_id, made);"
    "CREATE INDEX prediction_by_run ON prediction (run_id) WHERE run_id IS NOT NULL;"

    /* Traces of MPI programs; their files stay in the directory `path`. */
    "CREATE TABLE trace ("
    "  id INTEGER PRIMARY KEY,"
    "  app_id INTEGER NOT NULL REFERENCES app (id),"
    "  platform_id INTEGER NOT NULL REFERENCES platform (id),"
    "  run_id INTEGER REFERENCES run (id) ON DELETE SET NULL,"
    "  made REAL NOT NULL,"
    "  path TEXT NOT NULL UNIQUE,"
    "  format INTEGER NOT NULL,"
    "  ranks INTEGER NOT NULL CHECK (ranks >= 1),"
    "  bytes INTEGER NOT NULL CHECK (bytes >= 0)"
    ") STRICT;"
    "CREATE INDEX trace_by_app ON trace (app_id, platform_id, made);"
    "CREATE INDEX trace_by_run ON trace (run_id) WHERE run_id IS NOT NULL;"

    /* For queries by the sqlite3 shell. */
    "CREATE VIEW runs AS SELECT run.id AS id, app.name AS app, platform.name AS platform, n, p,"
    "  seconds, start, hosts, memory, cpu_minavg, cpu_avgmin, bw_minavg, bw_avgmin, bytes_read,"
    "  bytes_written, CASE status WHEN 0 THEN 'ok' WHEN 1 THEN 'failed' ELSE 'interrupted' END AS"
    "  status, import_id, params FROM run JOIN app ON app.id = app_id JOIN platform ON"
    "  platform.id = platform_id;";

static const char step_2[] =
    "ALTER TABLE run ADD COLUMN meta TEXT;" /* {"job": "1234", ...}; NULL: none */
    "DROP VIEW runs;"
    "CREATE VIEW runs AS SELECT run.id AS id, app.name AS app, platform.name AS platform, n, p,"
    "  seconds, start, hosts, memory, cpu_minavg, cpu_avgmin, bw_minavg, bw_avgmin, bytes_read,"
    "  bytes_written, CASE status WHEN 0 THEN 'ok' WHEN 1 THEN 'failed' ELSE 'interrupted' END AS"
    "  status, import_id, params, meta FROM run JOIN app ON app.id = app_id JOIN platform ON"
    "  platform.id = platform_id;";

static const char *const steps[] = {step_1, step_2};

const struct rc_schema *rc_db_schema_current(void)
{
    static const struct rc_schema current = {steps, sizeof steps / sizeof *steps};

    return &current;
}

int rc_db_schema_migrate(sqlite3 *db, const struct rc_schema *schema, int from,
                         struct rc_error *error)
{
    char pragma[96];

    for (int version = from; version < schema->version; version++)
        if (sqlite3_exec(db, schema->steps[version], NULL, NULL, NULL))
            return rc_error_set(error, "cannot convert the database from format %d to %d: %s",
                                version, version + 1, sqlite3_errmsg(db));
    snprintf(pragma, sizeof pragma, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             RC_SCHEMA_APPLICATION_ID, schema->version);
    if (sqlite3_exec(db, pragma, NULL, NULL, NULL))
        return rc_error_set(error, "cannot set the format of the database: %s", sqlite3_errmsg(db));
    return 0;
}
