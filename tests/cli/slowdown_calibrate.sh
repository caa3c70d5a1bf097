#!/bin/bash
# Calibrations of this machine and of nodes of a lab: measured with --quick, stored, shown, and failures.
# Values are not checked.
. "$(dirname "$0")/harness.sh"

cat > here << 'END'
#!/bin/sh
# A launcher for hosts that are all this machine.
shift
exec "$@"
END
cat > gone << 'END'
#!/bin/sh
# One without hosts.
echo "connect to host $1: No route to host" >&2
echo 'hint: of no use' >&2
exit 255
END
cat > deaf << 'END'
#!/bin/sh
# One that does not forward standard input.
shift
exec "$@" < /dev/null
END
cat > strange << 'END'
#!/bin/sh
# One with another program that answers.
echo "welcome to $1"
echo '{"bench": "soon"}'
exec sleep 100
END
cat > other << 'END'
#!/bin/sh
# One with another version of runcast.
echo '{"bench": 1, "version": "0.0.7", "host": "'"$1"'", "cores": 4}'
exec cat
END
cat > hung << END
#!/bin/sh
# One with a first host that works, and others that hang.
[ "\$1" != localhost ] || { shift; exec "\$@"; }
: > begun
exec sleep 100
END
cat > half << END
#!/bin/sh
# The same, but other hosts fail.
[ "\$1" = localhost ] || { echo 'no route' >&2; exit 7; }
shift
exec "\$@"
END
cat > fewer << END
#!/bin/sh
# One that works only once.
[ ! -e started ] || { echo 'no more' >&2; exit 7; }
: > started
shift
exec "\$@"
END
chmod +x here gone deaf strange other hung half fewer
quick=(slowdown calibrate --quick)
hosts=(--launcher ./here --runcast-path "$RUNCAST")

# None of the processes that measure is left, however short it takes them to go.
nothing_left() {
    local tries=50
    while [ $((tries -= 1)) -gt 0 ]; do
        pgrep -f "^$RUNCAST slowdown bench" > /dev/null || return 0
        sleep 0.1
    done
    fault "left behind: $(pgrep -af "^$RUNCAST slowdown bench")"
}

begin 'a calibration of this machine'
ok "$RUNCAST" "${quick[@]}" --platform here
prints 'calibration of here'
prints '  i = 1: '
prints 'over loopback'
complains 'measured with --quick'
complains 'its weight is 1'
ok "$RUNCAST" slowdown show --platform here --json
is "$(json 'j["platform"], len(j["hosts"]), j["hosts"][0]["relative_speed"], len(j["links"])')" \
    "('here', 1, 1, 0)"
is "$(json 'len(j["delay_points"]), len(j["delay"]["curves"]), j["delay_points"][0]["bandwidth_bytes_per_s"] > 0')" \
    '(3, 1, True)'
is "$(json 'j["delay_from"] == j["delay_to"], 0 < j["byte_cost_s"] < 1e-3')" '(True, True)'
is "$(json 'len(j["hosts"][0]["memory_slowdowns"]) == j["hosts"][0]["cores"] - 1')" True
is "$(json '[p for p in j["quick"] if p != "memory"], j["missing"], j["hosts"][0]["spread_fraction"]')" \
    "(['weights', 'delay'], [], None)"
is "$(json '"is unreliable: " in j["notes"][0] and "measured with --quick" in j["notes"][0]')" True
ok "$RUNCAST" slowdown show --platform here
complains 'measured with --quick'
ok "$RUNCAST" db check

begin 'hosts behind a launcher, and the links between them'
ok "$RUNCAST" "${quick[@]}" "${hosts[@]}" --hosts localhost,127.0.0.1 --measure weights,bursts \
    --platform two --json
is "$(json 'len(j["hosts"]), [len(l["bursts"]) for l in j["links"]], min(h["relative_speed"] for h in j["hosts"])')" \
    '(2, [3, 3], 1)'
is "$(json 'all(b["rate_bytes_per_s"] > 0 for l in j["links"] for b in l["bursts"]), j["delay_points"]')" '(True, [])'
is "$(json '[n.split(":")[0] for n in j["notes"] if "idle" not in n]')" "['measured with --quick']"
nothing_left

begin 'parts that are not measured stay'
ok "$RUNCAST" slowdown show --platform two --json
before=$(json 'j["links"]')
ok "$RUNCAST" "${quick[@]}" --measure delay --max-communicating 2 --points 2 --platform two --json \
    --hosts localhost "${hosts[@]}"
is "$(json 'j["links"]')" "$before" 'the links'
is "$(json 'len(j["delay_points"]), len(j["delay"]["curves"]), len(j["hosts"])')" '(4, 2, 2)'

