#!/bin/bash
# Monitoring hosts that are lost, send nonsense or do not end.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/monitoring.sh"

begin 'a host that is lost is tried again, and the others go on'
fresh
echo 'count=2' > a2.conf
ok monitor --hosts a1,a2,a3 --duration 2.6s --json
complains 'a2 is lost: the sensor ended with status 3: agent: had enough; next try in 1 s'
complains 'a2 is back'
is "$(json "j['hosts'][1]['losses'] >= 2 and j['hosts'][0]['losses'] + j['hosts'][2]['losses']")" 0
is "$(stored a2)" "$(sent a2)"
is "$(stored a1)" "$(sent a1)"
none_left

begin 'hosts that send nonsense disturb no other'
fresh
echo 'garbage=5' > a1.conf
echo 'garbage=50' > a2.conf
echo 'flood' > a3.conf
echo 'half=2' > a4.conf
echo 'banner' > a5.conf
echo 'version=2' > a6.conf
ok monitor --hosts 'a[1-6]' --duration 3s --json
is "$(json "[h['host'] for h in j['hosts'] if h['losses'] == 0]")" "['a1', 'a5']"
is "$(json "j['hosts'][0]['invalid_lines']")" 5
complains 'a2 is lost: invalid messages (not JSON'
complains 'a3 is lost: too many lines'
complains 'a4 is lost: the sensor ended with status 0'
complains 'a6 is lost: its sensor has another version (protocol 2, not 1)'
is "$(stored a5)" "$(sent a5)"
ok "$RUNCAST" db check
none_left

begin 'a host that never comes up is reported, and alone is a failure'
fresh
echo 'refuse' > a1.conf
fails monitor --hosts a1 --duration 0.8s
complains 'a1 is lost: the launcher ended with status 255: connect to host: no route'
complains 'no samples from any host; a1: the launcher ended with status 255'
ok monitor --hosts a1,a2 --duration 2s --quiet
silent
[ ! -s out ] || fault "it said: $(cat out)"

begin 'Ctrl-C and SIGTERM store all, report it, and leave nothing behind'
for signal in INT TERM; do
    fresh
    [ $signal = INT ] || echo 'stubborn' > a2.conf
    python3 - "$RUNCAST" $signal << 'END' > out 2> err
import signal, subprocess, sys, time
child = subprocess.Popen([sys.argv[1], "monitor", "--launcher", "./agent.py", "--interval", "0.2",
                          "--hosts", "a1,a2,a3"],
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(1)
number = getattr(signal, "SIG" + sys.argv[2])
child.send_signal(number)
sys.exit(0 if child.wait() == -number else 1)
END
    is $? 0 "ended by SIG$signal"
    grep -q 'monitored 3 hosts for .* (interrupted): .* 0 lost' out || fault "it said: $(cat out)"
    is "$(stored a1)" "$(sent a1)" "samples of a1 after SIG$signal"
    is "$(stored a3)" "$(sent a3)" "samples of a3 after SIG$signal"
    none_left
done

finish
