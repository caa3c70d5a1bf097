#!/bin/bash
# Monitoring hosts: stored samples, their times, link probes, and refused calls.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/monitoring.sh"

begin 'samples of all hosts are stored, each once'
ok monitor --hosts 'a[1-3]' --duration 2s
silent
prints 'monitored 3 hosts for 2'
prints ' samples stored in 12 series, 0 lost'
for host in a1 a2 a3; do
    is "$(stored $host)" "$(sent $host)" "samples of $host"
    [ "$(stored $host)" -ge 1 ] || fault "only $(stored $host) samples of $host"
done
is "$(stored a1 load1)" "$(sent a1)"
ok "$RUNCAST" db check
none_left

begin 'the JSON has the same'
fresh
ok monitor --hosts a1,a2 --duration 2s --json
is "$(json "[h['host'] for h in j['hosts']], [h['state'] for h in j['hosts']]")" "(['a1', 'a2'], ['up', 'up'])"
is "$(json "j['samples_stored'] == sum(h['sample_count'] for h in j['hosts']) and j['samples_lost']")" 0
is "$(json "j['hosts'][0]['core_count'], j['hosts'][0]['cpu_availability'], j['interrupted']")" '(2, 0.5, False)'

begin 'agents get the options of the monitor'
fresh
ok monitor --hosts a1 --exclude solver,4711 --probe-interval 20s --runcast-path /opt/runcast --duration 0.5s --quiet
is "$(sed -n 's/^called //p' a1.log)" \
    '/opt/runcast monitor --agent --interval 0.2 --probe-interval 20 --exclude solver,4711'

begin 'wrong clocks are corrected'
fresh
echo 'ahead=5000' > a1.conf
echo 'ahead=-5000 delay=0.02' > a2.conf
echo 'step=3:900' > a3.conf
echo 'step=3:-900' > a4.conf
before=$(date +%s)
ok monitor --hosts 'a[1-4]' --duration 2s --json
is "$(json "[round(h['clock_offset_s']) for h in j['hosts']]")" '[5000, -5000, 900, -900]'
after=$(date +%s)
for host in a1 a2 a3 a4; do
    "$RUNCAST" series export --host $host --metric cpu > $host.csv
    # Rising, between beginning and end, and nearly a period apart, whatever the clock did
    is "$(python3 - $host.csv "$before" "$after" << 'END'
import csv, sys
t = [float(row["t"]) for row in csv.DictReader(open(sys.argv[1]))]
steps = [b - a for a, b in zip(t, t[1:])]
print(min(steps) > 0 and t[0] >= float(sys.argv[2]) and t[-1] <= float(sys.argv[3]) + 1, len(t) > 3)
END
)" 'True True' "times of $host"
done

begin 'links are probed, one at a time on each host, within their bytes'
fresh
ok monitor --hosts 'a[1-4]' --links ring --link-interval 1s --link-bytes 36MB --probe-bytes 4KiB --duration 2.4s --json
is "$(json "len(j['links']), min(l['probes'] - l['failed_probes'] for l in j['links']) >= 2")" '(4, True)'
# 36 MB an hour, at most 3602 probes in it
is "$(json "max(l['sent_bytes'] / max(1, l['probes']) for l in j['links']) <= 36e6 / 3602")" True
is "$("$RUNCAST" series list --json | python3 -c "
import json, sys
s = json.load(sys.stdin)['series']
print(sorted({x['link'] for x in s if x['metric'] == 'bandwidth'}))")" "['a1:a2', 'a2:a3', 'a3:a4', 'a4:a1']"
is "$(python3 - << 'END'
import glob, re
busy = {}
for name in glob.glob("*.log"):
    near, begun = name[:-4], {}
    for line in open(name):
        word = line.split()
        if word[0] == "probe":
            begun[word[1]] = (word[2], float(word[-1]))
        elif word[0] == "probed":
            far, at = begun.pop(word[1])
            for host in (near, far):
                busy.setdefault(host, []).append((at, float(word[-1])))