begin 'bursts and a benchmark of the user'
ok "$RUNCAST" "${quick[@]}" --measure bursts --loopback --bursts 1x16,10/1KiB,2x10w --platform own --json
is "$(json '[(b["messages"], b["message_bytes"]) for b in j["links"][0]["bursts"]]')" \
    '[(1, 16), (10, 1024), (2, 40)]'
ok "$RUNCAST" "${quick[@]}" --measure weights --benchmark 'sleep 0.01; true "a b"' --platform own
ok "$RUNCAST" slowdown show --platform own --json
is "$(json 'j["hosts"][0]["benchmark_s"] > 0.01, len(j["links"])')" '(True, 1)'
fails "$RUNCAST" "${quick[@]}" --measure weights --benchmark 'echo broken; exit 4' --platform own
complains "status 4: broken"

begin 'other options override --quick'
ok "$RUNCAST" "${quick[@]}" --rounds 3 --measure weights --benchmark "echo >> $WORK/rounds" --platform given --json
is "$(wc -l < rounds)" 3 'rounds'
is "$(json 'j["quick"], j["hosts"][0]["spread_fraction"] >= 0')" "(['weights'], True)"
ok "$RUNCAST" "${quick[@]}" --points 4 --max-communicating 2 --measure delay --platform given --json
is "$(json 'len(j["delay_points"]), len(j["delay"]["curves"])')" '(8, 2)'

begin 'a plot of Figure 2'
if command -v gnuplot > /dev/null; then
    ok "$RUNCAST" slowdown show --platform here --plot delay.svg
    grep -q '1 communicating' delay.svg || fault 'no legend in the plot'
    fails "$RUNCAST" slowdown show --platform own --plot none.svg
    complains 'no delays to draw'
    complains "hint: 'runcast slowdown calibrate --measure delay --platform own' measures them"
    [ ! -e none.svg ] || fault 'a plot of nothing'
else
    skip 'needs gnuplot'
fi

begin 'errors name the host, and nothing is stored'
fails "$RUNCAST" "${quick[@]}" --hosts a1,b1 --launcher ./gone --platform bad
complains 'a1: the launcher ended with status 255: connect to host a1: No route to host'
complains "hint: does './gone a1 runcast --version' work"
fails "$RUNCAST" "${quick[@]}" --hosts a1 --launcher ./nowhere --platform bad
complains "no program './nowhere'"
fails "$RUNCAST" "${quick[@]}" --hosts a1 --launcher ./here --runcast-path ./nothing --platform bad
complains 'a1: the launcher ended with status 12'
fails "$RUNCAST" "${quick[@]}" --hosts a1 --launcher ./deaf --runcast-path "$RUNCAST" --platform bad
complains 'standard input'
fails "$RUNCAST" "${quick[@]}" --hosts a1 --launcher ./strange --platform bad
complains 'a1: invalid answer'
fails "$RUNCAST" "${quick[@]}" --hosts a1 --launcher ./other --platform bad
complains 'a1: runcast 0.0.7 is incompatible with this one, '
fails "$RUNCAST" slowdown show --platform bad
complains "no calibration of 'bad'"
complains 'hint: measure it: runcast slowdown calibrate --platform bad'
fails "$RUNCAST" "${quick[@]}" "${hosts[@]}" --measure bursts --hosts localhost,no.such.host.invalid \
    --platform bad
complains 'localhost: '
complains 'no.such.host.invalid'
nothing_left

begin 'measurements before a failure are stored, with the earlier ones'
fails "$RUNCAST" "${quick[@]}" --hosts localhost,a2 --launcher ./half --runcast-path "$RUNCAST" \
    --measure weights --platform partly
complains 'a2: the launcher ended with status 7: no route'
complains 'note: stored 1 of 2 measurements'
complains "; to make the others: runcast slowdown calibrate --measure weights --platform partly --hosts localhost,a2 --launcher"
ok "$RUNCAST" slowdown show --platform partly --json
is "$(json '[(h["name"], h["benchmark_s"] > 0) for h in j["hosts"]]')" "[('localhost', True)]"
is "$(json 'j["missing"], "was interrupted: weights incomplete" in j["notes"][1]')" \
    "(['weights'], True)"
ok "$RUNCAST" slowdown show --platform two --json
before=$(json 'j["links"], j["delay_points"]')
fails "$RUNCAST" "${quick[@]}" --hosts localhost,a2 --launcher ./half --runcast-path "$RUNCAST" \
    --benchmark 'sleep 0.02' --platform two
