#!/bin/bash
# The database of a monitor: locked by others, on a full disk, and after a kill.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/monitoring.sh"

begin 'a locked database is reported once, and takes all in the end'
fresh
"$RUNCAST" series list > /dev/null 2>&1
python3 - "$RUNCAST" << 'END' > out 2> err
import sqlite3, subprocess, sys, time
child = subprocess.Popen([sys.argv[1], "monitor", "--launcher", "./agent.py", "--interval", "0.2",
                          "--hosts", "a1", "--duration", "3.6s", "--json"])
time.sleep(0.5)
lock = sqlite3.connect("store.db", isolation_level=None)
lock.execute("BEGIN IMMEDIATE")
time.sleep(1.6)
lock.execute("ROLLBACK")
sys.exit(child.wait())
END
is $? 0 'exit status'
is "$(grep -c 'storing samples: another process has locked the database' err)" 1 "$(cat err)"
complains 'the database accepts samples again'
is "$(stored a1)" "$(sent a1)"

begin 'a full disk is reported once, and takes all once there is room'
if ! am_root || ! unshare --mount true 2> /dev/null; then
    skip 'needs root, to mount a file system'
else
    fresh
    mkdir -p small
    cat > full.sh << 'END'
mount -t tmpfs -o size=1500k none small || exit 77
"$RUNCAST" monitor --launcher ./agent.py --interval 0.1 --hosts 'a[1-8]' --db small/store.db --duration 6s --json &
sleep 1
dd if=/dev/zero of=small/ballast bs=1k 2> /dev/null
sleep 3
rm small/ballast
wait $!
echo $? > full.status
"$RUNCAST" db check --db small/store.db > full.check 2>&1
echo $? >> full.status
cp small/store.db store.db
END
    export RUNCAST
    unshare --mount bash full.sh > out 2> err
    is $? 0 'mount'
    is "$(tr '\n' ' ' < full.status)" '0 0 ' 'statuses of monitor and check'
    is "$(grep -c 'storing samples: the disk is full' err)" 1 "$(cat err)"
    complains 'the database accepts samples again'
    for host in a1 a2 a3 a4 a5 a6 a7 a8; do
        is "$(stored $host)" "$(sent $host)" "samples of $host"
    done
fi

begin 'kill -9 loses the last second at most, and leaves nothing behind'
fresh
"$RUNCAST" monitor --launcher ./agent.py --interval 0.2 --hosts a1,a2 > /dev/null 2>&1 &
monitor=$!
wait_for test -s a2.log
sleep 2
at=$(date +%s.%N)
kill -9 $monitor
wait $monitor 2> /dev/null
none_left
ok "$RUNCAST" db check
for host in a1 a2; do
    due=$(awk -v at="$at" '$1 == "sample" && $3 <= at - 1' $host.log | wc -l)
    [ "$(stored $host)" -ge "$due" ] || fault "$(stored $host) samples of $host, not $due"
    [ "$due" -ge 3 ] || fault "nothing was shown: only $due samples were due"
done

finish
