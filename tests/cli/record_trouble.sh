#!/bin/bash
# Recording runs when the database, an agent or runcast itself fails.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/recorded_runs.sh"
here=$(hostname)

begin 'the database is not opened while the program runs'
ok rec --db fresh.db -- sh -c 'ls fresh.db* 2> /dev/null; exit 0'
[ ! -s out ] || fault 'the database was opened before the end'
[ -s fresh.db ] || fault 'nothing was stored'

# saved NAME: the record was saved as a file that can be imported
saved() {
    local file
    file=$(sed -n "s/.*'runcast import \(.*\)' adds this run.*/\1/p" err)
    [ -s "$file" ] || { fault "no file in: $(cat err)"; return; }
    ok "$RUNCAST" import "$file" --db "$1"
    prints '1 run added'
    is "$(count_runs --db "$1" --app s)" 1 "imported into $1"
    is "$("$RUNCAST" series list --db "$1" --json | python3 -c "import json, sys; print(len(json.load(sys.stdin)['series']))")" 2
    ok "$RUNCAST" import "$file" --db "$1"
    prints 'nothing added'
    rm -f "$file"
}

begin 'a database that is locked for long: the run is saved as a file'
"$RUNCAST" runs list --db locked.db > /dev/null 2>&1
rec -q --db locked.db -- true
python3 - << 'END' &
import sqlite3, time
db = sqlite3.connect('locked.db', isolation_level=None)
db.execute('BEGIN IMMEDIATE')
open('is-locked', 'w').close()
while True:
    time.sleep(0.1)
    try:
        open('unlock').close()
        break
    except FileNotFoundError:
        pass
END
locker=$!
for _ in $(seq 100); do [ -e is-locked ] && break; sleep 0.05; done
run monitored --db locked.db --db-wait 1.2s -- sh -c 'sleep 0.2; exit 4'
want_status 4
complains 'note: the database cannot be written ('
touch unlock
wait $locker
saved one.db
ok "$RUNCAST" db check --db locked.db

begin 'a database that cannot be made, or is none: the run is saved as a file'
run monitored --db "$WORK/nosuch/store.db" -- sh -c 'exit 4'
want_status 4
saved two.db
echo 'this is no store' > none.db
run monitored --db none.db -- true
want_status 0
saved three.db
is "$(cat none.db)" 'this is no store'
mkdir adirectory
run monitored --db adirectory -- true
saved four.db

begin 'a disk that is full, or read-only'
if am_root && unshare -m true 2> /dev/null; then
    mkdir small
    unshare -m bash -c "mount -t tmpfs -o size=128k none small && cp fresh.db small/store.db
        dd if=/dev/zero of=small/rest bs=1k 2> /dev/null
        $(declare -f monitored); RUNCAST='$RUNCAST' WORK='$WORK'
        monitored --db small/store.db -- sh -c 'sleep 0.5; exit 4'; echo \$? > status
        rm small/rest; '$RUNCAST' db check --db small/store.db > check" > out 2> err
    is "$(cat status)" 4
    saved five.db
    unshare -m bash -c "mount --bind . . && mount -o remount,bind,ro . && cd '$WORK'
        $(declare -f monitored); RUNCAST='$RUNCAST' WORK=/tmp/../'$WORK'
        monitored --db fresh.db -- sh -c 'exit 4'; echo \$?" > out 2> err
    is "$(cat out)" 4
    saved six.db
else
    skip 'needs root, to mount a file system'
fi

begin 'kill -9 of runcast: the program continues, agents end, the database is sound'
: > agents
ok rec -q -- true
monitored -- sh -c 'sleep 0.8; echo end > ended' > out 2> err &
recorder=$!
for _ in $(seq 100); do [ -s agents ] && break; sleep 0.02; done
sleep 0.3
program=$(pgrep -x sh -P $recorder)
kill -9 $recorder
wait $recorder 2> /dev/null
no_agents
for _ in $(seq 60); do [ -e ended ] && break; sleep 0.05; done
[ -e ended ] || fault 'the program did not go on'
for _ in $(seq 60); do kill -0 "$program" 2> /dev/null || break; sleep 0.05; done
for _ in $(seq 100); do pgrep -P 1 -f "$WORK" > left || break; sleep 0.05; done # all are to end
pgrep -P 1 -f "$WORK" > left && fault "left behind: $(ps -fp "$(tr '\n' ',' < left | sed 's/,$//')")"
ok "$RUNCAST" db check

begin 'agents that do not start delay the program only briefly'
run "$RUNCAST" record --app t --size 1 --procs 1 --launcher false --hosts nosuch1 --monitor-wait 0.5s -- sh -c 'exit 3'
want_status 3
complains 'no samples from nosuch1'
complains 'CPU availability unknown'
is "$(last cpu_avgmin)" None
run "$RUNCAST" record --app t --size 1 --procs 1 --hosts a --launcher no-such-launcher -- true
want_status 1
complains "no-such-launcher"

begin 'an agent that is lost early: the load is unknown, with a note'
cat > dying << 'END'
#!/bin/sh
printf '{"hello": 1, "version": "0", "host": "x", "cores": 2, "every": 0.1}\n'
for _ in 1 2 3; do
    printf '{"sample": {"time": %s, "cpu": 0.5, "memory": 1000}}\n' "$(date +%s.%N)"
    sleep 0.1