ok "$RUNCAST" slowdown show --platform two --json
is "$(json 'j["links"], j["delay_points"]')" "$before" 'links and points, when all were to be measured again'
is "$(json '[h["benchmark_s"] >= 0.02 for h in j["hosts"] if h["name"] == "localhost"]')" '[True]'
nothing_left

begin 'the command in the note makes the missing measurements'
fails "$RUNCAST" "${quick[@]}" --hosts localhost --launcher ./fewer --runcast-path "$RUNCAST" --points 2 \
    --benchmark 'true "a b"' --platform 'the rest'
complains 'note: stored 1 of 2 measurements; to make the others: '
rest=$(sed -n 's/^note: .*; to make the others: runcast //p' err)
is "$rest" "slowdown calibrate --measure delay --platform 'the rest' --hosts localhost --launcher ./fewer \
--runcast-path $RUNCAST --points 2 --quick"
ok "$RUNCAST" slowdown show --platform 'the rest' --json
is "$(json 'j["missing"], j["delay_points"], j["hosts"][0]["benchmark_s"] > 0')" "(['delay'], [], True)"
eval "ok \"\$RUNCAST\" ${rest/fewer/here}"
ok "$RUNCAST" slowdown show --platform 'the rest' --json
is "$(json 'j["missing"], len(j["delay_points"]), j["hosts"][0]["benchmark_s"] > 0')" "([], 2, True)"
nothing_left

begin 'estimates and progress on a terminal'
on_terminal() {
    TERM=xterm COLUMNS=90 python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@" > out < /dev/null
    last="on a terminal: $*"
}
on_terminal "$RUNCAST" "${quick[@]}" --platform here
prints 'runcast: 1 host, 1 delay curve: about 10 s'
on_terminal "$RUNCAST" "${quick[@]}" --measure weights --benchmark 'sleep 0.4' --rounds 4 --platform own
prints 'runcast: 1 host: about 10 s, and 4 runs of the benchmark'
prints '1 of 1: weight of '
ok "$RUNCAST" "${quick[@]}" --measure weights --platform own
! grep -q 'about' err || fault "$(cat err)"

