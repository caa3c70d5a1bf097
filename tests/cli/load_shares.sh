#!/bin/bash
# The CPU share that a load leaves to a competing process on the same core.
. "$(dirname "$0")/harness.sh"

CORE=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
OTHER_CORE=$(python3 -c 'import os; print(sorted(os.sched_getaffinity(0))[-2:][0])')

# share.py CORE WANTED TOLERANCE LOAD...: the share that a spinning competitor gets of a core with the load.
# Rounds in which it does not get the whole core just before and after the load are repeated, because other
# programs used the core.  Prints ok, the share, or that no round was quiet.
cat > share.py << 'END'
import json, os, statistics, subprocess, sys, time
core, wanted, tolerance, load = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]

def spin(seconds):
    begin, cpu = time.monotonic(), time.process_time()
    while time.monotonic() < begin + seconds:
        pass
    return (time.process_time() - cpu) / (time.monotonic() - begin)

own_session = os.getsid(0)  # that of the script, if Meson started it

def prefer(pid):
    """Raises the priority of a process and its children.  With autogroups, also that of its session, unless
    that is a shell of the user."""
    try:
        os.setpriority(os.PRIO_PROCESS, pid, -20)
        if os.getsid(pid) != own_session or os.getppid() == own_session:
            with open(f"/proc/{pid}/autogroup", "w") as group:
                group.write("-20")
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            for child in children.read().split():
                prefer(int(child))
    except OSError:
        pass

prefer(os.getpid())
os.sched_setaffinity(0, {core})
shares = []
for attempt in range(9):
    spin(0.2)  # lets the scheduler settle
    before = spin(0.3)
    os.sched_setaffinity(0, os.sched_getaffinity(os.getppid()))
    child = subprocess.Popen(load + ["--core", str(core), "--duration", "2s", "--json"],
                             stdout=subprocess.PIPE)
    os.sched_setaffinity(0, {core})
    time.sleep(0.4)  # until it stands
    prefer(child.pid)
    time.sleep(0.1)
    share = spin(1.2)
    answer = json.loads(child.communicate()[0])
    if child.returncode or answer["interrupted"]:
        sys.exit("the load failed")
    spin(0.1)
    if min(before, spin(0.3)) < 0.97:
        continue
    shares.append(share)
    if len(shares) >= 3 and abs(statistics.median(shares[-3:]) - wanted) <= tolerance:
        break
else:
    print("noisy" if len(shares) < 3 else f"{statistics.median(shares):.3f}, not {wanted}")
    sys.exit()
print("ok")
END

# leaves WANTED 'LOAD...' WANTED 'LOAD...': two loads at once, on different cores where there are two.
leaves() {
    local second=$OTHER_CORE
    # shellcheck disable=SC2086 # words
    python3 share.py "$CORE" "$1" 0.05 "$RUNCAST" load $2 > share-1 &
    [ "$CORE" != "$second" ] || wait $!
    # shellcheck disable=SC2086
    python3 share.py "$second" "$3" 0.05 "$RUNCAST" load $4 > share-2
    wait
    if grep -qx noisy share-1 share-2; then
        skip 'needs idle cores'
    else
        is "$(cat share-1)" ok "the share of a competitor with '$2'"
        is "$(cat share-2)" ok "the share of a competitor with '$4'"
    fi
}

begin 'a competitor gets what load cpu does not use'
leaves 0.9 'cpu --fraction 0.1' 0.7 'cpu --fraction 0.3'

if [ "$LONG" = 0 ]; then
    finish
    exit 0
fi

begin 'or its fair share, if that is more'
leaves 0.5 'cpu --fraction 0.5' 0.5 'cpu --fraction 0.6'

begin 'several processes on one core leave the right share'
leaves 0.7 'cpu --fraction 10% --procs 3' 0.3333 'cpu --fraction 1 --procs 2'

begin 'load replay imposes the availability of the series'
printf 't,value\n0,0.2\n60,0.2\n' > fifth.csv
printf 't,value\n0,0.9\n60,0.9\n' > most.csv
leaves 0.2 'replay fifth.csv' 0.9 'replay most.csv'

finish
