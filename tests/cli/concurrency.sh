#!/bin/bash
# Several processes use one database at once.
. "$(dirname "$0")/harness.sh"

rows=20000
[ "$SANITIZED" = 1 ] && rows=3000

# import_at_once ROUND: eight imports of different files, started together.
import_at_once() {
    local pids=() i
    for i in 1 2 3 4 5 6 7 8; do
        table $rows "round$1file$i-" > "r$1f$i.csv"
    done
    for i in 1 2 3 4 5 6 7 8; do
        "$RUNCAST" import "r$1f$i.csv" > "r$1f$i.out" 2>&1 &
        pids+=($!)
    done
    for i in 1 2 3 4 5 6 7 8; do
        wait "${pids[$((i - 1))]}" || fault "import $i of round $1: $(cat "r$1f$i.out")"
    done
}

begin 'eight imports at once into a new database all succeed'
import_at_once 1
is "$(count_runs)" $((8 * rows)) 'runs'
ok "$RUNCAST" db check

begin 'eight more into the same database all succeed, with every row'
import_at_once 2
is "$(count_runs)" $((16 * rows)) 'runs'
is "$("$RUNCAST" runs export | grep -c '^round2file7-')" $rows 'rows of one file'
ok "$RUNCAST" db check

begin 'many small databases made by eight at once never fail'
for round in $(seq 1 15); do
    pids=()
    for i in 1 2 3 4 5 6 7 8; do
        printf 'app,n,p,seconds\na%d,1,1,1\n' "$i" > "s$i.csv"
        RUNCAST_DB=$WORK/small$round.db "$RUNCAST" import "s$i.csv" > "s$i.out" 2>&1 &
        pids+=($!)
    done
    for i in 1 2 3 4 5 6 7 8; do
        wait "${pids[$((i - 1))]}" || fault "round $round: $(cat "s$i.out")"
    done
    is "$(count_runs --db "$WORK/small$round.db")" 8 "runs of round $round"
done

begin 'readers read while a writer writes, and see all of an import or none'
table $((rows * 4)) busy > busy.csv
"$RUNCAST" import busy.csv > busy.out 2>&1 &
writer=$!
while kill -0 $writer 2> /dev/null; do
    seen=$(count_runs --import 17)
    [ "$seen" -eq 0 ] || [ "$seen" -eq $((rows * 4)) ] || fault "saw $seen runs of an import"
done
wait $writer || fault "$(cat busy.out)"

begin 'a writer waits for another program that has locked the database'
python3 -c '
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(8)
db.execute("ROLLBACK")' "$RUNCAST_DB" > lock.out &
locker=$!
while [ ! -s lock.out ]; do sleep 0.05; done
printf 'app,n,p,seconds\nwaited,1,1,1\n' > waited.csv
ok "$RUNCAST" import waited.csv
wait $locker
is "$(count_runs --app waited)" 1

finish