# change SQL: changes the database, as others may do.
change() { python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' \
    "$RUNCAST_DB" "$1" || fault "no $1"; }

begin 'a damaged calibration is reported before measuring'
change "UPDATE model SET body = substr(body, 1, 100)
    WHERE platform_id = (SELECT id FROM platform WHERE name = 'partly')"
fails "$RUNCAST" "${quick[@]}" --hosts a1 --launcher ./gone --measure weights --platform partly
complains 'not a calibration'
ok "$RUNCAST" "${quick[@]}" --platform partly # and a whole one replaces it

begin 'a calibration that cannot be stored is shown'
change "CREATE TRIGGER full BEFORE INSERT ON model BEGIN SELECT RAISE(ABORT, 'no room'); END"
fails "$RUNCAST" "${quick[@]}" --measure weights --platform full
complains 'storing the calibration: '
prints 'calibration of full'
change 'DROP TRIGGER full'
fails "$RUNCAST" slowdown show --platform full
ok "$RUNCAST" db check

begin 'options without effect are refused'
vain() {
    local why=$1
    shift
    misused "$RUNCAST" slowdown calibrate "$@"
    complains "$why"
}
vain '--launcher: needs --hosts' --launcher ssh
vain '--runcast-path: needs --hosts' --runcast-path ./runcast
vain "--points: needs 'delay'" --measure weights --points 3
vain "--max-communicating: needs 'delay'" --measure bursts,weights --max-communicating 3
vain "--benchmark: needs 'weights'" --measure delay --benchmark true
vain "--loopback: needs 'bursts'" --measure delay --loopback
vain '--loopback: needs a single host' --hosts a,b --loopback
vain "--all-links: needs 'bursts'" --measure delay --hosts a,b --all-links
vain '--all-links: one host has no links' --all-links
vain "--bursts: needs 'bursts'" --measure delay --bursts 1x100
vain '--bursts: one host has no links; --loopback' --bursts 1x100
vain '--measure: one host has no links' --measure bursts
vain '--word-bytes: needs --bursts' --word-bytes 8
vain '--word-bytes has no effect: no burst is in words' --hosts a,b --bursts 1x100 --word-bytes 8
vain 'links between 300 hosts; at most' --hosts 'a[1-300]' --all-links
vain 'is given twice' --hosts a,b,a

begin 'wrong usage'
misused "$RUNCAST" slowdown calibrate --bursts 10x
complains "--bursts: invalid burst '10x'"
misused "$RUNCAST" slowdown calibrate --bursts 1x100,10x8
complains "--bursts: '10x8': a message needs from 16 bytes"
misused "$RUNCAST" slowdown calibrate --bursts 1.5x100
complains "--bursts: '1.5x100'"
misused "$RUNCAST" slowdown calibrate --bursts ,
complains '--bursts: empty list'
misused "$RUNCAST" slowdown calibrate --measure weights,speed
complains "--measure: 'speed' is not one of"
misused "$RUNCAST" slowdown calibrate --hosts 'a[1-'
complains '--hosts: '
misused "$RUNCAST" slowdown calibrate --max-communicating 65
complains '--max-communicating: at most 64'
misused "$RUNCAST" slowdown calibrate --points 1000
complains '--points'
misused "$RUNCAST" slowdown calibrate --platform ''
complains '--platform'
misused "$RUNCAST" slowdown calibrate --plot delay.txt
complains '.svg'
misused "$RUNCAST" slowdown bench
complains 'slowdown calibrate'
fails "$RUNCAST" slowdown calibrate --quick --db /nowhere/store.db
complains '/nowhere/store.db'

begin 'the current rate of bursts'
ok "$RUNCAST" slowdown burst --connect localhost "${hosts[@]}" --burst 10x1KiB --burst 5x100 --repeat 2 --json
is "$(json '[(b["messages"], b["message_bytes"], b["rate_bytes_per_s"] > 0) for b in j["bursts"]]')" \
    '[(10, 1024, True), (5, 100, True)]'
ok "$RUNCAST" slowdown burst --connect localhost "${hosts[@]}" --burst 10x1000w --word-bytes 8
prints '8000'
misused "$RUNCAST" slowdown burst --connect localhost:80
complains 'missing --receiver-key'
misused "$RUNCAST" slowdown burst --burst 10x100
complains '--connect HOST'
misused "$RUNCAST" slowdown burst --connect localhost --launcher ./here --burst 0x100
complains "--burst: '0x100'"

# stop SIGNAL ARGUMENTS...: a calibration, stopped by the signal when its second host is asked for.
stop() {
    rm -f begun
    python3 - "$1" "$RUNCAST" "${quick[@]}" --launcher ./hung --runcast-path "$RUNCAST" \
        --hosts localhost,a2 --measure weights "${@:2}" > out 2> err << 'END'
import os, signal, subprocess, sys, time
child = subprocess.Popen(sys.argv[2:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
while child.poll() is None and not os.path.exists("begun"):
    time.sleep(0.02)
child.send_signal(getattr(signal, "SIG" + sys.argv[1]))
print("ended by", signal.Signals(-child.wait()).name)
END
    # shellcheck disable=SC2034 # the harness shows it
    last="calibrate, $1"
    prints "ended by SIG$1"
    nothing_left
}

begin 'after a signal, and even kill -9, no process is left, and measurements are stored'
stop KILL --platform late
fails "$RUNCAST" slowdown show --platform late
for signal in INT TERM; do
    stop $signal --platform late-$signal
    complains 'note: stored 1 of 2 measurements'
    complains 'slowdown calibrate: interrupted'
    ok "$RUNCAST" slowdown show --platform late-$signal --json
    is "$(json '[(h["name"], h["relative_speed"]) for h in j["hosts"]], j["missing"]')" \
        "([('localhost', 1)], ['weights'])"
done

begin 'a signal stops a measurement'
python3 - "$RUNCAST" "${quick[@]}" --measure weights --platform never \
    --benchmark "touch $WORK/benchmark; sleep 100" > out 2> err << 'END'
import os, signal, subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
while child.poll() is None and not os.path.exists("benchmark"):
    time.sleep(0.02)
child.send_signal(signal.SIGINT)
print("ended by", signal.Signals(-child.wait()).name)
END
prints 'ended by SIGINT'
nothing_left
fails "$RUNCAST" slowdown show --platform never

begin 'nodes of a lab'
if am_root && "$RUNCAST" lab up --lab calt --nodes 2 --cpu-share 0.2 > out 2> err; then
    ok "$RUNCAST" "${quick[@]}" --hosts calt1,calt2 --launcher "$RUNCAST lab exec" \
        --runcast-path "$RUNCAST" --platform calt --json
    "$RUNCAST" lab down --lab calt > lab.out 2>&1 || fault "$(cat lab.out)"
    is "$(json '[h["name"] for h in j["hosts"]], [(l["from"], l["to"]) for l in j["links"]]')" \
        "(['calt1', 'calt2'], [('calt1', 'calt2'), ('calt2', 'calt1')])"
    is "$(json 'j["delay_from"], j["delay_to"], len(j["delay_points"])')" "('calt1', 'calt2', 3)"
    nothing_left
else
    skip 'needs root and control groups'
fi

finish
