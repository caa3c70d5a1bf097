#!/bin/bash
# SIGKILL and Ctrl-C at random moments: a database has all rows of a file or none.
. "$(dirname "$0")/harness.sh"

rows=200000 kills=50
[ "$SANITIZED" = 1 ] || [ "$LONG" = 0 ] && rows=50000 kills=6
seed=${RUNCAST_TEST_SEED:-$(date +%s)}
echo "# seed $seed"
RANDOM=$((seed % 32768))

table 1000 before > before.csv
table $rows > large.csv
"$RUNCAST" import before.csv > /dev/null
cp store.db base.db
start=$(date +%s%N)
"$RUNCAST" import large.csv > /dev/null
length=$((($(date +%s%N) - start) / 1000000)) # milliseconds that it takes here
echo "# an import takes $length ms"

# Stops an import after a random part of the time that it takes.
stop_import() {
    local pid moment
    cp base.db store.db
    rm -f store.db-wal store.db-shm
    "$RUNCAST" import large.csv > killed.out 2>&1 &
    pid=$!
    moment=$((RANDOM * 32768 % (length * 11 / 10) + RANDOM % 50))
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    kill -"$1" $pid 2> /dev/null
    wait $pid 2> /dev/null
}

check_store() {
    "$RUNCAST" db check > check.out 2>&1 || fault "after signal $1: $(head -c 500 check.out)"
    large=$(count_runs --import 2)
    [ "$large" -eq 0 ] || [ "$large" -eq $rows ] || fault "$large of $rows rows"
    is "$(count_runs --import 1)" 1000 'rows that were there before'
}

begin "$kills kills of an import of $rows rows leave all of them or none"
none=0 all=0
for _ in $(seq $kills); do
    stop_import KILL
    check_store KILL
    if [ "$large" -eq 0 ]; then none=$((none + 1)); else all=$((all + 1)); fi
done
echo "# none: $none, all: $all"
[ $none -gt 0 ] || fault 'no kill came in time to show anything'

begin 'after a kill the same file can be imported'
cp base.db store.db
rm -f store.db-wal store.db-shm
"$RUNCAST" import large.csv > /dev/null 2>&1 &
pid=$!
sleep "$(printf '%d.%03d' $((length / 2000)) $((length / 2 % 1000)))"
kill -KILL $pid 2> /dev/null
wait $pid 2> /dev/null
ok "$RUNCAST" import large.csv
check_store KILL
is "$large" $rows

begin 'Ctrl-C and SIGTERM undo an import, report that, and leave no file'
# The time of an import varies: earlier signals until one comes in time.
for signal in INT TERM; do
    for part in 3 6 12 24 48; do
        # A background job of a script ignores SIGINT; python gives the program a fresh start.
        cp base.db store.db
        rm -f store.db-wal store.db-shm
        python3 - "$RUNCAST" $signal $((length / part)) << 'END' > signalled.out 2>&1
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
child = subprocess.Popen([sys.argv[1], 'import', 'large.csv'],
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(float(sys.argv[3]) / 1000)
number = getattr(signal, 'SIG' + sys.argv[2])
child.send_signal(number)
sys.exit(0 if child.wait() == -number else 1)
END
        caught=$?
        check_store $signal
        [ $caught -ne 0 ] || break
        is "$large" $rows 'rows of an import that came to its end'
    done
    is "$caught" 0 "ended by SIG$signal"
    grep -q 'interrupted' signalled.out || fault "printed: $(cat signalled.out)"
    is "$large" 0 "rows after SIG$signal"
    [ ! -e store.db-wal ] || fault 'a log was left behind'
done

begin 'Ctrl-C during a deletion undoes it'
cp base.db store.db
ok "$RUNCAST" import large.csv
cp store.db full.db
# The time of a deletion varies: earlier signals until one comes in time.
for delay in 0.3 0.15 0.08 0.04 0.02 0.01; do
    cp full.db store.db
    python3 - "$RUNCAST" $delay << 'END' > signalled.out 2>&1
import signal, subprocess, sys, time
child = subprocess.Popen([sys.argv[1], 'runs', 'delete', '--import', '2', '--yes'],
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(float(sys.argv[2]))
child.send_signal(signal.SIGINT)
sys.exit(0 if child.wait() == -signal.SIGINT else 1)
END
    caught=$?
    check_store INT
    if [ $caught -eq 0 ]; then
        is "$large" $rows 'runs after an interrupted deletion'
        break
    fi
    is "$large" 0 'runs after a deletion that came to its end'
done
is "$caught" 0 'ended by SIGINT'

finish
