#!/bin/bash
# The database itself.
. "$(dirname "$0")/harness.sh"

table 100 > t.csv
"$RUNCAST" import t.csv > /dev/null

begin 'info prints the path and the contents'
ok "$RUNCAST" db info
prints 'predictions:      0 (one of each method, and the combined one)'
prints "$RUNCAST_DB"
ok "$RUNCAST" db info --json
is "$(json "j['run_count'], j['app_count'], j['platform_count'], j['import_count'], j['wal']")" '(100, 3, 4, 1, True)'

begin 'check finds no fault in a sound database'
ok "$RUNCAST" db check
prints 'ok: no faults found'
ok "$RUNCAST" db check --json
is "$(json "j['ok'], j['faults']")" '(True, [])'

begin 'check lists faults'
sqlite3 store.db 'DELETE FROM run WHERE id = 7'
fails "$RUNCAST" db check
prints 'fault: import 1 (t.csv) added 100 runs and 0 were deleted, but the database has 99'
prints '1 fault found'
fails "$RUNCAST" db check --json
keep_document
is "$(json "j['ok'], len(j['faults'])")" '(False, 1)'

begin 'people can look at the runs with the sqlite3 shell'
is "$(sqlite3 store.db "SELECT count(*) FROM runs WHERE app = 'app1' AND status = 'ok'")" 33
is "$(sqlite3 store.db "SELECT params ->> 'iterations' FROM runs WHERE id = 5")" 5

begin 'the next write changes a copy to WAL mode'
sqlite3 store.db "VACUUM INTO 'copy.db'"
ok "$RUNCAST" db info --db copy.db --json
is "$(json "j['wal']")" False
printf 'app,n,p,seconds\na,1,1,1\n' > one.csv
ok "$RUNCAST" import one.csv --db copy.db
ok "$RUNCAST" db info --db copy.db --json
is "$(json "j['wal']")" True

begin 'no file is left beside the database'
is "$(ls store.db*)" store.db

begin 'a window of a series and the runs of an app are found by an index'
plan() { sqlite3 store.db "EXPLAIN QUERY PLAN $1"; }
plan 'SELECT id FROM run WHERE app_id = 1 AND platform_id = 1' | grep -q 'COVERING INDEX run_by_app_platform' ||
    fault 'runs of one app on one platform are scanned'
plan 'SELECT t, value FROM sample WHERE series_id = 1 AND t BETWEEN 5 AND 9 ORDER BY t' > plan.out
grep -q 'USING PRIMARY KEY (series_id=? AND t>? AND t<?)' plan.out || fault "$(cat plan.out)"
grep -q 'TEMP B-TREE' plan.out && fault 'a window is sorted'

finish