spans = [sorted(b) for b in busy.values()]
print(len(busy), any(a[1] > b[0] for s in spans for a, b in zip(s, s[1:])))
END
)" '4 False' 'hosts with probes, and whether any overlap'

begin 'a link that cannot be probed is reported'
fresh
echo 'nolink' > a2.conf
ok monitor --hosts a1,a2 --links 'a1>a2' --link-interval 1s --probe-bytes 1KiB --duration 2s --json
is "$(json "j['links'][0]['failed_probes'] >= 1, j['links'][0]['reason']")" "(True, 'a2: cannot listen')"

begin 'hosts come from a platform file'
fresh
cat > p.yaml << 'END'
name: small
clusters:
  - name: c
    hosts: a[1-2]
    cores: 2
    networks:
      - {name: n, bandwidth: 1Gbit, latency: 50us}
END
ok "$RUNCAST" platform check p.yaml
ok monitor --platform-file p.yaml --duration 2s --json
is "$(json "[h['host'] for h in j['hosts']]")" "['a1', 'a2']"
ok monitor --platform-file p.yaml --hosts a2 --duration 2s --json
is "$(json "[h['host'] for h in j['hosts']]")" "['a2']"
fails monitor --platform-file p.yaml --hosts a7 --duration 0.8s
complains "no host 'a7' in the platform"

begin 'real agents are monitored, and their links'
fresh
printf '#!/bin/sh\nshift\nexec "$@"\n' > here
chmod +x here
ok "$RUNCAST" monitor --hosts localhost,127.0.0.1 --launcher ./here --runcast-path "$RUNCAST" --interval 0.5 \
    --probe-interval never --links ring --link-interval 2s --link-bytes 100GB --probe-bytes 8KiB --duration 1.8s --json
silent
is "$(json "[h['state'] for h in j['hosts']], min(h['messages'] for h in j['hosts']) >= 2")" "(['up', 'up'], True)"
is "$(json "[(l['failed_probes'], l['bandwidth_bytes_per_s'] > 0, l['latency_s'] > 0) for l in j['links']]")" \
    '[(0, True, True), (0, True, True)]'
is "$(json "all(0 <= h['cpu_availability'] <= 1 and h['available_memory_bytes'] > 0 and abs(h['clock_offset_s']) < 1 for h in j['hosts'])")" True
is "$(pgrep -fc -- "$RUNCAST monitor --agent")" 0 'agents left'

begin 'wrong calls are refused'
misused "$RUNCAST" monitor --launcher ssh
complains '--launcher needs --hosts or --platform-file'
misused monitor --hosts 'a[1-'
misused monitor --hosts a1,a2 --links a1
complains "'a1' is not a link, such as a1:a2"
misused monitor --hosts a1,a2 --links 'a1>a3'
misused monitor --hosts a1 --links ring
misused monitor --hosts a1 --interval 0
misused monitor --hosts a1 --duration soon
misused monitor --hosts a1 --probe-interval x
# What agents would refuse
misused monitor --hosts a1 --interval 0.05
complains '--interval must be from 0.1s'
misused monitor --hosts a1 --probe-interval 5s
complains '--probe-interval must be 10s or more'
misused monitor --hosts a1,a2 --links ring --link-interval 0.1s
fails monitor --hosts a1,a2 --links ring --link-bytes 1MB
complains 'less than one message of 65536'
fails "$RUNCAST" monitor --hosts a1 --launcher no-such-launcher
complains "no program 'no-such-launcher'"
fails monitor --hosts a1 --db /nowhere/store.db

begin 'on a terminal a table stands in one place'
fresh
if ! command -v script > /dev/null; then
    skip 'needs script(1)'
else
    # Lost twice, and then not tried again for two seconds, in which the table is drawn.
    echo 'count=1' > a2.conf
    script -qec "stty cols 100; '$RUNCAST' monitor --launcher ./agent.py --interval 0.2 --hosts a1,a2 --duration 4.5s" \
        /dev/null > out 2>&1 < /dev/null
    prints $'\033['
    prints '1 up, 1 lost'
    is "$(grep -c 'is lost' out)" 0 'lines about losses'
    prints 'monitored 2 hosts'
fi

finish