done
sleep 0.3
exit 3
END
chmod +x dying
run "$RUNCAST" record --app t --size 1 --procs 1 --local --runcast-path "$WORK/dying" --interval 0.1s -- sleep 3.5
want_status 0
complains "the load of this run is unknown: no samples from $here: the sensor ended with status 3"
complains 'CPU availability unknown'
is "$(last cpu_avgmin)" None

begin 'many agents need descriptors, and the program keeps its limit'
printf '#!/bin/sh\nshift\nexec "$@"\n' > stay
chmod +x stay
run bash -c 'ulimit -Sn 64; "$@"' bash "$RUNCAST" record --app t --size 1 --procs 1 --hosts 'h[1-30]' --links none \
    --launcher ./stay --runcast-path "$WORK/agent" --interval 0.1s -- sh -c 'ulimit -Sn'
want_status 0
is "$(cat out)" 64
complains 'CPU availability 0.5'

begin 'a program whose name agents cannot use is noted'
printf '#!/bin/sh\nexit 3\n' > 'odd name'
chmod +x 'odd name'
run monitored -- './odd name'
want_status 3
complains 'use --process-names NAMES'
run monitored -q -- './odd name'
silent
run monitored --process-names odd -- './odd name'
grep -q -- '--process-names NAMES' err && fault 'it asks for a given option'

begin 'Ctrl-C before the program has begun: nothing is run'
"$RUNCAST" record --app t --size 1 --procs 1 --hosts a --launcher 'sleep 5; #' -- touch began > out 2> err &
recorder=$!
sleep 0.4
kill -TERM $recorder
wait $recorder
is $? 143
[ ! -e began ] || fault 'it was run'

begin 'a command without a known launcher is one process on this host'
ok env -u SLURM_JOB_NODELIST "$RUNCAST" record --app serial --size 1 --runcast-path "$WORK/agent" -- sh -c 'exit 0'
complains "note: 'sh' is not a known launcher: recording one process on this host"
ok "$RUNCAST" runs export --app serial --json
is "$(json "[(r['procs'], r['hosts']) for r in j['runs']]")" "[(1, ['$(hostname)'])]"
ok "$RUNCAST" record -q --app serial --size 1 --runcast-path "$WORK/agent" -- sh -c 'exit 0'
[ ! -s err ] || fault "a note in spite of -q: $(cat err)"
ok "$RUNCAST" record --app serial --size 1 --procs 1 --local --runcast-path "$WORK/agent" -- sh -c 'exit 0'
! grep -q note: err || fault "a note although all is given: $(cat err)"

begin 'a size that is left out is 1'
ok "$RUNCAST" record -q --app alike --procs 1 --local --no-monitor -- true
ok "$RUNCAST" runs export --app alike --json
is "$(json "[r['size'] for r in j['runs']]")" '[1]'

begin 'wrong calls'
misused "$RUNCAST" record --size 1 -- mpirun -n 2 true
complains 'missing --app NAME'
misused "$RUNCAST" record --app a --size 0 -- mpirun -n 2 true
complains '--size must be above 0'
misused "$RUNCAST" record --app a --size 1
misused env SLURM_JOB_NODELIST=a1 "$RUNCAST" record --app a --size 1 -- ./prog
complains "unknown launcher './prog'"
complains 'hint: use --procs P, and --hosts'
misused "$RUNCAST" record --app a --size 1 --procs 2 -- ./prog
complains '--local'
misused "$RUNCAST" record --app a --size 1 --local -- mpirun ./prog
complains 'hint: use --procs P'
misused "$RUNCAST" record --app a --size 1 --param x -- mpirun -n 2 true
complains "'x' is not NAME=VALUE"
misused "$RUNCAST" record --app a --size 1 --param seconds=2 -- mpirun -n 2 true
complains "'seconds' is not allowed as the name of a parameter"
misused "$RUNCAST" record --app a --size 1 --hosts a --local -- mpirun -n 2 true
misused "$RUNCAST" record --app '' --size 1 -- mpirun -n 2 true

begin 'with --output the run is written, too'
ok monitored -q --output record.json -- true
python3 -c "import json; j = json.load(open('record.json')); assert j['run']['app'] == 's' and j['series']" ||
    fault 'no record in record.json'
run monitored -o record.json -- true
want_status 0
complains 'record.json'

# mpi NAME LAUNCHER...: a real run of two processes
mpi() {
    local name=$1
    shift
    begin "a run of $name on this machine"
    if ! command -v "$1" > /dev/null; then
        skip "needs $1"
        return
    fi
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    ok timeout 60 "$RUNCAST" record --app mpi --size 1 --runcast-path "$WORK/agent" --interval 0.1s -- \
        "$@" sh -c 'echo rank; sleep 0.3'
    is "$(cat out)" $'rank\nrank'
    is "$(last procs) $(last hosts) $(last status) $(last cpu_avgmin)" "2 ['$here'] ok 0.5"
    # MPICH's own mpirun now and then dies of SIGPIPE where processes end before it is done with them.
    run timeout 60 "$RUNCAST" record --app mpi --size 1 --no-monitor -q -- \
        "$@" sh -c 'sleep 0.3; exit 3'
    want_status 3
    is "$(last status)" failed
}
mpi 'Open MPI' mpirun.openmpi --oversubscribe -np 2
mpi MPICH mpirun.mpich -n 2

finish
